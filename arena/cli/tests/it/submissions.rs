//! A folder of a class's submissions: every entry plays, or is named with the reason.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Stdio;

use crate::program::{command, leyden, text};
use serde_json::Value;

/// Limits that no bot reaches, however busy the machine is.
const PATIENT: [&str; 7] = ["--turn", "100s", "--startup", "100s", "--sandbox", "none", "--quiet"];

/// Submits a bot that plays at random.
fn hand_in(class: &Path, entry: &str, manifest: impl Fn(&str) -> String) {
    let folder = class.join(entry);
    fs::create_dir_all(&folder).unwrap();
    let command = format!("command = [{:?}, \"bot\", \"random\"]\n", env!("CARGO_BIN_EXE_leyden"));
    fs::write(folder.join("bot.toml"), manifest(&command)).unwrap();
}

#[test]
fn broken_submissions_are_reported_and_optionally_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let class = at.join("class");
    hand_in(&class, "ann", |command| format!("name = \"ann\"\n{command}"));
    hand_in(&class, "bob/bob-main", |command| format!("name = \"bob\"\n{command}"));
    hand_in(&class, "cy", |command| format!("name = \"cy\",\n{command}"));
    fs::create_dir(class.join("dan")).unwrap();
    fs::write(class.join("dan/bot.py"), "print()\n").unwrap();
    let build = "build = [\"sh\", \"-c\", \"printf 'no %s' tiles; exit 3\"]\n";
    hand_in(&class, "eve", |command| format!("name = \"eve\"\n{command}{build}"));

    let played = [&["tournament", "class", "--results", "r.db"], &PATIENT[..]].concat();
    let stopped = leyden(at, &played);
    let said = text(&stopped.stderr);
    assert_eq!(stopped.status.code(), Some(3), "{said}");
    for expected in ["class/cy", "class/dan: it has no bot.toml", "Nothing was played", "--allow-missing"] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    assert!(!at.join("r.db").exists());

    let done = leyden(at, &[&played[..], &["--allow-missing"]].concat());
    let said = text(&done.stderr);
    assert!(done.status.success(), "{said}");
    assert!(said.contains("left out: class/cy") && said.contains("left out: class/dan"), "{said}");
    assert!(said.contains("exit status: 3\n  no tiles\n"), "{said}");
    let standings = text(&leyden(at, &["standings", "r.db"]).stdout);
    for expected in [
        "ann",
        "bob",
        "Left out: class/cy: bot.toml: line 1, column 1",
        "expected newline",
        "Left out: class/dan: it has no bot.toml: add one\n  with lines such as\n    name = \"my-bot\"\n    command = ",
        "Left out: eve: the build failed (sh -c ",
    ] {
        assert!(standings.contains(expected), "{expected}: {standings}");
    }
    assert!(!standings.contains('\u{fffd}') && !standings.contains("no tiles"), "{standings}");
    let document = leyden(at, &["standings", "r.db", "--json"]).stdout;
    let document: Value = serde_json::from_slice(&document).unwrap();
    let left_out = document["left_out"].as_array().unwrap();
    assert_eq!(left_out.len(), 3, "{left_out:?}");
    assert!(left_out[0]["reason"].as_str().unwrap().contains("line 1"), "{left_out:?}");
    assert_eq!(left_out[2]["printed"], serde_json::json!(["no tiles"]), "{left_out:?}");
}

#[test]
fn resume_identifies_bots_by_name_in_any_order() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let play = |words: &[&str]| {
        let output = leyden(at, &[&["tournament"], words, &["--json"], &PATIENT[..]].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        let lines: Vec<Value> =
            text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        lines.iter().filter(|line| line["event"] == "match").count()
    };
    let typed = ["builtin:random", "builtin:greedy", "builtin:careful"];
    assert_eq!(play(&[&typed[..], &["--results", "r.db", "--seed", "s", "--blocks", "1"]].concat()), 6);
    // Two more blocks of three pairs, and one of the new bot's pairs in each of both blocks: a bot that joins comes last.
    let turned = ["builtin:careful", "builtin:careful --blunder 5", "builtin:greedy", "builtin:random"];
    let words = [&turned[..], &["--results", "r.db", "--resume", "--blocks", "2"]].concat();
    // Its seed was revealed when it was over.
    let refused = leyden(at, &[&["tournament"], &words[..], &PATIENT].concat());
    assert_eq!(refused.status.code(), Some(2));
    let said = text(&refused.stderr);
    assert!(said.contains("careful --blunder 5 cannot join") && said.contains("--seed"), "{said}");
    assert_eq!(play(&[&words[..], &["--seed", "s"]].concat()), 6 + 2 * 6);
}

