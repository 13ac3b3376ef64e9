//! Why a match cannot be played once more.

use std::io;

use leyden_model::{NoPosition, Unplayable};
use leyden_protocol::{Seat, Seats};
use leyden_referee::Overload;
use leyden_rules::InvalidRules;

/// Why a match cannot be played once more.
#[derive(Debug, thiserror::Error)]
pub enum RerunError {
    #[error("match {id} has no seat {seat}: it has seats 0 to {}", .seats.count() - 1)]
    NoSeat { id: String, seat: Seat, seats: Seats },
    #[error("match {id} cannot be played again: {source}")]
    Rules { id: String, source: InvalidRules },
    #[error("match {id} cannot be played again: {source}; `leyden verify` says more")]
    Unplayable { id: String, source: Unplayable },
    #[error(
        "match {id} cannot be played again: the deck of rounds[{round}] does not follow from its seed; `leyden verify` says more"
    )]
    Deck { id: String, round: usize },
    #[error("match {id}: {source}")]
    NoPosition { id: String, source: NoPosition },
    #[error("the bot at seat {seat} was not asked at {place} of match {id}: {why}")]
    NotAsked { id: String, seat: Seat, place: leyden_model::TurnRef, why: String },
    /// The record says two things at once: playing it comes to a question that it has no answer to.
    #[error("match {id} cannot be played again: {why}; `leyden verify` says more")]
    Contradiction { id: String, why: String },
    /// The host was to blame for a time that was up.
    #[error("{0}: try again when the machine has less to do")]
    Busy(Overload),
    /// The arena's or the system's own failure.
    #[error(transparent)]
    Host(#[from] io::Error),
}
