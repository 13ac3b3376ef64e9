//! Runs with an executor that plays nothing: who gets which events, and what ends a run.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::mpsc;
use std::time::Duration;

use leyden_model::job::{Job, LegOutcome};

use super::dispatcher::tests::plan;
use super::*;
use leyden_format::Format;

/// Reports each job as played as soon as it gets it, or keeps it forever.
struct Fake {
    reports: Reports,
    slots: usize,
    log: Rc<RefCell<Log>>,
    /// How many jobs it plays; it keeps the others.
    plays: usize,
    moves: bool,
    /// Is called with each job that it gets.
    starts: Option<mpsc::Sender<()>>,
}

#[derive(Default)]
struct Log {
    started: usize,
    under_way: usize,
    most: usize,
    stopped: bool,
    finished: bool,
}

impl Executor for Fake {
    fn slots(&self) -> usize {
        self.slots
    }

    fn start(&mut self, job: Job) {
        let mut log = self.log.borrow_mut();
        assert!(!log.stopped && !log.finished);
        log.started += 1;
        log.under_way += 1;
        log.most = log.most.max(log.under_way);
        if let Some(starts) = &self.starts {
            let _ = starts.send(()); // the receiver may be gone
        }
        assert_eq!(job.moves, self.moves);
        if log.started > self.plays {
            return;
        }
        log.under_way -= 1;
        for &leg in &job.legs {
            if job.moves {
                let event = leyden_model::MatchEvent::Started(Box::new(job.header(leg)));
                self.reports.send(JobReport::Event { job: job.number, leg, event });
            }
            // The contents of played matches do not matter.
            let outcome = LegOutcome::Played { record: Box::new(job.header(leg).record()) };
            self.reports.send(JobReport::Leg { job: job.number, leg, started: Vec::new(), outcome });
        }
        self.reports.send(JobReport::Done { job: job.number });
    }

    fn stop(&mut self) {
        self.log.borrow_mut().stopped = true;
    }

    fn finish(&mut self) {
        self.log.borrow_mut().finished = true;
    }
}

/// Plays a run on an executor that plays this many jobs.
fn play(
    run: Run<'_>,
    slots: usize,
    plays: usize,
    moves: bool,
) -> (Rc<RefCell<Log>>, Result<RunEnd, RunError>) {
    play_heard(run, slots, plays, moves, None)
}

/// The same with a callback for each job that is started.
fn play_heard(
    run: Run<'_>,
    slots: usize,
    plays: usize,
    moves: bool,
    starts: Option<mpsc::Sender<()>>,
) -> (Rc<RefCell<Log>>, Result<RunEnd, RunError>) {
    let log = Rc::new(RefCell::new(Log::default()));
    let fake = |reports| Ok(Fake { reports, slots, log: Rc::clone(&log), plays, moves, starts });
    let end = run.play_on(fake);
    (log, end)
}

fn names(events: &mut Subscription) -> Vec<&'static str> {
    std::iter::from_fn(|| events.wait())
        .map(|heard| match heard {
            Delivery::Missed(_) => "missed",
            Delivery::Event(event) => match *event {
                RunEvent::Start(_) => "start",
                RunEvent::Stage(_) => "stage",
                RunEvent::Move { .. } => "move",
                RunEvent::Match { .. } => "match",
                RunEvent::Void(_) => "void",
                RunEvent::Disabled(_) => "withdrawn",
                RunEvent::End(_) => "end",
            },
        })
        .collect()
}

#[test]
fn each_subscriber_gets_the_events_it_chose() {
    let plan = plan(2, 1, Format::RoundRobin);
    let mut heard = 0;
    let mut follower = |_: &RunEvent| {
        heard += 1;
        Ok(Flow::GoOn)
    };
    let mut run = Run::new(&plan).unwrap();
    run.stored_in(Path::new("r.db"));
    run.follow(&mut follower);
    let (mut matches, mut moves) = (run.subscribe(EventDetail::Matches), run.subscribe(EventDetail::Moves));
    let (_, end) = play(run, 1, usize::MAX, true);
    assert_eq!(names(&mut matches), ["start", "match", "match", "end"]);
    assert_eq!(names(&mut moves), ["start", "move", "match", "move", "match", "end"]);
    assert_eq!((heard, end.unwrap().played), (4, 2));
}

#[test]
fn run_without_listeners_ends_as_usual() {
    let plan = plan(2, 1, Format::RoundRobin);
    let run = Run::new(&plan).unwrap();
    assert!(play(run, 1, usize::MAX, false).1.is_ok());
}

#[test]
fn slow_subscriber_learns_missed_count_and_sees_end() {
    let plan = plan(2, 2_500, Format::RoundRobin);
    let mut run = Run::new(&plan).unwrap();
    let mut events = run.subscribe(EventDetail::Matches);
    play(run, 1, usize::MAX, false).1.unwrap();
    let Some(Delivery::Missed(missed)) = events.wait() else { panic!("nothing was missed") };
    let rest = names(&mut events);
    assert_eq!(missed + rest.len() as u64, 5_002);
    assert_eq!(rest.last(), Some(&"end"));
}

#[test]
fn follower_ends_the_run_after_seeing_enough() {
    let plan = plan(2, 1_000, Format::RoundRobin);
    let mut seen = 0;
    let mut enough = |event: &RunEvent| {
        seen += u64::from(matches!(event, RunEvent::Match { .. }));
        Ok(if seen >= 5 { Flow::Stop } else { Flow::GoOn })
    };
    let mut run = Run::new(&plan).unwrap();
    run.follow(&mut enough);
    let (log, end) = play(run, 1, usize::MAX, false);
    let end = end.unwrap();
    assert!(log.borrow().stopped && log.borrow().finished);
    assert!((5..20).contains(&end.played) && !end.interrupted && end.seed.is_none(), "{end:?}");
    assert_eq!(seen, end.played, "what had ended by then is delivered");
}

