//! An interval that may be looked at at any time, and so after a test that stopped when it liked.

use schemars::JsonSchema;
use serde::Serialize;

use crate::pentanomial::Pentanomial;
use crate::units::{Elo, EloInterval, Interval, NormalisedElo};

/// The estimate to print after a test that stopped by looking at its results.
///
/// The mean of such a sample is biased away from the middle, and an ordinary interval does not hold. The interval
/// here is a confidence sequence: with 95 % probability it holds the true score *at every moment at once*, so also
/// at the one where the test stopped.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AnytimeEstimate {
    /// Mean score of a match as played, 0..=1; biased by the stopping.
    pub score: f64,
    /// Holds for any stopping rule, at 95 %.
    pub score_interval: Interval,
    pub elo: Option<Elo>,
    /// The same interval on the Elo scale.
    pub elo_interval: EloInterval,
    /// As played; without an interval, for the spread is estimated too.
    pub normalised_elo: Option<NormalisedElo>,
}

impl AnytimeEstimate {
    /// `None` without pairs.
    pub fn of(counts: &Pentanomial) -> Option<Self> {
        let score_interval = anytime_score_interval(counts, 0.05);
        Some(Self {
            score: counts.score()?,
            score_interval,
            elo: counts.elo(),
            elo_interval: EloInterval::of_scores(score_interval),
            normalised_elo: counts.normalised_elo(),
        })
    }
}

/// A confidence sequence for the mean score, `tail` both sides together: it holds at all times at once with
/// probability 1 − `tail`, for pairs that come in schedule order, whatever the distribution of a pair.
///
/// For each candidate mean m a gambler stakes fixed fractions on pairs exceeding m; if m is true, the wealth is a
/// martingale and reaches 2/`tail` with probability at most `tail`/2 (Ville). The candidates never ruined so far form the
/// interval. Fractions are mixed over a fixed grid, so the wealth is a function of the counts alone; their weights favour
/// the ones that pay off within 20 to 1,000 pairs, where tests stop.
/// Source: Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting", JRSS B 86 (2024);
/// for the mixture Orabona and Jun, "Tight concentrations and confidence sequences from the regret of universal
/// portfolio" (2023).
pub fn anytime_score_interval(counts: &Pentanomial, tail: f64) -> Interval {
    Interval {
        low: anytime_lower_bound(counts, tail / 2.0),
        high: 1.0 - anytime_lower_bound(&counts.reversed(), tail / 2.0),
    }
}

/// The least mean whose gambler has not won 1/`tail`; the wealth falls as the mean grows, so bisection finds it.
fn anytime_lower_bound(counts: &Pentanomial, tail: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let mean = f64::midpoint(low, high);
        if log_wealth(counts, mean) >= -libm::log(tail) { low = mean } else { high = mean }
    }
    low
}

/// How many fractions are staked.
const STAKES: usize = 18;

/// The fraction staked at a place, and its weight: any weights are honest that are chosen before the first pair. Those of
/// the first few fractions are a bell, and a floor under all keeps tests of a hundred thousand pairs narrow, too.
fn stake(place: usize) -> (f64, f64) {
    let from_middle = (place as f64 - 2.0) / 2.0;
    (0.9 * libm::exp2(-0.5 * place as f64), libm::exp(-from_middle * from_middle / 2.0) + 0.02)
}

/// ln of the weighted mean over stakes c of Π (1 − c + c·x/m) over pairs with score x.
fn log_wealth(counts: &Pentanomial, mean: f64) -> f64 {
    let weights: f64 = (0..STAKES).map(|place| stake(place).1).sum();
    let logs: [f64; STAKES] = std::array::from_fn(|place| {
        let (c, weight) = stake(place);
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
