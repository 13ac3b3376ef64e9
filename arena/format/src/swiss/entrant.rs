//! A bot that is to be paired, and what its rounds were.

use leyden_model::BotIndex;

/// How the opponent of a bot compared in a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Float {
    /// It had the same score, or the round was not played.
    #[default]
    None,
    /// It had a lower score, or the bot had the bye.
    Down,
    /// It had a higher score.
    Up,
}

/// A bot that is to be paired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entrant {
    pub bot: BotIndex,
    /// In half points.
    pub score: u64,
    /// Its opponents so far. One that it met twice is there twice.
    pub met: Vec<BotIndex>,
    /// The number of its rounds without an opponent that gave points.
    pub byes: u32,
    /// The number of its rounds without an opponent, with or without points.
    pub unplayed: u32,
    /// In the round before, and in the one before that.
    pub floats: [Float; 2],
}

pub(super) fn has_met(one: &Entrant, other: &Entrant) -> bool {
    one.met.contains(&other.bot)
}

/// The indices of each group of equal scores.
pub(super) fn groups(ranked: &[&Entrant]) -> Vec<std::ops::Range<usize>> {
    let mut first = 0;
    let equal = ranked.chunk_by(|one, other| one.score == other.score);
    equal
        .map(|group| {
            let indices = first..first + group.len();
            first = indices.end;
            indices
        })
        .collect()
}
