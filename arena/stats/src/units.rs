//! The scales of results: score, Elo, normalised Elo, and intervals of them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Elo per unit of θ, the natural scale of the Bradley–Terry model: 400 / ln 10.
pub(crate) const ELO_PER_THETA: f64 = 400.0 / std::f64::consts::LN_10;

/// Normalised Elo per standard deviation of one match: 800 / ln 10, so that for even players who never draw
/// (σ = ½) it agrees with Elo. Source: M. Van den Bergh, "Normalized Elo" (2020).
pub(crate) const NORMALISED_ELO_PER_SIGMA: f64 = 800.0 / std::f64::consts::LN_10;

/// Elo on the logistic scale: a difference of `d` means an expected score of 1 / (1 + 10^(−d/400)).
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Elo(f64);

impl Elo {
    /// A finite number of Elo; never negative zero, so that equal results are equal text.
    pub fn new(elo: f64) -> Self {
        Self(elo + 0.0)
    }

    /// The difference at which `score` (0..=1 per match) is expected; `None` at 0 and 1, where it is infinite.
    pub fn from_score(score: f64) -> Option<Self> {
        (score > 0.0 && score < 1.0).then(|| Self::new(ELO_PER_THETA * libm::log(score / (1.0 - score))))
    }

    /// The expected score of one match, strictly between 0 and 1 unless the difference is enormous.
    pub fn expected_score(self) -> f64 {
        1.0 / (1.0 + libm::exp(-self.0 / ELO_PER_THETA))
    }

    /// The plain number.
    pub const fn get(self) -> f64 {
        self.0
    }
}

/// Normalised Elo: the expected score above one half in standard deviations of one match, times 800 / ln 10.
/// It says how many pairs a test needs, for any share of draws and any luck of the deal.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct NormalisedElo(f64);

impl NormalisedElo {
    /// A finite number of normalised Elo; never negative zero.
    pub fn new(elo: f64) -> Self {
        Self(elo + 0.0)
    }

    /// The plain number.
    pub const fn get(self) -> f64 {
        self.0
    }
}

/// A closed interval of a plain quantity, `low <= high`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

impl Interval {
    /// Whether `value` lies inside, ends included.
    pub fn contains(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }
}

/// An interval of Elo; a missing end means that this side has no bound (a score of 0 or 1 cannot be ruled out).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EloInterval {
    pub low: Option<Elo>,
    pub high: Option<Elo>,
}

impl EloInterval {
    /// The Elo differences at which the scores of `score` are expected.
    pub fn from_scores(score: Interval) -> Self {
        Self { low: Elo::from_score(score.low), high: Elo::from_score(score.high) }
    }
}
