//! Competitions of several stages from one configuration file: played, interrupted in each stage, resumed, verified.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;

use crate::program::{PATIENT, command, leyden, stderr, stdout, text};

/// Forty-eight bots: a Swiss, four groups, a knockout of eight.
fn write_cup(at: &Path) {
    let bots: Vec<String> = (0..48)
        .map(|bot| format!("{:?}", if bot % 4 == 0 { "builtin:greedy" } else { "builtin:random" }))
        .collect();
    let file = format!(
        "bots = [{}]\nseed = \"a day\"\nseeding = \"draw\"\ntarget = 15\n\
        [[stage]]\nformat = \"swiss\"\nrounds = 6\nadvance = 16\n\
        [[stage]]\nformat = \"groups\"\ngroups = 4\nadvance = 8\n\
        [[stage]]\nformat = \"knockout\"\nbest-of = 3\nthird-place = true\n",
        bots.join(", ")
    );
    fs::write(at.join("cup.toml"), file).unwrap();
}

fn words<'a>(results: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["tournament", "--config", "cup.toml", "--results", results], more, &PATIENT[..]].concat()
}

/// Plays until that many matches of a stage have ended, and is then interrupted.
fn interrupted(at: &Path, words: &[&str], (stage, matches): (u64, usize)) {
    let mut child = command(at, &[words, &["--json"]].concat());
    let mut child = child.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut ended = 0;
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        let event: Value = serde_json::from_str(&line.unwrap()).unwrap();
        ended += usize::from(event["event"] == "match" && event["key"]["stage"] == stage);
        if ended == matches {
            let pid = rustix::process::Pid::from_child(&child);
            rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
            ended += 1;
        }
    }
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

/// The export without what differs from run to run.
fn exported(at: &Path, results: &str) -> Vec<Value> {
    let export = leyden(at, &["export", results]);
    let lines = text(&export.stdout);
    let record = |line: &str| {
        let mut record: Value = serde_json::from_str(line).unwrap();
        record.as_object_mut().unwrap().retain(|field, _| field != "think_us" && field != "host");
        record
    };
    lines.lines().map(record).collect()
}

#[test]
fn three_stage_records_ignore_interruptions_and_jobs() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write_cup(at);
    let whole = leyden(at, &words("whole.db", &["--jobs", "1"]));
    assert_eq!(whole.status.code(), Some(0), "{}", stderr(&whole));
    assert!(stderr(&whole).contains("48 bots · about "), "{}", stderr(&whole));

    interrupted(at, &words("parts.db", &["--jobs", "2"]), (0, 130));
    for stop in [(1, 20), (2, 5)] {
        interrupted(at, &words("parts.db", &["--jobs", "2", "--resume"]), stop);
    }
    let rest = leyden(at, &words("parts.db", &["--jobs", "2", "--resume"]));
    assert_eq!(rest.status.code(), Some(0), "{}", stderr(&rest));

    let records = exported(at, "whole.db");
    assert_eq!(exported(at, "parts.db"), records);
    let stages: Vec<u64> = records.iter().map(|record| record["stage"]["number"].as_u64().unwrap()).collect();
    assert!(stages.is_sorted());
    let count = |number: u64| stages.iter().filter(|stage| **stage == number).count();
    assert_eq!((count(0), count(1)), (6 * 24 * 2, 4 * 6 * 2));
    assert!(count(2) >= 8 * 2 * 2, "{}", count(2));

    let verified = leyden(at, &["verify", "parts.db", "--complete"]);
    assert_eq!(verified.status.code(), Some(0), "{}", stdout(&verified));
    let standings = leyden(at, &["standings", "parts.db", "--json"]);
    let standings: Value = serde_json::from_slice(&standings.stdout).unwrap();
    let competition = &standings["competition"];
    assert_eq!(
        (&competition["over"], competition["stages"].as_array().unwrap().len()),
        (&Value::Bool(true), 3)
    );
    assert_eq!(competition["places"].as_array().unwrap().len(), 48);
    assert_eq!(standings["bots"][0]["name"], competition["places"][0]["bot"]);
    assert_eq!(standings["bots"][0]["before_next"], "open", "ratings of one block say little");
    crate::program::assert_valid(at, "standings", &standings);
    let brackets = leyden(at, &["export", "parts.db", "--brackets"]);
    let brackets: Value = serde_json::from_slice(&brackets.stdout).unwrap();
    crate::program::assert_valid(at, "brackets", &brackets);
    assert_eq!(brackets["match"].as_array().unwrap().len(), 6 * 24 + 4 * 6 + 8);
    let printed = stdout(&leyden(at, &["standings", "parts.db"]));
    for part in [
        "Stage 3: a knockout with a meeting for third place",
        "A bot that wins 55 % of its matches against another wins a meeting of 3 pairs in ",
        "Group 4",
        "Semi-finals",
        "Final places by the rules of the format",
        "before the next",
    ] {
        assert!(printed.contains(part), "{part}\n{printed}");
    }
}

