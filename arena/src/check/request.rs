//! What somebody wants to know of a bot, and why nothing may come of it.

use std::io;
use std::time::Duration;

use leyden_model::TimeLimits;
use leyden_referee::Overload;

use super::case::{BadCase, CASE, FOLDER};
use crate::halt::Halt;
use crate::rerun::RerunError;

/// What is to be checked.
#[derive(Clone, Debug)]
pub struct CheckRequest {
    /// What the bot is told, and held to.
    pub limits: TimeLimits,
    /// After this time no further position or match is begun; `None`: everything is played.
    pub time: Option<Duration>,
    /// Only findings whose names begin like this, or `cases`: those about cases.
    pub only: Option<String>,
    /// Whoever calls it ends the check before its time.
    pub halt: Halt,
}

impl CheckRequest {
    /// How the names begin that are wanted.
    pub(super) fn beginning(&self) -> Option<&str> {
        self.only.as_deref().map(|only| if only == FOLDER { CASE } else { only })
    }
}

/// Why nothing can be said of the bot. Its own failures are findings.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    #[error("{0}: not everything can be said of the bot; check it again when the machine has less to do")]
    Busy(Overload),
    #[error("the check was interrupted")]
    Interrupted,
    #[error(transparent)]
    Case(#[from] BadCase),
    #[error("nothing is called {0:?}; there are {names}", names = .1.join(", "))]
    NoSuchName(String, Vec<String>),
    #[error("the bot has no cases: leyden pin FILE MATCH --turn R.T writes one into its folder")]
    NoCases,
    #[error("the bot's bot.toml names rules and seats at which there is no table: see `leyden rules`")]
    NoTable,
    /// The arena's or the system's own failure.
    #[error(transparent)]
    Host(#[from] io::Error),
}

impl From<RerunError> for CheckError {
    fn from(error: RerunError) -> Self {
        Self::Host(io::Error::other(error))
    }
}
