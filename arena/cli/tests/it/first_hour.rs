//! Obstacles for newcomers: what they type first, and what the program answers.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::program::{PATIENT, leyden, text};

/// Adds a bot that plays at random, with its own file.
fn hand_in(class: &Path, entry: &str, name: &str, own: &str) {
    let folder = class.join(entry);
    fs::create_dir_all(&folder).unwrap();
    let command = format!("command = [{:?}, \"bot\", \"random\"]\n", env!("CARGO_BIN_EXE_leyden"));
    fs::write(folder.join("bot.toml"), format!("name = {name:?}\n{command}")).unwrap();
    fs::write(folder.join("own.txt"), own).unwrap();
}

/// Adds a script that the system cannot start.
fn hand_in_unstartable(class: &Path, name: &str) {
    let folder = class.join(name);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("bot.toml"), format!("name = {name:?}\ncommand = [\"./bot.sh\"]\n")).unwrap();
    fs::write(folder.join("bot.sh"), "#!/nowhere/at-all\n").unwrap();
    fs::set_permissions(folder.join("bot.sh"), fs::Permissions::from_mode(0o755)).unwrap();
}

fn said(at: &Path, words: &[&str]) -> (Option<i32>, String) {
    let output = leyden(at, words);
    (output.status.code(), text(&output.stdout) + &text(&output.stderr))
}

#[test]
fn copies_are_reported_together_apart_from_untouched_starters() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let class = at.join("class");
    for (entry, own) in [("ann", "one"), ("bob", "two"), ("kim", "one"), ("lea", "one")] {
        hand_in(&class, entry, entry, own);
    }
    for starter in ["class/new-1", "class/new-2"] {
        assert_eq!(leyden(at, &["new", starter, "--lang", "python"]).status.code(), Some(0));
    }
    // This needs no match: --estimate would play some; a name that no bot has ends it before.
    let (_, printed) = said(at, &["tournament", "class", "--gauntlet", "nobody", "--sandbox", "none"]);
    let notes: Vec<&str> = printed.lines().filter(|line| line.starts_with("note: ")).collect();
    assert_eq!(
        notes,
        [
            "note: ann, kim and lea have the same files except bot.toml",
            "note: new-1 and new-2 are the starter in Python as `leyden new` wrote it",
        ]
    );
    let (_, own) = said(at, &["match", "class/new-1", "--sandbox", "none"]);
    assert!(!own.contains("as `leyden new` wrote it"), "an author knows their own bot: {own}");
}

#[test]
fn verify_reports_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let bots = ["builtin:random", "builtin:greedy", "builtin:careful"];
    let words = [&["tournament"], &bots[..], &["--blocks", "2", "--results", "r.db"], &PATIENT].concat();
    assert_eq!(leyden(at, &words).status.code(), Some(0));
    let (code, printed) = said(at, &["verify", "r.db"]);
    assert!(
        code == Some(0) && printed.starts_with("12 matches verified") && !printed.contains("missing"),
        "{printed}"
    );
    assert!(printed.contains("faults, times and what bots wrote are as recorded"), "{printed}");
    let exported = text(&leyden(at, &["export", "r.db"]).stdout);
    let lines: Vec<&str> = exported.lines().collect();
    assert_eq!(lines.len(), 12);
    for (part, expected) in [
        (&lines[..], "an export does not say how many blocks were planned"),
        (&lines[..11], "not complete: 1 of the 12 matches of the blocks that were started is missing\n"),
        (&lines[2..], "not complete: 2 of the 12 matches of the blocks that were started are missing\n"),
    ] {
        fs::write(at.join("part.jsonl"), part.join("\n") + "\n").unwrap();
        let (code, printed) = said(at, &["verify", "part.jsonl"]);
        assert!(code == Some(0) && printed.contains(expected), "{expected}: {printed}");
        assert!(printed.contains("whether a bot was replaced once the seed was known"), "{printed}");
        let missing = 12 - part.len();
        assert!(missing == 0 || printed.starts_with("not complete: "), "the first line: {printed}");
        let (code, _) = said(at, &["verify", "part.jsonl", "--complete"]);
        assert_eq!(code, Some(i32::from(missing > 0)));
        let document = leyden(at, &["verify", "part.jsonl", "--json"]).stdout;
        let document: serde_json::Value = serde_json::from_slice(&document).unwrap();
        assert_eq!((&document["missing"], &document["wanted"]), (&missing.into(), &12.into()), "{document}");
    }
    // A complete block or bot that was removed shows only in the number of matches.
    let first_block = |line: &&&str| line.contains("\"block\":0");
    let without_block: Vec<&str> = lines.iter().filter(first_block).copied().collect();
    let without_bot: Vec<&str> = lines.iter().filter(|line| !line.contains("greedy")).copied().collect();
    for (part, expected, code) in [
        (&lines[..], "12", 0),
        (&lines[..], "11", 1),
        (&without_block[..], "12", 1),
        (&without_block[..], "6", 0),
        (&without_bot[..], "12", 1),
    ] {
        fs::write(at.join("part.jsonl"), part.join("\n") + "\n").unwrap();
        assert_eq!(said(at, &["verify", "part.jsonl", "--complete"]).0, Some(0), "{}", part.len());
        let (found, printed) = said(at, &["verify", "part.jsonl", "--matches", expected]);
        assert_eq!(found, Some(code), "{printed}");
        assert!(
            code == 0 || printed.contains("that there must be") || printed.contains("there must be 11"),
            "{printed}"
        );
        assert!(!printed.contains("how many blocks were planned"), "{printed}");
    }
    // A bot that joined after the seed was known may have been made for it.
    let more =
        ["tournament", "builtin:random", "builtin:greedy", "builtin:careful", "--blocks", "3", "--resume"];
    let (code, printed) = said(at, &[&more[..], &["--results", "r.db"], &PATIENT].concat());
    assert_eq!(code, Some(0), "{printed}");
    let (code, printed) = said(at, &["verify", "r.db", "--complete"]);
    let changed = "changed after 12 matches, when everything had been played and the seed was public: blocks changed from 2 to 3";
    assert!(code == Some(0) && printed.contains(changed), "{printed}");
}

