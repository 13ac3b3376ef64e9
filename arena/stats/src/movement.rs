//! How ratings moved from one field to another, measured from the bots that are the same in both.
//!
//! ```text
//! m_i   (θ'_i − mean of θ' over U) − (θ_i − mean of θ over U),  U the unchanged bots
//! ```
//!
//! Its error is that of all four terms together: from the covariance of both fields, and, where both were played on the same
//! deals, of their blocks with the same number, which then are one cluster. The interval of a bot that is not in U holds the error
//! of U's mean; that of one in U does not hold its own rating twice.

use std::collections::BTreeMap;

use crate::pairing_result::Entrant;
use crate::rating::{FitError, Ratings};
use crate::simultaneous_bounds::{Contrast, each_tail};
use crate::square_matrix::Square;
use crate::tally::FieldTally;
use crate::units::{ELO_PER_THETA, Elo};
use crate::validity::Holds;

/// A bot that is in both fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedBot {
    pub before: Entrant,
    pub after: Entrant,
    /// Whether it is the same bot, so that its strength cannot have changed.
    pub unchanged: bool,
}

/// A rated field. The tally has to keep its blocks if deals are shared.
#[derive(Clone, Copy, Debug)]
pub struct RatedField<'a> {
    pub tally: &'a FieldTally,
    pub ratings: &'a Ratings,
}

/// How one bot moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BotMovement {
    /// In Elo, by the unchanged bots.
    pub elo: Elo,
    /// False for the only bot that is unchanged: ratings are measured from it.
    pub can_move: bool,
    /// Half-width of its interval in Elo; with 95 % the intervals of all bots hold together. `None` without intervals in both
    /// fields, and for a bot that cannot move.
    pub half_width: Option<f64>,
}

/// How the bots of two fields moved.
#[derive(Clone, Debug, PartialEq)]
pub struct Movement {
    /// To be added to ratings before, so that the unchanged bots have the same mean.
    pub shift: Elo,
    /// The number of blocks that both fields played on the same deals.
    pub shared_blocks: u64,
    /// Bot by bot, as they were given.
    pub bots: Vec<BotMovement>,
}

const TAIL: f64 = 0.05;

impl Movement {
    /// `None` without an unchanged bot. `same_deals` says whether blocks with the same number were dealt alike.
    pub fn new(
        before: RatedField<'_>,
        after: RatedField<'_>,
        bots: &[SharedBot],
        same_deals: bool,
    ) -> Result<Option<Self>, FitError> {
        let unchanged: Vec<usize> = (0..bots.len()).filter(|bot| bots[*bot].unchanged).collect();
        if unchanged.is_empty() {
            return Ok(None);
        }
        let by = Measure { bots, unchanged };
        let (was, is) = (by.entrants(|bot| bot.before), by.entrants(|bot| bot.after));
        let theta = |field: RatedField<'_>, entrants: &[Entrant]| -> Vec<f64> {
            entrants.iter().map(|bot| field.ratings.elo(*bot).get()).collect()
        };
        let (was_elo, is_elo) = (theta(before, &was), theta(after, &is));
        let moved: Vec<f64> =
            by.centred(&is_elo).iter().zip(by.centred(&was_elo)).map(|(is, was)| is - was).collect();
        let mut covariances = Vec::new();
        for (field, entrants) in [(before, &was), (after, &is)] {
            covariances.extend(field.ratings.covariance().map(|all| by.covariance(all, entrants)));
        }
        let pairs = if same_deals { shared(before, after)? } else { Vec::new() };
        let half_widths = match &covariances[..] {
            [earlier, later] => {
                by.half_widths(before.ratings, after.ratings, [earlier, later], &pairs, (&was, &is))
            }
            _ => vec![None; bots.len()],
        };
        let only = if let [only] = by.unchanged[..] { Some(only) } else { None };
        let line = |(bot, (elo, half_width)): (usize, (f64, _))| BotMovement {
            elo: Elo::new(elo),
            can_move: only != Some(bot),
            half_width,
        };
        Ok(Some(Self {
            shift: Elo::new(by.mean(&is_elo) - by.mean(&was_elo)),
            shared_blocks: pairs.len() as u64,
            bots: moved.into_iter().zip(half_widths).enumerate().map(line).collect(),
        }))
    }
}

/// The influences of one block on the ratings of both fields.
type SharedBlock = (Vec<f64>, Vec<f64>);

