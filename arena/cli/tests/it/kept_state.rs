//! Bots that keep something from one match to the next: a check finds them, and a run names them.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::beginner::{BOT, said, write_bot};
use crate::program::{LIMITS, assert_valid, leyden, on_quiet_host, stderr, stdout};

/// Plays the last legal action instead of the first one from its fourth match on.
fn write_keeper(at: &Path) {
    let counts = "    if message[\"type\"] == \"match_start\": matches = globals().get(\"matches\", 0) + 1\n    if message";
    let bot = BOT
        .replace("    if message", counts)
        .replace("[\"legal\"][0]", "[\"legal\"][0 if matches < 4 else -1]");
    write_bot(at, BOT, &bot);
}

#[test]
fn check_notes_what_is_kept_between_matches() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let check = || {
        let words = [&["check", "mine", "--only", "kept-state"][..], &LIMITS].concat();
        said(&on_quiet_host(|| leyden(at, &words)))
    };
    write_keeper(at);
    let printed = check();
    let note = printed.lines().find(|line| line.contains("kept-state")).expect(&printed);
    assert!(
        note.contains("note") && note.contains("keeps something from one match to the next"),
        "{printed}"
    );
    write_bot(at, "", "");
    let printed = check();
    let line = printed.lines().find(|line| line.contains("kept-state")).expect(&printed);
    assert!(line.contains("ok") && line.contains("the same way after"), "{printed}");
}

#[test]
fn run_names_a_bot_that_repeats_matches_differently() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let play = |file: &str| {
        let words =
            ["match", "mine", "builtin:greedy", "--blocks", "20", "--jobs", "1", "--json", "--results", file];
        let output = leyden(at, &[&words[..], &LIMITS].concat());
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        output
    };
    write_keeper(at);
    let output = play("a.db");
    let printed = stderr(&output);
    assert!(printed.contains("note: mine answers differently when match "), "{printed}");
    assert!(printed.contains("leyden check mine --only kept-state says more"), "{printed}");
    let lines: Vec<Value> = stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let named = lines.iter().find(|line| line["event"] == "unrepeatable").expect("an event");
    assert_eq!(named["bots"][0]["bot"], "mine");
    assert_valid(at, "events", named);
    // The bot that always plays the same is not named.
    write_bot(at, "", "");
    let output = play("b.db");
    assert!(!said(&output).contains("answers differently"), "{}", said(&output));
    // Nor is one with a new process for each match.
    fs::remove_dir_all(at.join("mine")).unwrap();
    write_keeper(at);
    let words = ["match", "mine", "builtin:greedy", "--blocks", "6", "--fresh", "--results", "c.db"];
    let output = leyden(at, &[&words[..], &LIMITS].concat());
    assert!(!said(&output).contains("answers differently"), "{}", said(&output));
}