#[test]
fn folder_names_a_bot_and_typos_get_suggestions() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let class = at.join("class");
    hand_in(&class, "week2-ann", "ann", "one");
    hand_in(&class, "week2-bob", "bobby", "two");
    let words = [&["tournament", "class", "--results", "r.db", "--quiet"], &PATIENT[..]].concat();
    assert_eq!(leyden(at, &words).status.code(), Some(0));

    let resumed = [&words[..], &["--resume", "--replace"]].concat();
    for name in ["bobby", "week2-bob", "class/week2-bob"] {
        let (code, printed) = said(at, &[&resumed[..], &[name]].concat());
        assert!(code == Some(0) && printed.contains("bobby has not changed"), "{name}: {printed}");
    }
    let (code, printed) = said(at, &[&resumed[..], &["boby"]].concat());
    assert!(code == Some(2) && printed.contains("did you mean bobby? (these are ann, bobby)"), "{printed}");

    // Wherever a bot is named, the words are the same.
    let gauntlet = |name| [&words[..], &["--gauntlet", name]].concat();
    for name in ["week2-bob", "./class/week2-bob", "Boby"] {
        let anchor = format!("{name}=0");
        for words in [
            &["matches", "r.db", "--json", "--bot", name][..],
            &["standings", "r.db", "--json", "--anchor", &anchor],
        ] {
            let (code, printed) = said(at, words);
            let is_unknown = printed.contains(
                "Boby names none of the bots that play: did you mean bobby? (these are ann, bobby)",
            );
            let is_found = printed.contains("\"bobby\"");
            let expected = if name == "Boby" { (Some(2), true, false) } else { (Some(0), false, true) };
            assert_eq!((code, is_unknown, is_found), expected, "{words:?}: {printed}");
        }
    }
    let (code, printed) = said(at, &gauntlet("Boby"));
    assert!(
        code == Some(2)
            && printed.contains("--gauntlet Boby names none of the bots that play: did you mean bobby?"),
        "{printed}"
    );
    let (_, records) = said(at, &["export", "r.db"]);
    fs::write(at.join("r.jsonl"), records).unwrap();
    for (name, code) in [("bobby", Some(0)), ("bobbi", Some(2))] {
        let (ended, printed) = said(at, &["matches", "r.jsonl", "--bot", name]);
        assert!(ended == code && (code == Some(0) || printed.contains("did you mean bobby?")), "{printed}");
    }

    // Everything was played: the advice given then works.
    fs::write(class.join("week2-bob/own.txt"), "three").unwrap();
    let (code, printed) = said(at, &[&words[..], &["--resume"]].concat());
    assert!(code == Some(2) && printed.contains("a new tournament, into another file"), "{printed}");
    assert!(printed.contains("with --seed and the seed typed"), "{printed}");
}

