//! What is kept of a match.
//!
//! A record is a function of the seed, the schedule and the bots' answers; whatever depends on the machine or the
//! moment ends in `_us` or stands under `host`, `stderr` or a fault's `message`.

use leyden_protocol::{FaultCode, HistoryEntry, MatchEnding, PerSeat, RulesName, Seat, Seats, Set, Tile};
use leyden_rules::{InvalidRules, Rules};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::seed::MatchSeed;

/// What the header of a results file has where SQLite keeps the id of the application.
pub const RESULTS_MARK: [u8; 4] = *b"LEYD";

/// The version of a record, its field `v`: counts up with its form, and with the rules by which it has to be right.
pub const RECORD_VERSION: u32 = 2;

/// The edition of the rules: counts up when the same deals and actions come to something else. In edition 1 (leyden 0.1) a
/// round in which tiles could be drawn went on also where no tile that was left fitted.
pub const RULES_EDITION: u32 = 2;

/// Everything that happened in one match; enough to replay it and to check every deal and action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "A match record")]
pub struct MatchRecord {
    /// The version of this form: 2.
    pub v: u32,
    /// The opaque id that the bots were given.
    #[serde(rename = "match")]
    pub id: String,
    /// The tournament's id: the first 16 hex digits of its seed commitment.
    pub tournament: String,
    pub rules: RecordRules,
    /// The match seed, from which every deal follows.
    pub seed: MatchSeed,
    /// Which pair of its pairing, from 0.
    pub block: u32,
    /// Which seating of the pair, from 0.
    pub leg: u32,
    /// The bots' names in seat order.
    pub bots: PerSeat<String>,
    /// Every dealt round, also those dealt again.
    pub rounds: Vec<RoundRecord>,
    /// After a fault: the scores after the last finished round.
    pub scores: PerSeat<u32>,
    pub winner: Option<Seat>,
    pub end: MatchEnding,
    pub fault: Option<FaultRecord>,
    /// What the arena measured for each asked decision, in microseconds.
    pub think_us: PerSeat<Vec<u64>>,
    /// What the bots wrote beside their actions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// Faults that were forgiven by the strikes rule.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub strikes: Vec<Strike>,
    /// The last lines that each bot wrote to its standard error, when something went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr: Option<PerSeat<String>>,
    /// What is known of the machine at the time of the match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<MachineRecord>,
}

/// The rule set of a record; with the rules page it determines every parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct RecordRules {
    pub name: RulesName,
    pub seats: Seats,
    pub set: Set,
    pub target: u32,
}

impl RecordRules {
    /// The rule set itself, if it can be played.
    pub fn rules(self) -> Result<Rules, InvalidRules> {
        Rules::new(self.name, self.seats, self.set, self.target)
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
    pub round: u32,
    pub redeal: u32,
    /// The tiles in dealing order.
    pub deck: Vec<Tile>,
    /// Every action, forced ones included; every draw shows its tile.
    pub actions: Vec<HistoryEntry>,
    pub end: RecordedEnding,
    pub pips: PerSeat<u32>,
    pub points: PerSeat<u32>,
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
    /// A fault ended the match during it.
    Unfinished,
}

/// The fault that ended a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FaultRecord {
    pub seat: Seat,
    pub code: FaultCode,
    /// What was expected, what came, and what to do: written for the bot's author.
    pub message: String,
}

/// A bot's note on one of its actions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Note {
    pub seat: Seat,
    /// Index into `rounds`.
    pub round: u32,
    /// Index into that round's `actions`.
    pub action: u32,
    pub text: String,
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
    /// The longest that the arena's own timer woke it late during this match, in microseconds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub late_us: u64,
    /// The time on the processors that each seat's process used for certain, since the end of its last match, while it was
    /// not its turn, in microseconds; there if one of them used a millisecond or more and the system can tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub off_turn_us: Option<PerSeat<u64>>,
    /// The seats whose processes were stopped while it was not their turn, because they had used too much time then, in
    /// this match or before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stopped: Vec<Seat>,
    /// Which worker played it, where that was another machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worker: Option<String>,
    /// How fast that worker is, in hundredths of the machine that directed the run; limits of time were scaled by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<u32>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde's skip_serializing_if passes a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}
