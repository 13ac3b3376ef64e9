//! Output files are checked before anything is built or played.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::program::{leyden, text};

/// A bot that reports when it is built.
fn hand_in(at: &Path) {
    fs::create_dir_all(at.join("mine")).unwrap();
    let manifest = format!(
        "name = \"mine\"\ncommand = [{:?}, \"bot\", \"random\"]\nbuild = [\"true\"]\n",
        env!("CARGO_BIN_EXE_leyden")
    );
    fs::write(at.join("mine/bot.toml"), manifest).unwrap();
}

#[test]
fn unwritable_output_is_reported_before_any_build() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    hand_in(at);
    fs::write(at.join("taken.db"), "").unwrap();
    for (words, says) in [
        (
            &["tournament", "mine", "builtin:random", "--results", "no/such/r.db"][..],
            "cannot create no/such/r.db",
        ),
        (&["tournament", "mine", "builtin:random", "--results", "taken.db"], "exists already"),
        (&["match", "mine", "builtin:random", "--results", "no/r.db"], "cannot create no/r.db"),
        (
            &["match", "mine", "builtin:random", "--junit", "no/r.xml"],
            "cannot write the JUnit report to no/r.xml",
        ),
        (&["gate", "mine", "builtin:random", "--results", "no/r.db"], "cannot create no/r.db"),
        (
            &["gate", "mine", "builtin:random", "--junit", "no/r.xml"],
            "cannot write the JUnit report to no/r.xml",
        ),
        (&["check", "mine", "--junit", "no/r.xml"], "cannot write the JUnit report to no/r.xml"),
        (&["grade", "mine", "--out", "no/r.csv"], "cannot write the grades to no/r.csv"),
    ] {
        let refused = leyden(at, words);
        let said = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{words:?}: {said}");
        assert!(said.contains(says), "{words:?}: {said}");
        assert!(!said.contains("building") && !said.contains("grading"), "{words:?}: {said}");
    }
}

#[test]
fn unwritable_results_folder_is_reported_before_any_build() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    hand_in(at);
    // A file instead of the folder: even root cannot write there.
    fs::write(at.join("leyden"), "").unwrap();
    let refused = leyden(at, &["match", "mine", "builtin:random"]);
    let said = text(&refused.stderr);
    assert!(refused.status.code() == Some(2) && said.contains("cannot keep results in "), "{said}");
    assert!(!said.contains("building"), "{said}");
}

#[test]
fn new_file_that_stays_empty_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("old.csv"), "last year\n").unwrap();
    for out in ["new.csv", "old.csv"] {
        let refused = leyden(at, &["grade", "nobody", "--format", "csv", "--out", out, "--overwrite"]);
        assert_eq!(refused.status.code(), Some(3), "{}", text(&refused.stderr));
    }
    assert!(!at.join("new.csv").exists());
    assert_eq!(fs::read_to_string(at.join("old.csv")).unwrap(), "last year\n");
    fs::write(at.join("results.db"), b"SQLite format 3\0").unwrap();
    fs::set_permissions(at.join("results.db"), fs::Permissions::from_mode(0o600)).unwrap();
    let refused = leyden(at, &["grade", "nobody", "--out", "results.db"]);
    let said = text(&refused.stderr);
    assert!(refused.status.code() == Some(2) && said.contains("is a results file"), "{said}");
}

/// If one file were both, only what is written last would remain.
#[test]
fn one_file_cannot_be_report_and_results() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    hand_in(at);
    let both = at.join("both");
    for command in ["match", "gate"] {
        // A missing file, a foreign one, and old results.
        for before in [None, Some(&b"last year\n"[..]), Some(&b"SQLite format 3\0 and more"[..])] {
            match before {
                Some(before) => fs::write(&both, before).unwrap(),
                None => assert!(!both.exists()),
            }
            for more in [&[][..], &["--resume"]] {
                let words =
                    [&[command, "mine", "builtin:random", "--junit", "both", "--results", "both"][..], more];
                let refused = leyden(at, &words.concat());
                let said = text(&refused.stderr);
                assert_eq!(refused.status.code(), Some(2), "{words:?}: {said}");
                assert!(!said.contains("building"), "{words:?}: {said}");
                let says = "cannot be both the results file and the JUnit report";
                let others = ["both is a results file", "both holds something else"];
                let is_said = said.contains(says) || others.iter().any(|other| said.contains(other));
                assert!(is_said, "{words:?}: {said}");
                assert_eq!(fs::read(&both).ok().as_deref(), before, "{words:?}: {said}");
            }
            let _ = fs::remove_file(&both);
        }
    }
}

