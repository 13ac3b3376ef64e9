//! Tests every policy without an executor: the reports are made up here.

mod clock;
mod disabled_bots;

use std::path::Path;

use leyden_host::Launcher;
use leyden_protocol::{FaultCode, Seats};

use super::*;
use crate::record::sample;
use crate::roster;
use disabled_bots::with_dead;
use leyden_format::{Competition, Format, Play, Seeding, Stage};

/// This many bots, called random, random#2 and so on.
pub(in super::super) fn plan(bots: usize, blocks: u32, format: Format) -> Plan {
    let typed = vec!["builtin:random".to_owned(); bots];
    let mut settings = sample::stored_plan(bots, blocks).settings;
    settings.target = 20;
    let bots = roster::find(&typed, Path::new("/leyden")).unwrap().bots;
    let plan = Plan::new(settings, "dispatched", bots, Launcher::new("/leyden".into())).unwrap();
    Plan { format, blocks, ..plan }
}

/// A Swiss of one pair a meeting.
pub(in super::super) fn swiss(bots: u32, rounds: u32) -> Format {
    let stage = Stage { play: Play::Swiss { rounds }, blocks: 1, advance: None, tie_breaks: Vec::new() };
    let seeds = (0..bots).map(BotIndex).collect();
    Format::Stages(Competition { seeding: Seeding::List, seeds, presence: Vec::new(), stages: vec![stage] })
}

fn dispatcher(plan: &Plan) -> Dispatcher<'_> {
    let schedule = plan.schedule().unwrap();
    let done = DoneMatches::none(&schedule);
    Dispatcher::new(plan, schedule, done, false, in_order)
}

/// Draws nothing: pairs are played in the order of the schedule.
#[allow(clippy::unnecessary_wraps, reason = "the system may provide no random numbers")]
fn in_order(_: u64) -> Result<u64, RunError> {
    Ok(0)
}

/// The next job; `None` if there is none.
fn job(dispatcher: &mut Dispatcher<'_>) -> Option<Job> {
    loop {
        match dispatcher.step().unwrap() {
            Step::Job(job) => return Some(*job),
            Step::Settled | Step::FirstLeg | Step::NextLeg { .. } => {}
            Step::Nothing => return None,
        }
    }
}

fn record(job: &Job, leg: u32) -> MatchRecord {
    sample::play(job.header(leg).record(), None)
}

fn played(job: &Job, leg: u32) -> JobReport {
    report(job, leg, LegOutcome::Played { record: Box::new(record(job, leg)) })
}

/// A leg for which every bot was started.
fn report(job: &Job, leg: u32, outcome: LegOutcome) -> JobReport {
    let started = job.settings.seats.iter().collect();
    JobReport::Leg { job: job.number, leg, started, outcome }
}

fn overloaded() -> LegOutcome {
    LegOutcome::HostOverloaded { reason: "the host was busy".to_owned() }
}

fn panicked(location: &str) -> LegOutcome {
    LegOutcome::Panicked { text: "ouch".to_owned(), location: location.to_owned() }
}

fn events(dispatcher: &mut Dispatcher<'_>) -> Vec<RunEvent> {
    std::iter::from_fn(|| dispatcher.event()).collect()
}

fn ranks(events: &[RunEvent]) -> Vec<u64> {
    let rank = |event: &RunEvent| match event {
        RunEvent::Match { rank, .. } => Some(*rank),
        _ => None,
    };
    events.iter().filter_map(rank).collect()
}

fn voids(events: &[RunEvent]) -> Vec<(u64, bool, bool)> {
    let void = |event: &RunEvent| match event {
        RunEvent::Void(void) => Some((void.rank, void.with_its_pair, void.played.is_some())),
        _ => None,
    };
    events.iter().filter_map(void).collect()
}

