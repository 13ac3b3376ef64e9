//! A bot created by `leyden new`: it is built, passes its check and plays, in each language that this machine has.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output};

use leyden_tests::program;

fn leyden(folder: &Path, words: &[&str]) -> Output {
    Command::new(program("leyden")).args(words).current_dir(folder).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Enough time for a busy machine.
const PATIENT: [&str; 4] = ["--turn", "100s", "--startup", "100s"];

/// Creates, checks and plays a bot. Returns whether the machine has the language.
fn plays(language: &str, to_change: &str) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let made = leyden(at, &["new", "mine", "--lang", language]);
    assert_eq!(made.status.code(), Some(0), "{}", said(&made));
    let file = at.join("mine").join(to_change);
    let lines = fs::read_to_string(&file).unwrap().lines().count();
    assert!(lines < 60, "{to_change} has {lines} lines");
    assert!(fs::read_to_string(at.join("mine/bot.toml")).unwrap().contains("name = \"mine\""));
    assert!(fs::read_to_string(at.join("mine/README.md")).unwrap().contains(to_change));
    let is_here = !said(&made).contains("untested");
    if !is_here {
        let why = said(&made).lines().last().unwrap_or_default().to_owned();
        let _ = writeln!(std::io::stderr(), "LEFT OUT: a bot in {language}: {why}");
    }
    if is_here {
        let checked = leyden(at, &[&["check", "mine", "--all"], &PATIENT[..]].concat());
        assert_eq!(checked.status.code(), Some(0), "{language}: {}", said(&checked));
        assert!(said(&checked).contains("nothing failed"), "{language}: {}", said(&checked));
        let words = ["match", "mine", "builtin:greedy", "--seed", "s", "--target", "30", "--json"];
        let played = leyden(at, &[&words[..], &PATIENT].concat());
        assert_eq!(played.status.code(), Some(0), "{language}: {}", said(&played));
        assert!(said(&played).contains("\"fault\":null"), "{language}: {}", said(&played));
        assert!(!said(&played).contains("\"fault\":{"), "{language}: {}", said(&played));
    }
    is_here
}

#[test]
fn bots_in_scripting_languages_play() {
    assert!(plays("python", "bot.py"), "tests/run installs it");
    assert!(plays("javascript", "bot.js"), "tests/run installs it");
    plays("typescript", "bot.ts");
}

#[test]
fn bots_in_compiled_languages_play() {
    assert!(plays("c", "bot.c"), "tests/run installs it");
    assert!(plays("cpp", "bot.cpp"), "tests/run installs it");
    assert!(plays("rust", "bot.rs"), "these tests were built with it");
    plays("go", "bot.go");
}

#[test]
fn bots_in_languages_with_a_virtual_machine_play() {
    assert!(plays("java", "Bot.java"), "tests/run installs it");
    plays("csharp", "Bot.cs");
}

#[test]
fn new_bot_overwrites_nothing_and_gets_requested_workflow() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let words = ["new", "mine", "--lang", "python", "--ci", "github"];
    assert_eq!(leyden(at, &words).status.code(), Some(0));
    let workflow = fs::read_to_string(at.join("mine/.github/workflows/bot.yml")).unwrap();
    assert!(
        workflow.contains("leyden check") && workflow.contains("pip install \"$LEYDEN_WHEEL\""),
        "{workflow}"
    );
    assert!(!workflow.contains("@INSTALL@"), "{workflow}");
    for step in
        ["leyden gate .", "LEYDEN_SOURCE", "fetch-depth: 0", "the exit code is 4", "# --max-time limits"]
    {
        assert!(workflow.contains(step), "{workflow}");
    }
    let again = leyden(at, &words);
    assert!(again.status.code() == Some(2) && said(&again).contains("not empty"), "{}", said(&again));
    let named = leyden(at, &["new", "a b", "--lang", "python"]);
    assert!(named.status.code() == Some(2) && said(&named).contains("such as my-bot"), "{}", said(&named));
    assert!(!at.join("a b").exists());
}

