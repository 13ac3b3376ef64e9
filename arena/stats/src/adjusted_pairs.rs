//! The sequential test on pairs with the luck taken out: the question of the plain test, answered from fewer pairs if its bounds are
//! close together.
//!
//! A pair has a score x (0..=1) and estimates of luck l. Only this is known of these: no matter who plays, their means are 0
//! given all earlier pairs. So y = x − c·l has the mean of x for any c that depends on earlier pairs only: here that of `regression.rs`.
//!
//! ```text
//! hypotheses      ½ + tⱼ·σ, tⱼ = √2 · normalised Elo · ln 10 / 800, σ² = (Σ(xᵢ − x̄)² + 1/16)/n; or the score of an Elo
//! t, Δ            (t₀ + t₁)/2 and (t₁ − t₀)·σ
//! zᵢ              yᵢ − t·(xᵢ − x̄)²/(2σ), each pair's influence on ȳ − t·σ
//! V               (Σ(zᵢ − z̄)² + ⅔)/n
//! LLR             n·Δ·(ȳ − ½ − t·σ)/V
//! ```
//!
//! σ is that of the raw score, so that bounds mean the same as in the plain test. The ⅔, worth eight more pairs with the
//! variance of a uniform score, keeps V from looking small before there is evidence that it is, even if the bots differ in
//! only one deal of many; the 1/16 gives a spread even to pairs that all agree. With fewer than [`FEWEST`] pairs nothing is
//! decided. The bounds are Wald's.
//!
//! The interval is the asymptotic confidence sequence of Robbins' normal mixture, narrowest at 100 pairs.
//!
//! Sources: A. Wald, "Sequential Analysis" (1947); M. Van den Bergh, "The Generalized Sequential Probability Ratio Test"
//! (2020) for LLR = n·Δ·(mean − middle)/V; P. Glynn and R. Szechtman, "Some New Perspectives on the Method of Control
//! Variates" (2002) for the coefficient; I. Waudby-Smith, D. Arbour, R. Sinha, E. Kennedy and A. Ramdas, "Time-uniform
//! Central Limit Theory and Asymptotic Confidence Sequences", Annals of Statistics 52 (2024), for the interval.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::adjustment::gains;
use crate::hypotheses::Hypotheses;
use crate::pairing_result::PairPoints;
use crate::regression::{LuckEstimates, Regression, without};
use crate::units::{Elo, EloInterval, Interval, NORMALISED_ELO_PER_SIGMA};

/// With fewer pairs a test on pairs without luck decides nothing.
pub const FEWEST: u64 = 20;

/// Added to the sums of squares whose means are V and σ².
pub(crate) const UNSEEN: f64 = 2.0 / 3.0;
const UNSEEN_RAW: f64 = 1.0 / 16.0;

/// The source of the luck: figures from different sources are never mixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LuckTerms {
    /// The version of the algorithm.
    pub version: u32,
    /// The number of orders of the boneyard over which it compares a decision.
    pub playouts: u32,
}

/// The pairs of a test so far, their luck taken out as they arrived.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AdjustedPairs {
    /// Indexed by the points of a pair, which determine x.
    kinds: [Kind; 5],
    earlier: Regression,
}

/// Pairs with the same score: their number, and sums of their scores without luck.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Kind {
    pairs: f64,
    sum: f64,
    squares: f64,
}

/// The moments of the pairs so far.
struct RunningMoments {
    pairs: f64,
    raw: f64,
    raw_variance: f64,
    adjusted: f64,
}

impl RunningMoments {
    /// σ.
    fn sigma(&self) -> f64 {
        (self.raw_variance + UNSEEN_RAW / self.pairs).sqrt()
    }
}

impl AdjustedPairs {
    /// Adds the next pair, in schedule order. `luck` is the mean over its legs.
    pub fn record(&mut self, points: PairPoints, luck: LuckEstimates) {
        let score = score_of(usize::from(points.half_points()));
        let adjusted = without(score, luck, self.earlier.coefficients());
        let kind = &mut self.kinds[usize::from(points.half_points())];
        kind.pairs += 1.0;
        kind.sum += adjusted;
        kind.squares += adjusted * adjusted;
        self.earlier.add(score, luck);
    }

