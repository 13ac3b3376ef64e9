//! What coordinators and workers say to each other beside batches and results.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::name::WorkerName;

/// The version of all this. Whoever speaks another one is ignored.
pub(crate) const VERSION: u32 = 1;

/// The header of a batch and of its results.
pub(crate) const SECRET: &str = "Leyden-Secret";
/// The header of the last result of a batch.
pub(crate) const LAST: &str = "Leyden-Last";
/// The header of a piece of a result that is not its last.
pub(crate) const MORE: &str = "Leyden-More";

/// How a worker tells that it is there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorkerHello {
    pub(crate) v: u32,
    /// Its name, which must be that of the subject.
    pub name: WorkerName,
    /// Which process of this name.
    pub instance: String,
    /// The batches that it has, with their runs.
    pub holds: Vec<(String, u64)>,
    /// Whether it takes anything more.
    pub leaving: bool,
    /// What it says of itself.
    pub card: serde_json::Value,
}

/// Something that is said to one worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub(crate) enum ToWorker {
    /// It is counted on: there are batches for it, or will be.
    Welcome { run: String },
    /// It is not.
    TurnedAway { run: String, reason: String },
    /// What it has of these is not wanted any more.
    Drop { run: String, batches: Vec<u64> },
}

/// How a run tells that it is there.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RunCall {
    pub(crate) v: u32,
    lease_ms: u64,
    /// Whether it is over.
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
    // Plain structures of texts and numbers: nothing of them can fail.
    serde_json::to_vec(value).unwrap_or_default()
}
