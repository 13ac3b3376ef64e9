//! Finds a worker on which bots lose by faults, such as timeouts, more often than on the others. Only reports it. A bot that merely
//! plays worse there goes unnoticed: both bots of a match are on the same machine.
//!
//! The test is the Mantel–Haenszel test, one-sided, with a continuity correction: for each bot, its matches on one worker are
//! compared with all its matches, so a slow bot is no worker's fault. A worker is tested whenever its number of matches has doubled
//! since the last test, and flagged once, at [`THRESHOLD`] standard deviations. For independent matches, that happens by chance in
//! fewer than one of three million tests; the matches of a pair are not quite independent.

use std::collections::BTreeMap;

use leyden_language::numbers::fixed;
use leyden_nats::WorkerName;
use leyden_protocol::{PerSeat, Seat};

/// The excess that flags a worker, in standard deviations.
const THRESHOLD: f64 = 5.0;

/// The smallest variance tested: below it, the count is too far from a normal distribution.
const LEAST_VARIANCE: f64 = 5.0;

/// The number of matches, counted once per bot, at which a worker is first tested.
const FIRST_LOOK: u64 = 64;

/// The results of a bot, on one worker or on all.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    played: u64,
    faulted: u64,
}

#[derive(Debug)]
struct Tally {
    bots: BTreeMap<String, Count>,
    played: u64,
    next_look: u64,
    is_flagged: bool,
}

/// Faults by worker.
#[derive(Debug, Default)]
pub(super) struct Outliers {
    all: BTreeMap<String, Count>,
    workers: BTreeMap<WorkerName, Tally>,
}

impl Outliers {
    /// Counts a match of these bots, which one of them may have lost by a fault. Returns a message if the worker is flagged.
    pub(super) fn count(
        &mut self,
        worker: &WorkerName,
        bots: &PerSeat<String>,
        faulted: Option<Seat>,
    ) -> Option<String> {
        let played = bots.iter().map(|(seat, bot)| (bot, faulted == Some(seat)));
        let new = || Tally { bots: BTreeMap::new(), played: 0, next_look: FIRST_LOOK, is_flagged: false };
        let tally = self.workers.entry(worker.clone()).or_insert_with(new);
        for (bot, is_faulted) in played {
            for count in
                [self.all.entry(bot.clone()).or_default(), tally.bots.entry(bot.clone()).or_default()]
            {
                count.played += 1;
                count.faulted += u64::from(is_faulted);
            }
            tally.played += 1;
        }
        if tally.is_flagged || tally.played < tally.next_look {
            return None;
        }
        tally.next_look = tally.played * 2;
        let (faulted, expected, variance) = compare(&tally.bots, &self.all);
        let excess = faulted - expected - 0.5;
        tally.is_flagged = variance >= LEAST_VARIANCE && excess / variance.sqrt() >= THRESHOLD;
        tally.is_flagged.then(|| {
            let expected = fixed(expected, 1);
            format!(
                "bots lose by faults on worker {worker} more often than elsewhere: {faulted} times, where {expected} would be \
                 usual. Look at that machine; its matches can be played again with --resume --replace BOT"
            )
        })
    }
}

/// Returns how many matches bots lost by a fault on a worker, how many are expected if it is like all others, and the variance.
fn compare(here: &BTreeMap<String, Count>, all: &BTreeMap<String, Count>) -> (f64, f64, f64) {
    let (mut faulted, mut expected, mut variance) = (0.0, 0.0, 0.0);
    for (bot, own) in here {
        let Some(total) = all.get(bot) else { continue };
        let (n, played, times) = (own.played as f64, total.played as f64, total.faulted as f64);
        faulted += own.faulted as f64;
        expected += n * times / played;
        if total.played > 1 {
            variance += n * (played - n) * times * (played - times) / (played * played * (played - 1.0));
        }
    }
    (faulted, expected, variance)
}

#[cfg(test)]
mod tests {
    use leyden_protocol::Seats;

    use super::*;

    /// Returns the messages about two workers that play in turn; on each, the bot `slow` runs out of time once in this many
    /// matches.
    fn notices(matches: u32, every: [u32; 2]) -> Vec<String> {
        let mut outliers = Outliers::default();
        let seat_of = |seat: Seat| if seat == Seat::FIRST { "slow" } else { "quick" };
        let bots = PerSeat::from_fn(Seats::TWO, |seat| seat_of(seat).to_owned());
        let names: [WorkerName; 2] = ["ann".parse().unwrap(), "bob".parse().unwrap()];
        let mut notices = Vec::new();
        for number in 0..matches {
            for (name, every) in names.iter().zip(every) {
                let faulted = (number % every == 0).then_some(Seat::FIRST);
                notices.extend(outliers.count(name, &bots, faulted));
            }
        }
        notices
    }

    #[test]
    fn worker_with_excess_faults_is_reported_once() {
        let notices = notices(2000, [100, 5]);
        assert!(matches!(notices.as_slice(), [one] if one.contains("worker bob")), "{notices:?}");
    }

    #[test]
    fn slow_bot_is_no_workers_fault() {
        assert!(notices(2000, [4, 4]).is_empty());
        assert_eq!(notices(2000, [2, 3]).len(), 1);
    }

    #[test]
    fn formula_agrees_with_a_worked_example() {
        // 20 of 100 here, 30 of 300 in all: 10 expected; variance 100·200·30·270 / (300²·299).
        let count = |played, faulted| BTreeMap::from([("bot".to_owned(), Count { played, faulted })]);
        let (faulted, expected, variance) = compare(&count(100, 20), &count(300, 30));
        assert_eq!((faulted, expected), (20.0, 10.0));
        assert!((variance - 162_000_000.0 / 26_910_000.0).abs() < 1e-12, "{variance}");
    }
}
