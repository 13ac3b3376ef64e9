//! Whether ratings describe a field: one number for each bot explains a pairing's score only if strength is all there is.
//!
//! ```text
//! r_e   points of pairing e less those expected by the ratings; w_e = n p (1 − p), its slope
//! σ²_e  their variance over blocks; at two seats the pairings have deals of their own and are independent
//! M     w_e (a_e H⁻¹ a_f): by how much the result of f moves the expectation of e through the ratings
//! z_e   r_e / √(Σ_f (δ_ef − M_ef)² σ²_f)
//! Q     Σ r²/σ² − bᵀ G⁻¹ b,  G = Σ (w²/σ²) a aᵀ,  b = Σ (w r/σ²) a: what the best ratings leave over
//! ```
//!
//! Q is χ² with as many degrees as pairings less free ratings; because each σ² is estimated from B blocks, its terms are squares of
//! Student's t, and a gamma distribution with their mean and variance takes its place.
//!
//! Source: P. `McCullagh` and J. A. Nelder, "Generalized Linear Models" (1989), chapter 12, for residuals.

use schemars::JsonSchema;
use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Gamma};

use crate::estimate::block_moments;
use crate::minimum_blocks::FEWEST_FOR_SPREAD;
use crate::pairing_result::Entrant;
use crate::rating::{FitError, Ratings, sigmoid};
use crate::square_matrix::{Cholesky, Square};
use crate::tally::FieldTally;

/// In larger fields the fit is not tested: the work grows with the fourth power of the bots.
const MOST_BOTS: usize = 100;
/// The number of pairings that are named.
const NAMED: usize = 5;

/// How well ratings describe the scores of a field's pairings.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Fit {
    /// If ratings described the field, its pairings would stray so far from them with this probability, 0..=1.
    pub p_value: f64,
    /// The standard deviation of pairings from their ratings beyond what chance explains, in Elo; 0 if chance explains it all.
    pub astray_elo: f64,
    /// The pairings that are farthest from their ratings, by `p_value`: at most five, and those below 5 % over all pairings together.
    pub residuals: Vec<Residual>,
}

/// A pairing that does not follow from the ratings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Residual {
    pub first: Entrant,
    pub second: Entrant,
    /// The first bot's score as played, 0..=1.
    pub score: f64,
    /// The first bot's score as the ratings have it, 0..=1.
    pub expected: f64,
    /// Corrected for the number of pairings.
    pub p_value: f64,
}

/// What is known of a pairing.
struct Edge {
    ends: [usize; 2],
    score: f64,
    expected: f64,
    matches: f64,
    /// r, w and σ².
    residual: f64,
    slope: f64,
    variance: f64,
}

impl Fit {
    /// `None` below 20 blocks, with more than a hundred bots, and if no pairing is left over to test (a gauntlet). Of fields at
    /// two seats.
    pub fn from_tally(tally: &FieldTally, ratings: &Ratings) -> Result<Option<Self>, FitError> {
        let (bots, blocks) = (ratings.bots(), tally.blocks());
        if blocks < FEWEST_FOR_SPREAD || bots > MOST_BOTS {
            return Ok(None);
        }
        let edges = edges(tally, ratings);
        let Some((left_over, degrees)) = left_over(bots, &edges) else { return Ok(None) };
        let errors = errors(ratings, tally, &edges)?;
        let mut residuals: Vec<Residual> = edges
            .iter()
            .zip(&errors)
            .filter_map(|(edge, error)| {
                let each = ratings.holds().p_value(edge.residual / error, blocks)?;
                let [first, second] = edge.ends.map(|end| Entrant(end as u32));
                let p_value = -libm::expm1(edges.len() as f64 * libm::log1p(-each.min(1.0 - 1e-16)));
                Some(Residual { first, second, score: edge.score, expected: edge.expected, p_value })
            })
            .filter(|residual| residual.p_value < 0.05)
            .collect();
        residuals.sort_by(|one, other| one.p_value.total_cmp(&other.p_value));
        residuals.truncate(NAMED);
        Ok(Some(Self {
            p_value: p_value(left_over, degrees, blocks),
            astray_elo: astray(&edges, &errors),
            residuals,
        }))
    }
}

