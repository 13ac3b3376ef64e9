//! What the lines of a deal have in common as one seat was sent them, so that nothing is written twice.

use leyden_protocol::{DealText, HistoryEntry, RoundEnd, Seat, Turn};

/// The text up to the last line with a history, extended from line to line.
pub(super) struct SentDeal {
    text: DealText,
    seat: Seat,
    /// The deal it belongs to: round and redeal.
    deal: Option<(u32, u32)>,
    entries: usize,
}

impl SentDeal {
    pub(super) fn new() -> Self {
        Self { text: DealText::seen_by(Seat::FIRST), seat: Seat::FIRST, deal: None, entries: 0 }
    }

    /// Clears it: another match begins, in which the bot has this seat.
    pub(super) fn begin(&mut self, seat: Seat) {
        (self.seat, self.deal) = (seat, None);
    }

    /// Returns the text for this turn, which continues that for the last turn of the same deal.
    pub(super) fn up_to(&mut self, turn: &Turn<'_>) -> &mut DealText {
        if self.seat != turn.seat {
            self.begin(turn.seat);
        }
        self.extend((turn.round, turn.redeal), &turn.history)
    }

    /// Returns the text of a deal that is over.
    pub(super) fn up_to_end(&mut self, end: &RoundEnd<'_>) -> &DealText {
        self.extend((end.round, end.redeal), &end.history)
    }

    fn extend(&mut self, deal: (u32, u32), history: &[HistoryEntry]) -> &mut DealText {
        if self.deal != Some(deal) {
            self.text.begin(self.seat);
            (self.deal, self.entries) = (Some(deal), 0);
        }
        for &entry in history.iter().skip(self.entries) {
            self.text.push(entry);
        }
        self.entries = history.len();
        &mut self.text
    }
}
