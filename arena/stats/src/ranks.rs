//! Places that results leave open, for all bots of a table at once.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::pairing_result::Entrant;
use crate::rating::Ratings;
use crate::simultaneous_bounds::{Contrast, each_tail};
use crate::square_matrix::Square;
use crate::validity::Holds;

/// Places that a bot may hold, from 1; decided if both ends are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RankInterval {
    /// The smallest number.
    pub best: u32,
    /// The largest number.
    pub worst: u32,
}

/// With this probability at most, any place of a table is wrong.
const TAIL: f64 = 0.05;
/// Each step decides again which differences are large, now among fewer. To end early only leaves more open.
const STEPS: usize = 5;

/// The places of all bots, and how they were found.
pub(crate) struct RankSets {
    pub(crate) ranks: Vec<RankInterval>,
    /// The bots whose order is decided, the stronger one first.
    pub(crate) decided: Vec<(Entrant, Entrant)>,
    /// How many standard errors apart two bots had to be in the last step.
    pub(crate) bar: Option<f64>,
}

impl Ratings {
    /// The places that each bot may hold: those left by all bots that are significantly stronger or weaker. With 95 % confidence
    /// *no* place of the table is wrong: the largest of all differences decides what is significant, step by step. Below two blocks
    /// every place is possible.
    pub fn rank_intervals(&self) -> Vec<RankInterval> {
        self.rank_sets().ranks
    }

    pub(crate) fn rank_sets(&self) -> RankSets {
        let bots = self.bots();
        let mut sets = RankSets {
            ranks: vec![RankInterval { best: 1, worst: bots as u32 }; bots],
            decided: Vec::new(),
            bar: None,
        };
        let Some(covariance) = self.covariance() else { return sets };
        let mut open: Vec<(Contrast, f64)> = (0..bots)
            .flat_map(|of| (0..of).map(move |less| Contrast { of, less: Some(less) }))
            .filter_map(|contrast| Some((contrast, self.standardised(contrast)?)))
            .collect();
        for _ in 0..STEPS {
            let contrasts: Vec<Contrast> = open.iter().map(|(contrast, _)| *contrast).collect();
            let each = self.each_of(covariance, &contrasts);
            let mut bars: BTreeMap<u64, Option<f64>> = BTreeMap::new();
            let mut bar =
                |clusters| *bars.entry(clusters).or_insert_with(|| self.holds().quantile(each, clusters));
            sets.bar = bar(self.blocks());
            let before = open.len();
            open.retain(|(contrast, ahead)| {
                let is_large = bar(self.clusters_of(*contrast)).is_some_and(|bar| ahead.abs() > bar);
                if is_large {
                    sets.decide(*contrast, *ahead > 0.0);
                }
                !is_large
            });
            if open.len() == before {
                break;
            }
        }
        sets
    }

    /// With which probability each of these differences may seem large by chance.
    fn each_of(&self, covariance: &Square, contrasts: &[Contrast]) -> f64 {
        match self.holds() {
            Holds::AtPlannedEnd => each_tail(covariance, self.all_clusters(), contrasts, TAIL),
            // A union bound holds at all times at once.
            Holds::AtAnyTime => TAIL / contrasts.len().max(1) as f64,
        }
    }
}

impl RankSets {
    fn decide(&mut self, contrast: Contrast, ahead: bool) {
        let Some(less) = contrast.less else { return };
        let (above, below) = if ahead { (contrast.of, less) } else { (less, contrast.of) };
        self.ranks[above].worst -= 1;
        self.ranks[below].best += 1;
        self.decided.push((Entrant(above as u32), Entrant(below as u32)));
    }
}
