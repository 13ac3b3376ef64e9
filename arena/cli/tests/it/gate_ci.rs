//! `leyden gate` run by a service: in another checkout each time, read by programs, with nobody there to ask.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::program::{PATIENT, assert_valid, builtin, command, git, stderr, text};

fn gate(at: &Path, words: &[&str]) -> Output {
    command(at, &[&["gate"], words, &PATIENT].concat()).output().unwrap()
}

fn assert_code(output: &Output, code: i32) {
    assert_eq!(output.status.code(), Some(code), "{}{}", text(&output.stdout), stderr(output));
}

/// A bot that plays like the builtin one.
fn write_bot(folder: &Path, bot: &str) {
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("bot.toml"), builtin("mine", bot)).unwrap();
}

/// A repository with a bot in it, committed as `v1` and changed since.
fn checkout(at: &Path) {
    git(at, &["init", "--quiet"]);
    write_bot(&at.join("bots/mine"), "random");
    for words in [&["add", "."][..], &["commit", "--quiet", "-m", "one"], &["tag", "v1"]] {
        git(at, words);
    }
    write_bot(&at.join("bots/mine"), "careful");
}

fn document(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(output)))
}

/// The names of the test cases of a report, and those that did not pass.
fn junit(path: &Path) -> (Vec<String>, String) {
    let report = fs::read_to_string(path).unwrap();
    let named = |line: &str| line.split_once("<testcase name=\"")?.1.split('"').next().map(str::to_owned);
    (report.lines().filter_map(named).collect(), report)
}

