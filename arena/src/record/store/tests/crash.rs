//! Killed while writing, cut off by a power failure, out of space: finished matches are kept, and nothing is half-written.

use std::fs;
use std::io::{self, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::*;

const FILE: &str = "LEYDEN_TEST_RESULTS";

/// Not a test by itself: the process that the other tests kill. Plays the tournament until then; after half an hour nobody is
/// left to kill it.
#[test]
#[ignore = "run by the tests that kill it"]
fn writes_until_it_is_killed() {
    let Some(path) = std::env::var_os(FILE).map(PathBuf::from) else { return };
    let stored_plan = sample::stored_plan(4, 1_000_000);
    let (writer, done) = Writer::resume(&path, &stored_plan).unwrap();
    let schedule = stored_plan.schedule().unwrap();
    let begin = Instant::now();
    for rank in done.missing().take_while(|_| begin.elapsed() < Duration::from_mins(30)) {
        let key = schedule.nth(rank).unwrap();
        let record = sample::play(sample::record_template(&stored_plan).for_match(&key), None);
        if writer.add(&key, record).is_err() {
            writeln!(io::stderr(), "{}", writer.finish().unwrap_err()).unwrap();
            std::process::exit(3);
        }
    }
}

fn child(path: &Path) -> Command {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args([
        "--exact",
        "record::store::tests::crash::writes_until_it_is_killed",
        "--ignored",
        "--nocapture",
    ]);
    child.env(FILE, path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    child
}

/// Waits until this many matches are committed.
fn wait_for(path: &Path, matches: usize) {
    while Results::open(path).unwrap().count().unwrap() < matches as u64 {
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// What must hold for any file after any failure: its records are those of the schedule, and its sums are theirs.
fn check(path: &Path) -> usize {
    let stored_plan = sample::stored_plan(4, 1_000_000);
    let all = records(path);
    for (key, record) in &all {
        assert!(
            *record == sample::play(sample::record_template(&stored_plan).for_match(key), None),
            "{key:?}"
        );
    }
    assert!(all.is_sorted_by(|a, b| a.0 < b.0), "none twice");
    assert!(Results::open(path).unwrap().bot_sums().unwrap() == sums_of(path));
    all.len()
}

#[test]
fn file_keeps_finished_matches_if_writer_is_killed() {
    let (_folder, path) = fixture();
    drop(Writer::create(&path, &sample::stored_plan(4, 1_000_000)).unwrap());
    let mut before = 0;
    for round in 0..8_u64 {
        let mut child = child(&path).spawn().unwrap();
        wait_for(&path, before + 1);
        std::thread::sleep(Duration::from_millis(13 * round));
        child.kill().unwrap();
        child.wait().unwrap();
        let kept = check(&path);
        assert!(kept > before, "committed matches stay");
        before = kept;
    }
}

#[test]
fn log_cut_anywhere_leaves_a_consistent_beginning() {
    let (folder, path) = fixture();
    drop(Writer::create(&path, &sample::stored_plan(4, 1_000_000)).unwrap());
    let mut child = child(&path).spawn().unwrap();
    wait_for(&path, 60);
    child.kill().unwrap();
    child.wait().unwrap();
    let (file, log) = (fs::read(&path).unwrap(), fs::read(folder.path().join("results.db-wal")).unwrap());
    assert!(log.len() > 10_000, "something is still in the log");
    let mut last = usize::MAX;
    for cut in (0..40).map(|n| log.len() * n / 40).rev() {
        let (_other, copy) = fixture();
        fs::write(&copy, &file).unwrap();
        fs::write(copy.with_extension("db-wal"), &log[..cut]).unwrap();
        let kept = check(&copy);
        assert!(kept <= last, "the shorter the log, the fewer matches");
        last = kept;
        Writer::resume(&copy, &sample::stored_plan(4, 1_000_000)).unwrap().0.finish().unwrap();
        assert_eq!(check(&copy), kept);
    }
}

#[test]
fn run_stops_resumably_when_file_cannot_grow() {
    let (_folder, path) = fixture();
    drop(Writer::create(&path, &sample::stored_plan(4, 1_000_000)).unwrap());
    let command = child(&path);
    // The shell limits the size of files (in blocks of 512 bytes) and ignores the signal about it.
    let mut limited = Command::new("sh");
    limited.args(["-c", "trap '' XFSZ; ulimit -f 8000; exec \"$0\" \"$@\""]).arg(command.get_program());
    limited.args(command.get_args()).env(FILE, &path).stdin(Stdio::null()).stdout(Stdio::null());
    let ended = limited.stderr(Stdio::piped()).output().unwrap();
    let message = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(3), "{message}");
    assert!(message.contains("results.db"), "{message}");
    let kept = check(&path);
    assert!(kept > 0);
    let (writer, done) = Writer::resume(&path, &sample::stored_plan(4, 1_000_000)).unwrap();
    assert_eq!(done.count() as usize, kept);
    writer.finish().unwrap();
}
