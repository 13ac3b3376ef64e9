//! What a bot can pass to its process in another leg of the same deal: a bit of each pair, by every road that was found. Measured
//! as information a pair, with the roads open for comparison. (What the clock carries where legs follow each other is counted without
//! real time in `arena/src/run/dispatcher/tests/clock.rs`.)

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use leyden_arena::roster;
use leyden_arena::run::{Executor, Flow, Plan, Reports, Run, RunError, Threads};
use leyden_host::Launcher;
use leyden_host::sandbox::SandboxLevel;
use leyden_model::job::Job;
use leyden_model::{MatchRecord, Pondering, RunEvent, Settings, TimeLimits};
use leyden_protocol::{Note, Seats};
use leyden_tests::program;
use serde_json::{Value, json};

use crate::field::{ArenaUser, AttackTargets};

/// How many pairs are measured on roads that may carry a bit now and then.
const PAIRS: u32 = 192;

/// The most information in bits that may pass in all. Chance alone seldom exceeds it: without any road, 2 ln 2 times the
/// information of all pairs is distributed as chi-squared with one degree of freedom, so once in seven million measurements.
const MOST: f64 = 19.2;

/// What shows that a road is open, and for how many pairs.
const OPEN: f64 = 0.3;
const PAIRS_OF_CONTROL: u32 = 40;

/// How many pairs are measured on a road that keeps every processor busy at the end of each leg.
const COSTLY_PAIRS: u32 = 66;
const _: () = assert!(MOST / (COSTLY_PAIRS as f64) < OPEN);

/// The information in bits between what was sent and what was heard, estimated by counts and corrected for their number
/// (Miller and Madow).
fn information(pairs: &[(String, String)]) -> f64 {
    let number = pairs.len() as f64;
    let entropy = |of: &dyn Fn(&(String, String)) -> String| {
        let mut counts = BTreeMap::<String, f64>::new();
        for pair in pairs {
            *counts.entry(of(pair)).or_default() += 1.0;
        }
        let plain: f64 = counts.values().map(|count| -count / number * (count / number).log2()).sum();
        plain + (counts.len() as f64 - 1.0) / (2.0 * number * std::f64::consts::LN_2)
    };
    entropy(&|pair| pair.0.clone()) + entropy(&|pair| pair.1.clone())
        - entropy(&|pair| format!("{} {}", pair.0, pair.1))
}

/// What was sent in leg 0 and heard in leg 1 of each pair.
fn messages(records: &[MatchRecord]) -> Vec<(String, String)> {
    let mut said = BTreeMap::<u32, [Option<String>; 2]>::new();
    for record in records {
        assert!(record.fault.is_none(), "{:?}", record.fault);
        for note in &record.notes {
            let Note::Text(text) = &note.note else { panic!("{note:?}") };
            let slot = match text.split_once(' ') {
                Some(("sent", _)) => 0,
                Some(("heard", _)) => 1,
                _ => panic!("{note:?}"),
            };
            said.entry(record.block).or_default()[slot] = Some(text.clone());
        }
    }
    // A match in which it had no choice has no note.
    said.into_values().filter_map(|[sent, heard]| Some((sent?, heard?))).collect()
}

/// Asserts that a courier passes nothing on in this many pairs of a match, at a level.
fn assert_carries_nothing(who: ArenaUser, level: SandboxLevel, road: &str, pairs: u32, more: &[&str]) {
    let field = AttackTargets::new();
    let mut command = who.command(&program("leyden"));
    command.args(["match", "--json", "--quiet", "--seed", "couriers", "--target", "1"]);
    command.args(["--turn", "100s", "--startup", "100s", "--sandbox", level.name()]);
    command.args(["--blocks", &pairs.to_string(), "--results", &field.text("home/r.db")]).args(more);
    command.arg(format!("{} {road}", program("courier").display())).arg(program("fake-bot"));
    let output = command.current_dir("/").output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{who:?} at {level}: {said}");
    let events = String::from_utf8_lossy(&output.stdout).into_owned();
    let records: Vec<MatchRecord> = events
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|event| event["event"] == "match")
        .map(|mut event| serde_json::from_value(event["record"].take()).expect("a record"))
        .collect();
    let messages = messages(&records);
    assert!(messages.len() > pairs as usize * 3 / 4, "{}", messages.len());
    let bits = information(&messages);
    assert!(bits <= MOST / f64::from(pairs), "{who:?} at {level}, {road} {more:?}: {bits} bits a pair");
}

/// Plays both legs of a pair one after the other, as an arena would that thinks of nothing.
struct Unguarded(Threads);

impl Executor for Unguarded {
    fn slots(&self) -> usize {
        self.0.slots()
    }

    fn start(&mut self, job: Job) {
        let legs = if job.legs == [0] { vec![0, 1] } else { job.legs };
        self.0.start(Job { legs, ..job });
    }

    fn stop(&mut self) {
        self.0.stop();
    }

    fn finish(&mut self) {
        self.0.finish();
    }
}