#[test]
fn gate_resumes_in_another_checkout_under_other_names() {
    let (one, two, kept) =
        (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let results = kept.path().join("gate.db").display().to_string();
    checkout(one.path());
    let run = |at: &Path, pairs: &str, revision: &str, more: &[&str]| {
        let words = [".", "--against", revision, "--max-pairs", pairs, "--results", &results];
        let words = [&["gate"], &words[..], &["--json", "--elo1", "200"], more, &PATIENT].concat();
        command(at, &words).env("XDG_STATE_HOME", kept.path()).output().unwrap()
    };
    let begun = document(&run(&one.path().join("bots/mine"), "1", "v1", &[]));
    assert_eq!(begun["test"]["pairs"], 1);

    // Another checkout, in which the bot's folder and the revision have other names.
    let copied = Command::new("cp").arg("-r").args([one.path(), &two.path().join("fresh")]).status().unwrap();
    assert!(copied.success());
    let fresh = two.path().join("fresh/bots/mine");
    git(&fresh, &["tag", "release", "v1"]);
    let output = run(&fresh, "2", "release", &["--resume"]);
    let resumed = document(&output);
    assert_eq!(
        (&resumed["test"]["pairs"], &resumed["bots"][0]["name"]),
        (&2.into(), &begun["bots"][0]["name"])
    );
    assert_eq!(resumed["bots"][1]["name"], begun["bots"][1]["name"]);
    // The paths of the bots follow.
    let stored = leyden_arena::record::store::Results::open(Path::new(&results)).unwrap();
    let folders: Vec<_> = stored.stored_plan().bots.iter().map(|bot| bot.folder.clone().unwrap()).collect();
    assert!(folders[0].ends_with("/fresh/bots/mine"), "{folders:?}");
    assert_eq!(folders[1], "git:release:bots/mine");
    drop(stored);

    // A changed bot is identified by its files and its revision, not by a folder that the user never typed.
    fs::write(fresh.join("notes.txt"), "new").unwrap();
    let refused = run(&fresh, "2", "release", &["--resume"]);
    assert_code(&refused, 2);
    let printed = stderr(&refused);
    assert!(
        printed.contains("content of mine (mine): ") && printed.contains("; changed: notes.txt (new)"),
        "{printed}"
    );
    assert!(printed.contains("the same command without --resume, and with a new file"), "{printed}");
    assert!(!printed.contains("--replace"), "{printed}");
    fs::remove_file(fresh.join("notes.txt")).unwrap();
    git(&fresh, &["commit", "--quiet", "-a", "-m", "two"]);
    let refused = run(&fresh, "2", "HEAD", &["--resume"]);
    assert_code(&refused, 2);
    let printed = stderr(&refused);
    assert!(printed.contains("git:release:bots/mine in the file, now"), "what it was: {printed}");
    let is_commit =
        |folder: &str| folder.starts_with(|c: char| c.is_ascii_hexdigit()) && folder.contains(":bots/mine");
    assert!(printed.split("git:").any(is_commit), "HEAD may be another commit tomorrow: {printed}");
    assert!(printed.contains("; changed: bot.toml"), "{printed}");
    let temporary = std::env::temp_dir().join("leyden");
    assert!(!printed.contains(&temporary.display().to_string()), "{printed}");
    // The other way round it is another gate.
    for (name, bot) in [("a", "careful"), ("b", "greedy")] {
        write_bot(&two.path().join(name), bot);
    }
    let end = ["--max-pairs", "1", "--results", "turned.db"];
    assert_code(&gate(two.path(), &[&["a", "b"], &end[..]].concat()), 4);
    fs::rename(two.path().join("a"), two.path().join("c")).unwrap();
    let renamed = ["c", "b", "--max-pairs", "2", "--results", "turned.db", "--resume"];
    assert_code(&gate(two.path(), &renamed), 4);
    let turned = gate(two.path(), &[&["b", "c"], &end[..], &["--resume"]].concat());
    assert!(
        stderr(&turned).contains("mine (a) against mine (b), now the other way round"),
        "{}",
        stderr(&turned)
    );
}

#[test]
fn environment_problems_are_reported_with_a_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    checkout(at);
    let words = [&["gate", "bots/mine", "--against", "v1", "--max-pairs", "1"][..], &PATIENT].concat();
    let run = |name: &str, value: &Path| command(at, &words).env(name, value).output().unwrap();
    let output = run("TMPDIR", &at.join("gone"));
    let printed = stderr(&output);
    assert_code(&output, 5);
    assert!(printed.contains("/gone, where temporary files go: ") && printed.contains("TMPDIR"), "{printed}");
    assert!(!printed.contains("leyden-tmp-"), "a folder that nobody has named: {printed}");

    let output = run("GIT_TEST_ASSUME_DIFFERENT_OWNER", Path::new("1"));
    assert_code(&output, 2);
    assert!(stderr(&output).contains("; to allow it: git config --global --add safe.directory "));

    let output = command(at, &words)
        .env("GITHUB_ACTIONS", "true")
        .env("GITHUB_STEP_SUMMARY", at.join("no/summary.md"))
        .output()
        .unwrap();
    let printed = stderr(&output);
    assert!(
        printed.contains("cannot write the step summary to ") && printed.contains("no/summary.md: "),
        "{printed}"
    );

    // Nothing is left of two bots if one is.
    let missing = gate(at, &["bots/mine", "nobody/bot", "--allow-missing"]);
    assert_code(&missing, 3);
    assert!(!stderr(&missing).contains("allow-missing"), "{}", stderr(&missing));
}

#[test]
fn compared_versions_are_named_by_their_commits() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    checkout(at);
    let words = ["bots/mine", "--against", "v1", "--max-pairs", "1", "--junit", "gate.xml"];
    let changed = stderr(&gate(at, &words));
    assert!(changed.contains(" with changes that are not committed; old: v1:bots/mine"), "{changed}");
    git(at, &["commit", "--quiet", "-a", "-m", "two"]);
    let committed = stderr(&gate(at, &words));
    assert!(committed.contains("; old: v1:bots/mine") && !committed.contains("not committed"), "{committed}");
    let (_, report) = junit(&at.join("gate.xml"));
    assert!(report.contains("<property name=\"commit of the candidate\" value=\""), "{report}");
}

