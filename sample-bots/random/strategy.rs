//! Plays any legal action, each as likely as the next: what every other bot should beat.

use leyden_protocol::{Action, Turn};
use leyden_rules::Rules;
use serde::Deserialize;

use crate::dice::Dice;
use crate::strategy::{Strategy, nothing_to_choose};

/// All chance comes from the match's `bot_seed`, so that the same match can be played again.
pub struct Random {
    dice: Dice,
}

/// The part of a turn that matters to a bot that does not look at the game.
#[derive(Deserialize)]
struct Choice {
    id: u64,
    legal: Vec<Action>,
}

impl Random {
    pub fn new() -> Self {
        Self { dice: Dice::seeded(0) }
    }

    fn pick(&mut self, legal: &[Action]) -> Option<Action> {
        legal.get(self.dice.below(legal.len())).copied()
    }
}

impl Default for Random {
    fn default() -> Self {
        Self::new()
    }
}

impl Strategy for Random {
    fn begin(&mut self, _: &Rules, bot_seed: u64) {
        self.dice = Dice::seeded(bot_seed);
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Action {
        self.pick(&turn.legal).unwrap_or(Action::Pass)
    }

    fn answer(&mut self, line: &[u8]) -> serde_json::Result<(u64, Action)> {
        let choice: Choice = serde_json::from_slice(line)?;
        let action = self.pick(&choice.legal).ok_or_else(nothing_to_choose)?;
        Ok((choice.id, action))
    }
}