#[test]
fn bots_sharing_a_name_are_reported_with_folders() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for entry in ["ann", "bob"] {
        hand_in(&at.join("class"), entry, |command| format!("name = \"best\"\n{command}"));
    }
    let output = leyden(at, &[&["tournament", "class", "--results", "r.db"], &PATIENT[..]].concat());
    let said = text(&output.stderr);
    assert!(output.status.success(), "{said}");
    let line = said.lines().find(|line| line.contains("two bots are called best")).expect(&said);
    let folders = "the one in class/ann, and the one in class/bob, which is shown as best#2";
    assert_eq!(line, format!("two bots are called best: {folders}"), "as short as they can be typed here");
    let standings = text(&leyden(at, &["standings", "r.db"]).stdout);
    assert!(standings.contains("\nBots with the same name: best"), "{standings}");
    for line in ["best is class/ann", "best#2 is class/bob"] {
        assert!(standings.contains(line), "{line}: {standings}");
    }
    // Without a rating there is no rank, and no place.
    let first = text(&leyden(at, &["export", "r.db"]).stdout).lines().next().unwrap().to_owned();
    fs::write(at.join("first.jsonl"), first + "\n").unwrap();
    let csv = |file| text(&leyden(at, &["standings", file, "--csv"]).stdout);
    assert!(
        csv("first.jsonl").lines().skip(1).all(|line| line.starts_with(",best")),
        "{}",
        csv("first.jsonl")
    );
    assert!(csv("r.db").lines().nth(1).unwrap().starts_with("1,best"), "{}", csv("r.db"));
}

#[test]
fn unrunnable_bot_is_reported_with_a_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (command, file, content, says) in [
        ("./bot.py", "bot.py", "#!/usr/bin/env python3\n", "chmod +x"),
        ("bot.py", "bot.py", "#!/usr/bin/env python3\n", "write ./bot.py in its bot.toml"),
        ("./gone.py", "bot.py", "", "does not exist"),
    ] {
        let class = tempfile::tempdir_in(at).unwrap();
        let bot = class.path().join("bot");
        fs::create_dir(&bot).unwrap();
        fs::write(bot.join("bot.toml"), format!("name = \"b\"\ncommand = [\"{command}\"]\n")).unwrap();
        fs::write(bot.join(file), content).unwrap();
        let path = bot.display().to_string();
        let output = leyden(at, &[&["match", &path, "builtin:random"], &PATIENT[..]].concat());
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{said}");
        assert!(said.contains(says), "{says}: {said}");
    }
    // Errors that show only at run time are reported in the fault.
    for (content, says) in [
        ("#!/usr/bin/env python3\r\nprint()\r\n", "Unix line endings"),
        ("#!/no/such/python3\nprint()\n", "/no/such/python3, which"),
        ("print()\n", "does not say in its first line"),
    ] {
        fs::write(at.join("bot.py"), content).unwrap();
        fs::set_permissions(at.join("bot.py"), fs::Permissions::from_mode(0o755)).unwrap();
        let output = leyden(at, &[&["match", "./bot.py", "builtin:random"], &PATIENT[..]].concat());
        let said = text(&output.stderr);
        assert!(output.status.success() && said.contains(says), "{says}: {said}");
    }
    fs::write(at.join("two.py"), "print()\n").unwrap();
    for words in [
        &["match", "python3", "two.py", "builtin:random"][..],
        &["match", "builtin:random", "python3", "bot.py"],
    ] {
        let output = leyden(at, &[words, &PATIENT[..]].concat());
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{said}");
        assert!(said.contains("put a command line in quotes, such as \"python3 "), "{said}");
    }
}

