//! A mean over matches.

use leyden_stats::BatchMean;
use schemars::JsonSchema;
use serde::Serialize;

use super::values::Estimate;

/// A mean over matches.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MatchMean {
    pub mean: f64,
    /// Its standard error; null for a single match.
    pub se: Option<f64>,
}

impl MatchMean {
    /// The mean of a number for each match.
    pub(super) fn from_sums(sums: &[f64]) -> Self {
        match BatchMean::new(sums) {
            Some(mean) => {
                let Estimate { mean, se } = mean.into();
                Self { mean, se: Some(se) }
            }
            None => Self { mean: sums.first().copied().unwrap_or_default(), se: None },
        }
    }
}
