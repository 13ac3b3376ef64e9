//! Changes that an organiser made in a running tournament: kept, and shown with its results.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A change, and how far the tournament had come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TournamentChange {
    /// How many matches counted at that time.
    pub after: u64,
    /// Whether everything wanted was already played: the seed is public then, and every deal follows from it.
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

impl fmt::Display for TournamentChange {
    /// `after 187 matches: careful was replaced …`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let matches = if self.after == 1 { "match" } else { "matches" };
        let known =
            if self.seed_known { ", when everything had been played and the seed was public" } else { "" };
        write!(f, "after {} {matches}{known}: ", self.after)?;
        match &self.what {
            ChangeKind::Joined { bot } => write!(f, "{bot} joined"),
            ChangeKind::Replaced { bot } => {
                write!(f, "{bot} was replaced by another version, and its matches were played again")
            }
            ChangeKind::Withdrawn { bot, matches } => {
                let played = match matches {
                    0 => "had not played",
                    1 => "its match was removed",
                    _ => {
                        return write!(f, "{bot} was withdrawn, and its {matches} matches were removed");
                    }
                };
                write!(f, "{bot} was withdrawn, and {played}")
            }
            ChangeKind::Left { bot, round } => write!(f, "{bot} left before round {round}"),
            ChangeKind::Blocks { from, to } => write!(f, "blocks changed from {from} to {to}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_says_when_it_was_made() {
        let change = |after, seed_known, what| TournamentChange { after, seed_known, what }.to_string();
        let bot = "late".to_owned();
        assert_eq!(
            change(672, true, ChangeKind::Joined { bot }),
            "after 672 matches, when everything had been played and the seed was public: late joined"
        );
        for (matches, said) in [(0, "had not played"), (2, "its 2 matches were removed")] {
            assert_eq!(
                change(3, false, ChangeKind::Withdrawn { bot: "gone".to_owned(), matches }),
                format!("after 3 matches: gone was withdrawn, and {said}")
            );
        }
        assert_eq!(
            change(1, false, ChangeKind::Blocks { from: 300, to: 181 }),
            "after 1 match: blocks changed from 300 to 181"
        );
    }
}
