//! A bot that misbehaves according to its switches, and otherwise plays a random legal action.
//!
//! A switch is a deed and a moment: `--silent-at-turn 3`, `--exit0-at-match-end`, `--blank-at-hello`. The moments are
//! `hello`, `match-start`, `turn N` (the N-th decision of a match), `round-end` and `match-end`. Wrong answers replace the
//! answer; other deeds happen before it. Switches without a moment are habits, which hold all the time. Random choices follow
//! from the match's `bot_seed`.
#![allow(clippy::print_stderr, reason = "a bot's standard error is its own")]

use std::io::{self, BufRead, Write};
use std::os::fd::AsFd;
use std::process::{Command, ExitCode, Stdio, abort, exit};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, getpid, getppid, kill_process};
use rustix::time::{ClockId, clock_gettime};
use serde_json::Value;

/// Longer than any test runs, but not forever.
const AGES: Duration = Duration::from_mins(2);

/// The number of processes in a chain of forks, each of which ends as soon as it has started the next.
const CHAIN: u32 = 3_000;

struct Bot {
    /// What it does, and when: `("silent", "turn 3")`. A habit has an empty moment.
    switches: Vec<(String, String)>,
    seed: u64,
    start: Instant,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some("sleeper") => sleep(AGES),
        Some("daemon") => daemon(),
        Some("restless") => restless(),
        Some("burner") => burn(millis(arguments.get(1).map_or("", |text| text))),
        Some("link") => link(arguments.get(1).and_then(|left| left.parse().ok()).unwrap_or(0)),
        _ => Bot { switches: switches(&arguments), seed: 0, start: Instant::now() }.play(),
    }
    ExitCode::SUCCESS
}

/// Plays as usual, but computes all the time, and leaves a process outside its group that continues it.
fn restless() {
    // SAFETY: the child makes system calls alone, and ends with its parent.
    unsafe {
        let parent = libc::getpid();
        let child = libc::fork();
        if child == 0 {
            libc::setsid();
            while libc::getppid() == parent {
                libc::kill(parent, libc::SIGCONT);
                libc::usleep(1_000);
            }
            libc::_exit(0);
        }
        // Until it has left, a signal that stops the group stops it, too.
        while libc::getsid(child) == libc::getsid(0) {
            libc::usleep(1_000);
        }
    }
    std::thread::spawn(|| burn(AGES));
    Bot { switches: Vec::new(), seed: 0, start: Instant::now() }.play();
}

/// Reads the command line: `--deed`, `--deed-at-moment`, and a number or word after either.
fn switches(arguments: &[String]) -> Vec<(String, String)> {
    let mut switches = Vec::<(String, String)>::new();
    for word in arguments {
        if let Some(name) = word.strip_prefix("--") {
            let (deed, moment) = name.split_once("-at-").unwrap_or((name, ""));
            switches.push((deed.to_owned(), moment.to_owned()));
        } else if let Some((_, moment)) = switches.last_mut() {
            if !moment.is_empty() {
                moment.push(' ');
            }
            moment.push_str(word);
        }
    }
    switches
}