#[test]
fn each_pairs_leg_is_played_before_anybodys_next() {
    let plan = plan(3, 2, Format::RoundRobin);
    let schedule = plan.schedule().unwrap();
    let mut done = DoneMatches::none(&schedule);
    for rank in [1, 2, 3, 8] {
        done.insert(rank);
    }
    let mut dispatcher = Dispatcher::new(&plan, schedule.clone(), done, true, in_order);
    let mut all = || -> Vec<Job> {
        let jobs: Vec<Job> = std::iter::from_fn(|| job(&mut dispatcher)).collect();
        for job in &jobs {
            dispatcher.take(played(job, job.legs[0])).unwrap();
            dispatcher.take(JobReport::Done { job: job.number }).unwrap();
        }
        jobs
    };
    let given = |jobs: &[Job]| -> Vec<(u64, Vec<u32>)> {
        jobs.iter().map(|job| (schedule.rank(&job.pair.leg(0)).unwrap(), job.legs.clone())).collect()
    };
    let (jobs, later) = (all(), all());
    assert_eq!(given(&jobs), [0, 4, 6, 10].map(|rank| (rank, vec![0])));
    assert_eq!(given(&later), [4, 6, 8, 10].map(|rank| (rank, vec![1])));
    assert!(all().is_empty());
    let second = &jobs[1];
    assert_eq!(second.bots.iter().map(|bot| &*bot.name).collect::<Vec<_>>(), ["random#2", "random#3"]);
    assert!(second.moves && second.disabled.is_empty() && second.bots[0].hash == plan.bots[0].hash);
    let known = sample::record_template(&crate::record::store::StoredPlan::from_plan(&plan));
    assert_eq!(second.header(1), known.for_match(&second.pair.leg(1)).header());
}

