//! `leyden match` as typed: score and margin with their intervals, and luck taken out.

use std::fs;

use serde_json::Value;

use crate::program::{assert_is_junit, assert_valid, document, leyden, played, stderr, stdout};

const RANDOM: &str = "builtin:random";
const GREEDY: &str = "builtin:greedy";
const CAREFUL: &str = "builtin:careful";

#[test]
fn match_reports_score_and_margin_with_intervals() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let words = ["match", CAREFUL, RANDOM, "--blocks", "12", "--seed", "m", "--junit", "match.xml"];
    let output = played(at, &[&words[..], &["--results", "a.db"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("careful is stronger than random: it scores"), "{text}");
    let junit = fs::read_to_string(at.join("match.xml")).unwrap();
    assert_is_junit(&junit);
    assert!(junit.contains("tests=\"3\"") && junit.contains("careful plays without faults"), "{junit}");
    let output = played(at, &[&words[..], &["--results", "b.db", "--json"]].concat());
    let lines: Vec<Value> = stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let versus = lines.iter().find(|line| line["event"] == "versus").unwrap();
    assert_valid(at, "match", &versus["versus"]);
    let estimate = &versus["versus"]["estimate"];
    assert!(estimate["score"].as_f64().unwrap() > 0.8 && estimate["margin"]["mean"].as_f64().unwrap() > 30.0);
    assert_eq!(lines.last().unwrap()["event"], "end");
}

#[test]
fn too_few_pairs_are_reported_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["match", GREEDY, GREEDY, "--blocks", "2", "--seed", "few", "--results", "a.db"];
    let text = stdout(&played(folder.path(), &words));
    assert!(text.contains("2 pairs: too few to compare the bots (score 50 %, 95 %: 1 to 99)"), "{text}");
    assert!(!text.contains("Elo") && !text.contains("p-value") && !text.contains("-0"), "{text}");
}

#[test]
fn luck_is_taken_out_kept_and_shown() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let blunders = "builtin:careful --blunder 25";
    let play = ["match", CAREFUL, blunders, "--blocks", "40", "--seed", "l", "--results", "a.db"];
    assert_eq!(played(at, &play).status.code(), Some(0));
    let output = leyden(at, &["luck", "a.db", "--json"]);
    let printed = document(&output, 0);
    assert_valid(at, "luck", &printed);
    let pairing = &printed["pairings"][0];
    assert_eq!(pairing["bots"], serde_json::json!(["careful", "careful --blunder 25"]));
    assert_eq!((&pairing["pairs"], printed["pairings"].as_array().map(Vec::len)), (&40.into(), Some(1)));
    assert!(pairing["variance_ratio"].as_f64().unwrap() < 0.8, "{pairing:#}");
    assert!(pairing["adjusted"]["se"].as_f64() < pairing["raw"]["se"].as_f64(), "{pairing:#}");
    let export = leyden(at, &["export", "a.db"]);
    fs::write(at.join("a.jsonl"), &export.stdout).unwrap();
    let exported = document(&leyden(at, &["luck", "a.jsonl", "--json"]), 0);
    let same = &exported["pairings"][0];
    assert_eq!(same["adjusted"]["score"], pairing["adjusted"]["score"]);
    // An export does not say what was planned.
    assert_eq!((&printed["holds"], &exported["holds"]), (&"at_planned_end".into(), &"at_any_time".into()));
    let half = |pairing: &Value| pairing["adjusted"]["half_width"].as_f64().unwrap();
    assert!(half(same) > 1.4 * half(pairing), "{same:#} {pairing:#}");
    let csv = stdout(&leyden(at, &["luck", "a.db", "--csv"]));
    assert!(csv.starts_with("first,second,pairs,raw_score,") && csv.lines().count() == 2, "{csv}");
    assert!(stdout(&leyden(at, &["luck", "a.db"])).contains("as good as"));
    assert!(stdout(&leyden(at, &["standings", "a.db"])).contains("Without luck"));
    let standings = document(&leyden(at, &["standings", "a.db", "--json"]), 0);
    assert_eq!(standings["luck"]["pairings"], printed["pairings"]);
    assert_valid(at, "standings", &standings);
    let again = played(at, &[&play[..], &["--resume"]].concat());
    assert!(stdout(&again).contains("without luck"), "{}", stdout(&again));
    let three =
        ["tournament", RANDOM, GREEDY, CAREFUL, "--rules", "matador", "--seats", "3", "--blocks", "1"];
    let three = [&three[..], &["--seed", "3", "--results", "three.db"]].concat();
    assert_eq!(played(at, &three).status.code(), Some(0));
    let none = document(&leyden(at, &["luck", "three.db", "--json"]), 0);
    assert_eq!(none["pairings"], serde_json::json!([]));
    assert!(none["left_out"].as_str().unwrap().contains("two seats only"), "{none:#}");
}
