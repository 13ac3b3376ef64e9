//! Takes luck out of the scores of a pairing: control variates whose mean is known to be 0.

use crate::minimum_blocks::FEWEST_FOR_SPREAD;
use crate::pairing_result::Entrant;
use crate::regression::{LUCK_ESTIMATES, LuckEstimates, Regression, without};
use crate::units::Interval;
use crate::validity::Holds;

/// One pair of matches from the first bot's side: its score and its luck, means over the legs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairLuck {
    /// Assigns the pair to a fold.
    pub block: u32,
    /// In 0..=1.
    pub score: f64,
    pub luck: LuckEstimates,
}

/// All complete pairs of two bots of a field, from the first bot's side.
#[derive(Clone, Debug, PartialEq)]
pub struct PairingLuck {
    pub first: Entrant,
    pub second: Entrant,
    /// In any order.
    pub pairs: Vec<PairLuck>,
}

/// A mean score with and without luck.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdjustedScore {
    /// The number of pairs.
    pub pairs: u64,
    /// Mean score of a match, in 0..=1.
    pub raw: f64,
    /// Standard error of the mean.
    pub raw_se: f64,
    /// The mean score without luck; may lie slightly outside 0..=1.
    pub adjusted: f64,
    /// Standard error of the mean without luck.
    pub adjusted_se: f64,
    /// Variance of a pair's score after the adjustment over before; `None` if it was 0 before.
    pub variance_ratio: Option<f64>,
    /// The standard error of its logarithm.
    pub ratio_error: Option<f64>,
}

impl AdjustedScore {
    /// The 95 % interval of the variance ratio; `None` below 20 pairs, which hardly show a spread, and if all came out alike.
    pub fn ratio_interval(&self, holds: Holds) -> Option<Interval> {
        let ratio = self.variance_ratio.filter(|ratio| self.pairs >= FEWEST_FOR_SPREAD && *ratio > 0.0)?;
        let off = libm::exp(holds.quantile(0.05, self.pairs)? * self.ratio_error?);
        Some(Interval { low: ratio / off, high: ratio * off })
    }
}

/// Half the width of the 95 % interval of the mean over this many pairs with standard error `se`. `None` with too few pairs: every
/// mean is possible.
pub fn half_width_of_mean(se: f64, pairs: u64, holds: Holds) -> Option<f64> {
    Some(se * holds.quantile(0.05, pairs)?)
}

/// A score without luck is shown beside the raw one if it is worth so many times the matches.
pub const LEAST_GAIN: f64 = 1.1;

/// Whether pairs without luck seem to be worth [`LEAST_GAIN`] times the pairs as played, by the variance of their score after over
/// before. Not known below 20 pairs, and if all came out alike.
pub fn gains(variance_ratio: Option<f64>, pairs: u64) -> bool {
    variance_ratio.is_some_and(|ratio| pairs >= FEWEST_FOR_SPREAD && ratio > 0.0 && 1.0 >= ratio * LEAST_GAIN)
}

/// Added to the sums of squares of scores: one imaginary match, half of it lost and half of it won, as in the interval of a plain
/// score. Without it, faults that luck does not explain and that were rare among a few pairs would not be counted on.
const UNSEEN: f64 = 1.0 / 8.0;

/// The number of folds. The coefficients for each fold are fitted on all the others.
const FOLDS: u32 = 20;

/// The score of each pair without its luck: score − c · luck, with c fitted on the other folds, so that no pair's own result
/// affects its adjustment. Returned in order of blocks; `pairs` may have any order.
pub fn without_luck(pairs: &[PairLuck]) -> Vec<(PairLuck, f64)> {
    let mut pairs = pairs.to_vec();
    pairs.sort_by(|a, b| {
        let by_luck = a.luck.iter().zip(&b.luck).map(|(a, b)| a.total_cmp(b));
        let by_score = a.block.cmp(&b.block).then(a.score.total_cmp(&b.score));
        by_luck.fold(by_score, std::cmp::Ordering::then)
    });
    let mut folds = [Regression::default(); FOLDS as usize];
    let mut all = Regression::default();
    for pair in &pairs {
        folds[(pair.block % FOLDS) as usize].add(pair.score, pair.luck);
        all.add(pair.score, pair.luck);
    }
    let coefficients = folds.map(|fold| all.without(&fold).coefficients());
    let of =
        |pair: PairLuck| (pair, without(pair.score, pair.luck, coefficients[(pair.block % FOLDS) as usize]));
    pairs.into_iter().map(of).collect()
}

