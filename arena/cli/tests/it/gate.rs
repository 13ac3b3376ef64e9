//! `leyden gate` as typed: answers, exit codes, and machine-readable output.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::program::{
    LIMITS, PATIENT, assert_is_junit, assert_valid, builtin, command, document, git, leyden, played, stderr,
    stdout, write_bot,
};

const RANDOM: &str = "builtin:random";
const GREEDY: &str = "builtin:greedy";
const CAREFUL: &str = "builtin:careful";

/// A document without what depends on the machine.
fn timeless(mut document: Value) -> Value {
    fn walk(value: &mut Value) {
        if let Value::Object(fields) = value {
            fields.retain(|name, _| !name.ends_with("_us"));
        }
        match value {
            Value::Object(fields) => fields.values_mut().for_each(walk),
            Value::Array(list) => list.iter_mut().for_each(walk),
            _ => {}
        }
    }
    walk(&mut document);
    document
}

#[test]
fn stronger_version_is_accepted_within_few_pairs() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let output = played(at, &["gate", CAREFUL, RANDOM, "--seed", "s", "--json", "--junit", "gate.xml"]);
    let printed = document(&output, 0);
    assert_valid(at, "gate", &printed);
    assert_eq!(printed["test"]["end"], "accepted");
    assert!(printed["test"]["pairs"].as_u64().unwrap() < 100, "{printed:#}");
    assert_eq!(printed["seed"], "s");
    assert!(printed["test"]["estimate"]["elo_interval"]["low"].as_f64().unwrap() > 0.0);
    assert!(printed["test"]["stagewise"]["normalised_elo_interval"]["low"].as_f64().unwrap() >= 0.0);
    let matches = 2 * printed["test"]["pairs"].as_u64().unwrap();
    let text = stdout(&played(at, &["gate", CAREFUL, RANDOM, "--seed", "s"]));
    let seen = format!("none of careful in {matches} matches; it may still fault in up to ");
    assert!(text.contains(&seen), "{text}");
    let junit = fs::read_to_string(at.join("gate.xml")).unwrap();
    assert_is_junit(&junit);
    assert!(junit.contains("tests=\"3\" skipped=\"0\" failures=\"0\""), "{junit}");
    // Records of a gate are kept only if requested.
    let files: Vec<_> = fs::read_dir(at).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(files, ["gate.xml"]);
}

#[test]
fn gate_rejects_weaker_version_and_reports_to_ci() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let words = ["gate", RANDOM, CAREFUL, "--non-regression", "--seed", "s", "--junit", "gate.xml"];
    let mut gate = command(at, &[&words[..], &LIMITS].concat());
    let output = gate
        .env("GITHUB_ACTIONS", "true")
        .env("GITHUB_STEP_SUMMARY", at.join("summary.md"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stdout(&output).starts_with("rejected: random is weaker than careful\n"), "{}", stdout(&output));
    let annotation = "::error title=leyden gate::rejected: random is weaker than careful; score ";
    assert!(stderr(&output).contains(annotation), "{}", stderr(&output));
    // A weaker version is not merely less strong than demanded.
    let output = played(at, &["gate", RANDOM, CAREFUL, "--seed", "s"]);
    assert!(stdout(&output).starts_with("rejected: random is weaker than careful\n"), "{}", stdout(&output));
    assert!(fs::read_to_string(at.join("summary.md")).unwrap().starts_with("### rejected: random is weaker"));
    let junit = fs::read_to_string(at.join("gate.xml")).unwrap();
    assert_is_junit(&junit);
    assert!(junit.contains("type=\"rejected\""), "{junit}");
}

#[test]
fn few_pairs_leave_it_undecided() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["gate", CAREFUL, GREEDY, "--max-pairs", "5", "--model", "logistic", "--seed", "s", "--json"];
    let printed = document(&played(folder.path(), &words), 4);
    assert_valid(folder.path(), "gate", &printed);
    assert_eq!(
        (&printed["test"]["end"], &printed["test"]["verdict"]),
        (&"max_pairs".into(), &"undecided".into())
    );
    assert_eq!(
        (&printed["test"]["pairs"], &printed["bots"][0]["results"]["matches"]),
        (&5.into(), &10.into())
    );
    assert_eq!(printed["test"]["plan"]["hypotheses"]["model"], "logistic");
}

