//! What a gate decides by, beside the bots: agreed before its first match, and kept in its results file.

use leyden_stats::SprtPlan;
use serde::{Deserialize, Serialize};

/// The terms of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GateTerms {
    #[serde(flatten)]
    pub plan: SprtPlan,
    /// How many matches the new version may lose by faults; `None`: as many as it likes, or the file is older than this is kept.
    #[serde(default)]
    pub max_faults: Option<u64>,
}

impl GateTerms {
    /// How many blocks are wanted at most, each of one pair.
    pub fn blocks(&self) -> u32 {
        u32::try_from(self.plan.max_pairs()).unwrap_or(u32::MAX)
    }

    /// What was agreed, by the names under which it is typed, and whether `now` is the same: what only gives the new version more
    /// room is.
    pub(crate) fn differences(&self, now: &Self) -> Vec<(&'static str, String, String)> {
        // More pairs can be added, as blocks can.
        let grows = now.plan.max_pairs() >= self.plan.max_pairs();
        let both = self.plan.terms().into_iter().zip(now.plan.terms());
        let differing =
            both.filter(|((name, file), (_, now))| file != now && !(grows && *name == "max-pairs"));
        let mut all: Vec<_> = differing.map(|((name, file), (_, now))| (name, file, now)).collect();
        if let Some(file) = self.max_faults
            && now.max_faults.is_some_and(|now| now < file)
        {
            let now = now.max_faults.unwrap_or_default();
            all.push(("max-faults", file.to_string(), now.to_string()));
        }
        all
    }
}
