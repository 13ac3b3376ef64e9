//! The hypotheses of a sequential test.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::units::{Elo, NormalisedElo};

/// The scale of a test's bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EloScale {
    /// Per standard deviation of a match: how long the test takes does not depend on the luck of the game.
    #[default]
    Normalised,
    /// By the expected score.
    Logistic,
}

impl EloScale {
    /// Its name as it is typed and stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Normalised => "normalised",
            Self::Logistic => "logistic",
        }
    }

    /// The hypotheses that the strength is `h0` and that it is `h1`.
    pub fn hypotheses(self, h0: f64, h1: f64) -> Hypotheses {
        match self {
            Self::Normalised => {
                Hypotheses::Normalised { h0: NormalisedElo::new(h0), h1: NormalisedElo::new(h1) }
            }
            Self::Logistic => Hypotheses::Logistic { h0: Elo::new(h0), h1: Elo::new(h1) },
        }
    }
}

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

    /// The scale of the bounds.
    pub const fn scale(self) -> EloScale {
        match self {
            Self::Normalised { .. } => EloScale::Normalised,
            Self::Logistic { .. } => EloScale::Logistic,
        }
    }
}
