//! An interval after a sequential test: outcomes are ordered by the bound at which the test stopped, and by the time.
//!
//! The sooner a test accepts or the later it rejects, the stronger the bot. Between the latest rejection and the latest acceptance
//! lie the tests that reached their maximum of pairs without a decision, by their ratio. They have an interval like the others:
//! if only decided tests had one, those that a small maximum lets through would be the lucky ones, and their intervals wrong. An interval's lower end is the strength at which
//! an outcome at least this good has probability α, its upper end the one at which an outcome at most this good has
//! probability β. So it holds the truth with probability 1 − α − β, and it excludes the rejected hypothesis whenever the test
//! does. The ratio is treated as a Brownian motion between its bounds.
//!
//! Sources: D. Siegmund, "Sequential Analysis" (1985), chapter 3, for the ordering; M. Van den Bergh's fishtest for its use
//! with this test, the drift, and the correction for the overshoot of the ratio over its bound.

use schemars::JsonSchema;
use serde::Serialize;

use crate::hypotheses::Hypotheses;
use crate::likelihood::{RatioMoments, normalised_elo, seen_shares, with_mean};
use crate::pentanomial::Pentanomial;
use crate::sprt::{SprtPlan, Verdict};
use crate::units::{Elo, EloInterval, Interval, NormalisedElo};

/// The strength according to a test that decided or reached its maximum, in agreement with its verdict.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct StagewiseEstimate {
    /// The probability that such an interval holds the truth: 1 − α − β.
    pub level: f64,
    /// The score that the outcome exceeds in half of all cases, in 0..=1: a median estimate, free of the bias that stopping
    /// gives to the score as played.
    pub score: f64,
    /// Of the score, with the probability `level`.
    pub score_interval: Interval,
    /// The same on the Elo scale.
    pub elo: Option<Elo>,
    /// The score's interval on the Elo scale.
    pub elo_interval: EloInterval,
    /// The same interval in normalised Elo.
    pub normalised_elo_interval: NormalisedInterval,
}

/// An interval of normalised Elo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct NormalisedInterval {
    pub low: NormalisedElo,
    pub high: NormalisedElo,
}

impl StagewiseEstimate {
    /// `None` while the test may go on after `counts`.
    pub fn new(plan: &SprtPlan, counts: &Pentanomial) -> Option<Self> {
        let (state, pairs) = (plan.judge(counts), counts.pairs() as f64);
        let (lower, upper) = (-state.lower, state.upper);
        // A bound was reached shortly before the pair that overshot it.
        let stop = match state.verdict {
            Verdict::Accepted => Stop::Accepted { time: pairs * upper / state.llr },
            Verdict::Rejected => Stop::Rejected { time: pairs * lower / -state.llr },
            Verdict::Undecided if counts.pairs() >= plan.max_pairs() => {
                Stop::Between { time: pairs, ratio: state.llr }
            }
            Verdict::Undecided => return None,
        };
        let outcome = Outcome { plan, seen: seen_shares(counts.counts()), lower, upper, stop };
        let (alpha, beta) = plan.error_rates();
        let (low, score, high) =
            (outcome.score_at(1.0 - alpha), outcome.score_at(0.5), outcome.score_at(beta));
        let score_interval = Interval { low: low.min(score), high: high.max(score) };
        let normalised = |score| NormalisedElo::new(outcome.normalised(score));
        Some(Self {
            level: 1.0 - alpha - beta,
            score,
            score_interval,
            elo: Elo::from_score(score),
            elo_interval: EloInterval::from_scores(score_interval),
            normalised_elo_interval: NormalisedInterval {
                low: normalised(score_interval.low),
                high: normalised(score_interval.high),
            },
        })
    }
}

/// How a test stopped, at a time in pairs.
enum Stop {
    Accepted {
        time: f64,
    },
    Rejected {
        time: f64,
    },
    /// Without a decision.
    Between {
        time: f64,
        ratio: f64,
    },
}

/// How a test stopped, and after which pairs.
struct Outcome<'a> {
    plan: &'a SprtPlan,
    seen: Vec<f64>,
    /// The distances from 0 to the bounds.
    lower: f64,
    upper: f64,
    stop: Stop,
}

