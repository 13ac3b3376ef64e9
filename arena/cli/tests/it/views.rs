//! `leyden export --views`: each decision as it was sent, with its answer and the result; and notes that a starter sends.

use std::fs;

use serde_json::Value;

use crate::program::{LIMITS, assert_valid, command, leyden, played, stderr, stdout};

#[test]
fn views_are_what_each_seat_was_sent() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let words =
        ["match", "builtin:careful", "builtin:greedy", "--blocks", "2", "--seed", "v", "--results", "v.db"];
    assert_eq!(played(at, &words).status.code(), Some(0));
    let exported = stdout(&leyden(at, &["export", "v.db"]));
    let records: Vec<Value> = exported.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let views = stdout(&leyden(at, &["export", "v.db", "--views"]));
    let asked: usize = records
        .iter()
        .flat_map(|record| record["think_us"].as_array().unwrap())
        .map(|times| times.as_array().unwrap().len())
        .sum();
    assert_eq!(views.lines().count(), asked, "every decision, and nothing else");
    for record in &records {
        let id = record["match"].as_str().unwrap();
        for seat in ["0", "1"] {
            let transcript = stdout(&leyden(at, &["transcript", "v.db", id, "--seat", seat]));
            let turns = transcript.lines().filter(|line| line.starts_with("{\"type\":\"turn\""));
            let own = stdout(&leyden(at, &["export", "v.db", "--views", "--match", id, "--seat", seat]));
            assert!(turns.clone().count() > 5 && turns.clone().count() == own.lines().count());
            for (turn, view) in turns.zip(own.lines()) {
                assert!(view.contains(turn), "as sent: {turn}\n{view}");
                let view: Value = serde_json::from_str(view).unwrap();
                let turn_ref = view["place"].as_str().unwrap();
                let (round, action) = turn_ref.strip_prefix('r').unwrap().split_once(".t").unwrap();
                let deal = &record["rounds"][round.parse::<usize>().unwrap()];
                let done = deal["actions"][action.parse::<usize>().unwrap()].as_str().unwrap();
                let answer = view["answer"].as_str().unwrap();
                assert!(done.starts_with(&format!("{seat} {answer}")), "{answer}: {done}");
                assert_eq!((&view["winner"], &view["scores"]), (&record["winner"], &record["scores"]));
                assert_eq!(view["round_points"], deal["points"]);
            }
        }
    }
    assert_valid(at, "view", &serde_json::from_str(views.lines().next().unwrap()).unwrap());
}

/// A reader of a pipe that is slower than the matches gets every move.
#[test]
fn every_move_is_printed_into_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let words =
        ["match", "builtin:random", "builtin:greedy", "--blocks", "30", "--json=moves", "--results", "m.db"];
    let mut playing = command(at, &[&words[..], &LIMITS].concat());
    let playing =
        playing.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(300));
    let output = playing.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let lines: Vec<Value> = stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let moves =
        lines.iter().filter(|line| line["event"] == "move" && line["happened"]["type"] == "acted").count();
    let records = lines.iter().filter(|line| line["event"] == "match");
    let actions = |record: &Value| -> usize {
        record["rounds"]
            .as_array()
            .unwrap()
            .iter()
            .map(|deal| deal["actions"].as_array().unwrap().len())
            .sum()
    };
    assert_eq!(moves, records.map(|line| actions(&line["record"])).sum::<usize>());
    assert!(lines.iter().all(|line| line["event"] != "missed"));
}

#[test]
fn replay_shows_the_note_of_a_starter() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (language, file, line, noted) in [
        ("python", "bot.py", "    return best\n", "    note(\"the\", '\"heaviest\"')\n    return best\n"),
        ("javascript", "bot.js", "  return best;\n", "  note(\"the\", '\"heaviest\"');\n  return best;\n"),
    ] {
        assert_eq!(leyden(at, &["new", language, "--lang", language]).status.code(), Some(0));
        let path = at.join(language).join(file);
        let bot = fs::read_to_string(&path).unwrap();
        assert!(bot.contains(line), "{bot}");
        fs::write(&path, bot.replace(line, noted)).unwrap();
        let file = format!("{language}.db");
        let words = ["match", language, "builtin:greedy", "--blocks", "1", "--results", &file];
        assert_eq!(played(at, &words).status.code(), Some(0));
        let printed = stdout(&leyden(at, &["replay", &file]));
        assert!(printed.contains("“the \"heaviest\"”"), "{printed}");
    }
}

#[test]
fn clean_loss_ends_with_the_next_command() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let words =
        ["match", "builtin:random", "builtin:careful", "--blocks", "6", "--seed", "l", "--results", "l.db"];
    let printed = stderr(&played(at, &words));
    let next =
        printed.lines().map(str::trim).find(|line| line.starts_with("leyden replay l.db ")).expect(&printed);
    assert!(printed.contains("leyden thinking"), "{printed}");
    let words: Vec<&str> = next.split_whitespace().skip(1).collect();
    assert_eq!(leyden(at, &words).status.code(), Some(0), "{next}");
    assert!(fs::read_to_string(at.join("worst.html")).unwrap().starts_with("<!"), "{next}");
    // The winner's author needs no such advice.
    let words =
        ["match", "builtin:careful", "builtin:random", "--blocks", "6", "--seed", "l", "--results", "w.db"];
    assert!(!stderr(&played(at, &words)).contains("leyden thinking"));
    assert!(stdout(&leyden(at, &["thinking"])).contains("# How a domino bot thinks"));
}
