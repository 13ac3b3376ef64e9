//! The size of a tournament.

use leyden_protocol::Seats;

/// The size of a tournament: how many bots at tables of how many seats, and how often each table meets in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimensions {
    /// How many bots there are.
    pub bots: u32,
    pub seats: Seats,
    /// How many pairs each table plays in each round.
    pub blocks: u32,
}