/// The mean score of a pairing, as played and without luck. `None` for fewer than two pairs.
pub fn adjust(pairs: &[PairLuck]) -> Option<AdjustedScore> {
    if pairs.len() < 2 {
        return None;
    }
    let pairs = without_luck(pairs);
    let (raw, raw_variance) = moments(pairs.iter().map(|(pair, _)| pair.score));
    let (adjusted, adjusted_variance) = moments(pairs.iter().map(|(_, adjusted)| *adjusted));
    let n = pairs.len() as f64;
    let error = |variance: f64| ((variance + UNSEEN / (n - 1.0)) / n).sqrt();
    // A pair's influence on ln(after/before): (y − ȳ)²/after − (x − x̄)²/before.
    let influence = |(pair, score): &(PairLuck, f64)| {
        (score - adjusted).powi(2) / adjusted_variance - (pair.score - raw).powi(2) / raw_variance
    };
    let (_, of_influence) = moments(pairs.iter().map(influence));
    Some(AdjustedScore {
        pairs: pairs.len() as u64,
        raw,
        raw_se: error(raw_variance),
        adjusted,
        adjusted_se: error(adjusted_variance),
        variance_ratio: (raw_variance > 0.0).then(|| adjusted_variance / raw_variance),
        // The coefficients follow from the same pairs.
        ratio_error: (adjusted_variance > 0.0 && raw_variance > 0.0 && pairs.len() > 2 * LUCK_ESTIMATES)
            .then(|| (of_influence / (n - 2.0 * LUCK_ESTIMATES as f64)).sqrt()),
    })
}

/// Mean and unbiased variance.
fn moments(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let n = values.clone().count() as f64;
    let mean = values.clone().sum::<f64>() / n;
    (mean, values.map(|value| (value - mean) * (value - mean)).sum::<f64>() / (n - 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs() -> Vec<PairLuck> {
        // Nearly all of the score is luck, and each baseline sees its part.
        let pair = |block: u32| {
            let luck = [
                block * 7 % 11,
                block * 5 % 13,
                block * 4 % 11,
                block * 3 % 13,
                block * 2 % 11,
                block * 6 % 13,
            ]
            .map(|number| f64::from(number) / 10.0 - 0.55);
            PairLuck {
                block,
                score: 0.5 + 0.4 * luck[0] + 0.3 * luck[1] - 0.1 * luck[2]
                    + 0.2 * luck[3]
                    + f64::from(block % 3) / 100.0,
                luck,
            }
        };
        (0..429).map(pair).collect()
    }

    #[test]
    fn luck_that_explains_the_score_is_removed() {
        let estimate = adjust(&pairs()).expect("pairs");
        assert!((estimate.adjusted - estimate.raw).abs() < 0.03, "{estimate:?}");
        assert!(estimate.variance_ratio.expect("a spread") < 0.02, "{estimate:?}");
        assert!(estimate.adjusted_se < estimate.raw_se);
    }

    #[test]
    fn order_of_pairs_changes_no_bit() {
        let (there, mut back) = (pairs(), pairs());
        back.reverse();
        back.swap(3, 40);
        assert_eq!(adjust(&there), adjust(&back));
    }

    #[test]
    fn interval_widens_with_fewer_pairs() {
        let width = |pairs, holds| half_width_of_mean(1.0, pairs, holds);
        for (pairs, quantile) in [(2, 12.706), (10, 2.262), (100, 1.984), (1_000_000, 1.960)] {
            let planned = width(pairs, Holds::AtPlannedEnd).expect("two pairs");
            assert!((planned - quantile).abs() < 1e-3, "{pairs}: {planned}");
            assert!(width(pairs, Holds::AtAnyTime).is_none_or(|any| any > 1.4 * planned), "{pairs}");
        }
        assert_eq!(width(1, Holds::AtPlannedEnd), None);
    }

    #[test]
    fn too_few_pairs_fit_nothing() {
        assert_eq!(adjust(&pairs()[..1]), None);
        let pairs = &pairs()[..2];
        let few = adjust(pairs).expect("two pairs");
        let usual = Regression::default().coefficients();
        let expected = pairs.iter().map(|pair| without(pair.score, pair.luck, usual)).sum::<f64>() / 2.0;
        assert!((few.adjusted - expected).abs() < 1e-12);
        let even = [0, 1].map(|block| PairLuck { block, score: 0.5, luck: LuckEstimates::default() });
        assert_eq!(adjust(&even).and_then(|estimate| estimate.variance_ratio), None);
    }
}
