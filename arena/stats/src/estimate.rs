//! What one pairing's results say about it: after a number of pairs fixed beforehand, and after a test that
//! stopped when it liked.

use schemars::JsonSchema;
use serde::Serialize;

use crate::dist::t_two_sided;
use crate::pairing::PairingGain;
use crate::pentanomial::Pentanomial;
use crate::tally::PairingTally;
use crate::units::{ELO_PER_THETA, Elo, EloInterval, Interval, NormalisedElo};

/// The bar an organiser usually wants, in Elo.
pub(crate) const WANTED_BAR: f64 = 10.0;

/// `leyden match`: the first bot against the second over a number of blocks that was fixed beforehand. Every
/// interval is at 95 %.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MatchEstimate {
    pub blocks: u64,
    pub matches: u64,
    /// `[LL, LD, WL+DD, WD, WW]`, at two seats.
    pub counts: Option<Pentanomial>,
    /// Mean score of a match, 0..=1.
    pub score: f64,
    /// `None` below two blocks, as with every interval here.
    pub score_interval: Option<Interval>,
    pub elo: Option<Elo>,
    pub elo_interval: Option<EloInterval>,
    pub normalised_elo: Option<NormalisedElo>,
    pub normalised_elo_error95: Option<f64>,
    pub likelihood_of_superiority: Option<f64>,
    pub margin: Option<MarginEstimate>,
    pub pairing: Option<PairingGain>,
    /// Blocks to play on top of these until the Elo interval is about ±10 wide.
    pub more_blocks_for_ten_elo: Option<u64>,
}

impl MatchEstimate {
    /// `None` without blocks.
    pub fn of(tally: &PairingTally) -> Option<Self> {
        let score = tally.score()?;
        let score_interval = score_interval(tally, 0.05);
        let elo_interval = score_interval.map(EloInterval::of_scores);
        let counts = tally.pentanomial();
        Some(Self {
            blocks: tally.blocks(),
            matches: tally.blocks() * u64::from(tally.matches_per_block()),
            counts,
            score,
            score_interval,
            elo: Elo::from_score(score),
            elo_interval,
            normalised_elo: counts.and_then(|counts| counts.normalised_elo()),
            normalised_elo_error95: counts.and_then(|counts| counts.normalised_elo_error95()),
            likelihood_of_superiority: counts.and_then(|counts| counts.likelihood_of_superiority()),
            margin: MarginEstimate::of(tally),
            pairing: PairingGain::of(tally),
            more_blocks_for_ten_elo: more_blocks(tally),
        })
    }
}

/// A score interval that stays inside 0..=1 and never shrinks to nothing.
///
/// Wilson's interval with the effective number of matches of clustered data: Franco, Little, Louis and Slud,
/// "Comparative Study of Confidence Intervals for Proportions in Complex Sample Surveys" (2019). The variance of a
/// block's mean is taken with one match's worth of blocks added, half of it lost, half of it won throughout, so that a
/// run of equal results does not pass for certainty; the quantile is Student's t at blocks − 1. `tail` is what both tails hold
/// together. `None` below two blocks.
pub(crate) fn score_interval(tally: &PairingTally, tail: f64) -> Option<Interval> {
    let blocks = tally.blocks();
    (blocks >= 2).then(|| t_two_sided(tail, blocks - 1)).and_then(|t| score_interval_at(tally, t))
}

/// The same with the quantile at hand.
pub(crate) fn score_interval_at(tally: &PairingTally, t: f64) -> Option<Interval> {
    let score = tally.score().filter(|_| tally.blocks() >= 2)?;
    let effective = effective_matches(tally);
    let (square, centre) = (t * t / effective, score + t * t / (2.0 * effective));
    let half = t * (score * (1.0 - score) / effective + square / (4.0 * effective)).sqrt();
    // At a score of 0 or 1 that end is exact; rounding would leave it just inside.
    Some(Interval {
        low: if score <= 0.0 { 0.0 } else { ((centre - half) / (1.0 + square)).max(0.0) },
        high: if score >= 1.0 { 1.0 } else { ((centre + half) / (1.0 + square)).min(1.0) },
    })
}

/// How many independent matches would tell as much: p(1−p) over the variance of the mean.
fn effective_matches(tally: &PairingTally) -> f64 {
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
    let variance = squares / blocks - mean * mean;
    tally.blocks() as f64 * mean * (1.0 - mean) / variance
}

/// Blocks still to play until the Elo interval is about ±10: its width falls with the root of the blocks.
fn more_blocks(tally: &PairingTally) -> Option<u64> {
    let score = tally.score().filter(|score| *score > 0.0 && *score < 1.0 && tally.blocks() >= 2)?;
    let error = (score * (1.0 - score) / effective_matches(tally)).sqrt();
    more_blocks_for(ELO_PER_THETA * error / (score * (1.0 - score)), tally.blocks())
}

/// Blocks to add to `blocks` until t · `standard_error` (in Elo, of these blocks) falls to ±10. An extrapolation:
/// the error is taken to fall with the root of the blocks, the quantile with their number.
pub(crate) fn more_blocks_for(standard_error: f64, blocks: u64) -> Option<u64> {
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

/// Game points the first bot was ahead in a match without a fault.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MarginEstimate {
    pub mean: f64,
    /// 95 %, clustered by block; `None` below two blocks.
    pub interval: Option<Interval>,
    /// Matches without a fault: the ones that count here.
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
        let interval = (blocks >= 2).then(|| {
            let products = 2.0 * mean * sums.products as f64;
            let spread = sums.squares as f64 - products + mean * mean * sums.matches_squared as f64;
            let scale = blocks as f64 / (blocks - 1) as f64;
            let error = (scale * spread.max(0.0)).sqrt() / sums.matches as f64;
            let half = t_two_sided(0.05, blocks - 1) * error;
            Interval { low: mean - half, high: mean + half }
        });
        Some(Self { mean, interval, matches: sums.matches })
    }
}

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
/// interval. Fractions are mixed over a fixed grid, so the wealth is a function of the counts alone.
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

/// ln of the mean over stakes c of Π (1 − c + c·x/m) over pairs with score x.
fn log_wealth(counts: &Pentanomial, mean: f64) -> f64 {
    const STAKES: u32 = 18;
    let logs: [f64; STAKES as usize] = std::array::from_fn(|stake| {
        let c = 0.9 * libm::exp2(-0.5 * stake as f64);
        counts
            .counts()
            .iter()
            .zip([0.0, 0.25, 0.5, 0.75, 1.0])
            .fold(0.0, |sum, (count, x)| sum + *count as f64 * libm::log(1.0 - c + c * x / mean))
    });
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = logs.iter().map(|log| libm::exp(log - most)).sum();
    most + libm::log(sum / f64::from(STAKES))
}
