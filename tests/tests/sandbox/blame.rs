//! Who is to blame for a start that fails, at every level: a bot's folder is its own responsibility, and ends nobody else's
//! tournament.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use leyden_tests::program;
use serde_json::Value;

use crate::field::{ArenaUser, AttackTargets};

#[test]
fn bot_barred_from_its_folder_still_plays() {
    if !ArenaUser::Us.is_root() {
        eprintln!("untested: a folder that root may enter and its bot may not");
        return;
    }
    for level in ArenaUser::Us.levels().into_iter().filter(|level| level.is_confined()) {
        let field = AttackTargets::new();
        let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sample-bots/sh-dice/bot.sh");
        let folder = field.path("closed");
        fs::create_dir(&folder).expect("a folder");
        fs::copy(samples, folder.join("bot.sh")).expect("a bot");
        let manifest = "name = \"closed\"\ncommand = [\"sh\", \"bot.sh\"]\n";
        fs::write(folder.join("bot.toml"), manifest).expect("a manifest");
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).expect("permissions");
        let mut command = ArenaUser::Us.command(&program("leyden"));
        command.args(["match", "--json", "--quiet", "--sandbox", level.name(), "--startup", "100s"]);
        command.args(["--turn", "100s", "--results", &field.text("r.db")]).arg(&folder).arg("builtin:random");
        let output = command.current_dir(field.path("home")).output().expect("the arena runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{level}: {said}");
        let events = String::from_utf8_lossy(&output.stdout).into_owned();
        let events = events.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let records: Vec<Value> = events
            .filter(|event| event["event"] == "match")
            .map(|mut event| event["record"].take())
            .collect();
        assert_eq!(records.len(), 2, "{level}: {said}");
        for record in records {
            assert!(record["fault"].is_null(), "{level}: {record}");
        }
    }
}

/// A bot with a command that no process can be given is not started, and is named before anything is played. The others play
/// without it if allowed.
#[test]
fn unusable_command_excludes_only_its_bot_if_allowed() {
    let long = "x".repeat(3 << 20);
    for (name, word, says) in [
        ("nul", "a\\u0000b", "a command may contain no NUL, and at most 32 KiB"),
        ("long", long.as_str(), "it has more than 64 KiB"),
        ("longish", &long[..40 << 10], "a command may contain no NUL, and at most 32 KiB"),
    ] {
        let field = AttackTargets::new();
        let folder = field.path(name);
        fs::create_dir(&folder).expect("a folder");
        fs::write(folder.join("bot.toml"), format!("name = \"{name}\"\ncommand = [\"sh\", \"{word}\"]\n"))
            .expect("a manifest");
        for (more, code, played) in [(&[][..], 3, 0), (&["--allow-missing"], 0, 2)] {
            let mut command = ArenaUser::Us.command(&program("leyden"));
            command.args(["tournament", "--json", "--sandbox", "none", "--blocks", "1", "--startup", "60s"]);
            command.args(["--results", &field.text("r.db")]).args(more);
            command.arg(&folder).args(["builtin:random", "builtin:greedy"]);
            let output = command.current_dir(field.path("home")).output().expect("the arena runs");
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(code), "{name} {more:?}: {said}");
            assert!(said.contains(name) && said.contains(says) && said.len() < 4_000, "{name}: {said}");
            let events = String::from_utf8_lossy(&output.stdout).into_owned();
            let events = events.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
            let matches: Vec<Value> = events.filter(|event| event["event"] == "match").collect();
            assert_eq!(matches.len(), played, "{name} {more:?}: {said}");
            for played in matches {
                assert!(played["record"]["fault"].is_null(), "{played}");
            }
        }
    }
}