impl Outcome<'_> {
    /// The score at which an outcome at most this good has `probability`. Scores stay away from 0 and 1, where there is no
    /// spread.
    fn score_at(&self, probability: f64) -> f64 {
        let (mut low, mut high) = (1e-6, 1.0 - 1e-6);
        for _ in 0..50 {
            let score = f64::midpoint(low, high);
            if self.at_most(score) > probability { low = score } else { high = score }
        }
        f64::midpoint(low, high)
    }

    /// The probability of an outcome at most this good if `score` is true; it falls as `score` rises. Uses the most likely
    /// distribution of pairs with that score.
    fn at_most(&self, score: f64) -> f64 {
        let RatioMoments { drift, variance } =
            RatioMoments::new(&with_mean(&self.seen, score), self.plan.hypotheses());
        let (h0, h1) = self.plan.hypotheses().bounds();
        let strength = match self.plan.hypotheses() {
            Hypotheses::Logistic { .. } => Elo::from_score(score).map_or(f64::NAN, Elo::get),
            Hypotheses::Normalised { .. } => self.normalised(score),
        };
        let (lower, upper) = (self.lower, self.upper);
        // Excludes what the test itself rejects, although the ratio is only approximately a Brownian motion.
        match self.stop {
            Stop::Accepted { .. } if strength <= h0 => 1.0,
            Stop::Accepted { time } => 1.0 - reaches(upper, lower, drift, variance, time),
            Stop::Rejected { .. } if strength >= h1 => 0.0,
            Stop::Rejected { time } => reaches(lower, upper, -drift, variance, time),
            Stop::Between { time, ratio } => {
                reaches(lower, upper, -drift, variance, time)
                    + stays([-lower, upper], ratio, drift, variance, time)
            }
        }
    }

    fn normalised(&self, score: f64) -> f64 {
        normalised_elo(&with_mean(&self.seen, score))
    }
}

/// The probability that a Brownian motion from 0 reaches `near` above it within `time`, and before it reaches −`far`. `drift`
/// is towards `near`; `variance` is that of a unit of time.
///
/// Integrates the density of the first passage, by reflection at both bounds, term by term.
pub(crate) fn reaches(near: f64, far: f64, drift: f64, variance: f64, time: f64) -> f64 {
    let (width, speed, spread) = (near + far, drift.abs(), (variance * time).sqrt());
    // The part of a first passage at distance c, times exp(drift · near / variance): two exponents, neither above 0.
    let passage = |c: f64| {
        let along = libm::exp((drift * near - speed * c) / variance) * tail((c - speed * time) / spread);
        let exponent =
            drift * near / variance - (speed * speed * time * time + c * c) / (2.0 * variance * time);
        along + libm::exp(exponent) * scaled_tail((speed * time + c) / spread)
    };
    let mut sum = passage(near);
    for k in 1..1_000 {
        let reflected = 2.0 * f64::from(k) * width;
        let (plus, minus) = (passage(near + reflected), passage(reflected - near));
        sum += plus - minus;
        if minus < 1e-15 {
            break;
        }
    }
    sum.clamp(0.0, 1.0)
}

/// The probability that a Brownian motion from 0 has stayed between two bounds for `time`, and now is at `most` at the highest:
/// the integral of its density, by reflection at both bounds.
fn stays([lower, upper]: [f64; 2], most: f64, drift: f64, variance: f64, time: f64) -> f64 {
    const STEPS: u32 = 400;
    let (width, spread) = (upper - lower, variance * time);
    let density = |x: f64| {
        let along = (drift * x - drift * drift * time / 2.0) / variance;
        let from = |image: f64| libm::exp(along - (x - image) * (x - image) / (2.0 * spread));
        let images = (-20..=20).map(|k| 2.0 * f64::from(k) * width);
        images.map(|image| from(image) - from(2.0 * upper - image)).sum::<f64>()
    };
    let step = (most.clamp(lower, upper) - lower) / f64::from(STEPS);
    // Simpson's rule.
    let sum: f64 = (0..=STEPS)
        .map(|index| {
            let weight = if index == 0 || index == STEPS { 1.0 } else { 2.0 * f64::from(1 + index % 2) };
            weight * density(lower + f64::from(index) * step)
        })
        .sum();
    (sum * step / 3.0 / (2.0 * std::f64::consts::PI * spread).sqrt()).clamp(0.0, 1.0)
}

/// P(Z > x) of a standard normal.
fn tail(x: f64) -> f64 {
    0.5 * libm::erfc(x / std::f64::consts::SQRT_2)
}