/// Submits a zip archive with these entries.
fn zipped(class: &Path, name: &str, entries: impl IntoIterator<Item = (String, String)>) {
    let mut archive = zip::ZipWriter::new(fs::File::create(class.join(name)).unwrap());
    for (entry, content) in entries {
        archive.start_file(entry, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(content.as_bytes()).unwrap();
    }
    archive.finish().unwrap();
}

#[test]
fn class_archives_play_and_invalid_ones_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let class = at.join("class");
    fs::create_dir(&class).unwrap();
    let manifest = |name: &str| {
        let program = env!("CARGO_BIN_EXE_leyden");
        format!("name = \"{name}\"\ncommand = [{program:?}, \"bot\", \"random\"]\n")
    };
    let one = |path: String, content: String| [(path, content)];
    zipped(&class, "ann.zip", one("bot.toml".to_owned(), manifest("ann")));
    zipped(&class, "bob.zip", one("bob/bob/bot.toml".to_owned(), manifest("bob")));
    // Few files in many folders, counted each time that they are named.
    let deep = "d/".repeat(100);
    zipped(&class, "bomb.zip", (0..1_100).map(|file| (format!("{deep}{file}"), String::new())));
    let outside = format!("{}{}/escaped/bot.toml", "../".repeat(20), at.display());
    zipped(&class, "eve.zip", one(outside, manifest("eve")));
    fs::write(class.join("torn.zip"), "PK\u{3}\u{4}").unwrap();

    let words = [&["tournament", "class", "--allow-missing", "--results", "r.db"], &PATIENT[..]].concat();
    let played = leyden(at, &words);
    let said = text(&played.stderr);
    assert!(played.status.success(), "{said}");
    for (name, why) in [
        ("bomb", "more than 100000 files"),
        ("eve", "leads out of the archive"),
        ("torn", "not a zip archive"),
    ] {
        let line = said.lines().find(|line| line.starts_with(&format!("left out: class/{name}.zip: ")));
        assert!(line.is_some_and(|line| line.contains(why)), "{name}: {said}");
    }
    assert!(!at.join("escaped").exists());
    let document = leyden(at, &["standings", "r.db", "--json"]).stdout;
    let document: Value = serde_json::from_slice(&document).unwrap();
    let all = |list: &str, field: &str| -> Vec<String> {
        let texts =
            document[list].as_array().unwrap().iter().map(|one| one[field].as_str().unwrap().to_owned());
        let mut texts: Vec<String> = texts.collect();
        texts.sort();
        texts
    };
    assert_eq!(all("bots", "name"), ["ann", "bob"]);
    assert_eq!(all("bots", "folder"), ["class/ann.zip", "class/bob.zip"]);
    assert_eq!(all("left_out", "entry"), ["class/bomb.zip", "class/eve.zip", "class/torn.zip"]);
}

/// Authors continue to work while their bots play, and submit again: the files at the start are those that play.
#[test]
fn bot_plays_on_after_its_folder_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir(at.join("ann")).unwrap();
    let script = format!("exec '{}' bot random\n", env!("CARGO_BIN_EXE_leyden"));
    fs::write(at.join("ann/bot.sh"), &script).unwrap();
    // Named by its author's path.
    let path = at.canonicalize().unwrap().join("ann/bot.sh");
    fs::write(at.join("ann/bot.toml"), format!("name = \"ann\"\ncommand = [\"sh\", {path:?}]\n")).unwrap();
    let words =
        ["match", "ann", "builtin:greedy", "--blocks", "30", "--fresh", "--results", "r.db", "--json"];
    let mut playing = command(at, &[&words[..], &PATIENT].concat()).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(playing.stdout.take().unwrap()).lines().map(Result::unwrap);
    lines.find(|line| line.contains("\"event\":\"match\"")).expect("a match");
    fs::remove_dir_all(at.join("ann")).unwrap();
    let rest: Vec<String> = lines.collect();
    assert!(playing.wait().unwrap().success(), "{rest:?}");
    let faults = leyden(at, &["matches", "r.db", "--faults"]);
    assert!(!text(&faults.stdout).contains("ann"), "{}", text(&faults.stdout));
    assert_eq!(text(&leyden(at, &["export", "r.db"]).stdout).lines().count(), 60);

    // A command line has no folder to copy: a change of its file is reported.
    let go = at.join("go");
    let waits = format!("while [ ! -e '{}' ]; do sleep 0.01; done; {script}", go.display());
    fs::write(at.join("bot.sh"), &waits).unwrap();
    let words = ["match", "sh bot.sh", "builtin:greedy", "--blocks", "2", "--json"];
    let mut playing = command(at, &[&words[..], &PATIENT].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(playing.stdout.take().unwrap()).lines().map(Result::unwrap);
    lines.find(|line| line.contains("\"event\":\"start\"")).expect("a start");
    fs::write(at.join("bot.sh"), format!("{waits}# and more\n")).unwrap();
    fs::write(go, "").unwrap();
    lines.for_each(drop);
    let output = playing.wait_with_output().unwrap();
    let said = text(&output.stderr);
    assert!(said.contains("warning: sh bot.sh: its files have changed since it began to play"), "{said}");
}

