//! The messages of protocol 1: one JSON object per line, its fields in the order in which the arena writes them.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::action::{Action, HistoryEntry};
use crate::note::Note;
use crate::ruleset::{RuleSet, RulesName};
use crate::seat::{PerSeat, Seat, Seats};
use crate::tile::TileSet;
use crate::view::{Arms, Phase, View};

/// The protocol version that this crate speaks.
pub const VERSION: Version = Version { major: 1, minor: 2 };

/// The longest line a bot may send, in bytes, without the line feed.
pub const LONGEST_LINE: usize = 65_536;

/// A protocol version, written `"1.0"`. Versions with the same major number are compatible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    pub major: u32,
    pub minor: u32,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// A text that is not a version.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected a protocol version such as \"1.0\", got {0:?}")]
pub struct VersionError(pub String);

impl FromStr for Version {
    type Err = VersionError;

    fn from_str(text: &str) -> Result<Self, VersionError> {
        let number = |part: &str| -> Option<u32> {
            part.bytes().all(|b| b.is_ascii_digit()).then(|| part.parse().ok())?
        };
        let parse = || {
            let (major, minor) = text.split_once('.')?;
            Some(Self { major: number(major)?, minor: number(minor)? })
        };
        parse().ok_or_else(|| VersionError(text.chars().take(40).collect()))
    }
}

impl Serialize for Version {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Cow::<'de, str>::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for Version {
    fn schema_name() -> Cow<'static, str> {
        "Version".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^[0-9]+\\.[0-9]+$", "description": "major.minor" })
    }
}

/// Which fault a bot committed. The list is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FaultCode {
    /// The process could not be started.
    Spawn,
    /// No valid `ready` came within the start-up limit.
    Handshake,
    /// No complete answer came before the deadline.
    Timeout,
    /// The process ended, or closed its standard output, while an answer was due.
    Exited,
    /// A line that is not a JSON object of a known type.
    Malformed,
    /// A line longer than the limit.
    Oversized,
    /// An action that is not among the legal ones.
    Illegal,
    /// A line that was not asked for, or one with the wrong `id`.
    Unexpected,
    /// The process computed while it was stopped.
    Ran,
}

impl FaultCode {
    /// All codes, in the order in which faults are counted and listed.
    pub const ALL: [Self; 9] = [
        Self::Spawn,
        Self::Handshake,
        Self::Timeout,
        Self::Exited,
        Self::Malformed,
        Self::Oversized,
        Self::Illegal,
        Self::Unexpected,
        Self::Ran,
    ];

    /// Whether the bot failed to start: it never said that it is ready.
    pub const fn is_start_failure(self) -> bool {
        matches!(self, Self::Spawn | Self::Handshake)
    }

    /// Returns its name in messages, such as `timeout`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Spawn => "spawn",
            Self::Handshake => "handshake",
            Self::Timeout => "timeout",
            Self::Exited => "exited",
            Self::Malformed => "malformed",
            Self::Oversized => "oversized",
            Self::Illegal => "illegal",
            Self::Unexpected => "unexpected",
            Self::Ran => "ran",
        }
    }
}

impl fmt::Display for FaultCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// How a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MatchEnding {
    /// A score reached the target.
    Target,
    /// A bot's fault ended it.
    Fault,
    /// It reached 500 scored rounds.
    RoundLimit,
}

/// How a round ended that bots learn of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RoundEnding {
    /// A hand is empty.
    Dominoed,
    /// No further play is possible: no tile outside the layout fits, or nobody can draw and no hand holds one that does.
    Blocked,
    /// Nobody wanted to lead; the round is dealt again.
    Refused,
}

/// The clock that measures thinking time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClockKind {
    /// Real time from writing the request to the complete answer.
    #[default]
    Wall,
    /// Processor time of the bot.
    Cpu,
}

