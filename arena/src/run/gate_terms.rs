//! What decides a gate, apart from the bots: agreed before its first match, and stored in its results file.

use leyden_stats::{EloScale, Hypotheses, SprtPlan, SprtPlanError};
use serde::{Deserialize, Serialize};

/// The bounds of the usual test: is the new version stronger by this many Elo?
pub const ELO_BOUNDS: (f64, f64) = (0.0, 20.0);

/// The same for a test against a loss of strength.
pub const NON_REGRESSION_BOUNDS: (f64, f64) = (-20.0, 0.0);

/// How likely each wrong answer may be.
const ERROR_RATE: f64 = 0.05;

/// The maximum number of pairs.
const MAX_PAIRS: u64 = 5_000;

/// How many matches the new version may lose by faults.
const MAX_FAULTS: u64 = 0;

/// How many mirrored pairs end a test for strength: never, because a small change shows in few deals.
const MIRROR_PAIRS: u64 = 0;

/// How many mirrored pairs end a test that accepts identical play: rare differences must have had a chance to appear. One that
/// appears in 3 % of deals would have done so in 95 of 100 such gates.
const MIRROR_PAIRS_TO_ACCEPT: u64 = 100;

// A field that is added here, or to the plan, is stored and compared; `leyden gate` lays its options over these terms.
/// The terms of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GateTerms {
    #[serde(flatten)]
    pub plan: SprtPlan,
    /// How many matches the new version may lose by faults; `None` for no limit, or if the file is older than this field.
    pub max_faults: Option<u64>,
    /// Whether the time of a run is or was limited, so that time may select which tests are decided.
    // Files of earlier versions lack it.
    #[serde(default)]
    pub timed: bool,
}

impl Default for GateTerms {
    /// The usual test for strength.
    fn default() -> Self {
        let (h0, h1) = ELO_BOUNDS;
        Self::new(EloScale::default().hypotheses(h0, h1)).expect("the usual bounds are valid")
    }
}

impl GateTerms {
    /// The usual terms of a test between these hypotheses.
    pub fn new(hypotheses: Hypotheses) -> Result<Self, SprtPlanError> {
        let (_, h1) = hypotheses.bounds();
        let mirror_pairs = if h1 <= 0.0 { MIRROR_PAIRS_TO_ACCEPT } else { MIRROR_PAIRS };
        let plan = SprtPlan::new(hypotheses, ERROR_RATE, ERROR_RATE, MAX_PAIRS)?;
        Ok(Self { plan: plan.with_mirror_pairs(mirror_pairs), max_faults: Some(MAX_FAULTS), timed: false })
    }

    /// The maximum number of blocks, each of one pair.
    pub fn blocks(&self) -> u32 {
        u32::try_from(self.plan.max_pairs()).unwrap_or(u32::MAX)
    }

    /// The terms that differ from `now`, by the names of their options. Changes that only give the new version more room are
    /// allowed.
    pub(crate) fn differences(&self, now: &Self) -> Vec<(&'static str, String, String)> {
        // A new term must be named here. A run may be timed although those before it were not.
        let Self { plan, max_faults, timed: _ } = self;
        // More pairs can be added, like blocks.
        let grows = now.plan.max_pairs() >= plan.max_pairs();
        let both = plan.terms().into_iter().zip(now.plan.terms());
        let differing =
            both.filter(|((name, file), (_, now))| file != now && !(grows && *name == "max-pairs"));
        let change = |name, now| match name {
            "max-pairs" => format!("{now} (pairs can be added, not removed: give at least as many)"),
            _ => now,
        };
        let mut all: Vec<_> =
            differing.map(|((name, file), (_, now))| (name, file, change(name, now))).collect();
        if let (Some(file), Some(now)) = (max_faults, now.max_faults)
            && now < *file
        {
            all.push(("max-faults", file.to_string(), now.to_string()));
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn usual_terms_end_mirrors_only_against_a_loss() {
        let usual = GateTerms::default();
        assert_eq!(usual.plan.hypotheses().bounds(), ELO_BOUNDS);
        assert_eq!((usual.blocks(), usual.max_faults), (5_000, Some(0)));
        assert_eq!(usual.plan.mirror_pairs(), 0, "a small change gets the time to show");
        let (h0, h1) = NON_REGRESSION_BOUNDS;
        let loss = GateTerms::new(EloScale::Logistic.hypotheses(h0, h1)).unwrap();
        assert_eq!((loss.plan.mirror_pairs(), loss.plan.hypotheses().bounds()), (100, (h0, h1)));
    }

    #[test]
    fn gate_terms_round_trip_and_default_to_open() {
        let read = serde_json::from_value::<GateTerms>;
        let plan = SprtPlan::new(EloScale::Normalised.hypotheses(0.0, 20.0), 0.05, 0.1, 500).unwrap();
        for max_faults in [None, Some(0), Some(3)] {
            let terms = GateTerms { plan, max_faults, timed: max_faults.is_some() };
            let kept = json!(terms);
            assert_eq!((&kept["max_pairs"], &kept["max_faults"]), (&500.into(), &max_faults.into()));
            assert_eq!(read(kept).unwrap(), terms);
        }
        assert_eq!(read(json!(plan)).unwrap(), GateTerms { plan, max_faults: None, timed: false });
        for damaged in [json!(7), json!({"max_faults": 1}), Value::Null] {
            assert!(read(damaged.clone()).is_err(), "{damaged}");
        }
        let mut damaged = json!(GateTerms { plan, max_faults: None, timed: false });
        damaged["max_faults"] = "many".into();
        assert!(read(damaged).is_err());
    }
}
