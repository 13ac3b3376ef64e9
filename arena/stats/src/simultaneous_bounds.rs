//! Statements that hold together: how large the largest of many estimates becomes by chance, each in its standard errors.
//!
//! The bootstrap over blocks with normal multipliers: given the results, a sum of blocks with such weights is normal with the
//! covariance that is estimated from the blocks, so its draws need that matrix alone. Differences between bots of one field
//! share bots and deals; the largest of them stays smaller than that of as many independent ones (Bonferroni, Holm).
//!
//! Sources: V. Chernozhukov, D. Chetverikov and K. Kato, Annals of Statistics 41 (2013), for the multipliers; J. P. Romano and
//! M. Wolf, Econometrica 73 (2005), for the steps; M. Mogstad, J. P. Romano, A. Shaikh and D. Wilhelm, "Inference for Ranks with
//! Applications to Mobility across Neighbourhoods and Academic Achievement across Countries", Review of Economic Studies 91 (2024),
//! for ranks.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::dist::normal_two_sided;
use crate::square_matrix::Square;

/// The number of draws: the probability is met to about 0.3 %.
const DRAWS: usize = 4_000;
/// With more bots the draws take too long; Bonferroni's correction takes their place.
const MOST_BOTS: usize = 128;

/// The estimate of one value, or the difference of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Contrast {
    pub(crate) of: usize,
    pub(crate) less: Option<usize>,
}

impl Contrast {
    /// Its variance.
    pub(crate) fn variance(self, covariance: &Square) -> f64 {
        let own = covariance.at(self.of, self.of);
        self.less.map_or(own, |less| own + covariance.at(less, less) - 2.0 * covariance.at(self.of, less))
    }

    fn value(self, values: &[f64]) -> f64 {
        values[self.of] - self.less.map_or(0.0, |less| values[less])
    }
}

/// The two-sided probability of error that each of `contrasts` may have for itself, so that any of them errs with probability
/// `tail`, by a covariance that was estimated from this many blocks. From fewer than two blocks a bot its draws would be too much
/// alike, so Bonferroni's correction takes their place. Contrasts without a variance are left out; they can't err.
pub(crate) fn each_tail(covariance: &Square, blocks: u64, contrasts: &[Contrast], tail: f64) -> f64 {
    let scaled: Vec<(Contrast, f64)> = contrasts
        .iter()
        .map(|contrast| (*contrast, contrast.variance(covariance)))
        .filter(|(_, variance)| *variance > 0.0)
        .map(|(contrast, variance)| (contrast, 1.0 / variance.sqrt()))
        .collect();
    let bonferroni = tail / scaled.len().max(1) as f64;
    let bots = covariance.side();
    if scaled.len() < 2 || bots > MOST_BOTS || blocks < 2 * bots as u64 {
        return bonferroni;
    }
    let mut normal = Normal::new();
    let root = covariance.root();
    let mut draw = vec![0.0; covariance.side()];
    let mut largest: Vec<f64> = (0..DRAWS)
        .map(|_| {
            let independent: Vec<f64> = draw.iter().map(|_| normal.draw()).collect();
            for (row, value) in draw.iter_mut().enumerate() {
                let line = root.row(row).iter().zip(&independent).take(row + 1);
                *value = line.map(|(cell, normal)| cell * normal).sum();
            }
            scaled.iter().map(|(contrast, scale)| contrast.value(&draw).abs() * scale).fold(0.0, f64::max)
        })
        .collect();
    largest.sort_unstable_by(f64::total_cmp);
    let bar = largest[((1.0 - tail) * (DRAWS + 1) as f64) as usize - 1];
    normal_two_sided(bar).max(bonferroni)
}

/// Standard normal numbers, the same ones each time.
pub(crate) struct Normal {
    source: ChaCha8Rng,
    spare: Option<f64>,
}

impl Normal {
    pub(crate) fn new() -> Self {
        Self { source: ChaCha8Rng::seed_from_u64(0), spare: None }
    }

    fn uniform(&mut self) -> f64 {
        ((self.source.next_u64() >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
    }

    /// Box and Muller's transformation.
    pub(crate) fn draw(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        let (radius, angle) =
            ((-2.0 * libm::log(self.uniform())).sqrt(), std::f64::consts::TAU * self.uniform());
        self.spare = Some(radius * libm::sin(angle));
        radius * libm::cos(angle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::t_two_sided;

    fn equals(bots: usize, shared: f64) -> Square {
        let mut covariance = Square::zero(bots);
        for i in 0..bots {
            for j in 0..bots {
                *covariance.at_mut(i, j) = if i == j { 1.0 } else { shared };
            }
        }
        covariance
    }

    fn differences(bots: usize) -> Vec<Contrast> {
        (0..bots).flat_map(|less| (less + 1..bots).map(move |of| Contrast { of, less: Some(less) })).collect()
    }

    /// Tukey's studentised range at infinite degrees of freedom, upper 5 %: 3.314 for three, 5.301 for thirty (tables), over √2.
    #[test]
    fn differences_of_equal_bots_follow_the_studentised_range() {
        for (bots, range) in [(3, 3.314), (30, 5.301)] {
            for shared in [0.0, 0.6] {
                let tail = each_tail(&equals(bots, shared), 100, &differences(bots), 0.05);
                let bar = t_two_sided(tail, 1_000_000_000);
                assert!((bar * std::f64::consts::SQRT_2 / range - 1.0).abs() < 0.02, "{bots}: {bar}");
            }
        }
    }

    #[test]
    fn contrasts_without_variance_need_no_correction() {
        let mut covariance = Square::zero(3);
        *covariance.at_mut(1, 1) = 4.0;
        let each: Vec<Contrast> = (0..3).map(|of| Contrast { of, less: None }).collect();
        assert!((each_tail(&covariance, 100, &each, 0.05) - 0.05).abs() < 1e-15);
    }

    #[test]
    fn copies_count_once() {
        let tail = each_tail(
            &equals(10, 1.0),
            100,
            &(0..10).map(|of| Contrast { of, less: None }).collect::<Vec<_>>(),
            0.05,
        );
        assert!((0.04..0.06).contains(&tail), "{tail}");
    }
}