#[test]
fn unbuilt_old_version_is_reported_with_a_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    checkout(at);
    let manifest = "name = \"mine\"\ncommand = [\"build/bot\"]\nbuild = [\"make\"]\n";
    fs::write(at.join("bots/mine/bot.toml"), manifest).unwrap();
    git(at, &["commit", "--quiet", "-a", "-m", "built"]);
    fs::create_dir(at.join("bots/mine/build")).unwrap();
    fs::write(at.join("bots/mine/build/bot"), "#!/bin/sh\n").unwrap();
    fs::set_permissions(at.join("bots/mine/build/bot"), fs::Permissions::from_mode(0o755)).unwrap();
    let output = gate(at, &["bots/mine", "--against", "HEAD", "--no-build"]);
    assert_code(&output, 3);
    assert!(stderr(&output).contains("unless it was committed. Leave --no-build out"), "{}", stderr(&output));
}

#[test]
fn report_keeps_case_names_for_any_bots() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write_bot(&at.join("new"), "careful");
    write_bot(&at.join("other/name"), "random");
    let fixed = ["verdict", "faults of the candidate", "faults of the opponent"];
    for bots in [["new", "other/name"], ["other/name", "new"]] {
        gate(at, &[&bots[..], &["--max-pairs", "2", "--junit", "gate.xml"]].concat());
        let (names, report) = junit(&at.join("gate.xml"));
        assert_eq!(names, fixed, "{report}");
        let new = bots[0].rsplit('/').next().unwrap();
        assert!(report.contains(&format!("name=\"candidate\" value=\"mine ({new})\"")), "{report}");
        assert_eq!(report.matches(" time=\"").count(), 4, "of the suite and of each case: {report}");
    }
}

/// The result of pinning each action of the first deal of the first match of a results file.
fn pin(at: &Path, file: &str, more: &[&str]) -> Vec<Output> {
    let exported = command(at, &["export", file]).output().unwrap();
    let record: Value = serde_json::from_str(text(&exported.stdout).lines().next().unwrap()).unwrap();
    let id = record["match"].as_str().unwrap();
    let actions = record["rounds"][0]["actions"].as_array().unwrap().len();
    let pinned = |action: usize| {
        let turn_ref = format!("r0.t{action}");
        command(at, &[&["pin", file, id, "--turn", &turn_ref], more].concat()).output().unwrap()
    };
    (0..actions).map(pinned).collect()
}

#[test]
fn gate_reports_passing_and_missing_cases() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (name, bot) in [("new", "careful"), ("old", "greedy")] {
        write_bot(&at.join(name), bot);
    }
    let words = ["new", "old", "--max-pairs", "1", "--results", "played.db", "--seed", "s"];
    assert_code(&gate(at, &words), 4);
    // A case belongs to the new version, even if the old one has the same name.
    // It still does when the new version has changed since and its files no longer identify it.
    write_bot(&at.join("edited"), "careful --blunder 1");
    for bot in ["new", "edited"] {
        let pinned = pin(at, "played.db", &["--bot", bot]);
        let (good, refused): (Vec<_>, Vec<_>) = pinned.iter().partition(|output| output.status.success());
        let is_its_own =
            |output: &&Output| text(&output.stdout).contains("it was a question to mine (new), at seat 0");
        assert!(!good.is_empty() && good.iter().all(is_its_own), "{bot}");
        let is_anothers = |output: &&Output| stderr(output).contains("was not a question to this bot");
        assert!(refused.iter().any(is_anothers), "{bot}: the old one was asked, too");
        fs::remove_dir_all(at.join(bot).join("cases")).unwrap();
    }
    let once = pin(at, "played.db", &["--bot", "new", "--name", "kept"]);
    assert_eq!(once.iter().filter(|output| output.status.success()).count(), 1, "a name is taken once");
    fs::create_dir(at.join("old/cases")).unwrap();
    fs::copy(at.join("new/cases/kept.json"), at.join("old/cases/renamed.json")).unwrap();
    fs::write(at.join("old/cases/gone.json"), "damaged").unwrap();

    let words = ["new", "old", "--max-pairs", "1", "--junit", "gate.xml"];
    let output = gate(at, &words);
    assert_code(&output, 4);
    assert!(
        text(&output.stdout).contains("1 case passes; missing, which the old version has: gone"),
        "{}",
        text(&output.stdout)
    );
    assert!(
        stderr(&output).contains("warning: the old version has a case that the new one does not have: gone"),
        "{}",
        stderr(&output)
    );
    let (names, report) = junit(&at.join("gate.xml"));
    assert_eq!(names[3..], ["case kept", "case gone"], "{report}");
    let printed = document(&gate(at, &["new", "old", "--max-pairs", "1", "--json"]));
    assert_eq!(
        (&printed["cases"]["passed"], &printed["cases"]["findings"][0]["name"]),
        (&true.into(), &"case-kept".into())
    );
    assert_eq!(printed["missing_cases"], serde_json::json!(["gone"]));
    assert_valid(at, "gate", &printed);

    // Damage to the new version is reported at the path that was typed, even if the bot plays from a copy.
    fs::create_dir(at.join("new/.git")).unwrap();
    fs::write(at.join("new/cases/bad.json"), "damaged").unwrap();
    let output = gate(at, &["new", "old", "--results", "never.db"]);
    assert_code(&output, 2);
    assert!(stderr(&output).contains("leyden: new/cases/bad.json: "), "{}", stderr(&output));
    assert!(!at.join("never.db").exists());
}

