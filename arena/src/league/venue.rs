//! Where the matches of a league are played, if not by threads of this program alone.

use std::fmt;
use std::sync::Arc;

use leyden_model::event::RunEnd;

use crate::run::{Plan, Run, RunError};
use tokio_util::sync::CancellationToken;

type PlayRun = dyn Fn(Run<'_>, &Plan, usize, &CancellationToken) -> Result<RunEnd, RunError> + Send + Sync;

/// Plays the runs of a league elsewhere, such as on workers on other machines.
#[derive(Clone)]
pub struct Venue(Arc<PlayRun>);

impl Venue {
    /// `play` is called for each run, with its plan, the number of matches to be played here at the same time, and what ends it. Several
    /// may be played at once, from different threads. [`RunError::Unreachable`] is no end of the league: it tries again.
    pub fn new(
        play: impl Fn(Run<'_>, &Plan, usize, &CancellationToken) -> Result<RunEnd, RunError>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        Self(Arc::new(play))
    }

    /// Plays a run at a venue, or on threads of this program.
    pub(super) fn play(
        venue: Option<&Self>,
        run: Run<'_>,
        plan: &Plan,
        jobs_here: usize,
        stop: &CancellationToken,
    ) -> Result<RunEnd, RunError> {
        match venue {
            Some(Self(venue)) => venue(run, plan, jobs_here, stop),
            None => run.play(),
        }
    }
}

impl fmt::Debug for Venue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Venue")
    }
}
