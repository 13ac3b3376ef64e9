//! The program as it is typed: exit codes, messages, what is data and what is not, and that nothing is half done.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Runs `leyden` in a folder.
fn leyden(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_leyden")).args(words).current_dir(folder).output().unwrap()
}

/// Limits that no bot reaches however busy the machine is.
const PATIENT: [&str; 4] = ["--turn", "100s", "--startup", "100s"];

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A folder in which a bot lives: its manifest and a file.
fn write_bot(folder: &Path, name: &str, manifest: &str) {
    fs::create_dir_all(folder.join(name)).unwrap();
    fs::write(folder.join(name).join("bot.toml"), manifest).unwrap();
}

const RANDOM: &str = "builtin:random";
const GREEDY: &str = "builtin:greedy";

#[test]
fn bad_input_is_refused_with_a_reason_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write_bot(at, "broken", "name = \"broken\"\ncommand = \"no list\"\n");
    write_bot(at, "gone", "name = \"gone\"\ncommand = [\"no-such-interpreter\", \"bot\"]\n");
    write_bot(
        at,
        "unbuilt",
        "name = \"unbuilt\"\ncommand = [\"sh\"]\nbuild = [\"sh\", \"-c\", \"echo no rule; exit 7\"]\n",
    );
    fs::write(at.join("odd.toml"), "rules = \"leyden\"\nblokcs = 3\n").unwrap();
    fs::write(at.join("notes.txt"), "not a results file\n").unwrap();
    fs::write(at.join("empty.db"), "").unwrap();
    let before = fs::read_dir(at).unwrap().count();
    let cases: [(i32, &[&str], &[&str]); 21] = [
        (2, &["tournament"], &["name the bots"]),
        (2, &["tournament", "nobody", RANDOM], &["there is no bot \"nobody\""]),
        (2, &["tournament", "builtin:nobody", RANDOM], &["no builtin bot \"nobody\"", "careful"]),
        (2, &["tournament", "broken", RANDOM], &["bot.toml", "line 2"]),
        (3, &["tournament", "gone", RANDOM], &["gone", "no-such-interpreter", "--allow-missing"]),
        (3, &["tournament", "unbuilt", RANDOM], &["unbuilt", "no rule", "exit status: 7"]),
        (2, &["tournament", RANDOM], &["at least 2 bots"]),
        (2, &["tournament", RANDOM, GREEDY, "--seats", "3"], &["2 seats"]),
        (2, &["tournament", RANDOM, GREEDY, "--set", "9"], &["double-six only"]),
        (2, &["tournament", RANDOM, GREEDY, "--set", "7"], &["6, 9 or 12"]),
        (2, &["tournament", RANDOM, GREEDY, "--rules", "chess"], &["chess", "leyden-cross"]),
        (2, &["tournament", RANDOM, GREEDY, "--target", "0"], &["target"]),
        (2, &["tournament", RANDOM, GREEDY, "--blocks", "0"], &["at least one block"]),
        (2, &["tournament", RANDOM, GREEDY, "--turn", "soon"], &["duration such as 500ms"]),
        (2, &["tournament", RANDOM, GREEDY, "--jobs", "0"], &["--jobs"]),
        (2, &["tournament", RANDOM, GREEDY, "--config", "odd.toml"], &["odd.toml", "line 2", "blokcs"]),
        (2, &["tournament", RANDOM, GREEDY, "--results", "notes.txt"], &["exists already"]),
        (2, &["tournament", RANDOM, GREEDY, "--resume"], &["--results"]),
        (2, &["tournament", RANDOM, GREEDY, "--results", "notes.txt", "--resume"], &["not a results file"]),
        (2, &["match", RANDOM, GREEDY, RANDOM], &["2 seats"]),
        (2, &["standings", "empty.db"], &["empty.db"]),
    ];
    for (code, words, says) in cases {
        let output = leyden(at, words);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{words:?}: {said}");
        for part in says {
            assert!(said.contains(part), "{words:?} should say {part:?}: {said}");
        }
        assert!(!said.contains("panicked"), "{words:?}: {said}");
        assert_eq!(stdout(&output), "", "{words:?}");
    }
    assert_eq!(fs::read_dir(at).unwrap().count(), before, "something was written");
}

#[test]
fn nothing_typed_gives_a_short_help_with_two_examples() {
    let folder = tempfile::tempdir().unwrap();
    let output = leyden(folder.path(), &[]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).matches("  leyden ").count() >= 2);
    assert!(stdout(&output).lines().count() < 12);
}

#[test]
fn a_missing_bot_is_left_out_when_that_is_allowed() {
    let folder = tempfile::tempdir().unwrap();
    write_bot(folder.path(), "gone", "name = \"gone\"\ncommand = [\"no-such-interpreter\"]\n");
    let words = ["tournament", "gone", RANDOM, GREEDY, "--allow-missing", "--results", "r.db"];
    let output = leyden(folder.path(), &words);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("left out: gone"), "{}", stderr(&output));
    assert!(stdout(&output).contains("greedy") && !stdout(&output).contains("gone"));
}

