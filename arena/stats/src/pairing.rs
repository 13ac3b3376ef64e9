//! What duplicate deals gain: the correlation between the legs of a pair.

use schemars::JsonSchema;
use serde::Serialize;

use crate::minimum_blocks::FEWEST_FOR_SPREAD;
use crate::pairing_result::Score;
use crate::tally::PairingTally;
use crate::units::Interval;
use crate::validity::Holds;

/// The correlation ρ between two legs of one deal, and how many times fewer matches pairs need than single deals.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PairingGain {
    /// In −1/(k−1)..=1 with k legs: the more the deal decides who wins, the lower.
    pub rho: f64,
    /// 1 / (1 + (k−1) ρ): 1/(1+ρ) for pairs. `None` if every pair was even, because it is then infinite; use `gain_low`.
    pub gain: Option<f64>,
    /// 95 % interval of ρ by the jackknife over blocks.
    pub rho_interval: Interval,
    /// The lower end of the gain, transformed from that of ρ.
    pub gain_low: Option<f64>,
    /// The upper end; `None` if ρ may be at its minimum.
    pub gain_high: Option<f64>,
}

/// Sums over blocks of the half points h of a block and of the squares of its matches' half points.
#[derive(Clone, Copy)]
struct Sums {
    blocks: f64,
    points: f64,
    block_squares: f64,
    match_squares: f64,
}

impl Sums {
    fn add(&mut self, score: Score, weight: f64) {
        let points = f64::from(score.half_points());
        self.blocks += weight;
        self.points += weight * points;
        self.block_squares += weight * points * points;
        self.match_squares += weight * f64::from(score.squared_half_points());
    }

    /// ρ = (block variance / (k · match variance) − 1) / (k − 1), both in population form about the common mean; `None` if
    /// all matches had the same result.
    fn rho(self, legs: f64) -> Option<f64> {
        let matches = self.blocks * legs;
        let mean = self.points / matches;
        let of_match = self.match_squares / matches - mean * mean;
        let of_block = self.block_squares / self.blocks - (legs * mean) * (legs * mean);
        (of_match > 1e-12).then(|| (of_block / (legs * of_match) - 1.0) / (legs - 1.0) + 0.0)
    }
}

impl PairingGain {
    /// From one pairing's blocks; `None` below 20 of them, and if all legs had the same result.
    ///
    /// Jackknife: B. Efron, "The Jackknife, the Bootstrap and Other Resampling Plans" (1982), leaving out one block at a
    /// time; se² = (n−1)/n Σ (ρ₍ᵢ₎ − ρ̄)², half-width by Student's t at n−1 degrees of freedom at a planned end. Two imaginary blocks, one lost and one won
    /// throughout, count for half a block together, as in the score's interval, so that a run of equal blocks does not look
    /// certain.
    pub fn from_tally(tally: &PairingTally, holds: Holds) -> Option<Self> {
        if tally.blocks() < FEWEST_FOR_SPREAD {
            return None;
        }
        let legs = f64::from(tally.matches_per_block());
        let mut sums = Sums { blocks: 0.0, points: 0.0, block_squares: 0.0, match_squares: 0.0 };
        for (score, count) in tally.scores() {
            sums.add(*score, f64::from(*count));
        }
        let rho = (legs > 1.0 && sums.blocks > 0.0).then(|| sums.rho(legs)).flatten()?;
        let least = -1.0 / (legs - 1.0);
        let gain_at = |rho: f64| {
            let rest = 1.0 + (legs - 1.0) * rho;
            (rest > 1e-12).then(|| 1.0 / rest)
        };
        let half = holds.quantile(0.05, tally.blocks())? * jackknife_error(tally, sums)?;
        let rho_interval =
            Interval { low: (rho - half).clamp(least, 1.0), high: (rho + half).clamp(least, 1.0) };
        let (gain_low, gain_high) = (gain_at(rho_interval.high), gain_at(rho_interval.low));
        Some(Self { rho, gain: gain_at(rho), rho_interval, gain_low, gain_high })
    }
}

fn jackknife_error(tally: &PairingTally, mut all: Sums) -> Option<f64> {
    let legs = tally.matches_per_block();
    let added = 1.0 / f64::from(legs);
    let unseen = [Score::new(legs, 0, 0), Score::new(0, 0, legs)].map(|score| (score, added / 2.0));
    let seen = tally.scores().iter().map(|(score, count)| (*score, f64::from(*count)));
    let blocks: Vec<(Score, f64)> = seen.chain(unseen).collect();
    for (score, weight) in unseen {
        all.add(score, weight);
    }
    let rho = all.rho(f64::from(legs))?;
    let mut spread = 0.0;
    for (score, weight) in blocks {
        // Of half a block only half can be left out.
        let part = weight.min(1.0);
        let mut rest = all;
        rest.add(score, -part);
        let change = (rest.rho(f64::from(legs))? - rho) / part;
        spread += weight * change * change;
    }
    let n = all.blocks;
    Some((spread * (n - 1.0) / n).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairing_result::Margin;

    fn gain(scores: &[(Score, u32)]) -> Option<PairingGain> {
        let mut tally = PairingTally::new(2);
        for (score, count) in scores {
            for _ in 0..*count {
                tally.record(*score, Margin::default()).expect("two matches");
            }
        }
        PairingGain::from_tally(&tally, Holds::AtPlannedEnd)
    }

    #[test]
    fn splits_alone_do_not_look_certain() {
        let mut ends = Vec::new();
        for blocks in [20, 200] {
            let gain = gain(&[(Score::new(1, 0, 1), blocks)]).expect("legs differ");
            assert!((gain.rho + 1.0).abs() < 1e-12);
            assert_eq!((gain.gain, gain.gain_high), (None, None));
            assert!(gain.rho_interval.low <= -1.0 && gain.rho_interval.high > -1.0, "{gain:?}");
            ends.push(gain.rho_interval.high);
        }
        assert!(ends[0] > -0.9 && ends[1] < ends[0], "{ends:?}");
    }

    #[test]
    fn below_twenty_blocks_there_is_no_correlation() {
        let of = |blocks| gain(&[(Score::new(1, 0, 1), blocks), (Score::new(2, 0, 0), 5)]);
        assert_eq!(of(14), None);
        assert!(of(15).is_some());
    }

    #[test]
    fn double_draws_are_not_splits() {
        assert_eq!(gain(&[(Score::new(0, 2, 0), 30)]), None);
        assert_eq!(gain(&[(Score::new(2, 0, 0), 30)]), None);
    }

    /// Worked out on paper: 25 WW, 25 LL, 50 split. Match variance 1/4, pair-sum variance 1/2: ρ = 0.
    #[test]
    fn independent_legs_gain_nothing() {
        let gain = gain(&[(Score::new(2, 0, 0), 25), (Score::new(0, 0, 2), 25), (Score::new(1, 0, 1), 50)])
            .expect("legs differ");
        assert!(gain.rho.abs() < 1e-12 && (gain.gain.expect("finite") - 1.0).abs() < 1e-12);
        let interval = gain.rho_interval;
        // The correlation of 100 independent pairs has a standard error of about 1/10.
        assert!((interval.high - 0.2).abs() < 0.01 && (interval.low + 0.2).abs() < 0.01, "{interval:?}");
    }
}
