//! Hundreds of faults within one arena leave it unchanged: the same number of descriptors, no process. The arena is this
//! process, so there is no other test here.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use leyden_arena::roster;
use leyden_arena::run::{Flow, Plan, Run};
use leyden_host::Launcher;
use leyden_host::sandbox::SandboxLevel;
use leyden_model::{RunEvent, Settings, TimeLimits};
use leyden_protocol::Seats;
use leyden_tests::arena::program;

const FAKE_BOT: &str = env!("CARGO_BIN_EXE_fake-bot");

/// Bots with every kind of fault that leaves something to clean up, and an honest one.
const BOTS: [&str; 6] = [
    "--exit1-at-turn 1",
    "--illegal-at-turn 1 --daemon-at-hello",
    "--two-answers-at-turn 2 --ignore-polite --stay",
    "--exit1-at-hello",
    "--kill-supervisor-at-turn 1",
    "",
];

fn plan(blocks: u32) -> Plan {
    let leyden = program(FAKE_BOT);
    let typed = BOTS.map(|switches| format!("{FAKE_BOT} {switches}"));
    let bots = roster::find(&typed, &leyden).unwrap().bots;
    let limits = TimeLimits { startup_ms: 100_000, turn_ms: 100_000, ..TimeLimits::default() };
    let settings = Settings { target: 30, limits, ..Settings::new(Seats::TWO, SandboxLevel::None) };
    Plan { blocks, jobs: 3, ..Plan::new(settings, "unchanged", bots, Launcher::new(leyden)).unwrap() }
}

/// The number of matches that ended by each fault.
fn play(blocks: u32) -> BTreeMap<String, u32> {
    let plan = plan(blocks);
    let mut faults = BTreeMap::new();
    let mut count = |event: &RunEvent| {
        if let RunEvent::Match { record, .. } = event {
            let code =
                record.fault.as_ref().map_or_else(|| "none".to_owned(), |fault| fault.code.to_string());
            *faults.entry(code).or_default() += 1;
        }
        Ok(Flow::GoOn)
    };
    let mut run = Run::new(&plan).unwrap();
    run.follow(&mut count);
    run.play().unwrap();
    // The arena's wait for supervisors is limited; on a very busy machine they need longer.
    let start = Instant::now();
    while !children().is_empty() && start.elapsed() < Duration::from_mins(1) {
        leyden_host::kill_leftovers();
    }
    faults
}

/// The target of each open descriptor.
fn descriptors() -> Vec<String> {
    let open = fs::read_dir("/proc/self/fd").unwrap().flatten();
    // The descriptor that reads the folder is closed again by now.
    let kinds = open.filter_map(|fd| fs::read_link(fd.path()).ok()).map(|link| link.display().to_string());
    let mut kinds: Vec<String> =
        kinds.map(|kind| kind.split(":[").next().unwrap_or_default().to_owned()).collect();
    kinds.sort();
    kinds
}

/// The children of this process, including those not waited for.
fn children() -> Vec<String> {
    let me = std::process::id().to_string();
    let is_mine = |folder: &Path| {
        let stat = fs::read_to_string(folder.join("stat")).unwrap_or_default();
        stat.rsplit_once(')').is_some_and(|(_, rest)| rest.split_whitespace().nth(1) == Some(&me))
    };
    let all = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    all.filter(|folder| is_mine(folder)).map(|folder| folder.display().to_string()).collect()
}

#[test]
fn hundreds_of_faults_leave_the_arena_unchanged() {
    play(1); // what is opened once is open now
    let (before, nobody) = (descriptors(), children());
    assert_eq!(nobody, [""; 0]);
    let faults = play(14);
    assert_eq!(faults.values().sum::<u32>(), 420);
    for code in ["exited", "handshake", "illegal", "unexpected"] {
        assert!(faults.get(code).is_some_and(|count| *count > 20), "{code}: {faults:?}");
    }
    assert_eq!(descriptors(), before);
    assert_eq!(children(), [""; 0]);
}
