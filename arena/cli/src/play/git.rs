//! Asks git about a repository that may be somebody else's, whose settings name programs: nothing in it is run.

use std::io;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Settings that keep git from running anything that a repository names.
const SAFE: [(&str, &str); 6] = [
    ("core.fsmonitor", "false"),
    ("core.hooksPath", "/dev/null"),
    ("core.attributesFile", "/dev/null"),
    ("core.pager", "cat"),
    ("log.showSignature", "false"),
    ("protocol.allow", "never"),
];

/// Variables of our environment by which git would find another repository or other settings.
const LEFT_OUT: [&str; 9] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_CONFIG_PARAMETERS",
    "GIT_EXTERNAL_DIFF",
    "GIT_CONFIG",
];

/// Runs git in a folder, with no program that the repository's settings name.
pub(super) fn git(folder: &Path, words: &[&str]) -> io::Result<Output> {
    let mut settings: Vec<(String, String)> =
        SAFE.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    // Filters rewrite files that are compared or taken out. One that is named but empty does nothing.
    let filters = run(folder, &["config", "--null", "--name-only", "--get-regexp", r"^filter\."], &settings)?;
    for name in String::from_utf8_lossy(&filters.stdout).split('\0').filter(|name| !name.is_empty()) {
        let value = if name.ends_with(".required") { "false" } else { "" };
        settings.push((name.to_owned(), value.to_owned()));
    }
    run(folder, words, &settings)
}

fn run(folder: &Path, words: &[&str], settings: &[(String, String)]) -> io::Result<Output> {
    let mut git = Command::new("git");
    git.arg("-C").arg(folder).args(words).stdin(Stdio::null());
    for name in LEFT_OUT {
        git.env_remove(name);
    }
    git.env("GIT_CONFIG_COUNT", settings.len().to_string());
    for (number, (name, value)) in settings.iter().enumerate() {
        git.env(format!("GIT_CONFIG_KEY_{number}"), name).env(format!("GIT_CONFIG_VALUE_{number}"), value);
    }
    git.env("GIT_TERMINAL_PROMPT", "0").env("GIT_OPTIONAL_LOCKS", "0").env("GIT_NO_LAZY_FETCH", "1");
    git.output()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A repository whose settings run a program that leaves a mark, at every occasion that git offers here.
    #[test]
    fn program_named_by_repository_is_not_run() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = temporary.path();
        let mark = folder.join("mark");
        let plain = |words: &[&str]| {
            let mut git = Command::new("git");
            git.arg("-C").arg(folder).args(["-c", "user.name=a", "-c", "user.email=a@b"]).args(words);
            git.output().unwrap()
        };
        assert!(plain(&["init", "-q"]).status.success());
        fs::write(folder.join("bot"), "one\n").unwrap();
        plain(&["add", "bot"]);
        plain(&["commit", "-q", "-m", "one"]);
        let program = format!("sh -c 'echo >{}; cat'", mark.display());
        for (name, value) in [
            ("core.fsmonitor", &*format!("touch {}; false", mark.display())),
            ("filter.a=b.smudge", &program),
            ("filter.a=b.clean", &program),
            ("filter.a=b.required", "true"),
        ] {
            assert!(plain(&["config", name, value]).status.success(), "{name}");
        }
        fs::write(folder.join(".git/info/attributes"), "* filter=a=b\n").unwrap();
        fs::write(folder.join("bot"), "two\n").unwrap();
        let archive = folder.join("old.tar").display().to_string();
        let occasions: [&[&str]; 2] = [
            &["status", "--porcelain", "--ignore-submodules=all", "--", "."],
            &["archive", "--format=tar", "--output", &archive, "HEAD"],
        ];
        for words in occasions {
            plain(words);
            assert!(mark.exists(), "git {words:?} runs nothing: the test shows nothing");
            fs::remove_file(&mark).unwrap();
            let safe = git(folder, words).unwrap();
            assert!(safe.status.success(), "{}", String::from_utf8_lossy(&safe.stderr));
            assert!(!mark.exists(), "git {words:?} ran a program of the repository");
        }
    }
}
