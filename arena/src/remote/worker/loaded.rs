//! The run that a worker is playing.

use leyden_host::Launcher;

use crate::remote::batch::Conditions;
use crate::roster::Competitor;
use crate::run::{Reports, Threads};

/// The number of no job: the last report of a run's threads.
pub(super) const NO_JOB: u64 = u64::MAX;

/// The run that is played: its bots that are ready, and the threads that play.
pub(super) struct LoadedRun {
    /// Whose matches are played there.
    pub(super) run: String,
    pub(super) conditions: Conditions,
    pub(super) launcher: Launcher,
    pub(super) bots: Vec<Competitor>,
    pub(super) threads: Threads,
    pub(super) last: Reports,
}

/// What keeps a batch from being played here.
pub(super) enum CannotPlay {
    /// A bot cannot be played on this machine.
    Lacks { bot: String, reason: String },
    /// Something that may pass, such as this bundle, which did not come as it should.
    Trouble { reason: String, bundle: Option<String> },
}
