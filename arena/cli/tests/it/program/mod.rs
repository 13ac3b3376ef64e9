//! The program `leyden` as typed in a folder, which also holds its state, and its output.
#![allow(dead_code, reason = "each file of tests uses a part")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// Limits that no bot reaches, however busy the machine is.
pub(crate) const LIMITS: [&str; 4] = ["--turn", "100s", "--startup", "100s"];

/// The same, for bots that need no sandbox.
pub(crate) const PATIENT: [&str; 6] = ["--turn", "100s", "--startup", "100s", "--sandbox", "none"];

pub(crate) fn command(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_leyden"));
    command.args(allowing(words)).env("XDG_STATE_HOME", folder).env("LC_ALL", "C").current_dir(folder);
    command.env_remove("GITHUB_ACTIONS").env_remove("GITHUB_STEP_SUMMARY");
    command
}

/// The same words. Where entries must be their authors' own work, the builtin bots that stand for them in tests are allowed.
pub(crate) fn allowing<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let mut words = words.to_vec();
    if matches!(words.first(), Some(&("tournament" | "grade")))
        && !words.iter().any(|word| ["--init", "--allow-builtins"].contains(word))
    {
        words.insert(1, "--allow-builtins");
    }
    words
}

pub(crate) fn leyden(folder: &Path, words: &[&str]) -> Output {
    command(folder, words).output().unwrap()
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The same for commands that play matches.
pub(crate) fn played(folder: &Path, words: &[&str]) -> Output {
    leyden(folder, &[words, &LIMITS].concat())
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Standard output of a command that has to succeed.
#[track_caller]
pub(crate) fn printed(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", stderr(output));
    stdout(output)
}

/// Both outputs of a command that has to end with this code.
#[track_caller]
pub(crate) fn said(folder: &Path, words: &[&str], code: i32) -> String {
    let output = leyden(folder, words);
    let said = stdout(&output) + &stderr(&output);
    assert_eq!(output.status.code(), Some(code), "{words:?}: {said}");
    said
}

/// The document that a gate prints, after a check of its exit code.
pub(crate) fn document(output: &Output, code: i32) -> Value {
    assert_eq!(output.status.code(), Some(code), "{}", stderr(output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The output of a command once the machine is not too busy to hold a bot to its limits.
pub(crate) fn on_quiet_host(mut run: impl FnMut() -> Output) -> Output {
    // Other failures of the host also end with exit code 5, and must be seen.
    let is_busy = |output: &Output| {
        let said = [&output.stdout[..], &output.stderr].map(String::from_utf8_lossy).concat();
        output.status.code() == Some(5)
            && ["host overloaded", "grading was cut short"].iter().any(|why| said.contains(why))
    };
    let mut outputs = (0..20).map(|_| run());
    outputs.find(|output| !is_busy(output)).expect("a moment that is not too busy")
}

#[track_caller]
pub(crate) fn assert_valid(folder: &Path, schema: &str, document: &Value) {
    let schema: Value = serde_json::from_str(&printed(&leyden(folder, &["schema", schema]))).unwrap();
    // An empty schema would match everything.
    let has = |part: &&str| {
        schema[*part].as_object().is_some_and(|all| !all.is_empty())
            || schema[*part].as_array().is_some_and(|all| !all.is_empty())
    };
    assert!(["properties", "anyOf", "oneOf"].iter().any(has), "{schema:#}");
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator.iter_errors(document).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}\n{document:#}");
}

/// Asserts that every tag is closed, and that the root is as expected.
pub(crate) fn assert_is_junit(text: &str) {
    let mut open: Vec<&str> = Vec::new();
    for tag in text.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').unwrap();
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None if tag.starts_with('?') || tag.ends_with('/') => {}
            None => open.push(tag.split_whitespace().next().unwrap()),
        }
    }
    assert!(open.is_empty() && text.contains("<testsuites name=\"leyden\""), "{text}");
}

/// A bot that plays like the builtin one, in a folder of this name.
pub(crate) fn write_bot(at: &Path, folder: &str, manifest: &str) {
    fs::create_dir_all(at.join(folder)).unwrap();
    fs::write(at.join(folder).join("bot.toml"), manifest).unwrap();
}

pub(crate) fn builtin(name: &str, bot: &str) -> String {
    format!("name = \"{name}\"\ncommand = [{:?}, \"bot\", \"{bot}\"]\n", env!("CARGO_BIN_EXE_leyden"))
}

pub(crate) fn git(at: &Path, words: &[&str]) {
    let mut git = Command::new("git");
    git.args(["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]);
    git.args(words).current_dir(at);
    let output = git
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .output()
        .expect("git");
    assert!(output.status.success(), "{}", stderr(&output));
}
