//! A results file without room left on its disk: the messages are true, and their advice works.

use std::fs;
use std::process::Command;

use crate::program::{LIMITS, stderr, stdout};

/// A folder on its own disk, which exists for one shell.
const SMALL_DISK: &str = "mkdir small && mount -t tmpfs -o size=400k small small && ";

#[test]
#[allow(clippy::print_stderr, reason = "says what was not tested")]
fn stored_matches_are_counted_and_the_advised_command_resumes() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let shell = |script: &str| {
        let mut shell = Command::new("unshare");
        shell.args(["--user", "--map-root-user", "--mount", "sh", "-c", script]);
        shell.env("LEYDEN", env!("CARGO_BIN_EXE_leyden")).env("XDG_STATE_HOME", at).current_dir(at);
        shell.env_remove("GITHUB_ACTIONS").env_remove("GITHUB_STEP_SUMMARY");
        shell.output()
    };
    if !shell(&format!("{SMALL_DISK} umount small; rmdir small")).is_ok_and(|made| made.status.success()) {
        eprintln!("untested: nobody can make a small disk here");
        return;
    }
    let words = ["tournament", "builtin:greedy", "builtin:random", "--sandbox", "none", "--blocks", "2000"];
    let typed = [&words[..], &["--target", "20"], &LIMITS].concat().join(" ");
    let script = format!(
        "{SMALL_DISK} \"$LEYDEN\" {typed} --results small/r.db 2>said; code=$?
         \"$LEYDEN\" export small/r.db >kept
         mount -o remount,size=4m small
         \"$LEYDEN\" verify small/r.db || exit 99
         exit $code"
    );
    let output = shell(&script).unwrap();
    let said = fs::read_to_string(at.join("said")).unwrap();
    assert_eq!(output.status.code(), Some(5), "{said}{}{}", stdout(&output), stderr(&output));
    let kept = fs::read_to_string(at.join("kept")).unwrap().lines().count();
    let counted = format!(
        "no room left to write small/r.db: {kept} of 4000 matches are in it, others that had ended are played again. Make room, then \
         resume with\n"
    );
    assert!(kept > 0 && said.contains(&counted), "{kept} kept: {said}");
    let command = said.lines().last().unwrap();
    assert!(command.ends_with(&format!("{typed} --results small/r.db --resume")), "{said}");
}
