//! What can be chosen about a gate's test, and what is usual.

use leyden_stats::{Elo, Hypotheses, NormalisedElo, SprtPlan, SprtPlanError};

use crate::report::LUCK_TERMS;
use crate::run::GateTerms;

/// The bounds that a test has unless others are chosen: is the new version stronger by this many Elo?
pub const ELO_BOUNDS: (f64, f64) = (0.0, 20.0);

/// The same for a test against a loss of strength.
pub const NON_REGRESSION_BOUNDS: (f64, f64) = (-20.0, 0.0);

/// How likely each wrong answer may be.
pub const ERROR_RATE: f64 = 0.05;

/// The maximum number of pairs.
pub const MAX_PAIRS: u32 = 5_000;

/// How many matches the new version may lose by faults.
pub const MAX_FAULTS: u64 = 0;

/// How many mirrored pairs end a test for strength: never, because a small change shows in few deals.
const MIRROR_PAIRS: u32 = 0;

/// How many mirrored pairs end a test that accepts identical play: rare differences must have had a chance to appear. One that
/// appears in 3 % of deals would have done so in 95 of 100 such gates.
pub const MIRROR_PAIRS_TO_ACCEPT: u32 = 100;

/// What was chosen of a gate's terms. By default nothing was: [`terms`](Self::terms) completes it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GateChoices {
    pub elo0: Option<f64>,
    pub elo1: Option<f64>,
    /// Whether the test is against a loss of strength; bounds that are chosen as well replace its own.
    pub non_regression: bool,
    pub scale: Option<EloScale>,
    pub alpha: Option<f64>,
    pub beta: Option<f64>,
    pub max_pairs: Option<u32>,
    pub mirror_pairs: Option<u32>,
    /// Whether pairs are judged with the luck of deals and draws taken out.
    pub luck: bool,
    pub max_faults: Option<u64>,
    /// Whether the time of its run will be limited.
    pub timed: bool,
}

/// The scale of the bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EloScale {
    /// Per standard deviation of a match.
    #[default]
    Normalised,
    /// By the expected score.
    Logistic,
}

impl GateChoices {
    /// The terms of the gate. What was not chosen is as in the gate that is resumed, or else as usual.
    pub fn terms(&self, resumed: Option<&GateTerms>) -> Result<GateTerms, SprtPlanError> {
        let before = resumed.map_or_else(Self::default, Self::from_terms);
        let usual = if self.non_regression { NON_REGRESSION_BOUNDS } else { ELO_BOUNDS };
        let bound = |chosen: Option<f64>, before: Option<f64>, usual| {
            chosen.or(before.filter(|_| !self.non_regression)).unwrap_or(usual)
        };
        let (h0, h1) = (bound(self.elo0, before.elo0, usual.0), bound(self.elo1, before.elo1, usual.1));
        let hypotheses = match self.scale.or(before.scale).unwrap_or_default() {
            EloScale::Normalised => {
                Hypotheses::Normalised { h0: NormalisedElo::new(h0), h1: NormalisedElo::new(h1) }
            }
            EloScale::Logistic => Hypotheses::Logistic { h0: Elo::new(h0), h1: Elo::new(h1) },
        };
        let rate = |chosen: Option<f64>, before: Option<f64>| chosen.or(before).unwrap_or(ERROR_RATE);
        let (alpha, beta) = (rate(self.alpha, before.alpha), rate(self.beta, before.beta));
        let max_pairs = self.max_pairs.or(before.max_pairs).unwrap_or(MAX_PAIRS);
        let mut plan = SprtPlan::new(hypotheses, alpha, beta, max_pairs.into())?;
        if self.luck || before.luck {
            plan = plan.with_luck(LUCK_TERMS);
        }
        let usual = if h1 <= 0.0 { MIRROR_PAIRS_TO_ACCEPT } else { MIRROR_PAIRS };
        let mirror_pairs = self.mirror_pairs.or(before.mirror_pairs).unwrap_or(usual);
        plan = plan.with_mirror_pairs(mirror_pairs.into());
        let max_faults = self.max_faults.or(before.max_faults).unwrap_or(MAX_FAULTS);
        Ok(GateTerms { plan, max_faults: Some(max_faults), timed: self.timed || before.timed })
    }

    /// The choices that lead to these terms.
    fn from_terms(terms: &GateTerms) -> Self {
        let plan = &terms.plan;
        let (elo0, elo1) = plan.hypotheses().bounds();
        let scale = match plan.hypotheses() {
            Hypotheses::Normalised { .. } => EloScale::Normalised,
            Hypotheses::Logistic { .. } => EloScale::Logistic,
        };
        let (alpha, beta) = plan.error_rates();
        Self {
            elo0: Some(elo0),
            elo1: Some(elo1),
            non_regression: false,
            scale: Some(scale),
            alpha: Some(alpha),
            beta: Some(beta),
            max_pairs: Some(terms.blocks()),
            mirror_pairs: u32::try_from(plan.mirror_pairs()).ok(),
            luck: plan.luck().is_some(),
            max_faults: terms.max_faults,
            timed: terms.timed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unset_choices_keep_stored_terms_or_defaults() {
        let none = GateChoices::default();
        let usual = none.terms(None).unwrap();
        assert_eq!(usual.plan.hypotheses().bounds(), ELO_BOUNDS);
        assert_eq!((usual.blocks(), usual.max_faults), (MAX_PAIRS, Some(MAX_FAULTS)));
        assert_eq!(usual.plan.mirror_pairs(), 0, "a small change gets the time to show");
        let chosen = GateChoices {
            elo0: Some(-3.0),
            elo1: Some(4.0),
            scale: Some(EloScale::Logistic),
            alpha: Some(0.1),
            beta: Some(0.2),
            max_pairs: Some(9),
            mirror_pairs: Some(7),
            luck: true,
            max_faults: Some(2),
            timed: true,
            ..none
        };
        let before = chosen.terms(None).unwrap();
        assert_eq!(none.terms(Some(&before)).unwrap(), before);
        assert_eq!(chosen.terms(Some(&usual)).unwrap(), before);
        let more = GateChoices { max_pairs: Some(10), ..none }.terms(Some(&before)).unwrap();
        assert_eq!((more.blocks(), more.max_faults), (10, Some(2)));
    }

    #[test]
    fn non_regression_bounds_apply_even_when_resuming() {
        let loss = GateChoices { non_regression: true, ..GateChoices::default() };
        let terms = loss.terms(None).unwrap();
        assert_eq!(terms.plan.hypotheses().bounds(), NON_REGRESSION_BOUNDS);
        assert_eq!(terms.plan.mirror_pairs(), u64::from(MIRROR_PAIRS_TO_ACCEPT));
        let other = GateChoices::default().terms(None).unwrap();
        assert_eq!(loss.terms(Some(&other)).unwrap().plan.hypotheses().bounds(), NON_REGRESSION_BOUNDS);
        assert_eq!(GateChoices::default().terms(Some(&terms)).unwrap(), terms);
    }

    #[test]
    fn older_file_without_fault_limit_gets_the_default() {
        let older = GateTerms { max_faults: None, ..GateChoices::default().terms(None).unwrap() };
        assert_eq!(GateChoices::default().terms(Some(&older)).unwrap().max_faults, Some(MAX_FAULTS));
    }
}
