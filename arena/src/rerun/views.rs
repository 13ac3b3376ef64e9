//! What each seat was asked in a recorded match, what it answered, and what followed: nothing that it could not know at the
//! moment, apart from the results.

use std::io;
use std::time::Duration;

use leyden_model::{MatchRecord, TurnRef};
use leyden_protocol::{Action, FaultCode, MatchEnding, Note, PerSeat, Seat, ToBot, Turn};
use leyden_referee::{DecisionError, DecisionResult, Player};
use schemars::JsonSchema;
use serde::Serialize;

use super::script::{RecordedPlayer, ScriptLine};
use super::{RecordedMatch, RerunError, at_once};

/// One decision as the bot saw it: a line of `leyden export --views`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(title = "A decision: a line of leyden export --views")]
pub struct DecisionView<'a> {
    /// The version of this format: 1.
    pub v: u32,
    #[serde(rename = "match")]
    pub id: &'a str,
    /// Which pair of its pairing, from 0.
    pub block: u32,
    /// Which seating of the pair, from 0.
    pub leg: u32,
    pub seat: Seat,
    pub bot: &'a str,
    #[serde(rename = "place")]
    pub turn_ref: TurnRef,
    /// What the bot was sent, except for clock readings that the record does not contain.
    pub turn: ToBot<'a>,
    /// The action that it chose; null after a fault.
    pub answer: Option<Action>,
    /// The fault that it made instead; null if it answered.
    pub fault: Option<FaultCode>,
    /// What it wrote with its answer.
    pub note: Option<&'a Note>,
    /// How long its answer took, in microseconds; null if it was not measured.
    pub took_us: Option<u64>,
    /// The points of each seat in this deal.
    pub round_points: PerSeat<u32>,
    /// The scores at the end of the match.
    pub scores: PerSeat<u32>,
    /// Who won the match; null if nobody did.
    pub winner: Option<Seat>,
    pub end: MatchEnding,
}

/// A question to a seat in a recorded match, and what the seat answered.
pub struct AskedTurn<'a> {
    pub turn_ref: TurnRef,
    /// What the bot was sent, except for clock readings that the record does not contain.
    pub turn: &'a Turn<'a>,
    /// The action that it chose; `None` after a fault.
    pub answer: Option<Action>,
    pub fault: Option<FaultCode>,
    /// What it wrote with its answer.
    pub note: Option<&'a Note>,
    /// How long the answer took; `None` if it was not measured.
    pub took: Option<Duration>,
}

impl<'a> AskedTurn<'a> {
    fn new(turn: &'a Turn<'a>, line: &'a ScriptLine) -> Self {
        let (answer, fault, note, took) = match &line.answered {
            Ok(decision) => (Some(decision.action), None, decision.note.as_ref(), Some(decision.took)),
            Err(DecisionError::Fault(fault, took)) => (None, Some(fault.code), None, *took),
            Err(DecisionError::HostOverloaded(_)) => (None, None, None, None), // never recorded
        };
        Self { turn_ref: line.turn_ref, turn, answer, fault, note, took }
    }
}

/// Calls `each` with every question to a seat, in order.
pub fn each_turn(
    recorded: &RecordedMatch,
    seat: Seat,
    each: &mut dyn FnMut(&AskedTurn<'_>) -> io::Result<()>,
) -> Result<(), RerunError> {
    recorded.seated(seat)?;
    if recorded.never_began() {
        return Ok(());
    }
    let script = recorded.script()?;
    let mut reader = TurnReader { player: RecordedPlayer::new(script.of_seat(seat)), each };
    at_once(recorded.play(seat, &script, &mut reader, None))?
}

/// Writes every decision of a seat, in order, as JSON Lines.
pub fn write_views(recorded: &RecordedMatch, seat: Seat, out: &mut dyn io::Write) -> Result<(), RerunError> {
    let record = recorded.record();
    each_turn(recorded, seat, &mut |asked| {
        serde_json::to_writer(&mut *out, &view(record, seat, asked))?;
        out.write_all(b"\n")
    })
}

fn view<'a>(record: &'a MatchRecord, seat: Seat, asked: &AskedTurn<'a>) -> DecisionView<'a> {
    let points = record.rounds.get(asked.turn_ref.round as usize).map(|deal| deal.points);
    DecisionView {
        v: 1,
        id: &record.id,
        block: record.block,
        leg: record.leg,
        seat,
        bot: &record.bots[seat],
        turn_ref: asked.turn_ref,
        turn: ToBot::Turn(asked.turn.clone()),
        answer: asked.answer,
        fault: asked.fault,
        note: asked.note,
        took_us: asked.took.map(|took| u64::try_from(took.as_micros()).unwrap_or(u64::MAX)),
        round_points: points.unwrap_or_else(|| PerSeat::default_for(record.bots.seats())),
        scores: record.scores,
        winner: record.winner,
        end: record.end,
    }
}

/// A seat that passes on its questions and repeats its answers.
struct TurnReader<'a> {
    player: RecordedPlayer,
    each: &'a mut dyn FnMut(&AskedTurn<'_>) -> io::Result<()>,
}

impl Player for TurnReader<'_> {
    fn send(&mut self, _: &ToBot<'_>) {}

    async fn decide(
        &mut self,
        turn: &Turn<'_>,
        _: Duration,
        _: &mut dyn FnMut(),
    ) -> io::Result<DecisionResult> {
        let line = self.player.next()?;
        (self.each)(&AskedTurn::new(turn, &line))?;
        Ok(line.answered)
    }

    async fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
