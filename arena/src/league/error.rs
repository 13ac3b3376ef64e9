//! Why a league cannot go on.

use std::io;
use std::path::PathBuf;

use rusqlite::ErrorCode;

use super::version::Version;
use crate::record::store::{StoreError, WithdrawError};
use crate::run::RunError;
use crate::tournament::{OpenError, PlayError};

/// How often in a row a run may end without a match before the league stops.
pub(super) const FRUITLESS: u32 = 5;

/// A league that cannot go on. What was stored is complete.
#[derive(Debug, thiserror::Error)]
pub enum LeagueError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Withdraw(#[from] WithdrawError),
    #[error(transparent)]
    Run(#[from] RunError),
    #[error("cannot keep versions in {}: {source}", .folder.display())]
    Folder { folder: PathBuf, source: io::Error },
    #[error("names cannot be hidden: {0}")]
    Names(io::Error),
    #[error("{} is not the file of a league: {bot} is not the name of a version, such as \"ann v1\"", .file.display())]
    NoLeague { file: PathBuf, bot: String },
    #[error(
        "{version} is not in {} as it was handed in: put it back there, or take it out of the league with\n  \
         leyden withdraw {} '{version}'", .kept.display(), shlex::try_quote(&.file.to_string_lossy()).unwrap_or_default()
    )]
    Altered { version: Version, kept: PathBuf, file: PathBuf },
    #[error("no match could be played in {FRUITLESS} runs in a row")]
    Fruitless,
    #[error(
        "a defect of the arena: nobody watches the folder any more. What is stored is complete; the same command continues"
    )]
    Unwatched,
}

impl From<PlayError> for LeagueError {
    fn from(error: PlayError) -> Self {
        match error {
            PlayError::Run(error) => error.into(),
            PlayError::Store(error) => error.into(),
        }
    }
}

impl LeagueError {
    /// Whether it may work in a while: the machine lacks something, or somebody has a file of the league for a moment.
    pub(super) fn may_pass(&self) -> bool {
        match self {
            Self::Store(error)
            | Self::Open(OpenError::Store(error))
            | Self::Withdraw(WithdrawError::Store(error)) => match error {
                StoreError::Sqlite { source, .. } => {
                    source.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                }
                error => matches!(error, StoreError::Full { .. } | StoreError::InUse { .. }),
            },
            Self::Run(error) => error.may_pass(),
            // The organiser is editing the pseudonyms, and will be done; or there is no room.
            Self::Names(error) => {
                use io::ErrorKind::{InvalidData, QuotaExceeded, StorageFull};
                matches!(error.kind(), InvalidData | QuotaExceeded | StorageFull)
            }
            Self::Open(_)
            | Self::Withdraw(_)
            | Self::Folder { .. }
            | Self::NoLeague { .. }
            | Self::Altered { .. }
            | Self::Fruitless
            | Self::Unwatched => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::ffi;

    use super::*;

    #[test]
    fn league_waits_for_threads_but_not_for_defects() {
        let no_thread = RunError::Worker(io::ErrorKind::WouldBlock.into());
        assert!(LeagueError::from(PlayError::from(no_thread)).may_pass());
        assert!(!LeagueError::from(RunError::Lost("gone".to_owned())).may_pass());
    }

    #[test]
    fn league_waits_for_those_with_its_files() {
        let path = PathBuf::from("league.db");
        let sqlite = |code| StoreError::Sqlite {
            path: path.clone(),
            doing: "write to",
            source: rusqlite::Error::SqliteFailure(ffi::Error::new(code), None),
        };
        let in_use = StoreError::InUse { path: path.clone(), holder: None };
        assert!(LeagueError::from(OpenError::Store(in_use)).may_pass());
        assert!(LeagueError::from(WithdrawError::Store(sqlite(ffi::SQLITE_BUSY))).may_pass());
        assert!(!LeagueError::from(sqlite(ffi::SQLITE_READONLY)).may_pass());
        assert!(LeagueError::Names(io::ErrorKind::InvalidData.into()).may_pass());
        assert!(!LeagueError::Names(io::ErrorKind::PermissionDenied.into()).may_pass());
    }
}
