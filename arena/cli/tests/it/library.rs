//! What a user of the library can do without the command line: play and resume stored tournaments and gates.

use std::fs;
use std::path::Path;
use std::time::Duration;

use leyden_arena::CancellationToken;
use leyden_arena::gate::OpenGate;
use leyden_arena::record::store::{Results, Resumable, StoreError};
use leyden_arena::report::{GateAnswer, GateStop};
use leyden_arena::run::{ChosenSettings, GateTerms, Options};
use leyden_arena::tournament::{OpenError, ResultsFile, Tournament, options_to_resume};
use leyden_host::sandbox::SandboxLevelChoice;
use leyden_model::{SandboxLevel, TimeLimits};
use leyden_protocol::RulesName;

const LEYDEN: &str = env!("CARGO_BIN_EXE_leyden");

/// Options that differ from the usual ones, with limits that no bot reaches, however busy the machine is.
fn options(bots: [&str; 2]) -> Options {
    Options {
        settings: ChosenSettings {
            rules: RulesName::Senst,
            target: 20,
            limits: TimeLimits { startup_ms: 100_000, turn_ms: 100_000, ..TimeLimits::default() },
            fresh: true,
            sandbox: SandboxLevelChoice::Exactly(SandboxLevel::None),
            ..ChosenSettings::default()
        },
        ..Options::new(LEYDEN, bots)
    }
}

fn resumable(file: &Path) -> Resumable {
    Resumable::open(file).unwrap()
}

#[test]
fn tournament_resumes_with_the_options_in_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("r.db");
    let options = options(["builtin:greedy", "builtin:random"]);
    let begun = Tournament::create(&options, &ResultsFile::New(file.clone()), &mut |_| {}).unwrap();
    assert_eq!(begun.play().unwrap().played, 2);

    let stored = resumable(&file);
    let more = Options { blocks: 3, ..options_to_resume(stored.stored_plan(), LEYDEN) };
    assert_eq!(
        (more.settings.rules, more.settings.target, more.settings.fresh),
        (RulesName::Senst, 20, true)
    );
    let end = Tournament::resume(&more, stored, &mut |_| {}).unwrap().play().unwrap();
    assert_eq!(end.played, 4);
    assert_eq!(Results::open(&file).unwrap().count().unwrap(), 6);

    let stored = resumable(&file);
    let mut other = options_to_resume(stored.stored_plan(), LEYDEN);
    other.settings.target = 30;
    let refused = Tournament::resume(&other, stored, &mut |_| {}).unwrap_err();
    assert!(matches!(refused, OpenError::Store(StoreError::Different { .. })), "{refused}");
}

fn with_max_pairs(terms: GateTerms, max_pairs: u64) -> GateTerms {
    GateTerms { plan: terms.plan.with_max_pairs(max_pairs).unwrap(), ..terms }
}

#[test]
fn gate_plays_and_resumes_with_more_pairs() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("g.db");
    let terms = GateTerms { max_faults: Some(3), ..with_max_pairs(GateTerms::default(), 2) };
    let options = options(["builtin:greedy", "builtin:random"]);
    let open = OpenGate::create(&options, terms, &ResultsFile::New(file.clone()), &mut |_| {}).unwrap();
    let first = open.ask().unwrap().judge().play(None).unwrap();
    assert_eq!((first.answer, first.test.pairs), (GateAnswer::Undecided, 2));
    assert!(first.seed.is_some(), "the test is over");

    let stored = resumable(&file);
    let before = stored.stored_plan().gate.unwrap();
    assert_eq!(before, terms);
    let options = options_to_resume(stored.stored_plan(), LEYDEN);
    let open = OpenGate::resume(&options, with_max_pairs(before, 4), stored, &mut |_| {}).unwrap();
    let mut gate = open.ask().unwrap().judge();
    let progress = gate.progress();
    assert_eq!(progress.report().pairs, 2, "what was played before is judged");
    assert!(gate.is_to_be_played());
    gate.run().play().unwrap();
    let document = gate.document();
    gate.close().unwrap();
    assert_eq!(
        (document.answer, document.test.pairs, document.interrupted),
        (GateAnswer::Undecided, 4, None)
    );
    assert_eq!(progress.report(), document.test, "the last state stays");
    assert_eq!(document.bots[0].side.name, first.bots[0].side.name);
}

#[test]
fn stopped_gate_is_unfinished_and_keeps_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("g.db");
    let terms = GateTerms { timed: true, ..GateTerms::default() };
    let stop = CancellationToken::new();
    let options = Options { stop: stop.clone(), ..options(["builtin:greedy", "builtin:random"]) };
    let open = OpenGate::create(&options, terms, &ResultsFile::New(file.clone()), &mut |_| {}).unwrap();
    let gate = open.ask().unwrap().judge();
    stop.cancel();
    let document = gate.play(None).unwrap();
    assert_eq!(document.answer, GateAnswer::Unfinished);
    assert_eq!(document.interrupted, Some(GateStop::Interrupted));
    assert_eq!((document.seed, file.exists()), (None, true));
}

#[test]
fn damaged_gate_file_is_refused_and_left_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("g.db");
    let terms = with_max_pairs(GateTerms::default(), 1);
    let options = options(["builtin:greedy", "builtin:random"]);
    let open = OpenGate::create(&options, terms, &ResultsFile::New(file.clone()), &mut |_| {}).unwrap();
    open.ask().unwrap().judge().play(None).unwrap();
    // Nothing that is left of it is a match of this gate.
    let damaged = rusqlite::Connection::open(&file).unwrap();
    damaged.execute("UPDATE matches SET player0 = 3, player1 = 7", []).unwrap();
    damaged.close().unwrap();
    let before = fs::read(&file).unwrap();

    let stored = resumable(&file);
    let options = options_to_resume(stored.stored_plan(), LEYDEN);
    let resumed = OpenGate::resume(&options, with_max_pairs(terms, 4), stored, &mut |_| {});
    let refused = resumed.err().unwrap();
    assert!(refused.to_string().contains("is damaged"), "{refused}");
    assert!(fs::read(&file).unwrap() == before, "it was written to");
}

#[test]
fn gate_time_limit_does_not_trigger_shared_stop() {
    let folder = tempfile::tempdir().unwrap();
    let terms = GateTerms::default();
    let stop = CancellationToken::new();
    // A bot that never answers, so that nothing but the time ends the gate.
    let silent = folder.path().join("silent");
    fs::create_dir(&silent).unwrap();
    fs::write(silent.join("bot.toml"), "name = \"silent\"\ncommand = [\"sh\", \"bot.sh\"]\n").unwrap();
    let script = "read -r hello\necho '{\"type\":\"ready\",\"protocol\":\"1.1\"}'\nexec sleep 100000\n";
    fs::write(silent.join("bot.sh"), script).unwrap();
    let options = Options { stop: stop.clone(), ..options([silent.to_str().unwrap(), "builtin:random"]) };
    let open = OpenGate::create(&options, terms, &ResultsFile::New(folder.path().join("g.db")), &mut |_| {});
    let document = open.unwrap().ask().unwrap().judge().play(Some(Duration::ZERO)).unwrap();
    assert_eq!((document.interrupted, stop.is_cancelled()), (Some(GateStop::MaxTime), false));
}
