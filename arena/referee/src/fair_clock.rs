//! What others took of a bot's time: it wanted to run, and the processors of its match were somebody else's.
//!
//! The rule, by `--clock wall`: when the time is up without an answer, what others took since the first look (25 ms after
//! the turn was sent at the latest) is added to it, and so again when that is up. It is the least of two readings: the longest
//! that a thread of the bot waited for a processor, and the processor time that was there for the match less what the bot and
//! all it started used of it. So threads and children of its own that keep a bot waiting add nothing: what they use is its
//! own. When a decision has taken as long as a `--clock cpu` would let it, nobody is to blame but the host.

use std::collections::BTreeMap;
use std::time::Duration;

use leyden_host::{BotProcess, CpuReading};
use tokio::time::Instant;

use super::limit::most_real_time;

/// Less than this is no reason to wait on.
const LITTLE: Duration = Duration::from_millis(2);

/// A bot's process at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Reading {
    at: Duration,
    /// The time on the processors that it and all it started have used.
    used: Duration,
    /// How long each of its threads has waited for one.
    waits: BTreeMap<i32, Duration>,
}

/// The real time of one decision, and what of it others took.
#[derive(Debug)]
pub(super) struct FairClock {
    start: Instant,
    allowance: Duration,
    cores: u32,
    first: Option<Reading>,
    taken: Duration,
}

impl FairClock {
    pub(super) fn new(start: Instant, allowance: Duration, cores: usize) -> Self {
        Self { start, allowance, cores: cores as u32, first: None, taken: Duration::ZERO }
    }

    /// Looks at the process: the first time, and when the time is up. A later deadline if others took some of the time.
    pub(super) fn look(&mut self, process: &mut BotProcess, now: Instant) -> Option<Instant> {
        let due = self.start + self.allowance + self.taken;
        if self.first.is_some() && now < due {
            // Whoever waits after a late answer waits for the deadline there was at first.
            return (self.taken > Duration::ZERO).then_some(due);
        }
        let used = process.cpu_time(CpuReading::Exact)?;
        let reading = Reading { at: now - self.start, used, waits: process.waits() };
        let Some(first) = &self.first else {
            self.first = Some(reading);
            return None;
        };
        let taken = taken(first, &reading, self.cores);
        let most = most_real_time(self.allowance).saturating_sub(self.allowance);
        let more = taken.min(most).saturating_sub(self.taken);
        if more < LITTLE {
            return None;
        }
        self.taken += more;
        Some(self.start + self.allowance + self.taken)
    }

    /// What others took, as far as somebody had to know.
    pub(super) fn taken(&self) -> Duration {
        self.taken
    }

    /// Whether others took so much that the decision cannot be judged.
    pub(super) fn is_spoilt(&self) -> bool {
        self.allowance + self.taken >= most_real_time(self.allowance)
    }
}

/// What others took of a bot's time between two readings, on so many cores.
fn taken(before: &Reading, after: &Reading, cores: u32) -> Duration {
    let waited = after
        .waits
        .iter()
        .map(|(thread, waited)| waited.saturating_sub(before.waits.get(thread).copied().unwrap_or_default()));
    let there_was = after.at.saturating_sub(before.at) * cores;
    let not_its_own = there_was.saturating_sub(after.used.saturating_sub(before.used));
    waited.max().unwrap_or_default().min(not_its_own)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(at: u64, used: u64, waits: &[(i32, u64)]) -> Reading {
        let millis = Duration::from_millis;
        let waits = waits.iter().map(|&(thread, waited)| (thread, millis(waited))).collect();
        Reading { at: millis(at), used: millis(used), waits }
    }

    #[test]
    fn what_others_took_is_what_a_thread_waited_and_the_bot_did_not_use() {
        let before = reading(25, 1_000, &[(7, 500), (8, 0)]);
        let millis = Duration::from_millis;
        let taken = |after: &Reading, cores| taken(&before, after, cores);
        // Two hogs beside it on one core: it ran for a third.
        assert_eq!(taken(&reading(325, 1_100, &[(7, 700), (8, 0)]), 1), millis(200));
        // It slept.
        assert_eq!(taken(&reading(325, 1_000, &[(7, 500), (8, 0)]), 1), Duration::ZERO);
        // Its own threads kept it waiting: all of the core was its own.
        assert_eq!(taken(&reading(325, 1_300, &[(7, 770), (8, 30), (9, 270)]), 1), Duration::ZERO);
        // Its own hogs and a foreign one: what the foreign one took, not what it waited.
        assert_eq!(taken(&reading(325, 1_225, &[(7, 770), (9, 270)]), 1), millis(75));
        // Many threads that waited for one another's turn are one wait.
        let crowd: Vec<(i32, u64)> = (10..40).map(|thread| (thread, 20)).collect();
        assert_eq!(taken(&reading(325, 1_000, &crowd), 1), millis(20));
        // A thread whose number another one had before.
        assert_eq!(taken(&reading(325, 1_000, &[(7, 3)]), 1), Duration::ZERO);
        // On two cores, one of which somebody else has.
        assert_eq!(taken(&reading(325, 1_300, &[(7, 510), (8, 290)]), 2), millis(290));
    }
}
