//! A stopped bot stands still, no matter what it has arranged before; and memory that no limit counts is noticed.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Output;
use std::thread::sleep;
use std::time::Duration;

use leyden_host::sandbox::SandboxLevel;
use leyden_host::{BotCommand, BotProcess, CpuReading, Launcher};
use leyden_model::{Pondering, RecordRules, TimeLimits};
use leyden_protocol::{RulesName, Seats, Set};
use leyden_referee::{Launch, ProcessPlayer};
use leyden_tests::patience::Patience;
use leyden_tests::program;
use serde_json::Value;
use tokio::io::AsyncReadExt;

use crate::field::{ArenaUser, AttackTargets, processes_with};

/// The outcome of stopping a bot that has itself continued whenever it is stopped.
#[derive(Debug)]
struct Stopped {
    /// Whether it got its timer.
    armed: bool,
    /// Whether only a signal stops it.
    by_signal: bool,
    /// Its processor time in microseconds: in a few seconds, or until it was enough to be noticed.
    at_rest: u64,
    afterwards: u64,
}

/// Processor time in microseconds that shows that it runs. Being stopped takes a few.
const SEEN: u64 = 50_000;

fn stop(who: ArenaUser, level: SandboxLevel) -> Stopped {
    let field = AttackTargets::new();
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
fn stopped_bot_rests_only_with_freezer_or_filter() {
    for who in ArenaUser::everybody() {
        for level in who.levels() {
            let stopped = stop(who, level);
            eprintln!("{who:?} at {level}: {stopped:?}");
            assert_eq!(stopped.armed, level == SandboxLevel::None, "{who:?} at {level}: {stopped:?}");
            assert!(stopped.afterwards >= SEEN, "{who:?} at {level}: {stopped:?}");
            let runs = stopped.armed && stopped.by_signal;
            if runs {
                // The control: this is how it would rob others, and why there is the fault `ran`.
                assert!(stopped.at_rest >= SEEN, "{who:?} at {level}: {stopped:?}");
            } else {
                assert!(stopped.at_rest < SEEN / 10, "{who:?} at {level}: {stopped:?}");
            }
        }
    }
}

#[test]
fn hidden_memory_is_noticed_from_restrict_on() {
    let attack = program("attack").display().to_string();
    for who in ArenaUser::everybody() {
        for level in who.levels() {
            let field = AttackTargets::new();
            let output = who.in_sandbox(level, &field.path("own"), &["watched", &attack, "hide-memory"]);
            let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
            eprintln!("{who:?} at {level}: {said}");
            match level {
                SandboxLevel::None => assert_eq!(said, "holding false", "{who:?}: {output:?}"),
                SandboxLevel::Restrict | SandboxLevel::Jail => {
                    assert_eq!(said, "holding true", "{who:?} at {level}");
                }
                SandboxLevel::Full => assert!(!said.starts_with("holding"), "{who:?}: {said}"),
            }
        }
    }
}

/// Starts the bot as a supervisor does, but never speaks.
const SILENT: &str = "#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done\nshift\nsetsid \"$@\"\n";

/// Its processor time in a fifth of a second.
fn used(process: &mut BotProcess) -> Duration {
    let before = process.cpu_time(CpuReading::Exact).expect("a clock");
    sleep(Duration::from_millis(200));
    process.cpu_time(CpuReading::Exact).expect("a clock").saturating_sub(before)
}

#[tokio::test]
async fn bot_with_a_silent_supervisor_can_be_stopped() {
    let field = AttackTargets::new();
    let supervisor = field.path("own/supervisor");
    fs::write(&supervisor, SILENT).expect("a script");
    fs::set_permissions(&supervisor, fs::Permissions::from_mode(0o755)).expect("permissions");
    let script = "echo begun; while :; do :; done";
    let command = BotCommand {
        program: "sh".into(),
        arguments: ["-c", script].map(Into::into).into(),
        folder: None,
        reads: Vec::new(),
        lists: Vec::new(),
        network: false,
    };
    let (mut process, mut stdout, _stdin) = Launcher::new(supervisor).start(&command).expect("a process");
    stdout.read_exact(&mut [0; 6]).await.expect("it has begun");
    process.wait_until_running().await.expect("nobody speaks, and that is no failure");
    let mut patience = Patience::new(Duration::from_mins(10));
    let before = process.cpu_time(CpuReading::Exact).expect("a clock");
    while process.cpu_time(CpuReading::Exact).expect("a clock") < before + Duration::from_millis(20) {
        assert!(patience.waits(), "it does not compute");
    }
    process.pause();
    // On a busy machine it takes a while to stop.
    let mut patience = Patience::new(Duration::from_secs(10));
    while used(&mut process) >= Duration::from_millis(5) {
        assert!(patience.waits(), "it computes although it is stopped");
    }
    process.kill_processes();
    process.kill().await.expect("it can be killed");
}

/// Reports that it is ready, and then computes. Its last word is a mark.
const BURNER: &str =
    "read hello; echo '{\"type\":\"ready\",\"protocol\":\"1.1\",\"name\":\"burner\"}'; while :; do :; done";

/// The processor time of the processes with this word in their command line, in kernel ticks.
fn ticks(mark: &str) -> u64 {
    let of = |process: String| {
        let stat = fs::read_to_string(format!("{process}/stat")).unwrap_or_default();
        let (_, rest) = stat.rsplit_once(')').unwrap_or_default();
        rest.split_whitespace().skip(11).take(2).filter_map(|word| word.parse::<u64>().ok()).sum::<u64>()
    };
    processes_with(mark).into_iter().map(of).sum()
}

/// No bot computes between matches, no matter what it may do between turns.
#[tokio::test]
async fn parked_process_stands_still_until_next_match() {
    let mark = format!("mark-parked-{}", std::process::id());
    let rules = RecordRules { name: RulesName::Leyden, seats: Seats::TWO, set: Set::default(), target: 100 };
    let rules = rules.rules().expect("rules");
    let command = BotCommand {
        program: "sh".into(),
        arguments: ["-c", BURNER, &mark].map(Into::into).into(),
        folder: None,
        reads: Vec::new(),
        lists: Vec::new(),
        network: false,
    };
    let launch = Launch {
        launcher: Launcher::new(program("leyden")),
        command,
        rules,
        limits: TimeLimits { startup_ms: 60_000, ..TimeLimits::default() },
        pondering: Pondering::Allowed,
        cores: 1,
    };
    let started = ProcessPlayer::start(&launch).await.expect("a process");
    let Ok(mut parked) = started else { panic!("it is ready") };
    let mut patience = Patience::new(Duration::from_mins(10));
    let mut runs_on = |from: u64| {
        while ticks(&mark) < from + 5 {
            assert!(patience.waits(), "it does not compute");
        }
    };
    runs_on(0);
    parked.park();
    sleep(Duration::from_millis(50)); // until it has stopped
    let before = ticks(&mark);
    sleep(Duration::from_millis(500));
    assert!(ticks(&mark) <= before + 1, "{} ticks", ticks(&mark) - before);
    parked.unpark();
    runs_on(before);
    parked.kill().await.expect("it can be killed");
}

/// Repeats matches while the machine is too busy to hold bots to their time.
fn until_none_is_void(run: impl Fn() -> Output) -> Output {
    for pause in (1..=20).map(|run: u64| (run * run).min(60)) {
        let output = run();
        if !String::from_utf8_lossy(&output.stderr).contains("is void: host overloaded") {
            return output;
        }
        sleep(Duration::from_secs(pause));
    }
    panic!("this machine is too busy to hold any bot to its time: a match was void in each of 20 runs");
}

/// In a match it costs the match, at once.
#[test]
fn sandboxed_bot_hiding_memory_is_killed_with_explanation() {
    let bot = format!("{} hide-memory-at-turn", program("attack").display());
    for who in ArenaUser::everybody() {
        for level in who.levels() {
            // Where nothing limits it, its time runs out.
            let turn = if level == SandboxLevel::None { "3s" } else { "100s" };
            let output = until_none_is_void(|| {
                let field = AttackTargets::new();
                let mut command = who.command(&program("leyden"));
                command.args([
                    "match",
                    "--json",
                    "--quiet",
                    "--jobs",
                    "1",
                    "--startup",
                    "100s",
                    "--turn",
                    turn,
                ]);
                command.args(["--sandbox", level.name(), "--results", &field.text("home/r.db")]);
                command.arg(&bot).arg("builtin:random").current_dir("/").output().expect("it runs")
            });
            let events = String::from_utf8_lossy(&output.stdout).into_owned();
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            let faults: Vec<Value> = events
                .lines()
                .filter_map(|line| serde_json::from_str::<Value>(line).ok())
                .filter(|event| event["event"] == "match")
                .map(|mut event| event["record"]["fault"].take())
                .collect();
            assert_eq!(faults.len(), 2, "{who:?} at {level}: {said}");
            for fault in faults {
                let message = fault["message"].as_str().unwrap_or_default();
                let code = if level == SandboxLevel::None { "timeout" } else { "exited" };
                assert_eq!(fault["code"], code, "{who:?} at {level}: {message}");
                if matches!(level, SandboxLevel::Restrict | SandboxLevel::Jail) {
                    assert!(message.contains("--memory"), "{who:?} at {level}: {message}");
                }
            }
        }
    }
}
