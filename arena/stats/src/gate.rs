//! "Is my new version stronger?": the sequential test. It takes pairs in any order and judges them in schedule order.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::adjusted_pairs::{AdjustedEstimate, AdjustedPairs};
use crate::anytime_interval::AnytimeEstimate;
use crate::pairing_result::{Margin, Score};
use crate::pentanomial::Pentanomial;
use crate::regression::LuckEstimates;
use crate::sprt::{SprtPlan, SprtState, Verdict};
use crate::stagewise_interval::StagewiseEstimate;

/// The result of one scheduled pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PairResult {
    /// Both legs are played. `mirrored`: their transcripts are the same with the seats exchanged. `luck`: the tested bot's,
    /// the mean of both legs; required by a plan that takes luck out.
    Played { score: Score, margin: Margin, mirrored: bool, luck: Option<LuckEstimates> },
    /// The host disturbed it: counted and shown, never judged.
    Voided,
}

/// Why a gate stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GateEnd {
    /// The ratio reached its upper bound.
    Accepted,
    /// The ratio reached its lower bound.
    Rejected,
    /// The maximum number of pairs was judged without a decision.
    MaxPairs,
    /// Each of the first pairs, as many as the plan says, was the same match twice with the seats exchanged. The bots may
    /// still differ elsewhere: [`GateReport::may_differ`].
    Mirror,
}

impl GateEnd {
    /// The verdict: only a bound decides.
    pub const fn verdict(self) -> Verdict {
        match self {
            Self::Accepted => Verdict::Accepted,
            Self::Rejected => Verdict::Rejected,
            Self::MaxPairs | Self::Mirror => Verdict::Undecided,
        }
    }
}

/// Why a gate refuses a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GateError {
    #[error("pair {0} was recorded twice")]
    Twice(u32),
    #[error("pair {0}: a gate judges two-seat pairs of 2 matches, not of {1}")]
    NotAPair(u32, u32),
    #[error("pair {0} has no luck, but this gate takes luck out")]
    NoLuck(u32),
}

/// A running test. Pairs may arrive in any order; each waits until all before it are there, because judging in order of
/// completion would favour quick matches and spoil the error rates. Once stopped, it no longer changes.
///
/// ```
/// use leyden_stats::{Gate, GateEnd, Hypotheses, Margin, NormalisedElo, PairResult, Score, SprtPlan};
///
/// let hypotheses = Hypotheses::Normalised { h0: NormalisedElo::new(0.0), h1: NormalisedElo::new(60.0) };
/// let mut gate = Gate::new(SprtPlan::new(hypotheses, 0.05, 0.05, 1_000)?);
/// // The tested bot wins three pairs of four, and a match of each other one.
/// for block in 0.. {
///     let score = if block % 4 == 0 { Score::new(1, 0, 1) } else { Score::new(2, 0, 0) };
///     let margin = Margin { sum: 20, matches: 2 };
///     if gate.record(block, PairResult::Played { score, margin, mirrored: false, luck: None })?.is_some() {
///         break;
///     }
/// }
/// assert_eq!(gate.end(), Some(GateEnd::Accepted));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Gate {
    plan: SprtPlan,
    next: u32,
    waiting: BTreeMap<u32, PairResult>,
    counts: Pentanomial,
    adjusted: AdjustedPairs,
    mirrored: u64,
    voided: u64,
    margin: Margin,
    end: Option<GateEnd>,
}

impl Gate {
    /// Starts a test; the first pair is block 0.
    pub fn new(plan: SprtPlan) -> Self {
        let (counts, adjusted, margin) =
            (Pentanomial::default(), AdjustedPairs::default(), Margin::default());
        Self {
            plan,
            next: 0,
            waiting: BTreeMap::new(),
            counts,
            adjusted,
            mirrored: 0,
            voided: 0,
            margin,
            end: None,
        }
    }

    /// Records the pair of `block` and judges while the pairs are contiguous. Returns how the test ended, if it has.
    pub fn record(&mut self, block: u32, result: PairResult) -> Result<Option<GateEnd>, GateError> {
        if block < self.next || self.waiting.contains_key(&block) {
            return Err(GateError::Twice(block));
        }
        if let PairResult::Played { score, luck, .. } = result {
            if score.pair_points().is_none() {
                return Err(GateError::NotAPair(block, score.matches()));
            }
            if self.plan.luck().is_some() && luck.is_none() {
                return Err(GateError::NoLuck(block));
            }
        }
        self.waiting.insert(block, result);
        while self.end.is_none() {
            let Some(result) = self.waiting.remove(&self.next) else { break };
            self.next += 1;
            self.judge(result);
        }
        Ok(self.end)
    }

