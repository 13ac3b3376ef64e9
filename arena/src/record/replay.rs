//! A match or a round narrated for a terminal: who did what, the layout drawn in text, the hands, what went wrong.
//!
//! The narration follows the match events as an audience may see them: seen from one seat, it contains nothing that this seat
//! could not know at the time.

mod error;
pub mod layout;
mod moment;
mod narration;

use leyden_model::projection::{Audience, Projection};
use leyden_model::{MatchRecord, Unplayable, replayed};

pub use error::{ReplayError, rules_of};
pub use moment::moment;
use narration::Narration;
pub use narration::ReplayOptions;

/// The narration of a match as text.
pub fn tell(record: &MatchRecord, telling: ReplayOptions) -> Result<String, ReplayError> {
    let seats = record.bots.seats();
    if let Some(seat) = telling.seat.filter(|&seat| !seats.has(seat)) {
        return Err(ReplayError::NoSeat { id: record.id.clone(), seat, seats });
    }
    let rounds = record.rounds.last().map_or(0, |last| last.round + 1);
    if let Some(round) = telling.round.filter(|&round| round >= rounds) {
        return Err(ReplayError::NoRound { id: record.id.clone(), round, rounds });
    }
    let rules = rules_of(record)?;
    let broken =
        |Unplayable { round, action }| ReplayError::Unplayable { id: record.id.clone(), round, action };
    let mut projection = Projection::new(telling.seat.map_or(Audience::Organiser, Audience::Seat));
    let events = replayed(record).map_err(broken)?;
    let shown: Vec<_> = events.iter().filter_map(|event| projection.show(event)).collect();
    Ok(Narration::of(record.header(), &shown, telling, rules))
}

#[cfg(test)]
mod tests;
