//! A match or a round told for a reader at a terminal: who did what, the layout drawn in text, the hands, what went wrong.
//!
//! The account walks the events of the match as an audience may see them: seen from one seat it holds nothing that this
//! seat could not know at the time.

mod account;
pub mod layout;
mod moment;

use leyden_model::projection::{Audience, Projection};
use leyden_model::{MatchRecord, NoPosition, Unplayable, replayed};
use leyden_protocol::{Seat, Seats};
use leyden_rules::Impossible;

use account::Account;
pub use moment::moment;

/// What of a match is told, and to whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Telling {
    /// Only this round, counted from 0 as in the record, with all its deals.
    pub round: Option<u32>,
    /// Only what this seat may know; everything if nothing.
    pub seat: Option<Seat>,
    /// Columns of the terminal.
    pub width: usize,
}

impl Default for Telling {
    fn default() -> Self {
        Self { round: None, seat: None, width: 80 }
    }
}

/// Why a match cannot be told.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    #[error("match {id} has no round {round}: it has {}", if *.rounds == 0 { "none".to_owned() } else { format!("rounds 0 to {}", .rounds - 1) })]
    NoRound { id: String, round: u32, rounds: u32 },
    #[error("match {id} has no seat {seat}: it has seats 0 to {}", .seats.count() - 1)]
    NoSeat { id: String, seat: Seat, seats: Seats },
    #[error("match {id}: {source}")]
    NoPosition { id: String, source: NoPosition },
    #[error("match {id} cannot be replayed: {0}", id = .1)]
    Rules(Impossible, String),
    #[error(
        "match {id} cannot be replayed beyond rounds[{round}], actions[{action}]; `leyden verify` says why"
    )]
    Unplayable { id: String, round: usize, action: usize },
}

/// The account of a match as a text.
pub fn tell(record: &MatchRecord, telling: Telling) -> Result<String, ReplayError> {
    let seats = record.bots.seats();
    if let Some(seat) = telling.seat.filter(|&seat| !seats.has(seat)) {
        return Err(ReplayError::NoSeat { id: record.id.clone(), seat, seats });
    }
    let rounds = record.rounds.last().map_or(0, |last| last.round + 1);
    if let Some(round) = telling.round.filter(|&round| round >= rounds) {
        return Err(ReplayError::NoRound { id: record.id.clone(), round, rounds });
    }
    let rules =
        record.rules.rules().map_err(|impossible| ReplayError::Rules(impossible, record.id.clone()))?;
    let broken =
        |Unplayable { round, action }| ReplayError::Unplayable { id: record.id.clone(), round, action };
    let mut projection = Projection::new(telling.seat.map_or(Audience::Organiser, Audience::Seat));
    let events = replayed(record).map_err(broken)?;
    let shown: Vec<_> = events.iter().filter_map(|event| projection.show(event)).collect();
    Ok(Account::of(record.header(), &shown, telling, rules))
}

#[cfg(test)]
mod tests;
