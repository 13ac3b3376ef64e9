//! Honest bots in every language play the same at every level.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use leyden_host::sandbox::SandboxLevel;
use leyden_tests::program;
use serde_json::Value;

use crate::field::{ArenaUser, AttackTargets};

/// Sample bots, each with a command that succeeds if what they need is installed.
const BOTS: [(&str, &[&str]); 7] = [
    ("python-first", &["python3", "-c", "import json"]),
    ("js-mobility", &["node", "--version"]),
    ("java-planner", &["javac", "-version"]),
    ("c-starver", &["cc", "--version"]),
    ("cpp-endgame", &["c++", "--version"]),
    ("perl-hoarder", &["perl", "-MJSON::PP", "-e1"]),
    ("sh-dice", &["sh", "-c", "true"]),
];

/// Whether a command succeeds with the programs that every bot sees.
fn works(words: &[&str]) -> bool {
    let mut command = Command::new(words[0]);
    let output = command.args(&words[1..]).env("PATH", "/usr/local/bin:/usr/bin:/bin").output();
    output.is_ok_and(|output| output.status.success())
}

/// Copies of the sample bots whose language is installed, so that building them does not touch the originals.
fn sample_bots(field: &AttackTargets) -> Vec<String> {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sample-bots");
    let mut bots = Vec::new();
    for (name, needs) in BOTS {
        if !works(needs) {
            eprintln!("left out: {name}, since {} fails here", needs.join(" "));
            continue;
        }
        let copied = Command::new("cp").arg("-r").arg(samples.join(name)).arg(field.path("")).status();
        assert!(copied.is_ok_and(|status| status.success()), "{name} can be copied");
        let opened = Command::new("chmod").args(["-R", "a+rwX"]).arg(field.path(name)).status();
        assert!(opened.is_ok_and(|status| status.success()), "{name} can be opened to all");
        bots.push(field.text(name));
    }
    bots
}

/// The outcome of each match, by its id.
fn outcomes(output: &[u8]) -> BTreeMap<String, String> {
    let events = String::from_utf8_lossy(output).into_owned();
    let events = events.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let record = |event: Value| {
        let record = &event["record"];
        (event["event"] == "match").then(|| {
            let fault = &record["fault"];
            (format!("{} {}", record["bots"], record["leg"]), format!("{} {fault}", record["scores"]))
        })
    };
    events.filter_map(record).collect()
}

#[test]
fn every_language_plays_alike_at_every_level() {
    for who in ArenaUser::everybody() {
        let field = AttackTargets::new();
        let bots = sample_bots(&field);
        let mut first = None;
        for level in who.levels() {
            let results = field.text(&format!("{level}.db"));
            let mut command = who.command(&program("leyden"));
            command.args([
                "tournament",
                "--json",
                "--quiet",
                "--sandbox",
                level.name(),
                "--results",
                &results,
            ]);
            command.args(["--seed", "test", "--target", "20", "--turn", "100s", "--startup", "100s"]);
            command
                .args(&bots)
                .args(["builtin:careful", "--gauntlet", "builtin:careful"])
                .current_dir(field.path("home"));
            let output = command.output().expect("the arena runs");
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{who:?} at {level}: {said}");
            let outcomes = outcomes(&output.stdout);
            assert_eq!(outcomes.len(), 2 * bots.len(), "{who:?} at {level}: {said}");
            for (which, what) in &outcomes {
                assert!(what.ends_with("null"), "{who:?} at {level}: {which} ended by a fault: {what}");
            }
            assert_eq!(*first.get_or_insert_with(|| outcomes.clone()), outcomes, "{who:?} at {level}");
        }
    }
}

/// A program outside of what every bot sees, in its own folder.
fn interpreter(field: &AttackTargets) -> PathBuf {
    let folder = field.path("interpreter");
    std::fs::create_dir(&folder).expect("a folder");
    std::fs::copy("/bin/sh", folder.join("strange-sh")).expect("a shell");
    folder
}

#[test]
fn interpreter_elsewhere_needs_a_request_and_permission() {
    let field = AttackTargets::new();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sample-bots/sh-dice/bot.sh");
    let folder = interpreter(&field);
    let bot = field.path("asking");
    std::fs::create_dir(&bot).expect("a folder");
    std::fs::copy(samples, bot.join("bot.sh")).expect("a bot");
    let manifest = |read: &str| {
        let text = format!("name = \"asking\"\ncommand = [\"strange-sh\", \"bot.sh\"]\n{read}");
        std::fs::write(bot.join("bot.toml"), text).expect("a manifest");
    };
    let search = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    let run = |words: &[&str]| {
        let mut command = ArenaUser::Us.command(&program("leyden"));
        command
            .args(["match", "--quiet", "--turn", "100s", "--startup", "100s", "--results"])
            .arg(field.path(&format!("{}.db", words.len())));
        command
            .args(words)
            .arg(&bot)
            .arg("builtin:random")
            .env("PATH", &search)
            .current_dir(field.path("home"));
        let output = command.output().expect("the arena runs");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let asked = folder.display().to_string();
    for level in ArenaUser::Us.levels().into_iter().filter(|level| level.name() != "none") {
        let level = ["--sandbox", level.name()];
        manifest("");
        let (code, said) = run(&level);
        assert!(code == Some(3) && said.contains("asking: strange-sh is"), "{said}");
        manifest(&format!("read = [{asked:?}]\n"));
        let (code, said) = run(&level);
        let says = format!("asking asks to read {asked}, which is not allowed: add --allow-read {asked}");
        assert!(code == Some(3) && said.contains(&says), "{said}");
        let (code, said) = run(&[level[0], level[1], "--allow-read", &asked]);
        assert_eq!((code, said.as_str()), (Some(0), ""));
        std::fs::remove_file(field.path("4.db")).expect("a results file");
    }
}

#[test]
fn bot_folder_containing_another_stops_the_run() {
    let held = ArenaUser::Us.levels();
    let Some(level) = held.first().filter(|level| **level != SandboxLevel::None) else {
        eprintln!("untested: no sandbox holds here");
        return;
    };
    let field = AttackTargets::new();
    std::fs::create_dir_all(field.path("nest/inner")).expect("folders");
    for (folder, name) in [("nest", "outer"), ("nest/inner", "inner")] {
        let text = format!("name = \"{name}\"\ncommand = [\"sh\", \"bot.sh\"]\n");
        std::fs::write(field.path(folder).join("bot.toml"), text).expect("a manifest");
        std::fs::write(field.path(folder).join("bot.sh"), "").expect("a script");
    }
    let mut command = ArenaUser::Us.command(&program("leyden"));
    command.args(["match", "--sandbox", level.name(), "--results", "/var/tmp/never-made.db"]);
    command.arg(field.path("nest")).arg(field.path("nest/inner"));
    let output = command.output().expect("the arena runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && said.contains("outer may read"), "{said}");
}
