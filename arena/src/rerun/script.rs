//! What every seat did in a recorded match, and players that repeat it.

use std::collections::VecDeque;
use std::io;
use std::time::Duration;

use leyden_model::event::MatchOver;
use leyden_model::{Deviation, MatchEvent, TurnCounter, TurnRef};
use leyden_protocol::{PerSeat, Seat, Seats, ToBot, Turn};
use leyden_referee::{Decision, DecisionError, DecisionResult, Fault, Player};

/// The answers of each seat, in order.
#[derive(Clone, Debug)]
pub(super) struct Script(PerSeat<VecDeque<ScriptLine>>);

/// One question and its answer.
#[derive(Clone, Debug)]
pub(super) struct ScriptLine {
    pub(super) turn_ref: TurnRef,
    pub(super) answered: DecisionResult,
}

impl Script {
    /// Builds the script from the events of a match.
    pub(super) fn from_events(events: &[MatchEvent], seats: Seats) -> Self {
        let mut all: PerSeat<VecDeque<ScriptLine>> = PerSeat::default_for(seats);
        let (mut counter, mut asked, mut struck) = (TurnCounter::default(), None, None);
        for event in events {
            match event {
                MatchEvent::Asked { seat, .. } => asked = Some(*seat),
                MatchEvent::Struck { code, took_us, .. } => {
                    let fault = Fault::new(*code, Deviation::NotRecorded, b"");
                    struck = Some(DecisionError::Fault(fault, Some(Duration::from_micros(*took_us))));
                }
                MatchEvent::Acted { entry, took_us, note } => {
                    if let Some(seat) = asked.take() {
                        let took = Duration::from_micros(took_us.unwrap_or_default());
                        let (action, note) = (entry.event.into(), note.clone());
                        let decided = Decision { action, note, took, charged: took, late: Duration::ZERO };
                        let answered = struck.take().map_or(Ok(decided), Err);
                        all[seat].push_back(ScriptLine { turn_ref: counter.next(), answered });
                    }
                }
                MatchEvent::Ended(over) => {
                    if let (Some(seat), Some(failed)) = (asked.take(), fault(over)) {
                        all[seat].push_back(ScriptLine { turn_ref: counter.next(), answered: Err(failed) });
                    }
                }
                _ => {}
            }
            counter.take(event);
        }
        Self(all)
    }

    pub(super) fn of_seat(&self, seat: Seat) -> VecDeque<ScriptLine> {
        self.0[seat].clone()
    }
}

/// Returns the fault that ended a match.
fn fault(over: &MatchOver) -> Option<DecisionError> {
    let fault = over.fault.as_ref()?;
    let took = over.took_us.map(Duration::from_micros);
    Some(DecisionError::Fault(Fault::recorded(fault.code, fault.details.clone()), took))
}

/// A record that ends before the match does.
#[derive(Debug, thiserror::Error)]
#[error("by the rules, it has more questions than its record has answers")]
pub(super) struct UnansweredError;

/// A seat that repeats what it did, without a look at the questions.
#[derive(Debug)]
pub(super) struct RecordedPlayer(VecDeque<ScriptLine>);

impl RecordedPlayer {
    pub(super) fn new(lines: VecDeque<ScriptLine>) -> Self {
        Self(lines)
    }

    /// Returns the recorded answer to the next question.
    pub(super) fn next(&mut self) -> io::Result<ScriptLine> {
        self.0.pop_front().ok_or_else(|| io::Error::other(UnansweredError))
    }
}

impl Player for RecordedPlayer {
    fn send(&mut self, _: &ToBot<'_>) {}

    async fn decide(&mut self, _: &Turn<'_>, _: Duration, _: &mut dyn FnMut()) -> io::Result<DecisionResult> {
        Ok(self.next()?.answered)
    }

    async fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
