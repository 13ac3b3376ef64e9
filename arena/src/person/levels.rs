//! Builtin bots to begin with, the weakest first.

/// A builtin bot as an opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// What people call it.
    pub name: &'static str,
    /// The bot as it is named on the command line.
    pub bot: &'static str,
    /// How it plays.
    pub plays: &'static str,
}

impl Level {
    /// Who plays if nobody else is named.
    pub const DEFAULT: usize = 3;

    /// The level of this number, from 1.
    pub fn of(number: usize) -> Option<&'static Self> {
        LEVELS.get(number.checked_sub(1)?)
    }
}

/// From 1: each beats those before it in most matches.
pub const LEVELS: [Level; 8] = [
    Level { name: "first steps", bot: "builtin:random", plays: "does anything that is legal" },
    Level { name: "beginner", bot: "builtin:ladder --level 2", plays: "lays any tile that fits" },
    Level { name: "easy", bot: "builtin:ladder --level 3", plays: "lays its heaviest tile" },
    Level {
        name: "medium",
        bot: "builtin:ladder --level 4",
        plays: "keeps matadors and what it can lay next",
    },
    Level { name: "hard", bot: "builtin:ladder --level 5", plays: "leaves you little that fits" },
    Level {
        name: "very hard",
        bot: "builtin:ladder --level 7",
        plays: "tries its tiles on deals it cannot see",
    },
    Level {
        name: "expert",
        bot: "builtin:ladder --level 8",
        plays: "guesses from what you drew what you hold",
    },
    Level { name: "master", bot: "builtin:strong", plays: "guesses your tiles from all that you did" },
];
