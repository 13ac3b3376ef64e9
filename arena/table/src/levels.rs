//! Builtin bots as opponents, the weakest first.

use leyden_language::{Language, text::play as text};

/// A builtin bot as an opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpponentLevel {
    /// Its number, counted from 1.
    pub number: usize,
    /// The bot, as it is named on the command line.
    pub bot: &'static str,
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

    /// Returns the name of the level.
    pub fn name(&self, language: Language) -> String {
        language.say(text::LevelName { level: self.number })
    }

    /// Says how it plays, in a few words.
    pub fn plays(&self, language: Language) -> String {
        language.say(text::LevelPlays { level: self.number })
    }
}

/// Each level beats the ones before it in most matches, except that the first two are alike in matador, where there is nothing to
/// refuse or to draw needlessly.
pub const LEVELS: [OpponentLevel; 8] = [
    OpponentLevel { number: 1, bot: "builtin:random" },
    OpponentLevel { number: 2, bot: "builtin:ladder --level 2" },
    OpponentLevel { number: 3, bot: "builtin:ladder --level 3" },
    OpponentLevel { number: 4, bot: "builtin:ladder --level 4" },
    OpponentLevel { number: 5, bot: "builtin:ladder --level 5" },
    OpponentLevel { number: 6, bot: "builtin:ladder --level 7" },
    OpponentLevel { number: 7, bot: "builtin:ladder --level 8" },
    OpponentLevel { number: 8, bot: "builtin:strong" },
];
