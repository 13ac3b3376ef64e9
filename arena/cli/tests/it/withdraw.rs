//! A withdrawn bot: what is left is a tournament of the others, and continues as one.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::program::{leyden, said, text};
use serde_json::Value;

const PATIENT: [&str; 8] =
    ["--turn", "100s", "--startup", "100s", "--sandbox", "none", "--seed", "withdrawn"];

fn class(at: &Path, names: &[(&str, &str)]) {
    for (name, bot) in names {
        let folder = at.join("class").join(name);
        fs::create_dir_all(&folder).unwrap();
        let command = [env!("CARGO_BIN_EXE_leyden"), "bot", bot];
        fs::write(folder.join("bot.toml"), format!("name = \"{name}\"\ncommand = {command:?}\n")).unwrap();
    }
}

fn play(at: &Path, words: &[&str]) -> Output {
    leyden(at, &[&["tournament", "class"], &PATIENT[..], words].concat())
}

fn export(at: &Path, file: &str) -> Vec<Value> {
    let records = said(at, &["export", file], 0);
    records.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A record without what depends on the moment.
fn timeless(mut record: Value) -> Value {
    for name in ["think_us", "took_us", "host"] {
        record.as_object_mut().unwrap().remove(name);
    }
    record
}

const FOUR: [(&str, &str); 4] = [("ann", "random"), ("bob", "greedy"), ("cy", "random"), ("dee", "careful")];

#[test]
fn withdrawal_leaves_the_tournament_of_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    class(at, &FOUR);
    let three = tempfile::tempdir().unwrap();
    class(three.path(), &[FOUR[0], FOUR[2], FOUR[3]]);
    assert!(play(at, &["--results", "r.db", "--blocks", "2"]).status.success());
    assert_eq!(export(at, "r.db").len(), 24);
    let printed = said(at, &["withdraw", "r.db", "bob"], 0);
    let change = "after 24 matches, when everything had been played and the seed was public: bob was withdrawn, and its 12 matches \
                  were removed";
    assert!(printed.contains(change), "{printed}");

    // Sums, records and order are those of a tournament without it.
    assert!(play(three.path(), &["--results", "r.db", "--blocks", "2"]).status.success());
    let (left, alone) = (export(at, "r.db"), export(three.path(), "r.db"));
    assert_eq!(left.len(), 12);
    assert_eq!(
        left.into_iter().map(timeless).collect::<Vec<_>>(),
        alone.into_iter().map(timeless).collect::<Vec<_>>()
    );
    let verified = said(at, &["verify", "r.db", "--complete"], 0);
    assert!(
        verified.starts_with("12 matches verified") && verified.contains("bob was withdrawn"),
        "{verified}"
    );
    let standings = |at: &Path| {
        let printed = said(at, &["standings", "r.db", "--json"], 0);
        let printed: Value = serde_json::from_str(&printed).unwrap();
        let of = |bot: &Value| (bot["name"].clone(), bot["rating"].clone(), bot["results"]["won"].clone());
        printed["bots"].as_array().unwrap().iter().map(of).collect::<Vec<_>>()
    };
    assert_eq!(standings(at), standings(three.path()));
    assert!(said(at, &["standings", "r.db"], 0).contains("bob was withdrawn"));

    // It stays withdrawn, wherever its folder is, and the others play on.
    let resumed = play(at, &["--results", "r.db", "--blocks", "3", "--resume"]);
    let printed = text(&resumed.stderr);
    assert!(
        resumed.status.success() && printed.contains("bob was withdrawn, so it does not play"),
        "{printed}"
    );
    let records = export(at, "r.db");
    assert_eq!(records.len(), 18);
    assert!(records.iter().all(|record| !record["bots"].as_array().unwrap().contains(&"bob".into())));
    said(at, &["verify", "r.db", "--complete"], 0);
}

/// A mistyped name is a mistyped command: none of it is carried out.
#[test]
fn withdrawal_of_several_bots_is_all_or_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    class(at, &FOUR);
    assert!(play(at, &["--results", "r.db"]).status.success());
    fs::copy(at.join("r.db"), at.join("one by one.db")).unwrap();
    let before = export(at, "r.db");
    for (words, says) in [
        (
            &["withdraw", "r.db", "cy", "x"][..],
            "x names none of the bots that play (these are ann, bob, cy, dee)",
        ),
        (&["withdraw", "r.db", "cy", "ann", "dee"], "without dee too few bots are left (1): a table needs 2"),
    ] {
        let printed = said(at, words, 2);
        assert!(printed.contains(says), "{says}: {printed}");
        assert_eq!(export(at, "r.db"), before, "{words:?}");
    }
    let printed = said(at, &["withdraw", "r.db", "cy", "class/ann", "cy"], 0);
    for bot in ["cy", "ann"] {
        assert_eq!(said(at, &["withdraw", "one by one.db", bot], 0).lines().count(), 1);
    }
    assert_eq!(printed.lines().count(), 2, "{printed}");
    assert_eq!(export(at, "r.db"), export(at, "one by one.db"));
    let standings = |file| said(at, &["standings", file], 0);
    let withdrawn = |file| {
        standings(file)
            .lines()
            .filter(|line| line.contains("withdrawn"))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(withdrawn("r.db"), withdrawn("one by one.db"));
    said(at, &["verify", "r.db", "--complete"], 0);
}

#[test]
fn bot_that_cannot_be_withdrawn_keeps_everything() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    class(at, &FOUR[..3]);
    assert!(play(at, &["--results", "g.db", "--gauntlet", "cy"]).status.success());
    let before = export(at, "g.db");
    for (words, says) in [
        (&["withdraw", "g.db", "cy"][..], "cy is the only challenger of the gauntlet"),
        (&["withdraw", "g.db", "bob", "bb"], "bb names none of the bots that play (these are ann, bob, cy)"),
        (&["withdraw", "g.db", "bb"], "bb names none of the bots that play (these are ann, bob, cy)"),
        (
            &["withdraw", "g.db", "Bobb"],
            "Bobb names none of the bots that play: did you mean bob? (these are ann, bob, cy)",
        ),
        (&["withdraw", "nowhere.db", "ann"], "nowhere.db"),
    ] {
        let printed = said(at, words, 2);
        assert!(printed.contains(says), "{says}: {printed}");
    }
    assert_eq!(export(at, "g.db"), before);
    // The bots after it keep their identity: the gauntlet is for the same bot.
    said(at, &["withdraw", "g.db", "ann"], 0);
    let printed = said(at, &["withdraw", "g.db", "ann"], 2);
    let is_of_ann = |record: &Value| record["bots"].as_array().unwrap().contains(&"ann".into());
    let (of_ann, rest): (Vec<Value>, Vec<Value>) = before.into_iter().partition(is_of_ann);
    let (all, own) = (of_ann.len() + rest.len(), of_ann.len());
    let says = format!("ann was withdrawn before, after {all} matches; {own} of its own were removed");
    assert!(printed.contains(&says), "{says}: {printed}");
    let printed = said(at, &["withdraw", "g.db", "bob"], 2);
    assert!(printed.contains("without bob too few bots are left (1): a table needs 2"), "{printed}");
    said(at, &["verify", "g.db", "--complete"], 0);
    assert_eq!(export(at, "g.db"), rest);
    let resumed = play(at, &["--results", "g.db", "--gauntlet", "cy", "--resume"]);
    assert!(resumed.status.success(), "{}", text(&resumed.stderr));
    assert_eq!(export(at, "g.db"), rest, "nothing is missing");
}
