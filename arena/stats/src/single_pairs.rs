//! Errors of ratings from pairs instead of blocks: where blocks are not alike (a Swiss, a bracket, several stages), and where there
//! is one only.
//!
//! Given who meets whom, pairs are independent, because each has a deal of its own. So every pair is a cluster by itself:
//!
//! ```text
//! r  = s − n p                                  what a pair leaves over, for the first of its bots
//! h  = n p (1 − p) (e_i − e_j)ᵀ H⁻¹ (e_i − e_j)  how far it draws the ratings to itself
//! a  = κ (1 − 2q)                               by how much the prior draws each rating to the mean
//! J  = Σ (r / (1 − h))² (e_i − e_j)(e_i − e_j)ᵀ + a aᵀ + prior
//! ```
//!
//! The division takes back that ratings of few pairs follow each of them (HC3). In a Swiss the strong seldom meet the weak, so the prior
//! moves the ends of the field farther than in a round-robin; a counts that as an error. A bot's interval uses Student's t at its own
//! number of pairs less one.
//!
//! Source: J. G. `MacKinnon` and H. White, J. Econometrics 29 (1985).

use crate::pairing_result::Entrant;
use crate::square_matrix::Square;
use crate::tally::FieldTally;

/// What the pairs of a tally leave over.
pub(crate) struct PairSpread {
    bots: usize,
    /// Σ (r / (1 − h))² of each two bots, the second index below the first.
    squares: Vec<f64>,
    /// The number of pairs of each bot.
    pub(crate) pairs: Vec<u64>,
}

impl PairSpread {
    /// `expected` is p for the first of two bots, and `inverse` H⁻¹.
    pub(crate) fn new(
        tally: &FieldTally,
        inverse: &Square,
        expected: impl Fn(Entrant, Entrant) -> f64,
    ) -> Self {
        let bots = tally.field().bots();
        let (mut squares, mut pairs) = (Vec::new(), vec![0; bots]);
        for high in 0..bots {
            for low in 0..high {
                let [one, other] = [low, high].map(|bot| Entrant(bot as u32));
                let Some(pairing) = tally.pairing(one, other) else {
                    squares.push(0.0);
                    continue;
                };
                let p = expected(one, other);
                let matches = f64::from(pairing.matches_per_block());
                let apart = inverse.at(low, low) + inverse.at(high, high) - 2.0 * inverse.at(low, high);
                let own = (matches * p * (1.0 - p) * apart).clamp(0.0, MOST_LEVERAGE);
                let each = pairing.scores().iter().map(|(score, count)| {
                    let left_over = f64::from(score.half_points()) / 2.0 - matches * p;
                    f64::from(*count) * (left_over / (1.0 - own)).powi(2)
                });
                squares.push(each.sum());
                pairs[low] += pairing.blocks();
                pairs[high] += pairing.blocks();
            }
        }
        Self { bots, squares, pairs }
    }

    /// J without its prior.
    pub(crate) fn at(&self, i: usize, j: usize) -> f64 {
        let of = |one: usize, other: usize| {
            let (low, high) = (one.min(other), one.max(other));
            self.squares[high * high.saturating_sub(1) / 2 + low]
        };
        if i == j {
            (0..self.bots).filter(|other| *other != i).map(|other| of(i, other)).sum()
        } else {
            -of(i, j)
        }
    }
}

/// A pair that alone decides a rating, were it not for the prior, would leave nothing over.
const MOST_LEVERAGE: f64 = 0.9;