#[test]
fn check_shows_unstartable_bot_and_outputs_hide_folders() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    hand_in_unstartable(&at.join("class"), "stuck");
    // A bot that itself prints where it is.
    let teller = at.join("class/teller");
    fs::create_dir_all(&teller).unwrap();
    fs::write(teller.join("bot.toml"), "name = \"teller\"\ncommand = [\"sh\", \"bot.sh\"]\n").unwrap();
    let script = "pwd >&2\ndirname \"$PWD\" >&2\necho \"$PWD/bot.sh and $PWD/../eve\" >&2\npwd\n";
    fs::write(teller.join("bot.sh"), script).unwrap();
    let words = ["tournament", "class/teller", "class/stuck", "builtin:random", "--results", "t.db"];
    leyden(at, &[&words[..], &PATIENT].concat());
    let words = ["match", "class/stuck", "builtin:random", "--results", "r.db"];
    let (_, printed) = said(at, &[&words[..], &PATIENT].concat());
    let see: Vec<&str> = printed.lines().filter_map(|line| line.trim().strip_prefix("see it: ")).collect();
    assert_eq!(see, ["leyden check class/stuck --only start"], "{printed}");
    let shown: Vec<&str> = see[0].split(' ').skip(1).chain(["--sandbox", "none"]).collect();
    let (code, printed) = said(at, &shown);
    assert!(code == Some(1) && printed.contains("/nowhere/at-all"), "{printed}");

    assert_eq!(leyden(at, &["report", "r.db", "--out", "report"]).status.code(), Some(0));
    assert_eq!(leyden(at, &["report", "t.db", "--out", "report/tournament"]).status.code(), Some(0));
    let here = at.to_str().unwrap();
    let mut folders = vec![at.join("report")];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
                assert!(!text.contains(here), "{}", path.display());
                files += 1;
            }
        }
    }
    assert!(files > 5, "{files}");
    let records = text(&leyden(at, &["export", "r.db"]).stdout);
    assert!(records.contains("/nowhere/at-all") && !records.contains(here), "{records}");
    let records = text(&leyden(at, &["export", "t.db"]).stdout);
    assert!(records.contains("bot.sh and ") && !records.contains(here), "{records}");
    let csv = text(&leyden(at, &["standings", "r.db", "--csv"]).stdout);
    assert!(csv.contains("class/stuck") && !csv.contains(here), "{csv}");
}

#[test]
fn single_bot_format_is_refused_before_unpacking() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir(at.join("class")).unwrap();
    for entry in ["class/ann.zip", "class/bob.zip"] {
        // Only the signature of an archive: unpacking it would report that it is none.
        fs::File::create(at.join(entry)).unwrap().write_all(b"PK\x03\x04broken").unwrap();
    }
    let (code, printed) = said(at, &["grade", "class/ann.zip", "builtin:random", "--format", "gradescope"]);
    assert!(code == Some(2) && printed.contains("the form gradescope holds one bot only"), "{printed}");
    // A single folder is one submission.
    let (code, printed) = said(at, &["grade", "class", "--format", "gradescope"]);
    assert!(code == Some(0) && printed.contains("only one of them can be the bot"), "{printed}");
}

#[test]
fn bot_has_no_rank_before_its_first_pair() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let bots = ["builtin:random", "builtin:greedy", "builtin:careful"];
    let words = [&["tournament"], &bots[..], &["--results", "r.db"], &PATIENT].concat();
    assert_eq!(leyden(at, &words).status.code(), Some(0));
    let (code, printed) = said(at, &["standings", "r.db"]);
    assert!(code == Some(0) && printed.contains("1–3") && printed.contains("decide no rank"), "{printed}");
    let exported = text(&leyden(at, &["export", "r.db"]).stdout);
    let begun: Vec<&str> = exported.lines().take(3).collect();
    fs::write(at.join("begun.jsonl"), begun.join("\n") + "\n").unwrap();
    let (code, printed) = said(at, &["standings", "begun.jsonl"]);
    assert!(code == Some(0) && printed.contains("there are no ratings and no ranks"), "{printed}");
    let lines = printed.lines().skip_while(|line| !line.starts_with("place"));
    let places: Vec<&str> = lines.skip(1).take(3).filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(places, ["–"; 3], "{printed}");
    let (_, csv) = said(at, &["standings", "begun.jsonl", "--csv"]);
    assert!(csv.lines().skip(1).all(|line| line.starts_with(',')) && csv.lines().count() == 4, "{csv}");
}

#[test]
fn invalid_bot_is_reported_before_the_bot_count() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    hand_in(at, "good", "good", "one");
    fs::create_dir_all(at.join("bad")).unwrap();
    fs::write(at.join("bad/bot.toml"), "name = \"bad\"\ncommand = [\n").unwrap();
    for words in [&["match", "good", "bad"][..], &["gate", "bad", "good"], &["play", "bad", "--text"]] {
        let (code, printed) = said(at, words);
        assert!(code == Some(3) && printed.contains("bad: bot.toml: "), "{words:?}: {printed}");
        assert!(!printed.contains("needs one bot") && !printed.contains("compares two bots"), "{printed}");
    }
    let (code, printed) = said(at, &["match", "good", "bad", "--allow-missing"]);
    assert!(
        code == Some(2) && printed.contains("left out: bad: ") && printed.contains("needs one bot"),
        "{printed}"
    );
}

