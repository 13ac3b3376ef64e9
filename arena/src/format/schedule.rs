//! Which matches a tournament consists of, and in which order: pure arithmetic, no list is ever held.
//!
//! The order is by block, then by table (lexicographic), then by leg. A match's place in it is its *rank*; what is
//! done, shown or exported goes by rank, never by when a match happened to finish.

use std::ops::Range;

use leyden_model::{BotIndex, MatchKey, Table};
use leyden_protocol::{MAX_SEATS, Seats};

/// A tournament that cannot be scheduled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoSchedule {
    #[error("a table of {seats} needs at least {seats} bots; there {} {bots}", if *.bots == 1 { "is" } else { "are" })]
    TooFewBots { bots: usize, seats: Seats },
    #[error("a tournament has at least one block")]
    NoBlocks,
    #[error("{blocks} blocks of {bots} bots at tables of {seats} are more matches than can be counted")]
    TooMany { bots: usize, seats: Seats, blocks: u32 },
}

/// Every match of a tournament: each table meets once a block, in every seating.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    bots: u32,
    seats: Seats,
    blocks: u32,
    /// How many tables there are: the k-subsets of the bots.
    tables: u64,
}

impl Schedule {
    pub fn new(bots: usize, seats: Seats, blocks: u32) -> Result<Self, NoSchedule> {
        if bots < seats.count() {
            return Err(NoSchedule::TooFewBots { bots, seats });
        }
        if blocks == 0 {
            return Err(NoSchedule::NoBlocks);
        }
        let too_many = NoSchedule::TooMany { bots, seats, blocks };
        let Ok(count) = u32::try_from(bots) else { return Err(too_many) };
        let tables = u64::try_from(subsets(count.into(), seats.count() as u64)).ok();
        let legs = u64::from(blocks) * seats.count() as u64;
        match tables.and_then(|tables| tables.checked_mul(legs).map(|_| tables)) {
            Some(tables) => Ok(Self { bots: count, seats, blocks, tables }),
            None => Err(too_many),
        }
    }

    /// How many matches there are.
    pub fn matches(&self) -> u64 {
        self.matches_per_block() * u64::from(self.blocks)
    }

    pub fn matches_per_block(&self) -> u64 {
        self.tables * self.legs()
    }

    /// How many tables meet in each block.
    pub fn tables(&self) -> u64 {
        self.tables
    }

    pub fn bots(&self) -> usize {
        self.bots as usize
    }

    pub fn blocks(&self) -> u32 {
        self.blocks
    }

    pub fn seats(&self) -> Seats {
        self.seats
    }

    fn legs(&self) -> u64 {
        self.seats.count() as u64
    }

    /// The match of a rank; nothing from [`matches`](Self::matches) on.
    pub fn nth(&self, rank: u64) -> Option<MatchKey> {
        if rank >= self.matches() {
            return None;
        }
        let leg = rank % self.legs();
        let table = rank / self.legs();
        Some(MatchKey {
            phase: 0,
            block: (table / self.tables) as u32,
            table: self.nth_table(table % self.tables)?,
            leg: leg as u32,
        })
    }

    /// The rank of a match; nothing if the schedule does not have it.
    pub fn rank(&self, fixture: &MatchKey) -> Option<u64> {
        let bots = fixture.table.bots();
        let known = fixture.table.seats() == self.seats && bots.last().is_some_and(|last| last.0 < self.bots);
        if !known || fixture.block >= self.blocks || u64::from(fixture.leg) >= self.legs() {
            return None;
        }
        let tables = u64::from(fixture.block) * self.tables + self.table_rank(bots);
        Some(tables * self.legs() + u64::from(fixture.leg))
    }

    /// The matches of a range of ranks, in order.
    pub fn iter(&self, ranks: Range<u64>) -> impl Iterator<Item = MatchKey> + use<> {
        let schedule = *self;
        ranks.map_while(move |rank| schedule.nth(rank))
    }

    /// How many tables stand before this one. For each place the subsets that begin lower there are counted at once.
    fn table_rank(&self, bots: &[BotIndex]) -> u64 {
        let mut rank = 0;
        let mut lowest = 0;
        for (bot, left) in bots.iter().zip((1..=self.legs()).rev()) {
            rank += self.before(lowest, bot.0, left);
            lowest = bot.0 + 1;
        }
        rank as u64
    }

    fn nth_table(&self, rank: u64) -> Option<Table> {
        let mut bots = [BotIndex::default(); MAX_SEATS];
        let mut rest = u128::from(rank);
        let mut lowest = 0;
        for (place, left) in bots.iter_mut().zip((1..=self.legs()).rev()) {
            // The highest bot with at most `rest` subsets before it, found by halving.
            let (mut low, mut high) = (lowest, self.bots - left as u32);
            while low < high {
                let middle = (low + high).div_ceil(2);
                if self.before(lowest, middle, left) <= rest {
                    low = middle;
                } else {
                    high = middle - 1;
                }
            }
            rest -= self.before(lowest, low, left);
            *place = BotIndex(low);
            lowest = low + 1;
        }
        Table::new(&bots[..self.seats.count()])
    }

    /// How many `size`-subsets of the bots from `lowest` on begin below `first`.
    fn before(&self, lowest: u32, first: u32, size: u64) -> u128 {
        subsets((self.bots - lowest).into(), size) - subsets((self.bots - first).into(), size)
    }
}

