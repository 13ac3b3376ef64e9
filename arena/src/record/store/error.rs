//! Why a results file cannot be opened, read or written.

use std::io;
use std::path::{Path, PathBuf};

use leyden_model::{MatchKey, RULES_EDITION};

use super::difference::{Advice, PlanDifference, PlanPart};
use super::shape::MOST_BOTS;
use leyden_format::ScheduleError;

/// Why a results file cannot be opened, read or written. A failed operation changes nothing.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("the results file {} does not exist", path.display())]
    Missing { path: PathBuf },
    #[error("{} exists already: add --resume to continue it, or name a new results file (an existing file is never overwritten)", path.display())]
    Exists { path: PathBuf },
    #[error(
        "{} is left of a results file that is not there any more: put that file back, or remove {} as well, or name a new results file",
        log.display(), log.display()
    )]
    OtherLog { log: PathBuf },
    #[error("{} is not a leyden results file: {why}. Name a file that `leyden tournament` wrote", path.display())]
    NotResults { path: PathBuf, why: String },
    #[error(
        "{} was written by {} with schema {found}, this leyden reads schema {known}: use that version for it",
        path.display(), .by.as_deref().map_or_else(|| "another leyden".to_owned(), |by| format!("leyden {by}"))
    )]
    OtherVersion { path: PathBuf, found: i32, known: i32, by: Option<String> },
    #[error(
        "{} holds matches by edition {found} of the rules, played by {}; this leyden plays edition {RULES_EDITION}, by which \
         they cannot be replayed or verified: use that version for it",
        path.display(), .by.as_deref().map_or_else(|| "another leyden".to_owned(), |by| format!("leyden {by}"))
    )]
    OtherEdition { path: PathBuf, found: u32, by: Option<String> },
    #[error(
        "another arena{} is writing to {}: wait until it is done, or name another results file",
        .holder.map_or_else(String::new, |pid| format!(" (process {pid})")), path.display()
    )]
    InUse { path: PathBuf, holder: Option<u32> },
    #[error(
        "{} {}:{}{advice}",
        path.display(), what_it_holds(.differences, .advice), listed(.differences)
    )]
    Different { path: PathBuf, differences: Vec<PlanDifference>, advice: Advice },
    #[error("matches were removed from {} while it was read: start again", path.display())]
    Removed { path: PathBuf },
    #[error("another file has taken the place of {}: nothing was written to it; start again", path.display())]
    Exchanged { path: PathBuf },
    #[error("two bots are called {name:?}: names must be unique")]
    SameName { name: String },
    #[error("{bots} bots are too many: a tournament may have at most {MOST_BOTS}")]
    ManyBots { bots: usize },
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    #[error(
        "no room left to write {}: make room, then try again; what it contains already is kept",
        path.display()
    )]
    Full { path: PathBuf },
    #[error("cannot {doing} {}: {source}", path.display())]
    Io { path: PathBuf, doing: &'static str, source: io::Error },
    #[error("cannot {doing} {}: {source}", path.display())]
    Sqlite { path: PathBuf, doing: &'static str, source: rusqlite::Error },
    #[error("{} is damaged: {what}", path.display())]
    Damaged { path: PathBuf, what: String },
    #[error("a defect of the arena: block {}, table {:?}, leg {} was to be written {why}", key.block, key.table, key.leg)]
    Misplaced { key: MatchKey, why: &'static str },
    #[error("a defect of the arena: writing the results stopped by itself")]
    Panicked,
}

fn what_it_holds(differences: &[PlanDifference], advice: &Advice) -> String {
    if let [PlanDifference { what: PlanPart::Kind, file, .. }] = differences {
        return format!("holds {file}, and is resumed by that command");
    }
    let is_of_version = |one: &PlanDifference| matches!(one.what, PlanPart::Edition | PlanPart::Records);
    let is_of_players = |one: &PlanDifference| matches!(one.what, PlanPart::Bot(_) | PlanPart::Number(_));
    let holds = if differences.iter().any(is_of_version) {
        "was begun by a leyden with other rules or records, and can only be resumed by that one"
    } else if differences.iter().all(is_of_players) {
        "holds this tournament, with other bots"
    } else {
        match advice {
            Advice::None => {
                "holds a tournament with other options; options you don't repeat keep their previous values"
            }
            Advice::StartNewGate => "holds a gate between other versions",
            Advice::Replace { .. } => "holds this tournament, but a bot has changed since it started",
        }
    };
    holds.to_owned()
}

/// The system's message, without the path of a temporary file that the user has never named.
pub(crate) fn without_path(error: io::Error) -> io::Error {
    if error.kind() == io::ErrorKind::NotFound {
        return io::Error::new(io::ErrorKind::NotFound, "the folder does not exist");
    }
    if error.raw_os_error().is_none() && error.get_ref().is_some() { error.kind().into() } else { error }
}

fn listed(differences: &[PlanDifference]) -> String {
    differences.iter().fold(String::new(), |lines, difference| lines + "\n  " + &difference.to_string())
}

impl StoreError {
    /// Whether the system failed to write to a file, for example because the disk is full.
    pub fn is_hosts(&self) -> bool {
        match self {
            Self::Full { .. } | Self::Io { .. } | Self::Sqlite { .. } => true,
            Self::Missing { .. }
            | Self::Exists { .. }
            | Self::OtherLog { .. }
            | Self::NotResults { .. }
            | Self::OtherVersion { .. }
            | Self::OtherEdition { .. }
            | Self::InUse { .. }
            | Self::Different { .. }
            | Self::Exchanged { .. }
            | Self::Removed { .. }
            | Self::SameName { .. }
            | Self::ManyBots { .. }
            | Self::Schedule(_)
            | Self::Damaged { .. }
            | Self::Misplaced { .. }
            | Self::Panicked => false,
        }
    }

    pub(crate) fn io(path: &Path, doing: &'static str, source: io::Error) -> Self {
        let source = without_path(source);
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                Self::Full { path: path.to_owned() }
            }
            _ => Self::Io { path: path.to_owned(), doing, source },
        }
    }

    pub(super) fn sqlite(path: &Path, doing: &'static str, source: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode::{DatabaseCorrupt, DiskFull, NotADatabase};
        match source.sqlite_error_code() {
            Some(DiskFull) => Self::Full { path: path.to_owned() },
            Some(DatabaseCorrupt) => Self::Damaged { path: path.to_owned(), what: source.to_string() },
            Some(NotADatabase) => {
                Self::NotResults { path: path.to_owned(), why: "it is not an SQLite file".to_owned() }
            }
            _ => Self::Sqlite { path: path.to_owned(), doing, source },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn io_error_names_the_results_not_temporary_files() {
        let folder = tempfile::tempdir().unwrap();
        let gone = tempfile::tempfile_in(folder.path().join("gone"));
        let probe = tempfile::Builder::new().prefix(".leyden-").tempfile_in(folder.path().join("gone"));
        for source in [gone.map(drop).unwrap_err(), probe.map(drop).unwrap_err()] {
            let printed = StoreError::io(Path::new("r.db"), "create", source).to_string();
            assert!(
                printed.starts_with("cannot create r.db: ") && printed.ends_with("the folder does not exist"),
                "{printed}"
            );
        }
    }
}
