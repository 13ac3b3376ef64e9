//! A run as typed: who follows it, which bots play, and that no follower slows it down or stops it.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::program::{self, PATIENT, leyden, text};

const BOTS: [&str; 4] = ["builtin:random", "builtin:greedy", "builtin:careful", "builtin:random"];

/// A command with limits that no bot reaches, however busy the machine is.
fn command(folder: &Path, words: &[&str]) -> Command {
    program::command(folder, &[words, &PATIENT].concat())
}

fn tournament(folder: &Path, words: &[&str]) -> Output {
    command(folder, &[&["tournament"], &BOTS[..], &["--quiet"], words].concat()).output().unwrap()
}

fn events(output: &Output) -> Vec<Value> {
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The tables that were played, each with its count.
fn pairings(events: &[Value]) -> Vec<(String, usize)> {
    let tables: Vec<String> = events
        .iter()
        .filter(|event| event["event"] == "match")
        .map(|event| event["key"]["table"].to_string())
        .collect();
    let different: BTreeSet<&String> = tables.iter().collect();
    different
        .into_iter()
        .map(|table| (table.clone(), tables.iter().filter(|other| *other == table).count()))
        .collect()
}

#[test]
fn event_lines_validate_against_the_schema() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let schema = leyden(at, &["schema", "events"]);
    let schema: Value = serde_json::from_slice(&schema.stdout).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    fs::create_dir(at.join("dead")).unwrap();
    fs::write(at.join("dead/bot.toml"), "name = \"dead\"\ncommand = [\"false\"]\n").unwrap();
    let two = ["match", "builtin:random", "dead", "--blocks", "4", "--json=moves", "--quiet"];
    let many = ["tournament", "builtin:random", "builtin:greedy", "builtin:careful", "--json", "--quiet"];
    for (words, kinds) in [
        (&two[..], &["start", "move", "match", "withdrawn", "versus", "end"][..]),
        (&many[..], &["start", "match", "standings", "end"][..]),
    ] {
        let all = events(&command(at, words).output().unwrap());
        for event in &all {
            if let Err(error) = schema.validate(event) {
                panic!("{error}: {event}");
            }
        }
        let printed: BTreeSet<&str> = all.iter().map(|event| event["event"].as_str().unwrap()).collect();
        assert_eq!(printed, kinds.iter().copied().collect());
        assert_eq!((&all[0]["event"], &all[0]["v"]), (&"start".into(), &2.into()));
        assert_eq!(all.last().unwrap()["event"], "end");
    }
}

#[test]
fn json_moves_report_matches_from_start_to_end() {
    let folder = tempfile::tempdir().unwrap();
    let all = events(&tournament(folder.path(), &["--json=moves", "--jobs", "2"]));
    for ended in all.iter().filter(|event| event["event"] == "match") {
        let is_move = |event: &&Value| event["event"] == "move" && event["key"] == ended["key"];
        let moves: Vec<&Value> = all.iter().filter(is_move).map(|event| &event["happened"]).collect();
        assert_eq!(
            (&moves[0]["type"], &moves[moves.len() - 1]["type"]),
            (&"started".into(), &"ended".into())
        );
        let acted = moves.iter().filter(|happened| happened["type"] == "acted").count();
        let rounds = ended["record"]["rounds"].as_array().unwrap();
        let actions: usize = rounds.iter().map(|round| round["actions"].as_array().unwrap().len()).sum();
        assert_eq!(acted, actions);
    }
    assert_eq!(pairings(&all).len(), 6);
}

#[test]
fn matches_are_stored_after_output_is_closed() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (json, file) in [("--json", "a.db"), ("--json=moves", "b.db")] {
        let words =
            [&["tournament"], &BOTS[..], &["--quiet", json, "--blocks", "5", "--results", file]].concat();
        let mut arena = command(at, &words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut first = String::new();
        BufReader::new(arena.stdout.take().unwrap()).read_line(&mut first).unwrap();
        assert!(first.contains("\"start\""), "{first}");
        let output = arena.wait_with_output().unwrap();
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
        let exported = leyden(at, &["export", file]);
        assert_eq!(text(&exported.stdout).lines().count(), 60);
    }
}

#[test]
fn gate_prints_no_moves() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["gate", "builtin:random", "builtin:greedy", "--json=moves"];
    let output = command(folder.path(), &words).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(fs::read_dir(folder.path()).unwrap().next().is_none());
}

