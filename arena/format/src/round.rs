//! One round of a stage: the tables that are known at once, each in each of its blocks in every seating.

use leyden_model::{BotIndex, MatchKey, PairKey, Table};

use super::{ScheduleError, Tables};

/// A round as a format asks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRound {
    /// The stage of the competition, from 0.
    pub stage: u32,
    /// Which round of its stage, from 0.
    pub round: u32,
    /// Whether it only adds pairs to meetings of this round that are not decided.
    pub extra: bool,
    /// The number of pairs of each table.
    pub blocks: u32,
    pub tables: Tables,
}

/// A round of a schedule. Its matches are ordered by block, then table, then leg.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageRound {
    /// Which round of the schedule, from 0.
    number: u32,
    new: NewRound,
    first_block: u32,
    legs: u32,
}

impl StageRound {
    /// Creates a round whose blocks are numbered from `first_block`, behind those of all rounds before, because block and
    /// names determine the deals. `None` if it has more matches than can be counted.
    pub(super) fn new(
        number: u32,
        first_block: u32,
        legs: u32,
        new: NewRound,
    ) -> Result<Option<Self>, ScheduleError> {
        if new.blocks == 0 {
            return Err(ScheduleError::NoBlocks);
        }
        let pairs = new.tables.count().checked_mul(new.blocks.into());
        let matches = pairs.and_then(|pairs| pairs.checked_mul(legs.into()));
        if matches.is_none() || first_block.checked_add(new.blocks).is_none() {
            return Ok(None);
        }
        Ok(Some(Self { number, new, first_block, legs }))
    }

    /// Which round of the schedule it is, from 0.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The stage that it belongs to, from 0.
    pub fn stage(&self) -> u32 {
        self.new.stage
    }

    /// Which round of its stage it is, from 0. Rounds of pairs that are added to level meetings have the number of the round
    /// that they belong to.
    pub fn round(&self) -> u32 {
        self.new.round
    }

    /// Whether it only adds pairs to meetings that were not decided.
    pub fn is_extra(&self) -> bool {
        self.new.extra
    }

    /// The number of pairs of each table.
    pub fn blocks(&self) -> u32 {
        self.new.blocks
    }

    /// The number of its matches.
    pub fn matches(&self) -> u64 {
        self.matches_per_block() * u64::from(self.new.blocks)
    }

    /// Returns the number of matches that one block of the round has.
    pub fn matches_per_block(&self) -> u64 {
        self.tables().count() * u64::from(self.legs)
    }

    /// The number after that of its last block.
    pub fn blocks_end(&self) -> u32 {
        self.first_block + self.new.blocks
    }

    /// Which of its blocks has this number, from 0; `None` if none has.
    pub(super) fn nth_block(&self, block: u32) -> Option<u32> {
        block.checked_sub(self.first_block).filter(|&nth| nth < self.new.blocks)
    }

    /// The tables that meet in each of its blocks.
    pub fn tables(&self) -> &Tables {
        &self.new.tables
    }

    /// The tables, by rank.
    pub(super) fn all_tables(&self) -> impl Iterator<Item = Table> {
        (0..self.tables().count()).filter_map(|rank| self.tables().nth(rank))
    }

    /// The bots that have a table.
    pub(super) fn has(&self, bot: BotIndex) -> bool {
        self.new.tables.has(bot)
    }

    /// The match at a rank within the round; `None` from [`matches`](Self::matches) on.
    pub fn nth(&self, rank: u64) -> Option<MatchKey> {
        if rank >= self.matches() {
            return None;
        }
        let (pair, leg) = (rank / u64::from(self.legs), rank % u64::from(self.legs));
        let (block, table) = (pair / self.tables().count(), pair % self.tables().count());
        let block = self.first_block + block as u32;
        let pair = PairKey { stage: self.new.stage, block, table: self.tables().nth(table)? };
        Some(pair.leg(leg as u32))
    }

    /// The rank of a match within the round; `None` if the round does not contain it.
    pub fn rank(&self, key: &MatchKey) -> Option<u64> {
        let block = self.nth_block(key.block)?;
        if key.stage != self.new.stage || key.leg >= self.legs {
            return None;
        }
        let pair = u64::from(block) * self.tables().count() + self.tables().rank(&key.table)?;
        Some(pair * u64::from(self.legs) + u64::from(key.leg))
    }

    /// The rank within the round of leg 0 of the pair that is played at a position, counted in pairs; `None` from the last on.
    pub fn in_order_of_play(&self, position: u64) -> Option<u64> {
        let (block, rest) = (position / self.tables().count(), position % self.tables().count());
        let table = self.tables().in_order_of_play(rest)?;
        (block < u64::from(self.new.blocks))
            .then(|| (block * self.tables().count() + table) * u64::from(self.legs))
    }
}
