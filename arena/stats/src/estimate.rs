//! Estimates from one pairing's results.

use schemars::JsonSchema;
use serde::Serialize;

use crate::forecast::BlocksRange;
use crate::minimum_blocks::{FEWEST_FOR_SPREAD, FEWEST_TO_COMPARE};
use crate::pairing::PairingGain;
use crate::pentanomial::Pentanomial;
use crate::tally::PairingTally;
use crate::units::{ELO_PER_THETA, Elo, EloInterval, Interval, NormalisedElo};
use crate::validity::Holds;

/// The report of `leyden match`: the first bot against the second. Every interval is at 95 % and holds when `holds` says. Below
/// ten blocks everything except the score and its interval is `None` (the margin has no interval).
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MatchEstimate {
    /// Complete blocks.
    pub blocks: u64,
    pub matches: u64,
    /// When intervals and the p-value hold.
    pub holds: Holds,
    /// `[LL, LD, WL+DD, WD, WW]`, at two seats.
    pub counts: Option<Pentanomial>,
    /// Mean score of a match, in 0..=1.
    pub score: f64,
    /// `None` with too few blocks, as with every interval here.
    pub score_interval: Option<Interval>,
    /// Also `None` at a score of 0 or 1.
    pub elo: Option<Elo>,
    /// The score's interval on the Elo scale.
    pub elo_interval: Option<EloInterval>,
    /// `None` below 20 pairs that differ from the most frequent kind: the spread of versions that seldom differ is not known from
    /// fewer.
    pub normalised_elo: Option<NormalisedElo>,
    /// The 95 % interval is `normalised_elo` ± this.
    pub normalised_elo_error95: Option<f64>,
    /// The p-value of both being equally strong: if they were, a score so far from ½ either way would come with this probability,
    /// 0..=1. It is not the probability that they are.
    pub p_value: Option<f64>,
    pub margin: Option<MarginEstimate>,
    pub pairing: Option<PairingGain>,
    /// After how many blocks in all the Elo interval would be ±10; `None` below 20 blocks.
    pub blocks_for_ten_elo: Option<BlocksRange>,
}

impl MatchEstimate {
    /// `None` without blocks.
    ///
    /// ```
    /// use leyden_stats::{Holds, Margin, MatchEstimate, PairingTally, Score};
    ///
    /// let mut tally = PairingTally::new(2); // two matches a pair
    /// for pair in 0..40 {
    ///     let score = if pair % 2 == 0 { Score::new(2, 0, 0) } else { Score::new(1, 0, 1) };
    ///     tally.record(score, Margin { sum: 10, matches: 2 })?;
    /// }
    /// let estimate = MatchEstimate::from_tally(&tally, Holds::AtPlannedEnd).expect("pairs were played");
    /// assert_eq!(estimate.score, 0.75);
    /// assert!(estimate.score_interval.is_some_and(|interval| interval.low > 0.5));
    /// # Ok::<(), leyden_stats::TallyError>(())
    /// ```
    pub fn from_tally(tally: &PairingTally, holds: Holds) -> Option<Self> {
        let score = tally.score()?;
        let score_interval = holds.quantile(0.05, tally.blocks()).and_then(|t| score_interval_at(tally, t));
        let counts = tally.pentanomial();
        let compared = tally.blocks() >= FEWEST_TO_COMPARE;
        let spread = counts.filter(|counts| counts.unlike() >= FEWEST_FOR_SPREAD);
        Some(Self {
            blocks: tally.blocks(),
            matches: tally.blocks() * u64::from(tally.matches_per_block()),
            holds,
            counts,
            score,
            score_interval,
            elo: Elo::from_score(score).filter(|_| compared),
            elo_interval: score_interval.filter(|_| compared).map(EloInterval::from_scores),
            normalised_elo: spread.and_then(|counts| counts.normalised_elo()),
            normalised_elo_error95: spread.and_then(|counts| counts.normalised_elo_error95()),
            p_value: compared.then(|| p_value(tally, score, holds)).flatten(),
            margin: MarginEstimate::from_tally(tally, holds),
            pairing: PairingGain::from_tally(tally, holds),
            blocks_for_ten_elo: blocks_for_ten_elo(tally),
        })
    }
}

/// A score interval that stays within 0..=1 and never shrinks to nothing, `t` standard errors to each side. `None` below two
/// blocks.
///
/// Wilson's interval with the effective number of matches of clustered data: Franco, Little, Louis and Slud, "Comparative
/// Study of Confidence Intervals for Proportions in Complex Sample Surveys" (2019). The variance of a block's mean includes
/// one extra match's worth of blocks, half of it lost and half of it won throughout, so that a run of equal results does not
/// look certain.
pub(crate) fn score_interval_at(tally: &PairingTally, t: f64) -> Option<Interval> {
    let score = tally.score().filter(|_| tally.blocks() >= 2)?;
    let effective = effective_matches(tally);
    let (square, centre) = (t * t / effective, score + t * t / (2.0 * effective));
    let half = t * (score * (1.0 - score) / effective + square / (4.0 * effective)).sqrt();
    // At a score of 0 or 1 that end is exact; rounding would leave it slightly inside.
    Some(Interval {
        low: if score <= 0.0 { 0.0 } else { ((centre - half) / (1.0 + square)).max(0.0) },
        high: if score >= 1.0 { 1.0 } else { ((centre + half) / (1.0 + square)).min(1.0) },
    })
}

