//! Takes luck out of the scores of a pairing: control variates whose mean is known to be 0.

use crate::dist::t_two_sided;
use crate::encounter::Entrant;
use crate::fewest::FEWEST_FOR_SPREAD;
use crate::regression::{Lucks, Regression, without};

/// One pair of matches from the first bot's side: its score and its lucks, each the mean over the legs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairLuck {
    /// Assigns the pair to a fold.
    pub block: u32,
    /// In 0..=1.
    pub score: f64,
    pub lucks: Lucks,
}

/// All complete pairs of two bots of a field, from the first bot's side.
#[derive(Clone, Debug, PartialEq)]
pub struct PairingLuck {
    pub first: Entrant,
    pub second: Entrant,
    pub pairs: Vec<PairLuck>,
}

/// A mean score with and without luck.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adjusted {
    pub pairs: u64,
    /// Mean score of a match, in 0..=1.
    pub raw: f64,
    /// Standard error of the mean.
    pub raw_se: f64,
    /// The mean score without luck; may lie slightly outside 0..=1.
    pub adjusted: f64,
    pub adjusted_se: f64,
    /// Variance of a pair's score after the adjustment over before; `None` if it was 0 before.
    pub variance_ratio: Option<f64>,
}

/// Half the width of the 95 % interval of the mean over so many pairs, at least two, with standard error `se`: Student's
/// distribution with one degree of freedom less.
pub fn half_width_of_mean(se: f64, pairs: u64) -> f64 {
    se * t_two_sided(0.05, pairs.max(2) - 1)
}

/// A score without luck is shown beside the raw one if it is worth so many times the matches.
pub const LEAST_GAIN: f64 = 1.1;

/// How many times the matches a score without luck is worth, by the variance of a pair's score after the adjustment over before.
/// `None` for fewer pairs than [`FEWEST_FOR_SPREAD`], and if all came out alike.
pub fn worth(variance_ratio: Option<f64>, pairs: u64) -> Option<f64> {
    variance_ratio.filter(|ratio| pairs >= FEWEST_FOR_SPREAD && *ratio > 0.0).map(|ratio| 1.0 / ratio)
}

/// Added to the sums of squares of scores: one imaginary match, half of it lost and half of it won, as in the interval of a plain
/// score. Without it, faults that luck does not explain and that were rare among a few pairs would not be counted on.
const UNSEEN: f64 = 1.0 / 8.0;

/// The number of folds. The coefficients for each fold are fitted on all the others.
const FOLDS: u32 = 20;

/// The score of each pair without its luck: score − c · luck, with c fitted on the other folds, so that no pair's own result
/// affects its adjustment. Returned in order of blocks, whatever the order of `pairs`.
pub fn without_luck(pairs: &[PairLuck]) -> Vec<(PairLuck, f64)> {
    let mut pairs = pairs.to_vec();
    pairs.sort_by(|a, b| {
        let lucks = || a.lucks.iter().zip(&b.lucks).map(|(a, b)| a.total_cmp(b));
        let by_score = a.block.cmp(&b.block).then(a.score.total_cmp(&b.score));
        lucks().fold(by_score, std::cmp::Ordering::then)
    });
    let mut folds = [Regression::default(); FOLDS as usize];
    let mut all = Regression::default();
    for pair in &pairs {
        folds[(pair.block % FOLDS) as usize].add(pair.score, pair.lucks);
        all.add(pair.score, pair.lucks);
    }
    let coefficients = folds.map(|fold| all.without(&fold).coefficients());
    let of =
        |pair: PairLuck| (pair, without(pair.score, pair.lucks, coefficients[(pair.block % FOLDS) as usize]));
    pairs.into_iter().map(of).collect()
}

/// The mean score of a pairing, as played and without luck. `None` for fewer than two pairs.
pub fn adjust(pairs: &[PairLuck]) -> Option<Adjusted> {
    if pairs.len() < 2 {
        return None;
    }
    let pairs = without_luck(pairs);
    let (raw, raw_variance) = moments(pairs.iter().map(|(pair, _)| pair.score));
    let (adjusted, adjusted_variance) = moments(pairs.iter().map(|(_, adjusted)| *adjusted));
    let n = pairs.len() as f64;
    let error = |variance: f64| ((variance + UNSEEN / (n - 1.0)) / n).sqrt();
    Some(Adjusted {
        pairs: pairs.len() as u64,
        raw,
        raw_se: error(raw_variance),
        adjusted,
        adjusted_se: error(adjusted_variance),
        variance_ratio: (raw_variance > 0.0).then(|| adjusted_variance / raw_variance),
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
            let lucks = [
                block * 7 % 11,
                block * 5 % 13,
                block * 4 % 11,
                block * 3 % 13,
                block * 2 % 11,
                block * 6 % 13,
            ]
            .map(|luck| f64::from(luck) / 10.0 - 0.55);
            PairLuck {
                block,
                score: 0.5 + 0.4 * lucks[0] + 0.3 * lucks[1] - 0.1 * lucks[2]
                    + 0.2 * lucks[3]
                    + f64::from(block % 3) / 100.0,
                lucks,
            }
        };
        (0..429).map(pair).collect()
    }

    #[test]
    fn luck_that_explains_the_score_is_removed() {
        let told = adjust(&pairs()).expect("pairs");
        assert!((told.adjusted - told.raw).abs() < 0.03, "{told:?}");
        assert!(told.variance_ratio.expect("a spread") < 0.02, "{told:?}");
        assert!(told.adjusted_se < told.raw_se);
    }

    #[test]
    fn the_order_of_pairs_changes_no_bit() {
        let (there, mut back) = (pairs(), pairs());
        back.reverse();
        back.swap(3, 40);
        assert_eq!(adjust(&there), adjust(&back));
    }

    #[test]
    fn the_fewer_the_pairs_the_wider_the_interval() {
        let widths = [2, 10, 100, 1_000_000].map(|pairs| half_width_of_mean(1.0, pairs));
        for (width, quantile) in widths.into_iter().zip([12.706, 2.262, 1.984, 1.960]) {
            assert!((width - quantile).abs() < 1e-3, "{widths:?}");
        }
    }

    #[test]
    fn too_few_pairs_fit_nothing() {
        assert_eq!(adjust(&pairs()[..1]), None);
        let pairs = &pairs()[..2];
        let few = adjust(pairs).expect("two pairs");
        let usual = Regression::default().coefficients();
        let expected = pairs.iter().map(|pair| without(pair.score, pair.lucks, usual)).sum::<f64>() / 2.0;
        assert!((few.adjusted - expected).abs() < 1e-12);
        let even = [0, 1].map(|block| PairLuck { block, score: 0.5, lucks: Lucks::default() });
        assert_eq!(adjust(&even).and_then(|told| told.variance_ratio), None);
    }
}
