//! The input of the statistics: results of two bots against each other in one block.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::comparison::Comparison;

/// A rated bot: its index in the caller's list of bots, from 0. The order of that list changes results only in the last bits;
/// for identical bytes keep the same order (by name, say).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Entrant(pub u32);

impl Entrant {
    pub(crate) const fn at(self) -> usize {
        self.0 as usize
    }
}

/// The first bot's points in one two-seat pair, in half points 0..=4. `One` does not distinguish a win and a loss from two
/// draws; a store that can distinguish them uses a [`Score`] instead (only ρ differs).
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
    /// From half points; `None` above 4.
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

    /// Half points, 0..=4; also the index in `[LL, LD, WL+DD, WD, WW]`.
    pub const fn half_points(self) -> u8 {
        self as u8
    }
}

/// The result of the first bot against the second over the matches of one pairing: those of a block (two for a pair, k for
/// each table of k seats where both sat), or of all blocks. Summing those of a block loses nothing, because its legs are one
/// cluster.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct Score {
    wins: u32,
    draws: u32,
    losses: u32,
}

impl Score {
    /// From counts of matches.
    pub const fn new(wins: u32, draws: u32, losses: u32) -> Self {
        Self { wins, draws, losses }
    }

    /// The score of these legs.
    pub fn from_legs(legs: &[Comparison]) -> Self {
        let mut score = Self::default();
        for leg in legs {
            score.count(*leg);
        }
        score
    }

    /// Adds a leg.
    pub fn count(&mut self, leg: Comparison) {
        *match leg {
            Comparison::Won => &mut self.wins,
            Comparison::Drawn => &mut self.draws,
            Comparison::Lost => &mut self.losses,
        } += 1;
    }

    /// Matches won.
    pub const fn wins(self) -> u32 {
        self.wins
    }

    /// Matches drawn.
    pub const fn draws(self) -> u32 {
        self.draws
    }

    /// Matches lost.
    pub const fn losses(self) -> u32 {
        self.losses
    }

    /// Matches counted.
    pub const fn matches(self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Points won, in half points: 0..=2·[`matches`](Self::matches).
    pub const fn half_points(self) -> u32 {
        2 * self.wins + self.draws
    }

    /// Points per match, 0..=1; `None` without a match.
    pub fn mean(self) -> Option<f64> {
        mean_score(self.half_points().into(), self.matches().into())
    }

    /// The sum of squared match scores, in quarter points, needed for the variance of one match.
    pub(crate) const fn squared_half_points(self) -> u32 {
        4 * self.wins + self.draws
    }

    /// The same matches from the second bot's side.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// The pair's points, if this is one two-seat pair.
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

/// Points per match, 0..=1: a win counts 1, a draw ½. `None` without a match.
pub fn mean_score(half_points: u64, matches: u64) -> Option<f64> {
    (matches > 0).then(|| half_points as f64 / (2 * matches) as f64)
}

impl From<PairPoints> for Score {
    /// Counts one point as a win and a loss (double draws are rare at dominoes).
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

/// Game points by which the first bot was ahead, summed over the matches that ended without a fault (possibly none).
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct Margin {
    /// Positive if the first bot was ahead.
    pub sum: i64,
    /// The matches without a fault.
    pub matches: u64,
}

impl Margin {
    /// The margins of these legs; `None` is a leg that ended by a fault.
    pub fn from_legs(legs: &[Option<i64>]) -> Self {
        let mut margin = Self::default();
        for leg in legs {
            margin.count(*leg);
        }
        margin
    }

    /// Adds a leg; `None` is one that ended by a fault.
    pub fn count(&mut self, leg: Option<i64>) {
        self.sum += leg.unwrap_or(0);
        self.matches += u64::from(leg.is_some());
    }

    /// Game points ahead per match; `None` without a match that ended without a fault.
    pub fn mean(self) -> Option<f64> {
        (self.matches > 0).then(|| self.sum as f64 / self.matches as f64)
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.sum += other.sum;
        self.matches += other.matches;
    }

    /// The same matches from the second bot's side.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self { sum: -self.sum, matches: self.matches }
    }
}

/// Two bots against each other in one block. It does not matter which of them comes first.
///
/// For tables of more than two seats add one result for each two bots of a table; several results of the same two bots
/// in one block add up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PairingResult {
    /// From 0.
    pub block: u32,
    pub first: Entrant,
    pub second: Entrant,
    pub score: Score,
    pub margin: Margin,
}

impl PairingResult {
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
