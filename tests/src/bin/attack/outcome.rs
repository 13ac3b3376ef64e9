//! What an attack comes to, and the words for it.

use std::io;

pub(super) const MB: usize = 1 << 20;

/// What an attack came to: what was gained, or why nothing was.
pub(super) type Outcome = Result<String, String>;

pub(super) fn number(text: &str) -> i32 {
    text.parse().expect("a number")
}

pub(super) fn why(error: &io::Error) -> String {
    error.to_string()
}
