//! The outcome of an attack, and its wording.

use std::io;

pub(super) const MB: usize = 1 << 20;

/// What an attack gained, or why it gained nothing.
pub(super) type Outcome = Result<String, String>;

pub(super) fn number(text: &str) -> i32 {
    text.parse().expect("a number")
}

pub(super) fn why(error: &io::Error) -> String {
    error.to_string()
}

/// The outcome of a call that answers with a negative number if it fails.
pub(super) fn done(answer: i32, what: &str) -> Outcome {
    if answer < 0 { Err(why(&io::Error::last_os_error())) } else { Ok(what.to_owned()) }
}
