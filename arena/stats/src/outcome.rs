//! What the statistics are fed: outcomes, the score of one pairing in one block, margins.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A bot's place in the caller's list of bots, from 0. Which order that list has changes no number beyond the
/// last bits; the caller who wants the same bytes keeps the same order (by name, say).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct BotIndex(pub u32);

impl BotIndex {
    pub(crate) const fn at(self) -> usize {
        self.0 as usize
    }
}

/// One match (or one comparison of two bots at a larger table), seen from the first bot. A fault is a lost match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Loss,
    Draw,
    Win,
}

impl Outcome {
    /// How two seats of one table compare: the higher final score beats the lower, equal scores draw.
    pub fn between(own: i64, other: i64) -> Self {
        match own.cmp(&other) {
            std::cmp::Ordering::Less => Self::Loss,
            std::cmp::Ordering::Equal => Self::Draw,
            std::cmp::Ordering::Greater => Self::Win,
        }
    }
}

/// The first bot's points in one two-seat pair, in half points 0..=4. `One` does not tell a win and a loss from
/// two draws; a store that can tell hands in a [`Score`] instead (only ρ sees the difference).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PairPoints {
    Zero,
    Half,
    One,
    OneAndHalf,
    Two,
}

impl PairPoints {
    /// From half points; `None` beyond 4.
    pub const fn from_half_points(half_points: u8) -> Option<Self> {
        Some(match half_points {
            0 => Self::Zero,
            1 => Self::Half,
            2 => Self::One,
            3 => Self::OneAndHalf,
            4 => Self::Two,
            _ => return None,
        })
    }

    /// Half points, 0..=4; also the place in `[LL, LD, WL+DD, WD, WW]`.
    pub const fn half_points(self) -> u8 {
        self as u8
    }
}

/// How the first bot fared against the second over all matches of one pairing in one block: two for a pair, k for
/// each table of k seats both sat at. Nothing is lost by summing: legs of a block are one cluster.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct Score {
    wins: u16,
    draws: u16,
    losses: u16,
}

impl Score {
    /// From counts of matches.
    pub const fn new(wins: u16, draws: u16, losses: u16) -> Self {
        Self { wins, draws, losses }
    }

    /// The score of these legs.
    pub fn of_legs(legs: &[Outcome]) -> Self {
        let count = |wanted| legs.iter().filter(|leg| **leg == wanted).count() as u16;
        Self::new(count(Outcome::Win), count(Outcome::Draw), count(Outcome::Loss))
    }

    /// Matches counted.
    pub const fn matches(self) -> u32 {
        self.wins as u32 + self.draws as u32 + self.losses as u32
    }

    /// Points won, in half points: 0..=2·[`matches`](Self::matches).
    pub const fn half_points(self) -> u32 {
        2 * self.wins as u32 + self.draws as u32
    }

    /// The sum of squared match scores, in quarter points: what the variance of one match needs.
    pub(crate) const fn squared_half_points(self) -> u32 {
        4 * self.wins as u32 + self.draws as u32
    }

    /// The same matches seen from the second bot.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// The pair's points, when this is one two-seat pair.
    pub const fn pair_points(self) -> Option<PairPoints> {
        if self.matches() == 2 { PairPoints::from_half_points(self.half_points() as u8) } else { None }
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        Self::new(
            self.wins.saturating_add(other.wins),
            self.draws.saturating_add(other.draws),
            self.losses.saturating_add(other.losses),
        )
    }
}

impl From<PairPoints> for Score {
    /// One point is read as a win and a loss (double draws are rare at dominoes).
    fn from(points: PairPoints) -> Self {
        match points {
            PairPoints::Zero => Self::new(0, 0, 2),
            PairPoints::Half => Self::new(0, 1, 1),
            PairPoints::One => Self::new(1, 0, 1),
            PairPoints::OneAndHalf => Self::new(1, 1, 0),
            PairPoints::Two => Self::new(2, 0, 0),
        }
    }
}

/// Game points the first bot was ahead, summed over the matches that ended without a fault (0..=all of them).
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct Margin {
    pub sum: i64,
    pub matches: u32,
}

impl Margin {
    /// The same matches seen from the second bot.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self { sum: -self.sum, matches: self.matches }
    }
}

/// One pairing in one block. Which bot is called first does not matter.
///
/// For tables of more than two seats hand in one cell for each two bots of a table (all its legs together); cells
/// of several tables for the same two bots in the same block add up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    pub block: u32,
    pub first: BotIndex,
    pub second: BotIndex,
    pub score: Score,
    pub margin: Margin,
}

impl Cell {
    /// The same result with the lower index first.
    pub(crate) fn in_order(self) -> Self {
        if self.first <= self.second {
            return self;
        }
        Self {
            block: self.block,
            first: self.second,
            second: self.first,
            score: self.score.reversed(),
            margin: self.margin.reversed(),
        }
    }
}