#[test]
fn deterministic_bots_that_play_alike_end_as_mirror() {
    let folder = tempfile::tempdir().unwrap();
    write_bot(folder.path(), "same", &builtin("tidied", "greedy"));
    write_bot(folder.path(), "lots", &builtin("lots", "random"));
    let ten = ["gate", GREEDY, "same", "--json", "--mirror-pairs", "10"];
    let printed = document(&played(folder.path(), &ten), 4);
    assert_eq!(printed["test"]["end"], "mirror");
    assert_eq!((&printed["test"]["pairs"], &printed["test"]["mirrored_pairs"]), (&10.into(), &10.into()));
    assert_eq!(printed["test"]["counts"], serde_json::json!([0, 0, 10, 0, 0]));
    assert_eq!(printed["answer"], "undecided");
    // A version that plays as before is not weaker.
    let same = ["gate", GREEDY, "same", "--non-regression", "--junit", "same.xml"];
    let output = played(folder.path(), &same);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(
        stdout(&output).starts_with("accepted: greedy and tidied played alike so far"),
        "{}",
        stdout(&output)
    );
    assert!(stdout(&output).contains("in up to 3 % of deals (95 %)"), "{}", stdout(&output));
    let junit = fs::read_to_string(folder.path().join("same.xml")).unwrap();
    assert!(junit.contains("failures=\"0\""), "{junit}");
    assert!((printed["test"]["may_differ"].as_f64().unwrap() - 0.2589).abs() < 1e-3, "{printed:#}");
    let text = stdout(&played(folder.path(), &["gate", GREEDY, "same", "--mirror-pairs", "10"]));
    assert!(
        text.contains("may still differ in up to 26 % of deals (95 %). That is too early to know"),
        "{text}"
    );
    let text = stdout(&played(folder.path(), &["gate", GREEDY, "same", "--mirror-pairs", "1"]));
    assert!(text.contains("played alike so far (1 pair in which both legs are the same match"), "{text}");
    // It goes on by default, and says at the end that they play alike.
    let text = stdout(&played(folder.path(), &["gate", GREEDY, "same", "--max-pairs", "30"]));
    assert!(
        text.starts_with("undecided: 30 pairs do not decide") && text.contains("they play alike"),
        "{text}"
    );
    let longer = ["gate", GREEDY, "same", "--json", "--mirror-pairs", "14"];
    let printed = document(&played(folder.path(), &longer), 4);
    assert_eq!((&printed["test"]["end"], &printed["test"]["pairs"]), (&"mirror".into(), &14.into()));
    // A bot that draws lots plays a different match in each seat: no mirror.
    let printed =
        document(&played(folder.path(), &["gate", RANDOM, "lots", "--json", "--max-pairs", "12"]), 4);
    assert_eq!(
        (&printed["test"]["end"], &printed["test"]["mirrored_pairs"]),
        (&"max_pairs".into(), &0.into())
    );
}

#[test]
fn workers_change_nothing_in_the_report() {
    let folder = tempfile::tempdir().unwrap();
    let gate = |jobs| {
        let words = ["gate", CAREFUL, GREEDY, "--elo1", "60", "--seed", "w", "--json", "--jobs", jobs];
        let output = played(folder.path(), &words);
        let code = output.status.code().unwrap();
        timeless(document(&output, code))
    };
    let alone = gate("1");
    assert_ne!(alone["test"]["end"], Value::Null);
    for jobs in ["2", "3"] {
        assert_eq!(alone.to_string(), gate(jobs).to_string());
    }
}

/// Interrupts a gate once its results file holds this many matches, and returns its output. It may be decided before.
fn interrupted(mut arena: Child, file: &Path, matches: u64) -> Output {
    let start = Instant::now();
    let played = || leyden_arena::record::store::Results::open(file).and_then(|results| results.count());
    while arena.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < Duration::from_mins(10), "nothing is played");
        if played().is_ok_and(|played| played >= matches) {
            let id = rustix::process::Pid::from_child(&arena);
            rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
            break;
        }
        thread::sleep(Duration::from_millis(5));
    }
    arena.wait_with_output().unwrap()
}

