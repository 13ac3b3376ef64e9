//! If writing to standard output fails, what was played is stored, the exit code says what happened, and nothing is wrongly
//! called a bug.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

use crate::program::{LIMITS, command};

/// The number of matches that [`tournament`] plays.
const MATCHES: u64 = 60;

fn leyden(folder: &Path, words: &[&str]) -> Command {
    let mut command = command(folder, words);
    command.stdin(Stdio::null());
    command
}

fn tournament(folder: &Path, more: &[&str]) -> Command {
    let words = ["tournament", "builtin:random", "builtin:greedy", "builtin:careful", "--blocks", "10"];
    let fixed = ["--seed", "outputs", "--sandbox", "none", "--results", "r.db"];
    leyden(folder, &[&words[..], &fixed, &LIMITS, more].concat())
}

fn said(output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!said.contains("panicked") && !said.contains("defect"), "{said}");
    said
}

/// The number of stored matches, all of them complete.
fn stored(folder: &Path) -> u64 {
    let verified = leyden(folder, &["verify", "r.db"]).output().unwrap();
    assert!(verified.status.success(), "{}", said(&verified));
    let standings = leyden(folder, &["standings", "r.db", "--json"]).output().unwrap();
    let standings: Value = serde_json::from_slice(&standings.stdout).unwrap();
    standings["matches"]["played"].as_u64().unwrap()
}

fn full() -> Stdio {
    File::options().write(true).open("/dev/full").expect("/dev/full").into()
}

#[test]
fn full_disk_on_stdout_is_a_host_failure() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let played = tournament(at, &[]).stdout(full()).output().unwrap();
    assert_eq!(played.status.code(), Some(5), "{}", said(&played));
    assert!(said(&played).contains("cannot write to standard output: No space left"), "{}", said(&played));
    assert_eq!(stored(at), MATCHES);
    for words in [
        &["standings", "r.db"][..],
        &["standings", "r.db", "--json"],
        &["standings", "r.db", "--csv"],
        &["matches", "r.db"],
        &["export", "r.db"],
        &["verify", "r.db"],
        &["rules", "leyden"],
        &["schema", "record"],
        &["doctor"],
        &["--help"],
    ] {
        let shown = leyden(at, words).stdout(full()).output().unwrap();
        assert_eq!(shown.status.code(), Some(5), "{words:?}: {}", said(&shown));
    }
}

/// Events that nobody can read are not worth playing for: the run can be resumed.
#[test]
fn run_with_unwritable_events_ends_and_can_resume() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let played = tournament(at, &["--json"]).stdout(full()).output().unwrap();
    assert_eq!(played.status.code(), Some(5), "{}", said(&played));
    let resumed = tournament(at, &["--resume"]).output().unwrap();
    assert!(resumed.status.success(), "{}", said(&resumed));
    assert_eq!(stored(at), MATCHES);
}

/// As with a shell's `>&-`.
#[test]
fn run_is_stored_with_closed_standard_output() {
    for more in [&[][..], &["--json"]] {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        let command = tournament(at, more);
        let mut shell = Command::new("sh");
        shell.args(["-c", "exec \"$@\" >&-", "sh"]).arg(command.get_program()).args(command.get_args());
        let played = shell.current_dir(at).env("XDG_STATE_HOME", at).output().unwrap();
        assert_eq!(played.status.code(), Some(0), "{}", said(&played));
        assert!(played.stdout.is_empty());
        assert_eq!(stored(at), MATCHES);
    }
}

/// As with `| head`.
#[test]
fn run_is_stored_after_its_reader_stops() {
    for more in [&["--json"][..], &["--json=moves"], &[]] {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        let mut playing = tournament(at, more).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut output = playing.stdout.take().unwrap();
        output.read_exact(&mut [0; 10]).unwrap();
        drop(output);
        let played = playing.wait_with_output().unwrap();
        assert_eq!(played.status.code(), Some(0), "{}", said(&played));
        assert_eq!(stored(at), MATCHES);
    }
}

