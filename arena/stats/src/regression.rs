//! How much of each estimate of luck to take out of a score: least squares on other pairs, shrunk towards usual coefficients.
//!
//! ```text
//! x, l     score and estimates of luck of a pair; S = Σ (l − l̄)(l − l̄)ᵀ, s = Σ (x − x̄)(l − l̄)
//! c        solves (S + w·U) c = s + w·U·u: as if w further pairs had shown the usual coefficients u
//! ```
//!
//! With few pairs c is near u, with many near least squares. U, the usual covariance of the estimates, keeps S + w·U
//! invertible.

/// The number of estimates of a match's luck: by each of four baselines, by the drawn tiles alone, and one that is weighted by the
/// value before each change.
pub const LUCK_ESTIMATES: usize = 6;

/// The luck of a bot: estimates of what deals and draws gave it, in results (a win is 1).
pub type LuckEstimates = [f64; LUCK_ESTIMATES];

/// u: what is taken out before there are pairs to fit to.
const USUAL: LuckEstimates = [0.2, 0.2, 0.2, 0.2, 0.25, 0.0];
/// U: the variances of the estimates in a pair on the diagonal, and their covariances. The luck of drawn tiles is small; the
/// value-weighted one is independent of the others between bots of equal strength.
const COVARIANCE: [LuckEstimates; LUCK_ESTIMATES] = [
    [0.08, 0.06, 0.06, 0.06, 0.005, 0.0],
    [0.06, 0.08, 0.06, 0.06, 0.005, 0.0],
    [0.06, 0.06, 0.08, 0.06, 0.005, 0.0],
    [0.06, 0.06, 0.06, 0.08, 0.005, 0.0],
    [0.005, 0.005, 0.005, 0.005, 0.0015, 0.0],
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.03],
];
/// w.
pub(crate) const WEIGHT: f64 = 20.0;

/// Sums over pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Regression {
    pairs: f64,
    score: f64,
    luck: LuckEstimates,
    products: LuckEstimates,
    squares: [LuckEstimates; LUCK_ESTIMATES],
}

impl Regression {
    pub(crate) fn add(&mut self, score: f64, luck: LuckEstimates) {
        self.pairs += 1.0;
        self.score += score;
        for (i, estimate) in luck.into_iter().enumerate() {
            self.luck[i] += estimate;
            self.products[i] += score * estimate;
            for (j, other) in luck.into_iter().enumerate() {
                self.squares[i][j] += estimate * other;
            }
        }
    }

    /// The sums without the pairs in `others`, all of which are included in these.
    pub(crate) fn without(mut self, others: &Self) -> Self {
        self.pairs -= others.pairs;
        self.score -= others.score;
        subtract(&mut self.luck, &others.luck);
        subtract(&mut self.products, &others.products);
        for (row, other) in self.squares.iter_mut().zip(&others.squares) {
            subtract(row, other);
        }
        self
    }

    /// c.
    pub(crate) fn coefficients(&self) -> LuckEstimates {
        let pairs = self.pairs.max(1.0);
        let usual = |i: usize, j: usize| WEIGHT * COVARIANCE[i][j];
        let matrix = std::array::from_fn(|i| {
            std::array::from_fn(|j| self.squares[i][j] - self.luck[i] * self.luck[j] / pairs + usual(i, j))
        });
        let right = std::array::from_fn(|i| {
            let drawn: f64 = USUAL.iter().enumerate().map(|(j, coefficient)| usual(i, j) * coefficient).sum();
            self.products[i] - self.score * self.luck[i] / pairs + drawn
        });
        solve(matrix, right)
    }
}

fn subtract(sums: &mut LuckEstimates, others: &LuckEstimates) {
    for (sum, other) in sums.iter_mut().zip(others) {
        *sum -= other;
    }
}

/// The x for which `matrix` · x is `right`, by Gauss–Jordan elimination. The matrix has to be symmetric and positive
/// definite.
pub fn solve<const N: usize>(mut matrix: [[f64; N]; N], mut right: [f64; N]) -> [f64; N] {
    for pivot in 0..N {
        let (above, right_above) = (matrix[pivot], right[pivot]);
        let rows = matrix.iter_mut().zip(&mut right).enumerate();
        for (_, (cells, right)) in rows.filter(|(row, _)| *row != pivot) {
            let factor = cells[pivot] / above[pivot];
            *right -= factor * right_above;
            for (cell, above) in cells.iter_mut().zip(above) {
                *cell -= factor * above;
            }
        }
    }
    std::array::from_fn(|row| right[row] / matrix[row][row])
}

/// What remains of a score.
pub(crate) fn without(score: f64, luck: LuckEstimates, coefficients: LuckEstimates) -> f64 {
    score - luck.iter().zip(coefficients).map(|(estimate, coefficient)| coefficient * estimate).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(one: LuckEstimates, other: LuckEstimates, by: f64) -> bool {
        one.iter().zip(other).all(|(one, other)| (one - other).abs() < by)
    }

    #[test]
    fn coefficients_stay_usual_until_pairs_are_many() {
        let mut few = Regression::default();
        assert!(close(few.coefficients(), USUAL, 1e-12));
        few.add(1.0, [0.5, 0.4, 0.3, 0.2, 0.1, 0.6]);
        assert!(close(few.coefficients(), USUAL, 1e-12), "one pair has no spread");
        let mut many = Regression::default();
        for index in 0..100_000_u32 {
            let luck = [11, 7, 13, 5, 3, 17].map(|of| f64::from(index % of) / f64::from(of - 1) - 0.5);
            many.add(0.5 + 0.2 * luck[0] + 0.7 * luck[1] - 0.1 * luck[2], luck);
        }
        assert!(
            close(many.coefficients(), [0.2, 0.7, -0.1, 0.0, 0.0, 0.0], 1e-3),
            "{:?}",
            many.coefficients()
        );
    }

    #[test]
    fn identical_estimates_share_the_coefficient() {
        let mut same = Regression::default();
        for index in 0..1_000_u32 {
            let luck = f64::from(index % 11) / 10.0 - 0.5;
            same.add(0.5 + luck, [luck; LUCK_ESTIMATES]);
        }
        let each = same.coefficients();
        assert!((each.iter().sum::<f64>() - 1.0).abs() < 0.01, "{each:?}");
        // The last two may take more of it than the others, with which they usually have little in common.
        assert!(each[..LUCK_ESTIMATES - 2].iter().all(|one| (one - each[0]).abs() < 0.01), "{each:?}");
    }

    #[test]
    fn subtracting_pairs_leaves_the_others() {
        let (mut all, mut kept, mut gone) =
            (Regression::default(), Regression::default(), Regression::default());
        for index in 0..60_u32 {
            let luck = [5, 3, 7, 11, 13, 17].map(|of| f64::from(index % of) / f64::from(of) - 0.4);
            let score = f64::from(index % 4) / 4.0;
            all.add(score, luck);
            if index % 7 == 0 { gone.add(score, luck) } else { kept.add(score, luck) }
        }
        assert!(close(all.without(&gone).coefficients(), kept.coefficients(), 1e-9));
    }
}