/// In CI the report is all that many people look at.
#[test]
fn gate_report_explains_why_there_is_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    hand_in(at);
    let read = |name: &str| fs::read_to_string(at.join(name)).unwrap();
    for (words, code, kind, says) in [
        (&["mine", "nobody"][..], 3, "missing", "no such file or folder"),
        (&["mine"], 2, "usage", "two bots"),
        (&["mine", "builtin:random", "--max-pears", "3"], 2, "usage", "--max-pears"),
        (&["mine", "builtin:random", "--blocks", "2"], 2, "usage", "--max-pairs ends it"),
        (&["--config", "gone.toml"], 2, "usage", "cannot read the configuration gone.toml"),
        (&["mine", "builtin:random", "--results", "no/r.db"], 2, "usage", "cannot create no/r.db"),
    ] {
        // Each except the first overwrites the one before.
        let refused = leyden(at, &[&["gate"], words, &["--junit", "gate.xml"]].concat());
        let (said, report) = (text(&refused.stderr), read("gate.xml"));
        assert_eq!(refused.status.code(), Some(code), "{words:?}: {said}");
        assert!(report.contains("tests=\"1\" skipped=\"0\" errors=\"1\" failures=\"0\""), "{report}");
        assert!(report.contains("<testcase name=\"verdict\""), "{report}");
        assert!(report.contains("<error ") && report.contains(&format!(" type=\"{kind}\"")), "{report}");
        assert!(said.contains(says) && report.contains(says), "{words:?}: {said}{report}");
    }
}

#[test]
fn report_says_why_there_is_no_result() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    hand_in(at);
    fs::write(at.join("kept.xml"), "before").unwrap();
    for (words, case) in [
        (&["check", "nobody"][..], "start"),
        (&["check", "mine", "--only", "nothing"], "start"),
        (&["check", "mine", "--olny", "draw"], "start"),
        (&["match", "nobody", "builtin:random"], "match"),
        (&["match", "mine", "builtin:random", "--blocs", "2"], "match"),
        (&["gate", "nobody", "builtin:random"], "verdict"),
    ] {
        let output = leyden(at, &[words, &["--junit", "new.xml"]].concat());
        assert!(output.status.code() >= Some(2), "{words:?}: {}", text(&output.stderr));
        let report = fs::read_to_string(at.join("new.xml")).unwrap();
        let head = format!("<testcase name=\"{case}\" classname=\"leyden {}\"", words[0]);
        assert!(report.contains(&head) && report.contains("errors=\"1\""), "{words:?}: {report}");
        fs::remove_file(at.join("new.xml")).unwrap();
        let output = leyden(at, &[words, &["--junit", "kept.xml"]].concat());
        assert!(output.status.code() >= Some(2), "{words:?}: {}", text(&output.stderr));
    }
    assert_eq!(fs::read_to_string(at.join("kept.xml")).unwrap(), "before");
    for command in ["check", "match", "gate"] {
        let bots: &[&str] = if command == "check" { &["nobody"] } else { &["nobody", "builtin:random"] };
        let output = leyden(at, &[&[command], bots, &["--junit", "no/such/folder.xml"]].concat());
        assert_eq!(output.status.code(), Some(2), "before anything else: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains("cannot write the JUnit report"), "{}", text(&output.stderr));
    }
}

