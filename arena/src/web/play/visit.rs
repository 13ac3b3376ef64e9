//! How a visit begins, and what whoever serves the page hears of it.

use leyden_rules::Rules;

use crate::person::{OpponentLevel, ReadyTable, SessionEnd};

/// Makes a table for a level, or says why there is none.
pub type MakeTable = Box<dyn FnMut(&OpponentLevel) -> Result<ReadyTable, String> + Send>;

/// How a visit begins.
pub enum VisitStart {
    /// The table is ready.
    Table(Box<ReadyTable>),
    /// An opponent is chosen on the page. `again`: also after a match.
    Choice { rules: Rules, make: MakeTable, again: bool },
}

/// What whoever serves the page hears of it.
#[derive(Debug)]
pub enum VisitEvent {
    /// A match has begun.
    Begun,
    /// A match has ended.
    Over(SessionEnd),
    /// The person has left the table.
    Left,
}