impl Bot {
    /// Answers until the input ends.
    fn play(mut self) {
        if self.has("ignore-polite") {
            return self.ignore_polite();
        }
        if self.has("blind") {
            self.ready(); // without having read a byte
            sleep(AGES);
        }
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            let Ok(message) = serde_json::from_str::<Value>(&line) else { continue };
            match message["type"].as_str() {
                Some("hello") => self.hello(),
                Some("match_start") => {
                    self.seed = message["bot_seed"].as_u64().unwrap_or(0);
                    self.act("match-start");
                }
                Some("turn") => self.turn(&message),
                Some("round_end") => {
                    self.act("round-end");
                }
                Some("match_end") => {
                    self.act("match-end");
                }
                _ => {}
            }
        }
        if self.has("stay") {
            sleep(AGES);
        }
    }

    fn has(&self, habit: &str) -> bool {
        self.switches.iter().any(|(deed, _)| deed == habit)
    }

    fn value(&self, habit: &str) -> Option<&str> {
        self.switches.iter().find(|(deed, _)| deed == habit).map(|(_, value)| value.as_str())
    }

    fn hello(&self) {
        if self.act("hello") {
            self.ready();
        }
        if self.has("ready-twice") {
            self.ready();
        }
    }

    fn ready(&self) {
        let version = self.value("version").unwrap_or("1.0");
        self.say(&format!(r#"{{"type":"ready","protocol":"{version}","name":"fake"}}"#));
    }

    fn turn(&self, turn: &Value) {
        let id = turn["id"].as_u64().unwrap_or(0);
        if self.has("log-turns") {
            eprintln!("turn {id} at {} us", self.start.elapsed().as_micros());
        }
        let legal = turn["legal"].as_array().map_or(&[][..], Vec::as_slice);
        let options = (legal.len() as u64).max(1);
        let choice = mix(self.seed.wrapping_add(id)) % options;
        let choice = if self.has("contrary") { options - 1 - choice } else { choice };
        let action = legal.get(choice as usize).and_then(Value::as_str).unwrap_or("pass").to_owned();
        let moment = format!("turn {id}");
        let moment = if self.switches.iter().any(|(_, when)| when == "every-turn") {
            "every-turn"
        } else {
            moment.as_str()
        };
        if !self.act_instead(moment, id, &action) {
            return;
        }
        self.answer(id, &action);
        for deed in self.deeds(moment) {
            match deed.as_str() {
                "answer-then-exit" => exit(0),
                "two-answers" | "second-answer-later" => {
                    if deed == "second-answer-later" {
                        sleep(Duration::from_millis(30));
                    }
                    self.answer(id, &action);
                }
                _ => {}
            }
        }
    }

    fn answer(&self, id: u64, action: &str) {
        let note =
            self.value("note").and_then(|length| length.parse().ok()).map_or(0, |length: usize| length);
        let mut line = if self.has("escaped-keys") {
            format!(r#"{{"\u0074ype":"\u0061ction","i\u0064":{id},"\u0061ction":"{}"}}"#, escaped(action))
        } else {
            format!(r#"{{"type":"action","id":{id},"action":"{action}"}}"#)
        };
        if note > 0 {
            line.insert_str(1, &format!(r#""note":"{}","#, "é".repeat(note / 2)));
        }
        if self.has("unknown-fields") {
            let deep = "[".repeat(20_000) + &"]".repeat(20_000);
            line.insert_str(1, &format!(r#""mood":{{"good":[true,null,-1.5e3]}},"deep":{deep},"#));
        }
        if self.has("chatty") {
            eprintln!("thinking about turn {id}: I choose {action}");
        }
        self.say(&line);
    }

    /// Writes a line according to the habits.
    fn say(&self, line: &str) {
        let mut line = line.to_owned();
        if self.has("padded") {
            line = format!(" \t {line} \t ");
        }
        line.push_str(if self.has("crlf") { "\r\n" } else { "\n" });
        let piece = if self.has("pieces") { line.len().div_ceil(9) } else { line.len() };
        for piece in line.as_bytes().chunks(piece) {
            write_out(piece);
            if piece.len() < line.len() {
                sleep(Duration::from_millis(1));
            }
        }
    }

    fn deeds(&self, moment: &str) -> Vec<String> {
        let now = self.switches.iter().filter(|(_, when)| !when.is_empty() && when == moment);
        now.map(|(deed, _)| deed.clone()).collect()
    }

    /// Acts at a moment at which no decision is requested. Returns false if a deed replaces the answer.
    fn act(&self, moment: &str) -> bool {
        self.act_instead(moment, 0, "draw")
    }

    /// Acts at this moment. Returns false if a deed replaces the answer.
    fn act_instead(&self, moment: &str, id: u64, action: &str) -> bool {
        for deed in self.deeds(moment) {
            if let Some(bytes) = wrong_lines(&deed, id, action) {
                write_out(&bytes);
                if deed == "partial-exit" {
                    exit(0);
                }
                return false;
            }
            if !self.do_deed(&deed) {
                return false;
            }
        }
        true
    }

    /// Does something that is not an answer. Returns false if it replaces the answer.
    fn do_deed(&self, deed: &str) -> bool {
        let me = getpid();
        match deed {
            "silent" => return false,
            "deaf" => sleep(AGES),
            "late" => sleep(millis(self.value("delay").unwrap_or("500"))),
            "drip" => loop {
                write_out(b" ");
                sleep(Duration::from_millis(20));
            },
            "endless-line" => loop {
                write_out(&[b'x'; 4_096]);
            },
            "endless-lines" => loop {
                write_out(&b"thinking\n".repeat(500));
            },
            "exit0" => exit(0),
            "exit1" => {
                eprintln!(
                    "Traceback (most recent call last):\n  File \"bot.py\", line 7\nValueError: no tile"
                );
                exit(1)
            }
            "term" => drop(kill_process(me, Signal::TERM)),
            "kill" => drop(kill_process(me, Signal::KILL)),
            "abort" => abort(),
            "stop" => drop(kill_process(me, Signal::STOP)),
            "close" => {
                close_output();
                sleep(AGES);
            }
            "close-input" => {
                if let Ok(null) = std::fs::File::open("/dev/null") {
                    let _ = rustix::stdio::dup2_stdin(null.as_fd());
                }
            }
            "flood" => self.flood(),
            "leave-child" => {
                start("sleeper");
                exit(0)
            }
            "daemon" => start("daemon"),
            "chain" => start("link"),
            "hog" => {
                let threads = self.value("threads").and_then(|text| text.parse().ok()).unwrap_or(64);
                for _ in 0..threads {
                    std::thread::spawn(|| {
                        let start = Instant::now();
                        while start.elapsed() < AGES {}
                    });
                }
            }
            "burst" => {
                let threads = self.value("threads").and_then(|text| text.parse().ok()).unwrap_or(64);
                let end = processor_time(ClockId::ProcessCPUTime) + self.burning().as_nanos() as i128;
                for _ in 0..threads {
                    std::thread::spawn(move || while processor_time(ClockId::ProcessCPUTime) < end {});
                }
            }
            "think-cpu" => burn(self.burning()),
            "burn-when-asked" => {
                let time = self.burning();
                std::thread::spawn(move || burn_when_asked(time));
            }
            "ask-to-burn" => ask_to_burn(),
            "child-thinks" => {
                let me = std::env::current_exe().unwrap_or_default();
                let burning = self.burning().as_millis().to_string();
                let _ = Command::new(me).args(["burner", &burning]).stdin(Stdio::null()).status();
            }
            "child-burns" => start("burner"),
            "kill-supervisor" => drop(getppid().map(|supervisor| kill_process(supervisor, Signal::KILL))),
            "stop-supervisor" => drop(getppid().map(|supervisor| kill_process(supervisor, Signal::STOP))),
            "stop-arena" => {
                let arena = getppid().and_then(parent_of).expect("an arena above the supervisor");
                kill_process(arena, Signal::STOP).expect("an arena that can be stopped");
            }
            "wait" => sleep(millis(self.value("delay").unwrap_or("100"))),
            _ => {}
        }
        true
    }

    /// How long it thinks hard, in processor time.
    fn burning(&self) -> Duration {
        millis(self.value("burn").unwrap_or("500"))
    }

    /// Writes many megabytes to standard error.
    fn flood(&self) {
        let megabytes = self.value("megabytes").and_then(|text| text.parse().ok()).unwrap_or(300_u32);
        let line = b"debug: the quick brown fox jumps over the lazy dog, and so on\n".repeat(1_024);
        let mut left = u64::from(megabytes) << 20;
        while left > 0 && io::stderr().write_all(&line).is_ok() {
            left = left.saturating_sub(line.len() as u64);
        }
    }

    /// Goes on living, however politely it is asked to end.
    fn ignore_polite(mut self) {
        self.switches.retain(|(deed, _)| deed != "ignore-polite");
        // A shell can ignore signals for the program that it becomes, and this program uses one for that.
        let me = std::env::current_exe().unwrap_or_default();
        let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--ignore-polite").collect();
        let mut shell = Command::new("sh");
        shell.arg("-c").arg("trap '' TERM INT HUP; exec \"$@\"").arg("sh").arg(me).args(words);
        let error = std::os::unix::process::CommandExt::exec(&mut shell);
        eprintln!("no shell: {error}");
    }
}

/// A wrong answer by a bot that means to answer.
fn wrong_lines(deed: &str, id: u64, action: &str) -> Option<Vec<u8>> {
    let answer = |id: &str| format!("{{\"type\":\"action\",\"id\":{id},\"action\":\"{action}\"}}\n");
    let right = answer(&id.to_string());
    Some(match deed {
        "blank" => b"\n".to_vec(),
        "chatter" => format!("thinking...\n{right}").into_bytes(),
        "prefix" => format!("my move: {right}").into_bytes(),
        "nested" => [vec![b'['; 200_000], b"\n".to_vec()].concat(),
        "nested-short" => format!("{{\"x\":{}\n", "[".repeat(30_000)).into_bytes(),
        "not-utf8" => b"{\"type\":\"action\",\"id\":1,\"action\":\"\xff\xfe\"}\n".to_vec(),
        "nul" => b"\0\0{\"type\":\"action\"}\0\n".to_vec(),
        "huge-id" => answer("99999999999999999999999999").into_bytes(),
        "infinite-id" => answer("1e999").into_bytes(),
        "negative-id" => answer("-1").into_bytes(),
        "text-id" => answer(&format!("\"{id}\"")).into_bytes(),
        "stale-id" => answer(&(id.wrapping_sub(1)).to_string()).into_bytes(),
        "future-id" => answer(&(id + 1).to_string()).into_bytes(),
        "no-type" => format!("{{\"id\":{id},\"action\":\"{action}\"}}\n").into_bytes(),
        "list" => b"[1,2,3]\n".to_vec(),
        "illegal" => format!("{{\"type\":\"action\",\"id\":{id},\"action\":\"W:9-9\"}}\n").into_bytes(),
        "no-action" => format!("{{\"type\":\"action\",\"id\":{id},\"action\":\"resign\"}}\n").into_bytes(),
        "ready-again" => b"{\"type\":\"ready\",\"protocol\":\"1.0\",\"name\":\"fake\"}\n".to_vec(),
        "partial-exit" | "partial" => right.trim_end().as_bytes()[..right.len() / 2].to_vec(),
        "endless-answers" => loop {
            write_out(&right.repeat(100).into_bytes());
        },
        "unasked" => right.into_bytes(),
        _ => return None,
    })
}

fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn escaped(text: &str) -> String {
    text.chars().fold(String::new(), |all, c| format!("{all}\\u{:04x}", c as u32))
}

fn millis(text: &str) -> Duration {
    Duration::from_millis(text.parse().unwrap_or(0))
}

/// The parent of a process.
fn parent_of(pid: Pid) -> Option<Pid> {
    let text = std::fs::read_to_string(format!("/proc/{}/status", pid.as_raw_nonzero())).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("PPid:"))?;
    Pid::from_raw(line.trim().parse().ok()?)
}

/// Uses this much processor time, however long that takes.
fn burn(time: Duration) {
    let begun = processor_time(ClockId::ThreadCPUTime);
    while processor_time(ClockId::ThreadCPUTime) - begun < time.as_nanos() as i128 {}
}

/// What a clock of processor time says, in nanoseconds.
fn processor_time(clock: ClockId) -> i128 {
    let now = clock_gettime(clock);
    i128::from(now.tv_sec) * 1_000_000_000 + i128::from(now.tv_nsec)
}

/// Files that let one bot burn for as long as another one's turn lasts, however the machine shares its time.
const ASKED: &str = "asked-to-burn";
const BURNT: &str = "burnt";

/// Waits until another bot asks, burns, and says so.
fn burn_when_asked(time: Duration) {
    wait_for_file(ASKED);
    burn(time);
    let _ = std::fs::rename(ASKED, BURNT);
}

/// Returns when another bot has burnt.
fn ask_to_burn() {
    let _ = std::fs::write(ASKED, "");
    wait_for_file(BURNT);
    let _ = std::fs::remove_file(BURNT);
}

fn wait_for_file(path: &str) {
    while !std::path::Path::new(path).exists() {
        sleep(Duration::from_millis(2));
    }
}

/// Writes at once, bypassing any buffer. Exits if nobody listens.
fn write_out(bytes: &[u8]) {
    let mut bytes = bytes;
    while !bytes.is_empty() {
        match rustix::io::write(rustix::stdio::stdout(), bytes) {
            Ok(count) => bytes = &bytes[count..],
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => exit(3),
        }
    }
}

/// Closes the pipe for good.
fn close_output() {
    if let Ok(null) = std::fs::File::options().write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stdout(null.as_fd());
    }
}

/// Starts this program in another role; it inherits all pipes.
fn start(role: &str) {
    let Ok(me) = std::env::current_exe() else { return };
    let mut command = Command::new(me);
    command.arg(role).stdin(Stdio::inherit());
    match role {
        "link" => drop(command.arg(CHAIN.to_string())),
        "burner" => drop(command.arg(AGES.as_millis().to_string())),
        _ => {}
    }
    if let Err(error) = command.spawn() {
        eprintln!("cannot start a {role}: {error}");
    }
}

/// Leaves the session and the parent, and stays.
fn daemon() {
    let _ = rustix::process::setsid();
    start("sleeper");
}

/// One process of a chain: in its own session, it starts the next one and ends.
fn link(left: u32) {
    let _ = rustix::process::setsid();
    let Some(left) = left.checked_sub(1) else { return };
    let Ok(me) = std::env::current_exe() else { return };
    let _ = Command::new(me).arg("link").arg(left.to_string()).spawn();
}
