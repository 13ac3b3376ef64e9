//! Who plays on other machines, as values. Asks nobody itself.

use schemars::JsonSchema;
use serde::Serialize;

/// What `leyden workers --json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(title = "Workers that answered")]
pub struct WorkersReport {
    /// The version of this form: 1.
    pub v: u32,
    pub workers: Vec<WorkerLine>,
}

/// A worker that has just answered, or was given something in the last day.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct WorkerLine {
    pub name: String,
    /// Whether it takes nothing more.
    pub leaving: bool,
    /// How many seconds ago the server last heard of a worker that does not answer; `null` of one that has answered.
    pub silent_s: Option<u64>,
    /// What it says of itself; `null` of another version of leyden, and of one that does not answer.
    pub state: Option<WorkerState>,
}

/// What a worker says of itself.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct WorkerState {
    /// The version of leyden.
    pub version: String,
    /// How many matches it plays at once at most, and how many it is playing.
    pub slots: usize,
    pub playing: usize,
    /// The tournament that these belong to.
    pub tournament: Option<String>,
    pub cores: usize,
    /// Pieces of a fixed work a second, in hundredths.
    pub speed: u32,
    /// The machine's load in the last minute.
    pub load: f32,
    /// The sandbox levels that hold there, the best first.
    pub levels: Vec<String>,
    pub interpreters: Vec<String>,
}
