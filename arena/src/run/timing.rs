//! How long a plan takes, by a few of its pairs: played on deals of their own, while everything else is as it will be, and kept
//! nowhere.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use leyden_model::RunEvent;

use super::plan::random_seed;
use super::{Flow, FollowError, Plan, PlanError, Run, RunError};
use crate::format::{Done, NoSchedule, Schedule};
use crate::halt::Halt;

/// How many pairs are timed at least, if there are so many, and at most.
const FEWEST: u64 = 8;
const MOST: u64 = 64;

/// Matches that were timed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// How many ended.
    pub matches: u64,
    /// How long that took, with every slot of the plan in use.
    pub took: Duration,
    /// How many the plan has in all.
    pub wanted: u64,
    /// How many of those that were timed ended by a fault.
    pub faults: u64,
}

/// Why nothing was timed.
#[derive(Debug, thiserror::Error)]
pub enum NoTiming {
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(transparent)]
    Schedule(#[from] NoSchedule),
    #[error("interrupted while matches were timed: nothing of them is kept")]
    Interrupted,
    #[error("no match ended within {} s: all of them take longer than anybody can foretell", .0.as_secs())]
    NoMatch(Duration),
}

impl Timing {
    /// Plays pairs from all over a plan, as many at once as it would, until enough of them have ended or the time is up. Their
    /// deals are none of the plan's.
    pub fn of(plan: &Plan, halt: &Halt, time: Duration) -> Result<Self, NoTiming> {
        let wanted = plan.schedule()?.matches();
        let enough = pairs_to_time(plan);
        // Twice as many are there to be played, so that no slot is idle before enough have ended.
        let (schedule, done) = sample(plan, 2 * enough)?;
        let matches_wanted = (enough * u64::from(schedule.legs())).min(schedule.matches() - done.count());
        let plan = Plan { seed: random_seed()?, gate: None, ..plan.clone() };
        let start = Instant::now();
        let mut timing = Self { matches: 0, took: Duration::ZERO, wanted, faults: 0 };
        let mut count = |event: &RunEvent| -> Result<Flow, FollowError> {
            if let RunEvent::Match { record, .. } = event {
                timing.matches += 1;
                timing.took = start.elapsed();
                timing.faults += u64::from(record.fault.is_some());
            }
            Ok(if timing.matches >= matches_wanted { Flow::Stop } else { Flow::GoOn })
        };
        let mut run = Run::resumed(&plan, schedule, done);
        run.halted_by(halt);
        run.follow(&mut count);
        let is_late = AtomicBool::new(false);
        let end = thread::scope(|threads| {
            let (over, wait) = channel::<()>();
            let is_late = &is_late;
            threads.spawn(move || {
                if wait.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                    is_late.store(!halt.is_called(), Ordering::SeqCst);
                    halt.now();
                }
            });
            let end = run.play();
            drop(over);
            end
        });
        end?;
        if halt.is_called() && !is_late.load(Ordering::SeqCst) {
            return Err(NoTiming::Interrupted);
        }
        if timing.matches == 0 { Err(NoTiming::NoMatch(time)) } else { Ok(timing) }
    }

    /// How long all matches take at this pace.
    pub fn all(&self) -> Duration {
        self.took.mul_f64(self.wanted as f64 / self.matches as f64)
    }
}

/// How many pairs say enough: every slot plays some, and most bots are in one.
fn pairs_to_time(plan: &Plan) -> u64 {
    (4 * plan.jobs as u64).max(plan.bots.len() as u64).clamp(FEWEST, MOST)
}

/// A schedule of few blocks in which everything is done but about so many pairs, evenly spread over its tables.
fn sample(plan: &Plan, pairs: u64) -> Result<(Schedule, Done), NoSchedule> {
    let tables = plan.schedule()?.tables().max(1);
    let blocks = u32::try_from(pairs.div_ceil(tables)).unwrap_or(u32::MAX).min(plan.blocks);
    let schedule = Schedule::new(plan.format.clone(), plan.bots.len(), plan.settings.seats, blocks)?;
    let all = tables * u64::from(blocks);
    let (pairs, legs) = (pairs.min(all), u64::from(schedule.legs()));
    let chosen = (0..pairs).map(|one| (2 * one + 1) * all / (2 * pairs));
    let ranks = chosen.flat_map(|pair| pair * legs..(pair + 1) * legs);
    let done = Done::all_but(&schedule, ranks);
    Ok((schedule, done))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::dispatcher::tests::plan;
    use super::*;
    use crate::format::Format;

    #[test]
    fn pairs_are_whole_and_from_all_over_the_plan() {
        let many = Plan { blocks: 30, ..plan(12, 2, Format::RoundRobin) };
        let (schedule, done) = sample(&many, 24).unwrap();
        let keys: Vec<_> = done.missing().map(|rank| schedule.nth(rank).unwrap()).collect();
        assert_eq!((keys.len(), schedule.blocks()), (48, 1));
        assert!(keys.chunks(2).all(|legs| legs[0].pair() == legs[1].pair()));
        let bots: BTreeSet<_> = keys.iter().flat_map(|key| key.table.bots().to_vec()).collect();
        assert_eq!(bots.len(), 12, "every bot plays");
        // A single pairing meets more often; and what is less than was asked for is played whole.
        let two = Plan { blocks: 5, ..plan(2, 1, Format::RoundRobin) };
        let (schedule, done) = sample(&two, 16).unwrap();
        assert_eq!((schedule.blocks(), done.count(), done.missing().count()), (5, 0, 10));
    }

    #[test]
    fn all_matches_take_as_long_as_those_that_were_timed() {
        let timing = Timing { matches: 20, took: Duration::from_secs(5), wanted: 4_000, faults: 0 };
        assert_eq!(timing.all(), Duration::from_secs(1_000));
    }
}
