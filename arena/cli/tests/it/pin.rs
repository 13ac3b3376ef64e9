//! Decisions of recorded matches: found by reference or turn, pinned as cases, and asked again by `leyden check` and `leyden
//! gate`.

use std::fs;
use std::path::Path;

use crate::beginner::{said, stdout, write_bot};
use crate::program::{LIMITS, assert_valid, command, leyden, on_quiet_host};
use serde_json::Value;

/// Plays a match of the bot against another one; returns its id and a turn at which the bot was asked.
fn played(at: &Path) -> (String, String, Vec<String>, String) {
    let words = ["match", "mine", "builtin:greedy", "--seed", "pins", "--target", "30", "--results", "r.db"];
    let output = leyden(at, &[&words[..], &LIMITS].concat());
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let exported = stdout(&leyden(at, &["export", "r.db"]));
    let record: Value = serde_json::from_str(exported.lines().next().unwrap()).unwrap();
    let id = record["match"].as_str().unwrap().to_owned();
    let transcript = stdout(&leyden(at, &["transcript", "r.db", &id, "--seat", "0"]));
    let turn = transcript.lines().find(|line| line.contains("\"type\":\"turn\"")).unwrap();
    let turn: Value = serde_json::from_str(turn).unwrap();
    let deals = record["rounds"].as_array().unwrap();
    let deal =
        deals.iter().position(|deal| (&deal["round"], &deal["redeal"]) == (&turn["round"], &turn["redeal"]));
    let turn_ref = format!("r{}.t{}", deal.unwrap(), turn["history"].as_array().unwrap().len());
    let legal =
        turn["legal"].as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect();
    (id, turn_ref, legal, turn["id"].to_string())
}

#[test]
fn turn_ref_without_question_lists_nearest_questions() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write_bot(at, "", "");
    let (id, turn_ref, ..) = played(at);
    let shown = |turn_ref: &str| leyden(at, &["transcript", "r.db", &id, "--seat", "0", "--to", turn_ref]);
    assert!(!said(&shown(&turn_ref)).contains("is not a question"), "{}", said(&shown(&turn_ref)));
    let turn_refs: Vec<String> = (0..40).map(|action| format!("r0.t{action}")).collect();
    let is_none = |turn_ref: &&String| said(&shown(turn_ref)).contains("is not a question to seat 0: ");
    let other = turn_refs.iter().find(is_none).expect("seat 1 acts, too");
    let output = shown(other);
    let printed = said(&output);
    assert!(output.status.code() == Some(0) && printed.contains("seat 0 was first asked "), "{printed}");
    let rerun = said(&leyden(at, &["rerun", "r.db", &id, "mine", "--seat", "0", "--turn", other]));
    assert!(rerun.contains("was not asked at") && rerun.contains("seat 0 was first asked "), "{rerun}");

    // Where no seat had a choice, pinning says where there was one.
    let pinned = |turn_ref: &str| {
        leyden(at, &["pin", "r.db", &id, "--turn", turn_ref, "--bot", "mine", "--name", "x"])
    };
    // What another bot was asked is not a case of this bot, unless requested.
    let is_theirs = |turn_ref: &&String| said(&shown(turn_ref)).contains("it was seat 1's turn");
    let printed = said(&pinned(turn_refs.iter().find(is_theirs).expect("seat 1 acts, too")));
    for expected in ["it was seat 1's turn; seat 0 was ", "(mine sat at seat 0; use --seat "] {
        assert!(printed.contains(expected), "{expected}: {printed}");
    }
    assert!(!at.join("mine/cases").exists());
    let theirs = |turn_ref: &&String| {
        let words =
            ["pin", "r.db", &id, "--turn", turn_ref, "--bot", "mine", "--name", "theirs", "--seat", "1"];
        leyden(at, &words).status.code() == Some(0)
    };
    assert!(
        turn_refs.iter().any(|turn_ref| theirs(&turn_ref)) && at.join("mine/cases/theirs.json").is_file()
    );
    let refused: Vec<String> = turn_refs.iter().map(|turn_ref| said(&pinned(turn_ref))).collect();
    let is_forced = |printed: &&String| printed.contains("only one action was legal");
    let forced = refused.iter().find(is_forced).expect("a forced action");
    assert!(forced.contains(" asked at "), "{forced}");
}

