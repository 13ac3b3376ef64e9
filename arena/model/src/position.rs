//! A moment of a recorded match: the game when an action was due.

use leyden_protocol::{HistoryEntry, PerSeat, Seat};
use leyden_rules::{DealOutcome, Deck, Match};

use crate::event::MatchEvent;
use crate::record::{MatchRecord, RecordedEnding};
use crate::replay::{UnplayableError, replayed};
use crate::turn_ref::TurnRef;

/// The game when an action was due. Holds every hidden tile; `game.view(seat, …)` returns what a seat may know of it.
#[derive(Clone, Debug)]
pub struct Position {
    /// Which turn of the record it is.
    pub turn_ref: TurnRef,
    /// The match, with the rounds before.
    pub game: Match,
    /// The seat whose action was due.
    pub seat: Seat,
    /// Which of its questions this was, from 1; `None` if there was no choice, so the seat was not asked.
    pub turn: Option<u64>,
    /// What was done then; `None` if the match was cut short here.
    pub done: Option<HistoryEntry>,
}

/// Why a reference to a turn is not a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    #[error("the match has no deal r{round}: it has {}", among(*.deals, "r"))]
    Deal { round: u32, deals: usize },
    #[error("the match has no action {turn_ref}: that deal has {}", among(*.actions, "t"))]
    Action { turn_ref: TurnRef, actions: usize },
    #[error("the record does not follow from the rules (`leyden verify` explains why): {0}")]
    Unplayable(#[from] UnplayableError),
}

fn among(count: usize, what: &str) -> String {
    match count {
        0 => "none".to_owned(),
        count => format!("{what}0 to {what}{}", count - 1),
    }
}

impl MatchRecord {
    /// Returns the question at which the match was cut short; `None` if no deal is unfinished.
    pub fn last_question(&self) -> Option<TurnRef> {
        let last = self.rounds.last().filter(|deal| deal.end == RecordedEnding::Unfinished)?;
        Some(TurnRef { round: self.rounds.len() as u32 - 1, action: last.actions.len() as u32 })
    }

    /// Whether an action is recorded at this turn, or was due there when the match was cut short.
    pub fn check_turn_ref(&self, turn_ref: TurnRef) -> Result<(), PositionError> {
        let Some(deal) = self.rounds.get(turn_ref.round as usize) else {
            return Err(PositionError::Deal { round: turn_ref.round, deals: self.rounds.len() });
        };
        let actions = deal.actions.len();
        let due = actions + usize::from(deal.end == RecordedEnding::Unfinished);
        if (turn_ref.action as usize) < due {
            Ok(())
        } else {
            Err(PositionError::Action { turn_ref, actions })
        }
    }
}

/// Returns the moment at which the action of a turn was due.
pub fn position(record: &MatchRecord, turn_ref: TurnRef) -> Result<Position, PositionError> {
    record.check_turn_ref(turn_ref)?;
    let questions = questions(record)?; // the rest can be played
    let broken = |round, action| PositionError::Unplayable(UnplayableError { round, action });
    let rules = record.rules.rules().map_err(|_| broken(0, 0))?;
    let mut game = Match::new(&rules);
    for (index, deal) in record.rounds.iter().enumerate().take(turn_ref.round as usize + 1) {
        let is_requested = index == turn_ref.round as usize;
        let deck = Deck::new(rules.set, &deal.deck).map_err(|_| broken(index, 0))?;
        let begun = game.deal(&deck);
        let count = if is_requested { turn_ref.action as usize } else { deal.actions.len() };
        for (number, entry) in deal.actions.iter().enumerate().take(count) {
            game.apply(entry.event.into()).map_err(|_| broken(index, number))?;
        }
        if is_requested {
            let to_act = game.round().and_then(leyden_rules::Round::to_act);
            let Some(seat) = to_act else { return Err(broken(index, count)) };
            let turn = questions.iter().find(|asked| asked.turn_ref == turn_ref).map(|asked| asked.turn);
            return Ok(Position { turn_ref, game, seat, turn, done: deal.actions.get(count).copied() });
        }
        if begun == DealOutcome::Round {
            game.settle();
        }
    }
    Err(broken(turn_ref.round as usize, 0))
}

/// Counts the events of a match to find the current turn.
#[derive(Clone, Copy, Debug, Default)]
pub struct TurnCounter {
    deals: u32,
    actions: u32,
}

impl TurnCounter {
    /// Counts an event; must get each of a match, in order.
    pub fn take(&mut self, event: &MatchEvent) {
        match event {
            MatchEvent::Dealt { .. } => (self.deals, self.actions) = (self.deals + 1, 0),
            MatchEvent::Acted { .. } => self.actions += 1,
            _ => {}
        }
    }

    /// Returns where the next action belongs.
    pub fn next(self) -> TurnRef {
        TurnRef { round: self.deals.saturating_sub(1), action: self.actions }
    }
}

/// A question of a recorded match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    pub turn_ref: TurnRef,
    pub seat: Seat,
    /// Which of the seat's questions it is, from 1: the `id` of the turn that its bot was sent.
    pub turn: u64,
}

/// Returns every question of a match, in the order in which they were asked.
pub fn questions(record: &MatchRecord) -> Result<Vec<Question>, PositionError> {
    let mut questions = Vec::new();
    let mut asked: PerSeat<u64> = PerSeat::default_for(record.bots.seats());
    let mut counter = TurnCounter::default();
    for event in replayed(record)? {
        if let MatchEvent::Asked { seat, .. } = event {
            asked[seat] += 1;
            questions.push(Question { turn_ref: counter.next(), seat, turn: asked[seat] });
        }
        counter.take(&event);
    }
    Ok(questions)
}
