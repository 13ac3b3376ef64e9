//! A JUnit report in the place of one that was not written: whoever reads it alone learns why there is no answer.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::exit::{Code, CommandError};
use super::report::junit::ReportFile;

/// The suite of a command's report, and the case of it that says why there is nothing else.
pub(super) type Place = [&'static str; 2];

pub(super) const CHECK: Place = ["leyden check", "start"];
pub(super) const GATE: Place = ["leyden gate", "verdict"];
pub(super) const MATCH: Place = ["leyden match", "match"];

/// Writes the report of a command that did not end well, unless it was written.
pub(super) fn told(
    answer: Result<Code, CommandError>,
    junit: Option<&ReportFile>,
    place: Place,
    began: Instant,
) -> Result<Code, CommandError> {
    if let (Err(stop), Some(junit)) = (&answer, junit)
        && !stop.is_closed_output()
    {
        tell(junit, place, stop, began.elapsed());
    }
    answer
}

/// The same of what was typed and cannot be read.
pub(super) fn not_understood(words: &[OsString], message: &str) {
    let Some((name, words)) = words.get(1..).and_then(|words| words.split_first()) else { return };
    let place = match name.to_str() {
        Some("check") => CHECK,
        Some("gate") => GATE,
        Some("match") => MATCH,
        _ => return,
    };
    let path = |(at, word): (usize, &OsString)| match word.to_str() {
        Some("--junit") => words.get(at + 1).map(PathBuf::from),
        Some(word) => word.strip_prefix("--junit=").map(PathBuf::from),
        None => None,
    };
    let path = words.iter().enumerate().find_map(path);
    if let Ok(Some(junit)) = ReportFile::of(path.as_deref()) {
        tell(&junit, place, &CommandError::usage(message), Duration::ZERO);
    }
}

fn tell(junit: &ReportFile, place: Place, stop: &CommandError, took: Duration) {
    if !junit.write_why_not(place, stop, took).unwrap_or(false) {
        super::say(format_args!("note: no JUnit report was written over what is no JUnit report"));
    }
}
