//! What an analysis says, as values.

use leyden_language::{Language, text::replay::Blunder};
use leyden_model::{RecordRules, TurnRef};
use leyden_protocol::{Action, PerSeat, Seat};
use leyden_stats::BatchMean;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of the evaluation, its settings and its random numbers: values of different versions cannot be compared.
pub const EVALUATION_VERSION: u32 = 1;

/// The decisions of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AnalysedMatch {
    #[serde(rename = "match")]
    pub id: String,
    pub rules: RecordRules,
    /// The bots' names in seat order.
    pub bots: PerSeat<String>,
    pub scores: PerSeat<u32>,
    /// Null if nobody won.
    pub winner: Option<Seat>,
    /// Every decision for which a bot was asked, in order.
    pub decisions: Vec<EvaluatedDecision>,
}

/// A decision, and what each legal action would have been worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EvaluatedDecision {
    #[serde(rename = "place")]
    pub turn_ref: TurnRef,
    /// The round, from 0; a round that was dealt again keeps its number.
    pub round: u32,
    pub seat: Seat,
    /// Which of the seat's questions it is, from 1.
    pub turn: u64,
    /// How many deals of the hidden tiles each action was tried on; 1 if nothing was hidden.
    pub deals: u32,
    /// Every legal action, in the order of the protocol.
    pub actions: Vec<EvaluatedAction>,
    /// The action that was taken; null after a fault.
    pub taken: Option<Action>,
    /// The best action.
    pub best: Action,
    /// What was given away by not taking the best action; null after a fault.
    pub lost: Option<Loss>,
    /// What kind of blunder it was; null if it is not certain to have been one.
    pub blunder: Option<BlunderKind>,
    /// The first seat's chance to win the match just before this decision, if all hands are known; null with more than two seats.
    pub outlook: Option<f64>,
}

/// A legal action, and what it is worth to the seat.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EvaluatedAction {
    pub action: Action,
    /// The chance to win the match, 0 to 1.
    pub chance: Estimate,
    /// The points that the seat gains in the round on the best of the others.
    pub points: Estimate,
}

/// What a decision gave away against the best action; below 0 by chance only.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Loss {
    /// Of the chance to win the match, 0 to 1.
    pub chance: Estimate,
    /// Of the points that the seat gains on the best of the others.
    pub points: Estimate,
}

/// A mean and its standard error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Estimate {
    pub mean: f64,
    /// The standard error; 0 if the mean is exact.
    pub se: f64,
}

impl From<BatchMean> for Estimate {
    fn from(BatchMean { mean, se, .. }: BatchMean) -> Self {
        Self { mean: rounded(mean), se: rounded(se) }
    }
}

/// Rounds to five digits: more are never certain.
pub(super) fn rounded(number: f64) -> f64 {
    (number * 1e5).round() / 1e5
}

/// What kind of blunder a decision was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BlunderKind {
    /// It drew although a play was better.
    DrewNeedlessly,
    /// It did not draw.
    DidNotDraw,
    /// It spent a matador where another action was better.
    WastedMatador,
    /// It kept a double of eight pips or more that it should have laid.
    KeptHeavyDouble,
    /// The next seat was known to lack all that fitted, and got an arm to play on.
    OpenedForStarved,
    /// It led another double, or refused to lead.
    WrongLead,
    /// Another tile, another arm or the other way round.
    Other,
}

impl BlunderKind {
    /// All kinds, in the order in which they are listed.
    pub const ALL: [Self; 7] = [
        Self::DrewNeedlessly,
        Self::DidNotDraw,
        Self::WastedMatador,
        Self::KeptHeavyDouble,
        Self::OpenedForStarved,
        Self::WrongLead,
        Self::Other,
    ];

    /// The kind in words that complete "it …".
    pub fn in_words(self, language: Language) -> String {
        let kind = match self {
            Self::DrewNeedlessly => "drew-needlessly",
            Self::DidNotDraw => "did-not-draw",
            Self::WastedMatador => "wasted-matador",
            Self::KeptHeavyDouble => "kept-heavy-double",
            Self::OpenedForStarved => "opened-for-starved",
            Self::WrongLead => "wrong-lead",
            Self::Other => "other-choice",
        };
        language.say(Blunder { kind })
    }
}

impl EvaluatedDecision {
    /// The value of an action.
    pub fn value(&self, action: Action) -> Option<&EvaluatedAction> {
        self.actions.iter().find(|evaluated| evaluated.action == action)
    }

    /// The seat's chance to win the match if it plays as well as it can.
    pub fn chance(&self) -> f64 {
        self.value(self.best).map_or(0.5, |best| best.chance.mean)
    }
}
