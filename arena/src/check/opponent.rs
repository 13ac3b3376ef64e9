//! An opponent that takes no time: plays any legal action, drawn from a seed.

use std::io;
use std::time::Duration;

use leyden_protocol::{Action, ToBot, Turn};
use leyden_referee::{Decision, DecisionResult, Player};
use leyden_sample_bots::dice::Dice;

/// Plays any legal action.
pub(super) struct Opponent(Dice);

impl Opponent {
    pub(super) fn seeded(seed: u64) -> Self {
        Self(Dice::seeded(seed))
    }

    pub(super) fn choose(&mut self, turn: &Turn<'_>) -> Action {
        turn.legal[self.0.below(turn.legal.len())]
    }
}

/// An answer that took no time.
pub(super) fn at_once(action: Action) -> Decision {
    let none = Duration::ZERO;
    Decision { action, note: None, took: none, charged: none, late: none }
}

impl Player for Opponent {
    fn send(&mut self, _: &ToBot<'_>) {}

    async fn decide(
        &mut self,
        turn: &Turn<'_>,
        _: Duration,
        _: &mut dyn FnMut(),
    ) -> io::Result<DecisionResult> {
        Ok(Ok(at_once(self.choose(turn))))
    }

    async fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
