//! The time in which a bot wanted to run, but other processes had its match's processors.
//!
//! The rule with `--clock wall`: if the time is up without an answer, the time lost to other processes since the first
//! look (at most 10 ms after the turn was sent) is added to it; when that is up, the same again. The time lost is the
//! smaller of two readings: the longest time that a thread of the bot waited for a processor, and the processor time
//! available to the match minus what the bot and everything it started used of it. So a bot's own threads and children
//! that keep it waiting add nothing: their time is its own. When a decision has taken as long as `--clock cpu` would
//! allow, only the host is to blame.
//!
//! The kernel counts a wait only once it is over. A bot that wants to run when its time is up is therefore checked
//! again after a moment: if it has hardly run since, that moment is lost, too. This repeats until it runs, when
//! the whole of its wait is known.

use std::collections::BTreeMap;
use std::time::Duration;

use leyden_host::{BotProcess, CpuReading, ThreadWait};
use tokio::time::Instant;

use super::limit::most_real_time;

/// Less than this is not worth waiting for.
const LITTLE: Duration = Duration::from_millis(2);

/// The time after which a bot that wants to run is checked again.
const MOMENT: Duration = Duration::from_millis(1);

/// A bot's process at one moment, counted from the start of the decision.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Reading {
    at: Duration,
    /// The processor time that it and everything it started have used.
    used: Duration,
    /// How each of its threads has waited for a processor.
    waits: BTreeMap<i32, ThreadWait>,
}

impl Reading {
    fn wants_to_run(&self) -> bool {
        self.waits.values().any(|thread| thread.wants_to_run)
    }

    /// Whether a thread has waited all the time since then, and the bot hardly ran.
    fn has_waited_since(&self, before: &Self) -> bool {
        let (passed, ran) = (self.at.saturating_sub(before.at), self.used.saturating_sub(before.used));
        let same = |(number, thread): (&i32, &ThreadWait)| before.waits.get(number) == Some(thread);
        ran * 4 <= passed && self.waits.iter().filter(|(_, thread)| thread.wants_to_run).any(same)
    }
}

/// The real time of one decision, and how much of it was lost to other processes.
#[derive(Debug)]
pub(super) struct FairClock {
    start: Instant,
    allowance: Duration,
    cores: u32,
    first: Option<Reading>,
    taken: Duration,
    /// When its time was up and it wanted to run.
    up: Option<Reading>,
}

impl FairClock {
    pub(super) fn new(start: Instant, allowance: Duration, cores: usize) -> Self {
        Self { start, allowance, cores: cores as u32, first: None, taken: Duration::ZERO, up: None }
    }

    /// Checks the process: first early in the decision, then when the time is up. Returns a later deadline if
    /// time was lost.
    pub(super) fn look(&mut self, process: &mut BotProcess, now: Instant) -> Option<Instant> {
        let due = self.start + self.allowance + self.taken;
        if self.first.is_some() && now < due {
            // After a late answer, the caller waits for the original deadline.
            return (self.taken > Duration::ZERO).then_some(due);
        }
        let used = process.cpu_time(CpuReading::Exact)?;
        let reading = Reading { at: now - self.start, used, waits: process.waits() };
        self.evaluate(reading).map(|due| self.start + due)
    }

    /// Evaluates the first reading, or one when the time is up. Returns a later deadline, counted from the start.
    fn evaluate(&mut self, now: Reading) -> Option<Duration> {
        let Some(first) = &self.first else {
            self.first = Some(now);
            return None;
        };
        let most = most_real_time(self.allowance).saturating_sub(self.allowance);
        let up = self.up.take();
        let more = taken(first, &now, self.cores).min(most).saturating_sub(self.taken);
        if more >= LITTLE {
            self.taken += more;
            return Some(self.allowance + self.taken);
        }
        if let Some(up) = up {
            if !now.has_waited_since(&up) || self.taken >= most {
                return None;
            }
            self.taken = (self.taken + now.at.saturating_sub(up.at)).min(most);
        }
        let again = now.at + MOMENT;
        self.up = now.wants_to_run().then_some(now);
        self.up.is_some().then_some(again)
    }

    /// Returns how much of the time needed was lost to other processes.
    pub(super) fn taken(&self) -> Duration {
        self.taken
    }

    /// Whether the bot lost so much time that the decision cannot be held to its allowance.
    pub(super) fn is_spoilt(&self) -> bool {
        self.allowance + self.taken >= most_real_time(self.allowance)
    }
}