#[test]
fn export_with_other_pairings_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let file = "bots = [\"builtin:random\", \"builtin:random\", \"builtin:random\", \"builtin:random\", \"builtin:greedy\"]\n\
        seed = \"cup\"\nseeding = \"draw\"\ntarget = 15\n[[stage]]\nformat = \"swiss\"\nrounds = 3\nadvance = 2\n\
        [[stage]]\nformat = \"knockout\"\n";
    fs::write(at.join("cup.toml"), file).unwrap();
    let played = leyden(at, &words("cup.db", &[]));
    assert_eq!(played.status.code(), Some(0), "{}", stderr(&played));
    let export = text(&leyden(at, &["export", "cup.db"]).stdout);
    let verify = |text: &str, more: &[&str]| {
        fs::write(at.join("cup.jsonl"), text).unwrap();
        leyden(at, &[&["verify", "cup.jsonl", "--complete"], more].concat())
    };
    for more in [&[][..], &["--seed", "cup"]] {
        let right = verify(&export, more);
        assert_eq!(right.status.code(), Some(0), "{}", stderr(&right));
        assert!(
            stdout(&right).contains("every pairing, bye and place in a next stage follows"),
            "{}",
            stdout(&right)
        );
    }
    let mut lines: Vec<Value> = export.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let joined = |lines: &[Value]| lines.iter().map(Value::to_string).collect::<Vec<_>>().join("\n");

    // The bot that had the bye in round 2 takes the place of a bot that met somebody there, in records that are right by themselves.
    let names = lines[0]["competition"]["bots"].as_array().unwrap().clone();
    let is_second = |line: &Value| line["stage"]["number"] == 0 && line["stage"]["round"] == 1;
    let plays = |name: &Value| {
        lines.iter().any(|line| is_second(line) && line["bots"].as_array().unwrap().contains(name))
    };
    let rests = names.iter().find(|name| !plays(name)).unwrap().clone();
    let gone = lines.iter().find(|line| is_second(line)).unwrap()["bots"][0].clone();
    let index_of = |name: &Value| names.iter().position(|other| other == name);
    let mut changed = lines.clone();
    for line in changed.iter_mut().filter(|line| is_second(line)) {
        let bots = line["bots"].as_array_mut().unwrap();
        bots.iter_mut().filter(|bot| **bot == gone).for_each(|bot| *bot = rests.clone());
        let is_second_leg = line["leg"] == 1;
        let bots = line["bots"].as_array_mut().unwrap();
        bots.sort_by_key(|bot| index_of(bot));
        if is_second_leg {
            bots.reverse();
        }
    }
    let refused = verify(&joined(&changed), &[]);
    assert_eq!(refused.status.code(), Some(1), "{}", stdout(&refused));
    assert!(stderr(&refused).contains("the pairing, from the seeds and the results"), "{}", stderr(&refused));

    lines[0]["competition"]["format"]["seeds"] = serde_json::json!([0, 1, 2, 3, 4]);
    let refused = verify(&joined(&lines), &["--seed", "cup"]);
    assert_eq!(refused.status.code(), Some(1), "{}", stdout(&refused));
    assert!(stderr(&refused).contains("the seeding does not follow"), "{}", stderr(&refused));

    lines[0].as_object_mut().unwrap().remove("competition");
    let unchecked = stdout(&verify(&joined(&lines), &[]));
    assert!(unchecked.contains("who met whom was not checked"), "{unchecked}");
}

