//! What happens inside one match and in a whole run. While something runs, the events are the truth; what is kept
//! afterwards is their fold (a [`MatchRecord`]).
//!
//! These events are for the organiser: they hold every hidden tile. Others see a [`projection`](crate::projection) of
//! them.

use std::sync::Arc;

use leyden_protocol::{Action, Clock, FaultCode, HistoryEntry, MatchEnding, Note, PerSeat, Seat, Tile};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::fault::{DisabledBot, FaultRecord};
use crate::key::MatchKey;
use crate::record::{MachineRecord, MatchRecord, RecordRules, RecordedEnding};
use crate::seed::MatchSeed;

/// The version of the event stream: increases when a field changes its meaning or is removed.
pub const EVENTS_VERSION: u32 = 2;

/// What is settled about a match before it starts: the head of its record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MatchHeader {
    /// The opaque id that the bots are given.
    #[serde(rename = "match")]
    pub id: String,
    /// The tournament's id: the first 16 hex digits of its seed commitment.
    pub tournament: String,
    pub rules: RecordRules,
    /// The match seed, from which every deal follows. Secret until the last leg of the pair is over.
    pub seed: MatchSeed,
    /// Which pair of its table, from 0.
    pub block: u32,
    /// Which seating of the pair, from 0.
    pub leg: u32,
    /// The bots' names in seat order.
    pub bots: PerSeat<String>,
}

impl MatchHeader {
    /// Returns the head of the match that a table's bots, in the order of the tournament, play in one leg of a pair.
    pub fn new<N: AsRef<str>>(
        tournament: String,
        seed: MatchSeed,
        rules: RecordRules,
        (block, leg): (u32, u32),
        players: &[N],
    ) -> Self {
        let count = players.len().max(1);
        let name = |seat: Seat| players[(seat.index() + leg as usize) % count].as_ref().to_owned();
        let bots = PerSeat::from_fn(rules.seats, name);
        Self { id: seed.match_id(leg), tournament, rules, seed, block, leg, bots }
    }
}

/// Something that happened in a match. The order is: started; for each deal dealt, then any number of asked, struck and
/// acted, then settled; at the end ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum MatchEvent {
    /// The match starts.
    Started(Box<MatchHeader>),
    /// The tiles are dealt: hands in seat order, then the boneyard. `round` counts from 0, `redeal` is how
    /// often it was dealt before.
    Dealt { round: u32, redeal: u32, deck: Vec<Tile> },
    /// A seat with two or more legal actions is asked for one.
    Asked {
        seat: Seat,
        /// Counts the decisions that this seat is asked for in this match, from 1.
        turn: u64,
        legal: Vec<Action>,
        /// The clock that the seat was sent. Unknown for a replayed match.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clock: Option<Clock>,
    },
    /// A fault of the seat that was asked is forgiven; the first legal action is played instead, and follows.
    Struck {
        seat: Seat,
        code: FaultCode,
        /// The time charged for the decision, in microseconds.
        took_us: u64,
        /// The message for the bot's author. Unknown for a replayed match.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    },
    /// The seat to act has acted, or its only legal action was played for it.
    Acted {
        /// Who did what; a draw shows its tile.
        entry: HistoryEntry,
        /// How long the answer took, in microseconds: `None` if the seat was not asked or did not answer in time.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        took_us: Option<u64>,
        /// What the bot wrote with its action.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<Note>,
    },
    /// The deal is over. Pips and points are zero if it is dealt again or was cut short.
    Settled { end: RecordedEnding, pips: PerSeat<u32>, points: PerSeat<u32>, scores: PerSeat<u32> },
    /// The match is over.
    Ended(Box<MatchOver>),
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MatchOver {
    /// After a fault, the scores after the last finished round.
    pub scores: PerSeat<u32>,
    /// Null if nobody won.
    pub winner: Option<Seat>,
    pub end: MatchEnding,
    /// The fault that ended it.
    pub fault: Option<FaultRecord>,
    /// How long the decision took that ended with the fault, in microseconds; `None` if no answer came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub took_us: Option<u64>,
    /// The last lines that each bot wrote to its standard error, if something went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr: Option<PerSeat<String>>,
    /// What is known of the machine at the time of the match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<MachineRecord>,
}

/// Something that happened in a run: a tournament, a match of two, a gate. The first event is `start`, the last is
/// `end`; in between, each match of the schedule is played or void once, in the order in which that happens. A stream
/// that closes without `end` is that of a failed run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "An event of a run")]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum RunEvent {
    /// Before the first match.
    Start(RunStart),
    /// Results so far have determined what is played next.
    Stage(RunStage),
    /// Something happened in a match that is being played; only if requested. A match that is played again because the
    /// host was overloaded starts again with `started`.
    Move {
        /// The match's index in the schedule, from 0.
        rank: u64,
        key: MatchKey,
        happened: MatchEvent,
    },
    /// A match ended. Matches end in any order; `rank` is the index in the schedule.
    Match { rank: u64, key: MatchKey, record: Arc<MatchRecord> },
    /// A match counts for nothing, and neither does any other match of its pair, including one already reported.
    Void(MatchVoid),
    /// A bot is no longer started: its other matches are scored as lost by the same fault.
    #[serde(rename = "withdrawn")]
    Disabled(DisabledBot),
    /// The last event.
    End(RunEnd),
}

/// What is known before the first match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RunStart {
    /// The version of this stream of events.
    pub v: u32,
    /// The tournament's id.
    pub tournament: String,
    /// SHA-256 of the tournament seed, to check the seed text against afterwards.
    pub commitment: String,
    /// The results file, if there is one.
    pub results: Option<String>,
    /// The bots' names in the order of the tournament.
    pub bots: Vec<String>,
    /// How many matches are planned, of those known so far.
    pub matches: u64,
    /// How many of them were played in an earlier run.
    pub done: u64,
}

/// Another round of a format that had to wait for results. The first one is known when the run starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RunStage {
    /// The stage of the competition, from 0.
    pub stage: u32,
    /// Which round of its stage, from 0.
    pub round: u32,
    /// Whether it only adds pairs to meetings of that round that are level.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub extra: bool,
    /// How many matches are planned now, including those of earlier rounds.
    pub matches: u64,
}

/// A match that counts for nothing. No bot is to blame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MatchVoid {
    /// The match's index in the schedule, from 0.
    pub rank: u64,
    pub key: MatchKey,
    #[serde(rename = "match")]
    pub id: String,
    /// Which pair of its table, from 0.
    pub block: u32,
    /// Which seating of the pair, from 0.
    pub leg: u32,
    /// The bots' names in seat order.
    pub bots: PerSeat<String>,
    /// The reason, in a sentence.
    pub reason: String,
    /// Whether another leg of the same pair is the cause, which was reported before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub with_its_pair: bool,
    /// The match, if it was played before its pair was known to be void.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub played: Option<Arc<MatchRecord>>,
    /// If a defect of the arena was the cause: the lines that a report of it needs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub defect: Vec<String>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RunEnd {
    /// How many matches were played in this run and count.
    pub played: u64,
    /// How many matches do not count: every leg of a void pair.
    pub voided: u64,
    /// Bots that were no longer started.
    #[serde(rename = "withdrawn")]
    pub disabled: Vec<String>,
    /// Whether it was interrupted: it can be resumed.
    pub interrupted: bool,
    /// The seed text, once every match is played.
    pub seed: Option<String>,
}