    /// The log-likelihood ratio of the upper hypothesis against the lower; 0 without pairs.
    pub fn log_likelihood_ratio(&self, hypotheses: Hypotheses) -> f64 {
        let Some(moments) = self.moments() else { return 0.0 };
        let sigma = moments.sigma();
        let (width, middle, t) = match hypotheses {
            Hypotheses::Normalised { h0, h1 } => {
                let [t0, t1] =
                    [h0, h1].map(|elo| std::f64::consts::SQRT_2 * elo.get() / NORMALISED_ELO_PER_SIGMA);
                let t = f64::midpoint(t0, t1);
                ((t1 - t0) * sigma, 0.5 + t * sigma, t)
            }
            Hypotheses::Logistic { h0, h1 } => {
                let [low, high] = [h0, h1].map(Elo::expected_score);
                (high - low, f64::midpoint(low, high), 0.0)
            }
        };
        moments.pairs * width * (moments.adjusted - middle) / self.variance(&moments, t)
    }

    /// The estimate of the score; `None` without pairs.
    pub fn estimate(&self) -> Option<AdjustedEstimate> {
        let moments = self.moments()?;
        let variance = self.variance(&moments, 0.0);
        let score_interval = confidence_sequence(moments.adjusted, variance, moments.pairs);
        let plain = (variance - UNSEEN / moments.pairs).max(0.0);
        Some(AdjustedEstimate {
            score: moments.adjusted + 0.0,
            score_interval,
            elo: Elo::from_score(moments.adjusted),
            elo_interval: EloInterval::from_scores(score_interval),
            variance_ratio: (moments.raw_variance > 0.0).then(|| plain / moments.raw_variance),
        })
    }

    fn moments(&self) -> Option<RunningMoments> {
        let pairs: f64 = self.kinds.iter().map(|kind| kind.pairs).sum();
        let mean = |of: fn(f64) -> f64| {
            let each = self.kinds.iter().enumerate().map(|(points, kind)| kind.pairs * of(score_of(points)));
            each.sum::<f64>() / pairs
        };
        (pairs > 0.0).then(|| {
            let raw = mean(|score| score);
            let raw_variance = (mean(|score| score * score) - raw * raw).max(0.0);
            let adjusted = self.kinds.iter().map(|kind| kind.sum).sum::<f64>() / pairs;
            RunningMoments { pairs, raw, raw_variance, adjusted }
        })
    }

    /// V, with t as above.
    fn variance(&self, moments: &RunningMoments, t: f64) -> f64 {
        let (pairs, sigma) = (moments.pairs, moments.sigma());
        let (mut sum, mut squares) = (0.0, 0.0);
        for (points, kind) in self.kinds.iter().enumerate() {
            let away = score_of(points) - moments.raw;
            let shift = t * away * away / (2.0 * sigma);
            sum += kind.sum - kind.pairs * shift;
            squares += kind.squares - 2.0 * shift * kind.sum + kind.pairs * shift * shift;
        }
        ((squares - sum * sum / pairs).max(0.0) + UNSEEN) / pairs
    }
}

fn score_of(half_points: usize) -> f64 {
    half_points as f64 / 4.0
}

/// Robbins' mixture with ρ² = (−2 ln α + ln(−2 ln α) + 1)/100.
fn confidence_sequence(mean: f64, variance: f64, pairs: f64) -> Interval {
    const ALPHA: f64 = 0.05;
    let twice = -2.0 * libm::log(ALPHA);
    let scaled = pairs * (twice + libm::log(twice) + 1.0) / 100.0;
    let width = 2.0 * (scaled + 1.0) / (pairs * scaled) * (0.5 * libm::log(scaled + 1.0) - libm::log(ALPHA));
    let half = (variance * width).sqrt();
    Interval { low: (mean - half).clamp(0.0, 1.0), high: (mean + half).clamp(0.0, 1.0) }
}

