//! What decides a gate, apart from the bots: agreed before its first match, and stored in its results file.

use leyden_stats::SprtPlan;
use serde_json::Value;

/// The terms of a gate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GateTerms {
    pub plan: SprtPlan,
    /// How many matches the new version may lose by faults; `None` for no limit, or if the file is older than this field.
    pub max_faults: Option<u64>,
    /// Whether the time of a run is or was limited, so that time may select which tests are decided.
    pub timed: bool,
}

/// The keys that are added to the plan's terms.
const MAX_FAULTS: &str = "max_faults";
const TIMED: &str = "timed";

impl From<GateTerms> for Value {
    /// One object: the terms of the plan with the others added.
    fn from(GateTerms { plan, max_faults, timed }: GateTerms) -> Self {
        let mut terms = serde_json::json!(plan);
        terms[MAX_FAULTS] = max_faults.into();
        terms[TIMED] = timed.into();
        terms
    }
}

impl TryFrom<Value> for GateTerms {
    type Error = serde_json::Error;

    fn try_from(terms: Value) -> Result<Self, Self::Error> {
        let max_faults = terms.get(MAX_FAULTS).cloned().unwrap_or_default();
        // Files of earlier versions lack it.
        let timed = terms.get(TIMED).cloned().unwrap_or(Value::Bool(false));
        Ok(Self {
            max_faults: serde_json::from_value(max_faults)?,
            timed: serde_json::from_value(timed)?,
            plan: serde_json::from_value(terms)?,
        })
    }
}

impl GateTerms {
    /// The maximum number of blocks, each of one pair.
    pub fn blocks(&self) -> u32 {
        u32::try_from(self.plan.max_pairs()).unwrap_or(u32::MAX)
    }

    /// The terms that differ from `now`, by the names of their options. Changes that only give the new version more room are
    /// allowed.
    pub(crate) fn differences(&self, now: &Self) -> Vec<(&'static str, String, String)> {
        // More pairs can be added, like blocks.
        let grows = now.plan.max_pairs() >= self.plan.max_pairs();
        let both = self.plan.terms().into_iter().zip(now.plan.terms());
        let differing =
            both.filter(|((name, file), (_, now))| file != now && !(grows && *name == "max-pairs"));
        let change = |name, now| match name {
            "max-pairs" => format!("{now} (pairs can be added, not removed: give at least as many)"),
            _ => now,
        };
        let mut all: Vec<_> =
            differing.map(|((name, file), (_, now))| (name, file, change(name, now))).collect();
        if let Some(file) = self.max_faults
            && now.max_faults.is_some_and(|now| now < file)
        {
            let now = now.max_faults.unwrap_or_default();
            all.push(("max-faults", file.to_string(), now.to_string()));
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use leyden_stats::{Hypotheses, NormalisedElo};

    use super::*;

    #[test]
    fn gate_terms_round_trip_and_default_to_open() {
        let hypotheses = Hypotheses::Normalised { h0: NormalisedElo::new(0.0), h1: NormalisedElo::new(20.0) };
        let plan = SprtPlan::new(hypotheses, 0.05, 0.1, 500).unwrap();
        for max_faults in [None, Some(0), Some(3)] {
            let terms = GateTerms { plan, max_faults, timed: max_faults.is_some() };
            let kept = Value::from(terms);
            assert_eq!((&kept["max_pairs"], &kept["max_faults"]), (&500.into(), &max_faults.into()));
            assert_eq!(GateTerms::try_from(kept).unwrap(), terms);
        }
        let older = serde_json::json!(plan);
        assert_eq!(GateTerms::try_from(older).unwrap(), GateTerms { plan, max_faults: None, timed: false });
        for damaged in [serde_json::json!(7), serde_json::json!({"max_faults": 1}), Value::Null] {
            assert!(GateTerms::try_from(damaged.clone()).is_err(), "{damaged}");
        }
        let mut damaged = Value::from(GateTerms { plan, max_faults: None, timed: false });
        damaged["max_faults"] = "many".into();
        assert!(GateTerms::try_from(damaged).is_err());
    }
}
