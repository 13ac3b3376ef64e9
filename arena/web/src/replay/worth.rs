//! What a decision was worth, for the script: only in a match that was analysed, and only in views of those who may see the decision.

use std::collections::BTreeMap;

use leyden_arena::analyse::{AnalysedMatch, Estimate, EvaluatedDecision};
use leyden_language::Language;
use leyden_model::TurnRef;
use leyden_protocol::Seat;
use serde::Serialize;

/// What the legal actions of a decision were worth, in the order in which they are listed.
#[derive(Clone, Serialize)]
pub(super) struct DecisionWorth {
    actions: Vec<ActionWorth>,
    /// The index of the best action.
    best: usize,
    /// What was given away of the chance to win, and of points; `None` after a fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    lost: Option<[Estimate; 2]>,
    /// What the bot did wrong, in words; `None` if it is not certain to have been a blunder.
    #[serde(skip_serializing_if = "Option::is_none")]
    blunder: Option<String>,
}

/// The chance to win and the points of an action.
#[derive(Clone, Serialize)]
struct ActionWorth {
    chance: Estimate,
    points: Estimate,
}

/// The decisions of an analysed match, by their turns.
pub(crate) struct Worth<'a> {
    decisions: BTreeMap<TurnRef, &'a EvaluatedDecision>,
    language: Language,
}

impl<'a> Worth<'a> {
    pub(crate) fn new(analysed: Option<&'a AnalysedMatch>, language: Language) -> Self {
        let decisions = analysed.iter().flat_map(|analysed| &analysed.decisions);
        let decisions = decisions.map(|decision| (decision.turn_ref, decision)).collect();
        Self { decisions, language }
    }

    /// Returns what the question to a seat at a turn was worth.
    pub(super) fn of_decision(&self, turn_ref: TurnRef, seat: Seat) -> Option<DecisionWorth> {
        let decision = self.decisions.get(&turn_ref).filter(|decision| decision.seat == seat)?;
        let worth = |action: &leyden_arena::analyse::EvaluatedAction| ActionWorth {
            chance: action.chance,
            points: action.points,
        };
        Some(DecisionWorth {
            actions: decision.actions.iter().map(worth).collect(),
            best: decision.actions.iter().position(|evaluated| evaluated.action == decision.best)?,
            lost: decision.lost.map(|lost| [lost.chance, lost.points]),
            blunder: decision.blunder.map(|kind| kind.in_words(self.language)),
        })
    }

    /// Returns the chance to win at a turn: of the first seat by all hands, or as one seat sees its own when it is asked.
    pub(crate) fn chance(&self, turn_ref: TurnRef, viewer: Option<Seat>) -> Option<f64> {
        let decision = self.decisions.get(&turn_ref)?;
        match viewer {
            None => decision.outlook,
            Some(viewer) => (decision.seat == viewer).then(|| decision.chance()),
        }
    }

    /// Returns the chance to win when the match is over, which its result decides; `None` if no chances are known.
    pub(crate) fn final_chance(&self, winner: Option<Seat>, viewer: Option<Seat>) -> Option<f64> {
        let own = viewer.unwrap_or(Seat::FIRST);
        let chance = winner.map_or(0.5, |winner| f64::from(u8::from(winner == own)));
        (!self.decisions.is_empty()).then_some(chance)
    }
}
