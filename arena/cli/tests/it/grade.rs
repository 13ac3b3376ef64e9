//! `leyden grade` as typed: points, what to fix, and the formats of other tools.

mod regrading;

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::program::{PATIENT, assert_valid, command, on_quiet_host, printed as stdout, text};
use serde_json::Value;

fn grade(folder: &Path, words: &[&str]) -> Output {
    let words = [&["grade", "--rubric", "rubric.toml"], words, &PATIENT[..]].concat();
    on_quiet_host(|| command(folder, &words).output().unwrap())
}

const RUBRIC: &str = "check = 40\nseed = \"class\"\n[[against]]\nbot = \"builtin:random\"\npoints = 60\nnone-at = 0.1\nfull-at = 0.6\nblocks = 4\n";

fn hand_in(class: &Path, entry: &str, command: &str) {
    fs::create_dir_all(class.join(entry)).unwrap();
    let manifest = format!("name = \"{entry}\"\nauthor = \"Ms {entry}\"\ncommand = {command}\n");
    fs::write(class.join(entry).join("bot.toml"), manifest).unwrap();
}

fn builtin(bot: &str) -> String {
    format!("[{:?}, \"bot\", \"{bot}\"]", env!("CARGO_BIN_EXE_leyden"))
}

/// A good bot, one that crashes, and an entry that is not a bot.
fn class(at: &Path) {
    fs::write(at.join("rubric.toml"), RUBRIC).unwrap();
    hand_in(&at.join("class"), "ann", &builtin("careful"));
    hand_in(&at.join("class"), "bob", "[\"python3\", \"-c\", \"raise KeyError('spinner')\"]");
    fs::create_dir_all(at.join("class/cy")).unwrap();
    fs::write(at.join("class/cy/bot.py"), "print()\n").unwrap();
}

/// The rows of a table whose quoted cells may have several lines.
fn rows(csv: &str) -> Vec<String> {
    let mut rows = vec![String::new()];
    let mut is_quoted = false;
    for c in csv.trim_end().chars() {
        is_quoted ^= c == '"';
        match c {
            '\n' if !is_quoted => rows.push(String::new()),
            c => rows.last_mut().unwrap().push(c),
        }
    }
    rows
}

#[test]
fn class_is_graded_despite_crashing_and_invalid_bots() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    class(at);
    let output = grade(at, &["class", "--json"]);
    let shown: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_valid(at, "grade", &shown);
    let [ann, bob, cy] = &shown["grades"].as_array().unwrap()[..] else { panic!("{shown:#}") };
    assert_eq!((&shown["most"], &ann["author"]), (&100.0.into(), &"Ms ann".into()));
    assert!(ann["points"].as_f64().unwrap() > 90.0, "{ann:#}");
    let played = &ann["parts"][1];
    let [low, high] = &played["interval"].as_array().unwrap()[..] else { panic!("{played:#}") };
    assert!(
        low.as_f64() <= played["points"].as_f64() && played["points"].as_f64() <= high.as_f64(),
        "{played:#}"
    );
    assert!(bob["points"].as_f64().unwrap() < 40.0 && bob.to_string().contains("KeyError"), "{bob:#}");
    assert_eq!(cy["points"], 0.0);
    assert!(cy.to_string().contains("it has no bot.toml"), "{cy:#}");

    let csv = stdout(&grade(at, &["class", "--format", "csv"]));
    let lines = rows(&csv);
    assert_eq!(lines.len(), 4, "{csv}");
    let parts = bob["parts"].as_array().unwrap().iter();
    let causes: BTreeSet<&str> =
        parts.flat_map(|part| part["fix"].as_array().unwrap()).map(|cause| cause.as_str().unwrap()).collect();
    assert!(causes.len() > 1, "{bob:#}");
    assert_eq!(lines[2].lines().count(), causes.len(), "a line for each cause: {csv}");
    assert!(
        lines[0] == "bot,author,folder,points,of,check,against random,low,high,grade,other_grade,fix,note",
        "{csv}"
    );
    assert!(lines[2].starts_with("bob,Ms bob,") && lines[2].contains("KeyError"), "{csv}");
    let markdown = stdout(&grade(at, &["class"]));
    for part in ["## ann (Ms ann): ", "## bob", "| check | ", "KeyError"] {
        assert!(markdown.contains(part), "{part}: {markdown}");
    }
    stdout(&grade(at, &["class", "--format", "junit", "--out", "grades.xml"]));
    let junit = fs::read_to_string(at.join("grades.xml")).unwrap();
    assert!(junit.contains("tests=\"6\"") && junit.contains("bob: against random"), "{junit}");
}