#[test]
fn existing_bot_gets_workflow_where_github_reads_it() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    assert_eq!(leyden(at, &["new", "bots/mine", "--lang", "python"]).status.code(), Some(0));
    let add = ["new", "bots/mine", "--ci", "github"];
    // Without a repository, the bot's folder will be one.
    let written = leyden(at, &add);
    assert_eq!(written.status.code(), Some(0), "{}", said(&written));
    let workflow = fs::read_to_string(at.join("bots/mine/.github/workflows/bot.yml")).unwrap();
    for part in ["timeout-minutes: ", "on: [push, pull_request]", "#   LEYDEN_REV ", "runs-on: ubuntu-latest"]
    {
        assert!(workflow.contains(part), "{part}: {workflow}");
    }
    assert!(!workflow.contains("working-directory: ") && !workflow.contains("@DEFAULTS@"), "{workflow}");
    let again = leyden(at, &add);
    assert!(
        again.status.code() == Some(2) && said(&again).contains("bot.yml already exists"),
        "{}",
        said(&again)
    );
    assert_eq!(fs::read_to_string(at.join("bots/mine/.github/workflows/bot.yml")).unwrap(), workflow);
    // In a repository it goes to the top, and plays below.
    fs::create_dir(at.join(".git")).unwrap();
    assert_eq!(leyden(at, &add).status.code(), Some(0));
    let workflow = fs::read_to_string(at.join(".github/workflows/mine.yml")).unwrap();
    assert!(workflow.contains("        working-directory: \"bots/mine\"\n"), "{workflow}");
    // A new bot's, too, which leaves nothing where GitHub does not look.
    let new = leyden(at, &["new", "bots/other", "--lang", "python", "--ci", "github"]);
    assert!(new.status.success() && said(&new).contains(".github/workflows/other.yml"), "{}", said(&new));
    let workflow = fs::read_to_string(at.join(".github/workflows/other.yml")).unwrap();
    assert!(workflow.contains("        working-directory: \"bots/other\"\n"), "{workflow}");
    assert!(!at.join("bots/other/.github").exists());
    // A repository within another is separate.
    fs::create_dir(at.join("bots/other/.git")).unwrap();
    assert!(leyden(at, &["new", "bots/other", "--ci", "github"]).status.success());
    assert!(at.join("bots/other/.github/workflows/bot.yml").exists());
    fs::write(at.join(".github/workflows/late.yml"), "mine").unwrap();
    let refused = leyden(at, &["new", "late", "--lang", "python", "--ci", "github"]);
    assert!(refused.status.code() == Some(2) && !at.join("late").exists(), "{}", said(&refused));
    let none = leyden(at, &["new", "bots", "--ci", "github"]);
    assert!(none.status.code() == Some(2) && said(&none).contains("has no bot.toml"), "{}", said(&none));
    assert!(leyden(at, &["help", "gate"]).stdout.windows(12).any(|part| part == b"--ci github "));
    assert!(fs::read_to_string(at.join("bots/mine/README.md")).unwrap().contains("leyden new . --ci github"));
}

#[test]
fn printed_steps_work_as_printed() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir(at.join("my bots")).unwrap();
    let made = leyden(at, &["new", "my bots/mine", "--lang", "python"]);
    assert_eq!(made.status.code(), Some(0), "{}", said(&made));
    let printed = said(&made);
    // Behind a wide gap stands what a step is for.
    let steps = printed.lines().filter_map(|line| line.strip_prefix("  ")?.split("    ").next());
    let steps: Vec<&str> = steps.collect();
    let [enter, others @ ..] = &steps[..] else { panic!("{printed}") };
    assert!(others.len() == 3 && others.iter().all(|step| step.starts_with("leyden ")), "{printed}");
    let beside = program("leyden").parent().unwrap().display().to_string();
    let path = format!("{beside}:{}", std::env::var("PATH").unwrap_or_default());
    let step = |step: &str| {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("{enter} && {step}")).current_dir(at);
        // For the user's own state: not the folder of the bot.
        shell.env("PATH", &path).env("XDG_STATE_HOME", at.join("state")).env_remove("GITHUB_ACTIONS");
        shell.output().unwrap()
    };
    for one in others {
        let more = if one.ends_with("thinking") { String::new() } else { PATIENT.join(" ") };
        let output = step(&format!("{one} {more}"));
        assert_eq!(output.status.code(), Some(0), "{one}: {}", said(&output));
    }
    let state = fs::read_dir(at.join("state/leyden")).unwrap().count();
    assert!(state > 0, "the match was kept");
    // The test that comes with the folder does the same.
    let tested = step("./test");
    let is_late = ["timeout", "--startup"].iter().any(|why| said(&tested).contains(why))
        || tested.status.code() == Some(5);
    assert!(tested.status.success() || is_late, "{}", said(&tested));
    assert!(is_late || said(&tested).contains("pairs    20 of 20"), "{}", said(&tested));
    assert!(!at.join("my bots/mine/cases").exists());

    let long = "a".repeat(101);
    let refused = leyden(at, &["new", &long, "--lang", "python"]);
    assert!(refused.status.code() == Some(2) && said(&refused).contains("at most 100"), "{}", said(&refused));
}