/// The blocks that are in both.
fn shared(before: RatedField<'_>, after: RatedField<'_>) -> Result<Vec<SharedBlock>, FitError> {
    let mut earlier: BTreeMap<u32, Vec<f64>> = before.ratings.influences(before.tally)?.into_iter().collect();
    let later = after.ratings.influences(after.tally)?;
    Ok(later.into_iter().filter_map(|(block, later)| Some((earlier.remove(&block)?, later))).collect())
}

/// Measures bots from the mean of the unchanged.
struct Measure<'a> {
    bots: &'a [SharedBot],
    unchanged: Vec<usize>,
}

impl Measure<'_> {
    fn entrants(&self, of: impl Fn(&SharedBot) -> Entrant) -> Vec<Entrant> {
        self.bots.iter().map(of).collect()
    }

    fn mean(&self, values: &[f64]) -> f64 {
        self.unchanged.iter().map(|bot| values[*bot]).sum::<f64>() / self.unchanged.len() as f64
    }

    fn centred(&self, values: &[f64]) -> Vec<f64> {
        let mean = self.mean(values);
        values.iter().map(|value| value - mean).collect()
    }

    /// The covariance of these bots' ratings, measured from the mean.
    fn covariance(&self, all: &Square, entrants: &[Entrant]) -> Square {
        let mut some = Square::zero(entrants.len());
        for (i, one) in entrants.iter().enumerate() {
            let row: Vec<f64> = entrants.iter().map(|other| all.at(one.at(), other.at())).collect();
            some.row_mut(i).copy_from_slice(&self.centred(&row));
        }
        some.transpose();
        for i in 0..entrants.len() {
            let row = self.centred(some.row(i));
            some.row_mut(i).copy_from_slice(&row);
        }
        some
    }

    fn half_widths(
        &self,
        before: &Ratings,
        after: &Ratings,
        [earlier, later]: [&Square; 2],
        shared: &[SharedBlock],
        (was, is): (&[Entrant], &[Entrant]),
    ) -> Vec<Option<f64>> {
        let bots = self.bots.len();
        let mut sum = Square::zero(bots);
        for i in 0..bots {
            for j in 0..bots {
                *sum.at_mut(i, j) = earlier.at(i, j) + later.at(i, j);
            }
        }
        for (there, here) in shared {
            let of = |influence: &[f64], entrants: &[Entrant]| -> Vec<f64> {
                self.centred(&entrants.iter().map(|bot| influence[bot.at()]).collect::<Vec<_>>())
            };
            let (there, here) = (of(there, was), of(here, is));
            for i in 0..bots {
                for j in 0..bots {
                    *sum.at_mut(i, j) -= there[i] * here[j] + here[i] * there[j];
                }
            }
        }
        let contrasts: Vec<Contrast> = (0..bots).map(|of| Contrast { of, less: None }).collect();
        let can_move =
            |bot: usize| sum.at(bot, bot) > 1e-9 * (earlier.at(bot, bot) + later.at(bot, bot)).max(1e-12);
        let holds = before.holds().combined(after.holds());
        let each = match holds {
            Holds::AtPlannedEnd => each_tail(&sum, before.blocks().min(after.blocks()), &contrasts, TAIL),
            Holds::AtAnyTime => TAIL / (0..bots).filter(|bot| can_move(*bot)).count().max(1) as f64,
        };
        let half = |bot: usize| {
            let blocks = match shared {
                [] => combined_blocks(
                    [earlier, later].map(|field| field.at(bot, bot)),
                    [before, after].map(Ratings::blocks),
                ),
                _ => before.blocks().min(after.blocks()),
            };
            let width = holds.quantile(each, blocks)? * sum.at(bot, bot).max(0.0).sqrt() * ELO_PER_THETA;
            can_move(bot).then_some(width)
        };
        (0..bots).map(half).collect()
    }
}

/// The number of blocks of one field that know the sum of these two variances as well: Welch and Satterthwaite's degrees of
/// freedom, and one.
fn combined_blocks(variances: [f64; 2], blocks: [u64; 2]) -> u64 {
    let [one, other] = variances;
    let parts = variances
        .iter()
        .zip(blocks)
        .map(|(variance, blocks)| variance * variance / (blocks.max(2) - 1) as f64);
    let degrees = (one + other).powi(2) / parts.sum::<f64>();
    if degrees.is_finite() { (degrees.floor() as u64).max(1) + 1 } else { blocks[0].min(blocks[1]) }
}