/// The entries of a class, as a shell expands `class/*`.
#[test]
fn class_folder_and_entries_get_the_same_grades() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    class(at);
    fs::write(at.join("class/README.md"), "# The class\n").unwrap();
    fs::write(at.join("class/dan.py"), "print()\n").unwrap();
    let graded = |words: &[&str]| {
        let output = grade(at, &[words, &["--json"]].concat());
        let mut shown: Value = serde_json::from_str(&stdout(&output)).unwrap();
        assert!(text(&output.stderr).contains("left out: class/README.md: "), "{}", text(&output.stderr));
        let grades = shown["grades"].take();
        let line = |grade: &Value| format!("{} {} {}", grade["bot"], grade["place"], grade["points"]);
        grades.as_array().unwrap().iter().map(line).collect::<BTreeSet<_>>()
    };
    let entries = ["README.md", "ann", "bob", "cy", "dan.py"].map(|entry| format!("class/{entry}"));
    let by_entries = graded(&entries.each_ref().map(String::as_str));
    assert_eq!(by_entries.len(), 4, "{by_entries:?}");
    assert_eq!(by_entries, graded(&["class"]));
}

/// Each entry is graded, no matter what else is among the expanded words.
#[test]
fn broken_archive_costs_nobody_else_a_grade() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    class(at);
    fs::create_dir(at.join("class/eve")).unwrap();
    fs::write(at.join("class/eve/bot.zip"), "PK\x03\x04 and no more").unwrap();
    for late in ["dan", "fay"] {
        hand_in(&at.join("class/late"), late, &builtin("random"));
    }
    let words = ["class/eve", "class/cy", "class/late", "class/ann", "--json"];
    let shown: Value = serde_json::from_str(&stdout(&grade(at, &words))).unwrap();
    let grades = shown["grades"].as_array().unwrap().iter();
    let points: Vec<_> =
        grades.map(|grade| (grade["place"].as_str().unwrap().to_owned(), grade["points"] != 0.0)).collect();
    let played = ["late/dan", "late/fay", "ann"].map(|bot| (format!("class/{bot}"), true));
    let cannot_be = ["eve", "cy"].map(|bot| (format!("class/{bot}"), false));
    assert_eq!(points, [&played[..], &cannot_be].concat(), "{shown:#}");
    // A program and its file without quotes are not two bots of a class.
    let refused = command(at, &["grade", "python3", "class/cy/bot.py"]).output().unwrap();
    let said = text(&refused.stderr);
    assert!(refused.status.code() == Some(3) && said.contains("quotes"), "{said}");
}

