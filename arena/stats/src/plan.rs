//! What a test can be expected to show, before it is played: how often it accepts, and after how many pairs, by true strength.
//!
//! The ratio of a gate is treated as a Brownian motion whose drift and variance follow from the kinds of pair: those that were
//! seen, reweighted as little as possible until they have the strength in question. A step overshoots a bound by 0.583 of its
//! standard deviation on average, so the bounds lie that much farther out.
//!
//! A gate that takes luck out holds back: after n pairs its ratio is n/(n + κ + λ) of that, with κ = ⅔ over the variance of a pair
//! without luck (`adjusted_pairs.rs`), and λ = 6·ln(1 + n/20) for the coefficients that are found on the way (`regression.rs`). Such gates are
//! drawn, always with the same random numbers.
//!
//! Sources: D. Siegmund, "Sequential Analysis" (1985), chapters 3 and 10; M. Van den Bergh's calculator for fishtest, for the use.

use schemars::JsonSchema;
use serde::Serialize;

use crate::adjusted_pairs::{FEWEST, UNSEEN};
use crate::dist::{Z_95, normal_cdf, t_two_sided};
use crate::hypotheses::Hypotheses;
use crate::likelihood::{RatioMoments, with_mean, with_strength};
use crate::pentanomial::Pentanomial;
use crate::regression::{LUCK_ESTIMATES, WEIGHT};
use crate::simultaneous_bounds::Normal;
use crate::sprt::SprtPlan;
use crate::stagewise_interval::reaches;
use crate::units::{ELO_PER_THETA, Elo, Interval, NormalisedElo};

/// The mean overshoot of a normal step over a bound, in standard deviations.
const OVERSHOOT: f64 = 0.583;

/// The kinds of pair that two similar bots usually play: they count as one pair, so that none is impossible.
const USUAL: [f64; 5] = [0.22, 0.01, 0.54, 0.01, 0.22];

/// The kinds of pair that are expected, as shares.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectedPairs {
    shares: Vec<f64>,
    /// The number of pairs they were seen in.
    pairs: u64,
}

impl ExpectedPairs {
    /// As in these pairs of the two bots, or of others like them.
    pub fn from_observed(seen: &Pentanomial) -> Self {
        let all = seen.pairs() as f64 + 1.0;
        let shares = seen.counts().iter().zip(USUAL).map(|(count, usual)| (*count as f64 + usual) / all);
        Self { shares: shares.collect(), pairs: seen.pairs() }
    }

    /// The standard deviation of a pair's mean score, with a 95 % range from the number of pairs.
    fn deviation(&self) -> (f64, [f64; 2]) {
        let score = |kind: usize| kind as f64 / 4.0;
        let mean: f64 = self.shares.iter().enumerate().map(|(kind, share)| share * score(kind)).sum();
        let moment = |power: i32| -> f64 {
            self.shares.iter().enumerate().map(|(kind, share)| share * (score(kind) - mean).powi(power)).sum()
        };
        let (square, fourth) = (moment(2), moment(4));
        let off = Z_95 * ((fourth / (square * square) - 1.0) / (self.pairs as f64 + 1.0)).sqrt() / 2.0;
        let deviation = square.sqrt();
        // No pair's score is farther from its mean than ½.
        (deviation, [deviation * libm::exp(-off), (deviation * libm::exp(off)).min(0.5)])
    }
}

/// A gate before it is played.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct GateForecast {
    /// By true strength, ascending: the bounds, their middle, and one width beyond each.
    pub strengths: Vec<GateChances>,
}

/// What a gate does at one true strength.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct GateChances {
    /// The true strength on the scale of the bounds.
    pub strength: f64,
    /// The score that goes with it, 0..=1.
    pub score: f64,
    /// The probability that it accepts the tested bot; together with the next two 1.
    pub accepted: f64,
    /// The probability that it rejects the tested bot.
    pub rejected: f64,
    /// The probability that it reaches its maximum of pairs undecided.
    pub undecided: f64,
    /// The mean number of pairs.
    pub mean_pairs: f64,
    /// Half of such gates need at most this many pairs.
    pub median_pairs: u64,
    /// 95 % of such gates need at most this many pairs.
    pub most_pairs: u64,
}

impl GateForecast {
    /// For pairs of these kinds. `variance_ratio` is the variance of a pair's score without luck over that with it, for a test that
    /// takes luck out; 1 for one that does not.
    pub fn new(plan: &SprtPlan, pairs: &ExpectedPairs, variance_ratio: f64) -> Self {
        let (low, high) = plan.hypotheses().bounds();
        let width = high - low;
        let strengths = [low - width, low, f64::midpoint(low, high), high, high + width];
        Self { strengths: strengths.map(|strength| chances(plan, pairs, variance_ratio, strength)).into() }
    }

    /// The mean number of pairs over both hypotheses.
    pub fn mean_pairs(&self) -> f64 {
        let at = |index: usize| self.strengths.get(index).map_or(0.0, |chances| chances.mean_pairs);
        f64::midpoint(at(1), at(3))
    }
}

