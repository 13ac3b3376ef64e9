//! Why bots cannot be graded.

use std::io;

use super::kept::GradesDiffer;
use crate::check::CheckError;
use crate::report::ReportError;
use crate::rerun::NoBot;
use crate::roster::NotABot;
use crate::tournament::{OpenError, PlayError};

/// Why nothing could be graded. What is wrong with a bot is in its grade.
#[derive(Debug, thiserror::Error)]
pub enum GradeError {
    #[error(transparent)]
    NotABot(#[from] NotABot),
    #[error(transparent)]
    Check(CheckError),
    /// The machine was too busy.
    #[error("{0}")]
    Overload(String),
    #[error(transparent)]
    NoBot(NoBot),
    #[error("the rubric's bot {bot} cannot be played against: {source}")]
    Reference { bot: String, source: NoBot },
    #[error("its matches could not be begun: {0}")]
    Open(#[from] OpenError),
    #[error(transparent)]
    Play(#[from] PlayError),
    #[error(transparent)]
    Report(#[from] ReportError),
    #[error("grading was cut short: not every match was played")]
    Incomplete,
    #[error("interrupted: none of {all} bots was graded, and nothing was written")]
    Interrupted { all: usize },
    #[error(transparent)]
    Unlike(#[from] GradesDiffer),
    #[error("no folder for the records of matches: {0}")]
    Folder(#[from] io::Error),
}

impl GradeError {
    /// Whether a bot that was named is to blame, and not what is around it.
    pub fn is_missing(&self) -> bool {
        match self {
            Self::NotABot(_) => true,
            Self::Reference { source, .. } => matches!(source, NoBot::NotABot(_) | NoBot::Missing(_)),
            _ => false,
        }
    }
}
