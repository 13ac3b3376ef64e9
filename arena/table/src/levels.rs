//! Builtin bots as opponents, the weakest first.

/// A builtin bot as an opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpponentLevel {
    /// The name of the level.
    pub name: &'static str,
    /// The bot, as it is named on the command line.
    pub bot: &'static str,
    /// How it plays, in a few words.
    pub plays: &'static str,
}

impl OpponentLevel {
    /// The level if none is chosen.
    pub const DEFAULT: usize = 3;

    /// Returns the level with this number, counted from 1.
    pub fn by_number(number: usize) -> Option<&'static Self> {
        LEVELS.get(number.checked_sub(1)?)
    }

    /// Returns the level whose builtin bot has this name, such as `ladder --level 4`.
    pub fn called(bot: &str) -> Option<&'static Self> {
        LEVELS.iter().find(|level| level.bot.strip_prefix("builtin:") == Some(bot))
    }
}

/// Each level beats the ones before it in most matches, except that the first two are alike in matador, where there is nothing to
/// refuse or to draw needlessly.
pub const LEVELS: [OpponentLevel; 8] = [
    OpponentLevel { name: "first steps", bot: "builtin:random", plays: "does anything that is legal" },
    OpponentLevel { name: "beginner", bot: "builtin:ladder --level 2", plays: "lays any tile that fits" },
    OpponentLevel { name: "easy", bot: "builtin:ladder --level 3", plays: "lays its heaviest tile" },
    OpponentLevel {
        name: "medium",
        bot: "builtin:ladder --level 4",
        plays: "keeps matadors and what it can lay next",
    },
    OpponentLevel { name: "hard", bot: "builtin:ladder --level 5", plays: "leaves you little that fits" },
    OpponentLevel {
        name: "very hard",
        bot: "builtin:ladder --level 7",
        plays: "tries its tiles on deals it cannot see",
    },
    OpponentLevel {
        name: "expert",
        bot: "builtin:ladder --level 8",
        plays: "infers your tiles from what you drew",
    },
    OpponentLevel {
        name: "master",
        bot: "builtin:strong",
        plays: "guesses your tiles from all that you did",
    },
];
