//! Why a match cannot be narrated.

use leyden_model::NoPosition;
use leyden_protocol::{Seat, Seats};
use leyden_rules::InvalidRules;

/// Why a match cannot be narrated.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    #[error("match {id} has no round {round}: it has {}", if *.rounds == 0 { "none".to_owned() } else { format!("rounds 0 to {}", .rounds - 1) })]
    NoRound { id: String, round: u32, rounds: u32 },
    #[error("match {id} has no seat {seat}: it has seats 0 to {}", .seats.count() - 1)]
    NoSeat { id: String, seat: Seat, seats: Seats },
    #[error("match {id}: {source}")]
    NoPosition { id: String, source: NoPosition },
    #[error("match {id} cannot be replayed: {0}", id = .1)]
    Rules(InvalidRules, String),
    #[error(
        "match {id} cannot be replayed beyond rounds[{round}], actions[{action}]; `leyden verify` says why"
    )]
    Unplayable { id: String, round: usize, action: usize },
}
