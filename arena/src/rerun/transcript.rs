//! The lines that a bot was sent in a recorded match.

use std::cell::Cell;
use std::io;
use std::time::Duration;

use leyden_model::{MatchEvent, TurnCounter, TurnRef};
use leyden_protocol::{Seat, ToBot, Turn, push_line, push_turn};
use leyden_referee::{DecisionResult, Player, hello};

use super::script::RecordedPlayer;
use super::{RecordedMatch, RerunError, at_once};

/// Returns the lines that the seat was sent, from `hello` to `match_end`, or to the question at `to`. They are the same bytes
/// except for clock readings that the record does not contain: less may have been charged to a bank.
pub fn transcript(recorded: &RecordedMatch, seat: Seat, to: Option<TurnRef>) -> Result<String, RerunError> {
    recorded.seated(seat)?;
    if let Some(turn_ref) = to {
        let known = recorded.record().check_turn_ref(turn_ref);
        known.map_err(|source| RerunError::NoPosition { id: recorded.id(), source })?;
    }
    let mut out = Vec::new();
    push_line(&mut out, &ToBot::Hello(hello(&recorded.spec()?.rules, recorded.limits())));
    if !recorded.never_began() {
        let script = recorded.script()?;
        let ended = Cell::new(false);
        let mut counter = TurnCounter::default();
        let mut listener = |event: &MatchEvent| {
            // The listener is called before the players get the message.
            let here = counter.next();
            if matches!(event, MatchEvent::Acted { .. }) && to == Some(here) {
                ended.set(true);
            }
            counter.take(event);
        };
        let mut writer =
            TranscriptWriter { recorded: RecordedPlayer::new(script.of_seat(seat)), out, to, ended: &ended };
        at_once(recorded.play(seat, &script, &mut writer, Some(&mut listener)))??;
        out = writer.out;
    }
    String::from_utf8(out).map_err(|error| RerunError::Host(io::Error::other(error)))
}

/// A seat that writes down its messages and questions.
struct TranscriptWriter<'a> {
    recorded: RecordedPlayer,
    out: Vec<u8>,
    to: Option<TurnRef>,
    ended: &'a Cell<bool>,
}

impl Player for TranscriptWriter<'_> {
    fn send(&mut self, message: &ToBot<'_>) {
        if !self.ended.get() {
            push_line(&mut self.out, message);
        }
    }

    async fn decide(
        &mut self,
        turn: &Turn<'_>,
        _: Duration,
        _: &mut dyn FnMut(),
    ) -> io::Result<DecisionResult> {
        let line = self.recorded.next()?;
        if !self.ended.get() {
            push_turn(&mut self.out, turn);
        }
        self.ended.set(self.ended.get() || self.to == Some(line.turn_ref));
        Ok(line.answered)
    }

    async fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
