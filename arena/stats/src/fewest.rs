//! How many blocks there have to be before something is said.

/// Below so many blocks two bots are not compared: only their score and its interval are told.
pub const FEWEST_TO_COMPARE: u64 = 10;

/// Below so many blocks nothing is said of what depends on a spread itself: normalised Elo, ρ, what pairs gain, the blocks
/// still to play.
pub const FEWEST_FOR_SPREAD: u64 = 20;