#[test]
fn gauntlet_seats_no_table_without_a_challenger() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let both = |tables: &[&str]| tables.iter().map(|table| ((*table).to_owned(), 2)).collect::<Vec<_>>();
    let named = events(&tournament(at, &["--json", "--gauntlet", "careful"]));
    assert_eq!(pairings(&named), both(&["[0,2]", "[1,2]", "[2,3]"]));
    assert_eq!(named[0]["matches"], 6);
    let two = events(&tournament(at, &["--json", "--gauntlet", "greedy", "--gauntlet", "random#2"]));
    assert_eq!(pairings(&two), both(&["[0,1]", "[0,3]", "[1,2]", "[1,3]", "[2,3]"]));
    // Typed as among the bots, it marks both bots that were typed this way.
    let typed = events(&tournament(at, &["--json", "--gauntlet", "builtin:random"]));
    assert_eq!(pairings(&typed), both(&["[0,1]", "[0,2]", "[0,3]", "[1,3]", "[2,3]"]));
    fs::write(at.join("cup.toml"), "gauntlet = [\"greedy\"]\n").unwrap();
    let from_file = events(&tournament(at, &["--json", "--config", "cup.toml"]));
    assert_eq!(pairings(&from_file), both(&["[0,1]", "[1,2]", "[1,3]"]));
    let three = ["--json", "--gauntlet", "greedy", "--rules", "matador", "--seats", "3"];
    let three = events(&tournament(at, &three));
    assert_eq!(
        pairings(&three),
        ["[0,1,2]", "[0,1,3]", "[1,2,3]"].map(|table| (table.to_owned(), 3)).to_vec()
    );
}

#[test]
fn gauntlet_names_only_playing_bots_and_resumes_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let unknown = tournament(at, &["--gauntlet", "nobody"]);
    assert_eq!(unknown.status.code(), Some(2));
    let said = text(&unknown.stderr);
    assert!(
        said.contains(
            "--gauntlet nobody names none of the bots that play (these are random, greedy, careful, random#2)"
        ),
        "{said}"
    );
    assert!(fs::read_dir(at).unwrap().next().is_none());
    let fixed = ["--json", "--seed", "g", "--results", "g.db"];
    let first = events(&tournament(at, &[&fixed[..], &["--gauntlet", "greedy"]].concat()));
    let same = ["--gauntlet", "greedy", "--blocks", "3", "--resume"];
    let rest = events(&tournament(at, &[&fixed[..], &same].concat()));
    assert_eq!((pairings(&first).len(), rest[0]["done"].as_u64()), (3, Some(6)));
    assert!(pairings(&rest).iter().all(|(_, matches)| *matches == 4));
    let other = ["--blocks", "3", "--resume", "--gauntlet", "careful"];
    let other = tournament(at, &[&fixed[..], &other].concat());
    let said = text(&other.stderr);
    assert_eq!(other.status.code(), Some(2), "{said}");
    assert!(said.contains("format: in the file a gauntlet of greedy, now a gauntlet of careful"), "{said}");
    // What is not given again keeps its value.
    let unsaid = tournament(at, &[&fixed[..], &["--blocks", "3", "--resume"]].concat());
    assert!(unsaid.status.success(), "{}", text(&unsaid.stderr));
    for command in ["verify", "standings"] {
        let output = leyden(at, &[command, "g.db"]);
        assert!(output.status.success(), "{command}: {}", text(&output.stderr));
    }
}

/// Forty bots at tables of eight have 76,904,685 tables; none of them is listed to start, to be interrupted, or to be read.
#[test]
fn tournament_with_millions_of_tables_starts_and_stops() {
    let folder = tempfile::tempdir().unwrap();
    let bots = ["builtin:random"; 40];
    let table = ["--rules", "matador", "--seats", "8", "--set", "12", "--target", "20"];
    let rest = ["--jobs", "1", "--json", "--quiet", "--results", "r.db"];
    let mut child = command(folder.path(), &[&["tournament"], &bots[..], &table, &rest].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || serde_json::from_str::<Value>(&lines.next().unwrap().unwrap()).unwrap();
    assert_eq!(next()["matches"], 76_904_685_u64 * 8);
    assert_eq!(next()["event"], "match");
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let events: Vec<Value> = lines.map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(events.last().unwrap()["interrupted"], true);
    let read = leyden(folder.path(), &["standings", "r.db", "--json"]);
    let standings: Value = serde_json::from_slice(&read.stdout).unwrap();
    assert_eq!(standings["bots"].as_array().unwrap().len(), 40);
}
