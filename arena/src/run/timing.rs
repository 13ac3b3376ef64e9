//! Estimates how long a plan takes from some of its pairs: they are played on their own deals, under the plan's conditions,
//! and not stored.

mod match_time;
mod sample;

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use leyden_model::event::MatchVoid;
use leyden_model::job::Job;
use leyden_model::{MatchKey, MatchRecord, PairKey, RunEvent};
use leyden_protocol::{FaultCode, WinningScore};
use leyden_stats::{FinalScores, Pentanomial, Score};

use super::seed::random_seed;
use super::{Executor, Flow, FollowError, Follower, Plan, PlanError, Run, RunError, Threads, WhenStored};
use crate::halt::Halt;
use leyden_format::ScheduleError;
use match_time::{MatchTime, PlanSize, TimedPair};
use sample::Sample;

/// Timed matches, and what they say about the whole plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Timing {
    /// The number of matches that ended.
    pub matches: u64,
    /// How long they took, with every slot of the plan in use.
    pub took: Duration,
    /// The number of matches in the plan.
    pub wanted: u64,
    /// The number of timed matches that ended by a fault, by bot and code.
    pub faults: BTreeMap<(String, FaultCode), u64>,
    /// The estimate for the whole plan.
    pub all: Duration,
    /// How far off the estimate may be, if it is not a good one.
    pub rough: Option<EstimateCaveat>,
    /// What the complete pairs of two-seat tables came to, each from the side of the bot that was named first.
    pub kinds: Pentanomial,
}

/// What to know about an estimate that is not a good one.
#[derive(Clone, Debug, PartialEq)]
pub struct EstimateCaveat {
    /// The bounds of the estimate: two standard errors, applied as a factor. They do not cover bots that were not seen.
    pub range: [Duration; 2],
    /// The names of the bots that played too few matches to be known.
    pub rarely_seen: Vec<String>,
}

/// Why there is no estimate.
#[derive(Debug, thiserror::Error)]
pub enum TimingError {
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    #[error("interrupted while matches were timed: nothing was stored")]
    Interrupted,
    #[error("no match ended within {} s, so the total time cannot be estimated", .0.as_secs())]
    NoMatch(Duration),
}

impl Timing {
    /// Plays pairs spread over a plan, as many at once as it would, until the time of a match is known well enough or `time`
    /// is up. Their deals differ from the plan's.
    pub fn measure(plan: &Plan, halt: &Halt, time: Duration) -> Result<Self, TimingError> {
        let schedule = plan.schedule()?;
        let extent = PlanSize::from_schedule(&schedule);
        let Sample { schedule: sampled, done, batches } = Sample::from_plan(plan, extent.pairs_of_each())?;
        let timed_plan = Plan { seed: random_seed().map_err(PlanError::from)?, gate: None, ..plan.clone() };
        let since = RefCell::default();
        let mut sheet = TimeSheet::new(extent, plan.rules.better, batches, &since);
        let mut run = Run::resumed(&timed_plan, sampled, done);
        run.halted_by(halt);
        run.follow(&mut sheet);
        let is_late = AtomicBool::new(false);
        thread::scope(|threads| {
            let (over, wait) = channel::<()>();
            let is_late = &is_late;
            threads.spawn(move || {
                if wait.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                    is_late.store(!halt.is_called(), Ordering::SeqCst);
                    halt.now();
                }
            });
            let end =
                run.play_on(|reports| Ok(OnePerSlot::new(Threads::for_plan(&timed_plan, &reports)?, &since)));
            drop(over);
            end
        })?;
        let is_late = is_late.load(Ordering::SeqCst);
        if halt.is_called() && !is_late {
            return Err(TimingError::Interrupted);
        }
        let timed = if is_late { sheet.until(sheet.start + time) } else { sheet.complete() };
        let Some(time) = MatchTime::from_timed(&timed, &sheet.plan).filter(|_| sheet.matches > 0) else {
            return Err(TimingError::NoMatch(time));
        };
        let rarely_seen = sheet.plan.rarely_seen(&timed);
        let all = |factor: f64| {
            let in_a_slot = sheet.plan.matches_in_a_slot(plan.jobs) as f64 * time.mean * factor;
            Duration::try_from_secs_f64(in_a_slot + sheet.once / plan.jobs as f64).unwrap_or(Duration::MAX)
        };
        let rough = (!time.is_known() || !rarely_seen.is_empty()).then(|| EstimateCaveat {
            range: [all(1.0 / time.factor()), all(time.factor())],
            rarely_seen: rarely_seen.iter().map(|bot| plan.bots[bot.index()].name.clone()).collect(),
        });
        let (matches, took, wanted) = (sheet.matches, sheet.took, schedule.matches());
        let kinds = sheet.kinds();
        Ok(Self { matches, took, wanted, faults: sheet.faults, all: all(1.0), rough, kinds })
    }
}

