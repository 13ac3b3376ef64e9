//! What an organiser changed in a tournament that had begun: kept, and told with its results.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A change, and how far the tournament was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TournamentChange {
    /// How many matches counted by then.
    pub after: u64,
    /// Whether everything was played by then that was wanted: the seed is told then, and every deal follows from it.
    pub seed_known: bool,
    pub what: ChangeKind,
}

/// What became different.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum ChangeKind {
    /// A bot came in.
    Joined { bot: String },
    /// A bot was given another program; what it had played was taken out, and played again.
    Replaced { bot: String },
    /// A bot plays no more; so many matches that it had played were taken out.
    Withdrawn { bot: String, matches: u64 },
    /// More blocks are played, or fewer.
    Blocks { from: u32, to: u32 },
}

impl fmt::Display for TournamentChange {
    /// `after 187 matches: careful was replaced …`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let matches = if self.after == 1 { "match" } else { "matches" };
        let known = if self.seed_known { ", when everything was played and the seed was told" } else { "" };
        write!(f, "after {} {matches}{known}: ", self.after)?;
        match &self.what {
            ChangeKind::Joined { bot } => write!(f, "{bot} joined"),
            ChangeKind::Replaced { bot } => {
                write!(f, "{bot} was replaced by another version, and what it had played was played again")
            }
            ChangeKind::Withdrawn { bot, matches } => {
                let played = match matches {
                    0 => "had played nothing",
                    1 => "the match that it had played was taken out",
                    _ => {
                        return write!(
                            f,
                            "{bot} was withdrawn, and the {matches} matches that it had played were taken out"
                        );
                    }
                };
                write!(f, "{bot} was withdrawn, and {played}")
            }
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
            "after 672 matches, when everything was played and the seed was told: late joined"
        );
        for (matches, said) in
            [(0, "had played nothing"), (2, "the 2 matches that it had played were taken out")]
        {
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