/// Returns the time that a bot lost to other processes between two readings, on this many cores.
fn taken(before: &Reading, after: &Reading, cores: u32) -> Duration {
    let waited = after.waits.iter().map(|(number, now)| {
        now.waited.saturating_sub(before.waits.get(number).map_or(Duration::ZERO, |then| then.waited))
    });
    let there_was = after.at.saturating_sub(before.at) * cores;
    let not_its_own = there_was.saturating_sub(after.used.saturating_sub(before.used));
    waited.max().unwrap_or_default().min(not_its_own)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(at: u64, used: u64, waits: &[(i32, u64)]) -> Reading {
        let millis = Duration::from_millis;
        let waits = waits.iter().map(|&(number, waited)| {
            (number, ThreadWait { waited: millis(waited), turns: waited, wants_to_run: false })
        });
        Reading { at: millis(at), used: millis(used), waits: waits.collect() }
    }

    fn wanting(mut reading: Reading) -> Reading {
        reading.waits.values_mut().for_each(|thread| thread.wants_to_run = true);
        reading
    }

    #[test]
    fn time_taken_by_others_excludes_bots_own_use() {
        let before = reading(25, 1_000, &[(7, 500), (8, 0)]);
        let millis = Duration::from_millis;
        let taken = |after: &Reading, cores| taken(&before, after, cores);
        // Two hogs beside it on one core: it ran for a third.
        assert_eq!(taken(&reading(325, 1_100, &[(7, 700), (8, 0)]), 1), millis(200));
        // It slept.
        assert_eq!(taken(&reading(325, 1_000, &[(7, 500), (8, 0)]), 1), Duration::ZERO);
        // Its own threads kept it waiting: it had the whole core.
        assert_eq!(taken(&reading(325, 1_300, &[(7, 770), (8, 30), (9, 270)]), 1), Duration::ZERO);
        // Its own busy processes and a foreign one: what the foreign one took, not how long it waited.
        assert_eq!(taken(&reading(325, 1_225, &[(7, 770), (9, 270)]), 1), millis(75));
        // Many threads that waited for one another count as one wait.
        let crowd: Vec<(i32, u64)> = (10..40).map(|thread| (thread, 20)).collect();
        assert_eq!(taken(&reading(325, 1_000, &crowd), 1), millis(20));
        // A thread with a number that another thread had before.
        assert_eq!(taken(&reading(325, 1_000, &[(7, 3)]), 1), Duration::ZERO);
        // On two cores, one of which another process has.
        assert_eq!(taken(&reading(325, 1_300, &[(7, 510), (8, 290)]), 2), millis(290));
    }

    /// Returns a clock of 100 ms after its first look.
    fn clock() -> FairClock {
        let mut clock = FairClock::new(Instant::now(), Duration::from_millis(100), 1);
        assert_eq!(clock.evaluate(reading(10, 0, &[(7, 0)])), None);
        clock
    }

    #[test]
    fn ongoing_wait_counts_moment_by_moment_until_known() {
        let millis = Duration::from_millis;
        let mut clock = clock();
        // Another process has had the processor since 40 ms, which the kernel has not counted yet.
        assert_eq!(clock.evaluate(wanting(reading(100, 30, &[(7, 0)]))), Some(millis(101)));
        assert_eq!(clock.evaluate(wanting(reading(101, 30, &[(7, 0)]))), Some(millis(102)));
        assert_eq!(clock.evaluate(wanting(reading(105, 30, &[(7, 0)]))), Some(millis(106)));
        assert_eq!(clock.taken(), millis(5));
        // It has run: its wait was 68 ms, of which five were given back already.
        assert_eq!(clock.evaluate(wanting(reading(108, 30, &[(7, 68)]))), Some(millis(168)));
        assert_eq!(clock.taken(), millis(68));
        assert!(!clock.is_spoilt());
    }

    #[test]
    fn running_or_sleeping_bot_gets_no_deadline_extension() {
        let mut clock = clock();
        assert_eq!(clock.evaluate(reading(100, 20, &[(7, 0)])), None, "it sleeps");
        assert!(clock.evaluate(wanting(reading(100, 90, &[(7, 0)]))).is_some());
        assert_eq!(clock.evaluate(wanting(reading(101, 91, &[(7, 0)]))), None, "it ran");
        // Threads that wake up often are always found waiting; none of them waits for long.
        assert!(clock.evaluate(wanting(reading(100, 90, &[(7, 0), (8, 0)]))).is_some());
        assert_eq!(clock.evaluate(wanting(reading(101, 90, &[(7, 1), (8, 1)]))), None);
        assert_eq!(clock.taken(), Duration::ZERO);
    }

    #[test]
    fn starved_bot_gets_extensions_until_clock_is_spoilt() {
        let mut clock = clock();
        let mut at = 100;
        while clock.evaluate(wanting(reading(at, 0, &[(7, 0)]))).is_some() {
            at += 1;
            assert!(at < 1_000_000);
        }
        assert!(clock.is_spoilt(), "{clock:?}");
    }
}