/// How many subsets of `size` elements a set has. Exact where it fits 64 bits; beyond that some number that does not.
fn subsets(elements: u64, size: u64) -> u128 {
    if elements < size {
        return 0;
    }
    if size == 2 {
        return u128::from(elements * (elements - 1) / 2); // most tables are of two; elements fit 32 bits
    }
    (0..size).fold(1_u128, |count, i| count.saturating_mul(u128::from(elements - i)) / u128::from(i + 1))
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use proptest::prelude::*;

    use super::*;

    fn schedule(bots: usize, seats: usize, blocks: u32) -> Schedule {
        Schedule::new(bots, Seats::new(seats).unwrap(), blocks).unwrap()
    }

    #[test]
    fn the_order_is_block_then_table_then_leg() {
        let all: Vec<String> = schedule(3, 2, 2)
            .iter(0..u64::MAX)
            .map(|f| format!("{} {:?} {} {:?}", f.block, f.table, f.leg, f.seating().map(|bot| bot.0)))
            .collect();
        let block = |b: u32| {
            [
                "[0, 1] 0 [0, 1]",
                "[0, 1] 1 [1, 0]",
                "[0, 2] 0 [0, 2]",
                "[0, 2] 1 [2, 0]",
                "[1, 2] 0 [1, 2]",
                "[1, 2] 1 [2, 1]",
            ]
            .map(|line| format!("{b} {line}"))
        };
        assert_eq!(all, [block(0), block(1)].concat());
    }

    #[test]
    fn every_rank_has_one_match_and_every_match_its_rank() {
        for (bots, seats, blocks) in
            [(2, 2, 1), (2, 2, 5), (7, 2, 3), (5, 3, 2), (8, 4, 2), (9, 8, 1), (8, 8, 3)]
        {
            let schedule = schedule(bots, seats, blocks);
            let all: Vec<MatchKey> = schedule.iter(0..u64::MAX).collect();
            assert_eq!(all.len() as u64, schedule.matches());
            assert!(all.is_sorted(), "{bots} bots, {seats} seats");
            assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
            for (rank, fixture) in all.iter().enumerate() {
                assert_eq!(schedule.rank(fixture), Some(rank as u64));
            }
            assert_eq!(schedule.nth(schedule.matches()), None);
        }
    }

    #[test]
    fn each_block_holds_every_table_once_in_every_seating() {
        let schedule = schedule(6, 3, 2);
        let mut seatings: HashMap<(u32, Table), Vec<Vec<u32>>> = HashMap::new();
        for fixture in schedule.iter(0..u64::MAX) {
            let seating = fixture.seating().as_slice().iter().map(|bot| bot.0).collect();
            seatings.entry((fixture.block, fixture.table)).or_default().push(seating);
        }
        assert_eq!(seatings.len(), 2 * 20);
        for ((_, table), legs) in seatings {
            let [a, b, c] = table.bots() else { panic!("three bots") };
            assert_eq!(legs, [vec![a.0, b.0, c.0], vec![b.0, c.0, a.0], vec![c.0, a.0, b.0]]);
        }
    }

    #[test]
    fn appended_bots_keep_every_match_that_there_was() {
        let (old, new) = (schedule(5, 3, 2), schedule(7, 3, 3));
        let ranks: Vec<u64> = old.iter(0..u64::MAX).map(|fixture| new.rank(&fixture).unwrap()).collect();
        assert!(ranks.is_sorted_by(|a, b| a < b));
        assert_eq!(old.rank(&new.nth(new.matches() - 1).unwrap()), None);
    }

    #[test]
    fn impossible_tournaments_are_refused() {
        let refused = |bots, seats, blocks| {
            Schedule::new(bots, Seats::new(seats).unwrap(), blocks).unwrap_err().to_string()
        };
        assert_eq!(refused(1, 2, 1), "a table of 2 needs at least 2 bots; there is 1");
        assert_eq!(refused(2, 3, 1), "a table of 3 needs at least 3 bots; there are 2");
        assert_eq!(refused(2, 2, 0), "a tournament has at least one block");
        assert!(refused(100_000, 8, 1).contains("more matches than can be counted"));
        assert!(refused(usize::MAX, 2, 1).contains("more matches than can be counted"));
    }

    #[test]
    fn a_table_is_its_bots_ascending() {
        let table = |bots: &[u32]| Table::new(&bots.iter().map(|&bot| BotIndex(bot)).collect::<Vec<_>>());
        assert!(table(&[0, 3, 9]).is_some());
        for bad in [&[0][..], &[], &[1, 0], &[1, 1], &[0, 1, 2, 3, 4, 5, 6, 7, 8]] {
            assert_eq!(table(bad), None, "{bad:?}");
        }
    }

    proptest! {
        #[test]
        fn ranks_of_large_schedules_come_back(bots in 2_usize..3000, seats in 2_usize..=5, blocks in 1_u32..1000, at in 0.0..1.0) {
            let seats = Seats::new(seats.min(bots)).unwrap();
            let schedule = Schedule::new(bots, seats, blocks).unwrap();
            let rank = ((schedule.matches() as f64 * at) as u64).min(schedule.matches() - 1);
            let fixture = schedule.nth(rank).unwrap();
            prop_assert!(Table::new(fixture.table.bots()).is_some());
            prop_assert_eq!(schedule.rank(&fixture), Some(rank));
        }
    }
}
