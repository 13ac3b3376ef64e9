//! What playouts get wrong on average, to be taken back.
//!
//! Who draws or leads, or keeps a matador, chooses again afterwards, and knows more then; a playout goes on at a glance, and in it
//! nobody draws who can play. So all of that comes out as worth less than it is. By how much was measured: from positions of
//! matches against `montecarlo`, two actions were each played on to the end of the round by the bots themselves, and the
//! difference between them was compared with the one that the search had foretold (`STRENGTH.md`).

use leyden_protocol::{Action, Phase, RuleSet, RulesName, Turn};

use super::duel::is_duel;
use crate::reading::Fits;

/// By how many points playouts undervalue an action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bias {
    draw: f32,
    lead: f32,
    /// Of a matador, which is spent: below 0, it is overvalued.
    matador: f32,
}

impl Bias {
    /// Measured between two seats with the double-six set; nothing is taken back at other tables.
    pub(super) fn of(rules: &RuleSet) -> Self {
        let (draw, lead, matador) = match rules.name {
            _ if !is_duel(rules) => (0.0, 0.0, 0.0),
            RulesName::Leyden => (1.0, 1.5, 0.0),
            RulesName::LeydenCross => (0.6, 1.5, 0.0),
            // The winner of a round adds both hands: there are more points to a round.
            RulesName::Leiden | RulesName::Senst => (1.2, 5.0, 0.0),
            // Nobody chooses a lead.
            RulesName::LeydenFree => (0.5, 0.0, 0.0),
            // Nor does anybody draw who can play.
            RulesName::Matador => (0.0, 0.0, -1.5),
        };
        Self { draw, lead, matador }
    }

    /// The points that are missing in the playouts of an action.
    ///
    /// A draw is undervalued most when there are a few tiles left, so that it takes much from the others; with nearly all of them left,
    /// hardly at all, and the last one is but one.
    pub(super) fn points(self, rules: &RuleSet, turn: &Turn<'_>, action: Action) -> f32 {
        let left = f32::from(turn.drawable);
        match (turn.phase, action) {
            (Phase::Play, Action::Draw) => self.draw * (3.0 * left).min(14.0 - left).max(0.0) / 2.0,
            (Phase::Lead, Action::Lead(_)) => self.lead,
            (_, Action::Play(_, lay)) if Fits::of(rules.set).wild.contains(lay.tile()) => self.matador,
            _ => 0.0,
        }
    }
}
