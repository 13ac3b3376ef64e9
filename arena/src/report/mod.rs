//! Reports as values: what came of matches, from a results file, from an export, or while they are played.
//!
//! A document is the same for the same records, byte by byte, thinking times apart: these stand in fields that end in
//! `_us`. Nothing here is a text to be shown, and nothing here prints.

mod compared;
mod complete;
mod counts;
pub mod csv;
mod exported;
mod faults;
mod gate;
mod gathered;
mod later_legs;
pub mod luck;
mod machine;
mod matches;
mod off_turn;
mod pair_luck;
mod results;
mod standings;
mod trial;
mod verified;
mod versus;
mod workers;

use leyden_rules::Impossible;
use leyden_stats::{FieldError, FitError, TallyError};

pub use compared::{BotChange, Change, Compared, NotCompared, Stood};
pub use complete::{CompletePairs, Meeting};
pub use counts::{BlockCounts, MatchCounts, PairCounts};
pub use exported::Exported;
pub use faults::{FaultKind, FaultSeen, Faults, typed};
pub use gate::{BrokenOff, GateAnswer, GateDocument, GateFault, GateSide};
pub use gathered::{Gathered, Order};
pub use later_legs::LaterLegsLine;
pub use luck::{LuckPairing, LuckRating, LuckReport};
pub use machine::{BotLimits, LevelTried, MachineReport, Program};
pub use matches::{FaultLine, MatchLine, MatchList, MatchOrder, sort_matches};
pub use off_turn::{BotOffTurn, OffTurnSums};
pub use pair_luck::{LUCK_TERMS, NoPairLuck};
pub use results::BotResults;
pub use standings::{Anchor, BotStanding, Circle, NoAnchor, PairingLine, Rating, SMALL_FIELD, Standings};
pub use trial::{Trial, TrialError};
pub use verified::{Promised, Verified, Wrong};
pub use versus::{Side, Versus};
pub use workers::{WorkerLine, WorkerState, WorkersReport};

use crate::record::store::StoreError;

/// The version of the documents' form, their field `v`.
pub const REPORT_VERSION: u32 = 1;

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
    Rules(#[from] Impossible),
    #[error(transparent)]
    NotJudged(#[from] NoPairLuck),
    /// Records of an export that cannot be of one tournament.
    #[error(transparent)]
    Contradiction(TallyError),
    /// A record of an export that is of no table.
    #[error("the records are of no tournament: {0}")]
    NoTable(FieldError),
    /// A defect of the arena.
    #[error(transparent)]
    Defect(#[from] ReportDefect),
}

/// What cannot happen with matches that the arena has played and stored itself.
#[derive(Debug, thiserror::Error)]
pub enum ReportDefect {
    #[error(transparent)]
    Tally(#[from] TallyError),
    #[error(transparent)]
    Field(#[from] FieldError),
    #[error("two bots meet more often in a block than can be counted")]
    TooManyMeetings,
    #[error(transparent)]
    Fit(#[from] FitError),
    #[error(transparent)]
    Trial(#[from] TrialError),
}
