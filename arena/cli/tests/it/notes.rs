//! Notes that are objects: found by their tags, and shown with a replay.

use std::fs;

use serde_json::{Value, json};

use crate::program::{PATIENT, leyden, text};

#[test]
fn matches_are_found_by_the_tags_of_notes() {
    let at = tempfile::tempdir().unwrap();
    let at = at.path();
    // Of these deals none blocks the first round before anybody has acted.
    let words = ["tournament", "builtin:greedy", "builtin:random", "--seed", "notes"];
    let more = ["--blocks", "1", "--results", "r.db"];
    leyden(at, &[&words[..], &more, &PATIENT].concat());
    let exported = text(&leyden(at, &["export", "r.db"]).stdout);
    let mut records: Vec<Value> = exported.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let note = |tag: &str| json!({ "tags": [tag], "numbers": { "depth": 3 } });
    for (nth, record) in records.iter_mut().enumerate() {
        let action = &record["rounds"][0]["actions"][0].as_str().unwrap()[..1];
        let seat: u64 = action.parse().unwrap();
        record["notes"] = json!([
            { "seat": seat, "round": 0, "action": 0, "text": note(if nth == 0 { "first" } else { "second" }) },
        ]);
    }
    let lines = records.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n") + "\n";
    fs::write(at.join("tagged.jsonl"), lines).unwrap();
    let found = |words: &[&str]| {
        let all = [&["matches", "tagged.jsonl", "--json"], words].concat();
        let document: Value = serde_json::from_slice(&leyden(at, &all).stdout).unwrap();
        let list = document["matches"].as_array().unwrap().iter();
        list.map(|line| line["match"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let id = |nth: usize| records[nth]["match"].as_str().unwrap().to_owned();
    assert_eq!(found(&["--tag", "first"]), [id(0)]);
    assert_eq!(found(&["--tag", "first", "--tag", "second"]), [id(0), id(1)]);
    assert_eq!(found(&["--tag", "third"]), [""; 0]);
    let seat = records[0]["notes"][0]["seat"].as_u64().unwrap() as usize;
    let (noter, other) = (&records[0]["bots"][seat], &records[0]["bots"][1 - seat]);
    assert_eq!(found(&["--tag", "first", "--bot", noter.as_str().unwrap()]), [id(0)]);
    assert_eq!(found(&["--tag", "first", "--bot", other.as_str().unwrap()]), [""; 0]);
    let replay = text(&leyden(at, &["replay", "tagged.jsonl", &id(0)]).stdout);
    assert!(replay.contains("depth 3 · #first"), "{replay}");
}
