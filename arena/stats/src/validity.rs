//! When an interval holds: at an end that was planned, or at any time.
//!
//! An interval of Student's t holds once, after a number of blocks that was fixed before the first. A reader who looks after every
//! block, and stops or speaks up when something shows, needs a confidence sequence: intervals that hold after every block at
//! once. Here it is the one of the t-test: the mixture of likelihood ratios over an effect (mean over standard deviation of a
//! block) that is normal with variance g, invariant to scale:
//!
//! ```text
//! t      estimate less candidate, in standard errors, of n blocks
//! E      (1 + n g)^−½ · [(1 + t²/ν) / (1 + t²/(ν (1 + n g)))]^(n/2),  ν = n − 1
//! ```
//!
//! At the true value E is a nonnegative martingale from 1, so it ever reaches 1/α with probability α at most (Ville); the
//! candidates at which it has not are the interval. Exact for normal blocks, otherwise for sums of many, like every t.
//!
//! Sources: T. L. Lai, "On confidence sequences", Annals of Statistics 4 (1976); H. Wang and A. Ramdas, "Anytime-valid t-tests and
//! confidence sequences for Gaussian means with unknown variance", Sequential Analysis 44 (2025); M. Gönen, W. Johnson, Y. Lu and
//! P. Westfall, "The Bayesian two-sample t test", American Statistician 59 (2005), for this mixture.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::dist::{t_cdf, t_two_sided};

/// When the intervals and probabilities of a report hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Holds {
    /// Once: after the number of blocks that was fixed before the first.
    AtPlannedEnd,
    /// After every block at once, however often somebody looks, and no matter why the run stopped.
    AtAnyTime,
}

/// g: narrowest at about 50 blocks. Any value holds that is fixed before the first block.
const EFFECT: f64 = 0.175;

impl Holds {
    /// The intervals of a run that has `complete` blocks of the `planned` ones, if a plan is known. Without one nobody
    /// can say why it has ended here.
    pub fn after(complete: u64, planned: Option<u64>) -> Self {
        if planned.is_some_and(|planned| complete >= planned) { Self::AtPlannedEnd } else { Self::AtAnyTime }
    }

    /// When something holds that follows from both.
    #[must_use]
    pub fn combined(self, other: Self) -> Self {
        if self == other { self } else { Self::AtAnyTime }
    }

    /// The [`quantile`](Self::quantile) of pairings by their blocks. Most have the `usual` number: one with void pairs has fewer.
    pub(crate) fn quantiles(self, tail: f64, usual: u64) -> impl Fn(u64) -> Option<f64> {
        let of_usual = self.quantile(tail, usual);
        move |blocks| if blocks == usual { of_usual } else { self.quantile(tail, blocks) }
    }

    /// How many standard errors a two-sided interval extends to each side after this many blocks, missing the truth with
    /// probability `tail`. `None` with too few blocks: every value is possible.
    pub(crate) fn quantile(self, tail: f64, blocks: u64) -> Option<f64> {
        if blocks < 2 {
            return None;
        }
        match self {
            Self::AtPlannedEnd => Some(t_two_sided(tail, blocks - 1)),
            Self::AtAnyTime => {
                let (n, shrink) = (blocks as f64, 1.0 / (1.0 + blocks as f64 * EFFECT));
                // E < 1/tail solved for t².
                let most = libm::exp(2.0 / n * -libm::log(tail * shrink.sqrt()));
                let open = 1.0 - most * shrink;
                (open > 0.0).then(|| ((n - 1.0) * (most - 1.0) / open).sqrt())
            }
        }
    }

    /// The p-value of an estimate that is `away` standard errors from what is to be disproved: if that were true, so far away or
    /// farther would come with this probability at most, on both sides together (at any time: ever).
    pub(crate) fn p_value(self, away: f64, blocks: u64) -> Option<f64> {
        if blocks < 2 {
            return None;
        }
        Some(match self {
            Self::AtPlannedEnd => 2.0 * t_cdf(-away.abs(), blocks - 1),
            Self::AtAnyTime => {
                let (n, widen) = (blocks as f64, 1.0 + blocks as f64 * EFFECT);
                let square = if away.is_finite() { away * away / (n - 1.0) } else { 1e300 };
                let gain = n / 2.0 * (libm::log1p(square) - libm::log1p(square / widen));
                libm::exp(0.5 * libm::log(widen) - gain).min(1.0)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p_value_and_its_quantile_agree() {
        for holds in [Holds::AtPlannedEnd, Holds::AtAnyTime] {
            for blocks in [12, 50, 1_000, 100_000] {
                for tail in [0.05, 1e-4] {
                    let Some(bar) = holds.quantile(tail, blocks) else { continue };
                    let back = holds.p_value(bar, blocks).expect("two blocks or more");
                    assert!((back / tail - 1.0).abs() < 1e-6, "{holds:?} {blocks} {tail}: {back}");
                }
            }
        }
        assert!(Holds::AtAnyTime.p_value(f64::INFINITY, 30).is_some_and(|p| p < 0.05));
    }

    #[test]
    fn anytime_intervals_are_up_to_twice_as_wide() {
        let ratio = |blocks| {
            let at = |holds: Holds| holds.quantile(0.05, blocks).expect("enough blocks");
            at(Holds::AtAnyTime) / at(Holds::AtPlannedEnd)
        };
        for blocks in [20, 50, 200, 2_000] {
            assert!((1.4..2.0).contains(&ratio(blocks)), "{blocks}: {}", ratio(blocks));
        }
        assert_eq!(Holds::AtAnyTime.quantile(0.05, 4), None);
    }
}
