//! What the tests have to play with: a bot that travels, a tournament, workers, and the results.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use leyden_tests::arena::program;
use leyden_tests::marks;
use leyden_tests::patience::Patience;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::process::PATIENCE;

pub(crate) const FAKE_BOT: &str = env!("CARGO_BIN_EXE_fake-bot");

/// The switches of a bot that takes its time.
const UNHURRIED: &str = "--wait-at-turn 3 --delay 50";

/// A folder with a bot that travels, and the results of tournaments.
pub(crate) struct Fixture(tempfile::TempDir);

impl Fixture {
    pub(crate) fn new() -> Self {
        Self::with_bot("")
    }

    /// The same with a bot that takes its time, so that something can happen while matches are played.
    pub(crate) fn unhurried() -> Self {
        Self::with_bot(UNHURRIED)
    }

    /// The same with a bot with these switches.
    fn with_bot(switches: &str) -> Self {
        let fixture = Self(tempfile::tempdir().unwrap());
        let bot = fixture.path("traveller");
        fs::create_dir(&bot).unwrap();
        fs::copy(FAKE_BOT, bot.join("play")).unwrap();
        let words: String = switches.split_whitespace().flat_map(|word| [", \"", word, "\""]).collect();
        let manifest = format!("name = \"traveller\"\ncommand = [\"./play\"{words}]\n");
        fs::write(bot.join("bot.toml"), manifest).unwrap();
        fixture
    }

    /// The same with an unhurried bot that is held up at its third match until it is released: no run ends before.
    pub(crate) fn held_up() -> Self {
        let fixture = Self::new();
        let bot = fixture.path("traveller");
        let (begun, go) = (fixture.path("begun"), fixture.path("go"));
        let script = format!(
            "while IFS= read -r line; do\n  case $line in *'\"type\":\"match_start\"'*)\n    echo >> {begun}\n    \
             until [ $(wc -l < {begun}) -le 2 ] || [ -e {go} ]; do sleep 0.05; done\n  esac\n  \
             printf '%s\\n' \"$line\"\ndone | ./play {UNHURRIED}\n",
            begun = begun.display(),
            go = go.display()
        );
        fs::write(bot.join("script"), script).unwrap();
        let manifest = "name = \"traveller\"\ncommand = [\"sh\", \"script\"]\n";
        fs::write(bot.join("bot.toml"), manifest).unwrap();
        fixture
    }

    /// The results of an undisturbed tournament with the bot that would otherwise be held up.
    pub(crate) fn alone_without_hold(&self, blocks: u32) -> Vec<Value> {
        self.let_go();
        let alone = self.alone(blocks);
        for file in ["begun", "go"] {
            fs::remove_file(self.path(file)).unwrap();
        }
        alone
    }

    /// How many matches the held-up bot has started.
    pub(crate) fn begun(&self) -> usize {
        fs::read_to_string(self.path("begun")).map_or(0, |text| text.lines().count())
    }

    /// Waits until it is held up: from then on its match does not end by itself.
    pub(crate) fn until_held_up(&self) {
        self.until("a match is held up", || self.begun() >= 3);
    }

    pub(crate) fn let_go(&self) {
        fs::write(self.path("go"), "").unwrap();
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Starts the program, with its output in `NAME.out` and `NAME.log`.
    pub(crate) fn leyden(&self, name: &str) -> Program {
        self.run(program(FAKE_BOT), name)
    }

    /// The same for another program that starts it.
    pub(crate) fn run(&self, program: impl AsRef<OsStr>, name: &str) -> Program {
        let mark = marks::new_mark();
        let mut command = Command::new(program);
        command.env(marks::VARIABLE, &mark).env("XDG_STATE_HOME", self.0.path());
        command.current_dir(self.0.path()).stdin(Stdio::null());
        command.stdout(self.file(name, "out")).stderr(self.file(name, "log"));
        Program { command, mark, name: name.to_owned() }
    }

    /// A tournament of this many blocks into this file.
    pub(crate) fn tournament(&self, blocks: u32, results: &str) -> Program {
        let mut program = self.leyden(results);
        program.command.args(["tournament", "builtin:careful", "builtin:greedy"]).arg(self.path("traveller"));
        program.command.args(["--seed", "over workers", "--sandbox", "none", "--target", "30"]);
        program.command.args(["--turn", "1000s", "--startup", "1000s"]);
        program.command.args(["--blocks", &blocks.to_string(), "--results"]).arg(self.path(results));
        program
    }

    /// The same over workers. The lease is short if a worker is to lose something.
    pub(crate) fn shared(&self, blocks: u32, results: &str, url: &str, lease: &str) -> Program {
        let mut program = self.tournament(blocks, results);
        program.command.args(["--nats", url, "--lease", lease, "--equal-speed"]);
        program
    }

    /// The results of an undisturbed tournament.
    pub(crate) fn alone(&self, blocks: u32) -> Vec<Value> {
        self.tournament(blocks, "alone.db").start().ends(self);
        self.exported("alone.db")
    }

    pub(crate) fn worker(&self, url: &str, name: &str) -> Running {
        let mut program = self.leyden(name);
        program.command.args(["worker", "--nats", url, "--name", name, "--jobs", "1"]);
        program.start()
    }

    fn file(&self, name: &str, kind: &str) -> fs::File {
        fs::File::options().create(true).append(true).open(self.path(&format!("{name}.{kind}"))).unwrap()
    }

    /// What a process has printed so far, for people or, with `.out`, for programs.
    pub(crate) fn said(&self, name: &str) -> String {
        let read = |kind: &str| fs::read_to_string(self.path(&format!("{name}.{kind}"))).unwrap_or_default();
        read("log") + &read("out")
    }

    /// What was played, without what depends on the moment or the machine.
    pub(crate) fn exported(&self, results: &str) -> Vec<Value> {
        let timeless = |mut record: Value| {
            for field in ["think_us", "host"] {
                record.as_object_mut().unwrap().remove(field);
            }
            record
        };
        self.records(results).into_iter().map(timeless).collect()
    }

    /// Who played what is stored.
    pub(crate) fn hosts(&self, results: &str) -> Vec<String> {
        let records = self.records(results);
        let worker = |record: &Value| record["host"]["worker"].as_str().unwrap_or("nobody").to_owned();
        records.iter().map(worker).collect()
    }

    fn records(&self, results: &str) -> Vec<Value> {
        let out = Command::new(program(FAKE_BOT)).arg("export").arg(self.path(results)).output().unwrap();
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        let lines = String::from_utf8(out.stdout).unwrap();
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// # Panics
    /// Unless every match of the undisturbed run is stored once, as it was played there.
    pub(crate) fn is_as_alone(&self, results: &str, alone: &[Value]) {
        let shared = self.exported(results);
        assert_eq!(shared.len(), alone.len(), "{}", self.said(results));
        assert_eq!(shared, alone);
        let out = Command::new(program(FAKE_BOT)).arg("verify").arg(self.path(results)).output().unwrap();
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stdout));
    }

