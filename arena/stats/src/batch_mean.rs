//! A mean over independent batches of a simulation, and how sure it is. Within a batch, values may depend on each other.

use crate::dist::t_two_sided;

/// A mean and its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BatchMean {
    pub mean: f64,
    /// The standard error of the mean; 0 if it is exact.
    pub se: f64,
    /// How many batches it was estimated from.
    pub batches: u64,
}

impl BatchMean {
    /// From the means of batches of equal size; `None` with fewer than two.
    pub fn new(batches: &[f64]) -> Option<Self> {
        if batches.len() < 2 {
            return None;
        }
        let count = batches.len() as f64;
        let mean = batches.iter().sum::<f64>() / count;
        let squares: f64 = batches.iter().map(|batch| (batch - mean).powi(2)).sum();
        let se = (squares / (count - 1.0) / count).sqrt();
        Some(Self { mean, se, batches: batches.len() as u64 })
    }

    /// A value that is known.
    pub const fn exact(mean: f64) -> Self {
        Self { mean, se: 0.0, batches: u64::MAX }
    }

    /// The lower end of a one-sided interval: if batches are normal, the true mean lies below it with the probability `tail`, by
    /// Student's distribution.
    pub fn at_least(&self, tail: f64) -> f64 {
        if self.se == 0.0 {
            return self.mean;
        }
        self.mean - self.se * t_two_sided(2.0 * tail, self.batches.saturating_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lower_end_is_students() {
        let mean = BatchMean::new(&[1.0, 2.0, 3.0, 4.0]).expect("four batches");
        assert_eq!((mean.mean, mean.batches), (2.5, 4));
        assert!((mean.se - 0.645_497).abs() < 1e-6, "{}", mean.se);
        // The 97.5 % point with three degrees of freedom is 3.182.
        assert!((mean.at_least(0.025) - (2.5 - 3.182_446 * 0.645_497)).abs() < 1e-5);
        assert_eq!(BatchMean::new(&[1.0]), None);
        assert_eq!(BatchMean::exact(0.25).at_least(0.001).to_bits(), 0.25_f64.to_bits());
    }
}
