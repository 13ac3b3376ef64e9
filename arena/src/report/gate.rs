//! What a gate came to, as it is told.

use leyden_model::RecordRules;
use leyden_protocol::{FaultCode, Seat, WinningScore};
use leyden_stats::{GateReport, SprtState, Verdict};
use schemars::JsonSchema;
use serde::Serialize;

use super::faults::{FaultKind, FaultSeen, Faults};
use super::versus::Side;
use crate::check::CheckReport;

/// What a gate came to. Only judged pairs are in it: the ones up to the decision, in schedule order. The same records give
/// the same document, thinking times (`_us`) apart.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(title = "What a gate came to")]
pub struct GateDocument {
    /// The version of this form: 1.
    pub v: u32,
    /// The tournament's id: the first 16 hex digits of its seed commitment.
    pub tournament: String,
    /// SHA-256 of the seed.
    pub commitment: String,
    /// The seed's text, from which every deal follows; `null` while the gate can still be resumed.
    pub seed: Option<String>,
    pub rules: RecordRules,
    /// Which direction of score is good.
    pub better: WinningScore,
    /// What it came to, faults of the new version included.
    pub answer: GateAnswer,
    /// How many matches the new version may lose by faults; null: as many as it likes.
    pub max_faults: Option<u64>,
    /// The verdict, the ratio between its bounds, and two intervals: one that agrees with the verdict, and one that would
    /// hold whenever the test had stopped.
    pub test: GateReport,
    /// Whether both are the same bot, file for file: then a pair without a fault decides it, and `test` has no end.
    pub same_bots: bool,
    /// Why it was broken off, if it was.
    pub broken_off: Option<BrokenOff>,
    /// The new version, then the old one, over the judged matches.
    pub bots: [GateSide; 2],
    /// What the new version's cases came to, if it has any. If one of them failed, nothing was played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cases: Option<CheckReport>,
    /// Cases that the old version has in its folder and the new one has not, by their names.
    pub missing_cases: Vec<String>,
}

impl GateDocument {
    /// The same with what the new version's cases came to, and with those that the old one has besides. Where one fails, that is the
    /// answer, and nothing is played.
    #[must_use]
    pub fn with_cases(self, cases: Option<CheckReport>, missing_cases: Vec<String>) -> Self {
        let fails = cases.as_ref().is_some_and(|cases| !cases.passed);
        let answer = if fails { GateAnswer::CaseFailed } else { self.answer };
        Self { answer, cases, missing_cases, ..self }
    }

    /// The same of a gate that was broken off: whose time is up, that is undecided. One that is over is that.
    #[must_use]
    pub fn broken_off(self, why: Option<BrokenOff>) -> Self {
        match why {
            Some(_) if self.answer != GateAnswer::Unfinished => self,
            Some(BrokenOff::MaxTime) => Self { answer: GateAnswer::Undecided, broken_off: why, ..self },
            _ => Self { broken_off: why, ..self },
        }
    }

    /// What both won and lost.
    pub fn sides(&self) -> [&Side; 2] {
        self.bots.each_ref().map(|bot| &bot.side)
    }
}

/// Why a gate was broken off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BrokenOff {
    /// Its time was up.
    MaxTime,
    /// Somebody ended it.
    Interrupted,
}

/// One of the two versions.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct GateSide {
    #[serde(flatten)]
    pub side: Side,
    /// Its faults by their kinds: of each the first in the schedule, three at most. `results` counts them all.
    pub faults: Vec<GateFault>,
}

/// A match that was lost by a fault.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct GateFault {
    /// The match's id.
    #[serde(rename = "match")]
    pub id: String,
    pub seat: Seat,
    /// The question that it was the answer to, as `leyden replay --turn` takes it; null if nothing was dealt.
    pub turn: Option<String>,
    pub kind: FaultCode,
    /// What the author is told.
    pub message: String,
}

impl GateSide {
    pub(super) fn of(side: Side, faults: &Faults) -> Self {
        let of_kind = |(kind, code): (&FaultKind, FaultCode)| -> Vec<GateFault> {
            let fault = |seen: &FaultSeen| GateFault {
                id: seen.id.clone(),
                seat: seen.seat,
                turn: seen.place.map(|place| place.to_string()),
                kind: code,
                message: seen.message.clone(),
            };
            kind.first.values().map(fault).collect()
        };
        let own = faults.iter().filter(|(name, ..)| *name == side.name);
        let faults = own.flat_map(|(_, code, kind)| of_kind((kind, code))).collect();
        Self { side, faults }
    }
}

/// The answer of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GateAnswer {
    /// The new version is as it was asked to be. To a test against a loss of strength that is also one that plays alike.
    Accepted,
    /// It is not.
    Rejected,
    /// It lost more matches by faults than it may.
    Faulted,
    /// A case in its folder fails, so that nothing was played.
    CaseFailed,
    /// It would have been accepted, but for no more than this: the old version lost most of the matches by faults. `test` counts
    /// what was played and decides nothing then: its `verdict` is `undecided`, its `end` null.
    NoOpponent,
    /// The most pairs were judged, both bots play alike or are the same, or the time was up, and nothing is decided.
    Undecided,
    /// Pairs are still to be played.
    Unfinished,
}

/// The test of a gate that faults have answered: it has no verdict of its own, and nothing is estimated from such pairs.
pub(super) fn as_answered(report: &GateReport, answer: GateAnswer) -> GateReport {
    if !matches!(answer, GateAnswer::Faulted | GateAnswer::NoOpponent) {
        return *report;
    }
    let (verdict, state) = (Verdict::Undecided, SprtState { verdict: Verdict::Undecided, ..report.state });
    let estimate = report.estimate.filter(|_| answer == GateAnswer::Faulted);
    GateReport {
        verdict,
        end: None,
        state,
        estimate,
        adjusted: None,
        stagewise: None,
        may_differ: None,
        ..*report
    }
}
