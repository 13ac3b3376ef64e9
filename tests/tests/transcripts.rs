//! Complete recorded matches, in both directions: the arena must still send every byte of them.
//!
//! `WRITE_TRANSCRIPTS=1 cargo test -p leyden-tests --test transcripts` records them again after a change of the protocol.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use leyden_tests::program;

/// Folder, number of bots, and the options of the match.
const CASES: [(&str, usize, &[&str]); 8] = [
    ("leyden", 2, &["--rules", "leyden", "--target", "30"]),
    ("leyden-cross", 2, &["--rules", "leyden-cross", "--target", "20", "--names"]),
    ("leiden", 2, &["--rules", "leiden", "--target", "20", "--bank", "60s"]),
    ("senst", 2, &["--rules", "senst", "--target", "20", "--bank", "60s", "--increment", "10ms"]),
    ("leyden-free", 2, &["--rules", "leyden-free", "--target", "20"]),
    ("matador", 2, &["--rules", "matador", "--target", "20"]),
    ("matador-4", 4, &["--rules", "matador", "--seats", "4", "--target", "20"]),
    ("matador-3-nine", 3, &["--rules", "matador", "--seats", "3", "--set", "9", "--target", "20"]),
];

/// Bots that play at random and, every second one, with care.
const NAMES: [(&str, &str); 4] =
    [("ann", "random"), ("bob", "careful"), ("cid", "random"), ("dot", "greedy")];

#[test]
fn arena_still_says_what_was_recorded() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    let write = std::env::var_os("WRITE_TRANSCRIPTS").is_some();
    let work = tempfile::tempdir().unwrap();
    for (case, bots, options) in CASES {
        let transcripts = golden.join(case);
        if write {
            fs::create_dir_all(&transcripts).unwrap();
            fs::read_dir(&transcripts)
                .unwrap()
                .flatten()
                .for_each(|file| fs::remove_file(file.path()).unwrap());
        }
        let folders: Vec<PathBuf> = NAMES[..bots]
            .iter()
            .map(|(name, strategy)| bot_folder(work.path(), case, name, strategy, &transcripts, write))
            .collect();
        let results = work.path().join(format!("{case}.db"));
        let output = Command::new(program("leyden"))
            .arg("match")
            .args(&folders)
            .args(options)
            // The bots write to a folder, which no sandbox allows.
            .args([
                "--sandbox",
                "none",
                "--turn",
                "100s",
                "--startup",
                "100s",
                "--seed",
                "transcripts",
                "--fresh",
                "--json",
                "--results",
            ])
            .arg(&results)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{case}: {}", String::from_utf8_lossy(&output.stderr));
        let matches: Vec<&str> = said.lines().filter(|line| line.contains("\"event\":\"match\"")).collect();
        assert_eq!(matches.len(), bots, "{case}: one match a seating");
        for record in matches {
            assert!(record.contains("\"fault\":null"), "{case}: {record}");
        }
        for folder in folders.iter().filter(|_| !write) {
            let done = fs::read_dir(marks_of(folder)).unwrap().count();
            assert_eq!(done, bots, "{}: not every match went as written", folder.display());
        }
    }
}

/// Where the bot in this folder reports a match that went as recorded: next to the folder, because it plays from a copy.
fn marks_of(folder: &Path) -> PathBuf {
    folder.with_extension("done")
}

/// A folder with the manifest of a bot that records or replays.
fn bot_folder(
    work: &Path,
    case: &str,
    name: &str,
    strategy: &str,
    transcripts: &Path,
    write: bool,
) -> PathBuf {
    let folder = work.join(case).join(name);
    fs::create_dir_all(&folder).unwrap();
    let mut command = vec![program("transcript"), if write { "record" } else { "replay" }.into()];
    command.extend([transcripts.to_owned(), name.into()]);
    if write {
        command.extend(["--".into(), program("leyden"), "bot".into(), strategy.into()]);
    } else {
        fs::create_dir(marks_of(&folder)).unwrap();
        command.push(marks_of(&folder));
    }
    let command: Vec<String> =
        command.iter().map(|word| format!("{:?}", word.display().to_string())).collect();
    let manifest = format!("name = \"{name}\"\ncommand = [{}]\n", command.join(", "));
    fs::write(folder.join("bot.toml"), manifest).unwrap();
    folder
}