#[test]
fn starter_returning_none_fails_with_its_own_error() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    assert_eq!(leyden(at, &["new", "mine", "--lang", "python"]).status.code(), Some(0));
    let bot = fs::read_to_string(at.join("mine/bot.py")).unwrap();
    assert!(bot.contains("    return best\n"));
    fs::write(at.join("mine/bot.py"), bot.replace("    return best\n", "    best = None\n")).unwrap();
    let (code, printed) = said(at, &[&["check", "mine", "--only", "opening"][..], &PATIENT].concat());
    assert!(code == Some(1) && printed.contains("TypeError: choose() returned None"), "{printed}");
}

/// `check` on a class checks each bot, and says what is none.
#[test]
fn check_of_a_class_is_one_table() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let class = at.join("class");
    fs::create_dir_all(class.join("aside")).unwrap();
    fs::write(class.join("aside/notes.txt"), "nothing").unwrap();
    hand_in(&class, "kim", "kim", "one");
    hand_in(&class, "lea", "lea", "two");
    let (code, printed) = said(at, &[&["check", "class"][..], &PATIENT].concat());
    assert_eq!(code, Some(1), "{printed}");
    for row in ["kim          class/kim     ready", "lea          class/lea     ready", "cannot be run"] {
        assert!(printed.contains(row), "{printed}");
    }
    fs::remove_dir_all(class.join("kim")).unwrap();
    fs::remove_dir_all(class.join("lea")).unwrap();
    let (code, said) = said(at, &["check", "class"]);
    assert!(code == Some(3) && said.contains("class contains no bot"), "{said}");
}

/// A teacher's first rubric, and an error that shows a complete one.
#[test]
fn incomplete_rubric_error_points_to_a_complete_one() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("rubric.toml"), "").unwrap();
    let (code, said) = said(at, &["grade", "builtin:random", "--rubric", "rubric.toml"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(
        said.contains("missing field `check`; `leyden grade --print-rubric` prints a complete one"),
        "{said}"
    );
}

#[test]
fn error_suggests_quoting_a_bot_of_several_words() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("bot.sh"), "").unwrap();
    for (words, says) in [
        (&["match", "sh", "bot.sh", "builtin:random"][..], "such as \"sh bot.sh\""),
        (&["check", "sh", "bot.sh"], "such as \"sh bot.sh\""),
        (
            &["match", "builtin:random", "builtin:ladder", "--level", "3"],
            "such as \"builtin:ladder --level 3\"",
        ),
        (&["play", "builtin:ladder", "--level=3", "--text"], "such as \"builtin:ladder --level=3\""),
    ] {
        let (code, printed) = said(at, words);
        assert_eq!(code, Some(3), "{words:?}: {printed}");
        assert!(printed.contains("quote") && printed.contains(says), "{words:?}: {printed}");
    }
    // Anything that is not part of a bot is reported as before.
    let (code, printed) = said(at, &["match", "builtin:random", "builtin:greedy", "--levle", "3"]);
    assert_eq!((code, printed.contains("unexpected argument '--levle'")), (Some(2), true), "{printed}");
}

#[test]
fn implausible_command_is_refused_with_a_correction() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir(at.join("mine")).unwrap();
    fs::write(at.join("mine/bot.sh"), "#!/bin/sh\n").unwrap();
    for (command, says) in [
        ("[\"sh\", \"mine/bot.sh\"]", "there is no mine/bot.sh in it; write \"bot.sh\""),
        ("[\"sh bot.sh\"]", "write command = [\"sh\", \"bot.sh\"]"),
        ("[\"no-such-program\", \"bot.sh\"]", "install it, or correct the command in its bot.toml"),
    ] {
        fs::write(at.join("mine/bot.toml"), format!("name = \"mine\"\ncommand = {command}\n")).unwrap();
        let (code, printed) = said(at, &["check", "mine", "--sandbox", "none"]);
        assert_eq!(code, Some(3), "{command}: {printed}");
        assert!(printed.contains(says), "{command}: {printed}");
    }
    for (bot, says) in [
        ("sh bott.sh", "there is no file bott.sh here"),
        ("no-such-program bot.sh", "correct the command line"),
        ("mine/bot.sh", "it is one file of a bot"),
    ] {
        let (code, printed) = said(at, &["check", bot, "--sandbox", "none"]);
        assert_eq!(code, Some(3), "{bot}: {printed}");
        assert!(printed.contains(says), "{bot}: {printed}");
    }
    fs::copy(at.join("mine/bot.sh"), at.join("alone.sh")).unwrap();
    let (_, printed) = said(at, &["check", "./alone.sh"]);
    assert!(printed.contains("chmod +x"), "{printed}");
}
