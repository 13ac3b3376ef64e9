//! No matter what kills the arena, no finished match is lost and none is played twice.

use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// How often the arena is killed during one tournament.
const KILLS: u64 = 50;

fn tournament(folder: &Path, results: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_leyden"));
    command.args(["tournament", "builtin:random", "builtin:greedy", "builtin:careful", "--blocks", "60"]);
    command.args([
        "--turn",
        "100s",
        "--startup",
        "100s",
        "--seed",
        "killed",
        "--jobs",
        "3",
        "--quiet",
        "--results",
        results,
    ]);
    command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// The output of a command on a results file, without measurements.
fn printed(folder: &Path, words: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_leyden"))
        .args(words)
        .env("XDG_STATE_HOME", folder)
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .map(|line| line.split(",\"think_us\"").next().unwrap_or_default().to_owned() + "\n")
        .collect()
}

#[test]
fn randomly_killed_run_resumes_to_the_same_results() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    assert!(tournament(at, "whole.db").status().unwrap().success());
    let mut moment = 0x2545_f491_u64;
    let mut killed = 0;
    for _ in 0..KILLS {
        let mut command = tournament(at, "killed.db");
        if at.join("killed.db").exists() {
            command.arg("--resume");
        }
        let mut arena = command.spawn().unwrap();
        moment = moment.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        sleep(Duration::from_millis(5 + (moment >> 33) % 60));
        arena.kill().unwrap(); // SIGKILL; without effect on a process that has ended already
        killed += u32::from(!arena.wait().unwrap().success());
    }
    assert!(killed > 0, "the arena was never killed while it was playing");
    let mut last = tournament(at, "killed.db");
    if at.join("killed.db").exists() {
        last.arg("--resume");
    }
    assert!(last.status().unwrap().success());
    assert_eq!(printed(at, &["verify", "killed.db"]), printed(at, &["verify", "whole.db"]));
    let (broken, whole) = (printed(at, &["export", "killed.db"]), printed(at, &["export", "whole.db"]));
    assert_eq!(broken.lines().count(), whole.lines().count());
    for (broken, whole) in broken.lines().zip(whole.lines()) {
        assert_eq!(broken, whole);
    }
}

/// As started by `nohup`. (Otherwise the signal ends a run in order, which is tested with the other signals.)
#[test]
fn ignored_hang_up_ends_nothing() {
    // A run may be over before this thread has sent a signal.
    assert!((0..10).any(|_| signals_to_an_ignoring_run() > 0), "no signal was sent");
}

/// From its first match to its end, a run repeatedly gets the signal that the terminal is gone, which it ignores. Returns how
/// often.
fn signals_to_an_ignoring_run() -> u32 {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let plain = tournament(at, "nohup.db");
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' HUP; exec \"$@\"", "sh"]).arg(plain.get_program()).args(plain.get_args());
    shell.current_dir(at).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut arena = shell.spawn().unwrap();
    let id = rustix::process::Pid::from_child(&arena);
    let mut signals = 0;
    let status = loop {
        if let Some(status) = arena.try_wait().unwrap() {
            break status;
        }
        if at.join("nohup.db").exists() {
            rustix::process::kill_process(id, rustix::process::Signal::HUP).unwrap();
            signals += 1;
        }
        sleep(Duration::from_millis(5));
    };
    assert!(status.success(), "{status} after {signals} signals");
    assert!(printed(at, &["verify", "nohup.db"]).starts_with("360 matches verified"));
    signals
}
