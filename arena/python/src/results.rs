//! What a results file or an export says, for Python: reports as JSON, and decisions as arrays.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use leyden_arena::record::source::{RecordSource, SourceError};
use leyden_arena::report::{BotOrder, ExportTally, MatchLine, ReportError, Standings, TournamentTally};
use leyden_dataset::{Shard, Shards};
use leyden_env::ActionTable;
use leyden_model::MatchRecord;
use leyden_protocol::WinningScore;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::boundary::{LeydenError, guarded, rejected};

/// Why a file of records cannot be read or reported.
#[derive(Debug, thiserror::Error)]
enum ResultsError {
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error(transparent)]
    Report(#[from] ReportError),
}

/// Returns the standings as a JSON document.
#[pyfunction]
pub(crate) fn standings(py: Python<'_>, path: PathBuf) -> PyResult<String> {
    let read = || -> Result<Standings, ResultsError> {
        let tally = match RecordSource::open(&path)? {
            RecordSource::Results(results) => TournamentTally::from_results(&results, BotOrder::AsTyped)?,
            RecordSource::Export(mut export) => {
                let mut exported = ExportTally::default();
                for record in export.records() {
                    exported.add(&record?)?;
                }
                exported.finish(export.competition())?
            }
        };
        Ok(Standings::from_tally(&tally, true).map_err(ReportError::from)?)
    };
    py.detach(|| guarded(|| serde_json::to_string(&read().map_err(rejected)?).map_err(rejected)))
}

/// Returns the list of matches as a JSON array.
#[pyfunction]
pub(crate) fn matches(py: Python<'_>, path: PathBuf) -> PyResult<String> {
    let read = || -> Result<Vec<MatchLine>, SourceError> {
        let mut source = RecordSource::open(&path)?;
        let line = |record: MatchRecord| {
            let better = record.rules.rules().map_or(WinningScore::Lower, |rules| rules.better);
            MatchLine::from_record(&record, better)
        };
        source.records().map(|record| record.map(line)).collect()
    };
    py.detach(|| guarded(|| serde_json::to_string(&read().map_err(rejected)?).map_err(rejected)))
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
            let mut source = match RecordSource::open(&path) {
                Ok(source) => source,
                Err(error) => return drop(send.send(Err(error.to_string()))),
            };
            let mut shards = Shards::new(source.records(), rows);
            while let Some(shard) = shards.next() {
                let (observed, masked) = shards.encoding().map_or((0, 0), |encoding| {
                    (encoding.len(), ActionTable::new(encoding.rules().set).len())
                });
                let next = shard
                    .map(|shard| (shard, shards.bots().to_vec(), observed, masked))
                    .map_err(|error| error.to_string());
                if send.send(next).is_err() {
                    return;
                }
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