/// A grader sees by the folders who has submitted another one's files, in each format; a single bot's format names nobody
/// else.
#[test]
fn copies_and_untouched_starters_are_in_the_grades() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("rubric.toml"), RUBRIC).unwrap();
    for entry in ["ann", "bob"] {
        hand_in(&at.join("class"), entry, "[\"python3\", \"bot.py\"]");
        fs::write(at.join("class").join(entry).join("bot.py"), "raise SystemExit(3)\n").unwrap();
    }
    let new = command(at, &["new", "class/cy", "--lang", "python"]).output().unwrap();
    assert!(new.status.success(), "{}", text(&new.stderr));
    let shown: Value = serde_json::from_str(&stdout(&grade(at, &["class", "--json"]))).unwrap();
    let notes: Vec<&str> =
        shown["grades"].as_array().unwrap().iter().map(|grade| grade["note"].as_str().unwrap()).collect();
    let [of_ann, of_cy] = [
        "it has the same files as class/bob except bot.toml",
        "it is the starter in Python as `leyden new` wrote it",
    ];
    assert_eq!((notes[0], notes[2]), (of_ann, of_cy));
    assert_eq!(shown["same_files"][0]["folders"], serde_json::json!(["class/ann", "class/bob"]));
    let csv = rows(&stdout(&grade(at, &["class", "--format", "csv"])));
    assert!(csv[0].ends_with(",fix,note") && csv[1].ends_with(&format!(",{of_ann}")), "{csv:?}");
    let markdown = stdout(&grade(at, &["class"]));
    assert!(
        markdown.lines().any(|line| line.starts_with("| ann |") && line.contains("same files as class/bob"))
    );
    let junit = stdout(&grade(at, &["class", "--format", "junit"]));
    assert!(junit.contains(&format!("class/ann: {of_ann}")), "{junit}");
    let own = stdout(&grade(at, &["class/cy", "--format", "gradescope"]));
    let own: Value = serde_json::from_str(&own).unwrap();
    let to_read = stdout(&grade(at, &["class/cy"]));
    assert!(to_read.contains("Note: it is the starter in Python"), "{to_read}");
    assert!(own["output"].as_str().unwrap().ends_with(of_cy), "{own:#}");
}

/// A folder as a zip archive.
fn zipped(class: &Path, entry: &str) {
    let script = "import shutil, sys; shutil.make_archive(sys.argv[1], 'zip', *sys.argv[2:])";
    let words = ["-c", script, entry, ".", entry];
    assert!(Command::new("python3").args(words).current_dir(class).status().unwrap().success());
    fs::remove_dir_all(class.join(entry)).unwrap();
}

#[test]
fn archive_with_ignored_files_or_build_is_graded() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("rubric.toml"), RUBRIC).unwrap();
    let class = at.join("class");
    for entry in ["ann", "bob", "cy"] {
        hand_in(&class, entry, &builtin("careful"));
    }
    fs::write(class.join("ann/.DS_Store"), "").unwrap();
    fs::create_dir(class.join("bob/.git")).unwrap();
    fs::write(class.join("bob/.git/HEAD"), "").unwrap();
    let manifest = fs::read_to_string(class.join("cy/bot.toml")).unwrap();
    fs::write(class.join("cy/bot.toml"), manifest + "build = [\"true\"]\n").unwrap();
    fs::create_dir(class.join("dan")).unwrap();
    fs::write(class.join("dan/bot.py"), "").unwrap();
    for entry in ["ann", "bob", "cy", "dan"] {
        zipped(&class, entry);
    }
    fs::write(class.join("notes.txt"), "who has handed in what").unwrap();
    let output = grade(at, &["class", "--format", "csv"]);
    let (csv, said) = (stdout(&output), text(&output.stderr));
    assert!(said.contains("left out: class/notes.txt: "), "{said}");
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 5, "{csv}");
    for (line, bot) in lines[1..4].iter().zip(["ann", "bob", "cy"]) {
        assert!(line.starts_with(&format!("{bot},Ms {bot},class/{bot}.zip,")), "{line}");
        let points: f64 = line.split(',').nth(3).unwrap().parse().unwrap();
        assert!(points > 90.0, "{line}");
    }
    assert_eq!(lines[4].matches("it has no bot.toml").count(), 1, "{}", lines[4]);
}

#[test]
fn invalid_rubric_bot_is_reported_before_grading() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    class(at);
    fs::write(at.join("rubric.toml"), RUBRIC.replace("builtin:random", "no-such-bot")).unwrap();
    let output = grade(at, &["class"]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("the rubric's bot no-such-bot cannot be played against"), "{said}");
    assert!(!said.contains("grading "), "{said}");
}

