//! What the same number of other pairs would have scored: for a grade, which another seed would have given differently.
//!
//! An interval of the mean holds the bot's true score. Another mean of as many pairs also has its own chance, so the variance
//! of the difference of the two is twice that of one: the interval for it is √2 times as wide.

use crate::dist::{t_cdf, t_two_sided};
use crate::estimate::block_moments;
use crate::tally::PairingTally;
use crate::units::Interval;

/// The score of a pairing, as a forecast for the same number of other pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Repeat {
    score: f64,
    /// The standard error of the difference to another such score.
    error: f64,
    pairs: u64,
}

impl Repeat {
    /// Of the score as played; `None` below two blocks.
    pub fn from_tally(tally: &PairingTally) -> Option<Self> {
        let (pairs, (_, variance)) = (tally.blocks(), block_moments(tally));
        let score = tally.score().filter(|_| pairs >= 2)?;
        Some(Self { score, error: (2.0 * variance / pairs as f64).sqrt(), pairs })
    }

    /// Of a mean over at least two pairs with this standard error, such as the score without luck.
    pub fn from_mean(score: f64, standard_error: f64, pairs: u64) -> Option<Self> {
        let error = std::f64::consts::SQRT_2 * standard_error;
        (pairs >= 2 && error > 0.0).then_some(Self { score, error, pairs })
    }

    /// The score that is given out, in 0..=1.
    pub fn score(&self) -> f64 {
        self.score.clamp(0.0, 1.0)
    }

    /// The score of as many other pairs lies between these with 95 %; within 0..=1.
    pub fn interval(&self) -> Interval {
        let half = t_two_sided(0.05, self.pairs - 1) * self.error;
        Interval { low: (self.score - half).clamp(0.0, 1.0), high: (self.score + half).clamp(0.0, 1.0) }
    }

    /// The probability that the score of as many other pairs is `score` or less, with everything below 0 at 0 and above 1 at 1.
    pub fn at_most(&self, score: f64) -> f64 {
        match score {
            _ if score < 0.0 => 0.0,
            _ if score >= 1.0 => 1.0,
            _ => t_cdf((score - self.score) / self.error, self.pairs - 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairing_result::{Margin, Score};

    #[test]
    fn another_time_is_less_certain_than_the_mean() {
        let mut tally = PairingTally::new(2);
        for block in 0..100 {
            tally.record(Score::new(block % 3, 0, 2 - block % 3), Margin::default()).expect("two matches");
        }
        let repeat = Repeat::from_tally(&tally).expect("two blocks");
        let Interval { low, high } = repeat.interval();
        // A pair's score has the variance 1/6: 1.984 · √(2/600) = 0.1146, and a little for what was not seen.
        assert!(((high - low) / 2.0 - 0.1146).abs() < 0.001, "{low} {high}");
        assert!((repeat.at_most(high) - 0.975).abs() < 1e-9 && (repeat.at_most(low) - 0.025).abs() < 1e-9);
        assert!(repeat.at_most(-0.1) < 1e-15 && repeat.at_most(1.0) > 1.0 - 1e-15);
    }
}