/// Faults are reported with the id of the turn, which is all that a bot knows about its position.
#[test]
fn question_is_found_by_its_turn_id() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write_bot(at, "", "");
    let (id, turn_ref, _, turn) = played(at);
    let replayed = |words: &[&str]| leyden(at, &[&["replay", "r.db", &id], words].concat());
    let by_turn_ref = stdout(&replayed(&["--turn", &turn_ref, "--seat", "0"]));
    assert!(by_turn_ref.contains(&format!("(turn {turn} of that seat)")), "{by_turn_ref}");
    assert_eq!(stdout(&replayed(&["--turn", &turn, "--seat", "0"])), by_turn_ref);
    let lines = |to: &str| stdout(&leyden(at, &["transcript", "r.db", &id, "--seat", "0", "--to", to]));
    assert_eq!(lines(&turn), lines(&turn_ref));
    // Without a fault it is not clear whose turns are meant.
    let both = replayed(&["--turn", &turn]);
    let printed = said(&both);
    assert!(
        both.status.code() == Some(2)
            && printed.contains("several seats have a turn ")
            && printed.contains(&turn_ref),
        "{printed}"
    );
    let none = replayed(&["--turn", "9999", "--seat", "0"]);
    let printed = said(&none);
    assert!(
        none.status.code() == Some(2) && printed.contains("no turn 9999: the last one is turn "),
        "{printed}"
    );
    let pinned = leyden(at, &["pin", "r.db", &id, "--turn", &turn, "--bot", "mine", "--name", "x"]);
    assert_eq!(pinned.status.code(), Some(0), "{}", said(&pinned));
}

#[test]
fn rerun_shows_the_bots_standard_error() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let aloud = "        print(\"thinking of\", len(message[\"legal\"]), file=sys.stderr)\n        action = ";
    write_bot(at, "        action = ", aloud);
    let (id, ..) = played(at);
    let rerun = |more: &[&str]| {
        let output = on_quiet_host(|| leyden(at, &[&["rerun", "r.db", &id, "mine"], more].concat()));
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        output
    };
    let printed = stdout(&rerun(&[]));
    assert!(printed.contains("standard error:\n  | thinking of "), "{printed}");
    let printed: Value = serde_json::from_str(&stdout(&rerun(&["--json"]))).unwrap();
    assert!(printed["stderr"].as_str().unwrap().starts_with("thinking of "), "{printed:#}");
}

#[test]
fn pinned_question_is_asked_by_check_and_gate() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write_bot(at, "", "");
    let (id, turn_ref, legal, _) = played(at);
    let pin = |more: &[&str]| {
        leyden(at, &[&["pin", "r.db", &id, "--turn", &turn_ref, "--bot", "mine"], more].concat())
    };
    let none = leyden(at, &["check", "mine", "--only", "cases"]);
    assert!(
        none.status.code() == Some(2) && said(&none).contains("has no cases: leyden pin"),
        "{}",
        said(&none)
    );
    let good = pin(&["--expect", &legal[0], "--name", "first"]);
    assert_eq!(good.status.code(), Some(0), "{}", said(&good));
    assert!(at.join("mine/cases/first.json").is_file() && stdout(&good).contains("first.json"));
    assert!(stdout(&good).contains("leyden check mine --only case-first\n"), "{}", stdout(&good));
    let ask = || stdout(&leyden(at, &[&["check", "mine", "--only", "cases"][..], &LIMITS].concat()));
    let asked = ask();
    assert!(asked.contains("1 passed"), "{asked}");
    let case: Value =
        serde_json::from_str(&fs::read_to_string(at.join("mine/cases/first.json")).unwrap()).unwrap();
    assert_valid(at, "case", &case);
    assert_eq!(case["v"], 2, "{case:#}");
    let of_version_1 = case.to_string().replace("\"preceding\":", "\"told\":").replace("\"v\":2", "\"v\":1");
    fs::write(at.join("mine/cases/first.json"), of_version_1).unwrap();
    assert_eq!(ask(), asked);
    for (wrong, says) in [
        (&["--expect", &legal[0], "--name", "first"][..], "already exists"),
        (&["--expect", "lead:9-9", "--name", "x"], "not legal there"),
        (&["--expect", "rubbish", "--name", "x"], "an action"),
        (&["--name", "a/b"], "expected letters"),
        (&["--name", "../outside"], "expected letters"),
        (&["--name", "case-first"], "not case- at the start"),
    ] {
        let output = pin(wrong);
        assert!(
            output.status.code() == Some(2) && said(&output).contains(says),
            "{wrong:?}: {}",
            said(&output)
        );
    }
    let check =
        || on_quiet_host(|| leyden(at, &[&["check", "mine", "--only", "case-"][..], &LIMITS].concat()));
    let passed = check();
    assert_eq!(passed.status.code(), Some(0), "{}", said(&passed));
    assert!(said(&passed).contains("case-first") && said(&passed).contains(&format!("answers {}", legal[0])));

    let never = pin(&["--never", &legal[0], "--name", "never"]);
    assert_eq!(never.status.code(), Some(0), "{}", said(&never));
    let failed = check();
    assert_eq!(failed.status.code(), Some(1), "{}", said(&failed));
    assert!(
        said(&failed).contains(&format!("expected anything but {0}, got {0}", legal[0])),
        "{}",
        said(&failed)
    );

    let gate = ["gate", "mine", "builtin:random", "--seed", "s", "--max-pairs", "2", "--junit", "gate.xml"];
    let gate = leyden(at, &[&gate[..], &LIMITS].concat());
    assert_eq!(gate.status.code(), Some(1), "{}", said(&gate));
    assert!(
        said(&gate).contains("before anything was played") && said(&gate).contains("case-never"),
        "{}",
        said(&gate)
    );
    let junit = fs::read_to_string(at.join("gate.xml")).unwrap();
    assert!(junit.contains("case-never") && junit.contains("type=\"case\""), "{junit}");
    fs::write(at.join("mine/cases/never.json"), "{}").unwrap();
    let damaged = check();
    assert!(damaged.status.code() == Some(2) && said(&damaged).contains("never.json"), "{}", said(&damaged));
}

