//! Players of the program that uses the library play a stored tournament without any process.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use leyden_arena::record::store::Results;
use leyden_arena::run::{Options, PlanError, RunKind};
use leyden_arena::tournament::{OpenError, ResultsFile, Tournament};
use leyden_host::sandbox::SandboxLevelChoice;
use leyden_model::SandboxLevel;
use leyden_protocol::{ToBot, Turn};
use leyden_referee::{Decision, DecisionResult, Player};

/// Plays the first legal action, or the last one.
struct Fixed {
    last: bool,
    asked: Arc<AtomicU64>,
}

impl Player for Fixed {
    fn send(&mut self, _: &ToBot<'_>) {}

    async fn decide(
        &mut self,
        turn: &Turn<'_>,
        _: Duration,
        _: &mut dyn FnMut(),
    ) -> io::Result<DecisionResult> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let legal = &turn.legal;
        let action = if self.last { legal[legal.len() - 1] } else { legal[0] };
        let (took, charged, late) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
        Ok(Ok(Decision { action, note: None, took, charged, late }))
    }

    async fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Options of a match of two such players, at a level that needs no program.
fn options(jobs: usize, asked: &Arc<AtomicU64>) -> Options {
    let mut options = Options::new("/nonexistent", ["in-process:first", "in-process:last"]);
    options.settings.sandbox = SandboxLevelChoice::Exactly(SandboxLevel::None);
    for (name, last) in [("first", false), ("last", true)] {
        let asked = Arc::clone(asked);
        options.players.add(name, move || Box::new(Fixed { last, asked: Arc::clone(&asked) }));
    }
    Options {
        kind: RunKind::Match,
        blocks: 6,
        jobs: Some(jobs),
        seed: Some("in process".to_owned()),
        ..options
    }
}

fn played(file: &Path, jobs: usize) -> Vec<String> {
    let asked = Arc::new(AtomicU64::new(0));
    let options = options(jobs, &asked);
    let mut notify = |_| {};
    let tournament = Tournament::create(&options, &ResultsFile::New(file.to_owned()), &mut notify).unwrap();
    assert_eq!(tournament.play().unwrap().played, 12);
    let records = Results::open(file).unwrap();
    let records: Vec<_> = records.records().map(|record| record.unwrap().1).collect();
    let decisions: usize = records
        .iter()
        .map(|record| record.think_us.iter().map(|(_, times)| times.len()).sum::<usize>())
        .sum();
    assert_eq!(asked.load(Ordering::Relaxed), decisions as u64);
    records.into_iter().map(|record| format!("{:?} {:?}", record.bots, record.rounds)).collect()
}

#[test]
fn players_without_a_process_play_a_match() {
    let folder = tempfile::tempdir().unwrap();
    let one = played(&folder.path().join("one.db"), 1);
    assert!(one == played(&folder.path().join("two.db"), 2), "the number of workers changes the matches");
    assert!(one[0].contains("first") && one[0].contains("last"));
}

#[test]
fn player_that_nobody_added_is_refused() {
    let asked = Arc::default();
    let options = Options { players: Options::new("", [""; 0]).players, ..options(1, &asked) };
    let file = ResultsFile::New("/nonexistent/r.db".into());
    let refused = Tournament::create(&options, &file, &mut |_| {}).unwrap_err();
    assert!(matches!(refused, OpenError::Plan(PlanError::NoSuchPlayer(_))), "{refused}");
}
