//! Time as the benchmarks count it. No part of the bots.

use std::time::{Duration, Instant};

/// When something began.
#[derive(Clone, Copy)]
pub(crate) struct Began {
    by_the_clock: Instant,
    processor: Option<Duration>,
}

impl Began {
    pub(crate) fn now() -> Self {
        Self { by_the_clock: Instant::now(), processor: processor_time() }
    }

    /// This thread's processor time since then, so that other work on the machine matters little; by the clock where the
    /// system does not say it. To ask takes some microseconds, and they are counted.
    pub(crate) fn elapsed(self) -> Duration {
        match (self.processor, processor_time()) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => self.by_the_clock.elapsed(),
        }
    }
}

/// How long this thread has been running on a processor (Linux).
fn processor_time() -> Option<Duration> {
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    spent.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}
