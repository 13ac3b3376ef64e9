//! What a stage has revealed of a tournament: nothing else of its results is read.

use std::collections::BTreeSet;

use leyden_model::{MatchKey, PairKey};
use serde::{Deserialize, Serialize};

/// Which matches are revealed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RevealedMatches {
    /// All matches of the blocks before this one.
    pub blocks: u32,
    /// Later matches that were shown to their end.
    pub matches: BTreeSet<MatchKey>,
}

impl RevealedMatches {
    /// Whether the result of a match is revealed.
    pub fn has(&self, key: &MatchKey) -> bool {
        key.block < self.blocks || self.matches.contains(key)
    }

    /// Whether the results of all matches of a pair are.
    pub(super) fn has_pair(&self, pair: PairKey) -> bool {
        pair.legs().all(|key| self.has(&key))
    }

    /// Adds a match that was shown to its end.
    pub(crate) fn add(&mut self, key: MatchKey) {
        if !self.has(&key) {
            self.matches.insert(key);
        }
    }

    /// Adds all blocks before this one.
    pub(crate) fn add_blocks(&mut self, blocks: u32) {
        self.blocks = blocks;
        self.matches.retain(|key| key.block >= blocks);
    }
}
