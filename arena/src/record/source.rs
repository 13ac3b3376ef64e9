//! Where records are read from: a results file or an export, told apart by what the file begins with.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use leyden_model::{BotEntry, MatchRecord};

use super::export::{self, ExportedCompetition, LineError};
use super::store::{FindError, Results, StoreError};

/// The first bytes of every SQLite file.
pub const SQLITE: &[u8] = b"SQLite format 3\0";

/// The first bytes of a gzip file, such as the records of a published report.
const GZIP: &[u8] = &[0x1f, 0x8b];

/// Where records come from.
pub enum RecordSource {
    Results(Box<Results>),
    Export(ExportSource),
}

/// An export that is read once.
pub struct ExportSource {
    path: PathBuf,
    input: Box<dyn BufRead + Send>,
    competition: Option<ExportedCompetition>,
}

/// Why records cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    #[error("cannot read {}: {source}", .path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("{} is compressed with gzip: unpack it first", .0.display())]
    Compressed(PathBuf),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Find(#[from] FindError),
    #[error("{}: {source}", .path.display())]
    Line { path: PathBuf, source: LineError },
    #[error("{} does not hold {}", .path.display(), requested(.id.as_deref()))]
    NotFound { path: PathBuf, id: Option<String> },
}

fn requested(id: Option<&str>) -> String {
    id.map_or("a match".to_owned(), |id| format!("a match whose id begins with {id:?}"))
}

impl RecordSource {
    /// Opens a results file or an export; `-` reads an export from standard input.
    ///
    /// ```no_run
    /// use leyden_arena::record::source::{RecordSource, SourceError};
    ///
    /// for record in RecordSource::open("results.jsonl".as_ref())?.records() {
    ///     println!("{}", record?.id);
    /// }
    /// # Ok::<(), SourceError>(())
    /// ```
    pub fn open(path: &Path) -> Result<Self, SourceError> {
        let export =
            |input| Ok(Self::Export(ExportSource { path: path.to_owned(), input, competition: None }));
        if path == Path::new("-") {
            return export(Box::new(BufReader::new(io::stdin())));
        }
        let unreadable = |source| SourceError::Unreadable { path: path.to_owned(), source };
        let mut head = Vec::new();
        File::open(path)
            .map_err(unreadable)?
            .take(SQLITE.len() as u64)
            .read_to_end(&mut head)
            .map_err(unreadable)?;
        if head.starts_with(GZIP) {
            return Err(SourceError::Compressed(path.to_owned()));
        }
        // A text file is taken for an export: a line that is not a record is reported when it is read.
        let is_text = !head.is_empty()
            && head.iter().all(|byte| !byte.is_ascii_control() || byte.is_ascii_whitespace());
        if is_text {
            return export(Box::new(BufReader::new(File::open(path).map_err(unreadable)?)));
        }
        Ok(Self::Results(Box::new(Results::open(path)?)))
    }

    /// Returns the bots of a results file; an export has only names, match by match.
    pub fn bots(&self) -> Vec<BotEntry> {
        match self {
            Self::Results(results) => results.stored_plan().bots_from_here(),
            Self::Export(_) => Vec::new(),
        }
    }

    /// Returns all records in schedule order. Those of an export can be read once.
    pub fn records(&mut self) -> Box<dyn Iterator<Item = Result<MatchRecord, SourceError>> + '_> {
        match self {
            Self::Results(results) => Box::new(results.records().map(|stored| Ok(stored?.1))),
            Self::Export(export) => Box::new(export.records()),
        }
    }

    /// Returns an error for a results file whose matches this program cannot replay.
    pub fn check_edition(&self) -> Result<(), StoreError> {
        match self {
            Self::Results(results) => results.check_edition(),
            Self::Export(_) => Ok(()), // each record is checked when it is used
        }
    }

    /// Returns the match whose id begins like this, or the first one.
    pub fn find(mut self, id: Option<&str>) -> Result<MatchRecord, SourceError> {
        self.check_edition()?;
        match (&mut self, id) {
            (Self::Results(results), Some(id)) => Ok(results.find(id)?.1),
            (Self::Results(results), None) => {
                let path = results.path().to_owned();
                Ok(results.records().next().ok_or(SourceError::NotFound { path, id: None })??.1)
            }
            (Self::Export(export), id) => export.find(id),
        }
    }
}

impl ExportSource {
    /// Returns all records in the order of their lines.
    pub fn records(&mut self) -> impl Iterator<Item = Result<MatchRecord, SourceError>> + '_ {
        let Self { path, input, competition } = self;
        let mut lines = export::read(input);
        std::iter::from_fn(move || {
            let line = lines.next()?;
            if competition.is_none() {
                *competition = lines.competition().cloned();
            }
            Some(line.map_err(|source| SourceError::Line { path: path.clone(), source }))
        })
    }

    /// What the first record says about a competition of stages, once it is read.
    pub fn competition(&self) -> Option<&ExportedCompetition> {
        self.competition.as_ref()
    }

    fn find(&mut self, id: Option<&str>) -> Result<MatchRecord, SourceError> {
        for record in self.records() {
            let record = record?;
            if id.is_none_or(|id| record.id.starts_with(id)) {
                return Ok(record);
            }
        }
        Err(SourceError::NotFound { path: self.path.clone(), id: id.map(str::to_owned) })
    }
}