/// A message from the arena to a bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[schemars(title = "A line from the arena to a bot")]
pub enum ToBot<'a> {
    #[serde(borrow)]
    Hello(Hello<'a>),
    #[serde(borrow)]
    MatchStart(MatchStart<'a>),
    #[serde(borrow)]
    Turn(Turn<'a>),
    RoundEnd(RoundEnd<'a>),
    #[serde(borrow)]
    MatchEnd(MatchEnd<'a>),
    #[serde(borrow)]
    Error(ErrorNotice<'a>),
}

/// The first line, answered with `ready`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Hello<'a> {
    pub protocol: Version,
    /// The arena's name and version.
    #[serde(borrow)]
    pub arena: Cow<'a, str>,
    pub rules: RuleSet,
    pub limits: Limits,
}

/// The limits that a bot must keep. Durations are in whole milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Limits {
    /// From `hello` to `ready`.
    pub startup_ms: u64,
    /// For each decision.
    pub turn_ms: u64,
    /// For a whole match: used up by decisions that take longer than `turn_ms`.
    pub bank_ms: u64,
    /// Added to the bank after each decision.
    pub increment_ms: u64,
    pub clock: ClockKind,
    /// Longest line a bot may send, in bytes without the line feed.
    pub line: u64,
}

/// A match begins. Not answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MatchStart<'a> {
    /// An opaque id of the match.
    #[serde(rename = "match", borrow)]
    pub match_id: Cow<'a, str>,
    pub seat: Seat,
    pub seats: Seats,
    pub rules: RulesName,
    pub target: u32,
    /// The same whenever this match is played again; below 2⁵³.
    #[schemars(range(max = 9_007_199_254_740_991_u64))]
    pub bot_seed: u64,
    /// The bots in seat order; only if the organiser shows names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub names: Option<Vec<Cow<'a, str>>>,
}

impl MatchStart<'_> {
    /// Returns the same message, owning its strings.
    pub fn into_owned(self) -> MatchStart<'static> {
        let names =
            self.names.map(|names| names.into_iter().map(|name| Cow::Owned(name.into_owned())).collect());
        MatchStart {
            match_id: Cow::Owned(self.match_id.into_owned()),
            seat: self.seat,
            seats: self.seats,
            rules: self.rules,
            target: self.target,
            bot_seed: self.bot_seed,
            names,
        }
    }
}

/// The time that a bot has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Clock {
    /// The limit for this decision.
    pub turn_ms: u64,
    /// The time left beyond that limit, for the rest of the match.
    pub bank_ms: u64,
    /// What the arena measured for this seat's previous answer, in microseconds; null at the first.
    pub last_us: Option<u64>,
}

/// A decision is needed. Answered with `action` and the same `id`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Turn<'a> {
    /// Counts the decisions that this seat is asked for in this match, from 1.
    #[schemars(range(min = 1))]
    pub id: u64,
    #[serde(rename = "match", borrow)]
    pub match_id: Cow<'a, str>,
    pub rules: RulesName,
    pub target: u32,
    /// The number of rounds scored before this one.
    pub round: u32,
    /// How often this round was dealt before.
    pub redeal: u32,
    pub phase: Phase,
    pub seat: Seat,
    /// The seat's own tiles, ascending.
    pub hand: TileSet,
    pub arms: Arms,
    /// Tiles left in the boneyard, the reserve included.
    pub boneyard: u8,
    /// Tiles that may still be drawn.
    pub drawable: u8,
    /// Tiles each seat holds.
    pub counts: PerSeat<u8>,
    pub scores: PerSeat<u32>,
    /// What happened in this round; other seats' draws show no tile.
    pub history: Cow<'a, [HistoryEntry]>,
    /// Every legal action, two or more.
    #[schemars(length(min = 2))]
    pub legal: Cow<'a, [Action]>,
    pub clock: Clock,
}