#[test]
fn formats_that_cannot_be_played_say_why() {
    let folder = tempfile::tempdir().unwrap();
    let four = ["builtin:random"; 4];
    for (more, expected) in [
        (&["--format", "swiss"][..], "the format needs rounds"),
        (&["--format", "knockout", "--rounds", "3"], "rounds is for another format"),
        (&["--format", "groups", "--groups", "3"], "4 bots cannot be divided into 3 groups"),
        (
            &["--format", "swiss", "--rounds", "2", "--seats", "3", "--rules", "matador"],
            "a Swiss of 2 rounds needs tables of two seats, not 3",
        ),
        (
            &["--format", "swiss", "--rounds", "2", "--advance", "5"],
            "5 bots cannot go on from stage 1: it has 4",
        ),
        (&["--seeding", "draw"], "seeds matter to a --format with stages"),
        (&["--format", "knockout", "--seeding", "rating"], "seeding by rating needs --ratings FILE"),
        (&["--format", "knockout", "--gauntlet", "builtin:random"], "--gauntlet is a format of its own"),
    ] {
        let refused = leyden(folder.path(), &[&["tournament"], &four[..], more, &PATIENT[..]].concat());
        assert_eq!(refused.status.code(), Some(2), "{more:?}");
        assert!(stderr(&refused).contains(expected), "{}", stderr(&refused));
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing was written");
}

#[test]
fn each_format_is_played_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let six = ["builtin:random"; 6];
    for (number, format) in [
        &["--format", "double-elimination"][..],
        &["--format", "groups", "--groups", "2", "--advance", "2"],
        &["--format", "round-robin", "--tables", "4", "--seats", "3", "--rules", "matador"],
        &["--format", "knockout", "--best-of", "3", "--third-place"],
    ]
    .into_iter()
    .enumerate()
    {
        let results = format!("{number}.db");
        let more = ["--target", "15", "--seed", "formats", "--results", &results];
        let done = leyden(at, &[&["tournament"], &six[..], format, &more, &PATIENT[..]].concat());
        assert_eq!(done.status.code(), Some(0), "{format:?} {}", stderr(&done));
        let verified = leyden(at, &["verify", &results, "--complete"]);
        assert_eq!(verified.status.code(), Some(0), "{format:?} {}", stdout(&verified));
        assert!(stdout(&done).contains("Final places"), "{}", stdout(&done));
        let pages = format!("pages{number}");
        assert_eq!(leyden(at, &["report", &results, "--out", &pages]).status.code(), Some(0));
        let page = fs::read_to_string(at.join(&pages).join("index.html")).unwrap();
        assert!(page.contains("Stage 1: ") && !page.contains("matches a table"), "{page}");
        let is_chosen = format.contains(&"--tables");
        let even =
            "each bot sits at 2 of the tables, equally often in each seat, and two bots meet at 0 to 2";
        for shown in [stderr(&done), stdout(&done), page] {
            assert_eq!(shown.contains(even), is_chosen, "{shown}");
        }
    }
}

#[test]
fn ratings_are_sure_of_a_clear_winner() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let two = ["tournament", "builtin:random", "builtin:greedy", "--format", "knockout", "--blocks", "40"];
    let more = ["--target", "15", "--seed", "clear", "--results", "clear.db"];
    let done = leyden(at, &[&two[..], &more, &PATIENT[..]].concat());
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let standings = leyden(at, &["standings", "clear.db", "--json"]);
    let standings: Value = serde_json::from_slice(&standings.stdout).unwrap();
    assert_eq!(standings["bots"][0]["name"], "greedy");
    assert_eq!(standings["bots"][0]["before_next"], "sure");
    assert_eq!(standings["bots"][1].get("before_next"), None);
}

