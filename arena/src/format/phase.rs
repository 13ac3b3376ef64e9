//! The matches of one phase: each of its tables in each of its blocks in every seating.

use leyden_model::{MatchKey, PairKey};

use super::{Dimensions, NoSchedule, Tables};

/// One phase of a format. Its matches are ordered by block, then table, then leg.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TournamentPhase {
    number: u32,
    first_block: u32,
    blocks: u32,
    legs: u32,
    tables: Tables,
}

impl TournamentPhase {
    /// Creates a phase in which each table plays `size.blocks` pairs of `legs` legs. Blocks are numbered from `first_block`:
    /// where a table meets again in a later phase, the numbers continue, because block and names determine the deals.
    pub(super) fn new(
        number: u32,
        first_block: u32,
        size: Dimensions,
        legs: u32,
        tables: Tables,
    ) -> Result<Self, NoSchedule> {
        if size.blocks == 0 {
            return Err(NoSchedule::NoBlocks);
        }
        let pairs = tables.count().checked_mul(size.blocks.into());
        let matches = pairs.and_then(|pairs| pairs.checked_mul(legs.into()));
        if matches.is_none() || first_block.checked_add(size.blocks).is_none() {
            return Err(NoSchedule::too_many(size));
        }
        Ok(Self { number, first_block, blocks: size.blocks, legs, tables })
    }

    /// The number of the phase, from 0.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The number of its matches.
    pub fn matches(&self) -> u64 {
        self.matches_per_block() * u64::from(self.blocks)
    }

    pub fn matches_per_block(&self) -> u64 {
        self.tables.count() * u64::from(self.legs)
    }

    /// The number after that of its last block.
    pub(super) fn blocks_end(&self) -> u32 {
        self.first_block + self.blocks
    }

    /// Which of its blocks has this number, from 0; `None` if none has.
    pub(super) fn nth_block(&self, block: u32) -> Option<u32> {
        block.checked_sub(self.first_block).filter(|&nth| nth < self.blocks)
    }

    /// The tables that meet in each of its blocks.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// The match at a rank within the phase; `None` from [`matches`](Self::matches) on.
    pub fn nth(&self, rank: u64) -> Option<MatchKey> {
        if rank >= self.matches() {
            return None;
        }
        let (pair, leg) = (rank / u64::from(self.legs), rank % u64::from(self.legs));
        let (block, table) = (pair / self.tables.count(), pair % self.tables.count());
        let block = self.first_block + block as u32;
        let pair = PairKey { phase: self.number, block, table: self.tables.nth(table)? };
        Some(pair.leg(leg as u32))
    }

    /// The rank of a match within the phase; `None` if the phase does not contain it.
    pub fn rank(&self, key: &MatchKey) -> Option<u64> {
        let block = self.nth_block(key.block)?;
        if key.phase != self.number || key.leg >= self.legs {
            return None;
        }
        let pair = u64::from(block) * self.tables.count() + self.tables.rank(&key.table)?;
        Some(pair * u64::from(self.legs) + u64::from(key.leg))
    }
}
