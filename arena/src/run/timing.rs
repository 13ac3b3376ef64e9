//! Estimates how long a plan takes: its first matches are played under its conditions, but on other deals, and not stored.
//!
//! A run plays tables in an order in which no bot is far ahead of the others, so its first matches are like all others, and what they
//! took, with waits and idle slots, is what others take. Only processes are started more often in the beginning: what the second half
//! of the timed matches took is what each of the rest takes.
//!
//! Nothing simpler would do: the mean of all timed matches counts slow starts for each match, without the parts nobody knows when
//! enough were timed, and a slow bot may not have played yet. `--plan` takes its pairs and their time from here, too.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use leyden_format::{Schedule, ScheduleError};
use leyden_model::words::duration;
use leyden_model::{BotIndex, MatchKey, MatchRecord, PairKey, RunEvent};
use leyden_protocol::{FaultCode, WinningScore};
use leyden_stats::{BatchMean, FinalScores, Pentanomial, Score};

use super::seed::random_seed;
use super::{Deadline, Flow, FollowError, Follower, Plan, PlanError, Run, RunError};
use tokio_util::sync::CancellationToken;

/// How many matches are timed at least, unless the plan has fewer or the time is up; then as many again, and again.
const FEWEST: usize = 32;

/// In how many matches each bot should be seen.
const MATCHES_OF_EACH: u64 = 4;

/// How long is timed at least: a moment says little of a machine.
const AT_LEAST: Duration = Duration::from_secs(4);

/// Into how many parts of as many matches the second half is divided. How they differ says how far off their mean is.
const PARTS: usize = 8;

/// The relative standard error up to which the time of a match is known well enough.
const WELL: f64 = 0.1;

/// Timed matches, and what they say about the whole plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Timing {
    /// The number of matches that ended.
    pub matches: u64,
    /// How long they took, with every slot of the plan in use.
    pub took: Duration,
    /// The number of matches in the plan, if no meeting is level.
    pub planned: u64,
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
    /// The bounds of the estimate: two standard errors. They do not cover bots that were not seen.
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
    #[error("no match ended within {}, so the total time cannot be estimated", duration(.0.as_secs_f64()))]
    NoMatch(Duration),
}

impl Timing {
    /// Plays the first matches of a plan, as many at once as it would, until the time of a match is known well enough or `time`
    /// is up. Their deals differ from the plan's.
    pub fn measure(plan: &Plan, stop: &CancellationToken, time: Duration) -> Result<Self, TimingError> {
        let schedule = plan.schedule()?;
        let timed_plan = Plan { seed: random_seed().map_err(PlanError::from)?, gate: None, ..plan.clone() };
        let mut sheet = TimeSheet::new(&schedule, plan, Instant::now());
        let mut run = Run::new(&timed_plan)?;
        run.stopped_by(stop);
        run.follow(&mut sheet);
        let deadline = Deadline::start(time, stop.clone()).map_err(RunError::Worker)?;
        run.play()?;
        if stop.is_cancelled() && !deadline.has_stopped() {
            return Err(TimingError::Interrupted);
        }
        sheet.timing(plan, Instant::now()).ok_or(TimingError::NoMatch(time))
    }
}

/// The times so far.
struct TimeSheet {
    better: WinningScore,
    legs: u32,
    slots: usize,
    /// How many matches the plan has, rounds that are not known yet included.
    planned: u64,
    /// How many matches of each bot are not seen yet of those that should be.
    unseen: Vec<u64>,
    start: Instant,
    /// When each match ended.
    ends: Vec<Instant>,
    /// How long bots took that could not be started in the end: they are disabled, so that happens only once.
    once: Duration,
    before: u64,
    voided: u64,
    faults: BTreeMap<(String, FaultCode), u64>,
    pairs: BTreeMap<PairKey, Score>,
    kinds: Pentanomial,
}

/// How long each match that is still to be played takes.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pace {
    /// From the end of one match to the end of the next, in any slot.
    seconds: f64,
    /// The relative standard error.
    error: f64,
}

impl TimeSheet {
    fn new(schedule: &Schedule, plan: &Plan, start: Instant) -> Self {
        let bots = || (0..schedule.bots() as u32).map(BotIndex);
        // A bot at a table meets each of the others there in every leg.
        let others = schedule.seats().count() as u64 - 1;
        let met = |bot| bots().map(|other| schedule.meetings(bot, other)).sum::<u64>() / others;
        let should = |bot| (met(bot) * u64::from(schedule.blocks())).min(MATCHES_OF_EACH);
        Self {
            better: plan.rules.better,
            legs: schedule.legs(),
            slots: plan.jobs,
            planned: schedule.expected_matches(),
            unseen: bots().map(should).collect(),
            start,
            ends: Vec::new(),
            once: Duration::ZERO,
            before: 0,
            voided: 0,
            faults: BTreeMap::new(),
            pairs: BTreeMap::new(),
            kinds: Pentanomial::default(),
        }
    }