/// exp(x²/2) P(Z > x) for x >= 0, also where one factor overflows or underflows.
fn scaled_tail(x: f64) -> f64 {
    if x < 25.0 {
        return libm::exp(x * x / 2.0) * tail(x);
    }
    (1.0 - 1.0 / (x * x)) / (x * (2.0 * std::f64::consts::PI).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without a time limit one of the bounds is reached: textbook formulas.
    #[test]
    fn one_bound_or_the_other_is_reached() {
        for (near, far, drift, variance) in
            [(1.0, 2.0, 0.0, 1.0), (2.9, 2.9, -0.05, 0.1), (1.0, 3.0, 0.4, 0.5)]
        {
            let up = reaches(near, far, drift, variance, 1e4);
            let down = reaches(far, near, -drift, variance, 1e4);
            assert!((up + down - 1.0).abs() < 1e-9, "{up} {down}");
            let slope = 2.0 * drift / variance;
            let expected = if slope == 0.0 {
                far / (near + far)
            } else {
                (1.0 - (slope * far).exp()) / ((-slope * near).exp() - (slope * far).exp())
            };
            assert!((up - expected).abs() < 1e-9, "{up} {expected}");
        }
    }

    /// It has reached one bound, the other, or none.
    #[test]
    fn motion_reaches_a_bound_or_stays_between() {
        for (drift, variance, time) in [(0.0, 1.0, 1.0), (0.05, 0.1, 40.0), (-0.4, 0.5, 3.0), (2.0, 0.5, 0.3)]
        {
            let (lower, upper) = (2.0, 1.0);
            let up = reaches(upper, lower, drift, variance, time);
            let down = reaches(lower, upper, -drift, variance, time);
            let between = stays([-lower, upper], upper, drift, variance, time);
            assert!((up + down + between - 1.0).abs() < 1e-6, "{up} {down} {between}");
        }
    }

    /// One bound far away: the inverse Gaussian distribution, at values of its closed form.
    #[test]
    fn single_bound_is_an_inverse_gaussian() {
        for (drift, time) in [(0.3, 4.0), (-0.3, 4.0), (2.0, 0.5), (-4.0, 100.0)] {
            let (near, root) = (1.0, f64::sqrt(time));
            let expected = tail((near - drift * time) / root)
                + (2.0 * drift * near).exp() * tail((near + drift * time) / root);
            let got = reaches(near, 1e3, drift, 1.0, time);
            assert!((got - expected).abs() < 1e-12, "{drift} {time}: {got} {expected}");
        }
    }

    /// After each decision, the interval excludes what the test rejects.
    #[test]
    fn interval_agrees_with_the_verdict() {
        let normalised =
            |h0, h1| Hypotheses::Normalised { h0: NormalisedElo::new(h0), h1: NormalisedElo::new(h1) };
        let logistic = Hypotheses::Logistic { h0: Elo::new(0.0), h1: Elo::new(20.0) };
        for (hypotheses, counts) in [
            (normalised(0.0, 60.0), [4, 0, 30, 0, 23]),
            (normalised(0.0, 60.0), [0, 0, 0, 0, 17]),
            (normalised(0.0, 60.0), [30, 0, 30, 0, 5]),
            (normalised(0.0, 20.0), [150, 5, 590, 5, 260]),
            (normalised(-20.0, 0.0), [300, 0, 700, 0, 120]),
            (logistic, [150, 5, 590, 5, 250]),
            (logistic, [250, 5, 590, 5, 150]),
        ] {
            let plan = SprtPlan::new(hypotheses, 0.05, 0.05, 10_000).expect("sane plan");
            let counts = Pentanomial::new(counts);
            let estimate = StagewiseEstimate::new(&plan, &counts).expect("decided");
            let (h0, h1) = hypotheses.bounds();
            let (low, high) = match hypotheses {
                Hypotheses::Normalised { .. } => {
                    let NormalisedInterval { low, high } = estimate.normalised_elo_interval;
                    (low.get(), high.get())
                }
                Hypotheses::Logistic { .. } => {
                    let EloInterval { low, high } = estimate.elo_interval;
                    (low.expect("finite").get(), high.expect("finite").get())
                }
            };
            match plan.judge(&counts).verdict {
                Verdict::Accepted => assert!(low >= h0 - 1e-6 && high > low, "{estimate:?}"),
                _ => assert!(high <= h1 + 1e-6 && high > low, "{estimate:?}"),
            }
            assert!(estimate.score_interval.contains(estimate.score), "{estimate:?}");
        }
        let few = Pentanomial::new([1, 0, 3, 0, 2]);
        let plan = |most| SprtPlan::new(logistic, 0.05, 0.05, most).expect("sane plan");
        assert_eq!(StagewiseEstimate::new(&plan(10_000), &few), None);
        let ended = StagewiseEstimate::new(&plan(6), &few).expect("at its maximum");
        assert!(ended.score_interval.low < 0.45 && ended.score_interval.high > 0.75, "{ended:?}");
    }
}
