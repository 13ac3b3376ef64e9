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