/// The information of a courier whose legs follow each other, without a sandbox.
fn unguarded(road: &str) -> f64 {
    let leyden = program("leyden");
    let typed =
        [format!("{} {road}", program("courier").display()), program("fake-bot").display().to_string()];
    let bots = roster::find(&typed, &leyden).expect("bots").bots;
    let limits = TimeLimits { startup_ms: 100_000, turn_ms: 100_000, ..TimeLimits::default() };
    let settings = Settings {
        target: 1,
        limits,
        pondering: Pondering::Never,
        ..Settings::new(Seats::TWO, SandboxLevel::None)
    };
    let plan = Plan::new(settings, "couriers", bots, Launcher::new(leyden)).expect("rules");
    let plan = Plan { blocks: PAIRS_OF_CONTROL, ..plan };
    let mut records = Vec::new();
    let mut keep = |event: &RunEvent| {
        if let RunEvent::Match { record, .. } = event {
            records.push((**record).clone());
        }
        Ok(Flow::GoOn)
    };
    let mut run = Run::new(&plan).expect("a run");
    run.follow(&mut keep);
    let start = |reports: Reports| {
        let threads = Threads::start(&plan.bots, &plan.launcher, 1, 1, &reports);
        threads.map(Unguarded).map_err(RunError::Worker)
    };
    run.play_on(start).expect("it is played");
    information(&messages(&records))
}

/// Shows that a road is open where legs follow each other. Beside other tests it may be closed until they end.
fn opens(road: &str) {
    for pause in (0..80).map(|tries| Duration::from_secs(1 << tries.min(3))) {
        let bits = unguarded(road);
        eprintln!("{road}, unguarded: {bits:.3} bits a pair");
        if bits >= OPEN {
            return;
        }
        sleep(pause);
    }
    panic!("{road} is never open: the test shows nothing");
}

/// A courier without an arena.
struct Alone {
    process: Child,
    answers: Lines<BufReader<ChildStdout>>,
}

impl Alone {
    fn start(road: &str) -> Self {
        let mut command = Command::new(program("courier"));
        command.args(road.split(' ')).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().expect("a courier");
        let answers = BufReader::new(process.stdout.take().expect("a pipe")).lines();
        let mut courier = Self { process, answers };
        courier.asked(&[json!({"type": "hello"})]);
        courier
    }

    /// The answer to the last of these messages.
    fn asked(&mut self, messages: &[Value]) -> Value {
        let input = self.process.stdin.as_mut().expect("a pipe");
        for message in messages {
            writeln!(input, "{message}").expect("it reads");
        }
        let answer = self.answers.next().expect("an answer").expect("text");
        serde_json::from_str(&answer).expect("JSON")
    }

    /// What it notes at its first turn, in a seat of a match.
    fn note(&mut self, seat: u8, bit: u64) -> String {
        let start = json!({"type": "match_start", "seat": seat, "bot_seed": bit << 20});
        let turn = json!({"type": "turn", "id": 1, "legal": ["pass"]});
        self.asked(&[start, turn])["note"].as_str().expect("a note").to_owned()
    }
}

impl Drop for Alone {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

/// Shows that a courier hears what another one has sent if the second leg begins at once. The period grows to eight seconds, so that
/// it does not matter how long a busy machine takes to pass a line on.
fn is_heard_at_once(road: &str) {
    let bits = [0, 1, 1, 0, 1, 0, 0, 1];
    let heard = |period: u64| {
        let road = format!("{road} {period}");
        let (mut sender, mut hearer) = (Alone::start(&road), Alone::start(&road));
        bits.map(|bit| {
            assert_eq!(sender.note(0, bit), format!("sent {bit}"));
            hearer.note(1, 0)
        })
    };
    let sent = bits.map(|bit| format!("heard {bit}"));
    let exact = (0..8).map(|doubled| 60 << doubled).find(|&period| heard(period) == sent);
    eprintln!(
        "{road}, heard at once with a period of {} ms",
        exact.expect("the courier hears what was sent")
    );
}

/// The levels at which a road is measured: the two that most machines have.
fn levels(who: ArenaUser) -> Vec<SandboxLevel> {
    let is_usual = |level: &SandboxLevel| matches!(level, SandboxLevel::Restrict | SandboxLevel::Jail);
    who.levels().into_iter().filter(is_usual).collect()
}

#[test]
fn clock_carries_nothing_to_another_leg() {
    is_heard_at_once("clock");
    for who in ArenaUser::everybody() {
        for level in levels(who) {
            assert_carries_nothing(who, level, "clock 30", PAIRS, &[]);
        }
    }
}

#[test]
fn numbers_of_pipes_carry_nothing_to_another_leg() {
    opens("number");
    for who in ArenaUser::everybody() {
        for level in levels(who) {
            assert_carries_nothing(who, level, "number", PAIRS, &["--jobs", "1"]);
        }
    }
}

#[test]
fn pending_signals_carry_nothing_to_another_leg() {
    opens("signals");
    for who in ArenaUser::everybody() {
        for level in levels(who) {
            assert_carries_nothing(who, level, "signals", PAIRS, &["--jobs", "1"]);
        }
    }
}

#[test]
fn shared_words_carry_nothing_to_another_leg() {
    for who in ArenaUser::everybody() {
        for level in levels(who) {
            for more in [&["--fresh"][..], &[]] {
                assert_carries_nothing(who, level, "futex", COSTLY_PAIRS, more);
            }
        }
    }
}

#[test]
fn information_measures_heard_bits_of_sent_messages() {
    let pair = |sent: u8, heard: u8| (format!("sent {sent}"), format!("heard {heard}"));
    let exact: Vec<_> = (0..192).map(|number| pair(number % 2, number % 2)).collect();
    assert!((information(&exact) - 1.0).abs() < 0.02);
    let nothing: Vec<_> = (0..192).map(|number| pair(number % 2, number / 2 % 2)).collect();
    assert!(information(&nothing).abs() < 0.01);
    let one_word: Vec<_> = (0..192).map(|number| pair(number % 2, 0)).collect();
    assert!(information(&one_word).abs() < 0.01);
}
