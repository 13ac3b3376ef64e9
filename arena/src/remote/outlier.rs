//! Finds the worker on which bots lose by faults, such as by running out of time, more often than on the others. Says so, and
//! changes nothing. Who only loses more there cannot be found so: both bots of a match are on one machine.
//!
//! The test is that of Mantel and Haenszel, one-sided, with a continuity correction: for each bot the matches that it played
//! on one worker are compared with those that it played anywhere, so that a slow bot is nobody's fault. A worker is looked at
//! whenever it has played twice as much as at the last look, and flagged once at [`THRESHOLD`] standard deviations: by chance
//! in fewer than one of three million looks, where matches are independent. Those of a pair are not quite.

use std::collections::BTreeMap;

use leyden_nats::WorkerName;
use leyden_protocol::{PerSeat, Seat};

/// How many standard deviations are too many.
const THRESHOLD: f64 = 5.0;

/// How small the variance may be: below it the count of a worker is too far from normal.
const LEAST_VARIANCE: f64 = 5.0;

/// When a worker is looked at first: in matches of a bot.
const FIRST_LOOK: u64 = 64;

/// What a bot came to, on one worker or on all.
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

/// Who lost by a fault where.
#[derive(Debug, Default)]
pub(super) struct Outliers {
    all: BTreeMap<String, Count>,
    workers: BTreeMap<WorkerName, Tally>,
}

impl Outliers {
    /// Counts a match of these bots, which one of them may have lost by a fault. Says what is to be told of the worker.
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
            format!(
                "bots lose by faults on worker {worker} more than elsewhere: {faulted} times, where {expected:.1} would be as \
                 often as on all. Look at that machine; what it has played can be played again by --resume --replace BOT"
            )
        })
    }
}

/// How often bots lost by a fault on a worker, how often they would have if it were like all, and the variance of that.
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

    /// What is told of two workers, who play in turns: on each the bot `slow` runs out of time once in so many matches.
    fn told(matches: u32, every: [u32; 2]) -> Vec<String> {
        let mut outliers = Outliers::default();
        let seat_of = |seat: Seat| if seat == Seat::FIRST { "slow" } else { "quick" };
        let bots = PerSeat::from_fn(Seats::TWO, |seat| seat_of(seat).to_owned());
        let names: [WorkerName; 2] = ["ann".parse().unwrap(), "bob".parse().unwrap()];
        let mut told = Vec::new();
        for number in 0..matches {
            for (name, every) in names.iter().zip(every) {
                let faulted = (number % every == 0).then_some(Seat::FIRST);
                told.extend(outliers.count(name, &bots, faulted));
            }
        }
        told
    }

    #[test]
    fn a_worker_on_which_bots_are_late_is_told_of_once() {
        let told = told(2000, [100, 5]);
        assert!(matches!(told.as_slice(), [one] if one.contains("worker bob")), "{told:?}");
    }

    #[test]
    fn a_slow_bot_is_no_workers_fault() {
        assert!(told(2000, [4, 4]).is_empty());
        assert_eq!(told(2000, [2, 3]).len(), 1);
    }

    #[test]
    fn the_formula_is_that_of_the_table() {
        // Twenty of a hundred here, thirty of three hundred in all: 10 expected; 100·200·30·270 / (300²·299).
        let count = |played, faulted| BTreeMap::from([("bot".to_owned(), Count { played, faulted })]);
        let (faulted, expected, variance) = compare(&count(100, 20), &count(300, 30));
        assert_eq!((faulted, expected), (20.0, 10.0));
        assert!((variance - 162_000_000.0 / 26_910_000.0).abs() < 1e-12, "{variance}");
    }
}