#[test]
fn same_rubric_gives_the_same_grade() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    class(at);
    let points = || {
        let shown: Value = serde_json::from_str(&stdout(&grade(at, &["class/ann", "--json"]))).unwrap();
        shown["grades"][0]["parts"][1]["points"].clone()
    };
    assert_eq!(points(), points());
}

#[test]
fn same_program_gets_equal_points_under_any_name() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let without_seed =
        RUBRIC.replace("seed = \"class\"\n", "").replace("= 0.1", "= 0.0").replace("= 0.6", "= 1.0");
    fs::write(at.join("rubric.toml"), &without_seed).unwrap();
    // One has the name of the bot it is graded against.
    for entry in ["ann", "bob", "random"] {
        // Plays by the random seed that it is given, which follows from the deals' seed.
        hand_in(&at.join("class"), entry, &builtin("random"));
    }
    let output = grade(at, &["class", "--json"]);
    let shown: Value = serde_json::from_str(&stdout(&output)).unwrap();
    for other in [1, 2] {
        assert_eq!(shown["grades"][0]["parts"], shown["grades"][other]["parts"], "{shown:#}");
    }
    let seed = shown["seed"].as_str().unwrap();
    assert!(text(&output.stderr).contains(&format!("note: use --seed {seed} to grade on the same deals")));
    // Named in the rubric or on the command line, which takes precedence.
    let graded_by = |rubric_seed: &str, words: &[&str]| -> Value {
        fs::write(at.join("rubric.toml"), format!("seed = \"{rubric_seed}\"\n{without_seed}")).unwrap();
        serde_json::from_str(&stdout(&grade(at, &[&["class", "--json"], words].concat()))).unwrap()
    };
    assert_eq!(graded_by(seed, &[]), shown);
    assert_eq!(graded_by("another", &["--seed", seed]), shown);
}

#[test]
fn gradescope_and_classroom_50_read_their_own_formats() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    class(at);
    stdout(&grade(at, &["class/ann", "--format", "gradescope", "--out", "results.json"]));
    let shown: Value = serde_json::from_str(&fs::read_to_string(at.join("results.json")).unwrap()).unwrap();
    let tests = shown["tests"].as_array().unwrap();
    let sum: f64 = tests.iter().map(|test| test["score"].as_f64().unwrap()).sum();
    assert!((shown["score"].as_f64().unwrap() - sum).abs() < 1e-9, "{shown:#}");
    assert!(shown["output"].as_str().unwrap().starts_with(&format!("ann: {sum:.1} points")), "{shown:#}");
    let board = shown["leaderboard"].as_array().unwrap();
    assert_eq!((board.len(), &board[0]["value"]), (tests.len() + 1, &shown["score"]), "{shown:#}");
    assert!(
        tests.iter().all(|test| test["max_score"].is_number() && test["output"].is_string()),
        "{shown:#}"
    );

    let words = ["grade", "--rubric", "rubric.toml", "class/bob", "--format", "classroom50"];
    let words = [&words[..], &PATIENT].concat();
    let output = on_quiet_host(|| {
        let mut run = command(at, &words);
        run.env("CLASSROOM", "cs1")
            .env("ASSIGNMENT", "dominoes")
            .env("USERNAME", "bob")
            .env("COMMIT_URL", "u");
        run.output().unwrap()
    });
    let shown: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!((&shown["schema"], &shown["owner"]), (&"classroom50/result/v1".into(), &"bob".into()));
    assert_eq!(
        (&shown["classroom"], &shown["review"], &shown["max-score"]),
        (&"cs1".into(), &"u".into(), &100.into())
    );
    assert_eq!(shown["tests"][0]["passed"], false);
}

