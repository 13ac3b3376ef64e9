//! The history of a round as one seat was sent it, so that nothing is written twice.

use leyden_protocol::{HistoryEntry, HistoryText, RoundEnd, Seat, Turn};

/// The text of the history up to the last line with one, extended from line to line.
pub(super) struct SentHistory {
    text: HistoryText,
    seat: Seat,
    /// The deal it belongs to: round and redeal.
    deal: Option<(u32, u32)>,
    entries: usize,
}

impl SentHistory {
    pub(super) fn new() -> Self {
        Self { text: HistoryText::seen_by(Seat::FIRST), seat: Seat::FIRST, deal: None, entries: 0 }
    }

    /// Clears the history: another match begins, in which the bot has this seat.
    pub(super) fn begin(&mut self, seat: Seat) {
        (self.seat, self.deal) = (seat, None);
    }

    /// Returns the text of this turn's history, which continues that of the last turn of the same deal.
    pub(super) fn up_to(&mut self, turn: &Turn<'_>) -> &HistoryText {
        if self.seat != turn.seat {
            self.begin(turn.seat);
        }
        self.extend((turn.round, turn.redeal), &turn.history)
    }

    /// Returns the text of the whole history of a deal that is over.
    pub(super) fn up_to_end(&mut self, end: &RoundEnd<'_>) -> &HistoryText {
        self.extend((end.round, end.redeal), &end.history)
    }

    fn extend(&mut self, deal: (u32, u32), history: &[HistoryEntry]) -> &HistoryText {
        if self.deal != Some(deal) {
            self.text.begin(self.seat);
            (self.deal, self.entries) = (Some(deal), 0);
        }
        for &entry in history.iter().skip(self.entries) {
            self.text.push(entry);
        }
        self.entries = history.len();
        &self.text
    }
}
