//! What a results file or an export says, for Python: reports as JSON, and decisions as arrays.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use leyden_arena::record::export::{self, BadLine};
use leyden_arena::record::store::{Results, StoreError};
use leyden_arena::report::{BotOrder, Exported, MatchLine, ReportError, Standings, TournamentTally};
use leyden_dataset::{ReadError, Shard, Shards};
use leyden_model::MatchRecord;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::border::{LeydenError, guarded, rejected};

/// The first bytes of every results file.
const SQLITE: &[u8] = b"SQLite format 3\0";

/// Why a file of records cannot be read.
#[derive(Debug, thiserror::Error)]
enum SourceError {
    #[error("cannot read {}: {source}", .path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("{}: {source}", .path.display())]
    Line { path: PathBuf, source: BadLine },
    #[error(transparent)]
    Report(#[from] ReportError),
}

/// Passes all records of a results file or an export to `take`, in order.
fn each<T>(
    path: &Path,
    take: impl FnOnce(&mut dyn Iterator<Item = Result<MatchRecord, SourceError>>) -> T,
) -> Result<T, SourceError> {
    let unreadable = |source| SourceError::Unreadable { path: path.to_owned(), source };
    let mut head = Vec::new();
    File::open(path).map_err(unreadable)?.take(SQLITE.len() as u64).read_to_end(&mut head).map_err(unreadable)?;
    if head == SQLITE {
        let results = Results::open(path)?;
        let mut records = results.records().map(|stored| Ok(stored?.1));
        return Ok(take(&mut records));
    }
    let lines = export::read(BufReader::new(File::open(path).map_err(unreadable)?));
    let mut records =
        lines.map(|line| line.map_err(|source| SourceError::Line { path: path.to_owned(), source }));
    Ok(take(&mut records))
}

/// Whether a file is a results file; otherwise it is taken for an export.
fn is_results(path: &Path) -> bool {
    let mut head = [0; 16];
    File::open(path).and_then(|mut file| file.read_exact(&mut head)).is_ok() && head == SQLITE
}

/// Returns the standings as a JSON document.
#[pyfunction]
pub(crate) fn standings(py: Python<'_>, path: PathBuf) -> PyResult<String> {
    py.detach(|| guarded(|| {
        let read = || -> Result<Standings, SourceError> {
            let tally = if is_results(&path) {
                TournamentTally::of(&Results::open(&path)?, BotOrder::AsTyped)?
            } else {
                each(&path, |records| {
                    let mut exported = Exported::default();
                    for record in records {
                        exported.add(&record?)?;
                    }
                    Ok::<_, SourceError>(exported.finish()?)
                })??
            };
            Ok(Standings::of(&tally, true).map_err(ReportError::from)?)
        };
        serde_json::to_string(&read().map_err(rejected)?).map_err(rejected)
    }))
}

/// Returns the list of matches as a JSON array.
#[pyfunction]
pub(crate) fn matches(py: Python<'_>, path: PathBuf) -> PyResult<String> {
    py.detach(|| guarded(|| {
        let read = |records: &mut dyn Iterator<Item = Result<MatchRecord, SourceError>>| {
            let mut lines = Vec::new();
            for record in records {
                let record = record?;
                let better = record.rules.rules().map(|rules| rules.better);
                lines.push(MatchLine::of(&record, better.unwrap_or(leyden_protocol::WinningScore::Lower)));
            }
            Ok::<_, SourceError>(lines)
        };
        let lines = each(&path, read).and_then(|lines| lines).map_err(rejected)?;
        serde_json::to_string(&lines).map_err(rejected)
    }))
}

/// A shard with the names of its bots, or why there is none.
type Next = Result<(Shard, Vec<String>, usize, usize), String>;

/// The decisions of a file, shard by shard. `leyden.dataset` is made from it.
#[pyclass(module = "leyden")]
pub(crate) struct Decisions {
    /// Filled by a thread that reads ahead by one shard, and ends when this is dropped.
    shards: Mutex<Receiver<Next>>,
}

#[pymethods]
impl Decisions {
    #[new]
    fn new(path: PathBuf, rows: usize) -> PyResult<Self> {
        let (send, shards) = sync_channel(1);
        let read = move || {
            let all = each(&path, |records| {
                let mut shards = Shards::new(records, rows);
                while let Some(shard) = shards.next() {
                    let widths = shards.encoding().map(|encoding| {
                        (encoding.len(), leyden_env::ActionTable::new(encoding.rules().set).len())
                    });
                    let (observed, masked) = widths.unwrap_or_default();
                    let next = shard
                        .map(|shard| (shard, shards.bots().to_vec(), observed, masked))
                        .map_err(|error: ReadError<SourceError>| error.to_string());
                    if send.send(next).is_err() {
                        return;
                    }
                }
            });
            if let Err(error) = all {
                drop(send.send(Err(error.to_string())));
            }
        };
        thread::Builder::new().name("leyden dataset".to_owned()).spawn(read)?;
        Ok(Self { shards: Mutex::new(shards) })
    }

    /// Returns the next shard as a dictionary of arrays, and the names of the bots so far; `None` at the end.
    fn next<'py>(&self, py: Python<'py>) -> PyResult<Option<(Bound<'py, PyDict>, Vec<String>)>> {
        let next = py.detach(|| {
            let shards = self.shards.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            shards.recv().ok()
        });
        let Some(next) = next else { return Ok(None) };
        let (shard, bots, observed, masked) = next.map_err(LeydenError::new_err)?;
        let (rows, arrays) = (shard.rows(), PyDict::new(py));
        let observation = PyArray1::from_vec(py, shard.observation).reshape([rows, observed])?;
        arrays.set_item("observation", observation)?;
        arrays.set_item("action_mask", PyArray1::from_vec(py, shard.action_mask).reshape([rows, masked])?)?;
        arrays.set_item("action", PyArray1::from_vec(py, shard.action))?;
        arrays.set_item("result", PyArray1::from_vec(py, shard.result))?;
        arrays.set_item("round_points", PyArray1::from_vec(py, shard.round_points))?;
        arrays.set_item("points_to_come", PyArray1::from_vec(py, shard.points_to_come))?;
        arrays.set_item("seat", PyArray1::from_vec(py, shard.seat))?;
        arrays.set_item("bot", PyArray1::from_vec(py, shard.bot))?;
        arrays.set_item("match", PyArray1::from_vec(py, shard.match_number))?;
        Ok(Some((arrays, bots)))
    }
}
