//! Dense symmetric linear algebra for ratings: a Cholesky factor, and solving with many right-hand sides.
//!
//! Hand-written because sums must run in the same order on every machine: fast crates choose a kernel by processor features,
//! which changes the last bits. Blocked and tiled, a thousand bots take well under a second.

/// The number of rows and columns that are handled at once.
const BLOCK: usize = 64;
/// The side of the tile kept in registers.
const TILE: usize = 4;

/// A square matrix, row by row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Square {
    n: usize,
    cells: Vec<f64>,
}

impl Square {
    pub(crate) fn zero(n: usize) -> Self {
        Self { n, cells: vec![0.0; n * n] }
    }

    pub(crate) const fn side(&self) -> usize {
        self.n
    }

    pub(crate) fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.n + column]
    }

    pub(crate) fn at_mut(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.cells[row * self.n + column]
    }

    pub(crate) fn row(&self, row: usize) -> &[f64] {
        &self.cells[row * self.n..][..self.n]
    }

    pub(crate) fn row_mut(&mut self, row: usize) -> &mut [f64] {
        &mut self.cells[row * self.n..][..self.n]
    }

    pub(crate) fn cells_mut(&mut self) -> &mut [f64] {
        &mut self.cells
    }

    pub(crate) fn transpose(&mut self) {
        for i in 0..self.n {
            for j in 0..i {
                self.cells.swap(i * self.n + j, j * self.n + i);
            }
        }
    }
}

impl Square {
    /// The lower L whose product with its transpose is this matrix, which may be singular: directions without a variance have
    /// columns of zeros.
    pub(crate) fn root(&self) -> Self {
        let mut root = Self::zero(self.n);
        for column in 0..self.n {
            let products = |row: usize| -> f64 {
                let (own, above) = (&root.row(row)[..column], &root.row(column)[..column]);
                own.iter().zip(above).map(|(one, other)| one * other).sum()
            };
            let rest = self.at(column, column) - products(column);
            if rest <= 1e-10 * self.at(column, column) {
                continue;
            }
            let diagonal = rest.sqrt();
            let below: Vec<f64> =
                (column..self.n).map(|row| (self.at(row, column) - products(row)) / diagonal).collect();
            for (row, cell) in (column..self.n).zip(below) {
                *root.at_mut(row, column) = cell;
            }
        }
        root
    }
}

/// The lower factor L of a positive definite `A = LLᵀ`.
pub(crate) struct Cholesky {
    lower: Square,
}

impl Cholesky {
    /// Factors `matrix`, reading only its lower half; `None` unless it is positive definite.
    pub(crate) fn new(matrix: Square) -> Option<Self> {
        let mut factor = Self { lower: matrix };
        for start in (0..factor.lower.n).step_by(BLOCK) {
            let end = (start + BLOCK).min(factor.lower.n);
            factor.finish_columns(start, end)?;
            factor.update_rest(start, end);
        }
        Some(factor)
    }

    /// Factors the columns `start..end`, from which the earlier columns have been subtracted.
    fn finish_columns(&mut self, start: usize, end: usize) -> Option<()> {
        let n = self.lower.n;
        for i in start..n {
            for j in start..end.min(i + 1) {
                let products: f64 = (start..j).map(|m| self.lower.at(i, m) * self.lower.at(j, m)).sum();
                let rest = self.lower.at(i, j) - products;
                *self.lower.at_mut(i, j) =
                    if i == j { (rest > 0.0).then(|| rest.sqrt())? } else { rest / self.lower.at(j, j) };
            }
        }
        Some(())
    }

    /// Subtracts the columns `start..end` from the lower half to their right.
    fn update_rest(&mut self, start: usize, end: usize) {
        let (n, depth) = (self.lower.n, end - start);
        let mut across = vec![0.0; depth * (n - end)];
        for column in end..n {
            for k in 0..depth {
                across[k * (n - end) + column - end] = self.lower.at(column, start + k);
            }
        }
        for first in (end..n).step_by(BLOCK) {
            let last = (first + BLOCK).min(n);
            let left: Vec<f64> =
                (first..last).flat_map(|row| self.lower.row(row)[start..end].to_vec()).collect();
            let mut target = Window { cells: &mut self.lower.cells[first * n + end..], stride: n };
            subtract_product(&mut target, &left, (&across, n - end), (last - first, last - end, depth));
        }
    }

    /// Replaces `sides`, a matrix with `width` columns, by A⁻¹ times it.
    pub(crate) fn solve(&self, sides: &mut [f64], width: usize) {
        let n = self.lower.n;
        for start in (0..n).step_by(BLOCK) {
            self.forward(sides, width, start, (start + BLOCK).min(n));
        }
        for start in (0..n).step_by(BLOCK).rev() {
            self.backward(sides, width, start, (start + BLOCK).min(n));
        }
    }

    fn forward(&self, sides: &mut [f64], width: usize, start: usize, end: usize) {
        let left: Vec<f64> = (start..end).flat_map(|row| self.lower.row(row)[..start].to_vec()).collect();
        let (done, open) = sides.split_at_mut(start * width);
        let mut target = Window { cells: open, stride: width };
        subtract_product(&mut target, &left, (done, width), (end - start, width, start));
        for i in start..end {
            let (above, row) = open.split_at_mut((i - start) * width);
            let row = &mut row[..width];
            for (m, solved) in (start..i).zip(above.chunks_exact(width)) {
                subtract_scaled(row, self.lower.at(i, m), solved);
            }
            divide(row, self.lower.at(i, i));
        }
    }

