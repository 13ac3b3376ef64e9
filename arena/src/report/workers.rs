//! The workers on other machines, as values. Asks nobody itself.

use schemars::JsonSchema;
use serde::Serialize;

/// The output of `leyden workers --json`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(title = "Workers that answered")]
pub struct WorkersReport {
    /// The version of this format: 1.
    pub v: u32,
    pub workers: Vec<WorkerLine>,
}

/// A worker that has just answered, or was given work in the last day.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct WorkerLine {
    pub name: String,
    /// Whether it accepts no more work.
    pub leaving: bool,
    /// How many seconds ago the server last heard from a worker that does not answer; `null` for one that has answered.
    pub silent_s: Option<u64>,
    /// What it reports about itself; `null` for another version of leyden, and for one that does not answer.
    pub state: Option<WorkerState>,
}

/// What a worker reports about itself.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct WorkerState {
    /// The version of leyden.
    pub version: String,
    /// The most matches that it plays at once.
    pub slots: usize,
    /// How many matches it is playing.
    pub playing: usize,
    /// The tournament of these matches.
    pub tournament: Option<String>,
    /// The cores that it may use.
    pub cores: usize,
    /// Its speed: pieces of a fixed piece of work per second, in hundredths.
    pub speed: u32,
    /// The machine's load in the last minute.
    pub load: f32,
    /// The sandbox levels that hold there, best first.
    pub levels: Vec<String>,
    /// The names of the interpreters and compilers that bots can use there.
    pub interpreters: Vec<String>,
}
