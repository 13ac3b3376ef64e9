//! `leyden play`: a person at a table with bots, in a browser or in the terminal, or bots that are watched step by step.

mod browser;
mod options;
mod text;

use crate::exit::{Code, CommandError};
pub(crate) use options::{PlayOptions, SHOWN};

/// Plays a match with a person, or lets bots play while a person watches.
pub(crate) fn run(typed: &PlayOptions) -> Result<Code, CommandError> {
    if typed.text {
        return text::play(typed.make(typed.level())?, typed.language.get());
    }
    // The opponent is chosen on the page, unless one was typed.
    let is_open = typed.bots.is_empty() && typed.level.is_none() && !typed.watch;
    browser::play(typed, is_open)
}