/// The lines of standard error that the runner of GitHub Actions shows as annotations.
fn annotations(output: &Output) -> Vec<String> {
    stderr(output).lines().filter(|line| line.starts_with("::")).map(str::to_owned).collect()
}

#[test]
fn document_lists_faults_and_run_has_one_annotation() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write_bot(&at.join("good"), "greedy");
    write_bot(&at.join("old"), "careful");
    fs::create_dir(at.join("dead")).unwrap();
    fs::write(at.join("dead/bot.toml"), "name = \"dead\"\ncommand = [\"false\"]\n").unwrap();
    let printed = document(&gate(at, &["dead", "good", "--seed", "s", "--json"]));
    assert_valid(at, "gate", &printed);
    let faults = printed["bots"][0]["faults"].as_array().unwrap();
    assert_eq!(faults.len(), 2, "{printed:#}");
    let (kind, turn, seat) = (&faults[0]["kind"], &faults[0]["turn"], &faults[0]["seat"]);
    assert_eq!((kind, turn, seat), (&"handshake".into(), &Value::Null, &0.into()));
    assert!(faults[0]["match"].is_string() && faults[0]["message"].is_string());
    assert_eq!(printed["bots"][1]["faults"], serde_json::json!([]));

    let in_actions = |words: &[&str]| {
        let mut run = command(at, &[&["gate"], words, &PATIENT].concat());
        run.env("GITHUB_ACTIONS", "true").output().unwrap()
    };
    for (words, begins) in [
        (&["dead", "good"][..], "::error title=leyden gate::rejected for its faults: "),
        (&["good", "old", "--max-pairs", "1"], "::warning title=leyden gate::undecided: "),
        (
            &["good", "old", "--elo1", "1", "--max-time", "1ms"],
            "::warning title=leyden gate::undecided: the time is up",
        ),
        (&["good", "nobody"], "::error title=leyden::"),
    ] {
        let output = in_actions(words);
        let printed = annotations(&output);
        assert!(printed.len() == 1 && printed[0].starts_with(begins), "{printed:?}: {}", stderr(&output));
    }
}

