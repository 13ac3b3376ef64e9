//! Luck taken out of scores: a control variate whose mean is known to be 0.

/// One pair of matches, from the first bot: its score and its luck, each the mean over the legs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairLuck {
    /// By which pairs are spread over folds.
    pub block: u32,
    /// 0..=1.
    pub score: f64,
    pub luck: f64,
}

/// A mean score with and without luck.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adjusted {
    pub pairs: u64,
    /// Mean score of a match, 0..=1.
    pub raw: f64,
    /// Standard error of the mean.
    pub raw_se: f64,
    /// The same without luck: may lie a little beyond 0 and 1.
    pub adjusted: f64,
    pub adjusted_se: f64,
    /// Variance of a pair's score after over before; `None` where it has none before.
    pub variance_ratio: Option<f64>,
}

/// Into so many folds pairs are split; the coefficient of each is fitted on all others.
const FOLDS: u32 = 20;

/// With fewer pairs in the other folds the coefficient is not fitted: all luck is taken out.
const FEWEST_TO_FIT: f64 = 30.0;

/// Sums over pairs, for a regression of the score on the luck.
#[derive(Clone, Copy, Default)]
struct Sums {
    pairs: f64,
    score: f64,
    luck: f64,
    product: f64,
    square: f64,
}

impl Sums {
    fn add(&mut self, pair: &PairLuck) {
        self.pairs += 1.0;
        self.score += pair.score;
        self.luck += pair.luck;
        self.product += pair.score * pair.luck;
        self.square += pair.luck * pair.luck;
    }

    fn without(&self, fold: &Self) -> Self {
        Self {
            pairs: self.pairs - fold.pairs,
            score: self.score - fold.score,
            luck: self.luck - fold.luck,
            product: self.product - fold.product,
            square: self.square - fold.square,
        }
    }

    fn coefficient(&self) -> f64 {
        let spread = self.square - self.luck * self.luck / self.pairs;
        if self.pairs < FEWEST_TO_FIT || spread < 1e-9 {
            return 1.0;
        }
        (self.product - self.score * self.luck / self.pairs) / spread
    }
}

/// Takes the luck out: score − c · luck, with c fitted by least squares on the other folds, so that no pair's own result
/// decides how much is taken from it. Pairs count in the order of their blocks, whatever order they come in. `None` below
/// two pairs.
pub fn adjust(pairs: &[PairLuck]) -> Option<Adjusted> {
    if pairs.len() < 2 {
        return None;
    }
    let mut pairs = pairs.to_vec();
    pairs.sort_by(|a, b| {
        a.block.cmp(&b.block).then(a.score.total_cmp(&b.score)).then(a.luck.total_cmp(&b.luck))
    });
    let mut folds = [Sums::default(); FOLDS as usize];
    let mut all = Sums::default();
    for pair in &pairs {
        folds[(pair.block % FOLDS) as usize].add(pair);
        all.add(pair);
    }
    let coefficients = folds.map(|fold| all.without(&fold).coefficient());
    let adjusted =
        pairs.iter().map(|pair| pair.score - coefficients[(pair.block % FOLDS) as usize] * pair.luck);
    let (raw, raw_variance) = moments(pairs.iter().map(|pair| pair.score));
    let (adjusted, adjusted_variance) = moments(adjusted);
    let n = pairs.len() as f64;
    Some(Adjusted {
        pairs: pairs.len() as u64,
        raw,
        raw_se: (raw_variance / n).sqrt(),
        adjusted,
        adjusted_se: (adjusted_variance / n).sqrt(),
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
        // Two fifths of the score are luck.
        let pair = |block: u32| {
            let luck = f64::from(block * 7 % 11) / 10.0 - 0.5;
            PairLuck { block, score: 0.5 + 0.4 * luck + f64::from(block % 3) / 100.0, luck }
        };
        (0..110).map(pair).collect()
    }

    #[test]
    fn what_luck_explains_goes() {
        let told = adjust(&pairs()).expect("pairs");
        assert!((told.raw - 0.51).abs() < 1e-3 && (told.adjusted - told.raw).abs() < 1e-3, "{told:?}");
        assert!(told.variance_ratio.expect("a spread") < 0.01, "{told:?}");
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
    fn too_few_pairs_fit_nothing() {
        assert_eq!(adjust(&pairs()[..1]), None);
        let few = adjust(&pairs()[..2]).expect("two pairs");
        let expected = pairs()[..2].iter().map(|pair| pair.score - pair.luck).sum::<f64>() / 2.0;
        assert!((few.adjusted - expected).abs() < 1e-12);
        let even =
            [PairLuck { block: 0, score: 0.5, luck: 0.0 }, PairLuck { block: 1, score: 0.5, luck: 0.0 }];
        assert_eq!(adjust(&even).and_then(|told| told.variance_ratio), None);
    }
}
