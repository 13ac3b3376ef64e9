//! Why a results file cannot be opened, read or written.

use std::io;
use std::path::{Path, PathBuf};

use leyden_model::MatchKey;

use super::difference::{BEGIN_ANEW, BOT, KIND, PlanDifference};
use super::shape::MOST_BOTS;
use crate::format::NoSchedule;

/// Why a results file cannot be opened, read or written. Nothing was changed by what failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("there is no results file {}", path.display())]
    Missing { path: PathBuf },
    #[error("{} exists already: add --resume to go on with it, or name a new results file (an existing file is never overwritten)", path.display())]
    Exists { path: PathBuf },
    #[error("{} is not a results file of leyden: {why}. Name a file that `leyden tournament` wrote", path.display())]
    NotResults { path: PathBuf, why: String },
    #[error(
        "{} was written by {} with schema {found}, this leyden reads schema {known}: use that version for it",
        path.display(), .by.as_deref().map_or_else(|| "another leyden".to_owned(), |by| format!("leyden {by}"))
    )]
    OtherVersion { path: PathBuf, found: i32, known: i32, by: Option<String> },
    #[error(
        "another arena{} is writing to {}: wait until it is done, or name another results file",
        .holder.map_or_else(String::new, |pid| format!(" (process {pid})")), path.display()
    )]
    InUse { path: PathBuf, holder: Option<u32> },
    #[error(
        "{} {}:{}{hint}",
        path.display(), what_it_holds(.differences, .hint), listed(.differences)
    )]
    Different { path: PathBuf, differences: Vec<PlanDifference>, hint: String },
    #[error("two bots are called {name:?}: each needs a name of its own")]
    SameName { name: String },
    #[error("{bots} bots are more than a tournament may have, which are {MOST_BOTS}")]
    ManyBots { bots: usize },
    #[error(transparent)]
    Schedule(#[from] NoSchedule),
    #[error(
        "no room left to write {}: make room, then try again; what is in it already is kept",
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

/// Where only bots have changed there is a hint of what to do.
fn what_it_holds(differences: &[PlanDifference], hint: &str) -> String {
    match differences {
        [kind] if kind.field == KIND => format!("holds {}, and is resumed by that command", kind.file),
        all if all.iter().all(|one| one.field.starts_with(BOT)) => {
            "holds this tournament, with other bots".to_owned()
        }
        _ if hint.is_empty() => {
            "holds a tournament that was begun otherwise; what is not said again stays as it was".to_owned()
        }
        _ if hint == BEGIN_ANEW => "holds a gate between other versions".to_owned(),
        _ => "holds this tournament as it was begun, with a bot that has changed since".to_owned(),
    }
}

/// What the system said, without the path of a temporary file that nobody has named.
pub(crate) fn without_path(error: io::Error) -> io::Error {
    if error.kind() == io::ErrorKind::NotFound {
        return io::Error::new(io::ErrorKind::NotFound, "there is no such folder");
    }
    if error.raw_os_error().is_none() && error.get_ref().is_some() { error.kind().into() } else { error }
}

fn listed(differences: &[PlanDifference]) -> String {
    differences.iter().fold(String::new(), |lines, difference| lines + "\n  " + &difference.to_string())
}

impl StoreError {
    /// Whether it is the system that failed while a file was written to, such as a full disk.
    pub fn is_hosts(&self) -> bool {
        matches!(self, Self::Full { .. } | Self::Io { .. } | Self::Sqlite { .. })
    }

    pub(super) fn io(path: &Path, doing: &'static str, source: io::Error) -> Self {
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
    fn a_temporary_file_is_not_named_in_the_place_of_the_results() {
        let folder = tempfile::tempdir().unwrap();
        let gone = tempfile::tempfile_in(folder.path().join("gone"));
        let probe = tempfile::Builder::new().prefix(".leyden-").tempfile_in(folder.path().join("gone"));
        for source in [gone.map(drop).unwrap_err(), probe.map(drop).unwrap_err()] {
            let told = StoreError::io(Path::new("r.db"), "create", source).to_string();
            assert!(
                told.starts_with("cannot create r.db: ") && told.ends_with("there is no such folder"),
                "{told}"
            );
        }
    }
}