/// The strength according to pairs without luck, after a test with optional stopping.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct AdjustedEstimate {
    /// Mean score of a match without luck, an estimate of the same mean as the raw score's. May lie slightly outside 0..=1.
    pub score: f64,
    /// Valid at 95 % whenever the test stopped, from a few dozen pairs on (asymptotic confidence sequence).
    pub score_interval: Interval,
    /// `None` if it is not finite.
    pub elo: Option<Elo>,
    /// The same interval on the Elo scale.
    pub elo_interval: EloInterval,
    /// Variance of a pair's score after the adjustment over before: 0.5 is worth twice as many pairs. `None` while all pairs
    /// score the same.
    pub variance_ratio: Option<f64>,
}

impl AdjustedEstimate {
    /// Whether this says more than the score as played after this many pairs, and so is worth showing.
    pub fn gains(&self, pairs: u64) -> bool {
        gains(self.variance_ratio, pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::regression::LUCK_ESTIMATES;
    use crate::sprt::{SprtPlan, Verdict};
    use crate::units::NormalisedElo;

    fn points(half_points: u8) -> PairPoints {
        PairPoints::from_half_points(half_points).expect("0 to 4")
    }

    fn normalised(h0: f64, h1: f64) -> Hypotheses {
        Hypotheses::Normalised { h0: NormalisedElo::new(h0), h1: NormalisedElo::new(h1) }
    }

    /// Eight kinds of pair in turn: scores around `mean`, mostly luck.
    fn pairs(count: u64, mean: f64) -> AdjustedPairs {
        let mut pairs = AdjustedPairs::default();
        for index in 0..count {
            let half_points = [2, 4, 0, 2, 3, 1, 4, 2][(index % 8) as usize];
            let rest = [0.02, -0.03, 0.05, -0.04, 0.01, -0.02, 0.03, -0.02][(index * 5 % 8) as usize];
            let luck = score_of(usize::from(half_points)) - mean - rest;
            pairs.record(points(half_points), [luck; LUCK_ESTIMATES]);
        }
        pairs
    }

    /// The formulas of the module's documentation, term by term.
    #[test]
    fn ratio_follows_its_formula() {
        let played = [
            (4, [0.3, 0.2, 0.1, 0.4, 0.02, 0.035]),
            (0, [-0.6, -0.4, -0.5, -0.3, 0.01, -0.115]),
            (2, [0.1, -0.1, 0.2, 0.1, -0.03, 0.06]),
            (3, [0.2, 0.3, 0.0, -0.1, 0.0, 0.01]),
            (2, [-0.2, 0.0, -0.1, 0.1, 0.05, -0.015]),
            (4, [0.1, 0.4, 0.3, 0.2, -0.02, 0.085]),
        ];
        let (mut pairs, mut earlier) = (AdjustedPairs::default(), Regression::default());
        let mut adjusted = Vec::new();
        for (half_points, luck) in played {
            let score = f64::from(half_points) / 4.0;
            adjusted.push(without(score, luck, earlier.coefficients()));
            earlier.add(score, luck);
            pairs.record(points(half_points), luck);
        }
        let n = played.len() as f64;
        let mean = |values: &[f64]| values.iter().sum::<f64>() / n;
        let raw: Vec<f64> = played.iter().map(|(x, _)| f64::from(*x) / 4.0).collect();
        let raw_variance = mean(&raw.iter().map(|x| (x - mean(&raw)).powi(2)).collect::<Vec<_>>());
        let sigma = (raw_variance + 1.0 / 16.0 / n).sqrt();
        let ln10 = std::f64::consts::LN_10;
        let [t0, t1] = [-10.0, 60.0].map(|elo| std::f64::consts::SQRT_2 * elo * ln10 / 800.0);
        let t = f64::midpoint(t0, t1);
        let influence: Vec<f64> = raw
            .iter()
            .zip(&adjusted)
            .map(|(x, y)| y - t * (x - mean(&raw)).powi(2) / (2.0 * sigma))
            .collect();
        let squares: f64 = influence.iter().map(|z| (z - mean(&influence)).powi(2)).sum();
        let variance = (squares + 2.0 / 3.0) / n;
        let expected = n * (t1 - t0) * sigma * (mean(&adjusted) - 0.5 - t * sigma) / variance;
        let ratio = pairs.log_likelihood_ratio(normalised(-10.0, 60.0));
        assert!((ratio - expected).abs() < 1e-9, "{ratio} {expected}");
    }

    #[test]
    fn swapping_bots_and_hypotheses_negates_the_ratio() {
        let (mut there, mut back) = (AdjustedPairs::default(), AdjustedPairs::default());
        for (half_points, first) in [(4, 0.3), (0, -0.6), (2, 0.1), (3, 0.2), (2, -0.2)] {
            let luck = [first, first / 2.0, first / 3.0, first / 4.0, first / 5.0, first * first / 6.0];
            // A change and its weight both change their signs, so their product does not.
            let of = |sign: f64| {
                let mut luck = luck;
                luck[..LUCK_ESTIMATES - 1].iter_mut().for_each(|estimate| *estimate *= sign);
                luck
            };
            there.record(points(half_points), of(1.0));
            back.record(points(4 - half_points), of(-1.0));
        }
        let logistic = |h0, h1| Hypotheses::Logistic { h0: Elo::new(h0), h1: Elo::new(h1) };
        for (one, other) in
            [(normalised(-10.0, 60.0), normalised(-60.0, 10.0)), (logistic(0.0, 20.0), logistic(-20.0, 0.0))]
        {
            let sum = there.log_likelihood_ratio(one) + back.log_likelihood_ratio(other);
            assert!(sum.abs() < 1e-9, "{sum}");
        }
    }

    #[test]
    fn luck_that_explains_most_saves_most_pairs() {
        let plan = SprtPlan::new(normalised(0.0, 20.0), 0.05, 0.05, 5_000).expect("sane plan");
        let decided = |mean| {
            (1..2_000).find_map(|n| {
                let verdict = plan.judge_adjusted(&pairs(n, mean), n).verdict;
                (verdict != Verdict::Undecided).then_some((n, verdict))
            })
        };
        let (accepted, rejected) = (decided(0.53).expect("decided"), decided(0.49).expect("decided"));
        assert_eq!((accepted.1, rejected.1), (Verdict::Accepted, Verdict::Rejected));
        assert!(accepted.0 < 200 && rejected.0 < 200, "{accepted:?} {rejected:?}");
        let estimate = pairs(400, 0.53).estimate().expect("pairs");
        assert!(
            estimate.score_interval.contains(0.53) && estimate.variance_ratio.expect("a spread") < 0.1,
            "{estimate:?}"
        );
        assert!(estimate.score_interval.low > 0.5, "{estimate:?}");
        assert!(estimate.gains(FEWEST) && !estimate.gains(FEWEST - 1), "a spread of few pairs says little");
    }

    #[test]
    fn too_few_pairs_decide_nothing() {
        let plan = SprtPlan::new(normalised(0.0, 150.0), 0.05, 0.05, 5_000).expect("sane plan");
        let clear = pairs(FEWEST - 1, 0.9);
        assert!(plan.judge_adjusted(&clear, FEWEST - 1).llr > plan.llr_bounds().1);
        assert_eq!(plan.judge_adjusted(&clear, FEWEST - 1).verdict, Verdict::Undecided);
        assert_eq!(plan.judge_adjusted(&clear, FEWEST).verdict, Verdict::Accepted);
    }

    /// Pairs that are all won are strong evidence; pairs that are all split are weak evidence, because the bots may differ in
    /// the next deal.
    #[test]
    fn pairs_that_all_agree_do_not_look_certain() {
        let plan = SprtPlan::new(normalised(0.0, 20.0), 0.05, 0.05, 5_000).expect("sane plan");
        let after = |half_points, n| {
            let mut pairs = AdjustedPairs::default();
            (0..n).for_each(|_| pairs.record(points(half_points), [0.0; LUCK_ESTIMATES]));
            assert_eq!(pairs.estimate().expect("pairs").variance_ratio, None);
            plan.judge_adjusted(&pairs, n).verdict
        };
        assert_eq!((after(4, 40), after(0, 40)), (Verdict::Accepted, Verdict::Rejected));
        assert_eq!(after(2, 1_000), Verdict::Undecided);
    }

    /// The mixture's width at ten thousand pairs, computed separately: ρ² = 0.087818.
    #[test]
    fn interval_is_robbins_mixture() {
        let Interval { low, high } = confidence_sequence(0.5, 0.04, 10_000.0);
        assert!(((high - low) / 2.0 - 0.007_151_222_610).abs() < 1e-9, "{low} {high}");
    }
}
