//! Fair time: a bot that computes while another one thinks is stopped, and `--clock cpu` charges only computing.
//!
//! The tests compare processor time, which a busy machine does not change. A limit of real time matters only where a bot is
//! meant to be too slow in real time.
#![allow(clippy::print_stderr, reason = "says what this machine cannot do")]

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use leyden_tests::arena::{Arena, Ran};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::table::{
    GENEROUS, PATIENCE, assert_lost, assert_played_on, crowd, fake, leyden, run_with_timeouts, seat_of_fake,
    until_none_is_void,
};

/// Thinks for 1.2 s in all, in processor time.
const THINKER: &str = "--think-cpu-at-turn 1 --think-cpu-at-turn 2 --think-cpu-at-turn 3 --burn 400";

/// Burns processor time from its first turn on, also when it is not its turn.
const BURNERS: [&str; 2] = ["--hog-at-turn 1 --threads 1", "--child-burns-at-turn 1"];

/// The lowest and the highest level below `full` that are available on this machine: no level between them stops bots in another way.
fn levels() -> Vec<&'static str> {
    let doctor = Command::new(leyden()).arg("doctor").output().expect("leyden doctor");
    let report = String::from_utf8_lossy(&doctor.stdout).into_owned();
    let has = |level: &&str| {
        let line = report.lines().find(|line| line.trim_start().starts_with(level)).unwrap_or_default();
        if *level != "none" && !line.ends_with("passed") {
            eprintln!("untested: {level}");
            return false;
        }
        true
    };
    let levels: Vec<_> = ["none", "restrict", "jail"].into_iter().filter(has).collect();
    [levels[0]].into_iter().chain(levels[1..].last().copied()).collect()
}

/// A run of both seatings at one table, on one core.
fn run(bots: [&str; 2], level: &str, options: &[&str]) -> Arena {
    started("--json", bots, level, options)
}

/// The same with more or less output.
fn started(json: &str, bots: [&str; 2], level: &str, options: &[&str]) -> Arena {
    let fixed = ["match", bots[0], bots[1], json, "--jobs", "1", "--seed", "hostile", "--results", "r.db"];
    Arena::new(&leyden(), &[&fixed[..], &["--sandbox", level, "--target", "30"], GENEROUS, options].concat())
}

/// What a bot did off turn in a match.
#[derive(Debug)]
struct OffTurn {
    used: Duration,
    stopped: bool,
    /// The arena's longest delay: off-turn computing is noticed that much later.
    late: Duration,
}

impl OffTurn {
    /// Whether it used at most this, plus what the machine kept the arena from seeing in time.
    fn is_at_most(&self, most: Duration) -> bool {
        self.used < most + 4 * self.late
    }
}

/// What the first bot did off turn in each match.
fn off_turn(ran: &Ran, bot: &str) -> Vec<OffTurn> {
    let of = |record: &Value| {
        let seat = usize::from(record["bots"][0] != bot);
        assert_eq!(record["bots"][seat], bot, "{record}");
        let host = &record["host"];
        let micros = |time: &Value| Duration::from_micros(time.as_u64().unwrap_or(0));
        let stopped = host["stopped"].as_array().is_some_and(|seats| seats.contains(&Value::from(seat)));
        OffTurn { used: micros(&host["off_turn_us"][seat]), stopped, late: micros(&host["late_us"]) }
    };
    ran.records().iter().map(of).collect()
}

