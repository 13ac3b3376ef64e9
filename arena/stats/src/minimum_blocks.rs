//! The minimum number of blocks for each figure.

/// With fewer blocks two bots are not compared: only their score and its interval are reported.
pub const FEWEST_TO_COMPARE: u64 = 10;

/// With fewer blocks nothing is reported that depends on a spread itself: normalised Elo, ρ, the gain from pairs, the blocks
/// still to play.
pub const FEWEST_FOR_SPREAD: u64 = 20;
