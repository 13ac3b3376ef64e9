//! `leyden play`: a person at a table with bots, in a browser or in the terminal, or bots that are watched step by step.

mod browser;
mod options;
mod text;

use super::exit::{Code, CommandError};
pub(crate) use options::{PlayOptions, SHOWN};

/// Plays, or lets play.
pub(super) fn run(typed: &PlayOptions) -> Result<Code, CommandError> {
    if typed.text {
        return text::play(typed.make(typed.level())?);
    }
    // Who is to be played against is asked on the page, unless it was said here.
    let is_open = typed.bots.is_empty() && typed.level.is_none() && !typed.watch;
    browser::play(typed, is_open)
}