#[test]
fn failing_follower_ends_run_and_receives_nothing_more() {
    let plan = plan(2, 1_000, Format::RoundRobin);
    let mut calls = 0;
    let mut failing = |_: &RunEvent| {
        calls += 1;
        if calls == 3 { Err(FollowError::new("the disk is gone")) } else { Ok(Flow::GoOn) }
    };
    let mut others = 0;
    let mut other = |_: &RunEvent| {
        others += 1;
        Ok(Flow::GoOn)
    };
    let mut run = Run::new(&plan).unwrap();
    run.follow(&mut failing);
    run.follow(&mut other);
    let (log, end) = play(run, 1, usize::MAX, false);
    assert_eq!(end.unwrap_err().to_string(), "the disk is gone");
    assert!(log.borrow().stopped && log.borrow().finished);
    assert_eq!(calls, 3);
    assert!(others > 3);
}

#[test]
fn stop_wakes_a_run_that_waits() {
    let plan = plan(2, 1_000, Format::RoundRobin);
    let stop = CancellationToken::new();
    let mut run = Run::new(&plan).unwrap();
    run.stopped_by(&stop);
    let (starts, started) = mpsc::channel();
    let caller = std::thread::spawn({
        let stop = stop.clone();
        move || {
            // Those in progress, plus as many as wait at most; a run that starts fewer is also stopped in the end.
            (0..5 + 3 * JOBS_PER_SLOT).for_each(|_| {
                let _ = started.recv_timeout(Duration::from_secs(100));
            });
            stop.cancel();
        }
    });
    let (log, end) = play_heard(run, 3, 5, false, Some(starts));
    caller.join().unwrap();
    let end = end.unwrap();
    assert!(end.interrupted && end.played == 5 && log.borrow().stopped, "{end:?}");
    assert_eq!(log.borrow().most, 3 * JOBS_PER_SLOT);
}

#[test]
fn stop_before_the_start_plays_nothing() {
    let plan = plan(2, 10, Format::RoundRobin);
    let stop = CancellationToken::new();
    stop.cancel();
    let mut run = Run::new(&plan).unwrap();
    run.stopped_by(&stop);
    let (log, end) = play(run, 1, usize::MAX, false);
    assert!(end.unwrap().interrupted && log.borrow().started == 0);
}

#[test]
fn huge_tournament_starts_and_stops_after_one_match() {
    // 77 million tables a block.
    let mut plan = plan(40, 1_000_000, Format::RoundRobin);
    plan.settings.rules = leyden_protocol::RulesName::Matador;
    plan.settings.set = leyden_protocol::Set::DoubleTwelve;
    plan.settings.seats = leyden_protocol::Seats::new(8).unwrap();
    plan.rules = plan.settings.rules().unwrap();
    let mut enough =
        |event: &RunEvent| Ok(if matches!(event, RunEvent::Match { .. }) { Flow::Stop } else { Flow::GoOn });
    let mut run = Run::new(&plan).unwrap();
    run.follow(&mut enough);
    assert_eq!(play(run, 1, 1, false).1.unwrap().played, 1);
}

/// Plays some jobs; then one of its workers is gone while another one still plays.
struct FailingExecutor {
    reports: Reports,
    plays: usize,
    kept: Vec<Job>,
}

impl FailingExecutor {
    fn report(&self, job: &Job) {
        for &leg in &job.legs {
            let outcome = LegOutcome::Played { record: Box::new(job.header(leg).record()) };
            self.reports.send(JobReport::Leg { job: job.number, leg, started: Vec::new(), outcome });
        }
        self.reports.send(JobReport::Done { job: job.number });
    }
}

impl Executor for FailingExecutor {
    fn slots(&self) -> usize {
        2
    }

    fn start(&mut self, job: Job) {
        if self.plays > 0 {
            self.plays -= 1;
            self.report(&job);
            return;
        }
        if self.kept.is_empty() {
            let reason = "a worker could not be started: no more threads".to_owned();
            self.reports.send(JobReport::Lost { reason });
        }
        self.kept.push(job);
    }

    fn stop(&mut self) {}

    fn finish(&mut self) {
        // The other worker ends with the first of them.
        if let Some(job) = self.kept.first() {
            self.report(job);
        }
    }
}

#[test]
fn worker_loss_costs_no_played_match() {
    for plays in [0, 1, 5] {
        let plan = plan(2, 1_000, Format::RoundRobin);
        let (mut kept, mut ends) = (0, 0);
        let mut follower = |event: &RunEvent| {
            kept += usize::from(matches!(event, RunEvent::Match { .. }));
            ends += usize::from(matches!(event, RunEvent::End(_)));
            Ok(Flow::GoOn)
        };
        let mut run = Run::new(&plan).unwrap();
        run.follow(&mut follower);
        let mut heard = run.subscribe(EventDetail::Matches);
        let end = run.play_on(|reports| Ok(FailingExecutor { reports, plays, kept: Vec::new() }));
        let error = end.unwrap_err();
        assert!(matches!(error, RunError::Lost(_)), "{error}");
        assert_eq!(error.to_string(), "a worker could not be started: no more threads");
        // Including the one that ended after the worker was gone.
        assert_eq!((kept, ends), (plays + 1, 0), "after {plays} jobs");
        let heard = names(&mut heard);
        assert_eq!(heard.iter().filter(|name| **name == "match").count(), kept);
    }
}