    fn backward(&self, sides: &mut [f64], width: usize, start: usize, end: usize) {
        let n = self.lower.n;
        let left: Vec<f64> =
            (start..end).flat_map(|column| (end..n).map(move |row| self.lower.at(row, column))).collect();
        let (open, done) = sides.split_at_mut(end * width);
        let mut target = Window { cells: &mut open[start * width..], stride: width };
        subtract_product(&mut target, &left, (done, width), (end - start, width, n - end));
        for i in (start..end).rev() {
            let (row, below) = open.split_at_mut((i + 1) * width);
            let row = &mut row[i * width..];
            for (m, solved) in (i + 1..end).zip(below.chunks_exact(width)) {
                subtract_scaled(row, self.lower.at(m, i), solved);
            }
            divide(row, self.lower.at(i, i));
        }
    }
}

fn subtract_scaled(row: &mut [f64], factor: f64, other: &[f64]) {
    for (cell, other) in row.iter_mut().zip(other) {
        *cell -= factor * other;
    }
}

fn divide(row: &mut [f64], divisor: f64) {
    for cell in row {
        *cell /= divisor;
    }
}

/// A part of a matrix whose rows lie `stride` apart.
struct Window<'a> {
    cells: &'a mut [f64],
    stride: usize,
}

/// target − left · right for `(rows, columns, depth)`: `left` is rows × depth without gaps, `right` depth × columns with its
/// own stride. Each cell sums over the depth in ascending order, so tiling changes no bit.
fn subtract_product(
    target: &mut Window<'_>,
    left: &[f64],
    (right, right_stride): (&[f64], usize),
    (rows, columns, depth): (usize, usize, usize),
) {
    if depth == 0 {
        return;
    }
    let mut strip = vec![[0.0; TILE]; depth];
    for first_column in (0..columns).step_by(TILE) {
        let wide = TILE.min(columns - first_column);
        for (k, packed) in strip.iter_mut().enumerate() {
            packed[..wide].copy_from_slice(&right[k * right_stride + first_column..][..wide]);
        }
        for first_row in (0..rows).step_by(TILE) {
            let high = TILE.min(rows - first_row);
            // Rows past the end repeat the last one; their results are not written.
            let line = |r: usize| &left[(first_row + r.min(high - 1)) * depth..][..depth];
            let tile = multiply_tile([line(0), line(1), line(2), line(3)], &strip);
            for (r, products) in tile.iter().enumerate().take(high) {
                let row = &mut target.cells[(first_row + r) * target.stride + first_column..][..wide];
                subtract_scaled(row, 1.0, products);
            }
        }
    }
}

/// Four rows times four columns, with the sums in registers.
fn multiply_tile(lines: [&[f64]; TILE], strip: &[[f64; TILE]]) -> [[f64; TILE]; TILE] {
    let [a, b, c, d] = lines;
    let mut sums = [[0.0; TILE]; TILE];
    for ((((packed, a), b), c), d) in strip.iter().zip(a).zip(b).zip(c).zip(d) {
        for (sum, factor) in sums.iter_mut().zip([a, b, c, d]) {
            for (cell, value) in sum.iter_mut().zip(packed) {
                *cell += factor * value;
            }
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A positive definite matrix of any size, without randomness.
    fn sample(n: usize) -> Square {
        let mut matrix = Square::zero(n);
        for i in 0..n {
            for j in 0..n {
                let (low, high) = (i.min(j) as f64, i.max(j) as f64);
                *matrix.at_mut(i, j) =
                    libm::cos(low * 1.7 + high * 0.3) + if i == j { n as f64 } else { 0.0 };
            }
        }
        matrix
    }

    #[test]
    fn cholesky_solves_what_was_multiplied() {
        for n in [1, 2, 3, 5, 63, 64, 65, 131, 200] {
            for width in [1, 3, 7] {
                let matrix = sample(n);
                let expected: Vec<f64> = (0..n * width).map(|i| libm::sin(i as f64)).collect();
                let mut sides = vec![0.0; n * width];
                for i in 0..n {
                    for c in 0..width {
                        sides[i * width + c] =
                            (0..n).map(|j| matrix.at(i, j) * expected[j * width + c]).sum();
                    }
                }
                Cholesky::new(matrix).expect("positive definite").solve(&mut sides, width);
                for (got, expected) in sides.iter().zip(&expected) {
                    assert!((got - expected).abs() < 1e-9, "{n} x {width}: {got} {expected}");
                }
            }
        }
    }

    #[test]
    fn root_squared_is_the_matrix_even_when_singular() {
        let mut singular = Square::zero(3);
        for (i, j) in (0..3).flat_map(|i| (0..3).map(move |j| (i, j))) {
            *singular.at_mut(i, j) = if i == j { 2.0 } else { -1.0 };
        }
        for matrix in [sample(5), singular, Square::zero(2)] {
            let root = matrix.root();
            for (i, j) in (0..matrix.side()).flat_map(|i| (0..matrix.side()).map(move |j| (i, j))) {
                let squared: f64 = (0..matrix.side()).map(|k| root.at(i, k) * root.at(j, k)).sum();
                assert!((squared - matrix.at(i, j)).abs() < 1e-9, "{squared} {}", matrix.at(i, j));
            }
        }
    }

    #[test]
    fn indefinite_is_refused() {
        let mut matrix = sample(3);
        *matrix.at_mut(1, 1) = -1.0;
        assert!(Cholesky::new(matrix).is_none());
    }
}