#[test]
fn interrupted_gate_resumes_to_the_same_end() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    // Bots that need a while, so that there is something to interrupt.
    let slow = |name: &str, bot: &str| {
        fs::create_dir(at.join(name)).unwrap();
        let leyden = env!("CARGO_BIN_EXE_leyden");
        fs::write(
            at.join(name).join("bot.toml"),
            format!(
                "name = \"{name}\"\ncommand = [\"sh\", \"-c\", \"sleep 0.02; exec '{leyden}' bot {bot}\"]\n"
            ),
        )
        .unwrap();
    };
    slow("new", "careful");
    slow("old", "careful --blunder 25");
    let words = |results| {
        [
            "gate",
            "new",
            "old",
            "--fresh",
            "--sandbox",
            "none", // in a jail they would not see the program
            "--elo1",
            "100",
            "--seed",
            "i",
            "--jobs",
            "2",
            "--json",
            "--results",
            results,
        ]
    };
    let whole = played(at, &words("whole.db"));
    let code = whole.status.code().unwrap();
    assert!(code < 2, "decided: {}", stderr(&whole));
    let whole = document(&whole, code);
    assert_eq!(whole["bots"][0]["faults"], Value::Array(Vec::new()), "its bots play");
    let attempt = |file| {
        let mut arena = command(at, &[&words(file)[..], &LIMITS].concat());
        let arena = arena.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        (file, interrupted(arena, &at.join(file), 7))
    };
    let mut attempts = ["a.db", "b.db", "c.db", "d.db"].into_iter().map(attempt);
    // Any other code but those of a decision is a failure.
    let (file, output) =
        attempts.find(|(_, output)| output.status.code() != Some(code)).expect("one is interrupted");
    let part = document(&output, 130);
    assert_valid(at, "gate", &part);
    assert_eq!((&part["test"]["end"], &part["seed"]), (&Value::Null, &Value::Null));
    assert!(stderr(&output).contains(&format!("--results {file} --resume")), "{}", stderr(&output));
    let resumed = played(at, &[&words(file)[..], &["--resume"]].concat());
    assert_eq!(timeless(document(&resumed, code)).to_string(), timeless(whole).to_string());
    // And once more: everything is known already.
    let again = played(at, &[&words(file)[..], &["--resume"]].concat());
    assert_eq!(timeless(document(&again, code)).to_string(), timeless(document(&resumed, code)).to_string());
}