#[test]
fn data_goes_to_standard_output_and_the_rest_to_standard_error() {
    let folder = tempfile::tempdir().unwrap();
    let output = leyden(folder.path(), &["match", RANDOM, GREEDY, "--json", "--seed", "x", "--blocks", "2"]);
    assert_eq!(output.status.code(), Some(0));
    let events: Vec<serde_json::Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: Vec<_> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["start", "match", "match", "match", "match", "versus", "end"]);
    assert!(stderr(&output).contains("a bot could guess it"), "{}", stderr(&output));
    assert!(
        !stdout(&output).contains('\u{1b}') && !stderr(&output).contains('\u{1b}'),
        "no terminal, no animation"
    );
    let quiet = leyden(folder.path(), &["match", RANDOM, GREEDY, "--quiet"]);
    assert_eq!(stderr(&quiet), "");
}

/// The records of a run, in schedule order, without what depends on the moment.
fn records(folder: &Path, words: &[&str]) -> Vec<serde_json::Value> {
    let output = leyden(folder, &[words, &PATIENT].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let mut events: Vec<serde_json::Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    events.retain(|event| event["event"] == "match");
    events.sort_by_key(|event| event["rank"].as_u64());
    for event in &mut events {
        let record = event["record"].as_object_mut().unwrap();
        record.retain(|field, _| field != "think_us" && field != "host");
    }
    events
}

#[test]
fn results_are_the_same_for_any_number_of_workers_and_with_fresh_processes() {
    let folder = tempfile::tempdir().unwrap();
    let words = |more: &[&'static str]| {
        let fixed =
            ["tournament", RANDOM, GREEDY, "builtin:careful", "--seed", "same", "--json", "--blocks", "3"];
        [&fixed, more].concat()
    };
    let one = records(folder.path(), &words(&["--jobs", "1", "--results", "1.db"]));
    assert_eq!(one.len(), 18);
    assert_eq!(one, records(folder.path(), &words(&["--jobs", "4", "--results", "4.db"])));
    assert_eq!(one, records(folder.path(), &words(&["--jobs", "2", "--fresh", "--results", "f.db"])));
}

#[test]
fn options_stand_in_a_file_and_what_is_typed_wins() {
    let folder = tempfile::tempdir().unwrap();
    let config = "bots = [\"builtin:random\", \"builtin:greedy\"]\nblocks = 2\nrules = \"senst\"\nseed = \"file\"\n\
                  turn = \"2s\"\nresults = \"from-file.db\"\nfresh = true\n";
    fs::write(folder.path().join("cup.toml"), config).unwrap();
    let played =
        records(folder.path(), &["tournament", "--config", "cup.toml", "--rules", "leiden", "--json"]);
    assert_eq!(played.len(), 4);
    assert_eq!(played[0]["record"]["rules"]["name"], "leiden");
    assert!(folder.path().join("from-file.db").exists());
}

#[test]
fn a_resumed_tournament_plays_exactly_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let fixed = ["tournament", RANDOM, GREEDY, "--seed", "r", "--json", "--results"];
    let whole = records(at, &[&fixed[..], &["whole.db", "--blocks", "3"]].concat());
    let first = records(at, &[&fixed[..], &["part.db", "--blocks", "1"]].concat());
    let rest = records(at, &[&fixed[..], &["part.db", "--blocks", "3", "--resume"]].concat());
    assert_eq!(whole, [first, rest].concat());
    let nothing = records(at, &[&fixed[..], &["part.db", "--blocks", "3", "--resume"]].concat());
    assert_eq!(nothing, Vec::<serde_json::Value>::new());
    let other = leyden(
        at,
        &[&fixed[..], &["part.db", "--blocks", "3", "--resume", "--turn", "9s", "--startup", "100s"]]
            .concat(),
    );
    assert_eq!(other.status.code(), Some(2));
    assert!(stderr(&other).contains("turn_ms: in the file 100000, now 9000"), "{}", stderr(&other));
}

#[test]
fn what_is_printed_for_programs_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    for words in [
        &["schema", "message"][..],
        &["schema", "record"],
        &["schema", "config"],
        &["rules", "--json"],
        &["rules", "senst", "--json"],
    ] {
        let output = leyden(folder.path(), words);
        assert!(output.status.success(), "{words:?}: {}", stderr(&output));
        serde_json::from_str::<serde_json::Value>(&stdout(&output)).unwrap();
    }
    for words in [
        &["completions", "bash"][..],
        &["rules"],
        &["rules", "matador", "--seats", "4"],
        &["help"],
        &["--version"],
    ] {
        let output = leyden(folder.path(), words);
        assert!(output.status.success() && !output.stdout.is_empty(), "{words:?}: {}", stderr(&output));
    }
    assert!(leyden(folder.path(), &["man", "."]).status.success());
    assert!(folder.path().join("leyden-tournament.1").is_file());
}
