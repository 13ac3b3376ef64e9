//! The generalised log-likelihood ratio of two hypotheses about a multinomial's mean, or its mean over its standard
//! deviation.
//!
//! Source: M. Van den Bergh, "Comments on Normalized Elo" and "The generalized maximum likelihood ratio for the
//! expectation value of a distribution" (the maximum under a linear constraint is p̂ / (1 + xφ), with one scalar x).

use crate::hypotheses::Hypotheses;
use crate::units::{NORMALISED_ELO_PER_SIGMA, NormalisedElo};

/// The count of a category that never occurred.
const EMPTY: f64 = 1e-3;
/// The iteration stops when probabilities change by less than this.
const ARRIVED: f64 = 1e-13;
/// The iteration converges within a dozen rounds; this only bounds it.
const MAX_ROUNDS: usize = 100;
/// Bisection between the poles reaches the last bit well before this.
const MAX_HALVINGS: usize = 200;

/// `LLR = Σ n_i ln(p¹_i / p⁰_i)` over equally spaced scores 0..=1, where pᵏ is the most likely distribution under hypothesis
/// k. Three categories are single matches, five are pairs.
pub(crate) fn log_likelihood_ratio(counts: &[u64], hypotheses: Hypotheses) -> f64 {
    let counts: Vec<f64> = regular(counts).collect();
    let total: f64 = counts.iter().sum();
    let seen: Vec<f64> = counts.iter().map(|count| count / total).collect();
    counts.iter().zip(log_ratios(&seen, hypotheses)).map(|(count, ratio)| count * ratio).sum()
}

fn regular(counts: &[u64]) -> impl Iterator<Item = f64> {
    counts.iter().map(|&count| if count == 0 { EMPTY } else { count as f64 })
}

/// The shares of the categories, none of them 0.
pub(crate) fn seen_shares(counts: &[u64]) -> Vec<f64> {
    let total: f64 = regular(counts).sum();
    regular(counts).map(|count| count / total).collect()
}

/// `ln(p¹_i / p⁰_i)` for each category.
fn log_ratios(seen: &[f64], hypotheses: Hypotheses) -> impl Iterator<Item = f64> {
    let (p0, p1) = match hypotheses {
        Hypotheses::Logistic { h0, h1 } => {
            (with_mean(seen, h0.expected_score()), with_mean(seen, h1.expected_score()))
        }
        Hypotheses::Normalised { h0, h1 } => {
            let per_unit = per_unit(seen.len());
            (with_ratio(seen, h0.get() * per_unit), with_ratio(seen, h1.get() * per_unit))
        }
    };
    p1.into_iter().zip(p0).map(|(p1, p0)| libm::log(p1 / p0))
}

/// Mean over standard deviation of one unit that corresponds to one normalised Elo.
fn per_unit(categories: usize) -> f64 {
    ((categories - 1) as f64 / 2.0).sqrt() / NORMALISED_ELO_PER_SIGMA
}

/// How the ratio changes with each unit.
pub(crate) struct RatioMoments {
    pub(crate) drift: f64,
    pub(crate) variance: f64,
}

impl RatioMoments {
    /// For units with these shares. To first order, another unit changes the ratio by its own term only, because p⁰ and p¹
    /// are maxima of the likelihood.
    pub(crate) fn new(shares: &[f64], hypotheses: Hypotheses) -> Self {
        let ratios: Vec<f64> = log_ratios(shares, hypotheses).collect();
        let drift: f64 = shares.iter().zip(&ratios).map(|(p, ratio)| p * ratio).sum();
        let variance =
            shares.iter().zip(&ratios).map(|(p, ratio)| p * (ratio - drift) * (ratio - drift)).sum();
        Self { drift, variance }
    }
}

/// Normalised Elo of units with these shares.
pub(crate) fn normalised_elo(shares: &[f64]) -> f64 {
    let k = shares.len();
    let mean: f64 = shares.iter().enumerate().map(|(i, p)| p * score_of(i, k)).sum();
    let variance: f64 = shares.iter().enumerate().map(|(i, p)| p * (score_of(i, k) - mean).powi(2)).sum();
    (mean - 0.5) / variance.sqrt() / per_unit(k)
}

/// The score of category `i` of `categories`.
fn score_of(i: usize, categories: usize) -> f64 {
    i as f64 / (categories - 1) as f64
}

/// The most likely distribution whose mean is `mean`.
pub(crate) fn with_mean(seen: &[f64], mean: f64) -> Vec<f64> {
    let slopes: Vec<f64> = (0..seen.len()).map(|i| score_of(i, seen.len()) - mean).collect();
    constrained(seen, &slopes).unwrap_or_else(|| seen.to_vec())
}

/// The most likely distribution with this strength.
pub(crate) fn with_strength(seen: &[f64], strength: NormalisedElo) -> Vec<f64> {
    with_ratio(seen, strength.get() * per_unit(seen.len()))
}

/// The most likely distribution whose (mean − ½) / standard deviation is `ratio`: the constraint is linearised at the current
/// distribution until it converges.
fn with_ratio(seen: &[f64], ratio: f64) -> Vec<f64> {
    let k = seen.len();
    let mut p = vec![1.0 / k as f64; k];
    for _ in 0..MAX_ROUNDS {
        let mean: f64 = p.iter().enumerate().map(|(i, p)| p * score_of(i, k)).sum();
        let variance: f64 = p.iter().enumerate().map(|(i, p)| p * (score_of(i, k) - mean).powi(2)).sum();
        let sigma = variance.sqrt();
        let slopes: Vec<f64> = (0..k)
            .map(|i| {
                let z = (score_of(i, k) - mean) / sigma;
                score_of(i, k) - 0.5 - 0.5 * ratio * sigma * (1.0 + z * z)
            })
            .collect();
        let Some(next) = constrained(seen, &slopes) else { break };
        let change = p.iter().zip(&next).map(|(old, new)| (old - new).abs()).fold(0.0, f64::max);
        p = next;
        if change < ARRIVED {
            break;
        }
    }
    p
}

/// The most likely distribution under Σ p φ = 0: p̂ / (1 + xφ) at the root x of Σ p̂φ / (1 + xφ), which falls from +∞ to −∞
/// between its poles. Found by bisection, because Newton's method may take a pole for a root. `None` if no distribution
/// satisfies the constraint (all slopes have one sign).
fn constrained(seen: &[f64], slopes: &[f64]) -> Option<Vec<f64>> {
    let least = slopes.iter().copied().fold(f64::INFINITY, f64::min);
    let most = slopes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(least < 0.0 && most > 0.0) {
        return None;
    }
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..MAX_HALVINGS {
        let x = f64::midpoint(low, high);
        let slope: f64 = seen.iter().zip(slopes).map(|(p, phi)| p * phi / (1.0 + x * phi)).sum();
        if slope > 0.0 {
            low = x;
        } else {
            high = x;
        }
        if high - low < 1e-15 * (1.0 + x.abs()) {
            break;
        }
    }
    let x = f64::midpoint(low, high);
    Some(seen.iter().zip(slopes).map(|(p, phi)| p / (1.0 + x * phi)).collect())
}
