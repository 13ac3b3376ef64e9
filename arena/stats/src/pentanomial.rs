//! Counts of pairs by the points that the tested bot won in them, and the moments on which all estimates are based.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::dist::{Z_95, t_two_sided};
use crate::pairing_result::PairPoints;
use crate::units::{Elo, NORMALISED_ELO_PER_SIGMA, NormalisedElo};

/// How many pairs ended `[LL, LD, WL+DD, WD, WW]`, from the tested bot's side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Pentanomial([u64; 5]);

impl Pentanomial {
    /// From counts in the order `[LL, LD, WL+DD, WD, WW]`.
    pub const fn new(counts: [u64; 5]) -> Self {
        Self(counts)
    }

    /// Adds a pair.
    pub fn record(&mut self, points: PairPoints) {
        self.0[usize::from(points.half_points())] += 1;
    }

    /// Adds the pairs of another.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self(std::array::from_fn(|kind| self.0[kind] + other.0[kind]))
    }

    /// The counts in the order `[LL, LD, WL+DD, WD, WW]`.
    pub const fn counts(&self) -> &[u64; 5] {
        &self.0
    }

    /// Pairs counted.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Pairs that are not of the most frequent kind: those from which their spread is known.
    pub fn unlike(&self) -> u64 {
        self.pairs() - self.0.iter().max().copied().unwrap_or(0)
    }

    /// The same pairs from the other bot's side.
    #[must_use]
    pub fn reversed(self) -> Self {
        let [ll, ld, even, wd, ww] = self.0;
        Self([ww, wd, even, ld, ll])
    }

    /// Mean score of a match, in 0..=1; `None` without pairs.
    pub fn score(&self) -> Option<f64> {
        Moments::from_counts(&self.0).map(|moments| moments.mean)
    }

    /// Population variance of a pair's mean score; `None` without pairs.
    pub fn variance(&self) -> Option<f64> {
        Moments::from_counts(&self.0).map(|moments| moments.variance)
    }

    /// Logistic Elo of the mean score; `None` where it is not finite.
    pub fn elo(&self) -> Option<Elo> {
        Elo::from_score(self.score()?)
    }

    /// Half of elo(score + z·se) − elo(score − z·se) at 95 %; `None` where it is not finite.
    pub fn elo_error95(&self) -> Option<f64> {
        Moments::from_counts(&self.0)?.elo_error95()
    }

    /// (score − ½) / (√2 · standard deviation of a pair's mean score) · 800 / ln 10; `None` if every pair had the same score.
    pub fn normalised_elo(&self) -> Option<NormalisedElo> {
        Moments::from_counts(&self.0)?.normalised_elo().map(NormalisedElo::new)
    }

    /// Half-width at 95 % of [`normalised_elo`](Self::normalised_elo): Student's quantile at pairs − 1 times the standard
    /// error, which accounts for the estimated spread of a pair. `None` if every pair had the same score.
    pub fn normalised_elo_error95(&self) -> Option<f64> {
        Moments::from_counts(&self.0)?.normalised_elo_error95()
    }
}

/// Moments of counts over equally spaced scores 0..=1: three categories are single matches, five are pairs.
/// Only the check vectors use three.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moments {
    units: f64,
    matches_per_unit: f64,
    pub(crate) mean: f64,
    pub(crate) variance: f64,
    /// Standard deviation of a unit's influence on t = (mean − ½) / sd: of z − t(z² − 1)/2, with z its standardised score; 0
    /// without a spread.
    influence: f64,
}

impl Moments {
    /// `None` without counts. Sums are exact integers up to the last division.
    pub(crate) fn from_counts(counts: &[u64]) -> Option<Self> {
        let top = counts.len() as u128 - 1;
        let (mut units, mut sum, mut squares) = (0_u128, 0_u128, 0_u128);
        for (points, &count) in (0_u128..).zip(counts) {
            units += u128::from(count);
            sum += points * u128::from(count);
            squares += points * points * u128::from(count);
        }
        (units > 0).then(|| {
            let mean = sum as f64 / (units * top) as f64;
            let variance = (units * squares - sum * sum) as f64 / (units * units * top * top) as f64;
            let influence = influence(counts, units as f64, mean, variance.sqrt());
            Self { units: units as f64, matches_per_unit: top as f64 / 2.0, mean, variance, influence }
        })
    }

    fn standard_error(&self) -> f64 {
        (self.variance / self.units).sqrt()
    }

    pub(crate) fn elo_error95(&self) -> Option<f64> {
        let error = Z_95 * self.standard_error();
        let (low, high) = (Elo::from_score(self.mean - error)?, Elo::from_score(self.mean + error)?);
        Some((high.get() - low.get()) / 2.0)
    }

    pub(crate) fn normalised_elo(&self) -> Option<f64> {
        let sigma = (self.matches_per_unit * self.variance).sqrt();
        (sigma > 0.0).then(|| (self.mean - 0.5) / sigma * NORMALISED_ELO_PER_SIGMA)
    }

    pub(crate) fn normalised_elo_error95(&self) -> Option<f64> {
        (self.variance > 0.0).then(|| {
            let error = self.influence / (self.units - 1.0).sqrt();
            t_two_sided(0.05, self.units as u64 - 1) * error * NORMALISED_ELO_PER_SIGMA
                / self.matches_per_unit.sqrt()
        })
    }
}

/// The delta method for a mean over its standard deviation: the standard deviation over units of z − t(z² − 1)/2.
fn influence(counts: &[u64], units: f64, mean: f64, sd: f64) -> f64 {
    if sd <= 0.0 {
        return 0.0;
    }
    let (top, t) = ((counts.len() - 1) as f64, (mean - 0.5) / sd);
    let squares = (0_u32..).zip(counts).map(|(points, count)| {
        let z = (f64::from(points) / top - mean) / sd;
        let own = z - t * (z * z - 1.0) / 2.0;
        *count as f64 * own * own
    });
    (squares.sum::<f64>() / units).sqrt()
}
