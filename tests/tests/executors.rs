//! The results are the same with any executor: threads of this process, or another process that receives jobs and
//! returns reports as lines of JSON.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use leyden_arena::roster::{self, Builder};
use leyden_arena::run::{Delivery, EventDetail, Executor, Flow, Plan, Reports, Run, RunError};
use leyden_host::sandbox::SandboxLevel;
use leyden_host::{BuildLimits, Launcher};
use leyden_model::job::{Job, JobReport};
use leyden_model::{MatchEvent, MatchRecord, Pondering, RunEvent, Settings, TimeLimits};
use leyden_protocol::{PerSeat, Seats};
use leyden_tests::arena::program;

const FAKE_BOT: &str = env!("CARGO_BIN_EXE_fake-bot");

/// Two honest bots, some that fault in matches, and one that never starts.
const BOTS: [&str; 5] = ["", "", "--illegal-at-turn 3", "--exit1-at-hello", "--exit1-at-turn 2"];

fn typed() -> Vec<String> {
    BOTS.map(|switches| format!("{FAKE_BOT} {switches}")).to_vec()
}

fn plan(strikes: u32) -> Plan {
    let leyden = program(FAKE_BOT);
    let mut bots = roster::find(&typed(), &leyden).unwrap().bots;
    let launcher = Launcher::new(leyden);
    for bot in &mut bots {
        bot.prepare(Builder {
            launcher: &launcher,
            limits: BuildLimits::default(),
            stopped: &|| false,
            kept: None,
        })
        .unwrap();
    }
    let limits = TimeLimits { startup_ms: 100_000, turn_ms: 100_000, ..TimeLimits::default() };
    let settings = Settings {
        target: 30,
        limits,
        strikes,
        names: true,
        pondering: Pondering::Allowed,
        ..Settings::new(Seats::TWO, SandboxLevel::None)
    };
    Plan { blocks: 3, jobs: 2, ..Plan::new(settings, "executors", bots, launcher).unwrap() }
}

/// Passes jobs to another process.
struct Elsewhere {
    child: Child,
    jobs: Option<ChildStdin>,
    reports: Reports,
    reader: Option<JoinHandle<()>>,
    /// Whether it should end.
    ending: Arc<AtomicBool>,
}

impl Elsewhere {
    fn start(reports: Reports) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_job-player"))
            .arg(program(FAKE_BOT))
            .arg("2")
            .args(typed())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (jobs, answers) = (child.stdin.take(), child.stdout.take().unwrap());
        let ending = Arc::new(AtomicBool::new(false));
        let reader = thread::spawn({
            let (reports, ending) = (reports.clone(), Arc::clone(&ending));
            move || {
                for line in BufReader::new(answers).lines() {
                    reports.send(serde_json::from_str(&line.unwrap()).unwrap());
                }
                if !ending.load(Ordering::SeqCst) {
                    reports.send(JobReport::Lost { reason: "the process that plays is gone".to_owned() });
                }
            }
        });
        Self { child, jobs, reports, reader: Some(reader), ending }
    }
}

impl Executor for Elsewhere {
    fn slots(&self) -> usize {
        2
    }

    fn start(&mut self, job: Job) {
        let line = serde_json::to_string(&job).unwrap();
        let sent = self.jobs.as_mut().map(|jobs| writeln!(jobs, "{line}"));
        if !matches!(sent, Some(Ok(()))) {
            self.reports.send(JobReport::Lost { reason: "no job can be handed over".to_owned() });
        }
    }

    fn stop(&mut self) {
        self.ending.store(true, Ordering::SeqCst);
        self.child.kill().unwrap();
    }

    fn finish(&mut self) {
        self.ending.store(true, Ordering::SeqCst);
        drop(self.jobs.take());
        self.reader.take().unwrap().join().unwrap();
        self.child.wait().unwrap();
    }
}

/// The records of a run by rank, without what depends on the moment or the machine.
fn records(plan: &Plan, elsewhere: bool) -> BTreeMap<u64, MatchRecord> {
    let mut records = BTreeMap::new();
    let mut note = |event: &RunEvent| {
        if let RunEvent::Match { rank, record, .. } = event {
            assert!(records.insert(*rank, timeless((**record).clone())).is_none());
        }
        Ok(Flow::GoOn)
    };
    let mut run = Run::new(plan).unwrap();
    run.follow(&mut note);
    let mut events = run.subscribe(EventDetail::Moves);
    let end = if elsewhere { run.play_on(|reports| Ok(Elsewhere::start(reports))) } else { run.play() };
    assert_eq!(end.unwrap().seed.as_deref(), Some("executors"));
    let mut moves: BTreeMap<u64, Vec<MatchEvent>> = BTreeMap::new();
    while let Some(Delivery::Event(event)) = events.wait() {
        if let RunEvent::Move { rank, happened, .. } = &*event {
            moves.entry(*rank).or_default().push(happened.clone());
        }
    }
    let folded =
        moves.into_iter().map(|(rank, moves)| (rank, timeless(MatchRecord::from_events(moves).unwrap())));
    assert_eq!(folded.collect::<BTreeMap<_, _>>(), records, "a record is the fold of its moves");
    records
}

fn timeless(mut record: MatchRecord) -> MatchRecord {
    record.think_us = PerSeat::default_for(record.rules.seats);
    (record.host, record.stderr) = (None, None);
    if let Some(fault) = &mut record.fault {
        fault.details = <_>::default(); // it depends on the moment whether a bot was withdrawn by then
    }
    record
}

#[test]
fn other_process_plays_jobs_with_equal_results() {
    for strikes in [0, 1] {
        let plan = plan(strikes);
        let here = records(&plan, false);
        assert_eq!(here.len(), 60);
        assert!(here.values().any(|record| record.fault.is_some()));
        assert!(here.values().any(|record| record.fault.is_none()));
        assert_eq!(here, records(&plan, true));
    }
}

#[test]
fn lost_process_ends_the_run() {
    let plan = Plan { blocks: 100_000, ..plan(0) };
    let mut played = 0;
    let mut note = |event: &RunEvent| {
        played += u64::from(matches!(event, RunEvent::Match { .. }));
        Ok(Flow::GoOn)
    };
    let mut run = Run::new(&plan).unwrap();
    run.follow(&mut note);
    let outcome = run.play_on(|reports| {
        let elsewhere = Elsewhere::start(reports);
        let pid = rustix::process::Pid::from_child(&elsewhere.child);
        rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
        Ok(elsewhere)
    });
    assert!(matches!(outcome, Err(RunError::Lost(_))), "{outcome:?}");
    assert_eq!(played, 0);
}
