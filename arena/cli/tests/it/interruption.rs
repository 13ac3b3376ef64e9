//! An interruption before the first match: it is reported, with the usual exit code, and leaves nothing behind.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How long the program may take to get there, or to end.
const PATIENCE: Duration = Duration::from_mins(5);

/// A bot whose build waits forever, with a child that does so, too, after printing their process ids.
fn hand_in(at: &Path) {
    fs::create_dir_all(at.join("slow")).unwrap();
    let manifest = "name = \"slow\"\ncommand = [\"cat\"]\nbuild = [\"sh\", \"build.sh\"]\n";
    fs::write(at.join("slow/bot.toml"), manifest).unwrap();
    let script = format!(
        "sleep 100000 &\necho $$ $! > '{}'\nmv '{}' '{}'\nwait\n",
        at.join("draft").display(),
        at.join("draft").display(),
        at.join("pids").display()
    );
    fs::write(at.join("slow/build.sh"), script).unwrap();
}

fn start(at: &Path, words: &[&str]) -> Child {
    fs::create_dir_all(at.join("tmp")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_leyden"));
    command.args(words).args(["--sandbox", "none"]).current_dir(at);
    command.env("XDG_STATE_HOME", at.join("state")).env("TMPDIR", at.join("tmp"));
    command.env_remove("GITHUB_ACTIONS").env_remove("GITHUB_STEP_SUMMARY");
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "{what}");
        thread::sleep(Duration::from_millis(20));
    }
}

fn signal(child: &Child, signal: rustix::process::Signal) {
    rustix::process::kill_process(rustix::process::Pid::from_child(child), signal).unwrap();
}

/// Whether programs that are started here ignore a signal, because their parent does.
fn is_ignored(signal: rustix::process::Signal) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    u64::from_str_radix(ignored.trim(), 16).unwrap() >> (signal.as_raw() - 1) & 1 == 1
}

/// Whether a process exists and is not a zombie.
fn lives(pid: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with('Z'))
}

/// The program's files that are left among the temporary files and the results.
fn left(at: &Path) -> Vec<String> {
    let names = |folder: &Path| -> Vec<String> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    };
    let mut all = names(&at.join("tmp"));
    all.extend(names(&at.join("state/leyden")));
    all.extend(names(at).into_iter().filter(|name| name.contains(".db")));
    all
}

#[test]
fn interrupted_build_is_ended_and_reported() {
    use rustix::process::Signal;
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    hand_in(at);
    let rubric = "check = 10\n[[against]]\nbot = \"builtin:random\"\npoints = 10\nnone-at = 0.1\nfull-at = 0.6\nblocks = 2\n";
    fs::write(at.join("rubric.toml"), rubric).unwrap();
    for (words, by) in [
        (&["tournament", "slow", "builtin:random", "--results", "r.db"][..], Signal::INT),
        (&["match", "slow", "builtin:random", "--quiet"], Signal::TERM),
        (&["match", "slow", "builtin:random", "--json"], Signal::HUP),
        (&["tournament", "slow", "builtin:random", "builtin:greedy", "--allow-missing"], Signal::INT),
        (&["gate", "slow", "builtin:random", "--results", "g.db"], Signal::INT),
        (&["check", "slow"], Signal::INT),
        (&["grade", "slow", "--rubric", "rubric.toml"], Signal::TERM),
    ] {
        // Under nohup it stays ignored.
        let by = if by == Signal::HUP && is_ignored(Signal::HUP) { Signal::TERM } else { by };
        let mut arena = start(at, words);
        wait_until("the build begins", || at.join("pids").exists() || arena.try_wait().unwrap().is_some());
        let pids = fs::read_to_string(at.join("pids")).unwrap_or_else(|error| panic!("{words:?}: {error}"));
        assert!(pids.split_whitespace().all(lives), "{words:?}");
        signal(&arena, by);
        wait_until("the program ends", || arena.try_wait().unwrap().is_some());
        let (code, mut said) = (arena.wait().unwrap().code(), String::new());
        arena.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!(code, Some(130), "{words:?}: {said}");
        let last = said.lines().last().unwrap_or_default();
        assert!(last.starts_with("leyden: interrupted"), "{words:?}: {said}");
        let names_it = last.contains("slow was being built") || words[0] == "grade";
        assert!(names_it && !said.contains("left out"), "{words:?}: {said}");
        wait_until("no process of the build is left", || !pids.split_whitespace().any(lives));
        assert_eq!(left(at), Vec::<String>::new(), "{words:?}");
        fs::remove_file(at.join("pids")).unwrap();
    }
}

#[test]
fn build_never_starts_after_an_interruption() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    hand_in(at);
    fs::create_dir_all(at.join("next")).unwrap();
    let manifest = format!(
        "name = \"next\"\ncommand = [\"cat\"]\nbuild = [\"touch\", \"{}\"]\n",
        at.join("built").display()
    );
    fs::write(at.join("next/bot.toml"), manifest).unwrap();
    let mut arena = start(at, &["match", "slow", "next"]);
    wait_until("the build begins", || at.join("pids").exists() || arena.try_wait().unwrap().is_some());
    signal(&arena, rustix::process::Signal::INT);
    wait_until("the program ends", || arena.try_wait().unwrap().is_some());
    assert_eq!(arena.wait().unwrap().code(), Some(130));
    assert!(!at.join("built").exists());
    let printed = arena.wait_with_output().unwrap();
    assert!(printed.stdout.is_empty());
}

/// The second signal may come while the first is being handled or much later: the program still says how to resume.
#[test]
fn arena_explains_resuming_after_two_signals_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let bot = "sleep 100000";
    let words = [
        "tournament",
        "builtin:random",
        bot,
        "--results",
        "r.db",
        "--seed",
        "s",
        "--startup",
        "9000s",
        "--json",
    ];
    let mut arena = start(at, &words);
    let mut events = arena.stdout.take().unwrap();
    let mut first = [0];
    events.read_exact(&mut first).unwrap(); // the run has started
    signal(&arena, rustix::process::Signal::INT);
    signal(&arena, rustix::process::Signal::TERM);
    wait_until("the program ends", || arena.try_wait().unwrap().is_some());
    let (code, mut said) = (arena.wait().unwrap().code(), String::new());
    arena.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(code, Some(130), "{said}");
    assert!(said.contains("leyden: interrupted: ") && said.contains("Resume with\n"), "{said}");
    assert!(said.contains("--results r.db --resume"), "{said}");
}
