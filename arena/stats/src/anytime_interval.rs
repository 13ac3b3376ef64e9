//! An interval that is valid at any time, and so after a test with optional stopping.

use schemars::JsonSchema;
use serde::Serialize;

use crate::pentanomial::Pentanomial;
use crate::units::{Elo, EloInterval, Interval, NormalisedElo};

/// The estimate to report after a test that stopped because of its results.
///
/// The mean of such a sample is biased away from the middle, and an ordinary interval is invalid. This one is a confidence
/// sequence: with probability 95 % it holds the true score *at every moment at once*, including the moment at which the test
/// stopped.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AnytimeEstimate {
    /// Mean score of a match as played, in 0..=1; biased by the stopping.
    pub score: f64,
    /// Valid for any stopping rule, at 95 %.
    pub score_interval: Interval,
    pub elo: Option<Elo>,
    /// The same interval on the Elo scale.
    pub elo_interval: EloInterval,
    /// As played; without an interval, because the spread is estimated, too.
    pub normalised_elo: Option<NormalisedElo>,
}

impl AnytimeEstimate {
    /// `None` without pairs.
    pub fn from_counts(counts: &Pentanomial) -> Option<Self> {
        let score_interval = anytime_score_interval(counts, 0.05);
        Some(Self {
            score: counts.score()?,
            score_interval,
            elo: counts.elo(),
            elo_interval: EloInterval::from_scores(score_interval),
            normalised_elo: counts.normalised_elo(),
        })
    }
}

/// A confidence sequence for the mean score, with error probability `tail` for both sides together: it holds at all times at
/// once with probability 1 − `tail`, for pairs that arrive in schedule order, for any distribution of a pair.
///
/// For each candidate mean m a gambler stakes fixed fractions on pairs exceeding m; if m is true, the wealth is a martingale
/// and
/// reaches 2/`tail` with probability at most `tail`/2 (Ville). The candidates whose gamblers never reached that form the
/// interval. Fractions are mixed over a fixed grid, so the wealth is a function of the counts alone; their weights favour
/// those that pay off within 20 to 1,000 pairs, where tests stop.
/// Sources: Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting", JRSS B 86 (2024);
/// for the mixture Orabona and Jun, "Tight concentrations and confidence sequences from the regret of universal
/// portfolio" (2023).
pub fn anytime_score_interval(counts: &Pentanomial, tail: f64) -> Interval {
    Interval {
        low: anytime_lower_bound(counts, tail / 2.0),
        high: 1.0 - anytime_lower_bound(&counts.reversed(), tail / 2.0),
    }
}

/// The smallest mean whose gambler has not won 1/`tail`. The wealth falls as the mean grows, so bisection finds it.
fn anytime_lower_bound(counts: &Pentanomial, tail: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let mean = f64::midpoint(low, high);
        if log_wealth(counts, mean) >= -libm::log(tail) { low = mean } else { high = mean }
    }
    low
}

/// The number of fractions that are staked.
const STAKES: usize = 18;

/// The fraction at an index of the grid, and its weight. Any weights are valid if they are fixed before the first pair. Those
/// of the first few fractions form a bell; a minimum for all keeps tests of a hundred thousand pairs narrow, too.
fn stake(index: usize) -> (f64, f64) {
    let from_middle = (index as f64 - 2.0) / 2.0;
    (0.9 * libm::exp2(-0.5 * index as f64), libm::exp(-from_middle * from_middle / 2.0) + 0.02)
}

/// ln of the weighted mean over stakes c of Π (1 − c + c·x/m) over pairs with score x.
fn log_wealth(counts: &Pentanomial, mean: f64) -> f64 {
    let weights: f64 = (0..STAKES).map(|index| stake(index).1).sum();
    let logs: [f64; STAKES] = std::array::from_fn(|index| {
        let (c, weight) = stake(index);
        counts
            .counts()
            .iter()
            .zip([0.0, 0.25, 0.5, 0.75, 1.0])
            .fold(libm::log(weight / weights), |sum, (count, x)| {
                sum + *count as f64 * libm::log(1.0 - c + c * x / mean)
            })
    });
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = logs.iter().map(|log| libm::exp(log - most)).sum();
    most + libm::log(sum)
}
