//! The parameters in which rule sets can differ. The rules crate has their values.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::action::Arm;
use crate::seat::Seats;
use crate::tile::Set;

/// The name of a rule set.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum RulesName {
    #[default]
    Leyden,
    LeydenCross,
    Leiden,
    Senst,
    LeydenFree,
    Matador,
}

impl RulesName {
    /// All six rule sets.
    pub const ALL: [Self; 6] =
        [Self::Leyden, Self::LeydenCross, Self::Leiden, Self::Senst, Self::LeydenFree, Self::Matador];

    /// Returns its name in messages and options, such as `leyden-cross`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Leyden => "leyden",
            Self::LeydenCross => "leyden-cross",
            Self::Leiden => "leiden",
            Self::Senst => "senst",
            Self::LeydenFree => "leyden-free",
            Self::Matador => "matador",
        }
    }
}

impl fmt::Display for RulesName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A name that no rule set has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no rule set {0:?}; there are {names}", names = listed())]
pub struct UnknownRulesError(pub String);

/// Lists all names in a sentence.
fn listed() -> String {
    let [others @ .., last] = RulesName::ALL.map(RulesName::as_str);
    format!("{} and {last}", others.join(", "))
}

impl FromStr for RulesName {
    type Err = UnknownRulesError;

    fn from_str(text: &str) -> Result<Self, UnknownRulesError> {
        Self::ALL
            .into_iter()
            .find(|name| name.as_str() == text)
            .ok_or_else(|| UnknownRulesError(text.to_owned()))
    }
}

/// Where tiles can be laid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LayoutShape {
    /// Four arms around the lead.
    Spinner,
    /// Two ends, E and W.
    Line,
}

impl LayoutShape {
    /// Returns the arms that grow from the lead, in the order N, E, S, W.
    pub const fn arms(self) -> &'static [Arm] {
        match self {
            Self::Spinner => &Arm::ALL,
            Self::Line => &[Arm::E, Arm::W],
        }
    }
}

/// Which arms have to be started before all are open to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Opening {
    /// N and S, one tile each.
    Sides,
    /// All four arms, one tile each.
    Cross,
    /// None: all arms at once.
    None,
}

impl Opening {
    /// Returns the arms that need a tile before all are open, in the order N, E, S, W.
    pub const fn arms(self) -> &'static [Arm] {
        match self {
            Self::Sides => &[Arm::N, Arm::S],
            Self::Cross => &Arm::ALL,
            Self::None => &[],
        }
    }
}

/// Who leads a round, and what that player may do first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LeadRule {
    /// The holder of the lowest double other than 0-0 leads it.
    Lowest,
    /// The holder of the highest double leads it.
    Highest,
    /// The holder of the highest double other than 0-0 may draw, then leads any double except 0-0.
    HighestHolder,
    /// The loser of the previous round may draw, then leads any double except 0-0, or refuses; then the other player
    /// may.
    Loser,
}

/// Who leads the first round, and who the later ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Leads {
    pub first: LeadRule,
    pub later: LeadRule,
}

/// When a player may draw during play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Drawing {
    /// Any number of tiles before playing; a player who cannot play must draw.
    Any,
    /// One tile a turn, and only if the player cannot play.
    One,
}

/// What a round adds to the scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Scoring {
    /// Each player adds the pips of its own hand; the lower score is better.
    OwnHand,
    /// The winner of the round adds the pips of all hands; the higher score is better.
    AllHands,
    /// The winner of the round adds all other players' pips minus its own; the higher score is better.
    Difference,
}

/// Which score wins a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WinningScore {
    Lower,
    Higher,
}

impl Scoring {
    /// Returns which score wins a match that is scored like this.
    pub const fn better(self) -> WinningScore {
        match self {
            Self::OwnHand => WinningScore::Lower,
            Self::AllHands | Self::Difference => WinningScore::Higher,
        }
    }
}

/// All parameters of a rule set. The rules crate creates the valid ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct RuleSet {
    pub name: RulesName,
    pub seats: Seats,
    /// The highest pip of the set: 6, 9 or 12.
    pub set: Set,
    /// How many tiles each seat is dealt.
    pub hand: u8,
    /// How many tiles of the boneyard nobody may draw.
    pub reserve: u8,
    pub layout: LayoutShape,
    pub opening: Opening,
    pub leads: Leads,
    pub drawing: Drawing,
    /// Whether a matador may lie across on another one that lies across.
    pub across_on_across: bool,
    pub scoring: Scoring,
    /// Which score wins a match.
    pub better: WinningScore,
    /// The match ends after the round in which a score reaches this.
    pub target: u32,
}
