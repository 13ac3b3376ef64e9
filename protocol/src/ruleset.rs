//! The words that describe a rule set: every parameter in which two rule sets can differ. The values live in the rules.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
    pub const ALL: [Self; 6] =
        [Self::Leyden, Self::LeydenCross, Self::Leiden, Self::Senst, Self::LeydenFree, Self::Matador];

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
pub struct UnknownRules(pub String);

/// All names in a sentence.
fn listed() -> String {
    let [others @ .., last] = RulesName::ALL.map(RulesName::as_str);
    format!("{} and {last}", others.join(", "))
}

impl FromStr for RulesName {
    type Err = UnknownRules;

    fn from_str(text: &str) -> Result<Self, UnknownRules> {
        Self::ALL.into_iter().find(|name| name.as_str() == text).ok_or_else(|| UnknownRules(text.to_owned()))
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

/// Who leads a round, and what he may do before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LeadRule {
    /// The holder of the lowest double other than 0-0 leads it.
    Lowest,
    /// The holder of the highest double leads it.
    Highest,
    /// The holder of the highest double other than 0-0 leads any double but 0-0; he may draw first.
    HighestHolder,
    /// The loser of the round before may draw, then leads any double but 0-0, or refuses; then the other player.
    Loser,
}

/// Who leads the first round and who the later ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Leads {
    pub first: LeadRule,
    pub later: LeadRule,
}

/// When a player may draw during play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Drawing {
    /// As many tiles as he likes before playing, and he must while he cannot play.
    Any,
    /// Only when he cannot play, and one tile a turn.
    One,
}

/// What a round adds to the scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Scoring {
    /// Each player adds the pips of his own hand; the lower score is better.
    OwnHand,
    /// The winner of the round adds the pips of all hands; the higher score is better.
    AllHands,
    /// The winner of the round adds all others' pips minus his own; the higher score is better.
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
    pub const fn better(self) -> WinningScore {
        match self {
            Self::OwnHand => WinningScore::Lower,
            Self::AllHands | Self::Difference => WinningScore::Higher,
        }
    }
}

/// A rule set in full. The rules crate makes the valid ones.
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
    /// Whether a matador may lie across on a matador that lies across.
    pub across_on_across: bool,
    pub scoring: Scoring,
    /// Which score wins a match.
    pub better: WinningScore,
    /// The match ends after the round in which a score reaches this.
    pub target: u32,
}
