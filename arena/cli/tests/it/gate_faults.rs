//! A gate in which a bot faults: whose fault it is, what its author reads, and what CI reads.

use std::fs;

use serde_json::Value;

use crate::program::{
    LIMITS, PATIENT, assert_is_junit, assert_valid, builtin, command, document, git, leyden, played, stderr,
    stdout, write_bot,
};

const RANDOM: &str = "builtin:random";

#[test]
fn bot_that_faults_loses_and_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir(at.join("dead")).unwrap();
    fs::write(at.join("dead/bot.toml"), "name = \"dead\"\ncommand = [\"false\"]\n").unwrap();
    let mut play = command(at, &["match", "dead", RANDOM, "--blocks", "2", "--junit", "match.xml"]);
    play.args(LIMITS);
    let output = play.env("GITHUB_ACTIONS", "true").output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("4 handshake"), "{}", stdout(&output));
    let warning = stderr(&output);
    assert!(
        warning.contains("::warning title=dead faulted::lost 4 matches by a fault (handshake); first: "),
        "{warning}"
    );
    let junit = fs::read_to_string(at.join("match.xml")).unwrap();
    assert_is_junit(&junit);
    assert!(
        junit.contains("failures=\"1\"") && junit.contains("4 matches lost to faults; first: "),
        "{junit}"
    );
    let printed = document(&played(at, &["gate", "dead", RANDOM, "--seed", "s", "--json"]), 1);
    let faults = printed["bots"][0]["results"]["faults"]["handshake"].as_u64().unwrap();
    assert_eq!(faults, 2 * printed["test"]["pairs"].as_u64().unwrap());
    assert_eq!((&printed["answer"], &printed["max_faults"], faults), (&"faulted".into(), &0.into(), 2));
    assert_eq!(printed["test"]["mean_margin"], Value::Null);
}

