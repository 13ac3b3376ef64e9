//! Why a match cannot be narrated.

use leyden_model::words::counted;
use leyden_model::{MatchRecord, PositionError, RULES_EDITION};
use leyden_protocol::{Seat, Seats};
use leyden_rules::{Rules, RulesError};

/// Why a match cannot be narrated.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    #[error("match {id} has no round {}: it has {}", .round + 1, counted(*.rounds, "round", "rounds"))]
    /// `round` is counted from 0, as in the record.
    NoRound { id: String, round: u32, rounds: u32 },
    #[error("match {id} has no seat {seat}: it has seats 0 to {}", .seats.count() - 1)]
    NoSeat { id: String, seat: Seat, seats: Seats },
    #[error("match {id}: {source}")]
    NoPosition { id: String, source: PositionError },
    #[error(
        "match {id} was played by edition {edition} of the rules, and this leyden plays edition {RULES_EDITION}: replay it with \
         the leyden that played it"
    )]
    Edition { id: String, edition: u32 },
    #[error("match {id} cannot be replayed: {0}", id = .1)]
    Rules(RulesError, String),
    #[error(
        "match {id} cannot be replayed beyond rounds[{round}], actions[{action}]; `leyden verify` says why"
    )]
    Unplayable { id: String, round: usize, action: usize },
}

/// The rules of a record, if this program can replay it.
pub fn rules_of(record: &MatchRecord) -> Result<Rules, ReplayError> {
    if record.rules_edition != RULES_EDITION {
        return Err(ReplayError::Edition { id: record.id.clone(), edition: record.rules_edition });
    }
    record.rules.rules().map_err(|impossible| ReplayError::Rules(impossible, record.id.clone()))
}
