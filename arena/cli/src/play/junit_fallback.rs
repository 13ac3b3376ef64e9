//! A JUnit report written if a command fails before writing its own, so that the report says why there is no answer.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::exit::{Code, CommandError};
use crate::report::junit::ReportFile;

/// The suite of a command's report, and the name of its only case.
pub(crate) type SuiteAndCase = [&'static str; 2];

pub(crate) const CHECK: SuiteAndCase = ["leyden check", "start"];
pub(crate) const GATE: SuiteAndCase = ["leyden gate", "verdict"];
pub(crate) const MATCH: SuiteAndCase = ["leyden match", "match"];

/// Writes the report of a command that failed, unless one was written.
pub(crate) fn reported(
    answer: Result<Code, CommandError>,
    junit: Option<&ReportFile>,
    suite_and_case: SuiteAndCase,
    began: Instant,
) -> Result<Code, CommandError> {
    if let (Err(stop), Some(junit)) = (&answer, junit)
        && !stop.is_closed_output()
    {
        write_report(junit, suite_and_case, stop, began.elapsed());
    }
    answer
}

/// Does the same for a command line that cannot be parsed.
pub(crate) fn report_unparsed(words: &[OsString], message: &str) {
    let Some((name, words)) = words.get(1..).and_then(|words| words.split_first()) else { return };
    let suite_and_case = match name.to_str() {
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
    if let Ok(Some(junit)) = ReportFile::open(path.as_deref()) {
        write_report(&junit, suite_and_case, &CommandError::usage(message), Duration::ZERO);
    }
}

fn write_report(junit: &ReportFile, suite_and_case: SuiteAndCase, stop: &CommandError, took: Duration) {
    if !junit.write_why_not(suite_and_case, stop, took).unwrap_or(false) {
        crate::out::say(format_args!(
            "note: no JUnit report was written, because the file exists and is not a JUnit report"
        ));
    }
}
