//! Bots that cannot be started: when they are disabled, and what happens to their matches.

use std::collections::{BTreeMap, BTreeSet};

use leyden_model::Deviation;

use super::*;
use crate::run::START_FAILURES;

/// The executor's reports about a job if the bots of these names cannot be started.
pub(super) fn with_dead(job: &Job, dead: &[&str]) -> Vec<JobReport> {
    let mut reports = Vec::new();
    for &leg in &job.legs {
        let header = job.header(leg);
        let spec = MatchSpec::new(header.clone(), &job.settings).unwrap();
        let mut started = Vec::new();
        let mut lost = None;
        for (seat, name) in header.bots.iter() {
            if let Some(disabled) = job.disabled.iter().find(|disabled| disabled.bot == *name) {
                lost = Some((seat, Fault::disabled(disabled)));
                break;
            }
            if dead.contains(&name.as_str()) {
                lost = Some((seat, Fault::new(FaultCode::Handshake, Deviation::default(), b"")));
                break;
            }
            started.push(seat);
        }
        let record = match lost {
            Some((seat, fault)) => forfeit(&spec, seat, &fault, None),
            None => record(job, leg),
        };
        let outcome = LegOutcome::Played { record: Box::new(record) };
        let goes_on = outcome.goes_on();
        reports.push(JobReport::Leg { job: job.number, leg, started, outcome });
        if !goes_on {
            break;
        }
    }
    reports.push(JobReport::Done { job: job.number });
    reports
}

#[test]
fn unstartable_bot_is_disabled_and_rest_ends_unplayed() {
    let plan = plan(3, 4, Format::RoundRobin);
    let mut dispatcher = dispatcher(&plan);
    let mut given = 0;
    while let Some(job) = job(&mut dispatcher) {
        given += 1;
        for report in with_dead(&job, &["random"]) {
            dispatcher.take(report).unwrap();
        }
    }
    let all = events(&mut dispatcher);
    assert_eq!(ranks(&all).len(), 24);
    let disabled: Vec<_> = all
        .iter()
        .filter_map(|event| match event {
            RunEvent::Disabled(disabled) => Some((&*disabled.bot, disabled.failures)),
            _ => None,
        })
        .collect();
    assert_eq!(disabled, [("random", START_FAILURES)]);
    assert_eq!(dispatcher.end(false).disabled, ["random"]);
    // Three that failed, one in which another bot had to be started first, and both legs of the pairs of the other two.
    assert!((3 + 8..=3 + 8 + 1).contains(&given), "{given}");
}

#[test]
fn start_that_succeeds_begins_the_count_anew() {
    let plan = plan(2, 8, Format::RoundRobin);
    let mut dispatcher = dispatcher(&plan);
    for n in 1.. {
        let Some(job) = job(&mut dispatcher) else { break };
        let dead: &[&str] = if n % 3 == 0 { &[] } else { &["random"] };
        dispatcher.take(with_dead(&job, dead).remove(0)).unwrap();
        // No bot has to be started for the other leg.
        let outcome = LegOutcome::Played { record: Box::new(record(&job, 1)) };
        dispatcher.take(JobReport::Leg { job: job.number, leg: 1, started: Vec::new(), outcome }).unwrap();
        dispatcher.take(JobReport::Done { job: job.number }).unwrap();
    }
    assert_eq!(ranks(&events(&mut dispatcher)).len(), 16);
    assert_eq!(dispatcher.end(false).disabled, [""; 0]);
}

/// The winner, and which bot lost by which fault.
type WinnerAndFault = (Option<Seat>, Option<(Seat, FaultCode)>);

/// How each match ended if this many jobs are in progress at once and the last of them is always reported first.
fn endings(dead: &[&str], at_once: usize, moves: bool) -> BTreeMap<u64, WinnerAndFault> {
    let plan = plan(5, 3, Format::RoundRobin);
    let schedule = plan.schedule().unwrap();
    let done = DoneMatches::none(&schedule);
    let mut dispatcher = Dispatcher::new(&plan, schedule, done, moves, in_order);
    let mut under_way: Vec<Job> = Vec::new();
    let mut begun = BTreeSet::new();
    loop {
        while under_way.len() < at_once
            && let Some(job) = job(&mut dispatcher)
        {
            under_way.push(job);
        }
        let Some(job) = under_way.pop() else { break };
        begun.insert(job.number);
        for report in with_dead(&job, dead) {
            dispatcher.take(report).unwrap();
        }
        for number in dispatcher.take_back_list().into_iter().filter(|number| !begun.contains(number)) {
            under_way.retain(|job| job.number != number);
            dispatcher.handed_back(number);
        }
    }
    assert!(dispatcher.is_idle());
    let mut endings = BTreeMap::new();
    for event in events(&mut dispatcher) {
        if let RunEvent::Match { rank, record, .. } = event {
            let fault = record.fault.as_ref().map(|fault| (fault.seat, fault.code));
            assert!(endings.insert(rank, (record.winner, fault)).is_none());
        }
    }
    endings
}

#[test]
fn time_of_disabling_does_not_change_results() {
    for dead in [&["random"][..], &["random#3"], &["random", "random#2"], &["random#2", "random#5"]] {
        let one = endings(dead, 1, false);
        assert_eq!(one.len(), 60);
        for (at_once, moves) in [(2, false), (4, true), (7, false), (30, false)] {
            assert_eq!(endings(dead, at_once, moves), one, "{dead:?}, {at_once} at once");
        }
    }
}

#[test]
fn unstarted_jobs_of_disabled_bot_are_taken_back() {
    let plan = plan(3, 4, Format::RoundRobin);
    let mut dispatcher = dispatcher(&plan);
    let jobs: Vec<Job> = std::iter::from_fn(|| job(&mut dispatcher)).collect();
    assert_eq!(jobs.len(), 12);
    let with_bot: Vec<u64> =
        jobs.iter().filter(|job| job.bots[0].name == "random").map(|job| job.number).collect();
    for &number in &with_bot[..3] {
        let report = with_dead(&jobs[number as usize], &["random"]).remove(0);
        dispatcher.take(report).unwrap();
    }
    let others: Vec<u64> = with_bot.iter().copied().filter(|&number| number != with_bot[2]).collect();
    assert_eq!(dispatcher.take_back_list(), others, "except the one in progress");
    assert_eq!(dispatcher.take_back_list(), [0; 0]);
    dispatcher.handed_back(with_bot[5]);
    events(&mut dispatcher);
    assert!(matches!(dispatcher.step().unwrap(), Step::Settled));
    assert_eq!(ranks(&events(&mut dispatcher)).len(), 1);
    for job in jobs.iter().filter(|job| job.number != with_bot[5]) {
        dispatcher.take(played(job, 0)).unwrap();
        dispatcher.take(JobReport::Done { job: job.number }).unwrap();
    }
    // The other bots were started by then, so nothing has to be found out.
    let later: Vec<Job> = std::iter::from_fn(|| job(&mut dispatcher)).collect();
    assert!(later.len() == 4 && later.iter().all(|job| job.bots[0].name != "random"), "{later:?}");
}