#[test]
fn case_is_written_only_to_its_bots_folder() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write_bot(at, "", "");
    let (id, turn_ref, _, _) = played(at);
    // The file's author chose the id.
    let exported = stdout(&leyden(at, &["export", "r.db"]));
    let foreign = exported.lines().next().unwrap().replace(&id, "../../outside");
    fs::write(at.join("foreign.jsonl"), foreign + "\n").unwrap();
    let pin = |file: &str, id: &str, more: &[&str]| {
        leyden(at, &[&["pin", file, id, "--turn", &turn_ref, "--bot", "mine"], more].concat())
    };
    let output = pin("foreign.jsonl", "..", &[]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("--name"), "{}", said(&output));
    let files = || fs::read_dir(at).unwrap().count();
    let before = files();
    assert!(!at.join("mine/cases").exists());

    fs::create_dir(at.join("elsewhere")).unwrap();
    std::os::unix::fs::symlink("../elsewhere", at.join("mine/cases")).unwrap();
    let output = pin("r.db", &id, &[]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("is a link to another folder"), "{}", said(&output));
    assert_eq!(fs::read_dir(at.join("elsewhere")).unwrap().count(), 0);
    fs::remove_file(at.join("mine/cases")).unwrap();

    fs::create_dir(at.join("mine/cases")).unwrap();
    std::os::unix::fs::symlink("../../outside.json", at.join("mine/cases/led.json")).unwrap();
    let output = pin("r.db", &id, &["--name", "led"]);
    assert!(output.status.code() == Some(2) && said(&output).contains("already exists"), "{}", said(&output));
    assert!(!at.join("outside.json").exists());
    assert_eq!(files(), before + 1, "the folder elsewhere");
    assert_eq!(pin("r.db", &id, &[]).status.code(), Some(0), "the id of a match of ours is a name");
}

#[test]
fn gate_rejected_by_case_prints_json_without_file() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write_bot(at, "", "");
    let (id, turn_ref, legal, _) = played(at);
    let never =
        ["pin", "r.db", &id, "--turn", &turn_ref, "--bot", "mine", "--never", &legal[0], "--name", "n"];
    assert_eq!(leyden(at, &never).status.code(), Some(0));
    let gate = ["gate", "mine", "builtin:random", "--results", "gate.db", "--json"];
    let summary = at.join("summary.md");
    let mut run = command(at, &[&gate[..], &LIMITS].concat());
    run.env("GITHUB_STEP_SUMMARY", &summary);
    let output = on_quiet_host(|| run.output().unwrap());
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["answer"], &report["test"]["pairs"]), (&"case_failed".into(), &0.into()));
    let cases = &report["cases"];
    assert_eq!((&cases["passed"], &cases["findings"][0]["kind"]), (&false.into(), &"case".into()));
    let summary = fs::read_to_string(summary).unwrap();
    assert!(summary.contains("### rejected before anything was played: 1 case of mine fails"), "{summary}");
    let left: Vec<_> = fs::read_dir(at).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().starts_with("gate.db")), "{left:?}");
}
