//! Memory that no limit of a process counts, looked at while a bot is waited for or waits itself.

use std::time::Duration;

use leyden_host::{BotProcess, CHECK_INTERVAL};
use tokio::time::Instant;

use super::fault::Fault;

/// Looks at a bot's memory now and then, and kills a bot that has too much of it.
#[derive(Debug)]
pub(super) struct MemoryWatch {
    looked: Instant,
    /// What it had when it had too much.
    had: Option<u64>,
}

/// A look costs a few system calls for each process; in this time no more than some hundred megabytes can be taken.
const PAUSE: Duration = CHECK_INTERVAL;

impl MemoryWatch {
    pub(super) fn new(now: Instant) -> Self {
        Self { looked: now, had: None }
    }

    /// Looks, if that is long enough ago. Whoever has too much is killed, as the system would kill it.
    pub(super) fn look(&mut self, process: &mut BotProcess, now: Instant) {
        if self.had.is_some() || now.saturating_duration_since(self.looked) < PAUSE {
            return;
        }
        self.looked = now;
        self.had = process.memory_beyond_limit();
        if self.had.is_some() {
            process.strike_down();
        }
    }

    /// Says so beside a fault, which most likely comes from that.
    pub(super) fn tell(&self, fault: &mut Fault) {
        if let Some(had) = self.had {
            let megabytes = had >> 20;
            fault.know(
                "memory",
                format!(
                    "one of its processes had {megabytes} MB, more than it may (--memory), and was killed"
                ),
            );
        }
    }
}