#[test]
fn crashing_version_is_rejected_with_its_own_trace() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let crashing = "import sys\nprint('{\"type\":\"ready\",\"protocol\":\"1.0\",\"name\":\"mine\"}', flush=True)\nfor line in sys.stdin:\n    \
                    if '\"turn\"' in line:\n        raise KeyError('spinner')\n";
    write_bot(at, "new", "name = \"mine\"\ncommand = [\"python3\", \"bot.py\"]\n");
    fs::write(at.join("new/bot.py"), crashing).unwrap();
    write_bot(at, "old", &builtin("mine", "random"));
    let words = ["gate", "new", "old", "--seed", "s", "--junit", "gate.xml", "--results", "g.db", "--quiet"];
    let output = leyden(at, &[&words[..], &PATIENT].concat());
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let printed = stdout(&output);
    let verdict =
        "rejected for its faults: mine (new) lost 2 matches by faults, and it may lose none (--max-faults)\n";
    assert!(printed.starts_with(verdict) && printed.contains("mine (old)"), "{printed}");
    assert!(printed.contains("seed ") && printed.contains("  s\n"), "the seed is in the text: {printed}");
    // Causes are reported even with --quiet, and each can be shown.
    let said = stderr(&output);
    assert!(said.contains("KeyError: 'spinner'") && said.contains("see it: leyden replay g.db"), "{said}");
    let junit = fs::read_to_string(at.join("gate.xml")).unwrap();
    assert_is_junit(&junit);
    assert!(junit.contains("tests=\"3\" skipped=\"0\" failures=\"2\""), "the answer and the bot: {junit}");
    assert!(junit.contains("type=\"faulted\"") && junit.contains("KeyError"), "{junit}");
    let of_bot = junit.split("type=\"fault\"").nth(1).and_then(|rest| rest.split("</failure>").next());
    assert!(of_bot.is_some_and(|failure| failure.contains("KeyError")), "where services look: {junit}");
    assert!(junit.contains("name=\"seed\" value=\"s\""), "{junit}");

    // The file says to each later command how its gate ended.
    let stored = leyden(at, &["standings", "g.db"]);
    assert!(stdout(&stored).starts_with(verdict), "{}", stdout(&stored));
    let stored = leyden(at, &["standings", "g.db", "--json"]);
    let stored: Value = serde_json::from_slice(&stored.stdout).unwrap();
    assert_eq!(stored["gate"], "faulted");
    assert_valid(at, "standings", &stored);
    let published = leyden(at, &["report", "g.db", "--out", "pages"]);
    assert!(published.status.success(), "{}", stderr(&published));
    let page = fs::read_to_string(at.join("pages/index.html")).unwrap();
    assert!(page.contains("rejected for its faults") && !page.contains("not decided yet"), "{page}");
    // It resumes with as many faults allowed or more, not with fewer.
    let go_on =
        ["gate", "new", "old", "--seed", "s", "--results", "g.db", "--resume", "--json", "--max-faults"];
    let printed = document(&leyden(at, &[&go_on[..], &["2"], &PATIENT].concat()), 1);
    assert_eq!((&printed["max_faults"], &printed["test"]["pairs"]), (&2.into(), &2.into()));
    let fewer = leyden(at, &[&go_on[..], &["1"], &PATIENT].concat());
    assert_eq!(fewer.status.code(), Some(2), "{}", stderr(&fewer));
    assert!(stderr(&fewer).contains("max-faults: in the file 2, now 1"), "{}", stderr(&fewer));

    // More may be allowed; then the test continues until it is decided.
    let words = ["gate", "new", "old", "--seed", "s", "--max-faults", "3", "--json"];
    let printed = document(&leyden(at, &[&words[..], &PATIENT].concat()), 1);
    assert_eq!((&printed["answer"], &printed["test"]["pairs"]), (&"faulted".into(), &2.into()));
    // The opponent's faults are reported, but a bot that only faults is no opponent, and beating it does not show strength.
    let words = ["gate", "old", "new", "--seed", "s", "--junit", "turned.xml", "--json"];
    let mut turned = command(at, &[&words[..], &PATIENT].concat());
    let turned =
        turned.env("GITHUB_ACTIONS", "true").env("GITHUB_STEP_SUMMARY", at.join("summary.md")).output();
    let turned = turned.unwrap();
    let printed = document(&turned, 3);
    assert_eq!((&printed["answer"], &printed["test"]["end"]), (&"no_opponent".into(), &Value::Null));
    let (verdict, ratio) = (&printed["test"]["verdict"], &printed["test"]["state"]["verdict"]);
    assert_eq!((verdict, ratio), (&"undecided".into(), &"undecided".into()), "{printed:#}");
    assert!(printed["test"]["estimate"].is_null() && printed["test"]["stagewise"].is_null(), "{printed:#}");
    assert_valid(at, "gate", &printed);
    // Causes are reported next to a document, too, in the same words.
    let said = stderr(&turned);
    assert!(said.contains("mine (new) lost ") && said.contains("KeyError: 'spinner'"), "{said}");
    assert!(
        stderr(&turned).contains("::error title=leyden gate::no answer: mine (new) lost "),
        "{}",
        stderr(&turned)
    );
    let junit = fs::read_to_string(at.join("turned.xml")).unwrap();
    assert!(junit.contains("failures=\"0\"") && junit.contains("errors=\"1\""), "{junit}");
    assert!(junit.contains("type=\"no opponent\"") && junit.contains("KeyError"), "{junit}");
    let summary = fs::read_to_string(at.join("summary.md")).unwrap();
    assert!(
        summary.starts_with("### no answer: mine (new) lost ") && summary.contains("KeyError"),
        "{summary}"
    );
}

/// Beating a version that does not start, or faults in most matches, shows nothing.
#[test]
fn old_version_incomplete_in_git_is_no_opponent() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write_bot(at, "mine", "name = \"mine\"\ncommand = [\"sh\", \"start.sh\"]\n");
    let start = format!("test -f weights || exit 7\nexec '{}' bot random\n", env!("CARGO_BIN_EXE_leyden"));
    fs::write(at.join("mine/start.sh"), start).unwrap();
    fs::write(at.join("mine/weights"), "").unwrap();
    fs::write(at.join(".gitignore"), "weights\n").unwrap();
    for words in [&["init", "--quiet"][..], &["add", "."], &["commit", "--quiet", "-m", "one"]] {
        git(at, words);
    }
    let words = ["gate", "mine", "--against", "HEAD", "--seed", "s", "--max-pairs", "100"];
    let output = leyden(at, &[&words[..], &PATIENT].concat());
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let (printed, said) = (stdout(&output), stderr(&output));
    assert!(
        printed.starts_with("no answer: mine (") && !printed.contains("agrees with the verdict"),
        "{printed}"
    );
    assert!(
        !printed.contains("LLR") && !printed.contains("score 100"),
        "nothing of it is an answer: {printed}"
    );
    let quiet = leyden(at, &[&words[..], &PATIENT, &["--json", "--quiet"]].concat());
    assert!(
        stderr(&quiet).contains("(handshake)") && stderr(&quiet).contains("expected"),
        "{}",
        stderr(&quiet)
    );
    assert!(said.contains("what .gitignore excludes, such as weights, is missing"), "{said}");
}
