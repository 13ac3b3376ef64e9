//! What a decision was worth, for the script: only in a match that was analysed, and only in views of those who may see the decision.

use std::collections::BTreeMap;

use leyden_arena::analyse::{AnalysedMatch, Estimate, EvaluatedAction, EvaluatedDecision};
use leyden_language::numbers::plus_minus;
use leyden_language::{Language, text::replay as text};
use leyden_model::TurnRef;
use leyden_protocol::Seat;
use serde::Serialize;

/// What the legal actions of a decision were worth, those with the best chances first.
#[derive(Clone, Serialize)]
pub(super) struct DecisionWorth {
    actions: Vec<ActionWorth>,
    /// What was given away, in words; `None` after a fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    lost: Option<String>,
    /// What the bot did wrong, in words; `None` if it is not certain to have been a blunder.
    #[serde(skip_serializing_if = "Option::is_none")]
    blunder: Option<String>,
}

/// The chance to win, in per cent, and the points of an action, with their errors.
#[derive(Clone, Serialize)]
struct ActionWorth {
    action: String,
    best: bool,
    chance: String,
    points: String,
}

/// A chance to win, of one and as people read it.
#[derive(Clone, Serialize)]
pub(super) struct Chance {
    share: f64,
    percent: String,
}

impl Chance {
    pub(super) fn new(share: f64, language: Language) -> Self {
        Self { share, percent: language.percent(share, 1) }
    }
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
        let language = self.language;
        let known = |Estimate { mean, se }, scale: f64| {
            let [mean, se] = [mean, se].map(|number: f64| language.decimal(scale * number, 1));
            plus_minus(mean, Some(se))
        };
        let mut actions: Vec<&EvaluatedAction> = decision.actions.iter().collect();
        actions.sort_by(|one, other| other.chance.mean.total_cmp(&one.chance.mean));
        let worth = |evaluated: &EvaluatedAction| ActionWorth {
            action: evaluated.action.to_string(),
            best: evaluated.action == decision.best,
            chance: known(evaluated.chance, 100.0),
            points: known(evaluated.points, 1.0),
        };
        let blunder = decision.blunder.map(|kind| kind.in_words(language));
        let lost = decision.lost.map(|lost| {
            let (chance, points) = (known(lost.chance, 100.0), known(lost.points, 1.0));
            match &blunder {
                Some(blunder) => language.say(text::GaveAwayBy { chance, points, blunder }),
                None => language.say(text::GaveAway { chance, points }),
            }
        });
        Some(DecisionWorth { actions: actions.into_iter().map(worth).collect(), lost, blunder })
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
