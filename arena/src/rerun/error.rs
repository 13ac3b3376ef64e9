//! Why a match cannot be replayed.

use std::io;

use leyden_model::{PositionError, UnplayableError};
use leyden_protocol::{Seat, Seats};
use leyden_referee::OverloadError;
use leyden_rules::RulesError;

/// Why a match cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum RerunError {
    #[error("match {id} has no seat {seat}: it has seats 0 to {}", .seats.count() - 1)]
    NoSeat { id: String, seat: Seat, seats: Seats },
    #[error("match {id} cannot be played again: {source}")]
    Rules { id: String, source: RulesError },
    #[error("match {id} cannot be played again: {source}; run `leyden verify` for details")]
    Unplayable { id: String, source: UnplayableError },
    #[error(
        "match {id} cannot be played again: the deck of rounds[{round}] does not follow from its seed; run `leyden verify` for details"
    )]
    Deck { id: String, round: usize },
    #[error("match {id}: {source}")]
    NoPosition { id: String, source: PositionError },
    #[error("the bot at seat {seat} was not asked at {turn_ref} of match {id}: {why}")]
    NotAsked { id: String, seat: Seat, turn_ref: leyden_model::TurnRef, why: String },
    /// The record contradicts itself: replaying it leads to a question without an answer.
    #[error("match {id} cannot be played again: {why}; run `leyden verify` for details")]
    Contradiction { id: String, why: String },
    /// Only a busy host let a time limit pass.
    #[error("{0}: try again when the machine has less to do")]
    Busy(OverloadError),
    /// A failure of the arena or the operating system.
    #[error(transparent)]
    Host(#[from] io::Error),
}
