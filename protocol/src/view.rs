//! What one seat may see of a match at a decision: all that the conversation with a bot is built from.

use std::borrow::Cow;
use std::fmt;

use schemars::JsonSchema;
use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize};

use crate::action::{Action, Arm, HistoryEntry, Lay};
use crate::ruleset::{LayoutShape, RulesName};
use crate::seat::{PerSeat, Seat};
use crate::tile::{Double, Matador, Pip, Tile, TileSet};

/// What a round is waiting for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The first tile of the round.
    Lead,
    /// A tile on an arm.
    Play,
}

/// What an arm shows: the pips that the next tile has to match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    Pip(Pip),
    /// A matador lies across: the next tile matches either half.
    Across(Matador),
}

impl End {
    /// Returns what an arm shows after this lay.
    #[inline]
    pub const fn left_by(lay: Lay) -> Self {
        match lay {
            Lay::InLine { end, .. } => Self::Pip(end),
            Lay::Across(matador) => Self::Across(matador),
        }
    }

    /// Returns the halves that the next tile can touch, the lower one first; the same one twice unless a matador lies
    /// across.
    pub const fn halves(self) -> [Pip; 2] {
        match self {
            Self::Pip(pip) => [pip, pip],
            Self::Across(matador) => [matador.low(), matador.high()],
        }
    }
}

impl Serialize for End {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Pip(pip) => serializer.collect_seq([pip]),
            Self::Across(matador) => serializer.collect_seq([matador.low(), matador.high()]),
        }
    }
}

impl<'de> Deserialize<'de> for End {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let pips = Vec::<Pip>::deserialize(deserializer)?;
        let end = match pips[..] {
            [pip] => Some(Self::Pip(pip)),
            [low, high] if low < high => Matador::new(Tile::new(low, high)).map(Self::Across),
            _ => None,
        };
        end.ok_or_else(|| {
            serde::de::Error::custom("expected one pip number, or the two of a matador, low first")
        })
    }
}

/// What the arms show: empty before the lead, only `E` and `W` in a line layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Arms([Option<End>; 4]);

impl Arms {
    /// Returns what the arms show when a double has just been led.
    pub fn from_lead(shape: LayoutShape, lead: Double) -> Self {
        let mut arms = Self::default();
        for &arm in shape.arms() {
            arms.set(arm, End::Pip(lead.pip()));
        }
        arms
    }

    /// Returns the end of an arm; `None` if the arm does not exist yet.
    pub const fn get(&self, arm: Arm) -> Option<End> {
        self.0[arm.index()]
    }

    /// Sets what an arm shows; the arm exists from then on.
    pub fn set(&mut self, arm: Arm, end: End) {
        self.0[arm.index()] = Some(end);
    }

    /// Returns the arms that exist, in the order N, E, S, W.
    pub fn iter(&self) -> impl Iterator<Item = (Arm, End)> {
        Arm::ALL.into_iter().filter_map(|arm| Some((arm, self.get(arm)?)))
    }
}

impl Serialize for Arms {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.iter().count()))?;
        for (arm, end) in self.iter() {
            map.serialize_entry(arm.letter(), &end)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Arms {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ArmsVisitor;
        impl<'de> Visitor<'de> for ArmsVisitor {
            type Value = Arms;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with what the arms N, E, S and W show")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Arms, A::Error> {
                let mut arms = Arms::default();
                while let Some(letter) = map.next_key::<Cow<'de, str>>()? {
                    let arm = Arm::from_letter(&letter)
                        .ok_or_else(|| serde::de::Error::unknown_field(&letter, &["N", "E", "S", "W"]))?;
                    arms.set(arm, map.next_value()?);
                }
                Ok(arms)
            }
        }
        deserializer.deserialize_map(ArmsVisitor)
    }
}

impl JsonSchema for Arms {
    fn schema_name() -> Cow<'static, str> {
        "Arms".into()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let pip = generator.subschema_for::<Pip>();
        let end = schemars::json_schema!({
            "type": "array", "items": pip, "minItems": 1, "maxItems": 2,
            "description": "one pip number, or the two of a matador that lies across, low first"
        });
        schemars::json_schema!({
            "type": "object",
            "properties": { "N": end, "E": end, "S": end, "W": end },
            "additionalProperties": false,
            "description": "what each arm shows, in the order N, E, S, W; empty before the lead; only E and W in a line layout"
        })
    }
}

/// Everything that one seat may know at a decision, and nothing else.
///
/// Two rounds that differ only in tiles this seat may not know give it equal views.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View<'a> {
    pub rules: RulesName,
    pub target: u32,
    /// The number of rounds scored before this one.
    pub round: u32,
    /// How often this round was dealt before.
    pub redeal: u32,
    pub phase: Phase,
    pub seat: Seat,
    pub hand: TileSet,
    pub arms: Arms,
    /// Tiles left in the boneyard, the reserve included.
    pub boneyard: u8,
    /// Tiles that may still be drawn.
    pub drawable: u8,
    pub counts: PerSeat<u8>,
    pub scores: PerSeat<u32>,
    /// What happened in this round; other seats' draws show no tile.
    pub history: Cow<'a, [HistoryEntry]>,
    /// Every legal action, in the order of the protocol.
    pub legal: Cow<'a, [Action]>,
}
