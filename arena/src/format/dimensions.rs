//! How large a tournament is.

use leyden_protocol::Seats;

/// What a format is given: how many bots at tables of how many seats, and how often a table meets in a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimensions {
    pub bots: u32,
    pub seats: Seats,
    /// How many pairs each table plays in each phase.
    pub blocks: u32,
}
