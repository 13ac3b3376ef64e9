//! What more blocks would decide, by the spread of those that were played. A spread is itself estimated, so each forecast is a
//! range; and none of them supposes that the differences that were seen are the true ones.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::dist::{Z_95, t_two_sided};
use crate::minimum_blocks::FEWEST_FOR_SPREAD;
use crate::pairing_result::Entrant;
use crate::rating::Ratings;
use crate::units::{ELO_PER_THETA, Interval};

/// The half-width that an organiser usually wants, in Elo.
const TARGET_BAR: f64 = 10.0;
/// No forecast goes beyond this many blocks.
const FARTHEST: f64 = 1e12;

/// A number of blocks, counted from the first, that lies between these with 95 %.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BlocksRange {
    pub low: u64,
    pub high: u64,
}

/// The variance of the influence on the logarithm of a variance, of normal numbers.
pub(crate) const NORMAL: f64 = 2.0;

impl BlocksRange {
    /// After how many blocks an interval at a planned end is ±10 Elo, given its standard error in Elo after `blocks`. The error
    /// falls with the square root of the blocks. `relative` is the variance of one block's influence on the logarithm of the error's
    /// square: [`NORMAL`] for sums of many pairings. `None` below 20 blocks, which are too few.
    pub(crate) fn for_ten_elo(standard_error: f64, relative: f64, blocks: u64) -> Option<Self> {
        if blocks < FEWEST_FOR_SPREAD {
            return None;
        }
        let off = Z_95 * (relative / blocks as f64).sqrt();
        let needed = |factor: f64| {
            let at = |t: f64| blocks as f64 * factor * (t * standard_error / TARGET_BAR).powi(2);
            let mut enough = at(Z_95);
            for _ in 0..3 {
                if !(enough.is_finite() && enough < FARTHEST) {
                    return None;
                }
                enough = at(t_two_sided(0.05, (enough.ceil() as u64).max(2) - 1));
            }
            Some(enough.ceil() as u64)
        };
        Some(Self { low: needed(libm::exp(-off))?, high: needed(libm::exp(off))? })
    }

    /// The range of the largest of several, each of which lies in its own.
    pub(crate) fn largest(ranges: impl Iterator<Item = Option<Self>>) -> Option<Self> {
        let larger =
            |one: Self, other: Self| Self { low: one.low.max(other.low), high: one.high.max(other.high) };
        ranges.collect::<Option<Vec<_>>>()?.into_iter().reduce(larger)
    }
}

/// How far apart neighbours have to be, in Elo, to be told apart by blocks like these with 80 %: the bar of the ranks plus 0.84
/// standard errors of a difference, with the relative error of a spread of √(1/(2·blocks)). The median over neighbours; it falls
/// with the square root of the blocks. `None` below 20 blocks and for fewer than two bots.
pub(crate) fn told_apart(ratings: &Ratings, order: &[Entrant], bar: Option<f64>) -> Option<Interval> {
    const EIGHTY_PERCENT: f64 = 0.841_621_233_572_914_3;
    let blocks = ratings.blocks();
    if blocks < FEWEST_FOR_SPREAD {
        return None;
    }
    let mut errors: Vec<f64> =
        order.windows(2).filter_map(|two| ratings.error_of_difference(two[0], two[1])).collect();
    errors.sort_by(f64::total_cmp);
    let apart = (bar? + EIGHTY_PERCENT) * errors.get(errors.len() / 2)? * ELO_PER_THETA;
    let off = Z_95 / (2.0 * blocks as f64).sqrt();
    Some(Interval { low: apart * libm::exp(-off), high: apart * libm::exp(off) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forecast_narrows_with_more_blocks() {
        let range = |blocks: u64| {
            BlocksRange::for_ten_elo(200.0 / (blocks as f64).sqrt(), NORMAL, blocks).expect("enough blocks")
        };
        let (few, many) = (range(20), range(2_000));
        // (1.96 · 200 / 10)² = 1,537.
        assert!(
            few.low < many.low && many.low < 1_537 && 1_537 < many.high && many.high < few.high,
            "{few:?} {many:?}"
        );
        assert_eq!(BlocksRange::for_ten_elo(50.0, NORMAL, 19), None);
        assert_eq!(BlocksRange::for_ten_elo(f64::INFINITY, NORMAL, 20), None);
    }
}
