//! Recorded matches: listed, shown at one moment, sent to a bot once more, and played against another bot.

mod rerun;

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

use crate::program::{LIMITS, assert_valid, leyden, on_quiet_host, printed as stdout, stderr};

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", stderr(output)))
}

/// A bot that keeps every line that it receives, and then answers with the first action, or as instructed.
const KEEPS: &str = r#"
lines=$1
while IFS= read -r line; do
    printf '%s\n' "$line" >>"$lines"
    case $line in
    '{"type":"hello"'*) echo '{"type":"ready","protocol":"1.0","name":"keeps"}' ;;
    '{"type":"turn"'*)
        id=${line#*'"id":'} && id=${id%%,*}
        legal=${line#*'"legal":["'} && legal=${legal%%'"'*}
        if [ "$id" = "${2-none}" ]; then legal=${3-nothing}; fi
        printf '{"type":"action","id":%s,"action":"%s","note":"turn %s"}\n' "$id" "$legal" "$id" ;;
    esac
done
"#;

/// Plays a match to `r.db` with a bot that keeps its lines in `kept`, and returns its record. It is the same each time,
/// because the bot's name, on which the deals depend, contains no folder of this run.
fn played(at: &Path, options: &[&str], more: &str) -> Value {
    fs::write(at.join("bot.sh"), KEEPS).unwrap();
    let bot = format!("sh bot.sh kept {more}");
    let words = ["match", &bot, "builtin:greedy", "--seed", "s", "--results", "r.db", "--sandbox", "none"];
    let output = leyden(at, &[&words[..], &LIMITS, options].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let exported = stdout(&leyden(at, &["export", "r.db"]));
    serde_json::from_str(exported.lines().next().unwrap()).unwrap()
}

/// The content of a line, without readings of the clock.
fn timeless(line: &str) -> Value {
    let mut line: Value = serde_json::from_str(line).unwrap();
    if let Some(clock) = line.get_mut("clock") {
        clock["last_us"] = Value::Null;
    }
    line
}

#[test]
fn transcript_is_what_the_bot_received() {
    for (options, more) in [
        (&["--rules", "leyden", "--target", "60"][..], ""),
        (&["--rules", "senst", "--names"], "5"),
        (&["--rules", "leiden", "--target", "50", "--strikes", "1"], "3"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        let record = played(at, options, more);
        let id = record["match"].as_str().unwrap();
        let printed = stdout(&leyden(at, &["transcript", "r.db", id, "--seat", "0"]));
        let kept = fs::read_to_string(at.join("kept")).unwrap();
        let printed: Vec<Value> = printed.lines().map(timeless).collect();
        // The other leg has its own process, and a bot that has lost by a fault is killed before it reads why.
        let is_hello = |line: &&str| line.contains("\"type\":\"hello\"");
        let first = kept.lines().enumerate().take_while(|(number, line)| *number == 0 || !is_hello(line));
        let kept: Vec<Value> = first.map(|(_, line)| timeless(line)).collect();
        assert!(printed.len() > 5 && (printed.len() - 2..=printed.len()).contains(&kept.len()));
        for (printed, kept) in printed.iter().zip(&kept) {
            // The wording of an ignored fault is not kept.
            if printed["type"] == "error" && kept["type"] == "error" && options.contains(&"--strikes") {
                assert_eq!((&printed["code"], &printed["legal"]), (&kept["code"], &kept["legal"]));
            } else {
                assert_eq!(printed, kept);
            }
        }
    }
}

#[test]
fn transcript_ends_at_the_given_turn() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let record = played(at, &["--target", "60"], "4");
    let id = record["match"].as_str().unwrap();
    let whole = stdout(&leyden(at, &["transcript", "r.db", id, "--seat", "0"]));
    assert!(whole.lines().last().unwrap().contains("\"match_end\""), "{whole}");
    let round = record["rounds"].as_array().unwrap().len() - 1; // it fails there
    let last = record["rounds"][round]["actions"].as_array().unwrap().len();
    let mut before = 0;
    for action in 0..=last {
        let turn_ref = format!("r{round}.t{action}");
        let printed = stdout(&leyden(at, &["transcript", "r.db", id, "--seat", "0", "--to", &turn_ref]));
        assert!(whole.starts_with(&printed) && printed.len() >= before, "{turn_ref}");
        before = printed.len();
    }
    let last = format!("r{round}.t{last}");
    let printed = stdout(&leyden(at, &["transcript", "r.db", id, "--seat", "0", "--to", &last]));
    let end = printed.lines().last().unwrap();
    assert!(end.contains("\"type\":\"turn\",\"id\":4,"), "the question that it failed at: {end}");
    for (wrong, says) in [("0.999", "no action r0.t999"), ("99.0", "no deal r99"), ("x", "expected a turn")] {
        let output = leyden(at, &["transcript", "r.db", id, "--seat", "0", "--to", wrong]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(says), "{}", stderr(&output));
    }
    let output = leyden(at, &["transcript", "r.db", id, "--seat", "2"]);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("no seat 2"), "{}", stderr(&output));
}

#[test]
fn matches_are_listed_filtered_and_sorted() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("bot.sh"), KEEPS).unwrap();
    let bot = "sh bot.sh kept 2";
    let words = ["tournament", bot, "builtin:greedy", "builtin:random", "--seed", "s", "--results", "r.db"];
    stdout(&leyden(at, &[&words[..], &["--sandbox", "none", "--blocks", "2"], &LIMITS].concat()));
    let list = |more: &[&str]| {
        let output = leyden(at, &[&["matches", "r.db", "--json"], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let document = json(&output);
        assert_valid(at, "matches", &document);
        document["matches"].as_array().unwrap().clone()
    };
    assert_eq!(list(&[]).len(), 12);
    assert_eq!(list(&["--first", "3"]).len(), 3);
    let faults = list(&["--faults"]);
    assert_eq!(faults.len(), 8, "every match of the bot that fails");
    assert!(faults.iter().all(|line| line["fault"]["code"] == "illegal"));
    let printed = |line: &Value| {
        line["fault"]["message"].as_str().is_some_and(|printed| printed.contains("expected one of"))
    };
    assert!(faults.iter().all(printed), "{faults:#?}");
    assert_eq!(list(&["--bot", "greedy"]).len(), 8);
    assert_eq!(list(&["--bot", "greedy", "--bot", "random"]).len(), 4);
    assert_eq!(list(&["--bot", "greedy", "--faults"]).len(), 4);
    let margins: Vec<u64> =
        list(&["--sort", "margin"]).iter().map(|line| line["margin"].as_u64().unwrap()).collect();
    assert!(margins.is_sorted_by(|a, b| a >= b), "{margins:?}");
    let printed = stdout(&leyden(at, &["matches", "r.db", "--faults", "--first", "1"]));
    assert!(
        printed.contains("lost by a fault: illegal, turn ")
            && printed.contains(faults[0]["match"].as_str().unwrap()),
        "{printed}"
    );
    let mut lines = printed.lines();
    let end_of_margin = lines.next().and_then(|titles| titles.split_once("margin")).unwrap().0.len() + 5;
    let in_margin = lines.next().and_then(|line| line.chars().nth(end_of_margin));
    assert_eq!(in_margin, Some('–'), "a fault leaves no margin: {printed}");
    let output = leyden(at, &["matches", "r.db", "--bot", "nobody"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("these are") && stderr(&output).contains("greedy"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn moment_shows_the_legal_actions() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let record = played(at, &["--target", "60"], "");
    let id = record["match"].as_str().unwrap();
    let deals = record["rounds"].as_array().unwrap();
    let deal = deals.iter().position(|deal| deal["actions"][0] != Value::Null).unwrap();
    let actions = record["rounds"][deal]["actions"].as_array().unwrap();
    let account = stdout(&leyden(at, &["replay", "r.db", id]));
    for (number, done) in actions.iter().enumerate() {
        let done = done.as_str().unwrap();
        let turn_ref = format!("r{deal}.t{number}");
        let printed = stdout(&leyden(at, &["replay", "r.db", id, "--turn", &turn_ref]));
        let action = done.split(' ').nth(1).unwrap();
        let action = if action.starts_with("draw") { "draw" } else { action };
        assert!(printed.contains(&format!("→ {action}")), "{turn_ref} {done}: {printed}");
        // The account of the match names the same turn.
        let line =
            account.lines().find(|line| line.split_whitespace().next() == Some(&turn_ref)).expect(&account);
        let said = action.strip_prefix("lead:").unwrap_or(action);
        assert!(line.contains(said), "{turn_ref} {done}: {line}");
    }
    let of_greedy = actions.iter().position(|entry| entry.as_str().unwrap().starts_with('1')).unwrap();
    let turn_ref = format!("r{deal}.t{of_greedy}");
    let printed = stdout(&leyden(at, &["replay", "r.db", id, "--turn", &turn_ref, "--seat", "0"]));
    assert!(printed.contains("tiles\n") && !printed.contains("legal"), "another seat's: {printed}");
    let output = leyden(at, &["replay", "r.db", id, "--turn", "0.99"]);
    assert_eq!(output.status.code(), Some(2));
}

/// A change to a record.
type Change = dyn Fn(&mut Value);

#[test]
fn contradictory_records_never_crash_a_command() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let record = played(at, &["--target", "60"], "");
    let id = record["match"].as_str().unwrap();
    let change: [(&str, &Change); 5] = [
        ("a round less", &|record| drop(record["rounds"].as_array_mut().unwrap().pop())),
        ("an action less", &|record| {
            let rounds = record["rounds"].as_array_mut().unwrap();
            drop(rounds.last_mut().unwrap()["actions"].as_array_mut().unwrap().pop());
        }),
        ("no rounds", &|record| record["rounds"] = serde_json::json!([])),
        ("another target", &|record| record["rules"]["target"] = 200.into()),
        ("a strike that nobody had", &|record| {
            record["strikes"] = serde_json::json!([{"seat": 0, "round": 0, "action": 0, "code": "illegal"}]);
        }),
    ];
    for (what, change) in change {
        let mut changed = record.clone();
        change(&mut changed);
        fs::write(at.join("changed.jsonl"), format!("{changed}\n")).unwrap();
        let (file, turn_ref) = ("changed.jsonl", "0.0");
        for words in [
            &["transcript", file, id, "--seat", "0"][..],
            &["rerun", file, id, "builtin:greedy", "--seat", "1", "--sandbox", "none"],
            &["replay", file, id, "--turn", turn_ref],
            &["replay", file, id],
            &["pin", file, id, "--turn", turn_ref, "--bot", "."],
        ] {
            let output = on_quiet_host(|| leyden(at, words));
            let code = output.status.code().unwrap();
            assert!(code <= 2, "{what}: {words:?} ends with {code}: {}", stderr(&output));
            let said = stderr(&output);
            assert!(
                code < 2
                    || ["leyden verify", "has no deal"].iter().any(|part| said.contains(part))
                    || words[0] == "pin",
                "{what}: {words:?}: {said}"
            );
        }
    }
    let less = |record: &mut Value| drop(record["rounds"].as_array_mut().unwrap().pop());
    let mut changed = record.clone();
    less(&mut changed);
    fs::write(at.join("changed.jsonl"), format!("{changed}\n")).unwrap();
    let output = leyden(at, &["transcript", "changed.jsonl", id, "--seat", "0"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("more questions than its record has answers"), "{}", stderr(&output));
}

#[test]
fn pause_needs_standard_input_for_itself() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["rerun", "-", "4f2a", "builtin:greedy", "--pause", "0.0"];
    let output = leyden(folder.path(), &words);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("standard input waits for you"), "{}", stderr(&output));
}

#[test]
fn match_keeps_its_own_stderr_in_reused_process() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let errs_in_its_second_match = r#"
matches=0
while IFS= read -r line; do
    case $line in
    '{"type":"hello"'*) echo '{"type":"ready","protocol":"1.0","name":"counts"}' ;;
    '{"type":"match_start"'*) matches=$((matches + 1)) && echo "match $matches of this process" >&2 ;;
    '{"type":"turn"'*)
        if [ "$matches" = 2 ]; then echo nonsense; continue; fi
        id=${line#*'"id":'} && id=${id%%,*}
        legal=${line#*'"legal":["'} && legal=${legal%%'"'*}
        printf '{"type":"action","id":%s,"action":"%s"}\n' "$id" "$legal" ;;
    esac
done
"#;
    fs::write(at.join("bot.sh"), errs_in_its_second_match).unwrap();
    let words = ["match", "sh bot.sh", "builtin:greedy", "--seed", "s", "--results", "r.db", "--blocks", "2"];
    let output = leyden(at, &[&words[..], &LIMITS, &["--sandbox", "none", "--jobs", "1"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let exported = stdout(&leyden(at, &["export", "r.db"]));
    let records = exported.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let kept: Vec<Value> = records.filter(|record| !record["fault"].is_null()).collect();
    assert!(!kept.is_empty(), "{exported}");
    for record in kept {
        let seat = record["fault"]["seat"].as_u64().unwrap() as usize;
        assert_eq!(record["stderr"][seat], "match 2 of this process\n", "{}", record["fault"]);
    }
}
