//! What coordinators and workers say to each other, except batches and results.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::name::WorkerName;

/// The version of this protocol. Other versions are ignored.
pub(crate) const VERSION: u32 = 1;

/// The header of a batch and of its results.
pub(crate) const SECRET: &str = "Leyden-Secret";
/// The header of the last result of a batch.
pub(crate) const LAST: &str = "Leyden-Last";
/// The header of each piece of a result except the last.
pub(crate) const MORE: &str = "Leyden-More";

/// A worker's sign of life.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorkerHello {
    pub(crate) v: u32,
    /// Its name, which must be the one in the subject.
    pub name: WorkerName,
    /// Identifies the process among those of the same name.
    pub instance: String,
    /// The batches that it holds, each with its run.
    pub holds: Vec<(String, u64)>,
    /// Whether it takes no more batches.
    pub leaving: bool,
    /// What it says of itself.
    pub card: serde_json::Value,
}

/// A message to one worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub(crate) enum ToWorker {
    /// The run uses this worker: it has batches for it, or will have.
    Welcome { run: String },
    /// The run does not use this worker.
    TurnedAway { run: String, reason: String },
    /// These batches are no longer needed.
    Drop { run: String, batches: Vec<u64> },
}

/// A run's announcement.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RunCall {
    pub(crate) v: u32,
    lease_ms: u64,
    /// Whether the run is over.
    pub(crate) over: bool,
}

impl RunCall {
    pub(crate) fn new(lease: Duration, over: bool) -> Self {
        Self { v: VERSION, lease_ms: lease.as_millis() as u64, over }
    }

    pub(crate) fn lease(&self) -> Duration {
        Duration::from_millis(self.lease_ms)
    }
}

pub(crate) fn to_bytes<T: Serialize>(value: &T) -> Vec<u8> {
    // Plain structs of strings and numbers always serialise.
    serde_json::to_vec(value).unwrap_or_default()
}
