//! What to check about a bot, and why a check may yield nothing.

use std::io;
use std::time::Duration;

use leyden_model::TimeLimits;
use leyden_referee::OverloadError;

use super::case::{CASE, CaseError, FOLDER};
use crate::rerun::RerunError;
use tokio_util::sync::CancellationToken;

/// What to check.
#[derive(Clone, Debug)]
pub struct CheckRequest {
    /// The time limits that the bot receives and has to keep.
    pub limits: TimeLimits,
    /// After this time no further position or match is started; `None` plays everything.
    pub time: Option<Duration>,
    /// Check only findings whose names start like this, or `cases`: the findings about cases.
    pub only: Option<String>,
    /// Whether the cases in the bot's folder are shown to it, too.
    pub own_cases: bool,
    /// Ends the check early when called.
    pub stop: CancellationToken,
}

impl CheckRequest {
    /// The prefix of the requested names.
    pub(super) fn beginning(&self) -> Option<&str> {
        self.only.as_deref().map(|only| if only == FOLDER { CASE } else { only })
    }
}

/// Why a check has no result. Failures of the bot itself are findings instead.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    #[error("{0}: the check of the bot is incomplete; check it again when the machine is less busy")]
    Busy(OverloadError),
    #[error("the check was interrupted")]
    Interrupted,
    #[error(transparent)]
    Case(#[from] CaseError),
    #[error("nothing is called {0:?}; the names are {names}", names = .1.join(", "))]
    NoSuchName(String, Vec<String>),
    #[error("the bot has no cases: leyden pin FILE MATCH --turn rR.tT writes one into its folder")]
    NoCases,
    #[error("the bot's bot.toml names rules and seats that fit no table: see `leyden rules`")]
    NoTable,
    /// A failure of the arena or the system.
    #[error(transparent)]
    Host(#[from] io::Error),
}

impl From<RerunError> for CheckError {
    fn from(error: RerunError) -> Self {
        Self::Host(io::Error::other(error))
    }
}
