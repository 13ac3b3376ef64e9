//! Bradley–Terry ratings by maximum likelihood with a weak prior; errors by a sandwich estimator clustered on blocks.
//!
//! ```text
//! s_ij  points i won against j in n_ij matches; s_ijb of block b alone, of B blocks
//! p_ij  = σ(θ_i − θ_j),  q_i = σ(θ_i),  κ = ½
//! θ     maximises Σ [s ln p + (n − s) ln(1 − p)] + κ Σ [ln q + ln(1 − q)]
//! g_b,i = Σ_j (s_ijb − n_ijb p_ij)
//! J     = B/(B−1) Σ_b (g_b − ḡ)(g_b − ḡ)ᵀ + κ diag((1−q)² + q²)
//! H     the negative Hessian, prior included;  C = I − 11ᵀ/N
//! V     = C H⁻¹ J H⁻¹ C
//! ```
//!
//! Tables of more than two seats are treated as their pairwise comparisons: `n_ij` counts the legs in which i and j sat at
//! one table. The comparisons of a table are not independent, but they all fall into one block, and J clusters by block,
//! which allows for any correlation within it.
//!
//! In a complete block Σ n p over the rivals is the same for all b, so g − ḡ depends on the points alone: J needs one pass. A block
//! that counts without a void pair is filled as in `gaps.rs`.
//!
//! [`Ratings::without_luck`] replaces `s_ijb` by `y_ijb`, a pair's points with its luck taken out, in g, J and the slope of
//! the likelihood. Because E y = E s, the expected slope, and so the limit of θ, and H do not change; J is that of y. The
//! points need not be counts, only their means and blocks matter: y may lie outside [0, n].
//!
//! Sources: R. A. Bradley and M. E. Terry, Biometrika 39 (1952); the sandwich H. White, Econometrica 50 (1982), clustered
//! as in K.-Y. Liang and S. L. Zeger, Biometrika 73 (1986); t at B − 1 as in C. B. Hansen, J. Econometrics 141 (2007).

use std::collections::{BTreeMap, BTreeSet};

use crate::adjustment::{PairingLuck, without_luck};
use crate::gaps::FilledTally;
use crate::pairing_result::Entrant;
use crate::simultaneous_bounds::Contrast;
use crate::single_pairs::PairSpread;
use crate::square_matrix::{Cholesky, Square};
use crate::tally::FieldTally;
use crate::units::{ELO_PER_THETA, Elo};
use crate::validity::Holds;

/// κ, the weight of the prior: as if each bot had won and lost half a match against an average bot.
pub const PRIOR_WEIGHT: f64 = 0.5;

/// A bot with fewer pairs has no interval of its own, where errors come from single pairs.
const FEWEST_PAIRS: u64 = 5;

/// Newton's method stops when θ changes by less than this.
const ARRIVED: f64 = 1e-12;
/// Newton's method converges within ten or twenty steps; this only bounds it.
const MAX_STEPS: usize = 200;
/// Where thousands of points of one bot and none of another meet a weak prior, rounding keeps steps from becoming shorter than
/// [`ARRIVED`]. Such a θ is taken after [`ROUNDED_STEPS`] steps that are all shorter than this.
const NEARLY_ARRIVED: f64 = 1e-6;
const ROUNDED_STEPS: usize = 20;

/// The fit failed numerically. No tally is known to cause this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FitError {
    #[error("the ratings' information matrix is not positive definite")]
    Singular,
    #[error("the ratings did not converge in {MAX_STEPS} Newton steps")]
    Unsettled,
}

/// Ratings of a field with their covariance.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// Centred: the mean of all bots is 0.
    theta: Vec<f64>,
    /// The mean that was subtracted; the prior fixes it.
    level: f64,
    /// V on the scale of θ, from two blocks on.
    covariance: Option<Square>,
    blocks: u64,
    /// The number of pairs of each bot, if errors come from single pairs.
    pairs: Option<Vec<u64>>,
    holds: Holds,
}