/// When the current match of each pair started, for pairs that have started and whose match is not reported as ended yet.
type Since = RefCell<BTreeMap<PairKey, Instant>>;

/// The times so far. They are judged whenever a batch is complete, never by which pairs end first: those would be the short
/// matches.
struct TimeSheet<'a> {
    plan: PlanSize,
    better: WinningScore,
    start: Instant,
    since: &'a Since,
    /// How many pairs of each batch are not over.
    open: Vec<usize>,
    pairs: BTreeMap<PairKey, PairSoFar>,
    matches: u64,
    took: Duration,
    faults: BTreeMap<(String, FaultCode), u64>,
    /// Seconds spent on starts that failed. A bot that does not start is withdrawn, so the plan spends them only once, like
    /// the sample.
    once: f64,
}

#[derive(Clone, Copy, Debug, Default)]
struct PairSoFar {
    /// The legs that were reported as ended, one bit each.
    ended: u32,
    is_void: bool,
    matches: u32,
    seconds: f64,
    /// Of the bot that was named first, at a table of two.
    score: Score,
}

impl<'a> TimeSheet<'a> {
    fn new(plan: PlanSize, better: WinningScore, batches: Vec<usize>, since: &'a Since) -> Self {
        Self {
            plan,
            better,
            start: Instant::now(),
            since,
            open: batches,
            pairs: BTreeMap::new(),
            matches: 0,
            took: Duration::ZERO,
            faults: BTreeMap::new(),
            once: 0.0,
        }
    }

    /// Counts a match that ended. Returns whether that completes a batch.
    fn count(&mut self, key: &MatchKey, record: &MatchRecord, now: Instant) -> bool {
        self.matches += 1;
        self.took = now - self.start;
        // A match that is lost by a withdrawn bot has not been started.
        let begun = self.since.borrow_mut().get_mut(&key.pair()).map(|since| std::mem::replace(since, now));
        let mut seconds = begun.map_or(0.0, |begun| now.saturating_duration_since(begun).as_secs_f64());
        if let Some(fault) = &record.fault {
            *self.faults.entry((record.bots[fault.seat].clone(), fault.code)).or_default() += 1;
            if fault.code.is_start_failure() {
                self.once += std::mem::take(&mut seconds);
            }
        }
        let pair = self.pairs.entry(key.pair()).or_default();
        pair.matches += 1;
        pair.seconds += seconds;
        if let [one, two] = record.bots.seats().iter().collect::<Vec<_>>()[..] {
            let (seat, other) = if key.seat(one) < key.seat(two) { (one, two) } else { (two, one) };
            let fault = record.fault.as_ref().map(|fault| fault.seat);
            let end = FinalScores { scores: record.scores, fault, better: self.better };
            pair.score.count(end.compare(seat, other));
        }
        self.ends(key)
    }

    /// Voids a match and its pair. Returns whether that completes a batch.
    fn void(&mut self, key: &MatchKey) -> bool {
        self.pairs.entry(key.pair()).or_default().is_void = true;
        self.ends(key)
    }

    fn ends(&mut self, key: &MatchKey) -> bool {
        let pair = self.pairs.entry(key.pair()).or_default();
        let (before, all) = (pair.ended, (1 << self.plan.legs()) - 1);
        pair.ended |= 1 << key.leg;
        if pair.ended != all || before == all {
            return false;
        }
        self.since.borrow_mut().remove(&key.pair());
        let open = &mut self.open[key.block as usize];
        *open -= 1;
        *open == 0
    }

    /// The kinds of the pairs of complete batches.
    fn kinds(&self) -> Pentanomial {
        let complete = self.open.iter().take_while(|open| **open == 0).count();
        let mut kinds = Pentanomial::default();
        let in_these =
            self.pairs.iter().filter(|(key, pair)| (key.block as usize) < complete && !pair.is_void);
        for points in in_these.filter_map(|(_, pair)| pair.score.pair_points()) {
            kinds.record(points);
        }
        kinds
    }

    /// The pairs of the complete batches, up to the first that is not complete.
    fn complete(&self) -> Vec<TimedPair> {
        let complete = self.open.iter().take_while(|open| **open == 0).count();
        let in_these = self.pairs.iter().filter(|(key, _)| (key.block as usize) < complete);
        in_these.filter_map(|(key, pair)| pair.timed(key)).collect()
    }

