//! Belief and search: weighs deals by what the others did, and plays them out by a trained policy.
//!
//! A decision works like this. The belief says which deals of the unseen tiles are likely. The candidates (the legal plays, and
//! some ways to draw first) enter a knockout of several heats. In each heat the remaining candidates are tried on the same
//! deals, each of which is [played out](playout) by the [policy] and rated by the probability of winning the match with the
//! resulting scores. The worse half drops out, so most of the work goes to candidates that are hard to tell apart.

pub(crate) mod belief;
mod bias;
pub(crate) mod budget;
mod duel;
mod duel_policy;
mod endgame;
pub mod features;
pub mod network;
mod outlook;
pub mod playout;
pub mod policy;
pub(crate) mod search;
mod weighed_action;
pub mod weights;

use std::time::Duration;

use leyden_protocol::{Action, RuleSet, RulesName, Seats, Set, Turn};
use leyden_rules::Rules;

use crate::dice::Dice;
use crate::strategy::Strategy;

use belief::{Evidence, Model};
use budget::Effort;
pub use outlook::outlook;
use policy::Policy;
use search::Search;
pub use search::is_open;
pub use weighed_action::{WeighedAction, weigh};

/// An idea that `strong` can be run without, to measure what it is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Idea {
    /// Inferring anything from what the others did; without it all deals of the unseen tiles are equally likely.
    Belief,
    /// Inferring from their plays; without it `strong` still infers from draws and passes.
    Plays,
    /// Considering to draw several tiles at once.
    DrawsAhead,
    /// Correcting what playouts get wrong on average.
    Bias,
}

impl Idea {
    pub const ALL: [Self; 4] = [Self::Belief, Self::Plays, Self::DrawsAhead, Self::Bias];

    /// The name as an option.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Belief => "belief",
            Self::Plays => "plays",
            Self::DrawsAhead => "draws-ahead",
            Self::Bias => "bias",
        }
    }
}

/// Plays by belief and search. Unless `--think` is given the amount of work is fixed, so that the same `bot_seed` plays the same
/// match; it stops earlier, with the best action found so far, only if the clock runs out.
pub struct Strong {
    rules: Option<Rules>,
    /// None: the usual number for the rule set.
    playouts: Option<u32>,
    effort: Effort,
    policies: Option<(&'static Policy, Model)>,
    evidence: Evidence,
    draws_ahead: bool,
    corrects_bias: bool,
    dice: Dice,
}

impl Strong {
    /// Playouts per decision unless set otherwise: about 10 ms of work.
    pub fn usual_playouts(rules: &RuleSet) -> u32 {
        match (rules.set, rules.name) {
            // With two ends and no optional draws, rounds are played out sooner, which leaves time for the network, too.
            (Set::DoubleSix, RulesName::Matador) if rules.seats == Seats::TWO => 10_500,
            (Set::DoubleSix, _) => 6_600,
            (Set::DoubleNine, _) => 4_000,
            (Set::DoubleTwelve, _) => 2_500,
        }
    }

    pub fn new() -> Self {
        Self {
            rules: None,
            playouts: None,
            effort: Effort::Playouts,
            policies: None,
            evidence: Evidence::Plays,
            draws_ahead: true,
            corrects_bias: true,
            dice: Dice::seeded(0),
        }
    }

    /// The same with about this many playouts per decision.
    #[must_use]
    pub fn with_playouts(self, playouts: u32) -> Self {
        Self { playouts: Some(playouts), ..self }
    }

    /// The same, but thinking this long about each decision, or as long as the clock allows.
    #[must_use]
    pub fn thinking(self, time: Duration) -> Self {
        Self { effort: Effort::Time(time), ..self }
    }

    /// The same without one of its ideas.
    #[must_use]
    pub fn without(self, idea: Idea) -> Self {
        match idea {
            Idea::Belief => Self { evidence: Evidence::Nothing, ..self },
            Idea::Plays => Self { evidence: self.evidence.min(Evidence::Draws), ..self },
            Idea::DrawsAhead => Self { draws_ahead: false, ..self },
            Idea::Bias => Self { corrects_bias: false, ..self },
        }
    }

    /// The same with other policies for playouts and for modelling the other seats, and without a network: for training.
    #[must_use]
    pub fn with_policies(self, playouts: &'static Policy, model: &'static Policy) -> Self {
        Self { policies: Some((playouts, Model { policy: model, network: None })), ..self }
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
        let (policy, model) =
            self.policies.unwrap_or_else(|| (Policy::for_rules(&rules), Model::for_rules(&rules)));
        let playouts = self.playouts.unwrap_or_else(|| Self::usual_playouts(&rules));
        let Self { effort, evidence, draws_ahead, corrects_bias, .. } = *self;
        let search = Search { playouts, effort, policy, model, evidence, draws_ahead, corrects_bias };
        search.decide(&rules, turn, &mut self.dice).or(turn.legal.first().copied()).unwrap_or(Action::Pass)
    }
}
