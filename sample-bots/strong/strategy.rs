//! Believes, and searches what it believes in: deals weighed by what the others did, played out by a trained policy.
//!
//! One decision goes like this. The belief says which deals of the unseen tiles are likely. The candidates, which are the
//! legal plays and some ways to draw first, enter a knockout of several heats. In each heat those left are tried on the
//! same deals, each trial is [played out](playout) by the [policy], and the end is judged by how likely the match is won
//! with the scores that it leaves. The worse half drops out. So most of the work goes to the candidates that are hard to
//! tell apart.

pub(crate) mod belief;
pub(crate) mod clock;
pub mod features;
pub mod playout;
pub mod policy;
pub(crate) mod search;
mod weigh;
pub mod weights;

use std::time::Duration;

use leyden_protocol::{Action, Turn};
use leyden_rules::Rules;

use crate::dice::Dice;
use crate::strategy::Strategy;

use belief::Reads;
use clock::Patience;
use policy::Policy;
use search::Search;
pub use weigh::{Weighed, weigh};
use weights::{Role, trained};

/// Plays by belief and search. But for `--think` the work is fixed, so that the same `bot_seed` plays the same match; only
/// a clock that runs out first makes it stop earlier, with the best it has found.
pub struct Strong {
    rules: Option<Rules>,
    playouts: u32,
    patience: Patience,
    policies: Option<[&'static Policy; 2]>,
    dice: Dice,
}

impl Strong {
    /// Playouts for each decision: about ten milliseconds.
    pub const PLAYOUTS: u32 = 2_400;

    pub fn new() -> Self {
        Self {
            rules: None,
            playouts: Self::PLAYOUTS,
            patience: Patience::Work,
            policies: None,
            dice: Dice::seeded(0),
        }
    }

    /// The same with about this many playouts for each decision.
    #[must_use]
    pub fn with_playouts(self, playouts: u32) -> Self {
        Self { playouts, ..self }
    }

    /// The same, but it thinks this long about each decision, or as long as the clock lets it.
    #[must_use]
    pub fn thinking(self, time: Duration) -> Self {
        Self { patience: Patience::Time(time), ..self }
    }

    /// The same with another policy for playouts, and another to explain the others' plays: for training.
    #[must_use]
    pub fn with_policies(self, playouts: &'static Policy, model: &'static Policy) -> Self {
        Self { policies: Some([playouts, model]), ..self }
    }
}

impl Default for Strong {
    fn default() -> Self {
        Self::new()
    }
}

impl Strategy for Strong {
    fn begin(&mut self, rules: &Rules, bot_seed: u64) {
        self.rules = Some(*rules);
        self.dice = Dice::seeded(bot_seed);
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Action {
        let rules = self.rules.unwrap_or_else(|| Rules::standard(turn.rules));
        let [policy, model] = self.policies.unwrap_or_else(|| Role::ALL.map(|role| trained(&rules, role)));
        let Self { playouts, patience, .. } = *self;
        let search = Search { playouts, patience, policy, model, reads: Reads::Plays, draws_ahead: true };
        search.decide(&rules, turn, &mut self.dice).or(turn.legal.first().copied()).unwrap_or(Action::Pass)
    }
}