    fn judge(&mut self, result: PairResult) {
        let PairResult::Played { score, margin, mirrored, luck } = result else {
            self.voided += 1;
            return;
        };
        let Some(points) = score.pair_points() else { return };
        self.counts.record(points);
        self.adjusted.record(points, luck.unwrap_or_default());
        self.mirrored += u64::from(mirrored);
        self.margin.add(margin);
        let pairs = self.counts.pairs();
        self.end = match self.state().verdict {
            _ if pairs == self.plan.mirror_pairs() && self.mirrored == pairs => Some(GateEnd::Mirror),
            Verdict::Accepted => Some(GateEnd::Accepted),
            Verdict::Rejected => Some(GateEnd::Rejected),
            Verdict::Undecided if pairs >= self.plan.max_pairs() => Some(GateEnd::MaxPairs),
            Verdict::Undecided => None,
        };
    }

    /// How the test ended, if it has.
    pub const fn end(&self) -> Option<GateEnd> {
        self.end
    }

    /// The next block to judge; all before it are recorded.
    pub const fn next_block(&self) -> u32 {
        self.next
    }

    fn state(&self) -> SprtState {
        match self.plan.luck() {
            Some(_) => self.plan.judge_adjusted(&self.adjusted, self.counts.pairs()),
            None => self.plan.judge(&self.counts),
        }
    }

    /// The report so far.
    pub fn report(&self) -> GateReport {
        let (state, luck) = (self.state(), self.plan.luck());
        GateReport {
            verdict: self.end.map_or(Verdict::Undecided, GateEnd::verdict),
            end: self.end,
            pairs: self.counts.pairs(),
            voided_pairs: self.voided,
            mirrored_pairs: self.mirrored,
            counts: self.counts,
            state,
            plan: self.plan,
            mean_margin: self.margin.mean(),
            estimate: AnytimeEstimate::from_counts(&self.counts),
            adjusted: luck.and_then(|_| self.adjusted.estimate()),
            stagewise: self
                .end
                .filter(|end| luck.is_none() && *end != GateEnd::Mirror)
                .and_then(|_| StagewiseEstimate::new(&self.plan, &self.counts)),
            may_differ: (self.end == Some(GateEnd::Mirror)).then(|| largest_unseen_rate(self.mirrored)),
        }
    }
}

/// The report of `leyden gate`, while it runs and at the end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct GateReport {
    /// The verdict; exit codes 0 accepted, 1 rejected, 4 undecided.
    pub verdict: Verdict,
    /// Why the test stopped; `None` while it runs.
    pub end: Option<GateEnd>,
    /// Pairs judged.
    pub pairs: u64,
    /// Pairs that the host disturbed, among those judged.
    pub voided_pairs: u64,
    /// Judged pairs whose legs were the same match with the seats exchanged.
    pub mirrored_pairs: u64,
    /// `[LL, LD, WL+DD, WD, WW]` of the new version.
    pub counts: Pentanomial,
    /// The ratio and its bounds.
    pub state: SprtState,
    pub plan: SprtPlan,
    /// Game points by which the new version was ahead in a match without a fault.
    pub mean_margin: Option<f64>,
    /// Valid despite the optional stopping (betting confidence sequence).
    pub estimate: Option<AnytimeEstimate>,
    /// Without luck, for a test that takes it out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adjusted: Option<AdjustedEstimate>,
    /// For the plain test only, and in agreement with its verdict (stage-wise ordering); `None` until it accepts, rejects or reaches
    /// its maximum of pairs.
    pub stagewise: Option<StagewiseEstimate>,
    /// After a mirror: the share of deals in which the bots may still differ, 0..=1, at 95 %.
    pub may_differ: Option<f64>,
}

/// The largest rate of an event that did not occur in `tries` tries: at this rate that would happen in 5 of 100 runs.
pub fn largest_unseen_rate(tries: u64) -> f64 {
    -libm::expm1(libm::log(0.05) / tries.max(1) as f64)
}