impl Ratings {
    /// Rates the blocks of `tally`; `holds` says when the intervals shall hold.
    ///
    /// ```
    /// use leyden_stats::{Entrant, Field, FieldTally, Holds, Margin, PairingResult, Ranking, Ratings, Score};
    ///
    /// // Bot 0 wins both matches of each pair against bot 1, but one.
    /// let pair = |block| PairingResult {
    ///     block,
    ///     first: Entrant(0),
    ///     second: Entrant(1),
    ///     score: if block == 3 { Score::new(1, 0, 1) } else { Score::new(2, 0, 0) },
    ///     margin: Margin { sum: 30, matches: 2 },
    /// };
    /// let tally = FieldTally::from_results(Field::round_robin(2), (0..20).map(pair).collect())?;
    /// let ratings = Ratings::fit(&tally, Holds::AtPlannedEnd)?;
    /// assert!(ratings.elo(Entrant(0)).get() > ratings.elo(Entrant(1)).get());
    /// assert_eq!(Ranking::from_tally(&tally, &ratings).bots[0].bot, Entrant(0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fit(tally: &FieldTally, holds: Holds) -> Result<Self, FitError> {
        let points = PointTable::from_tally(tally);
        let mut theta = maximise(&points)?;
        let expected = |one: Entrant, other: Entrant| sigmoid(theta[one.at()] - theta[other.at()]);
        let (covariance, pairs) = if tally.is_by_pairs() {
            let spread = PairSpread::new(tally, &inverse(&points, &theta)?, expected);
            // What the prior draws all ratings to the mean by is no chance: it counts as one more cluster.
            let pull: Vec<f64> =
                theta.iter().map(|theta| PRIOR_WEIGHT * (1.0 - 2.0 * sigmoid(*theta))).collect();
            let with_pull = |i: usize, j: usize| spread.at(i, j) + pull[i] * pull[j];
            (Some(sandwich(&points, &theta, with_pull)?), Some(spread.pairs))
        } else if tally.blocks() >= 2 {
            let filled = FilledTally::new(tally, expected);
            (Some(sandwich(&points, &theta, |i, j| filled.points_covariance(i, j))?), None)
        } else {
            (None, None)
        };
        let level = centre(&mut theta);
        Ok(Self { theta, level, covariance, blocks: tally.blocks(), pairs, holds })
    }

    /// Rates the pairs of two-seat pairings with their luck taken out, over the blocks in which every pairing has its pair;
    /// `None` below two of them. Converges to the same ratings as the raw points, with narrower intervals. If a bot has won
    /// or lost nearly all pairs, the adjustment may give it more than all points; then the fit fails.
    pub fn without_luck(
        bots: usize,
        pairings: &[PairingLuck],
        holds: Holds,
    ) -> Result<Option<Self>, FitError> {
        let Some(points) = PointsWithoutLuck::new(bots, pairings) else { return Ok(None) };
        let mut theta = maximise(&points.table)?;
        let covariance = sandwich(&points.table, &theta, |i, j| points.covariance(i, j))?;
        let level = centre(&mut theta);
        let blocks = points.by_block.len() as u64;
        Ok(Some(Self { theta, level, covariance: Some(covariance), blocks, pairs: None, holds }))
    }

    /// The number of rated bots.
    pub fn bots(&self) -> usize {
        self.theta.len()
    }

    /// The number of blocks on which the ratings are based.
    pub const fn blocks(&self) -> u64 {
        self.blocks
    }

    /// A bot's rating; the mean of the field is 0. Panics for a bot outside the field, like indexing.
    pub fn elo(&self, bot: Entrant) -> Elo {
        Elo::new(self.theta[bot.at()] * ELO_PER_THETA)
    }

    /// The number of independent results behind a bot's rating: all blocks, or its pairs, if these are not too few.
    pub(crate) fn clusters(&self, bot: usize) -> u64 {
        self.pairs
            .as_ref()
            .map_or(self.blocks, |pairs| if pairs[bot] < FEWEST_PAIRS { 0 } else { pairs[bot] })
    }

    /// The same of a contrast: of the bot with fewer.
    pub(crate) fn clusters_of(&self, contrast: Contrast) -> u64 {
        contrast.less.into_iter().map(|less| self.clusters(less)).fold(self.clusters(contrast.of), u64::min)
    }

    /// The number of independent results from which the covariance comes.
    pub(crate) fn all_clusters(&self) -> u64 {
        self.pairs.as_ref().map_or(self.blocks, |pairs| pairs.iter().sum::<u64>() / 2)
    }

    /// Standard error in Elo; `None` below two blocks.
    pub fn standard_error(&self, bot: Entrant) -> Option<f64> {
        let variance = self.covariance.as_ref()?.at(bot.at(), bot.at());
        Some(variance.max(0.0).sqrt() * ELO_PER_THETA)
    }

    /// Half-width of the 95 % interval in Elo, of this bot for itself; `None` with too few blocks.
    pub fn half_width(&self, bot: Entrant) -> Option<f64> {
        Some(self.standard_error(bot)? * self.holds.quantile(0.05, self.clusters(bot.at()))?)
    }

    /// When intervals and p-values hold.
    pub const fn holds(&self) -> Holds {
        self.holds
    }

    pub(crate) const fn covariance(&self) -> Option<&Square> {
        self.covariance.as_ref()
    }

    /// The difference of a contrast in standard errors; infinite or 0 if there is no error.
    pub(crate) fn standardised(&self, contrast: Contrast) -> Option<f64> {
        let variance = contrast.variance(self.covariance.as_ref()?);
        let ahead = self.theta[contrast.of] - contrast.less.map_or(0.0, |less| self.theta[less]);
        Some(match ahead {
            _ if variance > 0.0 => ahead / variance.sqrt(),
            _ if ahead == 0.0 => 0.0,
            _ => f64::INFINITY.copysign(ahead),
        })
    }

    /// The standard error of `θ_i − θ_j`.
    pub(crate) fn error_of_difference(&self, one: Entrant, other: Entrant) -> Option<f64> {
        let contrast = Contrast { of: one.at(), less: Some(other.at()) };
        Some(contrast.variance(self.covariance.as_ref()?).max(0.0).sqrt())
    }

    /// The p-value of two bots being equally strong: if they were, so large a difference either way would come with this
    /// probability. Not the probability that they are. `None` below two blocks and for a bot and itself.
    pub fn p_value(&self, one: Entrant, other: Entrant) -> Option<f64> {
        if one == other {
            return None;
        }
        let contrast = Contrast { of: one.at(), less: Some(other.at()) };
        self.holds.p_value(self.standardised(contrast)?, self.clusters_of(contrast))
    }

    /// `θ_i − θ_j`.
    pub(crate) fn lead(&self, one: Entrant, other: Entrant) -> f64 {
        self.theta[one.at()] - self.theta[other.at()]
    }

    /// H⁻¹.
    pub(crate) fn inverse_information(&self, tally: &FieldTally) -> Result<Square, FitError> {
        inverse(&PointTable::from_tally(tally), &self.uncentred())
    }

    /// θ as the prior fixes it.
    fn uncentred(&self) -> Vec<f64> {
        self.theta.iter().map(|theta| theta + self.level).collect()
    }

    /// H, factored.
    fn information(&self, tally: &FieldTally) -> Result<Cholesky, FitError> {
        factored(&PointTable::from_tally(tally), &self.uncentred())
    }

    /// By how much each block moves each rating, on the scale of θ: `C H⁻¹ (g_b − ḡ) √(B/(B−1))`, so that their squares add up to V
    /// without its prior. Needs a tally that keeps its blocks.
    pub(crate) fn influences(&self, tally: &FieldTally) -> Result<Vec<(u32, Vec<f64>)>, FitError> {
        let factor = self.information(tally)?;
        let blocks = self.blocks as f64;
        let scale = (blocks / (blocks - 1.0)).sqrt();
        let of_block = |(block, away): (u32, Vec<f64>)| {
            let mut influence: Vec<f64> = away.iter().map(|points| points * scale).collect();
            factor.solve(&mut influence, 1);
            centre(&mut influence);
            (block, influence)
        };
        let filled = FilledTally::new(tally, |one, other| sigmoid(self.lead(one, other)));
        Ok(filled.points_by_block().map(of_block).collect())
    }
}

