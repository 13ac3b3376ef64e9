//! A bot's results in rounds.

use leyden_model::{MatchRecord, RecordedEnding};
use leyden_protocol::Seat;

/// Sums over the scored rounds of a bot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RoundSums {
    pub scored: u64,
    /// The number of rounds in which it laid its last tile.
    pub gone_out: u64,
    /// The pips that it held at their ends.
    pub pips: u64,
}

impl RoundSums {
    /// Adds the rounds of a match for one of its seats.
    pub fn add(&mut self, record: &MatchRecord, seat: Seat) {
        for round in &record.rounds {
            if !round.end.is_scored() {
                continue;
            }
            let is_last = round.actions.last().is_some_and(|last| last.seat == seat);
            self.scored += 1;
            self.gone_out += u64::from(is_last && round.end == RecordedEnding::Dominoed);
            self.pips += u64::from(round.pips[seat]);
        }
    }

    /// Returns the mean number of pips held at the end of a round.
    pub fn mean_pips(&self) -> Option<f64> {
        (self.scored > 0).then(|| self.pips as f64 / self.scored as f64)
    }

    /// Returns the share of rounds in which it laid its last tile, 0..=1.
    pub fn share_gone_out(&self) -> Option<f64> {
        (self.scored > 0).then(|| self.gone_out as f64 / self.scored as f64)
    }
}