/// With the variance of the score's interval.
fn p_value(tally: &PairingTally, score: f64, holds: Holds) -> Option<f64> {
    let (_, variance) = block_moments(tally);
    let error = (variance / tally.blocks() as f64).sqrt();
    holds.p_value((score - 0.5) / error, tally.blocks())
}

/// The number of independent matches that would be as informative: p(1−p) over the variance of the mean.
fn effective_matches(tally: &PairingTally) -> f64 {
    let (mean, variance) = block_moments(tally);
    tally.blocks() as f64 * mean * (1.0 - mean) / variance
}

/// Mean and variance of a block's mean score, with one match's worth of blocks added, which keeps the mean off 0 and 1 and
/// the variance off 0.
pub(crate) fn block_moments(tally: &PairingTally) -> (f64, f64) {
    let most = f64::from(2 * tally.matches_per_block());
    let added = 1.0 / f64::from(tally.matches_per_block());
    let (mut blocks, mut sum, mut squares) = (added, added / 2.0, added / 2.0);
    for (score, count) in tally.scores() {
        let (mean, count) = (f64::from(score.half_points()) / most, f64::from(*count));
        blocks += count;
        sum += count * mean;
        squares += count * mean * mean;
    }
    let mean = sum / blocks;
    (mean, squares / blocks - mean * mean)
}

/// From the spread of blocks and the slope of Elo at their score.
fn blocks_for_ten_elo(tally: &PairingTally) -> Option<BlocksRange> {
    let score = tally.score().filter(|score| *score > 0.0 && *score < 1.0)?;
    let error = (score * (1.0 - score) / effective_matches(tally)).sqrt();
    BlocksRange::for_ten_elo(
        ELO_PER_THETA * error / (score * (1.0 - score)),
        influence(tally, score)?,
        tally.blocks(),
    )
}

/// The variance of one block's influence on ln(v/(p(1−p))²), the square of the error in Elo, with mean p and variance v of a
/// block's score: (x − p)²/v − 1 − 2(1 − 2p)(x − p)/(p(1 − p)). `None` if all blocks are equal.
fn influence(tally: &PairingTally, mean: f64) -> Option<f64> {
    let most = f64::from(2 * tally.matches_per_block());
    let blocks = || {
        tally
            .scores()
            .iter()
            .map(|(score, count)| (f64::from(score.half_points()) / most - mean, f64::from(*count)))
    };
    let all = tally.blocks() as f64;
    let variance = blocks().map(|(away, count)| count * away * away).sum::<f64>() / all;
    let slope = 2.0 * (1.0 - 2.0 * mean) / (mean * (1.0 - mean));
    let square = |(away, count): (f64, f64)| count * (away * away / variance - 1.0 - slope * away).powi(2);
    (variance > 0.0).then(|| blocks().map(square).sum::<f64>() / all)
}

/// Game points by which the first bot was ahead in a match without a fault.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MarginEstimate {
    /// Positive if the first bot is better, no matter which direction of score is good.
    pub mean: f64,
    /// 95 %, clustered by block; `None` below ten blocks, and while all blocks agree, because they have no spread yet.
    pub interval: Option<Interval>,
    /// Matches without a fault, which are the ones that count here.
    pub matches: u64,
}

impl MarginEstimate {
    /// `None` if every match ended by a fault.
    ///
    /// The mean is the ratio Σm / Σc over blocks (a block may have lost matches to faults), its variance the usual
    /// linearisation B/(B−1) Σ(m − c·mean)² / (Σc)²: W. G. Cochran, "Sampling Techniques" (1977), chapter 6.
    pub fn from_tally(tally: &PairingTally, holds: Holds) -> Option<Self> {
        let mean = tally.mean_margin()?;
        let (sums, blocks) = (tally.margin, tally.blocks());
        let interval = (blocks >= FEWEST_TO_COMPARE).then(|| {
            let products = 2.0 * mean * sums.products as f64;
            let spread = sums.squares as f64 - products + mean * mean * sums.matches_squared as f64;
            let scale = blocks as f64 / (blocks - 1) as f64;
            let error = (scale * spread.max(0.0)).sqrt() / sums.total.matches as f64;
            let half = holds.quantile(0.05, blocks)? * error;
            (half > 1e-9).then_some(Interval { low: mean - half, high: mean + half })
        });
        Some(Self { mean, interval: interval.flatten(), matches: sums.total.matches })
    }
}
