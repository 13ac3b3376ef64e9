//! Memory, descriptors and processes stay bounded through hundreds of faults.
#![allow(clippy::print_stderr, reason = "figures for a run with --nocapture")]

use std::thread::sleep;
use std::time::{Duration, Instant};

use leyden_tests::arena::{Arena, Running};
use leyden_tests::marks;

use crate::table::{GENEROUS, fake, leyden};

/// The arena's own memory limit in kilobytes; its program, which is a file, does not count.
const MEMORY: u64 = 20_000;

/// The maximum of everything that the arena used while it ran.
#[derive(Debug, Default)]
struct Most {
    kilobytes: u64,
    descriptors: usize,
    processes: usize,
}

fn watch(running: &mut Running, limit: Duration) -> Most {
    let (start, mut most) = (Instant::now(), Most::default());
    while running.child.try_wait().unwrap().is_none() {
        most.kilobytes = most.kilobytes.max(running.status("RssAnon").unwrap_or(0));
        most.descriptors = most.descriptors.max(running.descriptors());
        most.processes = most.processes.max(marks::alive(&running.mark).len());
        assert!(start.elapsed() < limit, "still running after {limit:?}: {most:?}");
        sleep(Duration::from_millis(20));
    }
    most
}

#[test]
fn hundreds_of_faults_leave_nothing_open() {
    let bots = [
        fake("--exit1-at-turn 1"),
        fake("--illegal-at-turn 1 --daemon-at-hello"),
        "builtin:random".to_owned(),
    ];
    let bots: Vec<&str> = bots.iter().map(String::as_str).collect();
    let options =
        ["--sandbox", "none", "--json", "--jobs", "2", "--seed", "s", "--results", "r.db", "--blocks", "80"];
    let arguments = [&["tournament"], &bots[..], &options, GENEROUS].concat();
    let mut running = Arena::new(&leyden(), &arguments).start();
    let most = watch(&mut running, Duration::from_mins(20));
    let ran = running.finish(Duration::from_secs(1));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.assert_clean();
    let records = ran.records();
    assert_eq!(records.len(), 480);
    assert!(records.iter().all(|record| record["end"] == "fault"));
    eprintln!("480 faults in {:?}: {most:?}", ran.took);
    assert!(most.kilobytes > 0 && most.kilobytes < MEMORY, "{most:?}");
    // Two workers with two bots each, plus those that are just ending: eight descriptors per bot, with its control group and
    // the handles of its processes. Five times as many faults leave no more open.
    assert!(most.descriptors < 160, "{most:?}");
    assert!(most.processes < 60, "{most:?}");
}

#[test]
fn arena_memory_stays_bounded_when_bots_flood() {
    let switches = [
        "--endless-line-at-turn 2",
        "--endless-lines-at-turn 2",
        "--endless-answers-at-turn 2",
        "--nested-at-turn 2",
        "--nested-short-at-turn 2",
        "--flood-at-turn 1 --megabytes 100",
        "--note 30000 --unknown-fields",
        "--endless-line-at-hello",
        "--endless-lines-at-match-end",
    ];
    let bots = switches.map(fake);
    let bots: Vec<&str> = bots.iter().map(String::as_str).collect();
    let options =
        ["--sandbox", "none", "--json", "--jobs", "2", "--seed", "s", "--results", "r.db", "--target", "30"];
    let arguments = [&["tournament"], &bots[..], &options, GENEROUS].concat();
    let mut running = Arena::new(&leyden(), &arguments).start();
    let most = watch(&mut running, Duration::from_mins(20));
    let ran = running.finish(Duration::from_secs(1));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.assert_clean();
    assert_eq!(ran.records().len(), 72);
    eprintln!("72 matches between nine floods in {:?}: {most:?}", ran.took);
    assert!(most.kilobytes > 0 && most.kilobytes < MEMORY, "{most:?}");
}
