//! Estimates from one pairing's results, for a number of pairs that was fixed in advance.

use schemars::JsonSchema;
use serde::Serialize;

use crate::dist::{t_cdf, t_two_sided};
use crate::fewest::{FEWEST_FOR_SPREAD, FEWEST_TO_COMPARE};
use crate::pairing::PairingGain;
use crate::pentanomial::Pentanomial;
use crate::tally::PairingTally;
use crate::units::{ELO_PER_THETA, Elo, EloInterval, Interval, NormalisedElo};

/// The half-width that an organiser usually wants, in Elo.
const WANTED_BAR: f64 = 10.0;

/// The report of `leyden match`: the first bot against the second over a number of blocks that was fixed in advance. Every
/// interval is at 95 %. Below ten blocks everything except the score and its interval is `None` (the margin has no interval).
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MatchEstimate {
    pub blocks: u64,
    pub matches: u64,
    /// `[LL, LD, WL+DD, WD, WW]`, at two seats.
    pub counts: Option<Pentanomial>,
    /// Mean score of a match, in 0..=1.
    pub score: f64,
    /// `None` below two blocks, as with every interval here.
    pub score_interval: Option<Interval>,
    /// Also `None` at a score of 0 or 1.
    pub elo: Option<Elo>,
    pub elo_interval: Option<EloInterval>,
    /// `None` below 20 blocks, and if every pair had the same score.
    pub normalised_elo: Option<NormalisedElo>,
    pub normalised_elo_error95: Option<f64>,
    /// The probability that the first is stronger, 0..=1: Student's distribution function at blocks − 1 of the score minus ½
    /// in standard errors.
    pub likelihood_of_superiority: Option<f64>,
    pub margin: Option<MarginEstimate>,
    pub pairing: Option<PairingGain>,
    /// Additional blocks until the Elo interval is about ±10 wide; `None` below 20 blocks.
    pub more_blocks_for_ten_elo: Option<u64>,
}

impl MatchEstimate {
    /// `None` without blocks.
    pub fn of(tally: &PairingTally) -> Option<Self> {
        let score = tally.score()?;
        let score_interval = score_interval(tally, 0.05);
        let counts = tally.pentanomial();
        let compared = tally.blocks() >= FEWEST_TO_COMPARE;
        let spread = counts.filter(|_| tally.blocks() >= FEWEST_FOR_SPREAD);
        Some(Self {
            blocks: tally.blocks(),
            matches: tally.blocks() * u64::from(tally.matches_per_block()),
            counts,
            score,
            score_interval,
            elo: Elo::from_score(score).filter(|_| compared),
            elo_interval: score_interval.filter(|_| compared).map(EloInterval::of_scores),
            normalised_elo: spread.and_then(|counts| counts.normalised_elo()),
            normalised_elo_error95: spread.and_then(|counts| counts.normalised_elo_error95()),
            likelihood_of_superiority: compared.then(|| likelihood_of_superiority(tally, score)),
            margin: MarginEstimate::of(tally),
            pairing: PairingGain::of(tally),
            more_blocks_for_ten_elo: more_blocks(tally),
        })
    }
}

/// A score interval that stays within 0..=1 and never shrinks to nothing.
///
/// Wilson's interval with the effective number of matches of clustered data: Franco, Little, Louis and Slud, "Comparative
/// Study of Confidence Intervals for Proportions in Complex Sample Surveys" (2019). The variance of a block's mean includes
/// one extra match's worth of blocks, half of it lost and half of it won throughout, so that a run of equal results does not
/// look certain; the quantile is Student's t at blocks − 1. `tail` is the probability of both tails together. `None` below
/// two blocks.
pub(crate) fn score_interval(tally: &PairingTally, tail: f64) -> Option<Interval> {
    let blocks = tally.blocks();
    (blocks >= 2).then(|| t_two_sided(tail, blocks - 1)).and_then(|t| score_interval_at(tally, t))
}

/// The same, given the quantile.
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

/// P(T <= (score − ½) / se), with the variance of the score's interval and Student's t at blocks − 1.
fn likelihood_of_superiority(tally: &PairingTally, score: f64) -> f64 {
    let (_, variance) = block_moments(tally);
    let error = (variance / tally.blocks() as f64).sqrt();
    t_cdf((score - 0.5) / error, tally.blocks() - 1)
}

/// The number of independent matches that would be as informative: p(1−p) over the variance of the mean.
fn effective_matches(tally: &PairingTally) -> f64 {
    let (mean, variance) = block_moments(tally);
    tally.blocks() as f64 * mean * (1.0 - mean) / variance
}

/// Mean and variance of a block's mean score, with one match's worth of blocks added, which keeps the mean off 0 and 1 and
/// the variance off 0.
fn block_moments(tally: &PairingTally) -> (f64, f64) {
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

/// Additional blocks until the Elo interval is about ±10: its width falls with the square root of the blocks.
fn more_blocks(tally: &PairingTally) -> Option<u64> {
    let score = tally.score().filter(|score| *score > 0.0 && *score < 1.0)?;
    let error = (score * (1.0 - score) / effective_matches(tally)).sqrt();
    more_blocks_for(ELO_PER_THETA * error / (score * (1.0 - score)), tally.blocks())
}

/// Blocks to add to `blocks` until t · `standard_error` (in Elo, of these blocks) falls to ±10. An extrapolation: the error
/// is assumed to fall with the square root of the blocks, the quantile with their number. `None` below 20 blocks, where the
/// error is too uncertain.
pub(crate) fn more_blocks_for(standard_error: f64, blocks: u64) -> Option<u64> {
    if blocks < FEWEST_FOR_SPREAD {
        return None;
    }
    let needed = |t: f64| blocks as f64 * (t * standard_error / WANTED_BAR).powi(2);
    let mut wanted = needed(crate::dist::Z_95);
    for _ in 0..3 {
        if !wanted.is_finite() || wanted > 1e15 {
            return None;
        }
        wanted = needed(t_two_sided(0.05, (wanted.ceil() as u64).max(2) - 1));
    }
    Some((wanted.ceil() as u64).saturating_sub(blocks))
}

/// Game points by which the first bot was ahead in a match without a fault.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MarginEstimate {
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
    pub fn of(tally: &PairingTally) -> Option<Self> {
        let mean = tally.mean_margin()?;
        let (sums, blocks) = (tally.margin, tally.blocks());
        let interval = (blocks >= FEWEST_TO_COMPARE).then(|| {
            let products = 2.0 * mean * sums.products as f64;
            let spread = sums.squares as f64 - products + mean * mean * sums.matches_squared as f64;
            let scale = blocks as f64 / (blocks - 1) as f64;
            let error = (scale * spread.max(0.0)).sqrt() / sums.matches as f64;
            let half = t_two_sided(0.05, blocks - 1) * error;
            (half > 1e-9).then_some(Interval { low: mean - half, high: mean + half })
        });
        Some(Self { mean, interval: interval.flatten(), matches: sums.matches })
    }
}