fn chances(plan: &SprtPlan, pairs: &ExpectedPairs, variance_ratio: f64, strength: f64) -> GateChances {
    let shares = match plan.hypotheses() {
        Hypotheses::Normalised { .. } => with_strength(&pairs.shares, NormalisedElo::new(strength)),
        Hypotheses::Logistic { .. } => with_mean(&pairs.shares, Elo::new(strength).expected_score()),
    };
    let RatioMoments { drift, variance } = RatioMoments::new(&shares, plan.hypotheses());
    // Without luck, a pair shows 1/ratio times as much: both grow by that.
    let motion = Motion { drift: drift / variance_ratio, variance: variance / variance_ratio };
    let (score, square) = moments(&shares);
    let course = match plan.luck() {
        None => motion.course(plan),
        Some(_) => motion.held_back(plan, UNSEEN / (variance_ratio * square)),
    };
    GateChances {
        strength,
        score,
        accepted: course.accepted,
        rejected: course.rejected,
        undecided: (1.0 - course.accepted - course.rejected).max(0.0),
        mean_pairs: course.mean,
        median_pairs: course.median,
        most_pairs: course.most,
    }
}

/// Mean and variance of a pair's mean score.
fn moments(shares: &[f64]) -> (f64, f64) {
    let each = || shares.iter().enumerate().map(|(kind, share)| (share, kind as f64 / 4.0));
    let mean: f64 = each().map(|(share, score)| share * score).sum();
    (mean, each().map(|(share, score)| share * (score - mean).powi(2)).sum())
}

/// The ratio of a gate: how it moves with each pair.
struct Motion {
    drift: f64,
    variance: f64,
}

/// How gates end, and after how many pairs.
struct Course {
    accepted: f64,
    rejected: f64,
    mean: f64,
    median: u64,
    most: u64,
}

impl Motion {
    /// Of a gate on pairs as they are played.
    fn course(&self, plan: &SprtPlan) -> Course {
        let Self { drift, variance } = *self;
        let over = OVERSHOOT * variance.sqrt();
        let (lower, upper) = plan.llr_bounds();
        let (below, above) = (over - lower, upper + over);
        let most = plan.max_pairs() as f64;
        let accepts = |time: f64| reaches(above, below, drift, variance, time);
        let rejects = |time: f64| reaches(below, above, -drift, variance, time);
        let goes_on = |time: f64| (1.0 - accepts(time) - rejects(time)).clamp(0.0, 1.0);
        let exceeded_by = |share: f64| {
            let (mut low, mut high) = (0.0, most);
            for _ in 0..60 {
                let time = f64::midpoint(low, high);
                if goes_on(time) > share { low = time } else { high = time }
            }
            high.ceil() as u64
        };
        Course {
            accepted: accepts(most),
            rejected: rejects(most),
            mean: duration(goes_on, most),
            median: exceeded_by(0.5),
            most: exceeded_by(0.05),
        }
    }

    /// Of a gate on pairs without luck. Later steps are of several pairs; what these would have overshot less is taken off the bounds.
    fn held_back(&self, plan: &SprtPlan, kappa: f64) -> Course {
        const DRAWS: usize = 4_000;
        /// A step is a pair, or this part of those before.
        const PART: u64 = 100;
        let (lower, upper) = plan.llr_bounds();
        let mut normal = Normal::new();
        let (mut accepted, mut rejected, mut ends) = (0, 0, Vec::with_capacity(DRAWS));
        for _ in 0..DRAWS {
            let (mut pairs, mut ratio, mut step) = (0, 0.0, FEWEST);
            ends.push(loop {
                step = step.min(plan.max_pairs() - pairs);
                let spread = (self.variance * step as f64).sqrt();
                ratio += self.drift * step as f64 + spread * normal.draw();
                pairs += step;
                let missed = if pairs > FEWEST { OVERSHOOT * (spread - self.variance.sqrt()) } else { 0.0 };
                let learnt = LUCK_ESTIMATES as f64 * libm::log1p(pairs as f64 / WEIGHT);
                let held_back = pairs as f64 / (pairs as f64 + kappa + learnt);
                if pairs >= FEWEST && held_back * (ratio + missed) >= upper {
                    accepted += 1;
                    break pairs;
                }
                if pairs >= FEWEST && held_back * (ratio - missed) <= lower {
                    rejected += 1;
                    break pairs;
                }
                if pairs >= plan.max_pairs() {
                    break pairs;
                }
                step = (pairs / PART).max(1);
            });
        }
        ends.sort_unstable();
        let share = |count: u32| f64::from(count) / DRAWS as f64;
        Course {
            accepted: share(accepted),
            rejected: share(rejected),
            mean: ends.iter().sum::<u64>() as f64 / DRAWS as f64,
            median: ends[DRAWS / 2],
            most: ends[DRAWS * 19 / 20],
        }
    }
}

