//! A moment of a recorded match: the game as it stood when an action was due.

use leyden_protocol::{Entry, PerSeat, Seat};
use leyden_rules::{Dealt, Deck, Match};

use crate::place::Place;
use crate::record::MatchRecord;
use crate::replayed::{Unplayable, replayed};

/// The game when an action was due. Holds every hidden tile; what a seat may know of it is `game.view(seat, …)`.
#[derive(Clone, Debug)]
pub struct Position {
    pub place: Place,
    pub game: Match,
    /// Whose action was due.
    pub seat: Seat,
    /// Which of its questions this was, from 1; `None` if there was no choice, so that nobody was asked.
    pub turn: Option<u64>,
    /// What was done then; `None` if the match broke off here.
    pub done: Option<Entry>,
}

/// Why a place in a record is no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoPosition {
    #[error("the match has no deal {round}: it has {}", among(*.deals, "deals"))]
    Deal { round: u32, deals: usize },
    #[error("deal {} of the match has no action {}: it has {}", place.round, place.action, among(*.actions, "actions"))]
    Action { place: Place, actions: usize },
    #[error("the record does not follow from the rules, which `leyden verify` explains: {0}")]
    Unplayable(#[from] Unplayable),
}

fn among(count: usize, what: &str) -> String {
    match count {
        0 => "none".to_owned(),
        count => format!("{what} 0 to {}", count - 1),
    }
}

/// The moment at which the action at a place was due.
pub fn position(record: &MatchRecord, place: Place) -> Result<Position, NoPosition> {
    replayed(record)?; // all that follows can be played
    let broken = |round, action| NoPosition::Unplayable(Unplayable { round, action });
    let rules = record.rules.rules().map_err(|_| broken(0, 0))?;
    let mut game = Match::new(&rules);
    let mut asked: PerSeat<u64> = PerSeat::default_for(rules.seats);
    let deals = record.rounds.len();
    for (index, deal) in record.rounds.iter().enumerate().take(place.round as usize + 1) {
        let wanted = index == place.round as usize;
        let deck = Deck::new(rules.set, &deal.deck).map_err(|_| broken(index, 0))?;
        let begun = game.deal(&deck);
        let count = if wanted { place.action as usize } else { deal.actions.len() };
        for (number, entry) in deal.actions.iter().enumerate().take(count) {
            if is_asked(&game) {
                asked[entry.seat] += 1;
            }
            game.apply(entry.event.into()).map_err(|_| broken(index, number))?;
        }
        if wanted {
            let to_act = game.round().and_then(leyden_rules::Round::to_act);
            let Some(seat) = to_act.filter(|_| count <= deal.actions.len()) else { break };
            let turn = is_asked(&game).then(|| asked[seat] + 1);
            return Ok(Position { place, game, seat, turn, done: deal.actions.get(count).copied() });
        }
        if begun == Dealt::Round {
            game.settle();
        }
    }
    Err(match record.rounds.get(place.round as usize) {
        Some(deal) => NoPosition::Action { place, actions: deal.actions.len() },
        None => NoPosition::Deal { round: place.round, deals },
    })
}

/// Whether the seat to act has a choice.
fn is_asked(game: &Match) -> bool {
    game.round().is_some_and(|round| round.to_act().is_some() && round.legal().forced().is_none())
}
