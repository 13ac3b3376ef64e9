//! Changes that an organiser made in a running tournament: kept, and shown with its results.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A change, and how far the tournament had come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TournamentChange {
    /// How many matches counted at that time.
    pub after: u64,
    /// Whether everything planned was already played: the seed is public then, and every deal follows from it.
    pub seed_known: bool,
    pub what: ChangeKind,
}

/// What changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum ChangeKind {
    /// A bot joined.
    Joined { bot: String },
    /// A bot's program was replaced; its matches were removed and played again.
    Replaced { bot: String },
    /// A bot was withdrawn; this many of its matches were removed.
    Withdrawn { bot: String, matches: u64 },
    /// A bot left a Swiss or a league before this round, from 1; what it had played stays.
    Left { bot: String, round: u32 },
    /// The number of blocks changed.
    Blocks { from: u32, to: u32 },
}
