//! A results file without room left on its disk: the messages are true, and their advice works.

use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Output};

use crate::league::{hand_in, two_bots};
use crate::program::{LIMITS, builtin, stderr, stdout};

/// A folder on its own disk, which exists for one shell.
const SMALL_DISK: &str = "mkdir small && mount -t tmpfs -o size=400k small small && ";

/// Runs a script in a folder, in a namespace in which it may mount a disk.
fn shell(at: &Path, script: &str) -> io::Result<Output> {
    let mut shell = Command::new("unshare");
    shell.args(["--user", "--map-root-user", "--mount", "sh", "-c", script]);
    shell.env("LEYDEN", env!("CARGO_BIN_EXE_leyden")).env("XDG_STATE_HOME", at).current_dir(at);
    shell.env_remove("GITHUB_ACTIONS").env_remove("GITHUB_STEP_SUMMARY");
    shell.output()
}

#[allow(clippy::print_stderr, reason = "says what was not tested")]
fn can_make_a_disk(at: &Path) -> bool {
    let script = format!("{SMALL_DISK} umount small; rmdir small");
    let can = shell(at, &script).is_ok_and(|made| made.status.success());
    if !can {
        eprintln!("untested: nobody can make a small disk here");
    }
    can
}

#[test]
fn league_survives_full_disk_without_half_written_version() {
    let folder = two_bots();
    let at = folder.path();
    if !can_make_a_disk(at) {
        return;
    }
    hand_in(at, "cy", &builtin("cy", "careful"));
    fs::write(at.join("bots/cy/weights"), vec![7; 9_000_000]).unwrap();
    let script = "mkdir small && mount -t tmpfs -o size=8m small small && umask 077
         said() { n=0; until grep -q \"$1\" said; do sleep 0.1; n=$((n+1)); [ $n -lt 3000 ] || return 1; done; }
         \"$LEYDEN\" league bots --allow-builtins --config slow.toml --jobs 1 --results small/r.db 2>said >shown &
         said 'cy waits: .*No space left' && said 'bob v1 plays' && ls small/r.versions >left &&
         mount -o remount,size=64m small && said 'cy v1 plays'; code=$?
         kill -INT $!; wait $!; ls -A small/r.versions >>left; \"$LEYDEN\" verify small/r.db || code=99
         exit $code";
    let output = shell(at, script).unwrap();
    let said = fs::read_to_string(at.join("said")).unwrap();
    assert_eq!(output.status.code(), Some(0), "{said}{}{}", stdout(&output), stderr(&output));
    // In the end there are no drafts, either; before, one may be there while it is tried again.
    let left = fs::read_to_string(at.join("left")).unwrap();
    assert_eq!(left, "ann v1\nbob v1\nann v1\nbob v1\ncy v1\n", "{said}");
}

#[test]
fn full_disk_message_counts_matches_and_advises_resuming() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    if !can_make_a_disk(at) {
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
    let output = shell(at, &script).unwrap();
    let said = fs::read_to_string(at.join("said")).unwrap();
    assert_eq!(output.status.code(), Some(5), "{said}{}{}", stdout(&output), stderr(&output));
    let kept = fs::read_to_string(at.join("kept")).unwrap().lines().count();
    let counted = format!(
        "no room left to write small/r.db: {kept} of 4000 matches are in it, others that had ended are played again\nMake room, \
         then resume with\n"
    );
    assert!(kept > 0 && said.contains(&counted), "{kept} kept: {said}");
    assert_eq!(said.matches("no room left").count(), 1, "{said}");
    let command = said.lines().last().unwrap();
    assert!(command.ends_with(&format!("{typed} --results small/r.db --resume")), "{said}");
}
