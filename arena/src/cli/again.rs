//! The program itself, to be run again: as supervisor or builtin bot, or by whoever goes on with what was interrupted.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::exit::CommandError;
use super::out::quoted;

/// The program's own path, to run it again as supervisor or builtin bot.
pub(super) fn leyden() -> Result<PathBuf, CommandError> {
    std::env::current_exe()
        .map_err(|error| CommandError::defect(format!("cannot find the program's own file: {error}")))
}

/// What to type to go on: what was typed, and the results file.
pub(super) fn resume_command(path: &Path) -> String {
    let mut words: Vec<OsString> = std::env::args_os().collect();
    if let Some(at) = words.iter().position(|word| word == "--results") {
        words.drain(at..(at + 2).min(words.len()));
    }
    words.retain(|word| word != "--resume" && !word.as_encoded_bytes().starts_with(b"--results="));
    words.extend(["--results".into(), path.into(), "--resume".into()]);
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}