    fn count(&mut self, key: &MatchKey, record: &MatchRecord, now: Instant) {
        self.ends.push(now);
        for bot in key.table.bots() {
            self.unseen[bot.index()] = self.unseen[bot.index()].saturating_sub(1);
        }
        if let Some(fault) = &record.fault {
            *self.faults.entry((record.bots[fault.seat].clone(), fault.code)).or_default() += 1;
        }
        let [one, two] = record.bots.seats().iter().collect::<Vec<_>>()[..] else { return };
        let (seat, other) = if key.seat(one) < key.seat(two) { (one, two) } else { (two, one) };
        let fault = record.fault.as_ref().map(|fault| fault.seat);
        let end = FinalScores { scores: record.scores, fault, better: self.better };
        let score = self.pairs.entry(key.pair()).or_default();
        score.count(end.compare(seat, other));
        if score.matches() == self.legs
            && let Some(points) = self.pairs.remove(&key.pair()).and_then(Score::pair_points)
        {
            self.kinds.record(points);
        }
    }

    /// Begins again, without a bot that cannot be started.
    fn restart(&mut self, now: Instant) {
        self.once += now - self.start;
        self.before += self.ends.len() as u64;
        self.start = now;
        self.ends.clear();
    }

    /// How long each further match takes, and how many of the timed ones are behind what is known of that.
    fn pace(&self, now: Instant) -> Option<Pace> {
        let count = self.ends.len();
        if count < FEWEST {
            // Those in progress are half over, on average.
            let begun = count as f64 + self.slots as f64 / 2.0;
            let seconds = (now - self.start).as_secs_f64() / begun;
            return (count > 0).then(|| Pace { seconds, error: 1.0 / (count as f64).sqrt() });
        }
        let (half, size) = (count / 2, count / 2 / PARTS);
        let end = |nth: usize| (self.ends[nth - 1] - self.start).as_secs_f64();
        let part = |nth: usize| (end(half + (nth + 1) * size) - end(half + nth * size)) / size as f64;
        let parts: [f64; PARTS] = std::array::from_fn(part);
        let BatchMean { mean, se, .. } = BatchMean::new(&parts)?;
        Some(Pace { seconds: mean, error: if mean > 0.0 { se / mean } else { 0.0 } })
    }

    /// Whether these matches are enough.
    fn is_enough(&self, now: Instant) -> bool {
        self.ends.len().is_multiple_of(FEWEST)
            && now - self.start >= AT_LEAST
            && self.unseen.iter().all(|unseen| *unseen == 0)
            && self.pace(now).is_some_and(|pace| pace.error <= WELL)
    }

    /// The estimate; `None` without a match.
    fn timing(self, plan: &Plan, now: Instant) -> Option<Timing> {
        let pace = self.pace(now)?;
        let (matches, took) = (self.ends.len() as u64, *self.ends.last()? - self.start);
        let left = self.planned.saturating_sub(self.before + self.voided + matches);
        let all = |factor: f64| {
            let more = Duration::try_from_secs_f64(left as f64 * pace.seconds * factor);
            self.once + took + more.unwrap_or(Duration::MAX / 2)
        };
        let unseen = (0..).map(BotIndex).zip(&self.unseen).filter(|(_, unseen)| **unseen > 0);
        let rarely_seen: Vec<String> =
            unseen.map(|(bot, _)| plan.bots[bot.index()].name.clone()).filter(|_| left > 0).collect();
        let is_rough = left > 0 && (pace.error > WELL || !rarely_seen.is_empty());
        let factor = 1.0 + 2.0 * pace.error;
        Some(Timing {
            matches: self.before + matches,
            took: self.once + took,
            planned: self.planned,
            all: all(1.0),
            rough: is_rough.then(|| EstimateCaveat { range: [all(1.0 / factor), all(factor)], rarely_seen }),
            kinds: self.kinds,
            faults: self.faults,
        })
    }
}

impl Follower for TimeSheet {
    fn take(&mut self, event: &RunEvent) -> Result<Flow, FollowError> {
        let now = Instant::now();
        match event {
            RunEvent::Start(_) => self.start = now,
            RunEvent::Match { key, record, .. } => self.count(key, record, now),
            RunEvent::Void(_) => self.voided += 1,
            RunEvent::Disabled(_) => self.restart(now),
            RunEvent::Stage(_) | RunEvent::Move { .. } | RunEvent::End(_) => return Ok(Flow::GoOn),
        }
        Ok(if self.is_enough(now) { Flow::Stop } else { Flow::GoOn })
    }
}

#[cfg(test)]
mod tests {
    use leyden_model::{FaultDetails, FaultRecord};
    use leyden_protocol::Seat;

    use super::*;
    use crate::record;
    use crate::run::dispatcher::tests::{plan, swiss};

    /// The matches of three bots over 40 blocks, as they end.
    struct Timed {
        matches: Vec<(MatchKey, MatchRecord)>,
        plan: Plan,
        start: Instant,
    }