    /// Every pair, when the time is up. A match in progress then counts with its time so far if that is longer than the
    /// others took: otherwise a match that hangs would be overlooked.
    fn until(&self, end: Instant) -> Vec<TimedPair> {
        let mut timed: Vec<_> = self.pairs.iter().filter_map(|(key, pair)| pair.timed(key)).collect();
        let mean = timed.iter().map(|pair| pair.seconds).sum::<f64>() / timed.len().max(1) as f64;
        for (key, since) in self.since.borrow().iter() {
            let seconds = end.saturating_duration_since(*since).as_secs_f64();
            if seconds > mean {
                timed.push(TimedPair { table: key.table, seconds });
            }
        }
        timed
    }
}

impl Follower for TimeSheet<'_> {
    fn take(&mut self, event: &RunEvent) -> Result<Flow, FollowError> {
        let is_batch_over = match event {
            RunEvent::Match { key, record, .. } => self.count(key, record, Instant::now()),
            RunEvent::Void(MatchVoid { key, .. }) => self.void(key),
            _ => false,
        };
        let is_enough = is_batch_over && self.plan.is_enough(&self.complete(), self.start.elapsed());
        Ok(if is_enough { Flow::Stop } else { Flow::GoOn })
    }
}

impl PairSoFar {
    /// The timed pair, if one of its matches ended and counts.
    fn timed(&self, key: &PairKey) -> Option<TimedPair> {
        let says = self.matches > 0 && !self.is_void;
        says.then(|| TimedPair { table: key.table, seconds: self.seconds / f64::from(self.matches) })
    }
}

/// Starts a job only when there is a slot for it, so that its start time is known.
struct OnePerSlot<'a, E> {
    inner: E,
    waiting: VecDeque<Job>,
    under_way: usize,
    since: &'a Since,
}

impl<'a, E: Executor> OnePerSlot<'a, E> {
    fn new(inner: E, since: &'a Since) -> Self {
        Self { inner, waiting: VecDeque::new(), under_way: 0, since }
    }

    fn begin(&mut self) {
        while self.under_way < self.inner.slots()
            && let Some(job) = self.waiting.pop_front()
        {
            self.under_way += 1;
            // A job that is handed out again keeps its first start time.
            self.since.borrow_mut().entry(job.pair).or_insert_with(Instant::now);
            self.inner.start(job);
        }
    }
}

impl<E: Executor> Executor for OnePerSlot<'_, E> {
    fn slots(&self) -> usize {
        self.inner.slots()
    }

    fn start(&mut self, job: Job) {
        self.waiting.push_back(job);
        self.begin();
    }

    fn take_back(&mut self, number: u64) -> bool {
        let place = self.waiting.iter().position(|job| job.number == number);
        place.and_then(|place| self.waiting.remove(place)).is_some()
    }

    fn when_stored(&mut self, job: u64) -> Option<WhenStored> {
        self.under_way -= 1;
        self.begin();
        self.inner.when_stored(job)
    }

    fn stop(&mut self) {
        self.waiting.clear();
        self.inner.stop();
    }

    fn finish(&mut self) {
        self.inner.finish();
    }
}

#[cfg(test)]
mod tests {
    use leyden_model::{FaultDetails, FaultRecord};
    use leyden_protocol::{Seat, Seats};

    use super::*;
    use crate::record;
    use leyden_format::Schedule;

    /// Matches of three bots, in which each block is a batch of three pairs.
    struct Sampled {
        matches: Vec<(MatchKey, MatchRecord)>,
        since: Since,
        start: Instant,
    }

    impl Sampled {
        fn new() -> Self {
            let matches = record::sample::matches(&record::sample::stored_plan(3, 2)).collect();
            Self { matches, since: Since::default(), start: Instant::now() }
        }

        fn sheet(&self) -> TimeSheet<'_> {
            let plan = PlanSize::from_schedule(&Schedule::round_robin(3, Seats::TWO, 100).unwrap());
            TimeSheet {
                start: self.start,
                ..TimeSheet::new(plan, WinningScore::Higher, vec![3, 3], &self.since)
            }
        }

        fn at(&self, seconds: u64) -> Instant {
            self.start + Duration::from_secs(seconds)
        }

        fn begin(&self, pair: usize, seconds: u64) {
            self.since.borrow_mut().insert(self.matches[2 * pair].0.pair(), self.at(seconds));
        }

