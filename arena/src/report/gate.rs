//! The result of a gate, as a document.

use leyden_model::{FaultDetails, RecordRules};
use leyden_protocol::{FaultCode, Seat, WinningScore};
use leyden_stats::{GateReport, SprtState, Verdict};
use schemars::JsonSchema;
use serde::Serialize;

use super::faults::{FaultKind, Faults, LocatedFault};
use super::versus::Side;
use crate::check::CheckReport;

/// The result of a gate. It covers only judged pairs: those up to the decision, in schedule order. The same records give the
/// same document, except for thinking times (`_us`).
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(title = "The result of a gate")]
pub struct GateDocument {
    /// The version of this format: 1.
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
    /// The answer, which takes faults of the new version into account.
    pub answer: GateAnswer,
    /// How many matches the new version may lose by faults; null for no limit.
    pub max_faults: Option<u64>,
    /// The verdict, the ratio between its bounds, and two intervals: one that agrees with the verdict, and one that holds
    /// whenever the test is stopped. Only the second if its time was limited.
    pub test: GateReport,
    /// Whether both are the same bot, file for file: then a pair without a fault decides the gate, and `test` has no end.
    pub same_bots: bool,
    /// Why it was cut short, if it was.
    pub interrupted: Option<GateStop>,
    /// The new version, then the old one, over the judged matches.
    pub bots: [GateSide; 2],
    /// The check of the new version's cases, if it has any. If one of them failed, nothing was played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cases: Option<CheckReport>,
    /// The names of the cases that the old version has in its folder and the new one lacks.
    pub missing_cases: Vec<String>,
}

impl GateDocument {
    /// Adds the check of the new version's cases, and those that only the old version has. If a case fails, that is the
    /// answer, and nothing is played.
    #[must_use]
    pub fn with_cases(self, cases: Option<CheckReport>, missing_cases: Vec<String>) -> Self {
        let fails = cases.as_ref().is_some_and(|cases| !cases.passed);
        let answer = if fails { GateAnswer::CaseFailed } else { self.answer };
        Self { answer, cases, missing_cases, ..self }
    }

    /// The same for a gate that was cut short: undecided if its time was up. A gate that is over keeps its answer.
    #[must_use]
    pub fn interrupted(self, why: Option<GateStop>) -> Self {
        match why {
            Some(_) if self.answer != GateAnswer::Unfinished => self,
            Some(GateStop::MaxTime) => Self { answer: GateAnswer::Undecided, interrupted: why, ..self },
            Some(GateStop::Interrupted) | None => Self { interrupted: why, ..self },
        }
    }

    /// The results of both bots.
    pub fn sides(&self) -> [&Side; 2] {
        self.bots.each_ref().map(|bot| &bot.side)
    }
}

/// Why a gate was cut short.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GateStop {
    /// Its time was up.
    MaxTime,
    /// It was interrupted.
    Interrupted,
}

/// One of the two versions.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct GateSide {
    #[serde(flatten)]
    pub side: Side,
    /// Its faults by kind: the first of each in schedule order, at most three. `results` counts them all.
    pub faults: Vec<GateFault>,
}

/// A match that was lost by a fault.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct GateFault {
    /// The match's id.
    #[serde(rename = "match")]
    pub id: String,
    pub seat: Seat,
    /// The question that was answered with it, as `leyden replay --turn` takes it; null if nothing was dealt.
    pub turn: Option<String>,
    pub kind: FaultCode,
    /// The message for the author.
    #[serde(rename = "message", serialize_with = "FaultDetails::as_text")]
    #[schemars(with = "String")]
    pub details: FaultDetails,
}

impl GateSide {
    pub(super) fn new(side: Side, faults: &Faults) -> Self {
        let of_kind = |(kind, code): (&FaultKind, FaultCode)| -> Vec<GateFault> {
            let fault = |seen: &LocatedFault| GateFault {
                id: seen.id.clone(),
                seat: seen.seat,
                turn: seen.turn_ref.map(|turn_ref| turn_ref.to_string()),
                kind: code,
                details: seen.details.clone(),
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
    /// The new version is as good as required. In a test for a loss of strength, so is one that plays the same.
    Accepted,
    /// It is not.
    Rejected,
    /// It lost more matches by faults than allowed.
    Faulted,
    /// A case in its folder fails, so nothing was played.
    CaseFailed,
    /// It would have been accepted, except that the old version lost most of the matches by faults. `test` counts what was
    /// played but decides nothing: its `verdict` is `undecided`, its `end` null.
    NoOpponent,
    /// Nothing is decided: the maximum number of pairs was judged, both bots play the same or are the same, or the time was
    /// up.
    Undecided,
    /// There are more pairs to play.
    Unfinished,
}

/// The test of a gate that faults have decided: it has no verdict of its own, and nothing is estimated from these pairs.
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
