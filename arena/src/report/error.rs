//! Why there is no report, or no gate report.

use leyden_luck::{LUCK_VERSION, LuckReplayError, PLAYOUTS, UnsupportedRulesError};
use leyden_rules::RulesError;
use leyden_stats::{FieldError, FitError, GateError, LuckTerms, TallyError};

use crate::record::store::StoreError;

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("there is no match to make standings from")]
    NoMatch,
    #[error("the records are of more than one tournament: rate each by itself")]
    SeveralTournaments,
    #[error(transparent)]
    Rules(#[from] RulesError),
    #[error(transparent)]
    NotJudged(#[from] PairLuckError),
    /// The records of an export cannot be of one tournament.
    #[error(transparent)]
    Contradiction(TallyError),
    /// The records of an export seat bots as no tournament does.
    #[error("the records cannot be from one tournament: {0}")]
    NoTable(FieldError),
    /// The format that an export names cannot be played.
    #[error("the export names a format that cannot be played: {0}")]
    NoCompetition(String),
    /// A defect of the arena.
    #[error(transparent)]
    Defect(#[from] ImpossibleRecordsError),
}

/// Something that cannot happen with matches that the arena has played and stored itself.
#[derive(Debug, thiserror::Error)]
pub enum ImpossibleRecordsError {
    #[error(transparent)]
    Tally(#[from] TallyError),
    #[error(transparent)]
    Field(#[from] FieldError),
    #[error("two bots meet more often in a block than can be counted")]
    TooManyMeetings,
    #[error(transparent)]
    Fit(#[from] FitError),
    #[error(transparent)]
    Gate(#[from] GateRecordError),
}

/// A match that cannot belong to a gate.
#[derive(Debug, thiserror::Error)]
pub enum GateRecordError {
    #[error(transparent)]
    Gate(#[from] GateError),
    #[error("match {id}: {why}; `leyden verify` says more")]
    Luck { id: String, why: LuckReplayError },
}

/// Why a gate cannot take luck out.
#[derive(Debug, thiserror::Error)]
pub enum PairLuckError {
    #[error("this gate cannot take luck out: {0}; play it without --luck")]
    NotKnown(#[from] UnsupportedRulesError),
    #[error(
        "this gate takes luck out by version {} with {} playouts, and this leyden by version {} with {}: resume it with the leyden \
         that started it",
        .0.version, .0.playouts, LUCK_VERSION, PLAYOUTS
    )]
    OtherVersion(LuckTerms),
}