/// H, factored.
fn factored(points: &PointTable, theta: &[f64]) -> Result<Cholesky, FitError> {
    let (_, hessian) = points.slopes(theta);
    Cholesky::new(hessian).ok_or(FitError::Singular)
}

/// H⁻¹.
pub(crate) fn inverse(points: &PointTable, theta: &[f64]) -> Result<Square, FitError> {
    let mut inverse = Square::zero(theta.len());
    for bot in 0..theta.len() {
        *inverse.at_mut(bot, bot) = 1.0;
    }
    factored(points, theta)?.solve(inverse.cells_mut(), theta.len());
    Ok(inverse)
}

pub(crate) fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-x))
}

/// Subtracts the mean, and returns it.
pub(crate) fn centre(values: &mut [f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    for value in values {
        *value -= mean;
    }
    mean
}

/// Returns the θ that maximises the penalised likelihood. It is not centred: the prior fixes its level.
pub(crate) fn maximise(points: &PointTable) -> Result<Vec<f64>, FitError> {
    let (mut theta, mut rounded) = (vec![0.0; points.bots], 0);
    for _ in 0..MAX_STEPS {
        let (mut step, hessian) = points.slopes(&theta);
        Cholesky::new(hessian).ok_or(FitError::Singular)?.solve(&mut step, 1);
        let longest = step.iter().copied().map(f64::abs).fold(0.0, f64::max);
        let scale = if longest > 1.0 { 1.0 / longest } else { 1.0 };
        for (theta, step) in theta.iter_mut().zip(&step) {
            *theta += scale * step;
        }
        rounded = if longest < NEARLY_ARRIVED { rounded + 1 } else { 0 };
        if longest < ARRIVED || rounded == ROUNDED_STEPS {
            return Ok(theta);
        }
    }
    Err(FitError::Unsettled)
}

/// Points and matches of each two bots, the second index below the first.
#[derive(Clone, Debug)]
pub(crate) struct PointTable {
    pub(crate) bots: usize,
    pub(crate) cells: Vec<(f64, f64)>,
    /// κ of each bot.
    pub(crate) priors: Vec<f64>,
}

impl PointTable {
    pub(crate) fn empty(bots: usize) -> Self {
        let cells = vec![(0.0, 0.0); bots * bots.saturating_sub(1) / 2];
        Self { bots, cells, priors: vec![PRIOR_WEIGHT; bots] }
    }

    fn from_tally(tally: &FieldTally) -> Self {
        let bots = tally.field().bots();
        let mut cells = Vec::with_capacity(bots * bots.saturating_sub(1) / 2);
        for high in 0..bots as u32 {
            for low in 0..high {
                cells.push(tally.pairing(Entrant(low), Entrant(high)).map_or((0.0, 0.0), |pairing| {
                    let matches = pairing.blocks() * u64::from(pairing.matches_per_block());
                    ((2 * matches - pairing.half_points()) as f64 / 2.0, matches as f64)
                }));
            }
        }
        Self { bots, cells, priors: vec![PRIOR_WEIGHT; bots] }
    }

    /// Gradient and negative Hessian (its lower half) of the penalised log-likelihood.
    fn slopes(&self, theta: &[f64]) -> (Vec<f64>, Square) {
        let mut gradient = vec![0.0; self.bots];
        let mut hessian = Square::zero(self.bots);
        for (i, (theta, prior)) in theta.iter().zip(&self.priors).enumerate() {
            let q = sigmoid(*theta);
            gradient[i] = prior * (1.0 - 2.0 * q);
            *hessian.at_mut(i, i) = 2.0 * prior * q * (1.0 - q);
        }
        let mut cells = self.cells.iter();
        for i in 0..self.bots {
            for (j, (points, matches)) in cells.by_ref().take(i).enumerate() {
                if *matches == 0.0 {
                    continue;
                }
                let p = sigmoid(theta[i] - theta[j]);
                let (excess, weight) = (points - matches * p, matches * p * (1.0 - p));
                gradient[i] += excess;
                gradient[j] -= excess;
                *hessian.at_mut(i, i) += weight;
                *hessian.at_mut(j, j) += weight;
                *hessian.at_mut(i, j) = -weight;
            }
        }
        (gradient, hessian)
    }
}

/// The results of pairs with their luck taken out.
struct PointsWithoutLuck {
    table: PointTable,
    /// For each complete block the points of each bot.
    by_block: Vec<Vec<f64>>,
    means: Vec<f64>,
}

impl PointsWithoutLuck {
    /// `None` below two complete blocks.
    fn new(bots: usize, pairings: &[PairingLuck]) -> Option<Self> {
        let blocks = pairings.iter().map(|pairing| pairing.pairs.iter().map(|pair| pair.block).collect());
        let complete: BTreeSet<u32> = blocks.reduce(|all: BTreeSet<u32>, some| &all & &some)?;
        if complete.len() < 2 {
            return None;
        }
        let mut table = PointTable::empty(bots);
        let mut by_block: BTreeMap<u32, Vec<f64>> =
            complete.iter().map(|block| (*block, vec![0.0; bots])).collect();
        for PairingLuck { first, second, pairs } in pairings {
            let (first, second) = (first.at(), second.at());
            let (low, high) = (first.min(second), first.max(second));
            let cell = &mut table.cells[high * high.saturating_sub(1) / 2 + low];
            for (pair, score) in without_luck(pairs) {
                let Some(of_block) = by_block.get_mut(&pair.block) else { continue };
                of_block[first] += 2.0 * score;
                of_block[second] += 2.0 * (1.0 - score);
                cell.0 += if first == high { 2.0 * score } else { 2.0 * (1.0 - score) };
                cell.1 += 2.0;
            }
        }
        let by_block: Vec<Vec<f64>> = by_block.into_values().collect();
        let mean =
            |bot: usize| by_block.iter().map(|points| points[bot]).sum::<f64>() / by_block.len() as f64;
        let means = (0..bots).map(mean).collect();
        Some(Self { table, by_block, means })
    }

    /// Like [`FilledTally::points_covariance`].
    fn covariance(&self, i: usize, j: usize) -> f64 {
        let blocks = self.by_block.len() as f64;
        let away = |points: &[f64], bot: usize| points[bot] - self.means[bot];
        let sum: f64 = self.by_block.iter().map(|points| away(points, i) * away(points, j)).sum();
        sum * blocks / (blocks - 1.0)
    }
}

/// V = C H⁻¹ J H⁻¹ C at the uncentred maximum; `spread` is J without the prior, as a function of two indices, the second no
/// higher than the first.
fn sandwich(
    points: &PointTable,
    theta: &[f64],
    spread: impl Fn(usize, usize) -> f64,
) -> Result<Square, FitError> {
    let bots = theta.len();
    let factor = factored(points, theta)?;
    let mut covariance = Square::zero(bots);
    for (i, theta) in theta.iter().enumerate() {
        for j in 0..=i {
            let spread = spread(i, j);
            *covariance.at_mut(i, j) = spread;
            *covariance.at_mut(j, i) = spread;
        }
        let q = sigmoid(*theta);
        *covariance.at_mut(i, i) += PRIOR_WEIGHT * ((1.0 - q) * (1.0 - q) + q * q);
    }
    // J is symmetric: H⁻¹ (H⁻¹ J)ᵀ = H⁻¹ J H⁻¹.
    factor.solve(covariance.cells_mut(), bots);
    covariance.transpose();
    factor.solve(covariance.cells_mut(), bots);
    // Centres rows and columns: one after the other, by transposing.
    for _ in 0..2 {
        for row in covariance.cells_mut().chunks_exact_mut(bots.max(1)) {
            centre(row);
        }
        covariance.transpose();
    }
    Ok(covariance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bot_that_loses_every_match_is_rated() {
        for others in [1, 3] {
            for count in [1.0, 100.0, 55_894.0, 63_410.0, 1e6, 1e9] {
                // The last bot has lost to all others, which are even among each other.
                let mut points = PointTable::empty(others + 1);
                let between = others * (others - 1) / 2;
                points.cells[..between].fill((count / 2.0, count));
                points.cells[between..].fill((0.0, count));
                let theta = maximise(&points);
                let theta = theta.unwrap_or_else(|error| panic!("{others}, {count}: {error}"));
                let (gradient, _) = points.slopes(&theta);
                let worst = gradient.iter().fold(0.0_f64, |worst, slope| worst.max(slope.abs()));
                assert!(worst < 1e-4, "{others}, {count}: {gradient:?}");
            }
        }
    }
}
