//! Runs the arena's program for a test: in its own folder, marked, and with a time limit.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

use crate::marks;
use crate::patience::Patience;

/// How long a bot's process may be seen after the arena's end: a moment, which a busy machine makes longer, and less than any
/// of them would stay by itself.
pub const SOON: Duration = Duration::from_secs(10);

/// The program, from the same build as the tests.
///
/// # Panics
/// If it is missing: it belongs to another package, so cargo does not build it for these tests.
pub fn program(beside: &str) -> PathBuf {
    let leyden = Path::new(beside).with_file_name("leyden");
    assert!(
        leyden.is_file(),
        "{} is missing: build it first with `cargo build --workspace --bins` (in the same profile)",
        leyden.display()
    );
    leyden
}

/// A run of the arena that has not started.
pub struct Arena {
    command: Command,
    folder: TempDir,
    mark: String,
}

/// A run of the arena that has started. If dropped before its end, the arena and all marked processes are killed.
pub struct Running {
    pub child: Child,
    pub folder: TempDir,
    pub mark: String,
    start: Instant,
    ended: bool,
}

/// The outcome of a run.
#[derive(Debug)]
pub struct Ran {
    /// `None` if a signal ended it.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
    pub took: Duration,
    /// How long after the arena's end its bots' processes were seen; those that were left if that was longer than [`SOON`].
    pub left: Result<Duration, Vec<(i32, String)>>,
}

impl Arena {
    /// `leyden` and its arguments.
    pub fn new(leyden: &Path, arguments: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a folder for the run");
        let mark = marks::new_mark();
        let user = rustix::process::geteuid().as_raw();
        let mut command = crate::in_scope(user, leyden).unwrap_or_else(|| Command::new(leyden));
        // What it keeps for its user goes into the run's folder, too.
        command.args(arguments).current_dir(folder.path()).env("XDG_STATE_HOME", folder.path());
        command.env(marks::VARIABLE, &mark).env("LC_ALL", "C").stdin(Stdio::null());
        Self { command, folder, mark }
    }

    /// The command, to change how it is started.
    pub fn command(&mut self) -> &mut Command {
        &mut self.command
    }

    /// Starts the arena with its output in files, so that no test has to read along.
    pub fn start(mut self) -> Running {
        let file = |name| File::create(self.folder.path().join(name)).expect("a file for the output");
        self.command.stdout(file("stdout")).stderr(file("stderr"));
        self.start_as_is()
    }

    /// Starts the arena with the output as set before.
    pub fn start_as_is(mut self) -> Running {
        let child = self.command.spawn().expect("the arena starts");
        Running { child, folder: self.folder, mark: self.mark, start: Instant::now(), ended: false }
    }

    /// Runs the arena to its end, which must come within `limit`.
    pub fn run(self, limit: Duration) -> Ran {
        self.start().finish(limit)
    }
}

impl Running {
    /// Waits for the arena's end.
    ///
    /// # Panics
    /// If it does not end within `limit`.
    pub fn finish(mut self, limit: Duration) -> Ran {
        let mut patience = Patience::new(limit);
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("the arena can be waited for") {
                break status;
            }
            assert!(
                patience.waits(),
                "the arena still runs after {limit:?}\n{}\n{:?}",
                self.output("stderr"),
                marks::alive(&self.mark)
            );
        };
        let took = self.start.elapsed();
        let left = marks::wait_for_none(&self.mark, SOON);
        self.ended = left.is_ok();
        Ran { code: status.code(), stdout: self.output("stdout"), stderr: self.output("stderr"), took, left }
    }

    /// What was written so far.
    pub fn output(&self, name: &str) -> String {
        let mut bytes = Vec::new();
        if let Ok(mut file) = File::open(self.folder.path().join(name)) {
            let _ = file.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Waits until the output contains a text.
    ///
    /// # Panics
    /// If it does not within `limit`.
    pub fn wait_for(&self, name: &str, text: &str, limit: Duration) {
        let mut patience = Patience::new(limit);
        while !self.output(name).contains(text) {
            assert!(patience.waits(), "no {text:?} in {name} after {limit:?}: {}", self.output(name));
        }
    }

    /// The value of a line of `/proc/PID/status`, in its own unit.
    pub fn status(&self, field: &str) -> Option<u64> {
        let text = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'))?;
        line.split_whitespace().next()?.parse().ok()
    }

    /// Continues the arena `pause` after each time it is stopped; ends with the arena.
    pub fn go_on_after(&self, pause: Duration) -> JoinHandle<()> {
        let id = self.child.id();
        thread::spawn(move || {
            while let Ok(text) = std::fs::read_to_string(format!("/proc/{id}/status")) {
                if text.lines().any(|line| line.starts_with("State:\tT")) {
                    thread::sleep(pause);
                    // If it has already ended, there is nothing to do.
                    let _ = Pid::from_raw(id.cast_signed()).map(|pid| kill_process(pid, Signal::CONT));
                }
                thread::sleep(Duration::from_millis(20));
            }
        })
    }

    /// How many descriptors the arena has open.
    pub fn descriptors(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/fd", self.child.id())).map_or(0, Iterator::count)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.ended {
            return;
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        for (pid, _) in marks::alive(&self.mark) {
            if let Some(pid) = Pid::from_raw(pid) {
                let _ = kill_process(pid, Signal::KILL);
            }
        }
    }
}

impl Ran {
    /// The records of the matches, in the order in which they ended.
    pub fn records(&self) -> Vec<Value> {
        let events = self.stdout.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        events.filter(|event| event["event"] == "match").map(|mut event| event["record"].take()).collect()
    }

    /// # Panics
    /// If a process of a bot survived, or the arena reported a panic.
    pub fn assert_clean(&self) {
        assert!(self.left.is_ok(), "left {SOON:?} later: {:?}", self.left);
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
    }
}
