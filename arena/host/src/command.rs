//! What to run for a bot, before it is decided how.

use std::ffi::OsString;
use std::path::PathBuf;

/// What to run for a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    pub program: PathBuf,
    pub arguments: Vec<OsString>,
    /// The working directory; `None` for the arena's own.
    pub folder: Option<PathBuf>,
    /// What it may read in a sandbox, besides its folder and its program.
    pub reads: Vec<PathBuf>,
}
