//! The sequential probability ratio test on pairs.
//!
//! Source: A. Wald, "Sequential Analysis" (1947) for the bounds; the generalised form on five kinds of pair is
//! M. Van den Bergh's (see the module `likelihood`).

use schemars::JsonSchema;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use crate::adjusted_pairs::{AdjustedPairs, FEWEST, LuckTerms};
use crate::hypotheses::Hypotheses;
use crate::likelihood::log_likelihood_ratio;
use crate::pentanomial::Pentanomial;

/// Unless set otherwise, a test ends as a mirror after this many mirrored pairs, counted from the first.
pub const MIRROR_PAIRS: u64 = 10;

/// Nominal bounds must lie within ± this.
pub const WIDEST_BOUND: f64 = 200.0;

/// Why a plan is invalid.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SprtPlanError {
    #[error(
        "a bound of {0} Elo is beyond ±{WIDEST_BOUND}: hardly any distribution of pairs fits such a hypothesis \
         and the error rates no longer hold; a few dozen pairs of `leyden match` show so large a difference"
    )]
    TooWide(f64),
    #[error("elo0 ({0}) must be below elo1 ({1}): the test decides between two different strengths")]
    NotAscending(f64, f64),
    #[error("{0} is not a number to test against")]
    NotFinite(f64),
    #[error("error rate {0} must lie above 0 and below 0.5")]
    ErrorRate(f64),
    #[error("a test needs at least one pair")]
    NoPairs,
}

/// A valid test: bounds in range, error rates in (0, ½), and a maximum number of pairs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SprtPlan {
    hypotheses: Hypotheses,
    alpha: f64,
    beta: f64,
    max_pairs: u64,
    mirror_pairs: u64,
    /// The source of the luck that is taken out of pairs, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    luck: Option<LuckTerms>,
}

impl SprtPlan {
    /// `alpha` is the probability of accepting when `h0` is true, `beta` that of rejecting when `h1` is.
    pub fn new(hypotheses: Hypotheses, alpha: f64, beta: f64, max_pairs: u64) -> Result<Self, SprtPlanError> {
        let (low, high) = hypotheses.bounds();
        for bound in [low, high] {
            if !bound.is_finite() {
                return Err(SprtPlanError::NotFinite(bound));
            }
            if bound.abs() > WIDEST_BOUND {
                return Err(SprtPlanError::TooWide(bound));
            }
        }
        if low >= high {
            return Err(SprtPlanError::NotAscending(low, high));
        }
        for rate in [alpha, beta] {
            if !(rate > 0.0 && rate < 0.5) {
                return Err(SprtPlanError::ErrorRate(rate));
            }
        }
        Self { hypotheses, alpha, beta, max_pairs, mirror_pairs: MIRROR_PAIRS, luck: None }
            .with_max_pairs(max_pairs)
    }

    /// The same test with this maximum number of pairs.
    pub fn with_max_pairs(self, max_pairs: u64) -> Result<Self, SprtPlanError> {
        if max_pairs == 0 { Err(SprtPlanError::NoPairs) } else { Ok(Self { max_pairs, ..self }) }
    }

    /// The same test, but it ends as a mirror when each of the first `pairs` pairs is the same match twice; 0: never.
    #[must_use]
    pub const fn with_mirror_pairs(self, mirror_pairs: u64) -> Self {
        Self { mirror_pairs, ..self }
    }

    /// The same test, on pairs with their luck taken out.
    #[must_use]
    pub const fn with_luck(self, luck: LuckTerms) -> Self {
        Self { luck: Some(luck), ..self }
    }

    /// The same test, on pairs as they are played.
    #[must_use]
    pub const fn without_luck(self) -> Self {
        Self { luck: None, ..self }
    }

