//! Blocks that count without some pairings, because what these played is void.
//!
//! Such a pair says nothing, so it adds nothing to the slope of the likelihood: in `y`, a bot's half points less its matches, it counts
//! as `n (2p − 1)`, with p as the ratings have it. Then `g − ḡ` depends on the points alone, as in a whole block.

use std::collections::BTreeMap;

use crate::pairing_result::Entrant;
use crate::tally::{FieldTally, lower};

/// A tally in which missing pairings count as expected.
pub(crate) struct FilledTally<'a> {
    tally: &'a FieldTally,
    /// What is added to y of the blocks with gaps.
    added: BTreeMap<u32, Vec<f64>>,
    /// What that adds to Σ y.
    excess: Vec<f64>,
    /// What it adds to Σ y yᵀ, the lower half with its diagonal.
    products: Vec<f64>,
}

impl<'a> FilledTally<'a> {
    /// `expected` is p for the first of two bots.
    pub(crate) fn new(tally: &'a FieldTally, expected: impl Fn(Entrant, Entrant) -> f64) -> Self {
        let bots = tally.field().bots();
        let (mut excess, mut products) = (vec![0.0; bots], vec![0.0; lower(bots, 0)]);
        let mut added = BTreeMap::new();
        for gap in tally.gaps() {
            let mut more = vec![0.0; bots];
            for (one, other) in &gap.missing {
                let matches = f64::from(tally.field().matches_per_block(*one, *other));
                let above = matches * (2.0 * expected(*one, *other) - 1.0);
                more[one.at()] += above;
                more[other.at()] -= above;
            }
            for i in 0..bots {
                excess[i] += more[i];
                for j in 0..=i {
                    let (own, others) = (gap.excess[i] as f64, gap.excess[j] as f64);
                    products[lower(i, j)] += own * more[j] + more[i] * others + more[i] * more[j];
                }
            }
            added.insert(gap.block, more);
        }
        Self { tally, added, excess, products }
    }

    /// Covariance of two bots' points, summed over all blocks, `B/(B−1) Σ (S_i − S̄_i)(S_j − S̄_j)`, `i >= j`; needs two
    /// blocks. Exact up to one division if nothing is missing.
    pub(crate) fn points_covariance(&self, i: usize, j: usize) -> f64 {
        let blocks = i128::from(self.tally.blocks());
        let (own, others) = (self.tally.excess(i), self.tally.excess(j));
        let whole = blocks * i128::from(self.tally.product(i, j)) - i128::from(own) * i128::from(others);
        let filled = blocks as f64 * self.products[lower(i, j)]
            - own as f64 * self.excess[j]
            - self.excess[i] * others as f64
            - self.excess[i] * self.excess[j];
        (whole as f64 + filled) / (4 * (blocks - 1)) as f64
    }

    /// For each block that was kept, its number and by how many points each bot was above its mean of all blocks.
    pub(crate) fn points_by_block(&self) -> impl Iterator<Item = (u32, Vec<f64>)> {
        let blocks = self.tally.blocks().max(1) as f64;
        let mean = move |bot: usize| (self.tally.excess(bot) as f64 + self.excess[bot]) / blocks;
        self.tally.kept().map(move |(block, excess)| {
            let added = |bot: usize| self.added.get(block).map_or(0.0, |added| added[bot]);
            let away = |(bot, excess): (usize, &i64)| (*excess as f64 + added(bot) - mean(bot)) / 2.0;
            (*block, excess.iter().enumerate().map(away).collect())
        })
    }
}