/// ∫ P(it goes on after t) dt up to `most`, by the trapezoid rule on steps that grow with t.
fn duration(goes_on: impl Fn(f64) -> f64, most: f64) -> f64 {
    let (mut time, mut before, mut sum) = (0.0, 1.0, 0.0);
    while time < most && before > 1e-6 {
        let next = (time + 0.25 + time * 0.02).min(most);
        let after = goes_on(next);
        sum += (next - time) * f64::midpoint(before, after);
        (time, before) = (next, after);
    }
    sum
}

/// A match of a fixed number of pairs, before it is played.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MatchForecast {
    /// The number of pairs to be played.
    pub pairs: u64,
    /// Half the width of the 95 % interval of bots that are about equally strong, in Elo: a range, because the spread of pairs is
    /// known from those that were seen.
    pub half_width_elo: Interval,
    /// How far apart the bots have to be to be told apart (p < 0.05) in 80 % of such matches, in Elo: a range.
    pub told_apart_elo: Interval,
    /// By true difference, ascending.
    pub differences: Vec<MatchPower>,
}

/// How often a match tells two bots apart.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MatchPower {
    /// The true difference between the bots.
    pub elo: f64,
    /// The probability that its p-value is below 0.05.
    pub power: f64,
}

impl MatchForecast {
    /// Of at least two pairs like those that were seen.
    pub fn new(pairs: u64, like: &ExpectedPairs) -> Self {
        const EIGHTY_PERCENT: f64 = 0.841_621_233_572_914_3;
        let pairs = pairs.max(2);
        // The slope of Elo by score at ½.
        let per_score = 4.0 * ELO_PER_THETA;
        let (deviation, ends) = like.deviation();
        let error = |deviation: f64| per_score * deviation / (pairs as f64).sqrt();
        let t = t_two_sided(0.05, pairs - 1);
        let range = |factor: f64| Interval { low: factor * error(ends[0]), high: factor * error(ends[1]) };
        let power = |elo: f64| {
            let away = elo / error(deviation);
            MatchPower { elo, power: normal_cdf(away - t) + normal_cdf(-away - t) }
        };
        let differences = [5.0, 10.0, 20.0, 30.0, 50.0, 100.0];
        Self {
            pairs,
            half_width_elo: range(t),
            told_apart_elo: range(t + EIGHTY_PERCENT),
            differences: differences.map(power).into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adjusted_pairs::LuckTerms;

    fn plan(h0: f64, h1: f64, most: u64) -> SprtPlan {
        let hypotheses = Hypotheses::Normalised { h0: NormalisedElo::new(h0), h1: NormalisedElo::new(h1) };
        SprtPlan::new(hypotheses, 0.05, 0.05, most).expect("sane plan")
    }

    #[test]
    fn ends_of_a_gate_add_up() {
        let like = ExpectedPairs::from_observed(&Pentanomial::new([22, 1, 54, 1, 22]));
        for most in [5, 100, 20_000] {
            for at in GateForecast::new(&plan(0.0, 20.0, most), &like, 1.0).strengths {
                assert!((at.accepted + at.rejected + at.undecided - 1.0).abs() < 1e-9, "{at:?}");
                assert!(at.mean_pairs <= most as f64 + 1e-6 && at.median_pairs <= at.most_pairs, "{at:?}");
            }
        }
        let far = GateForecast::new(&plan(0.0, 20.0, 20_000), &like, 1.0);
        assert!(
            (far.strengths[1].accepted - 0.05).abs() < 0.01
                && (far.strengths[3].rejected - 0.05).abs() < 0.01
        );
    }

    #[test]
    fn half_the_variance_takes_half_the_pairs() {
        let like = ExpectedPairs::from_observed(&Pentanomial::new([220, 10, 540, 10, 220]));
        let [plain, luck] =
            [1.0, 0.5].map(|ratio| GateForecast::new(&plan(0.0, 20.0, 20_000), &like, ratio).mean_pairs());
        assert!((luck / plain - 0.5).abs() < 0.03, "{luck} {plain}");
        // A gate that takes luck out holds back, by ⅔ / (0.11 / 2) + 6 ln(1 + 400/20) = 30 pairs or so.
        let terms = LuckTerms { version: 1, playouts: 1 };
        let held_back = GateForecast::new(&plan(0.0, 20.0, 20_000).with_luck(terms), &like, 0.5).mean_pairs();
        assert!((15.0..60.0).contains(&(held_back - luck)), "{held_back} {luck}");
    }

    #[test]
    fn match_forecast_gives_right_width_and_power() {
        let like = ExpectedPairs::from_observed(&Pentanomial::new([220, 10, 540, 10, 220]));
        let forecast = MatchForecast::new(1_000, &like);
        // σ = 0.332 a pair: 1.962 · 694.9 · 0.332 / √1000 = 14.3.
        let Interval { low, high } = forecast.half_width_elo;
        assert!(low < 14.3 && 14.3 < high && high / low < 1.12, "{low} {high}");
        let at_twenty = forecast.differences[2];
        assert!((at_twenty.power - 0.79).abs() < 0.02, "{at_twenty:?}");
    }
}
