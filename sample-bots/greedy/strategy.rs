//! Plays the heaviest tile that fits, and thinks no further.

use leyden_protocol::{Action, Turn};
use leyden_rules::Rules;

use crate::strategy::Strategy;

/// Gets rid of pips as fast as it can: of several actions with the heaviest tile it takes the first, and it draws only
/// when it has to. Without a double to lead it draws rather than refuses.
pub struct Greedy;

impl Strategy for Greedy {
    fn begin(&mut self, _: &Rules, _: u64) {}

    fn choose(&mut self, turn: &Turn<'_>) -> Action {
        // Of equals `max_by_key` takes the last, so the search goes backwards.
        turn.legal.iter().rev().copied().max_by_key(|&action| appetite(action)).unwrap_or(Action::Pass)
    }
}

/// How much greed likes an action. A tile of no pips is still better than a draw.
fn appetite(action: Action) -> u32 {
    match (action.tile(), action) {
        (Some(tile), _) => 2 + tile.pips(),
        (None, Action::Draw) => 1,
        (None, _) => 0,
    }
}