/// A full disk, or an invalid folder for temporary files, is not the fault of a submission.
#[test]
fn uncopyable_bot_ends_the_run_despite_allow_missing() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    hand_in(&at.join("class"), "ann", |command| format!("name = \"ann\"\n{command}"));
    for subcommand in
        [&["tournament", "class", "builtin:greedy", "--allow-missing"][..], &["check", "class/ann"]]
    {
        let mut play = command(at, &[subcommand, &["--sandbox", "none"]].concat());
        let output = play.env("TMPDIR", at.join("gone")).output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(5), "{said}");
        assert!(said.contains("cannot copy ann to ") && said.contains("TMPDIR"), "{said}");
    }
}

#[test]
fn bot_that_cannot_be_unpacked_blames_host() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let manifest = "name = \"ann\"\ncommand = [\"sh\"]\n".to_owned();
    zipped(at, "ann.zip", [("bot.toml".to_owned(), manifest)]);
    fs::create_dir(at.join("class")).unwrap();
    fs::copy(at.join("ann.zip"), at.join("class/ann.zip")).unwrap();
    fs::write(at.join("ann.sh"), "exit 1\n").unwrap();
    for (words, why) in [
        (&["check", "class", "--sandbox", "none"][..], "class/ann.zip: it cannot be unpacked: "),
        (
            &["match", "class", "builtin:greedy", "--sandbox", "none"],
            "class/ann.zip: it cannot be unpacked: ",
        ),
        (&["grade", "class", "--sandbox", "none"], "ann.zip (class/ann.zip): it cannot be unpacked: "),
        (&["check", "ann.zip", "--sandbox", "none"], "ann.zip: it cannot be unpacked: "),
        (&["match", "ann.zip", "builtin:greedy", "--sandbox", "none"], "ann.zip: it cannot be unpacked: "),
        (&["grade", "ann.zip", "--sandbox", "none"], "ann.zip (ann.zip): it cannot be unpacked: "),
        (&["submit", "ann.sh", "--to", "http://localhost:1"], "ann.sh: it cannot be packed: "),
    ] {
        let mut play = command(at, words);
        let output = play.env("TMPDIR", at.join("gone")).env("LEYDEN_TOKEN", "abc").output().unwrap();
        let said = text(&output.stderr);
        assert!(output.status.code() == Some(5) && said.contains(why), "{words:?}: {said}");
    }
}

#[test]
fn build_is_blamed_for_what_it_wrote() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (folders, why) in [
        (8, "what it wrote cannot be used: it contains the path \"xxx"),
        (30, "or has closed a folder or nested folders too deep"),
    ] {
        let build =
            format!("import os\\nfor _ in range({folders}):\\n  os.mkdir('x' * 200)\\n  os.chdir('x' * 200)");
        let build = format!("build = [\"python3\", \"-c\", \"{build}\"]\n");
        let name = format!("eve-{folders}");
        hand_in(at, &name, |command| format!("name = \"eve\"\n{command}{build}"));
        let output = leyden(at, &["check", &name, "--sandbox", "none"]);
        let said = text(&output.stderr);
        assert!(output.status.code() == Some(3) && said.contains(why), "{said}");
    }
}

#[test]
fn bot_folder_writes_are_discarded_with_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir(at.join("ann")).unwrap();
    let script = format!("echo here >> log.txt; exec '{}' bot random\n", env!("CARGO_BIN_EXE_leyden"));
    fs::write(at.join("ann/bot.sh"), script).unwrap();
    fs::write(at.join("ann/bot.toml"), "name = \"ann\"\ncommand = [\"sh\", \"bot.sh\"]\n").unwrap();
    let output = leyden(at, &[&["match", "ann", "builtin:greedy"], &PATIENT[..]].concat());
    let said = text(&output.stderr);
    assert!(said.contains("warning: ann has written into its folder"), "{said}");
    assert!(!at.join("ann/log.txt").exists());
}
