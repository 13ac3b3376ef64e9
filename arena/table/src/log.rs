//! The decisions so far, so that a match can be replayed up to any of them.

use std::collections::VecDeque;
use std::sync::mpsc::Sender;
use std::time::Duration;

use leyden_model::MatchEvent;
use leyden_model::projection::Projection;
use leyden_protocol::{PerSeat, Seat, Seats};
use leyden_referee::Decision;

use super::messages::ToPerson;

/// The decisions of all seats, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Log(Vec<(Seat, Decision)>);

impl Log {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Drops the last decision of this seat and everything after it. Returns false if there is none.
    pub(super) fn step_back(&mut self, seat: Seat) -> bool {
        let last = self.0.iter().rposition(|(by, _)| *by == seat);
        if let Some(last) = last {
            self.0.truncate(last);
        }
        last.is_some()
    }

    /// Returns the decisions of each seat.
    pub(super) fn of_seats(&self, seats: Seats) -> PerSeat<VecDeque<Decision>> {
        let mut all: PerSeat<VecDeque<Decision>> = PerSeat::default_for(seats);
        for (seat, decision) in &self.0 {
            all[*seat].push_back(decision.clone());
        }
        all
    }
}

/// Follows a match: records its decisions, and passes on what the audience may see.
pub(super) struct LogWriter {
    projection: Projection,
    sender: Sender<ToPerson>,
    asked: Option<Seat>,
    pub(super) log: Log,
}

impl LogWriter {
    pub(super) fn new(projection: Projection, sender: Sender<ToPerson>) -> Self {
        Self { projection, sender, asked: None, log: Log::default() }
    }

    pub(super) fn take(&mut self, event: &MatchEvent) {
        match event {
            MatchEvent::Asked { seat, .. } => self.asked = Some(*seat),
            MatchEvent::Acted { entry, took_us, note } => {
                if let Some(seat) = self.asked.take() {
                    let took = Duration::from_micros(took_us.unwrap_or_default());
                    let (action, note) = (entry.event.into(), note.clone());
                    let decision = Decision { action, note, took, charged: took, late: Duration::ZERO };
                    self.log.0.push((seat, decision));
                }
            }
            _ => {}
        }
        if let Some(shown) = self.projection.show(event) {
            let _ = self.sender.send(ToPerson::Shown(shown)); // the receiver may be gone
        }
    }
}