    impl Timed {
        fn new(blocks: u32) -> Self {
            let matches = record::sample::matches(&record::sample::stored_plan(3, 40)).collect();
            let plan = plan(3, blocks, leyden_format::Format::RoundRobin);
            Self { matches, plan: Plan { jobs: 2, ..plan }, start: Instant::now() }
        }

        fn at(&self, seconds: f64) -> Instant {
            self.start + Duration::from_secs_f64(seconds)
        }

        /// A sheet on which the first `count` matches ended, the nth of them after `seconds(n)`.
        fn sheet(&self, count: usize, seconds: impl Fn(usize) -> f64) -> TimeSheet {
            let mut sheet = TimeSheet::new(&self.plan.schedule().unwrap(), &self.plan, self.start);
            for (nth, (key, record)) in self.matches[..count].iter().enumerate() {
                sheet.count(key, record, self.at(seconds(nth)));
            }
            sheet
        }

        fn all(&self, sheet: TimeSheet, end: f64) -> Timing {
            sheet.timing(&self.plan, self.at(end)).unwrap()
        }
    }

    #[test]
    fn slow_start_is_counted_once_in_the_estimate() {
        let timed = Timed::new(1_000);
        // 32 matches take a second each while processes start, then 32 of a tenth.
        let ends = |nth: usize| if nth < 32 { nth as f64 + 1.0 } else { 32.0 + (nth - 31) as f64 * 0.1 };
        let sheet = timed.sheet(64, ends);
        assert!(sheet.is_enough(timed.at(35.2)));
        let timing = timed.all(sheet, 35.2);
        assert!((timing.all.as_secs_f64() - (35.2 + 5_936.0 * 0.1)).abs() < 1e-3, "{:?}", timing.all);
        assert_eq!((timing.matches, timing.planned, timing.rough), (64, 6_000, None));
        assert_eq!(timing.kinds.pairs(), 32);
    }

    #[test]
    fn uneven_matches_are_timed_longer_and_then_rough() {
        let timed = Timed::new(1_000);
        let hangs = |nth: usize| nth as f64 * 0.1 + if nth > 50 { 30.0 } else { 0.0 };
        let sheet = timed.sheet(64, hangs);
        assert!(!sheet.is_enough(timed.at(36.3)));
        let timing = timed.all(sheet, 36.3);
        let [low, high] = timing.rough.unwrap().range;
        assert!(low < timing.all && timing.all < high, "{low:?} {high:?}");
        // Even ones are timed for some seconds.
        let even = timed.sheet(32, |nth| (nth + 1) as f64 * 0.1);
        assert!(!even.is_enough(timed.at(3.2)) && even.is_enough(timed.at(4.1)));
    }

    #[test]
    fn estimate_from_few_matches_is_rough() {
        let timed = Timed::new(1_000);
        // Three matches in a minute, two more in progress.
        let timing = timed.all(timed.sheet(3, |nth| 15.0 * (nth + 1) as f64), 60.0);
        assert!((timing.all.as_secs_f64() - (45.0 + 5_997.0 * 15.0)).abs() < 1e-3, "{:?}", timing.all);
        assert_eq!(timing.rough.unwrap().rarely_seen.len(), 3, "each of four matches at least");
        assert!(timed.sheet(0, |_| 0.0).timing(&timed.plan, timed.at(60.0)).is_none());
    }

    #[test]
    fn estimate_is_exact_when_whole_plan_was_played() {
        let timed = Timed::new(40);
        let timing = timed.all(timed.sheet(240, |nth| (nth * nth) as f64), 60_000.0);
        assert_eq!((timing.all, timing.rough), (Duration::from_secs(239 * 239), None));
    }

    #[test]
    fn estimate_counts_rounds_that_are_not_known_yet() {
        // Three rounds of four matches; the first is known.
        let timed = Timed { plan: plan(4, 1, swiss(4, 3)), ..Timed::new(1) };
        let timing = timed.all(timed.sheet(8, |nth| (nth + 1) as f64), 8.0);
        assert_eq!(timing.planned, 12);
        assert!((timing.all.as_secs_f64() - (8.0 + 4.0 * 8.0 / 8.5)).abs() < 1e-3, "{:?}", timing.all);
    }

    #[test]
    fn starting_in_vain_is_paid_once() {
        let timed = Timed::new(1_000);
        let mut sheet = timed.sheet(2, |nth| 10.0 * (nth + 1) as f64);
        sheet.restart(timed.at(20.0));
        let fault =
            FaultRecord { seat: Seat::FIRST, code: FaultCode::Handshake, details: FaultDetails::default() };
        for (nth, (key, record)) in (1..).zip(&timed.matches[2..34]) {
            let record = MatchRecord { fault: Some(fault.clone()), ..record.clone() };
            sheet.count(key, &record, timed.at(20.0 + f64::from(nth) * 0.1));
        }
        let timing = timed.all(sheet, 23.2);
        assert!((timing.all.as_secs_f64() - (23.2 + 5_966.0 * 0.1)).abs() < 1e-3, "{:?}", timing.all);
        assert_eq!((timing.matches, timing.faults.values().sum()), (34, 32_u64));
    }
}