fn edges(tally: &FieldTally, ratings: &Ratings) -> Vec<Edge> {
    let bots = ratings.bots();
    let pairings = (0..bots).flat_map(|high| (0..high).map(move |low| [low, high]));
    pairings
        .filter_map(|ends| {
            let [low, high] = ends.map(|end| Entrant(end as u32));
            let pairing = tally.pairing(low, high)?;
            let score = pairing.score()?;
            let matches = (pairing.blocks() * u64::from(pairing.matches_per_block())) as f64;
            let expected = sigmoid(ratings.lead(low, high));
            let (_, variance) = block_moments(pairing);
            Some(Edge {
                ends,
                score,
                expected,
                matches,
                residual: matches * (score - expected),
                slope: matches * expected * (1.0 - expected),
                variance: matches * matches * variance / pairing.blocks() as f64,
            })
        })
        .collect()
}

/// Q and its degrees of freedom; `None` if there are none.
fn left_over(bots: usize, edges: &[Edge]) -> Option<(f64, f64)> {
    let (mut information, mut right, mut sum) = (Square::zero(bots), vec![0.0; bots], 0.0);
    for Edge { ends: [low, high], residual, slope, variance, .. } in edges {
        let weight = slope * slope / variance;
        for (i, j, sign) in [(*low, *low, 1.0), (*high, *high, 1.0), (*low, *high, -1.0), (*high, *low, -1.0)]
        {
            *information.at_mut(i, j) += sign * weight;
        }
        right[*low] += slope * residual / variance;
        right[*high] -= slope * residual / variance;
        sum += residual * residual / variance;
    }
    let root = information.root();
    let free = (0..bots).filter(|bot| root.at(*bot, *bot) > 0.0).count();
    let degrees = edges.len().checked_sub(free).filter(|degrees| *degrees > 0)?;
    // b lies in the range of G, so a little on the diagonal changes nothing but makes G invertible.
    let largest = (0..bots).map(|bot| information.at(bot, bot)).fold(0.0, f64::max);
    for bot in 0..bots {
        *information.at_mut(bot, bot) += 1e-9 * largest;
    }
    let mut best = right.clone();
    Cholesky::new(information)?.solve(&mut best, 1);
    let explained: f64 = best.iter().zip(&right).map(|(best, right)| best * right).sum();
    Some(((sum - explained).max(0.0), degrees as f64))
}

/// P(Q is so large).
fn p_value(left_over: f64, degrees: f64, blocks: u64) -> f64 {
    let n = (blocks - 1) as f64;
    let mean = degrees * n / (n - 2.0);
    let variance = degrees * 2.0 * n * n * (n - 1.0) / ((n - 2.0).powi(2) * (n - 4.0));
    Gamma::new(mean * mean / variance, mean / variance).map_or(1.0, |gamma| gamma.sf(left_over))
}

/// The standard errors of the residuals.
fn errors(ratings: &Ratings, tally: &FieldTally, edges: &[Edge]) -> Result<Vec<f64>, FitError> {
    let inverse = ratings.inverse_information(tally)?;
    let moved = |one: &Edge, other: &Edge| {
        let [i, j] = one.ends;
        let [k, l] = other.ends;
        one.slope * (inverse.at(i, k) - inverse.at(i, l) - inverse.at(j, k) + inverse.at(j, l))
    };
    let error = |index: usize, edge: &Edge| {
        let each = edges.iter().enumerate().map(|(other_index, other)| {
            let own = if index == other_index { 1.0 } else { 0.0 };
            (own - moved(edge, other)).powi(2) * other.variance
        });
        each.sum::<f64>().sqrt()
    };
    Ok(edges.iter().enumerate().map(|(index, edge)| error(index, edge)).collect())
}

/// √(mean (r² − its variance)) on the scale of Elo at ½.
fn astray(edges: &[Edge], errors: &[f64]) -> f64 {
    let beyond: f64 = edges
        .iter()
        .zip(errors)
        .map(|(edge, error)| (edge.residual * edge.residual - error * error) / (edge.matches * edge.matches))
        .sum();
    4.0 * crate::units::ELO_PER_THETA * (beyond / edges.len() as f64).max(0.0).sqrt()
}
