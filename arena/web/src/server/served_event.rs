//! An event that is served, and the file that has it.

use std::path::PathBuf;

use leyden_arena::report::ReportError;

use crate::snapshot::SnapshotReader;

/// An event to serve.
#[derive(Clone, Debug)]
pub struct ServedEvent {
    /// The results file.
    pub results: PathBuf,
    /// What it is called; `None` takes the name of its file.
    pub title: Option<String>,
}

impl ServedEvent {
    /// Opens the results file.
    pub(super) fn open(&self) -> Result<SnapshotReader, ReportError> {
        Ok(SnapshotReader::open(&self.results)?.titled(self.title.clone()))
    }
}
