//! The hypotheses of a sequential test.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::units::{Elo, NormalisedElo};

/// The two hypotheses between which a gate decides, `h0 < h1`, both on one scale.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "model", rename_all = "snake_case")]
pub enum Hypotheses {
    /// In strength per standard deviation of a match: the number of pairs to a decision does not depend on draws.
    Normalised { h0: NormalisedElo, h1: NormalisedElo },
    /// In expected score.
    Logistic { h0: Elo, h1: Elo },
}

impl Hypotheses {
    /// The bounds as plain numbers.
    pub const fn bounds(self) -> (f64, f64) {
        match self {
            Self::Normalised { h0, h1 } => (h0.get(), h1.get()),
            Self::Logistic { h0, h1 } => (h0.get(), h1.get()),
        }
    }

    /// The scale of the bounds, in words.
    pub const fn scale(self) -> &'static str {
        match self {
            Self::Normalised { .. } => "normalised Elo",
            Self::Logistic { .. } => "logistic Elo",
        }
    }
}
