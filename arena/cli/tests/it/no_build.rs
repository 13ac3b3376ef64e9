//! `--no-build`: bots play as they are in their folders, or the error says what is missing there.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::program::{PATIENT, leyden, text};

/// A bot whose build always fails, which reveals any attempt to build it.
fn hand_in(at: &Path, command: &str) {
    fs::create_dir_all(at.join("mine")).unwrap();
    let manifest = format!(
        "name = \"mine\"\ncommand = {command}\nbuild = [\"sh\", \"-c\", \"echo no compiler; exit 1\"]\n"
    );
    fs::write(at.join("mine/bot.toml"), manifest).unwrap();
}

fn build_by_hand(at: &Path, bot: &str) {
    fs::create_dir_all(at.join("mine/build")).unwrap();
    let script = format!("#!/bin/sh\nexec '{}' bot {bot}\n", env!("CARGO_BIN_EXE_leyden"));
    fs::write(at.join("mine/build/bot"), script).unwrap();
    fs::set_permissions(at.join("mine/build/bot"), Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn unbuilt_bots_are_played_and_compared_as_found() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    hand_in(at, "[\"build/bot\"]");
    build_by_hand(at, "random");
    let words = ["match", "mine", "builtin:random", "--seed", "s", "--results", "r.db"];
    let built = leyden(at, &[&words[..], &PATIENT].concat());
    assert!(built.status.code() == Some(3) && text(&built.stderr).contains("no compiler"), "it is built");
    let played = leyden(at, &[&words[..], &PATIENT, &["--no-build", "--json"]].concat());
    let (printed, said) = (text(&played.stdout), text(&played.stderr));
    assert_eq!(played.status.code(), Some(0), "{said}");
    assert!(!said.contains("building") && !printed.contains("\"fault\":{"), "{said}{printed}");
    // The build's output is then part of the bot: another build is another bot.
    build_by_hand(at, "greedy");
    let resumed = leyden(at, &[&words[..], &PATIENT, &["--no-build", "--resume"]].concat());
    let said = text(&resumed.stderr);
    assert!(resumed.status.code() == Some(2) && said.contains("content of mine: "), "{said}");
    let checked = leyden(at, &["check", "mine", "--no-build", "--only", "ready", "--sandbox", "none"]);
    assert_ne!(checked.status.code(), Some(3), "{}", text(&checked.stderr));
}

#[test]
fn missing_build_output_is_reported_with_a_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (command, output) in [
        ("[\"build/bot\"]", "build/bot"),
        ("[\"./bot\"]", "./bot"),
        ("[\"java\", \"-cp\", \"build\", \"Bot\"]", "build"),
        ("[\"sh\", \"./target/run.sh\"]", "./target/run.sh"),
    ] {
        hand_in(at, command);
        // An empty folder for build output counts as missing.
        fs::create_dir_all(at.join("mine/build")).unwrap();
        let words =
            ["tournament", "mine", "builtin:random", "builtin:greedy", "--no-build", "--results", "r.db"];
        let refused = leyden(at, &[&words[..], &PATIENT].concat());
        let said = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(3), "{command}: {said}");
        let expected = format!("mine: {output} is missing, which its build command makes (sh -c ");
        assert!(said.contains(&expected) && said.contains("without --no-build"), "{command}: {said}");
        assert!(!at.join("r.db").exists());
    }
    let words = ["tournament", "mine", "builtin:random", "builtin:greedy", "--no-build", "--allow-missing"];
    let played = leyden(at, &[&words[..], &PATIENT, &["--results", "r.db"]].concat());
    let said = text(&played.stderr);
    assert!(played.status.success() && said.contains("left out: mine: "), "{said}");
}