        /// Ends a match at this time. Returns whether that completes a batch.
        fn end(&self, sheet: &mut TimeSheet<'_>, nth: usize, seconds: u64, fault: Option<FaultCode>) -> bool {
            let (key, record) = &self.matches[nth];
            let fault =
                fault.map(|code| FaultRecord { seat: Seat::FIRST, code, details: FaultDetails::default() });
            sheet.count(key, &MatchRecord { fault, ..record.clone() }, self.at(seconds))
        }
    }

    fn seconds(timed: &[TimedPair]) -> Vec<f64> {
        timed.iter().map(|pair| pair.seconds).collect()
    }

    #[test]
    fn pairs_count_when_all_of_their_batch_are_over() {
        let sampled = Sampled::new();
        let mut sheet = sampled.sheet();
        // The second pair starts late and takes long; a pair of the next batch is over before it.
        for (pair, seconds) in [(0, 0), (3, 2), (1, 5), (2, 9)] {
            sampled.begin(pair, seconds);
        }
        for (nth, seconds) in [(0, 1), (1, 2), (6, 3), (7, 4), (4, 10), (5, 11), (2, 15)] {
            assert!(!sampled.end(&mut sheet, nth, seconds, None), "match {nth}");
        }
        assert!(sheet.complete().is_empty());
        assert!(sampled.end(&mut sheet, 3, 45, Some(FaultCode::Timeout)));
        assert_eq!(seconds(&sheet.complete()), [1.0, 20.0, 1.0]);
        assert_eq!((sheet.matches, sheet.took, sheet.once), (8, Duration::from_secs(45), 0.0));
        assert_eq!(sheet.kinds().pairs(), 3, "those of the complete batch");
        let bot = sampled.matches[3].1.bots[Seat::FIRST].clone();
        assert_eq!(sheet.faults, BTreeMap::from([((bot, FaultCode::Timeout), 1)]));
    }

    #[test]
    fn when_the_time_is_up_a_match_that_hangs_is_seen() {
        let sampled = Sampled::new();
        let mut sheet = sampled.sheet();
        for (pair, seconds) in [(0, 0), (1, 0), (2, 4)] {
            sampled.begin(pair, seconds);
        }
        for (nth, seconds) in [(0, 2), (1, 4), (4, 6)] {
            sampled.end(&mut sheet, nth, seconds, None);
        }
        // Two pairs took 2 s per match; the first match of another has taken 7 s already, and one has just started.
        assert_eq!(seconds(&sheet.until(sampled.at(7))), [2.0, 2.0, 7.0]);
        assert!(sheet.complete().is_empty());
    }

    #[test]
    fn starting_in_vain_is_paid_for_once() {
        let sampled = Sampled::new();
        let mut sheet = sampled.sheet();
        sampled.begin(0, 0);
        sampled.end(&mut sheet, 0, 10, Some(FaultCode::Handshake));
        sampled.end(&mut sheet, 1, 20, Some(FaultCode::Handshake));
        // From then on nothing is started.
        sampled.end(&mut sheet, 2, 20, Some(FaultCode::Handshake));
        sampled.end(&mut sheet, 3, 20, Some(FaultCode::Handshake));
        assert_eq!((seconds(&sheet.until(sampled.at(20))), sheet.once), (vec![0.0, 0.0], 20.0));
    }

    #[test]
    fn what_is_void_is_over_and_says_nothing() {
        let sampled = Sampled::new();
        let mut sheet = sampled.sheet();
        for pair in 0..3 {
            sampled.begin(pair, 0);
        }
        for nth in [0, 1, 4, 5] {
            sampled.end(&mut sheet, nth, 1, None);
        }
        sampled.end(&mut sheet, 2, 50, None);
        assert!(sheet.void(&sampled.matches[3].0), "the batch is complete");
        assert!(!sheet.void(&sampled.matches[2].0), "it was complete before, so this completes nothing");
        assert_eq!(sheet.complete().len(), 2);
    }

    /// Keeps each job.
    #[derive(Default)]
    struct Kept(Vec<u64>);

    impl Executor for Kept {
        fn slots(&self) -> usize {
            2
        }

        fn start(&mut self, job: Job) {
            self.0.push(job.number);
        }

        fn stop(&mut self) {}

        fn finish(&mut self) {}
    }

    #[test]
    fn a_job_waits_for_a_slot() {
        let since = Since::default();
        let mut executor = OnePerSlot::new(Kept::default(), &since);
        let plan = crate::run::dispatcher::tests::plan(4, 1, leyden_format::Format::RoundRobin);
        for job in crate::run::dispatcher::tests::jobs(&plan) {
            executor.start(job);
        }
        assert_eq!((&executor.inner.0[..], since.borrow().len()), (&[0, 1][..], 2));
        assert!(executor.take_back(3) && !executor.take_back(0));
        executor.when_stored(1);
        executor.when_stored(0);
        assert_eq!((&executor.inner.0[..], since.borrow().len()), (&[0, 1, 2, 4][..], 4));
    }
}