    /// Waits until this many matches are stored.
    pub(crate) fn until_stored(&self, results: &str, count: usize) {
        let path = self.path(results);
        self.until(&format!("{count} matches in {results}"), || {
            let out = Command::new(program(FAKE_BOT)).arg("export").arg(&path).output().unwrap();
            out.status.success() && String::from_utf8_lossy(&out.stdout).lines().count() >= count
        });
    }

    /// Waits until this process has printed this text.
    pub(crate) fn until_said(&self, name: &str, what: &str) {
        self.until(&format!("{name} says {what:?}"), || self.said(name).contains(what));
    }

    /// # Panics
    /// If the condition does not become true; prints all output.
    pub(crate) fn until(&self, what: &str, is_so: impl Fn() -> bool) {
        let mut patience = Patience::new(PATIENCE);
        while !is_so() {
            assert!(patience.waits(), "not in the end: {what}\n{}", self.all_that_was_said());
        }
    }

    fn all_that_was_said(&self) -> String {
        let entries = fs::read_dir(self.0.path()).unwrap().map(|entry| entry.unwrap().path());
        let is_log = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "log");
        let said = |path: PathBuf| format!("== {}\n{}", path.display(), fs::read_to_string(&path).unwrap());
        entries.filter(is_log).map(said).collect()
    }
}

/// A process that has not started.
pub(crate) struct Program {
    pub(crate) command: Command,
    mark: String,
    name: String,
}

impl Program {
    pub(crate) fn args(mut self, arguments: &[&str]) -> Self {
        self.command.args(arguments);
        self
    }

    pub(crate) fn start(mut self) -> Running {
        let child = self.command.spawn().unwrap();
        Running { child, mark: self.mark, name: self.name }
    }
}

/// A process that is killed, with all that it has started, when it is dropped.
pub(crate) struct Running {
    child: Child,
    mark: String,
    name: String,
}

impl Running {
    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Like `kill -9`. Asserts that nothing that it has started is left.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self.leaves_nobody();
    }

    /// The number of its processes, including its bots.
    pub(crate) fn processes(&self) -> usize {
        marks::alive(&self.mark).len()
    }

    /// Waits until its traveller plays.
    pub(crate) fn until_it_plays(&self, fixture: &Fixture) {
        let is_traveller = |(_, words): &(i32, String)| words.contains("/play");
        fixture.until(&format!("{} plays", self.name), || marks::alive(&self.mark).iter().any(is_traveller));
    }

    /// Waits until it ends by itself, successfully.
    pub(crate) fn ends(&mut self, fixture: &Fixture) {
        self.ends_with(fixture, 0);
    }

    pub(crate) fn ends_with(&mut self, fixture: &Fixture, code: i32) {
        let mut patience = Patience::new(PATIENCE);
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(patience.waits(), "{} does not end\n{}", self.name, fixture.all_that_was_said());
        };
        assert_eq!(status.code(), Some(code), "{}: {}", self.name, fixture.said(&self.name));
        self.leaves_nobody();
    }

    /// Asks a worker to end, which must succeed.
    pub(crate) fn leaves(&mut self, fixture: &Fixture) {
        // Before it says this, the signal may kill it.
        fixture.until_said(&self.name, &format!("worker {}: ", self.name));
        self.signal(Signal::TERM);
        self.ends(fixture);
    }

    fn leaves_nobody(&self) {
        let left = marks::wait_for_none(&self.mark, PATIENCE);
        assert!(left.is_ok(), "{} has left {:?}", self.name, left);
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.child.try_wait().is_ok_and(|status| status.is_some()) {
            return;
        }
        let _ = kill_process(Pid::from_child(&self.child), Signal::CONT);
        drop(self.child.kill());
        drop(self.child.wait());
        for (pid, _) in marks::alive(&self.mark) {
            if let Some(pid) = Pid::from_raw(pid) {
                let _ = kill_process(pid, Signal::KILL);
            }
        }
    }
}

/// A folder that holds the named programs, and no others.
pub(crate) fn path_of(folder: &Path, programs: &[&str]) {
    fs::create_dir(folder).unwrap();
    for name in programs {
        let out = Command::new("sh").args(["-c", &format!("command -v {name}")]).output().unwrap();
        let path = String::from_utf8(out.stdout).unwrap();
        std::os::unix::fs::symlink(path.trim(), folder.join(name)).unwrap();
    }
}