#[test]
fn bot_against_itself_plays_one_pair() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write_bot(&at.join("a"), "random");
    write_bot(&at.join("b"), "random");
    let output = gate(at, &["a", "b", "--non-regression"]);
    assert_code(&output, 0);
    assert!(
        stderr(&output).contains("both bots are identical, file for file (SHA-256 "),
        "{}",
        stderr(&output)
    );
    assert!(text(&output.stdout).starts_with("accepted: mine (a) and mine (b) are the same bot"));
    let output = gate(at, &["a", "b", "--json", "--results", "same.db"]);
    assert_code(&output, 4);
    let printed = document(&output);
    assert_valid(at, "gate", &printed);
    assert_eq!(
        (&printed["answer"], &printed["same_bots"], &printed["test"]["pairs"]),
        (&"undecided".into(), &true.into(), &1.into())
    );
    assert!(stderr(&output).contains("--non-regression accepts that"), "{}", stderr(&output));
    let stored = command(at, &["standings", "same.db"]).output().unwrap();
    assert!(
        text(&stored.stdout).starts_with("undecided: mine (a) and mine (b) are the same bot"),
        "{}",
        text(&stored.stdout)
    );
    // A bot that crashes is not accepted merely because it is the same as before.
    for name in ["a", "b"] {
        fs::write(at.join(name).join("bot.toml"), "name = \"mine\"\ncommand = [\"false\"]\n").unwrap();
    }
    assert_code(&gate(at, &["a", "b", "--non-regression"]), 1);
    let lenient = gate(at, &["a", "b", "--non-regression", "--max-faults", "100", "--max-pairs", "3"]);
    assert_ne!(lenient.status.code(), Some(0), "{}", text(&lenient.stdout));
}

/// A single program is hashed by itself, and may read the files next to it.
#[test]
fn same_program_beside_other_files_is_another_bot() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (name, bot) in [("new", "random"), ("old", "greedy")] {
        fs::create_dir(at.join(name)).unwrap();
        let leyden = env!("CARGO_BIN_EXE_leyden");
        let script = format!("#!/bin/sh\nread -r bot < \"${{0%/*}}/which\"\nexec {leyden} bot \"$bot\"\n");
        fs::write(at.join(name).join("bot"), script).unwrap();
        fs::set_permissions(at.join(name).join("bot"), fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(at.join(name).join("which"), format!("{bot}\n")).unwrap();
    }
    let words = ["new/bot", "old/bot", "--non-regression", "--max-pairs", "2", "--results", "g.db", "--json"];
    let printed = document(&gate(at, &words));
    assert_eq!((&printed["same_bots"], &printed["test"]["pairs"]), (&false.into(), &2.into()), "{printed:#}");
    let other =
        ["old/bot", "old/bot", "--non-regression", "--max-pairs", "3", "--results", "g.db", "--resume"];
    let refused = gate(at, &other);
    assert!(refused.status.code() == Some(2) && stderr(&refused).contains("new/bot"), "{}", stderr(&refused));
    // At the same path it is the same bot.
    let printed = document(&gate(at, &["old/bot", "old/bot", "--json"]));
    assert_eq!(printed["same_bots"], true, "{printed:#}");
}

#[test]
fn missing_old_version_suggests_taking_it_from_git() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    checkout(at);
    let bot = at.join("bots/mine");
    let printed = stderr(&gate(&bot, &[".", "v1"]));
    assert!(printed.contains("leyden gate . --against v1"), "{printed}");
    let printed = stderr(&gate(&bot, &["."]));
    assert!(printed.contains("leyden gate . --against HEAD"), "{printed}");
    let printed = stderr(&gate(&bot, &[".", "v0"]));
    assert!(!printed.contains("--against"), "{printed}");
    fs::write(at.join("ci.toml"), "[gate]\nagainst = \"v1\"\nmax-pairs = 1\n").unwrap();
    let printed = document(&gate(at, &["bots/mine", "--config", "ci.toml", "--json"]));
    assert!(printed["bots"][1]["name"].as_str().unwrap().starts_with("mine (v1-"), "{printed:#}");
    let printed =
        document(&gate(at, &["builtin:careful", "builtin:greedy", "--config", "ci.toml", "--json"]));
    assert_eq!(printed["bots"][1]["name"], "greedy", "both were typed: {printed:#}");
}
