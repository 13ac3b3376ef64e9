//! The program itself, to be run again: as supervisor or builtin bot, or to resume what was interrupted.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::exit::CommandError;
use crate::out::quoted;

/// Returns the program's own path, for running it again as supervisor or builtin bot.
pub(crate) fn leyden() -> Result<PathBuf, CommandError> {
    std::env::current_exe()
        .map_err(|error| CommandError::defect(format!("cannot find the program's own executable: {error}")))
}

/// Returns the command that resumes this run: the words that were typed, with the results file and `--resume`.
pub(crate) fn resume_command(path: &Path) -> String {
    let mut words: Vec<OsString> = std::env::args_os().collect();
    if let Some(at) = words.iter().position(|word| word == "--results") {
        words.drain(at..(at + 2).min(words.len()));
    }
    words.retain(|word| word != "--resume" && !word.as_encoded_bytes().starts_with(b"--results="));
    words.extend(["--results".into(), path.into(), "--resume".into()]);
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}
