//! The sample bots as submissions: each plays every kind of rule set without a fault.
//!
//! The bots in Rust are parts of the program, and are tested in their own crate.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use leyden_tests::program;

/// The sample bots that need no Rust.
fn bots() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sample-bots");
    let mut bots: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|bot| {
            fs::read_to_string(bot.join("bot.toml")).is_ok_and(|manifest| !manifest.contains("\"leyden\""))
        })
        .collect();
    bots.sort();
    bots
}

#[test]
fn sample_bots_play_without_a_fault() {
    let bots = bots();
    assert_eq!(bots.len(), 9);
    let work = tempfile::tempdir().unwrap();
    for options in [&["--rules", "leyden"][..], &["--rules", "senst"], &["--rules", "matador", "--set", "9"]]
    {
        let output = Command::new(program("leyden"))
            .arg("tournament")
            .args(&bots)
            .args(["builtin:careful", "--gauntlet", "builtin:careful"])
            .args(options)
            .args(["--target", "40", "--turn", "100s", "--startup", "100s", "--allow-missing", "--json"])
            .current_dir(work.path())
            .output()
            .unwrap();
        let (said, printed) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{options:?}: {printed}");
        let matches: Vec<&str> = said.lines().filter(|line| line.contains("\"event\":\"match\"")).collect();
        let left_out = printed.lines().filter(|line| line.starts_with("left out: ")).count();
        let playing = bots.len() - left_out;
        assert_eq!(matches.len(), 2 * playing, "{printed}");
        assert!(playing >= 3, "a C compiler, a shell and perl are to be had everywhere: {printed}");
        for record in matches {
            assert!(record.contains("\"fault\":null"), "{record}");
        }
    }
}