/// An autograder must say something about every submission.
#[test]
fn single_bot_formats_report_submissions_of_several_bots() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    class(at);
    for form in ["gradescope", "classroom50", "classroom"] {
        let shown: Value = serde_json::from_str(&stdout(&grade(at, &["class", "--format", form]))).unwrap();
        let said = shown.to_string();
        assert_eq!(said.matches("it contains ann and bob, and only one of them").count(), 1, "{shown:#}");
    }
}

/// A bot that fails in every match: ten pairs say as much as a thousand, and kept matches show what went wrong.
#[test]
fn always_failing_bot_plays_few_matches_kept_optionally() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    class(at);
    fs::write(at.join("rubric.toml"), RUBRIC.replace("blocks = 4", "blocks = 5000")).unwrap();
    let part = |words: &[&str]| -> Value {
        let shown = stdout(&grade(at, &[&["class/bob", "--json"], words].concat()));
        serde_json::from_str::<Value>(&shown).unwrap()["grades"][0]["parts"][1].take()
    };
    let played = part(&[]);
    let cut = &played["seen"]["cut"];
    assert!(cut["fault"] == "handshake" && cut["rest"].as_u64() > Some(9_900), "{played:#}");
    assert_eq!(played["points"], 0.0);
    let fix = played["fix"][0].as_str().unwrap();
    assert!(fix.ends_with("leyden match . builtin:random --blocks 5000 --results see.db"), "{fix}");

    let kept = part(&["--results", "kept"]);
    let file = "kept/01-bob-1-random.db";
    assert_eq!(kept["see"], format!("leyden matches {file} --faults"));
    let matches = text(&command(at, &["matches", file, "--faults"]).output().unwrap().stdout);
    assert!(matches.contains("handshake") && matches.lines().count() >= 20, "{matches}");
    let again = grade(at, &["class/bob", "--results", "kept"]);
    let said = text(&again.stderr);
    assert!(again.status.code() == Some(2) && said.contains("kept is not empty"), "{said}");
}

/// However slow a bot is, grading it ends, with what was played by then.
#[test]
fn grading_uses_matches_played_when_time_is_up() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    class(at);
    let rubric = RUBRIC.replace("blocks = 4", "blocks = 10000").replace("seed =", "minutes = 0.0001\nseed =");
    fs::write(at.join("rubric.toml"), rubric).unwrap();
    let shown: Value = serde_json::from_str(&stdout(&grade(at, &["class/ann", "--json"]))).unwrap();
    let played = &shown["grades"][0]["parts"][1];
    let cut = &played["seen"]["cut"];
    assert!(cut["fault"].is_null() && cut["rest"].as_u64() > Some(0), "{played:#}");
    assert!(played["points"].as_f64().unwrap() > 30.0, "{played:#}");
    // The check has a share of the time, and says what it had none for.
    let checked = &shown["grades"][0]["parts"][0];
    assert!(!checked["seen"]["not_tried"].as_array().unwrap().is_empty(), "{checked:#}");
}

#[test]
fn invalid_input_is_refused_before_anything_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    class(at);
    fs::write(at.join("bad.toml"), "check = -3\n").unwrap();
    for (words, code, says) in [
        (&["grade", "class", "--rubric", "bad.toml"][..], 2, "0 or more"),
        (&["grade", "class", "--rubric", "none.toml"], 2, "cannot read the rubric"),
        (&["grade", "class", "--out", "no/such/file"], 2, "cannot write the grades"),
        (&["grade", "nobody"], 3, "there is no bot"),
        (&["grade"], 2, "required"),
        (
            &["grade", "class/ann", "class/bob", "--format", "classroom50"],
            2,
            "classroom50 holds one bot only",
        ),
    ] {
        let output = command(at, words).output().unwrap();
        let said = text(&output.stderr);
        assert!(output.status.code() == Some(code) && said.contains(says), "{words:?}: {said}");
        assert!(!said.contains("grading "), "{words:?}: {said}");
    }
    let printed = command(at, &["grade", "--print-rubric"]).output().unwrap();
    assert!(stdout(&printed).contains("[[against]]"));
}
