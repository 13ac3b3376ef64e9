//! How much of each luck to take out of a score: least squares on other pairs, shrunk towards usual coefficients.
//!
//! ```text
//! x, l     score and lucks of a pair; S = Σ (l − l̄)(l − l̄)ᵀ, s = Σ (x − x̄)(l − l̄)
//! c        solves (S + w·U) c = s + w·U·u: as if w further pairs had shown the usual coefficients u
//! ```
//!
//! With few pairs c is near u, with many near least squares. U, the usual covariance of the lucks, keeps S + w·U invertible.

/// The number of estimates of a match's luck: by each of four baselines, by the drawn tiles alone, and by the value before each
/// change.
pub const LUCKS: usize = 6;

/// The lucks of a bot: each is one estimate of what deals and draws gave it, in results (a win is 1).
pub type Lucks = [f64; LUCKS];

/// u: what is taken out before there are pairs to fit to.
const USUAL: Lucks = [0.2, 0.2, 0.2, 0.2, 0.25, 0.0];
/// U: the variances of lucks in a pair on the diagonal, and their covariances. The luck of drawn tiles is a small one, that by value
/// independent of the others between bots of equal strength.
const COVARIANCE: [Lucks; LUCKS] = [
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
    lucks: Lucks,
    products: Lucks,
    squares: [Lucks; LUCKS],
}

impl Regression {
    pub(crate) fn add(&mut self, score: f64, lucks: Lucks) {
        self.pairs += 1.0;
        self.score += score;
        for (i, luck) in lucks.into_iter().enumerate() {
            self.lucks[i] += luck;
            self.products[i] += score * luck;
            for (j, other) in lucks.into_iter().enumerate() {
                self.squares[i][j] += luck * other;
            }
        }
    }

    /// The sums without the pairs in `others`, all of which are included in these.
    pub(crate) fn without(mut self, others: &Self) -> Self {
        self.pairs -= others.pairs;
        self.score -= others.score;
        subtract(&mut self.lucks, &others.lucks);
        subtract(&mut self.products, &others.products);
        for (row, other) in self.squares.iter_mut().zip(&others.squares) {
            subtract(row, other);
        }
        self
    }

    /// c.
    pub(crate) fn coefficients(&self) -> Lucks {
        let pairs = self.pairs.max(1.0);
        let usual = |i: usize, j: usize| WEIGHT * COVARIANCE[i][j];
        let matrix = std::array::from_fn(|i| {
            std::array::from_fn(|j| self.squares[i][j] - self.lucks[i] * self.lucks[j] / pairs + usual(i, j))
        });
        let right = std::array::from_fn(|i| {
            let drawn: f64 = USUAL.iter().enumerate().map(|(j, coefficient)| usual(i, j) * coefficient).sum();
            self.products[i] - self.score * self.lucks[i] / pairs + drawn
        });
        solve(matrix, right)
    }
}

fn subtract(sums: &mut Lucks, others: &Lucks) {
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
pub(crate) fn without(score: f64, lucks: Lucks, coefficients: Lucks) -> f64 {
    score - lucks.iter().zip(coefficients).map(|(luck, coefficient)| coefficient * luck).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(one: Lucks, other: Lucks, by: f64) -> bool {
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
            let lucks = [11, 7, 13, 5, 3, 17].map(|of| f64::from(index % of) / f64::from(of - 1) - 0.5);
            many.add(0.5 + 0.2 * lucks[0] + 0.7 * lucks[1] - 0.1 * lucks[2], lucks);
        }
        assert!(
            close(many.coefficients(), [0.2, 0.7, -0.1, 0.0, 0.0, 0.0], 1e-3),
            "{:?}",
            many.coefficients()
        );
    }

    #[test]
    fn identical_lucks_share_the_coefficient() {
        let mut same = Regression::default();
        for index in 0..1_000_u32 {
            let luck = f64::from(index % 11) / 10.0 - 0.5;
            same.add(0.5 + luck, [luck; LUCKS]);
        }
        let each = same.coefficients();
        assert!((each.iter().sum::<f64>() - 1.0).abs() < 0.01, "{each:?}");
        // The last two may take more of it than the others, with which they usually have little in common.
        assert!(each[..LUCKS - 2].iter().all(|one| (one - each[0]).abs() < 0.01), "{each:?}");
    }

    #[test]
    fn subtracting_pairs_leaves_the_others() {
        let (mut all, mut kept, mut gone) =
            (Regression::default(), Regression::default(), Regression::default());
        for index in 0..60_u32 {
            let lucks = [5, 3, 7, 11, 13, 17].map(|of| f64::from(index % of) / f64::from(of) - 0.4);
            let score = f64::from(index % 4) / 4.0;
            all.add(score, lucks);
            if index % 7 == 0 { gone.add(score, lucks) } else { kept.add(score, lucks) }
        }
        assert!(close(all.without(&gone).coefficients(), kept.coefficients(), 1e-9));
    }
}
