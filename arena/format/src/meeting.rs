//! A meeting that must have a winner: pairs of matches until one bot is ahead.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How many pairs are added one by one to a meeting that is level.
pub const EXTRA_PAIRS: u32 = 8;

/// The half points of a pair between two bots.
pub const POINTS_OF_PAIR: u64 = 4;

/// How long a meeting is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The number of pairs, without those that are added if it is level.
    pub pairs: u32,
    /// Whether it ends as soon as a lead can no longer be made up.
    pub best_of: bool,
}

/// What a meeting has come to, seen from the bot with the better seed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// How many pairs were played.
    pub pairs: u32,
    /// In half points, of both.
    pub points: [u64; 2],
    /// By how many game points the first was ahead over all matches without a fault.
    pub margin: i64,
}

/// How a meeting is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// One has more points.
    Points,
    /// Points were level after the last extra pair: the bot that was ahead in game points goes on.
    Margin,
    /// These were level, too: the better seed goes on.
    Seed,
}

impl Terms {
    /// How many pairs are played at first: no fewer can decide a meeting.
    pub fn minimum_pairs(self) -> u32 {
        if self.best_of { self.pairs / 2 + 1 } else { self.pairs }
    }

    /// Whether the first bot has won, and by what; `None` if another pair has to be played.
    pub fn decided(self, standing: &Standing) -> Option<(bool, Decision)> {
        let [one, other] = standing.points;
        if standing.pairs < self.minimum_pairs() {
            return None;
        }
        let left = u64::from(self.pairs.saturating_sub(standing.pairs)) * POINTS_OF_PAIR;
        if one.abs_diff(other) > left {
            return Some((one > other, Decision::Points));
        }
        if standing.pairs < self.pairs + EXTRA_PAIRS {
            return None;
        }
        Some(match standing.margin {
            0 => (true, Decision::Seed),
            margin => (margin > 0, Decision::Margin),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(terms: Terms, pairs: u32, points: [u64; 2], margin: i64) -> Option<(bool, Decision)> {
        terms.decided(&Standing { pairs, points, margin })
    }

    #[test]
    fn level_meeting_goes_on_pair_by_pair() {
        let terms = Terms { pairs: 3, best_of: false };
        assert_eq!(decided(terms, 2, [8, 0], 50), None, "three are played in any case");
        assert_eq!(decided(terms, 3, [7, 5], -50), Some((true, Decision::Points)));
        for pairs in 3..11 {
            assert_eq!(decided(terms, pairs, [6, 6], 50), None, "{pairs}");
        }
        assert_eq!(decided(terms, 4, [7, 9], 50), Some((false, Decision::Points)));
        assert_eq!(decided(terms, 11, [22, 22], -1), Some((false, Decision::Margin)));
        assert_eq!(decided(terms, 11, [22, 22], 0), Some((true, Decision::Seed)));
    }

    #[test]
    fn best_of_five_ends_once_decided() {
        let terms = Terms { pairs: 5, best_of: true };
        assert_eq!(terms.minimum_pairs(), 3);
        assert_eq!(decided(terms, 3, [10, 2], 0), None, "two pairs are eight half points");
        assert_eq!(decided(terms, 3, [11, 1], 0), Some((true, Decision::Points)));
        assert_eq!(decided(terms, 4, [5, 11], 0), Some((false, Decision::Points)));
        assert_eq!(decided(terms, 5, [10, 10], 7), None);
        assert_eq!(decided(terms, 6, [11, 13], 7), Some((false, Decision::Points)));
    }
}