#[test]
fn bot_computing_off_turn_is_stopped_and_reported() {
    for level in levels() {
        for burner in BURNERS.map(fake) {
            let ran = run([&burner, &fake(THINKER)], level, &[]).run(PATIENCE);
            assert_played_on(&ran, 2);
            let report = off_turn(&ran, &burner);
            // The allowance is 100 ms; unchecked it would use about 1,200. In the second match it is a new process.
            let [first, second] = &report[..] else { panic!("{level}, {burner}: {report:?}") };
            assert!(first.stopped && second.stopped, "{level}, {burner}: {report:?}");
            assert!(first.used > Duration::from_millis(100), "{level}, {burner}: {report:?}");
            assert!(first.is_at_most(Duration::from_millis(600)), "{level}, {burner}: {report:?}");
            assert!(second.is_at_most(Duration::from_millis(300)), "{level}, {burner}: {report:?}");
            let event = ran.stdout.lines().find(|line| line.contains(r#""event":"off_turn""#));
            let event: Value = serde_json::from_str(event.expect("an event")).expect("JSON");
            assert_eq!((&event["bots"][0]["stopped"], &event["pondering"]), (&2.into(), &"watched".into()));
            assert!(ran.stderr.contains("and was stopped for it in 2 matches"), "{}", ran.stderr);
        }
    }
}

#[test]
fn without_pondering_no_bot_computes_off_turn() {
    for level in levels() {
        for burner in BURNERS.map(fake) {
            let ran = run([&burner, &fake(THINKER)], level, &["--no-ponder"]).run(PATIENCE);
            assert_played_on(&ran, 2);
            for report in off_turn(&ran, &burner) {
                let little = report.is_at_most(Duration::from_millis(300));
                assert!(little && !report.stopped, "{level}, {burner}: {report:?}");
            }
        }
    }
}

#[test]
fn bot_with_pondering_computes_freely_and_is_reported() {
    let burner = fake("--burn-when-asked-at-hello --burn 400");
    let ran = run([&burner, &fake("--ask-to-burn-at-turn 2")], "none", &["--ponder"]).run(PATIENCE);
    assert_played_on(&ran, 2);
    for report in off_turn(&ran, &burner) {
        // Very short turns may not be counted as off turn: a few milliseconds at most.
        assert!(report.used >= Duration::from_millis(300) && !report.stopped, "{report:?}\n{}", ran.stdout);
    }
    assert!(ran.stderr.contains("warning: with --ponder, bots that share a core"), "{}", ran.stderr);
    assert!(ran.stderr.contains("while it was not its turn"), "{}", ran.stderr);
}

/// An opponent that would take half of the core, and an honest bot that needs 60 % of its limit.
#[test]
fn honest_bot_gets_its_time_against_a_burner() {
    let honest = fake("--think-cpu-at-turn 1 --think-cpu-at-turn 2 --burn 300");
    for pondering in [&["--turn", "500ms"][..], &["--turn", "500ms", "--no-ponder"]] {
        let fixed = ["match", &honest, &fake(BURNERS[0]), "--json", "--jobs", "1", "--seed", "hostile"];
        let more = ["--sandbox", "none", "--target", "30", "--startup", "60s", "--clock", "cpu"];
        let words = [&fixed[..], &more, pondering].concat();
        let ran = until_none_is_void(|| Arena::new(&leyden(), &words).run(PATIENCE));
        // Charged by processor time, so that only the opponent could disturb it.
        let records = ran.records();
        assert_eq!(records.len(), 2, "{ran:?}");
        for record in &records {
            let honest = usize::from(record["bots"][0] != honest.as_str());
            assert_ne!(record["fault"]["seat"], honest, "{record}");
        }
    }
}

#[test]
fn stopped_bot_is_killed_like_any_other() {
    for level in levels() {
        let silent = fake("--chatty --silent-at-turn 2");
        let bots = [&*fake("--ignore-polite --stay --hog-at-turn 1 --threads 1"), &*silent];
        let running = started("--json=moves", bots, level, &["--no-ponder"]).start();
        // Once a bot has a second turn, both have played: one computes when it may, and the other says nothing more.
        running.wait_for("stdout", "\"turn\":2", PATIENCE);
        let arena = Pid::from_raw(running.child.id().cast_signed()).unwrap();
        kill_process(arena, Signal::INT).unwrap();
        let ran = running.finish(PATIENCE);
        assert_eq!(ran.code, Some(130), "{level}: {ran:?}");
        ran.assert_clean();
    }
}

#[test]
fn stopped_bot_may_end_normally() {
    for level in levels() {
        for switches in ["", "--ignore-polite --stay", "--exit0-at-match-end"] {
            let ran = run([&fake(switches), "builtin:random"], level, &["--no-ponder", "--blocks", "3"])
                .run(PATIENCE);
            assert_played_on(&ran, 6);
        }
    }
}

#[test]
fn self_stopped_bot_times_out_without_pondering() {
    let options = ["--turn", "10s", "--startup", "60s", "--no-ponder"];
    let ran = run_with_timeouts(&fake("--stop-at-turn 2"), &options);
    assert_lost(&ran, 2, "timeout", &["nothing came"]);
}

#[test]
fn python_bot_plays_alike_with_and_without_pondering() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("untested: python, which is not installed");
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sample-bots/python-first");
    let folder = folder.to_str().unwrap();
    let scores = |options: &[&str]| {
        let ran = run([folder, "builtin:random"], "none", options).run(PATIENCE);
        assert_played_on(&ran, 2);
        ran.records().iter().map(|record| record["scores"].to_string()).collect::<Vec<_>>()
    };
    assert_eq!(scores(&["--no-ponder"]), scores(&["--ponder"]));
}

/// A match against the honest bot, charged by processor time.
fn by_cpu(switches: &str, turn: &str) -> Ran {
    run_with_timeouts(&fake(switches), &["--clock", "cpu", "--turn", turn, "--startup", "60s"])
}

#[test]
fn bot_that_computes_too_long_times_out() {
    let says = ["turn 2 within 1s of processor time", "computes too long"];
    assert_lost(&by_cpu("--think-cpu-at-turn 2 --burn 10000", "1s"), 2, "timeout", &says);
    assert_lost(&by_cpu("--child-thinks-at-turn 2 --burn 10000", "1s"), 2, "timeout", &says);
}

#[test]
fn sleeping_bot_is_uncharged_but_must_wake_up() {
    assert_played_on(&by_cpu("--late-at-turn 2 --delay 2000", "1s"), 2);
    let says = ["turn 2 within 6s of real time", "500ms of processor time"];
    assert_lost(&by_cpu("--silent-at-turn 2", "500ms"), 2, "timeout", &says);
}

#[test]
fn bot_is_charged_what_it_computed() {
    for switches in ["--think-cpu-at-turn 2 --burn 500", "--child-thinks-at-turn 2 --burn 500"] {
        let ran = by_cpu(switches, "5s");
        assert_played_on(&ran, 2);
        for record in ran.records() {
            let thought = record["think_us"][seat_of_fake(&record) as usize][1].as_u64().unwrap();
            assert!((450_000..1_500_000).contains(&thought), "{switches}: {thought} us");
        }
    }
}

/// Time lost to other processes is given back; time that a bot's own threads took is its own.
#[test]
fn bot_starved_by_its_own_threads_times_out() {
    let _crowd = crowd();
    let bot = fake("--hog-at-turn 1 --threads 40 --think-cpu-at-turn 2 --burn 60000");
    let ran = run_with_timeouts(&bot, &["--turn", "5s", "--startup", "60s", "--ponder"]);
    assert_lost(&ran, 2, "timeout", &[]);
}