#[test]
fn gate_resumes_only_as_the_same_test() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let patient = ["--turn", "100s", "--startup", "100s", "--sandbox", "none", "--seed", "s", "--results"];
    let run = |command: &str, words: &[&str]| {
        leyden(at, &[&[command, CAREFUL, GREEDY], &patient[..], words].concat())
    };
    let gate = ["g.db", "--max-pairs", "3", "--elo1", "60"];
    assert_eq!(run("gate", &gate).status.code(), Some(4));
    let resumed = |words: &[&str], reason: &str| {
        let output = run("gate", &[&["g.db", "--resume"], words].concat());
        assert_eq!(output.status.code(), Some(2), "{words:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(reason), "{words:?}: {}", stderr(&output));
    };
    resumed(&["--elo1", "20"], "elo1: in the file 60, now 20");
    resumed(&["--max-pairs", "2", "--elo1", "60"], "max-pairs: in the file 3, now 2 (pairs can be added");
    let same = &gate[1..];
    resumed(&[same, &["--elo0", "-1"]].concat(), "elo0: in the file 0, now -1");
    resumed(&[same, &["--alpha", "0.01"]].concat(), "alpha: in the file 0.05, now 0.01");
    resumed(&[same, &["--beta", "0.2"]].concat(), "beta: in the file 0.05, now 0.2");
    resumed(&[same, &["--model", "logistic"]].concat(), "model: in the file normalised, now logistic");
    assert_eq!(run("gate", &[&gate[..], &["--resume"]].concat()).status.code(), Some(4));
    // More pairs can be added, and are then played.
    let more = ["g.db", "--max-pairs", "5", "--elo1", "60", "--resume", "--json"];
    assert_eq!(document(&run("gate", &more), 4)["test"]["pairs"], 5);
    resumed(same, "max-pairs: in the file 5, now 3");

    let output = run("match", &["g.db", "--blocks", "3", "--resume"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("g.db holds a gate (leyden gate), and is"), "{}", stderr(&output));
    // Before its bots are looked for.
    let output = leyden(at, &["tournament", "--results", "g.db", "--resume"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("g.db holds a gate (leyden gate), and is"), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("kind: in the file a gate (leyden gate), now a tournament"),
        "{}",
        stderr(&output)
    );
    assert_eq!(run("match", &["m.db", "--blocks", "3"]).status.code(), Some(0));
    let output = run("gate", &["m.db", "--max-pairs", "3", "--resume"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("now a gate (leyden gate)"), "{}", stderr(&output));
}

/// Options given when a gate or a match was started need not be given again.
#[test]
fn gate_and_match_resume_with_their_options() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    git(at, &["init", "--quiet"]);
    write_bot(at, "mine", &builtin("mine", "random"));
    git(at, &["add", "."]);
    git(at, &["commit", "--quiet", "-m", "one"]);
    write_bot(at, "mine", &builtin("mine", "careful"));
    let asked =
        ["--model", "logistic", "--alpha", "0.1", "--mirror-pairs", "7", "--max-faults", "3", "--luck"];
    for (file, bots, bounds) in [
        ("git.db", &["mine", "--against", "HEAD"][..], &["--elo0", "-200", "--elo1", "200"][..]),
        ("two.db", &[CAREFUL, GREEDY], &["--non-regression"]),
    ] {
        let words = [&["gate"], bots, bounds, &asked, &["--max-pairs", "1", "--json", "--results", file]];
        let begun = document(&leyden(at, &[&words.concat()[..], &PATIENT].concat()), 4);
        // What counts is what HEAD was then.
        git(at, &["commit", "--quiet", "--allow-empty", "-a", "-m", "two"]);
        let went_on = document(&leyden(at, &["gate", "--results", file, "--resume", "--json"]), 4);
        assert_eq!(timeless(went_on).to_string(), timeless(begun.clone()).to_string());
        let more = ["gate", "--results", file, "--resume", "--json", "--max-pairs", "2", "--max-faults", "4"];
        let more = document(&leyden(at, &more), 4);
        assert_eq!((&more["test"]["pairs"], &more["max_faults"]), (&2.into(), &4.into()));
        let [before, now] = [&begun, &more].map(|printed| printed["test"]["plan"].clone());
        assert_eq!((&before["hypotheses"], &before["luck"]), (&now["hypotheses"], &now["luck"]));
        let otherwise = leyden(at, &["gate", "--results", file, "--resume", "--mirror-pairs", "8"]);
        let said = stderr(&otherwise);
        assert!(said.contains("\n  mirror-pairs: in the file 7, now 8"), "{said}");
        assert_eq!(said.matches("in the file").count(), 1, "{said}");
    }
    let begun = ["match", RANDOM, GREEDY, "--blocks", "2", "--rules", "senst", "--results", "m.db"];
    assert!(leyden(at, &[&begun[..], &PATIENT].concat()).status.success());
    let went_on = leyden(at, &["match", "--results", "m.db", "--resume", "--blocks", "3"]);
    assert!(went_on.status.success(), "{}", stderr(&went_on));
    assert!(stderr(&went_on).contains("senst to"), "{}", stderr(&went_on));
}

#[test]
fn typed_gate_options_override_those_in_file() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let config = "bots = [\"builtin:careful\", \"builtin:greedy\"]\nseed = \"s\"\nturn = \"100s\"\nstartup = \"100s\"\n\
                  sandbox = \"none\"\n[gate]\nelo1 = 60.5\nmax-pairs = 3\nmodel = \"logistic\"\nbeta = 0.1\n";
    fs::write(at.join("ci.toml"), config).unwrap();
    let plan = |words: &[&str]| {
        let words = [&["gate", "--config", "ci.toml", "--json"], words].concat();
        document(&leyden(at, &words), 4)["test"]["plan"].clone()
    };
    let from_file = plan(&[]);
    let bounds = serde_json::json!({"model": "logistic", "h0": 0.0, "h1": 60.5});
    let expected = serde_json::json!(
        {"hypotheses": bounds, "alpha": 0.05, "beta": 0.1, "max_pairs": 3, "mirror_pairs": 0}
    );
    assert_eq!(from_file, expected);
    let typed = plan(&["--non-regression", "--max-pairs", "2"]);
    assert_eq!((&typed["hypotheses"]["h0"], &typed["hypotheses"]["h1"]), (&(-20.0).into(), &0.0.into()));
    assert_eq!((&typed["max_pairs"], &typed["beta"]), (&2.into(), &0.1.into()));
    // Other commands use the rest of the file.
    let output = leyden(at, &["match", "--config", "ci.toml", "--results", "m.db"]);
    assert!(output.status.success(), "{}", stderr(&output));
    fs::write(at.join("bad.toml"), config.to_owned() + "non-regression = true\n").unwrap();
    let output = leyden(at, &["gate", "--config", "bad.toml"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("one or the other"), "{}", stderr(&output));
}

#[test]
fn invalid_tests_are_refused_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let cases: [(&[&str], &str); 10] = [
        (&[CAREFUL, RANDOM, "--elo1", "250"], "error rates no longer hold"),
        (&[CAREFUL, RANDOM, "--elo0", "-201", "--elo1", "0"], "beyond ±200"),
        (&[CAREFUL, RANDOM, "--elo0", "20"], "must be below elo1"),
        (&[CAREFUL, RANDOM, "--alpha", "0.5"], "below 0.5"),
        (&[CAREFUL, RANDOM, "--max-pairs", "0"], "at least one pair"),
        (&[CAREFUL, RANDOM, "--non-regression", "--elo0", "1"], "cannot be used with"),
        (&[CAREFUL, RANDOM, "--blocks", "4"], "--max-pairs"),
        (&[CAREFUL, RANDOM, GREEDY], "not 3"),
        (&[CAREFUL, RANDOM, "--rules", "matador", "--seats", "3"], "two seats"),
        (&[CAREFUL, RANDOM, "--resume"], "--resume needs a results file"),
    ];
    for (words, reason) in cases {
        let output = leyden(folder.path(), &[&["gate"], words].concat());
        assert_eq!(output.status.code(), Some(2), "{words:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(reason), "{words:?}: {}", stderr(&output));
        assert!(output.stdout.is_empty());
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn closed_output_does_not_change_the_answer() {
    let folder = tempfile::tempdir().unwrap();
    let mut gate = command(folder.path(), &[&["gate", RANDOM, CAREFUL, "--seed", "s"], &LIMITS[..]].concat());
    let mut gate = gate.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(gate.stdout.take());
    drop(gate.stderr.take());
    assert_eq!(gate.wait().unwrap().code(), Some(1));
}

#[test]
fn gate_ends_at_its_time_limit_and_resumes() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let slow = |bot: &str| {
        let leyden = env!("CARGO_BIN_EXE_leyden");
        format!("name = \"slow\"\ncommand = [\"sh\", \"-c\", \"sleep 0.2; exec '{leyden}' bot {bot}\"]\n")
    };
    write_bot(at, "new", &slow("careful"));
    write_bot(at, "old", &slow("careful --blunder 25"));
    let words = ["gate", "new", "old", "--fresh", "--seed", "t", "--max-pairs", "3", "--results", "g.db"];
    let late = leyden(at, &[&words[..], &PATIENT, &["--max-time", "1ms"]].concat());
    assert_eq!(late.status.code(), Some(4), "{}", stderr(&late));
    assert!(
        stderr(&late).contains("the time is up (--max-time)") && stderr(&late).contains("--resume"),
        "{}",
        stderr(&late)
    );
    // A gate that can be resumed keeps its seed secret; one that cannot reveals it.
    let kept = leyden(at, &[&words[..], &PATIENT, &["--resume", "--json", "--max-time", "1ms"]].concat());
    assert_eq!(document(&kept, 4)["seed"], Value::Null);
    let lost = ["gate", "new", "old", "--fresh", "--max-pairs", "3", "--max-time", "1ms", "--json"];
    let lost = document(&leyden(at, &[&lost[..], &PATIENT].concat()), 4);
    assert!(lost["seed"].as_str().is_some_and(|seed| !seed.is_empty()), "{lost:#}");
    let resumed = leyden(at, &[&words[..], &PATIENT, &["--resume", "--json"]].concat());
    assert_eq!(document(&resumed, 4)["test"]["pairs"], 3);
}

#[test]
fn old_version_is_taken_from_git() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    git(at, &["init", "--quiet"]);
    write_bot(at, "bots/mine", &builtin("mine", "random"));
    git(at, &["add", "."]);
    git(at, &["commit", "--quiet", "-m", "one"]);
    git(at, &["tag", "v1"]);
    write_bot(at, "bots/mine", &builtin("mine", "careful"));
    let state = tempfile::tempdir().unwrap();
    let gate = |words: &[&str]| {
        let mut gate = command(&at.join("bots/mine"), &[&["gate"], words, &PATIENT].concat());
        gate.env("XDG_STATE_HOME", state.path()).output().unwrap()
    };
    let printed = document(&gate(&[".", "--against", "v1", "--seed", "s", "--json"]), 0);
    let names = [&printed["bots"][0]["name"], &printed["bots"][1]["name"]].map(|name| name.as_str().unwrap());
    assert!(names[0] == "mine (mine)" && names[1].starts_with("mine (v1-"), "{names:?}");
    // An error in the old version is reported for that version, not for a folder that no longer exists.
    write_bot(at, "bots/mine", "name = 5\n");
    git(at, &["commit", "--quiet", "-a", "-m", "broken"]);
    git(at, &["tag", "broken"]);
    write_bot(at, "bots/mine", &builtin("mine", "careful"));
    git(at, &["commit", "--quiet", "-a", "-m", "mended"]);
    let output = gate(&[".", "--against", "broken", "--seed", "s"]);
    let said = stderr(&output);
    assert!(output.status.code() == Some(3) && said.contains("broken:bots/mine: bot.toml: line 1"), "{said}");
    assert!(!said.contains("/tmp"), "{said}");
    // When the gate is resumed, a commit may have another name.
    let kept = tempfile::tempdir().unwrap();
    let results = kept.path().join("g.db").display().to_string();
    let resumable = |revision: &str, more: &[&str]| {
        let words = [".", "--against", revision, "--seed", "s", "--max-pairs", "1", "--results", &results];
        let output = gate(&[&words[..], more].concat());
        assert_eq!(output.status.code(), Some(4), "{revision}: {}", stderr(&output));
    };
    resumable("HEAD", &[]);
    fs::write(at.join("notes"), "").unwrap();
    git(at, &["add", "."]);
    git(at, &["commit", "--quiet", "-m", "notes"]);
    resumable("HEAD~1", &["--resume"]);
    write_bot(at, "bots/mine", &builtin("mine", "greedy"));
    // Nothing is left behind, and nothing is changed.
    let status = Command::new("git").args(["status", "--porcelain"]).current_dir(at).output().unwrap();
    assert_eq!(stdout(&status).lines().count(), 1, "{}", stdout(&status));
    for (words, says) in [
        (&[".", "--against", "no-such-tag"][..], "git knows no such commit"),
        (&[".", "--against", ""], "--against is empty"),
        (&[".", "builtin:random", "--against", "v1"], "name one bot, not 2"),
        (&["builtin:random", "--against", "v1"], "must be a folder"),
    ] {
        let output = gate(words);
        assert!(output.status.code() == Some(2) && stderr(&output).contains(says), "{}", stderr(&output));
    }
}

/// If standard error is not a terminal, as in CI, a gate reports its rate now and then.
#[test]
fn gate_reports_its_rate_without_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir(at.join("slow")).unwrap();
    // The first legs of 64 pairs are played before any second one. They take about as long as it is until the first report.
    let script = format!("sleep 0.1; exec '{}' bot random", env!("CARGO_BIN_EXE_leyden"));
    let manifest = format!("name = \"slow\"\ncommand = [\"sh\", \"-c\", \"{script}\"]\n");
    fs::write(at.join("slow/bot.toml"), manifest).unwrap();
    let limits = ["--fresh", "--turn", "100s", "--startup", "100s", "--sandbox", "none", "--jobs", "1"];
    let mut gate = command(at, &[&["gate", "slow", RANDOM][..], &limits].concat());
    let mut gate = gate.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(gate.stderr.take().unwrap()).lines().map(Result::unwrap);
    let rate = lines.find(|line| line.contains(" pairs/s · at most "));
    let pid = rustix::process::Pid::from_child(&gate);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    let code = gate.wait().unwrap().code();
    assert_eq!(code, Some(130));
    assert!(rate.is_some_and(|line| line.ends_with(" left")), "no rate was shown");
}