/// Paths need not be valid text. They are printed so that a shell can read them.
#[test]
fn non_utf8_results_file_is_written_and_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let name = OsStr::from_bytes(b"r\xff s.db");
    if File::create(at.join(name)).is_err() {
        return; // a file system that allows only text
    }
    fs::remove_file(at.join(name)).unwrap();
    let play = |blocks: &str, more: &[&str]| {
        let words = ["match", "builtin:random", "sh -c 'exit 3'", "--seed", "x", "--sandbox", "none"];
        let mut command = leyden(at, &[&words[..], &["--blocks", blocks], &LIMITS, more].concat());
        command.arg("--results").arg(name);
        command
    };
    let first = play("2", &[]).output().unwrap();
    assert_eq!(first.status.code(), Some(0), "{}", said(&first));
    assert!(at.join(name).is_file());
    let again = play("2", &["--resume", "--json"]).output().unwrap();
    assert_eq!(again.status.code(), Some(0), "{}", said(&again));
    let standings = leyden(at, &["standings"]).arg(name).output().unwrap();
    assert!(standings.status.success(), "{}", said(&standings));

    // An interrupted run says how to resume.
    let mut command = leyden(at, &["match", "builtin:random", "builtin:greedy", "--blocks", "1000000"]);
    let longer = OsStr::from_bytes(b"l\xffng.db");
    command.args(LIMITS).args(["--json", "--sandbox", "none", "--results"]).arg(longer);
    let mut playing = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    playing.stdout.as_mut().unwrap().read_exact(&mut [0; 10]).unwrap();
    let pid = rustix::process::Pid::from_child(&playing);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let played = playing.wait_with_output().unwrap();
    assert_eq!(played.status.code(), Some(130), "{}", said(&played));
    assert!(said(&played).contains("--results $'l\\xffng.db' --resume"), "{}", said(&played));
}

/// The arena's temporary files are removed at the latest when the next one starts, no matter which signal ended the
/// last one, and when.
#[test]
fn next_run_removes_leftovers_of_a_killed_run() {
    let folder = tempfile::tempdir().unwrap();
    let (at, temporary) = (folder.path(), folder.path().join("tmp"));
    let bot = at.join("bot");
    for made in [&temporary, &bot, &bot.join(".git")] {
        fs::create_dir(made).unwrap();
    }
    // It is built, and the other one plays from a copy.
    fs::write(
        bot.join("bot.toml"),
        "name = \"bot\"\ncommand = [\"leyden\", \"bot\", \"random\"]\nbuild = [\"sleep\", \"0.05\"]\n",
    )
    .unwrap();
    let copied = at.join("copied");
    fs::create_dir_all(copied.join("__pycache__")).unwrap();
    fs::write(copied.join("bot.toml"), "name = \"copied\"\ncommand = [\"leyden\", \"bot\", \"random\"]\n")
        .unwrap();
    let play = || {
        let mut command = leyden(at, &["match", "bot", "copied", "--blocks", "1", "--quiet"]);
        command.args(LIMITS);
        command.env("TMPDIR", &temporary).stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    for moment in 0..30 {
        let mut arena = play().spawn().unwrap();
        sleep(Duration::from_millis(7 * moment));
        let signal =
            if moment % 2 == 0 { rustix::process::Signal::KILL } else { rustix::process::Signal::TERM };
        let _ = rustix::process::kill_process(rustix::process::Pid::from_child(&arena), signal);
        let ended = arena.wait().unwrap();
        assert!(ended.success() || ended.signal().is_some() || ended.code() == Some(130), "{ended:?}");
    }
    assert!(play().status().unwrap().success());
    let left = fs::read_dir(&temporary).unwrap().map(|entry| entry.unwrap().path());
    // There is a moment between creating a folder and locking it.
    let left: Vec<_> = left.filter(|path| path.join("files").exists()).collect();
    assert!(left.is_empty(), "{left:?}");
}
