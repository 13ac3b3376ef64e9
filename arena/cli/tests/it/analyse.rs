//! `leyden analyse`: what decisions were worth, and what is kept of it.

use std::fs;

use serde_json::Value;

use crate::program::{assert_valid, leyden, played, stderr, stdout};

#[test]
fn analyse_reports_every_decision_and_keeps_it() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let words =
        ["match", "builtin:careful", "builtin:random", "--blocks", "2", "--target", "40", "--seed", "a"];
    assert_eq!(played(at, &[&words[..], &["--results", "a.db"]].concat()).status.code(), Some(0));
    let records = stdout(&leyden(at, &["export", "a.db"]));
    let record: Value = serde_json::from_str(records.lines().next().unwrap()).unwrap();
    let id = record["match"].as_str().unwrap();

    let first = stdout(&leyden(at, &["analyse", "a.db", id, "--json"]));
    let document: Value = serde_json::from_str(&first).unwrap();
    assert_valid(at, "analyse", &document);
    let decisions = document["matches"][0]["decisions"].as_array().unwrap();
    let asked: usize =
        record["think_us"].as_array().unwrap().iter().map(|times| times.as_array().unwrap().len()).sum();
    assert_eq!(decisions.len(), asked);
    assert_eq!(document["worst"][0]["bot"], "random", "it does anything");
    let kept = at.join("a.db.analysis.jsonl");
    assert_eq!(fs::read_to_string(&kept).unwrap().lines().count(), 1);
    assert_eq!(stdout(&leyden(at, &["analyse", "a.db", id, "--json"])), first, "from the file");
    fs::remove_file(&kept).unwrap();
    let exported = at.join("a.jsonl");
    fs::write(&exported, &records).unwrap();
    assert_eq!(stdout(&leyden(at, &["analyse", "a.jsonl", id, "--json"])), first, "computed again");

    let csv = stdout(&leyden(at, &["analyse", "a.db", id, "--csv"]));
    let actions: usize = decisions.iter().map(|decision| decision["actions"].as_array().unwrap().len()).sum();
    assert_eq!(csv.lines().count(), 1 + actions);
    let text = stdout(&leyden(at, &["analyse", "a.db", "--sample", "2", "--bot", "random", "--decisions"]));
    assert!(text.starts_with("a random sample of 2 matches of 4"), "{text}");
    assert!(!text.contains("careful  "), "{text}");
    let turn_ref = document["worst"][0]["place"].as_str().unwrap();
    let printed = stdout(&leyden(at, &["analyse", "a.db", id]));
    assert!(printed.contains(turn_ref) && printed.contains("The worst blunders"), "{printed}");
    let unknown = leyden(at, &["analyse", "a.db", "nothing"]);
    assert!(
        unknown.status.code() == Some(2) && stderr(&unknown).contains("does not hold"),
        "{}",
        stderr(&unknown)
    );
}

#[test]
fn analyse_asks_another_bot_every_question() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let words =
        ["match", "builtin:careful", "builtin:greedy", "--target", "30", "--seed", "b", "--results", "b.db"];
    assert_eq!(played(at, &words).status.code(), Some(0));
    let ask = |bot: &str, other: &str| -> Value {
        let words = ["analyse", "b.db", "--bot", bot, "--as", other, "--json", "--sandbox", "none"];
        let document: Value = serde_json::from_str(&stdout(&leyden(at, &words))).unwrap();
        assert_valid(at, "analyse", &document);
        document["other"].clone()
    };
    let same = ask("careful", "builtin:careful");
    assert_eq!(
        (&same["choices"], &same["gained_chance"]["mean"]),
        (&Value::Array(Vec::new()), &Value::from(0.0))
    );
    assert!(same["decisions"].as_u64().unwrap() > 5);
    let other = ask("greedy", "builtin:careful");
    let choices = other["choices"].as_array().unwrap();
    assert!(!choices.is_empty());
    let sum = |legs: &[Value]| {
        legs.iter().map(|choice| choice["gained"]["chance"]["mean"].as_f64().unwrap()).sum::<f64>()
    };
    let mean = other["gained_chance"]["mean"].as_f64().unwrap();
    assert!((sum(choices) / 2.0 - mean).abs() < 1e-4, "{other}");
}
