//! The program `leyden` as somebody types it in a folder, whose state stays in that folder, too.
#![allow(dead_code, reason = "each file of tests uses a part")]

use std::path::Path;
use std::process::{Command, Output};

pub(crate) fn command(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_leyden"));
    command.args(words).env("XDG_STATE_HOME", folder).current_dir(folder);
    command.env_remove("GITHUB_ACTIONS").env_remove("GITHUB_STEP_SUMMARY");
    command
}

pub(crate) fn leyden(folder: &Path, words: &[&str]) -> Output {
    command(folder, words).output().unwrap()
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}
