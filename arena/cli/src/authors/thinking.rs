//! `leyden thinking`: how a domino bot gets better, one idea at a time.

use crate::exit::{Code, CommandError};

/// The page, as it lies beside the bots that it explains.
const PAGE: &str = include_str!("../../../../sample-bots/THINKING.md");

/// Prints the page.
pub(crate) fn run() -> Result<Code, CommandError> {
    crate::out::print(PAGE)
}