/// If the name of a report or a page was forgotten, the next word is that of a bot.
#[test]
fn files_not_written_by_leyden_are_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    hand_in(at);
    fs::write(at.join("bot.py"), "print()\n").unwrap();
    let patient =
        ["--turn", "100s", "--startup", "100s", "--sandbox", "none", "--target", "10", "--seed", "s"];
    let played =
        leyden(at, &[&["match", "mine", "builtin:random", "--results", "r.db"][..], &patient].concat());
    assert_eq!(played.status.code(), Some(0), "{}", text(&played.stderr));
    let exported = text(&leyden(at, &["export", "r.db"]).stdout);
    let first: serde_json::Value = serde_json::from_str(exported.lines().next().unwrap()).unwrap();
    let id = first["match"].as_str().unwrap();
    for words in [
        &["gate", "mine", "builtin:random", "--junit", "bot.py"][..],
        &["match", "mine", "builtin:random", "--junit", "bot.py"],
        &["check", "mine", "--junit", "bot.py"],
        &["replay", "r.db", id, "--html", "bot.py"],
    ] {
        let refused = leyden(at, words);
        let said = text(&refused.stderr);
        assert!(refused.status.code() == Some(2) && said.contains("bot.py holds something else"), "{said}");
        assert!(!said.contains("building"), "{words:?}: {said}");
        assert_eq!(fs::read_to_string(at.join("bot.py")).unwrap(), "print()\n");
    }
    // It may overwrite what it has written itself.
    for _ in 0..2 {
        let page = leyden(at, &["replay", "r.db", id, "--html", "page.html"]);
        assert_eq!(page.status.code(), Some(0), "{}", text(&page.stderr));
    }
    // It does not overwrite other programs' pages, nor the pages of a report.
    assert!(leyden(at, &["report", "r.db", "--out", "report"]).status.success());
    fs::write(
        at.join("own.html"),
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>mine</title>",
    )
    .unwrap();
    for page in ["own.html", "report/index.html"] {
        let before = fs::read(at.join(page)).unwrap();
        let refused = leyden(at, &["replay", "r.db", id, "--html", page]);
        let said = text(&refused.stderr);
        assert!(refused.status.code() == Some(2) && said.contains("holds something else"), "{page}: {said}");
        assert_eq!(fs::read(at.join(page)).unwrap(), before);
    }
    let unnamed = leyden(at, &["replay", "r.db", "--html", "page.html"]);
    assert!(text(&unnamed.stderr).contains("name one by its id"), "{}", text(&unnamed.stderr));
    let help = text(&leyden(at, &["help", "replay"]).stdout);
    let help: Vec<&str> = help.split_whitespace().collect();
    assert!(help.join(" ").contains("or with --html to the only one"), "{help:?}");
}

#[test]
fn stderr_is_shown_after_a_match_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    hand_in(at);
    fs::create_dir(at.join("sad")).unwrap();
    fs::write(at.join("sad/bot.toml"), "name = \"sad\"\ncommand = [\"sh\", \"bot.sh\"]\n").unwrap();
    let script = r#"echo '{"type":"ready","protocol":"1.0","name":"sad"}'
while read -r line; do
    case "$line" in *'"turn"'*) printf 'no such tile\n\033[2Jgone\n' >&2; exit 1;; esac
done
"#;
    fs::write(at.join("sad/bot.sh"), script).unwrap();
    let patient = ["--turn", "100s", "--startup", "100s", "--sandbox", "none", "--blocks", "1"];
    let words = ["match", "sad", "builtin:random", "--results"];
    let plain = leyden(at, &[&words[..], &["a.db"], &patient].concat());
    assert!(!text(&plain.stdout).contains("no such tile"), "only where it is asked for");
    let seen = leyden(at, &[&words[..], &["b.db", "--stderr"], &patient].concat());
    let said = text(&seen.stdout);
    assert_eq!(seen.status.code(), Some(0), "{}", text(&seen.stderr));
    let shown = "wrote to its standard error in match ";
    assert_eq!(said.matches(shown).count(), 2, "two legs: {said}");
    assert!(said.contains("  │ no such tile\n  │ \u{fffd}[2Jgone\n"), "nothing clears the screen: {said}");
    let score = said.find("sad").unwrap();
    assert!(score < said.find(shown).unwrap(), "after the score: {said}");
    // All that a start printed; the fault quotes the end of it.
    fs::write(at.join("sad/bot.sh"), "seq -f 'step %g' 9 >&2; exit 1\n").unwrap();
    let seen = leyden(at, &[&words[..], &["d.db", "--stderr"], &patient].concat());
    let said = text(&seen.stdout);
    let shown = said.split("wrote to its standard error in match ").nth(1).unwrap_or_default();
    assert_eq!(shown.matches("  │ step ").count(), 9, "{said}");
    let words = ["match", "mine", "builtin:random", "--results", "c.db", "--stderr"];
    let seen = leyden(at, &[&words[..], &patient].concat());
    assert!(text(&seen.stdout).contains("no standard error is kept"), "{}", text(&seen.stdout));
}
