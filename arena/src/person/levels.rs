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
pub const LEVELS: [Level; 5] = [
    Level { name: "first steps", bot: "builtin:random", plays: "lays any tile that fits" },
    Level { name: "easy", bot: "builtin:greedy", plays: "lays its heaviest tile" },
    Level {
        name: "medium",
        bot: "builtin:careful --blunder 25",
        plays: "looks after its matadors, and slips now and then",
    },
    Level {
        name: "hard",
        bot: "builtin:careful",
        plays: "looks after its matadors and watches what you draw",
    },
    Level {
        name: "expert",
        bot: "builtin:montecarlo",
        plays: "plays thousands of possible deals out before each move",
    },
];
