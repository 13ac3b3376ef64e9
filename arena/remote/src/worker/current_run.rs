//! The run that a worker is playing.

use leyden_host::Launcher;

use crate::batch::Conditions;
use leyden_arena::roster::Competitor;
use leyden_arena::run::{Reports, Threads};

/// The number of no job: marks the last report of a run's threads.
pub(super) const NO_JOB: u64 = u64::MAX;

/// The run that is played: its bots that are ready, and the threads that play.
pub(super) struct LoadedRun {
    /// The run whose matches are played.
    pub(super) run: String,
    pub(super) conditions: Conditions,
    pub(super) launcher: Launcher,
    pub(super) bots: Vec<Competitor>,
    pub(super) threads: Threads,
    pub(super) last: Reports,
}

/// Why a batch cannot be played here.
pub(super) enum BatchError {
    /// A bot cannot be played on this machine.
    Lacks { bot: String, reason: String },
    /// A problem that may pass. `bundle` names a bundle that arrived damaged.
    Trouble { reason: String, bundle: Option<String> },
}
