//! A bot that is stopped stands still, whatever it has arranged before; and memory that no limit counts is seen.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::thread::sleep;
use std::time::Duration;

use leyden_host::sandbox::Level;
use leyden_host::{BotProcess, Command, CpuReading, Launcher};
use leyden_tests::patience::Patience;
use leyden_tests::program;
use tokio::io::AsyncReadExt;

use crate::field::{Field, Who};

/// What came of stopping a bot that has itself continued whenever it is stopped.
#[derive(Debug)]
struct Stopped {
    /// Whether it got its timer.
    armed: bool,
    /// Whether no more than a signal stops it.
    by_signal: bool,
    /// What it used, in microseconds: in seconds, or until that was enough to be seen.
    at_rest: u64,
    afterwards: u64,
}

/// What shows that it runs, in microseconds. To be stopped takes a few.
const SEEN: u64 = 50_000;

fn stop(who: Who, level: Level) -> Stopped {
    let field = Field::new();
    let attack = program("attack").display().to_string();
    let output = who.in_sandbox(level, &field.path("own"), &["stopped", &attack, "continue-itself"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let words: Vec<&str> = said.split_whitespace().collect();
    let [armed, by_signal, at_rest, afterwards] = words[..] else { panic!("{level}: {output:?}") };
    let number = |word: &str| word.parse().expect("a number");
    Stopped {
        armed: armed == "armed",
        by_signal: by_signal == "true",
        at_rest: number(at_rest),
        afterwards: number(afterwards),
    }
}

#[test]
fn a_stopped_bot_stands_still_unless_nothing_but_a_signal_stops_it_and_no_filter_keeps_it_from_going_on() {
    for who in Who::everybody() {
        for level in who.levels() {
            let stopped = stop(who, level);
            eprintln!("{who:?} at {level}: {stopped:?}");
            assert_eq!(stopped.armed, level == Level::None, "{who:?} at {level}: {stopped:?}");
            assert!(stopped.afterwards >= SEEN, "{who:?} at {level}: {stopped:?}");
            let runs = stopped.armed && stopped.by_signal;
            if runs {
                // The control: this is how it would rob others, and what the fault `ran` is for.
                assert!(stopped.at_rest >= SEEN, "{who:?} at {level}: {stopped:?}");
            } else {
                assert!(stopped.at_rest < SEEN / 10, "{who:?} at {level}: {stopped:?}");
            }
        }
    }
}

#[test]
fn memory_that_no_limit_of_a_process_counts_is_seen_from_restrict_on() {
    let attack = program("attack").display().to_string();
    for who in Who::everybody() {
        for level in who.levels() {
            let field = Field::new();
            let output = who.in_sandbox(level, &field.path("own"), &["watched", &attack, "hide-memory"]);
            let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
            eprintln!("{who:?} at {level}: {said}");
            match level {
                Level::None => assert_eq!(said, "holding false", "{who:?}: {output:?}"),
                Level::Restrict | Level::Jail => assert_eq!(said, "holding true", "{who:?} at {level}"),
                Level::Full => assert!(!said.starts_with("holding"), "{who:?}: {said}"),
            }
        }
    }
}

/// Starts the bot as a supervisor does, but never speaks.
const SILENT: &str = "#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done\nshift\nsetsid \"$@\"\n";

/// What it uses in a fifth of a second.
fn used(process: &mut BotProcess) -> Duration {
    let before = process.cpu_time(CpuReading::Exact).expect("a clock");
    sleep(Duration::from_millis(200));
    process.cpu_time(CpuReading::Exact).expect("a clock").saturating_sub(before)
}

#[tokio::test]
async fn a_bot_whose_supervisor_has_not_spoken_can_be_stopped() {
    let field = Field::new();
    let supervisor = field.path("own/supervisor");
    fs::write(&supervisor, SILENT).expect("a script");
    fs::set_permissions(&supervisor, fs::Permissions::from_mode(0o755)).expect("permissions");
    let script = "echo begun; while :; do :; done";
    let command = Command {
        program: "sh".into(),
        arguments: ["-c", script].map(Into::into).into(),
        folder: None,
        reads: Vec::new(),
    };
    let (mut process, mut stdout, _stdin) = Launcher::new(supervisor).start(&command).expect("a process");
    stdout.read_exact(&mut [0; 6]).await.expect("it has begun");
    process.wait_until_running().await.expect("nobody speaks, and that is no failure");
    let mut patience = Patience::of(Duration::from_secs(20));
    while used(&mut process) < Duration::from_millis(20) {
        assert!(patience.waits(), "it does not compute");
    }
    process.pause();
    sleep(Duration::from_millis(50)); // until it has come to a halt
    assert!(used(&mut process) < Duration::from_millis(5));
    process.strike_down();
    process.kill().await.expect("it can be killed");
}