    /// The terms of the test, under the names of their options.
    pub fn terms(&self) -> [(&'static str, String); 8] {
        let Self { hypotheses, alpha, beta, max_pairs, mirror_pairs, luck } = self;
        let (elo0, elo1) = hypotheses.bounds();
        let luck = luck.map_or_else(
            || "not taken out".to_owned(),
            |LuckTerms { version, playouts }| format!("version {version}, {playouts} playouts"),
        );
        [
            ("elo0", elo0.to_string()),
            ("elo1", elo1.to_string()),
            ("model", hypotheses.scale().as_str().to_owned()),
            ("alpha", alpha.to_string()),
            ("beta", beta.to_string()),
            ("max-pairs", max_pairs.to_string()),
            ("mirror-pairs", mirror_pairs.to_string()),
            ("luck", luck),
        ]
    }

    /// The hypotheses between which it decides.
    pub const fn hypotheses(&self) -> Hypotheses {
        self.hypotheses
    }

    /// α and β: the probabilities of the two wrong verdicts.
    pub const fn error_rates(&self) -> (f64, f64) {
        (self.alpha, self.beta)
    }

    /// The maximum number of pairs to judge.
    pub const fn max_pairs(&self) -> u64 {
        self.max_pairs
    }

    /// The number of mirrored pairs, counted from the first, after which the test ends; 0: never.
    pub const fn mirror_pairs(&self) -> u64 {
        self.mirror_pairs
    }

    /// The source of the luck that is taken out of pairs, if any.
    pub const fn luck(&self) -> Option<LuckTerms> {
        self.luck
    }

    /// Wald's bounds ln(β/(1−α)) and ln((1−β)/α).
    pub fn llr_bounds(&self) -> (f64, f64) {
        (libm::log(self.beta / (1.0 - self.alpha)), libm::log((1.0 - self.beta) / self.alpha))
    }

    /// The state of the test after `counts`. The error rates hold only for the counts at the moment of stopping:
    /// [`Gate`](crate::Gate) therefore judges pairs one by one in schedule order.
    pub fn judge(&self, counts: &Pentanomial) -> SprtState {
        self.state(log_likelihood_ratio(counts.counts(), self.hypotheses), 0)
    }

    /// The same, after `judged` pairs with their luck taken out.
    pub fn judge_adjusted(&self, pairs: &AdjustedPairs, judged: u64) -> SprtState {
        self.state(pairs.log_likelihood_ratio(self.hypotheses), FEWEST.saturating_sub(judged))
    }

    /// The state for a ratio, if nothing may be decided before `missing` more pairs.
    fn state(&self, llr: f64, missing: u64) -> SprtState {
        let llr = llr + 0.0;
        let (lower, upper) = self.llr_bounds();
        let verdict = match llr {
            _ if missing > 0 => Verdict::Undecided,
            _ if llr >= upper => Verdict::Accepted,
            _ if llr <= lower => Verdict::Rejected,
            _ => Verdict::Undecided,
        };
        SprtState { llr, lower, upper, verdict }
    }
}

impl<'de> Deserialize<'de> for SprtPlan {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Unchecked {
            hypotheses: Hypotheses,
            alpha: f64,
            beta: f64,
            max_pairs: u64,
            // Missing in older files.
            #[serde(default = "usual_mirror_pairs")]
            mirror_pairs: u64,
            #[serde(default)]
            luck: Option<LuckTerms>,
        }
        const fn usual_mirror_pairs() -> u64 {
            MIRROR_PAIRS
        }
        let Unchecked { hypotheses, alpha, beta, max_pairs, mirror_pairs, luck } =
            Unchecked::deserialize(from)?;
        let plan = Self::new(hypotheses, alpha, beta, max_pairs).map_err(Error::custom)?;
        Ok(Self { luck, ..plan.with_mirror_pairs(mirror_pairs) })
    }
}

/// The verdict of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The upper hypothesis: the new version is stronger (or, in a non-regression test, not weaker).
    Accepted,
    /// The lower hypothesis.
    Rejected,
    /// No decision yet.
    Undecided,
}

/// The log-likelihood ratio between its bounds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SprtState {
    /// The log-likelihood ratio of the pairs judged; positive speaks for the second hypothesis.
    pub llr: f64,
    /// The test rejects at or below this.
    pub lower: f64,
    /// The test accepts at or above this.
    pub upper: f64,
    pub verdict: Verdict,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::NormalisedElo;

    fn normalised(h0: f64, h1: f64) -> Hypotheses {
        Hypotheses::Normalised { h0: NormalisedElo::new(h0), h1: NormalisedElo::new(h1) }
    }

    #[test]
    fn invalid_plans_are_refused() {
        let plan = |h0, h1, alpha, beta, pairs| SprtPlan::new(normalised(h0, h1), alpha, beta, pairs);
        assert!(plan(-200.0, 200.0, 0.05, 0.05, 1).is_ok());
        assert_eq!(plan(0.0, 200.5, 0.05, 0.05, 1), Err(SprtPlanError::TooWide(200.5)));
        assert_eq!(plan(-201.0, 0.0, 0.05, 0.05, 1), Err(SprtPlanError::TooWide(-201.0)));
        assert_eq!(plan(5.0, 5.0, 0.05, 0.05, 1), Err(SprtPlanError::NotAscending(5.0, 5.0)));
        assert!(matches!(plan(f64::NAN, 5.0, 0.05, 0.05, 1), Err(SprtPlanError::NotFinite(_))));
        assert_eq!(plan(0.0, 5.0, 0.5, 0.05, 1), Err(SprtPlanError::ErrorRate(0.5)));
        assert_eq!(plan(0.0, 5.0, 0.05, 0.0, 1), Err(SprtPlanError::ErrorRate(0.0)));
        assert_eq!(plan(0.0, 5.0, 0.05, 0.05, 0), Err(SprtPlanError::NoPairs));
        assert!(SprtPlanError::TooWide(250.0).to_string().contains("error rates no longer hold"));
    }

    #[test]
    fn swapping_bots_and_hypotheses_negates_the_ratio() {
        let counts = Pentanomial::new([150, 5, 590, 7, 250]);
        for (h0, h1) in [(0.0, 10.0), (-20.0, 0.0), (-200.0, 200.0), (50.0, 180.0)] {
            let there = log_likelihood_ratio(counts.counts(), normalised(h0, h1));
            let back = log_likelihood_ratio(counts.reversed().counts(), normalised(-h1, -h0));
            assert!((there + back).abs() < 1e-7 * (1.0 + there.abs()), "[{h0}, {h1}]: {there} {back}");
        }
    }

    #[test]
    fn ratio_is_finite_at_every_corner() {
        for corner in 0..32_u32 {
            let counts: Vec<u64> = (0..5).map(|i| if corner >> i & 1 == 1 { 400 } else { 0 }).collect();
            for (h0, h1) in [(0.0, 10.0), (-200.0, 200.0), (190.0, 200.0), (-200.0, -199.0)] {
                let llr = log_likelihood_ratio(&counts, normalised(h0, h1));
                assert!(llr.is_finite(), "{counts:?} [{h0}, {h1}]: {llr}");
            }
        }
    }
}
