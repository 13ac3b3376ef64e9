//! An interval after a sequential test that decided: outcomes are ordered by the bound at which the test stopped, and by
//! when.
//!
//! The sooner a test accepts, the stronger the bot; the later it rejects, too. An interval's lower end is the strength
//! at which an outcome at least this good has probability α, its upper end the one at which an outcome at most this
//! good has probability β; so it holds the truth with probability 1 − α − β, and it leaves out the rejected hypothesis
//! whenever the test does. The ratio is taken as a Brownian motion between its bounds.
//!
//! Sources: D. Siegmund, "Sequential Analysis" (1985), chapter 3, for the ordering; M. Van den Bergh's fishtest for its
//! use with this test, the drift and the correction for what the ratio overshoots its bound.

use schemars::JsonSchema;
use serde::Serialize;

use crate::hypotheses::Hypotheses;
use crate::likelihood::{RatioMoments, normalised_elo, seen_shares, with_mean};
use crate::pentanomial::Pentanomial;
use crate::sprt::{SprtPlan, Verdict};
use crate::units::{Elo, EloInterval, Interval, NormalisedElo};

/// What a decided test says of the strength, and agrees with its verdict.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct StagewiseEstimate {
    /// How often such an interval holds the truth: 1 − α − β.
    pub level: f64,
    /// The score that the outcome exceeds in half of all cases, 0..=1: the middle of what is plausible, free of the bias
    /// that stopping gives to the score as played.
    pub score: f64,
    pub score_interval: Interval,
    /// The same on the Elo scale.
    pub elo: Option<Elo>,
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
    /// `None` while the test is undecided after `counts`.
    pub fn of(plan: &SprtPlan, counts: &Pentanomial) -> Option<Self> {
        let state = plan.judge(counts);
        let (accepted, near, far) = match state.verdict {
            Verdict::Accepted => (true, state.upper, -state.lower),
            Verdict::Rejected => (false, -state.lower, state.upper),
            Verdict::Undecided => return None,
        };
        let seen = seen_shares(counts.counts());
        // The bound was reached a little before the pair that stepped over it.
        let time = counts.pairs() as f64 * near / state.llr.abs();
        let outcome = StoppedAfter { plan, seen, accepted, near, far, time };
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
            elo_interval: EloInterval::of_scores(score_interval),
            normalised_elo_interval: NormalisedInterval {
                low: normalised(score_interval.low),
                high: normalised(score_interval.high),
            },
        })
    }
}

/// How a test stopped, and after what pairs.
struct StoppedAfter<'a> {
    plan: &'a SprtPlan,
    seen: Vec<f64>,
    accepted: bool,
    /// From 0 to the bound that was reached, and to the other one.
    near: f64,
    far: f64,
    time: f64,
}

impl StoppedAfter<'_> {
    /// The score at which an outcome at most this good has `probability`; scores stay clear of 0 and 1, where there is no
    /// spread.
    fn score_at(&self, probability: f64) -> f64 {
        let (mut low, mut high) = (1e-6, 1.0 - 1e-6);
        for _ in 0..50 {
            let score = f64::midpoint(low, high);
            if self.at_most(score) > probability { low = score } else { high = score }
        }
        f64::midpoint(low, high)
    }

    /// The probability of an outcome at most this good, if `score` is true; falls as `score` rises. The distribution of
    /// pairs is the likeliest one with that score.
    fn at_most(&self, score: f64) -> f64 {
        let RatioMoments { drift, variance } =
            RatioMoments::of(&with_mean(&self.seen, score), self.plan.hypotheses());
        let (h0, h1) = self.plan.hypotheses().bounds();
        let strength = match self.plan.hypotheses() {
            Hypotheses::Logistic { .. } => Elo::from_score(score).map_or(f64::NAN, Elo::get),
            Hypotheses::Normalised { .. } => self.normalised(score),
        };
        // What the test itself rejects stays out, though the ratio is no more than nearly a Brownian motion.
        if self.accepted {
            if strength <= h0 {
                return 1.0;
            }
            1.0 - reaches(self.near, self.far, drift, variance, self.time)
        } else {
            if strength >= h1 {
                return 0.0;
            }
            reaches(self.near, self.far, -drift, variance, self.time)
        }
    }

    fn normalised(&self, score: f64) -> f64 {
        normalised_elo(&with_mean(&self.seen, score))
    }
}

/// The probability that a Brownian motion from 0 reaches `near` above it within `time`, and before −`far`. `drift` is
/// towards `near`; `variance` is that of a unit of time.
///
/// The density of the first passage by reflection at both bounds, integrated term by term.
fn reaches(near: f64, far: f64, drift: f64, variance: f64, time: f64) -> f64 {
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

/// P(Z > x) of a standard normal.
fn tail(x: f64) -> f64 {
    0.5 * libm::erfc(x / std::f64::consts::SQRT_2)
}

/// exp(x²/2) P(Z > x) for x >= 0, also where neither factor is a number any more.
fn scaled_tail(x: f64) -> f64 {
    if x < 25.0 {
        return libm::exp(x * x / 2.0) * tail(x);
    }
    (1.0 - 1.0 / (x * x)) / (x * (2.0 * std::f64::consts::PI).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without a limit of time one of the bounds is reached: from textbook formulas.
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

    /// One bound far away: the inverse Gaussian distribution, here at values from its closed form.
    #[test]
    fn a_single_bound_is_an_inverse_gaussian() {
        for (drift, time) in [(0.3, 4.0), (-0.3, 4.0), (2.0, 0.5), (-4.0, 100.0)] {
            let (near, root) = (1.0, f64::sqrt(time));
            let expected = tail((near - drift * time) / root)
                + (2.0 * drift * near).exp() * tail((near + drift * time) / root);
            let got = reaches(near, 1e3, drift, 1.0, time);
            assert!((got - expected).abs() < 1e-12, "{drift} {time}: {got} {expected}");
        }
    }

    /// Whatever was decided, the interval leaves out what the test rejects.
    #[test]
    fn the_interval_agrees_with_the_verdict() {
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
            let estimate = StagewiseEstimate::of(&plan, &counts).expect("decided");
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
        let plan = SprtPlan::new(logistic, 0.05, 0.05, 10_000).expect("sane plan");
        assert_eq!(StagewiseEstimate::of(&plan, &Pentanomial::new([1, 0, 3, 0, 2])), None);
    }
}
