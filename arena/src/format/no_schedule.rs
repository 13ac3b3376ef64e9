//! Why a tournament cannot be scheduled.

use leyden_protocol::Seats;

use super::Dimensions;

/// Why a tournament cannot be scheduled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoSchedule {
    #[error("a table of {seats} needs at least {seats} bots; there {} {bots}", if *.bots == 1 { "is" } else { "are" })]
    TooFewBots { bots: usize, seats: Seats },
    #[error("a tournament has at least one block")]
    NoBlocks,
    #[error("a gauntlet needs at least one of its bots as a challenger")]
    NoChallenger,
    #[error("{blocks} blocks of {bots} bots at tables of {seats} are more matches than can be counted")]
    TooMany { bots: usize, seats: Seats, blocks: u32 },
}

impl NoSchedule {
    pub(super) fn too_many(size: Dimensions) -> Self {
        let Dimensions { bots, seats, blocks } = size;
        Self::TooMany { bots: bots as usize, seats, blocks }
    }
}
