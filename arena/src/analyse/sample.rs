//! Which matches are analysed if there are too many: those whose ids have the smallest hashes, so the same ones every time.

use std::collections::BTreeMap;

use leyden_model::MatchRecord;
use schemars::JsonSchema;
use serde::Serialize;
use sha2::{Digest, Sha256};

/// How many matches were analysed of how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SampleSize {
    pub matches: u64,
    /// How many there are, of those that were asked for.
    pub of: u64,
}

/// A random sample of matches that is filled one by one.
pub struct Sample {
    most: usize,
    seen: u64,
    /// By the hash of the id; with its index in the order in which matches came.
    kept: BTreeMap<[u8; 32], (u64, MatchRecord)>,
}

impl Sample {
    /// An empty sample of at most this many matches.
    pub fn new(most: usize) -> Self {
        Self { most, seen: 0, kept: BTreeMap::new() }
    }

    /// Adds a match. Its id decides whether it is kept, so the order does not matter.
    pub fn add(&mut self, record: MatchRecord) {
        let hash: [u8; 32] = Sha256::digest(&record.id).into();
        self.kept.insert(hash, (self.seen, record));
        self.seen += 1;
        if self.kept.len() > self.most {
            self.kept.pop_last();
        }
    }

    /// Returns the matches in the order in which they came.
    pub fn finish(self) -> (Vec<MatchRecord>, SampleSize) {
        let mut kept: Vec<(u64, MatchRecord)> = self.kept.into_values().collect();
        kept.sort_by_key(|(index, _)| *index);
        let sampled = SampleSize { matches: kept.len() as u64, of: self.seen };
        (kept.into_iter().map(|(_, record)| record).collect(), sampled)
    }
}
