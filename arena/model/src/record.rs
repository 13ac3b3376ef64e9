//! The record of a match.
//!
//! A record is a function of the seed, the schedule and the bots' answers. Everything that depends on the machine or
//! the moment ends in `_us` or is under `host`, `stderr` or a fault's `message` and `details`.

use std::fmt;

use leyden_protocol::{
    FaultCode, HistoryEntry, MatchEnding, Note, PerSeat, RulesName, Seat, Seats, Set, Tile,
};
use leyden_rules::{Rules, RulesError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::fault::FaultRecord;
use crate::seed::MatchSeed;

/// The application id in the header of a results file, an SQLite database.
pub const RESULTS_MARK: [u8; 4] = *b"LEYD";

/// The version of a record, its field `v`: increases with its format, and with the rules that determine whether it is
/// right.
pub const RECORD_VERSION: u32 = 2;

/// The edition of the rules: increases when the same deals and actions have another outcome. In edition 1 (leyden 0.1)
/// a round in which tiles could be drawn continued even if no remaining tile fitted.
pub const RULES_EDITION: u32 = 2;

/// The edition of a record that does not name one.
const UNNAMED_EDITION: u32 = 2;

/// Everything that happened in one match; enough to replay it and to check every deal and action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "A match record")]
pub struct MatchRecord {
    /// The version of this format: 2.
    pub v: u32,
    /// The opaque id that the bots were given.
    #[serde(rename = "match")]
    pub id: String,
    /// The tournament's id: the first 16 hex digits of its seed commitment.
    pub tournament: String,
    pub rules: RecordRules,
    /// The edition of the rules by which it was played; a record without it is of edition 2.
    #[serde(default = "unnamed_edition", skip_serializing_if = "is_unnamed_edition")]
    pub rules_edition: u32,
    /// The match seed, from which every deal follows.
    pub seed: MatchSeed,
    /// Which pair of its pairing, from 0. In a competition of stages the blocks of a round come behind those of all rounds before.
    pub block: u32,
    /// Where it belongs in a competition of stages; only in exports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage: Option<RecordStage>,
    /// Which seating of the pair, from 0.
    pub leg: u32,
    /// The bots' names in seat order.
    pub bots: PerSeat<String>,
    /// Every deal, including those that were dealt again.
    pub rounds: Vec<RoundRecord>,
    /// After a fault, the scores after the last finished round.
    pub scores: PerSeat<u32>,
    /// Null if nobody won.
    pub winner: Option<Seat>,
    pub end: MatchEnding,
    /// The fault that ended it.
    pub fault: Option<FaultRecord>,
    /// The measured time of each decision that a seat was asked for, in microseconds.
    pub think_us: PerSeat<Vec<u64>>,
    /// What the bots wrote with their actions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<ActionNote>,
    /// Faults that strikes forgave.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub strikes: Vec<Strike>,
    /// The last lines that each bot wrote to its standard error, if something went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr: Option<PerSeat<String>>,
    /// What is known of the machine at the time of the match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<MachineRecord>,
}

const fn unnamed_edition() -> u32 {
    UNNAMED_EDITION
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_unnamed_edition(edition: &u32) -> bool {
    *edition == UNNAMED_EDITION
}

/// The stage and the round in which a match was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RecordStage {
    /// From 0.
    pub number: u32,
    /// Which round of the stage, from 0.
    pub round: u32,
    /// Whether its pair was added to a meeting that was level.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub extra: bool,
}

/// The rule set of a record; together with the rules page it determines every parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct RecordRules {
    pub name: RulesName,
    pub seats: Seats,
    pub set: Set,
    pub target: u32,
}

impl RecordRules {
    /// Returns the rule set itself, if it can be played.
    pub fn rules(self) -> Result<Rules, RulesError> {
        Rules::new(self.name, self.seats, self.set, self.target)
    }
}

impl fmt::Display for RecordRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, seats, set, target } = self;
        write!(f, "{name} to {target} with {set}, {seats} seats")
    }
}

impl From<&Rules> for RecordRules {
    fn from(rules: &Rules) -> Self {
        Self { name: rules.name, seats: rules.seats, set: rules.set, target: rules.target }
    }
}

/// One deal and what was played on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RoundRecord {
    /// From 0; a round that was dealt again keeps its number.
    pub round: u32,
    /// How often this round was dealt before.
    pub redeal: u32,
    /// The tiles in dealing order.
    pub deck: Vec<Tile>,
    /// Every action, including forced ones; every draw shows its tile.
    pub actions: Vec<HistoryEntry>,
    pub end: RecordedEnding,
    /// The pips of each hand at the end; 0 if it was dealt again or was cut short.
    pub pips: PerSeat<u32>,
    /// What the round added to each score; 0 likewise.
    pub points: PerSeat<u32>,
    /// The scores after it.
    pub scores: PerSeat<u32>,
}

/// How a dealt round ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RecordedEnding {
    Dominoed,
    Blocked,
    Refused,
    /// No double could be led; dealt again.
    NoDouble,
    /// A fault ended the match during this round.
    Unfinished,
}

impl RecordedEnding {
    /// Whether the round counts: hands are shown, and points are added.
    pub const fn is_scored(self) -> bool {
        match self {
            Self::Dominoed | Self::Blocked => true,
            Self::Refused | Self::NoDouble | Self::Unfinished => false,
        }
    }
}

/// A bot's note on one of its actions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ActionNote {
    pub seat: Seat,
    /// Index into `rounds`.
    pub round: u32,
    /// Index into that round's `actions`.
    pub action: u32,
    /// As it is kept.
    #[serde(rename = "text")]
    pub note: Note,
}

/// A forgiven fault: the first legal action was played instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Strike {
    pub seat: Seat,
    /// Index into `rounds`.
    pub round: u32,
    /// Index into that round's `actions`.
    pub action: u32,
    pub code: FaultCode,
}

/// The machine at the time of the match.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MachineRecord {
    /// The longest time by which the arena's own timer woke it late during this match, in microseconds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub late_us: u64,
    /// The processor time, at least, that each seat's process used while it was not its turn, since the end of its last
    /// match, in microseconds; present if one of them used a millisecond or more and the system can measure it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub off_turn_us: Option<PerSeat<u64>>,
    /// The seats whose processes were stopped while it was not their turn, because they had used too much time then, in
    /// this match or before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stopped: Vec<Seat>,
    /// The worker that played it, if that was another machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worker: Option<String>,
    /// The speed of that worker in percent of the machine that directed the run; time limits were scaled by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<u32>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde's skip_serializing_if passes a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}
