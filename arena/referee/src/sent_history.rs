//! The history of a round as one seat was sent it, so that nothing is written twice.

use leyden_protocol::{HistoryText, Seat, Turn};

/// The text of the history up to the last turn, extended from turn to turn.
pub(super) struct SentHistory {
    text: HistoryText,
    /// The deal it belongs to: seat, round and redeal.
    deal: Option<(Seat, u32, u32)>,
    entries: usize,
}

impl SentHistory {
    pub(super) fn new() -> Self {
        Self { text: HistoryText::seen_by(Seat::FIRST), deal: None, entries: 0 }
    }

    /// Clears the history: another match begins.
    pub(super) fn clear(&mut self) {
        self.deal = None;
    }

    /// Returns the text of this turn's history, which continues that of the last turn of the same deal.
    pub(super) fn up_to(&mut self, turn: &Turn<'_>) -> &HistoryText {
        let deal = Some((turn.seat, turn.round, turn.redeal));
        if self.deal != deal {
            *self = Self { text: HistoryText::seen_by(turn.seat), deal, entries: 0 };
        }
        for &entry in turn.history.iter().skip(self.entries) {
            self.text.push(entry);
        }
        self.entries = turn.history.len();
        &self.text
    }
}