#[test]
fn repeated_reports_in_any_order_count_once() {
    let plan = plan(3, 2, Format::RoundRobin);
    let mut dispatcher = dispatcher(&plan);
    let jobs: Vec<Job> = std::iter::from_fn(|| job(&mut dispatcher)).collect();
    for job in jobs.iter().rev() {
        for leg in [1, 1, 0, 1] {
            dispatcher.take(played(job, leg)).unwrap();
        }
        for _ in 0..2 {
            dispatcher.take(JobReport::Done { job: job.number }).unwrap();
        }
        dispatcher.take(played(job, 0)).unwrap();
        dispatcher.take(played(&Job { number: 99, ..job.clone() }, 0)).unwrap();
    }
    let all = events(&mut dispatcher);
    assert_eq!(ranks(&all), [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    assert_eq!(all.len(), 12);
    let end = dispatcher.end(true);
    assert_eq!((end.played, end.voided, end.interrupted), (12, 0, false));
    assert_eq!(end.seed.as_deref(), Some("dispatched"));
}

#[test]
fn report_of_an_unassigned_leg_is_ignored() {
    let plan = plan(2, 1, Format::RoundRobin);
    let mut dispatcher = dispatcher(&plan);
    let only = job(&mut dispatcher).unwrap();
    let outcome = LegOutcome::Played { record: Box::new(record(&only, 0)) };
    dispatcher.take(JobReport::Leg { job: only.number, leg: 7, started: Vec::new(), outcome }).unwrap();
    dispatcher
        .take(JobReport::Event {
            job: 3,
            leg: 0,
            event: leyden_model::MatchEvent::Started(Box::new(only.header(0))),
        })
        .unwrap();
    assert!(events(&mut dispatcher).is_empty() && !dispatcher.is_idle());
}

#[test]
fn job_returned_unplayed_is_reissued_within_a_limit() {
    let plan = plan(2, 1, Format::RoundRobin);
    let mut dispatcher = dispatcher(&plan);
    let first = job(&mut dispatcher).unwrap();
    dispatcher.take(played(&first, 0)).unwrap();
    let mut last = first;
    for _ in 0..RETURNS {
        dispatcher.take(JobReport::Done { job: last.number }).unwrap();
        // Late reports about the job that was handed back are not counted twice.
        dispatcher.take(played(&last, 0)).unwrap();
        last = job(&mut dispatcher).unwrap();
        assert_eq!(last.legs, [1]);
    }
    let error = dispatcher.take(JobReport::Done { job: last.number }).unwrap_err();
    assert!(matches!(error, RunError::Returned { .. }), "{error}");
    assert_eq!(ranks(&events(&mut dispatcher)), [0]);
}

#[test]
fn lost_worker_ends_the_run() {
    let plan = plan(2, 1, Format::RoundRobin);
    let mut dispatcher = dispatcher(&plan);
    let only = job(&mut dispatcher).unwrap();
    dispatcher.take(played(&only, 0)).unwrap();
    let error = dispatcher.take(JobReport::Lost { reason: "it is gone".to_owned() }).unwrap_err();
    assert_eq!(error.to_string(), "it is gone");
    assert_eq!(ranks(&events(&mut dispatcher)), [0], "what was played counts");
    let end = dispatcher.end(true);
    assert_eq!((end.played, end.interrupted, end.seed), (1, true, None));
}

#[test]
fn persistent_host_failure_ends_run_and_names_match() {
    let plan = plan(2, 1, Format::RoundRobin);
    let mut dispatcher = dispatcher(&plan);
    let failed = || LegOutcome::HostFailed { reason: "no pipes left".to_owned() };
    for _ in 0..RETRIES {
        let tried = job(&mut dispatcher).unwrap();
        dispatcher.take(report(&tried, 1, failed())).unwrap();
        dispatcher.take(JobReport::Done { job: tried.number }).unwrap();
        assert!(ranks(&events(&mut dispatcher)).is_empty() && !dispatcher.is_idle());
    }
    let last = job(&mut dispatcher).unwrap();
    let error = dispatcher.take(report(&last, 1, failed())).unwrap_err();
    assert!(matches!(error, RunError::Host { rank: 1, .. }), "{error:?}");
    let error = error.to_string();
    assert!(error.starts_with("the host failed: match 1 (random#2 – random, block 0, leg 1)"), "{error}");
    assert!(error.contains("no pipes left"), "{error}");
}

#[test]
fn host_overload_is_retried_then_voids_the_pair() {
    let plan = plan(2, 1, Format::RoundRobin);
    let mut dispatcher = dispatcher(&plan);
    for left in (0..=RETRIES).rev() {
        let given = job(&mut dispatcher).unwrap();
        assert_eq!(given.legs, [0]);
        dispatcher.take(report(&given, 0, overloaded())).unwrap();
        dispatcher.take(JobReport::Done { job: given.number }).unwrap();
        assert_eq!(events(&mut dispatcher).is_empty(), left > 0);
    }
    assert!(job(&mut dispatcher).is_none() && dispatcher.is_idle());
    let end = dispatcher.end(false);
    assert_eq!((end.played, end.voided, end.interrupted, end.seed), (0, 2, false, None));
}

#[test]
fn each_match_has_its_own_retries() {
    let plan = plan(2, 1, Format::RoundRobin);
    let mut dispatcher = dispatcher(&plan);
    for leg in 0..2 {
        for _ in 0..RETRIES {
            let given = job(&mut dispatcher).unwrap();
            dispatcher.take(report(&given, leg, overloaded())).unwrap();
            dispatcher.take(JobReport::Done { job: given.number }).unwrap();
        }
        let given = job(&mut dispatcher).unwrap();
        dispatcher.take(played(&given, leg)).unwrap();
        dispatcher.take(JobReport::Done { job: given.number }).unwrap();
    }
    assert_eq!(ranks(&events(&mut dispatcher)), [0, 1]);
    assert!(dispatcher.end(false).seed.is_some());
}

#[test]
fn match_reported_after_its_pair_voids_is_void() {
    let plan = plan(3, 1, Format::RoundRobin);
    let mut dispatcher = dispatcher(&plan);
    let jobs: Vec<Job> = std::iter::from_fn(|| job(&mut dispatcher)).collect();
    dispatcher.take(report(&jobs[0], 1, panicked("here"))).unwrap();
    dispatcher.take(played(&jobs[0], 0)).unwrap();
    dispatcher.take(played(&jobs[1], 0)).unwrap();
    dispatcher.take(report(&jobs[1], 1, panicked("here"))).unwrap();
    dispatcher.take(report(&jobs[2], 0, panicked("here"))).unwrap();
    for job in &jobs {
        dispatcher.take(JobReport::Done { job: job.number }).unwrap();
    }
    let all = events(&mut dispatcher);
    assert_eq!(
        voids(&all),
        [(1, false, false), (0, true, true), (3, false, false), (4, false, false), (5, true, false)]
    );
    assert_eq!(ranks(&all), [2]);
    assert!(dispatcher.is_idle());
}

#[test]
fn run_ends_only_by_the_same_panic_repeated() {
    let plan = plan(2, 4 * SAME_PANIC, Format::RoundRobin);
    let mut dispatcher = dispatcher(&plan);
    for n in 0..2 * SAME_PANIC {
        let given = job(&mut dispatcher).unwrap();
        dispatcher.take(report(&given, 0, panicked(["here", "there"][n as usize % 2]))).unwrap();
    }
    let given = job(&mut dispatcher).unwrap();
    let error = dispatcher.take(report(&given, 0, panicked("there"))).unwrap_err().to_string();
    assert!(error.contains("occurred more than 5 times") && error.contains("at there: ouch"), "{error}");
    let RunEvent::Void(void) = dispatcher.event().unwrap() else { panic!() };
    assert!(void.reason.starts_with("a defect of the arena in match ") && void.defect.len() == 5, "{void:?}");
}

#[test]
fn moves_are_sent_for_unplayed_matches_too() {
    let plan = plan(2, 4, Format::RoundRobin);
    let schedule = plan.schedule().unwrap();
    let done = DoneMatches::none(&schedule);
    let mut dispatcher = Dispatcher::new(&plan, schedule, done, true, in_order);
    while let Some(job) = job(&mut dispatcher) {
        for report in with_dead(&job, &["random"]) {
            dispatcher.take(report).unwrap();
        }
    }
    let mut seen_moves: BTreeMap<u64, Vec<leyden_model::MatchEvent>> = BTreeMap::new();
    for event in events(&mut dispatcher) {
        match event {
            RunEvent::Move { rank, happened, .. } => seen_moves.entry(rank).or_default().push(happened),
            RunEvent::Match { rank, record, .. } => {
                if let Some(moves) = seen_moves.remove(&rank) {
                    assert_eq!(MatchRecord::from_events(moves).unwrap(), *record);
                    seen_moves.insert(rank, Vec::new());
                }
            }
            _ => {}
        }
    }
    assert!(seen_moves.len() > 2 && seen_moves.values().all(Vec::is_empty), "{seen_moves:?}");
}

#[test]
fn adaptive_format_accepts_results_in_any_order() {
    let plan = plan(4, 1, swiss(4, 3));
    let mut dispatcher = dispatcher(&plan);
    let (mut rounds, mut seen_moves) = (0, Vec::new());
    while let Some(first) = job(&mut dispatcher) {
        let second = job(&mut dispatcher).unwrap();
        assert!(job(&mut dispatcher).is_none(), "the next pairings depend on these");
        rounds += 1;
        assert_eq!(dispatcher.end(true).seed, None);
        for job in [&second, &first] {
            for leg in [1, 0] {
                dispatcher.take(played(job, leg)).unwrap();
            }
            dispatcher.take(JobReport::Done { job: job.number }).unwrap();
        }
        seen_moves.extend(events(&mut dispatcher));
    }
    assert_eq!(rounds, 3);
    let mut all = ranks(&seen_moves);
    assert_eq!(all[..4], [3, 2, 1, 0]);
    all.sort_unstable();
    assert_eq!(all, (0..12).collect::<Vec<_>>());
    let drawn: Vec<_> = seen_moves
        .iter()
        .filter_map(|event| match event {
            RunEvent::Stage(stage) => Some((stage.stage, stage.round, stage.matches)),
            _ => None,
        })
        .collect();
    assert_eq!(drawn, [(0, 1, 8), (0, 2, 12)]);
    assert!(dispatcher.end(false).seed.is_some());
}

#[test]
fn void_match_makes_its_round_the_last() {
    let plan = plan(2, 1, swiss(2, 2));
    let mut dispatcher = dispatcher(&plan);
    let first = job(&mut dispatcher).unwrap();
    dispatcher.take(played(&first, 0)).unwrap();
    dispatcher.take(report(&first, 1, panicked("here"))).unwrap();
    dispatcher.take(JobReport::Done { job: first.number }).unwrap();
    assert!(job(&mut dispatcher).is_none() && dispatcher.is_idle());
    assert_eq!(dispatcher.end(false).seed, None);
}

#[test]
fn resumed_complete_run_ends_at_once_with_seed() {
    let plan = plan(2, 1, Format::RoundRobin);
    let schedule = plan.schedule().unwrap();
    let mut done = DoneMatches::none(&schedule);
    for rank in [0, 1] {
        done.insert(rank);
    }
    let mut dispatcher = Dispatcher::new(&plan, schedule, done, false, in_order);
    assert_eq!(dispatcher.start(None).done, 2);
    assert!(job(&mut dispatcher).is_none());
    assert!(dispatcher.end(true).seed.is_some() && !dispatcher.end(true).interrupted);
    assert_eq!(Seats::TWO, plan.settings.seats);
}

#[test]
fn next_leg_waits_for_every_job() {
    let plan = plan(2, 3, Format::RoundRobin);
    let mut dispatcher = dispatcher(&plan);
    let jobs: Vec<Job> = std::iter::from_fn(|| job(&mut dispatcher)).collect();
    assert_eq!(jobs.len(), 3);
    for job in &jobs {
        assert!(matches!(dispatcher.step().unwrap(), Step::Nothing));
        dispatcher.take(played(job, 0)).unwrap();
        dispatcher.take(JobReport::Done { job: job.number }).unwrap();
    }
    assert!(matches!(dispatcher.step().unwrap(), Step::NextLeg { pairs: 3 }));
}

#[test]
fn order_of_open_pairs_is_drawn() {
    let plan = plan(2, 4, Format::RoundRobin);
    let schedule = plan.schedule().unwrap();
    let blocks = |draw: Draw| -> Vec<u32> {
        let mut dispatcher =
            Dispatcher::new(&plan, schedule.clone(), DoneMatches::none(&schedule), false, draw);
        std::iter::from_fn(|| job(&mut dispatcher)).map(|job| job.pair.block).collect()
    };
    assert_eq!(blocks(in_order), [0, 1, 2, 3]);
    assert_eq!(blocks(|_| Ok(1)), [0, 3, 2, 1]);
    let failing = |_| Err(RunError::Lost("no random numbers".to_owned()));
    let mut dispatcher =
        Dispatcher::new(&plan, schedule.clone(), DoneMatches::none(&schedule), false, failing);
    assert!(dispatcher.step().is_err());
}

#[test]
fn long_run_opens_at_least_64_pairs_together() {
    let plan = plan(2, 200, Format::RoundRobin);
    let mut dispatcher = dispatcher(&plan);
    let mut opened = Vec::new();
    loop {
        let jobs: Vec<Job> = std::iter::from_fn(|| job(&mut dispatcher)).collect();
        if jobs.is_empty() {
            break;
        }
        opened.push(jobs.len());
        for job in &jobs {
            dispatcher.take(played(job, job.legs[0])).unwrap();
            dispatcher.take(JobReport::Done { job: job.number }).unwrap();
        }
    }
    assert_eq!(opened, [64, 64, 64, 64, 72, 72]);
}

#[test]
fn run_that_finishes_completes_what_was_begun() {
    let plan = plan(2, 3, Format::RoundRobin);
    let mut dispatcher = dispatcher(&plan);
    let (first, second) = (job(&mut dispatcher).unwrap(), job(&mut dispatcher).unwrap());
    dispatcher.take(played(&first, 0)).unwrap();
    dispatcher.take(JobReport::Done { job: first.number }).unwrap();
    dispatcher.finish();
    assert_eq!(dispatcher.take_back_list(), [second.number]);
    dispatcher.handed_back(second.number);
    let last = job(&mut dispatcher).unwrap();
    assert_eq!((last.pair, &last.legs[..]), (first.pair, &[1][..]));
    dispatcher.take(played(&last, 1)).unwrap();
    dispatcher.take(JobReport::Done { job: last.number }).unwrap();
    assert!(job(&mut dispatcher).is_none() && dispatcher.is_idle());
    let end = dispatcher.end(false);
    assert_eq!((end.played, end.seed), (2, None));
}