impl<'a> Turn<'a> {
    /// Creates the request for a decision on what a seat sees.
    pub fn new(id: u64, match_id: &'a str, view: View<'a>, clock: Clock) -> Self {
        Self {
            id,
            match_id: Cow::Borrowed(match_id),
            rules: view.rules,
            target: view.target,
            round: view.round,
            redeal: view.redeal,
            phase: view.phase,
            seat: view.seat,
            hand: view.hand,
            arms: view.arms,
            boneyard: view.boneyard,
            drawable: view.drawable,
            counts: view.counts,
            scores: view.scores,
            history: view.history,
            legal: view.legal,
            clock,
        }
    }

    /// Returns the same message, owning everything in it.
    pub fn into_owned(self) -> Turn<'static> {
        Turn {
            match_id: Cow::Owned(self.match_id.into_owned()),
            history: Cow::Owned(self.history.into_owned()),
            legal: Cow::Owned(self.legal.into_owned()),
            id: self.id,
            rules: self.rules,
            target: self.target,
            round: self.round,
            redeal: self.redeal,
            phase: self.phase,
            seat: self.seat,
            hand: self.hand,
            arms: self.arms,
            boneyard: self.boneyard,
            drawable: self.drawable,
            counts: self.counts,
            scores: self.scores,
            clock: self.clock,
        }
    }

    /// Returns what the seat sees, without the fields of the conversation.
    pub fn view(&self) -> View<'_> {
        View {
            rules: self.rules,
            target: self.target,
            round: self.round,
            redeal: self.redeal,
            phase: self.phase,
            seat: self.seat,
            hand: self.hand,
            arms: self.arms,
            boneyard: self.boneyard,
            drawable: self.drawable,
            counts: self.counts,
            scores: self.scores,
            history: Cow::Borrowed(&self.history),
            legal: Cow::Borrowed(&self.legal),
        }
    }
}

/// A round is over, or a deal was refused. Not answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RoundEnd<'a> {
    pub round: u32,
    pub redeal: u32,
    pub end: RoundEnding,
    /// What each seat held at the end, ascending; not shown after a refused deal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hands: Option<PerSeat<TileSet>>,
    /// The pips of those hands; not shown after a refused deal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pips: Option<PerSeat<u32>>,
    /// What the round adds to the scores; not shown after a refused deal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<PerSeat<u32>>,
    pub scores: PerSeat<u32>,
    pub history: Cow<'a, [HistoryEntry]>,
}

/// A match is over. Not answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MatchEnd<'a> {
    #[serde(rename = "match", borrow)]
    pub match_id: Cow<'a, str>,
    pub scores: PerSeat<u32>,
    /// Null when nobody won.
    pub winner: Option<Seat>,
    pub end: MatchEnding,
    pub fault: Option<FaultNotice>,
}

/// The fault that ended a match. Only the bot at fault learns what was wrong, from `error`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FaultNotice {
    pub seat: Seat,
    pub code: FaultCode,
}

/// What was wrong, sent just before a fault costs the match or a strike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorNotice<'a> {
    pub code: FaultCode,
    /// What was expected, what came, and what to do.
    #[serde(borrow)]
    pub message: Cow<'a, str>,
    /// The beginning of what came, made printable.
    #[serde(borrow)]
    pub received: Cow<'a, str>,
    /// The actions that would have been legal; empty if no decision was needed.
    pub legal: Cow<'a, [Action]>,
}

/// A message from a bot to the arena.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[schemars(title = "A line from a bot to the arena")]
pub enum FromBot<'a> {
    #[serde(borrow)]
    Ready(Ready<'a>),
    Action(Answer),
}

/// The answer to `hello`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Ready<'a> {
    pub protocol: Version,
    #[serde(borrow)]
    pub name: Cow<'a, str>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub version: Option<Cow<'a, str>>,
}

/// The answer to `turn`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Answer {
    /// The `id` of the turn.
    pub id: u64,
    pub action: Action,
    /// For the bot's author, kept in the record: a text of at most 500 bytes, or an object as long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<Note>,
}
