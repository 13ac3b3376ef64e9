//! How a visit begins, and its notifications to the caller.

use leyden_rules::Rules;

use leyden_table::{OpponentLevel, ReadyTable, SessionEnd};

/// Makes a table for a level, or says why that is not possible.
pub type MakeTable = Box<dyn FnMut(&OpponentLevel) -> Result<ReadyTable, String> + Send>;

/// How a visit begins.
pub enum VisitStart {
    /// At a table that is ready.
    Table(Box<ReadyTable>),
    /// With the choice of an opponent on the page; with `again`, after each match, too.
    Choice { rules: Rules, make: MakeTable, again: bool },
}

/// A notification to the caller.
#[derive(Debug)]
pub enum VisitEvent {
    /// A match has started.
    Begun,
    /// A match has ended.
    Over(SessionEnd),
    /// The person has left the table.
    Left,
}
