//! The time after which a run is stopped.

use std::io;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

/// Stops a run once its time is up, unless it is dropped before.
pub(crate) struct Deadline {
    late: CancellationToken,
    /// Ends the thread when it is dropped.
    _clock: Sender<()>,
}

impl Deadline {
    /// Counts the time from now.
    pub(crate) fn start(time: Duration, stop: CancellationToken) -> io::Result<Self> {
        let late = CancellationToken::new();
        let (clock, ended) = channel();
        let is_late = late.clone();
        let wait = move || {
            if ended.recv_timeout(time) == Err(RecvTimeoutError::Timeout) && !stop.is_cancelled() {
                is_late.cancel(); // first: a run that has stopped must know why
                stop.cancel();
            }
        };
        thread::Builder::new().name("time".to_owned()).spawn(wait)?;
        Ok(Self { late, _clock: clock })
    }

    /// Whether it has stopped the run, before anything else did.
    pub(crate) fn has_stopped(&self) -> bool {
        self.late.is_cancelled()
    }
}
