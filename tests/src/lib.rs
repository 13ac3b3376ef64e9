//! Shared by the end-to-end tests: where the programs are, and which parts of a line can be compared.

pub mod arena;
pub mod browser;
pub mod http;
pub mod marks;
pub mod modules;
pub mod patience;

use std::path::{Path, PathBuf};
use std::process::Command;

/// A program in a control group that is delegated to this user, started by the command that `LEYDEN_TEST_SCOPE` names, which
/// takes a user's number and a program. `None` if the variable is not set, as everywhere except in `tests/in-vm`.
pub fn in_scope(user: u32, program: &Path) -> Option<Command> {
    let mut command = Command::new(std::env::var_os("LEYDEN_TEST_SCOPE")?);
    command.arg(user.to_string()).arg(program);
    Some(command)
}

/// A program of this workspace, built in the same profile as the calling test.
///
/// # Panics
/// If it was not built: `tests/run` does that first, as does `cargo build --workspace`.
pub fn program(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a test knows its own file");
    let folder = test
        .ancestors()
        .find(|folder| folder.join("deps").is_dir())
        .expect("tests run from target/PROFILE/deps");
    let path = folder.join(name);
    assert!(path.is_file(), "{} is not there: build it with `cargo build --workspace`", path.display());
    path
}

/// Whether SIGHUP is ignored here, as below `nohup`: then started programs ignore it, too, and the signal has no effect.
pub fn is_hang_up_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").expect("a process can be looked at");
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).expect("a set of signals");
    u64::from_str_radix(ignored.trim(), 16).expect("a number") & 1 == 1
}

/// A line without what depends on the moment (measurements) and on the arena's version.
pub fn comparable(line: &str) -> String {
    let line = replace_value(line, "\"last_us\":", "0");
    replace_value(&line, "\"arena\":", "\"\"")
}

/// Replaces the value after a key; it must be a number or a text without quotes in it.
fn replace_value(line: &str, key: &str, value: &str) -> String {
    let Some(at) = line.find(key) else { return line.to_owned() };
    let (before, rest) = line.split_at(at + key.len());
    let end = rest.find([',', '}']).unwrap_or(rest.len());
    if rest[..end] == *"null" { line.to_owned() } else { format!("{before}{value}{}", &rest[end..]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparable_line_masks_times_and_version() {
        let line = r#"{"arena":"leyden-arena 1.2","clock":{"bank_ms":3,"last_us":123}}"#;
        assert_eq!(comparable(line), r#"{"arena":"","clock":{"bank_ms":3,"last_us":0}}"#);
        assert_eq!(comparable(r#"{"last_us":null}"#), r#"{"last_us":null}"#);
    }
}
