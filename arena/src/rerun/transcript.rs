//! The lines that a bot was sent in a recorded match.

use std::cell::Cell;
use std::io;
use std::time::Duration;

use leyden_model::{MatchEvent, TurnRef};
use leyden_protocol::{Seat, ToBot, Turn, push_line, push_turn};
use leyden_referee::{Answered, Player, hello};

use super::script::{Places, RecordedPlayer};
use super::{RecordedMatch, RerunError, at_once};

/// The lines, from `hello` to `match_end`, or to the question at a place: what the seat was sent before the action there
/// was done. They are the bytes that were sent, readings of the clock beyond what the record keeps apart: where a bank was
/// used, less of it may have been charged.
pub fn transcript(recorded: &RecordedMatch, seat: Seat, to: Option<TurnRef>) -> Result<String, RerunError> {
    recorded.seated(seat)?;
    if let Some(place) = to {
        let known = recorded.record().check_place(place);
        known.map_err(|source| RerunError::NoPosition { id: recorded.id(), source })?;
    }
    let mut out = Vec::new();
    push_line(&mut out, &ToBot::Hello(hello(&recorded.spec()?.rules, recorded.limits())));
    if !recorded.never_began() {
        let script = recorded.script()?;
        let ended = Cell::new(false);
        let mut places = Places::default();
        let mut listener = |event: &MatchEvent| {
            // Told before anybody hears of it.
            let here = places.next();
            if matches!(event, MatchEvent::Acted { .. }) && to == Some(here) {
                ended.set(true);
            }
            places.take(event);
        };
        let mut scribe =
            TranscriptWriter { reciter: RecordedPlayer::new(script.of_seat(seat)), out, to, ended: &ended };
        at_once(recorded.play(seat, &script, &mut scribe, Some(&mut listener)))??;
        out = scribe.out;
    }
    String::from_utf8(out).map_err(|error| RerunError::Host(io::Error::other(error)))
}

/// A seat that writes down what it is told and asked.
struct TranscriptWriter<'a> {
    reciter: RecordedPlayer,
    out: Vec<u8>,
    to: Option<TurnRef>,
    ended: &'a Cell<bool>,
}

impl Player for TranscriptWriter<'_> {
    fn tell(&mut self, message: &ToBot<'_>) {
        if !self.ended.get() {
            push_line(&mut self.out, message);
        }
    }

    async fn decide(&mut self, turn: &Turn<'_>, _: Duration, _: &mut dyn FnMut()) -> io::Result<Answered> {
        let line = self.reciter.next()?;
        if !self.ended.get() {
            push_turn(&mut self.out, turn);
        }
        self.ended.set(self.ended.get() || self.to == Some(line.place));
        Ok(line.answered)
    }

    async fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