#[test]
fn ratings_disagree_with_a_lucky_winner() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let stages = "bots = [\"builtin:greedy\", \"builtin:random\"]\nseed = \"z\"\ntarget = 15\n\
        [[stage]]\nformat = \"round-robin\"\nblocks = 60\nadvance = 2\n[[stage]]\nformat = \"knockout\"\n";
    fs::write(at.join("cup.toml"), stages).unwrap();
    let done = leyden(at, &words("cup.db", &[]));
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert!(stdout(&done).contains("2  reversed"), "{}", stdout(&done));
    fs::write(at.join("cup.jsonl"), leyden(at, &["export", "cup.db"]).stdout).unwrap();
    let [stored, exported] = ["cup.db", "cup.jsonl"].map(|file| {
        let standings: Value =
            serde_json::from_slice(&leyden(at, &["standings", file, "--json"]).stdout).unwrap();
        assert_eq!(standings["bots"][0]["name"], "random", "it won the final");
        assert_eq!(standings["bots"][0]["before_next"], "reversed");
        assert!(standings["bots"][0]["rating"]["half_width"].is_number(), "{standings}");
        standings
    });
    assert_eq!(stored["competition"], exported["competition"]);
    assert_eq!(stored["bots"][0]["rating"]["elo"], exported["bots"][0]["rating"]["elo"]);
}

#[test]
fn bots_join_and_leave_a_swiss_between_rounds() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let bots = ["builtin:random"; 5];
    let swiss = ["--format", "swiss", "--rounds", "4", "--blocks", "12", "--target", "15", "--seed", "late"];
    let file = ["--results", "late.db"];
    interrupted(at, &[&["tournament"], &bots[..], &swiss, &file, &PATIENT[..]].concat(), (0, 5));

    let left = leyden(at, &["withdraw", "late.db", "random#2"]);
    assert_eq!(left.status.code(), Some(0), "{}", stderr(&left));
    let printed = stderr(&left);
    let (_, round) = printed.trim_end().rsplit_once("random#2 left before round ").expect(&printed);
    let round: u64 = round.parse().unwrap();
    let again = leyden(at, &["withdraw", "late.db", "random#2"]);
    assert_eq!(again.status.code(), Some(2));
    assert!(stderr(&again).contains("random#2 has left before"), "{}", stderr(&again));

    let words =
        [&["tournament"], &bots[..], &["builtin:greedy"], &file, &["--resume"], &PATIENT[..]].concat();
    let done = leyden(at, &words);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert!(stderr(&done).contains(&format!("greedy joins before round {round}")), "{}", stderr(&done));
    let verified = leyden(at, &["verify", "late.db", "--complete"]);
    assert_eq!(verified.status.code(), Some(0), "{}", stdout(&verified));
    let standings = leyden(at, &["standings", "late.db", "--json"]);
    let standings: Value = serde_json::from_slice(&standings.stdout).unwrap();
    assert_eq!(standings["changes"].as_array().unwrap().len(), 2);
    let stage = &standings["competition"]["stages"][0];
    let rounds = |bot: &str| -> Vec<u64> {
        let meetings = stage["meetings"].as_array().unwrap().iter();
        let is_of = |meeting: &&Value| meeting["first"] == bot || meeting["second"] == bot;
        meetings.filter(is_of).map(|meeting| meeting["round"].as_u64().unwrap() + 1).collect()
    };
    assert_eq!(rounds("random#2"), (1..round).collect::<Vec<_>>());
    assert_eq!(rounds("greedy"), (round..=4).collect::<Vec<_>>());

    let report = leyden(at, &["export", "late.db", "--trf"]);
    let report = text(&report.stdout);
    assert!(report.ends_with("\r\n") && !report.contains('\u{fffd}'), "{report}");
    let greedy = report.lines().find(|line| line.contains("greedy")).expect(&report);
    assert_eq!(greedy.matches("0000 - Z").count() as u64, round - 1, "{greedy}");
    let known = leyden(at, &["withdraw", "late.db", "random"]);
    assert!(stderr(&known).contains("or a Swiss as first stage"), "{}", stderr(&known));
}
