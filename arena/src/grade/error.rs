//! Why bots cannot be graded.

use std::io;

use super::stored_grades::GradesMismatchError;
use crate::check::CheckError;
use crate::report::ReportError;
use crate::report::luck::LuckError;
use crate::rerun::ReadyBotError;
use crate::roster::BotLookupError;
use crate::tournament::{OpenError, PlayError};

/// Why nothing could be graded. What is wrong with a bot is reported in its grade instead.
#[derive(Debug, thiserror::Error)]
pub enum GradeError {
    #[error(transparent)]
    NotABot(#[from] BotLookupError),
    #[error(transparent)]
    Check(CheckError),
    /// The machine was too busy.
    #[error("{0}")]
    Overload(String),
    #[error(transparent)]
    NoBot(ReadyBotError),
    #[error("the rubric's bot {bot} cannot be played against: {source}")]
    Reference { bot: String, source: ReadyBotError },
    #[error("its matches could not be started: {0}")]
    Open(#[from] OpenError),
    #[error(transparent)]
    Play(#[from] PlayError),
    #[error(transparent)]
    Report(#[from] ReportError),
    #[error(transparent)]
    Luck(#[from] LuckError),
    #[error("grading was cut short: not every match was played")]
    Incomplete,
    #[error("interrupted before any bot was graded; nothing was written")]
    Interrupted,
    #[error(transparent)]
    Unlike(#[from] GradesMismatchError),
    #[error("cannot create the folder for the match records: {0}")]
    Folder(#[from] io::Error),
}
