//! The meetings of a bracket, and who takes part in them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which part of a bracket a meeting belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// The bracket of bots that have not lost.
    Winners,
    /// The second bracket of a double elimination: who loses here is out.
    Losers,
    /// The meeting of the losers of the semi-finals.
    ThirdPlace,
    /// The grand final of a double elimination, and its second meeting.
    GrandFinal,
}

/// Who takes part in a meeting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A seed, from 0.
    Seed(usize),
    /// The winner of a meeting, by its index.
    Winner(usize),
    /// The loser of a meeting, by its index.
    Loser(usize),
}

/// A meeting of a bracket. It comes behind those that it depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    pub side: Side,
    /// Which round of its side, from 0.
    pub round: u32,
    /// Which meeting of its round, from 0.
    pub number: u32,
    /// Where the two bots come from.
    pub sources: [Source; 2],
    /// It takes place only if the second of the two won this meeting, the grand final.
    pub only_if_second_won: Option<usize>,
}

/// Adds a round in which neighbours meet; returns its winners.
pub(super) fn add_round(
    slots: &mut Vec<Slot>,
    (side, round): (Side, u32),
    sources: &[Source],
) -> Vec<Source> {
    let (pairs, _) = sources.as_chunks::<2>();
    let first = slots.len();
    for (number, &sources) in (0..).zip(pairs) {
        slots.push(Slot { side, round, number, sources, only_if_second_won: None });
    }
    (first..slots.len()).map(Source::Winner).collect()
}
