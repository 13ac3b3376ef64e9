//! The tables of one round. Finds the table of a rank and the rank of a table by counting subsets, without a list of
//! everything that can be counted.
//!
//! Tables are in lexicographic order.

use std::sync::{Arc, OnceLock};

use leyden_model::{BotIndex, Table};
use leyden_protocol::{MAX_SEATS, Seats};

use super::{Dimensions, ScheduleError, order};

/// Different tables of one size, in lexicographic order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tables {
    count: u64,
    which: Which,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Which {
    Counted(Counted, Rotations),
    /// The tables of a round, and the rank of each in the order of play.
    Listed(Arc<[Table]>, Arc<[u32]>),
}

/// The ranks in the order of play, once somebody has asked for it. It follows from the tables, so it makes none different.
#[derive(Clone, Debug, Default)]
struct Rotations(OnceLock<Arc<[u32]>>);

impl PartialEq for Rotations {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Rotations {}

/// At most this many tables have an order of play by rotation; more are not listed.
const MOST_ROTATED: u64 = 200_000;

/// The k-subsets of the bots that contain a challenger.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Counted {
    bots: u32,
    seats: Seats,
    /// Ascending. `None` if every bot is one.
    challengers: Option<Arc<[u32]>>,
}

/// The table of two bots.
pub(super) fn table_of(mut pair: [BotIndex; 2]) -> Option<Table> {
    pair.sort_unstable();
    Table::new(&pair)
}

impl Tables {
    /// Every table of the bots.
    pub fn all(size: Dimensions) -> Result<Self, ScheduleError> {
        Self::counted(size, None)
    }

    /// All tables at which at least one of these bots sits. Indices that are not among the bots are ignored.
    pub fn with(size: Dimensions, challengers: &[BotIndex]) -> Result<Self, ScheduleError> {
        let mut all: Vec<u32> = challengers.iter().map(|bot| bot.0).filter(|&bot| bot < size.bots).collect();
        all.sort_unstable();
        all.dedup();
        if all.is_empty() {
            return Err(ScheduleError::NoChallenger);
        }
        Self::counted(size, Some(all.into()))
    }

    fn counted(size: Dimensions, challengers: Option<Arc<[u32]>>) -> Result<Self, ScheduleError> {
        let Dimensions { bots, seats, .. } = size;
        if (bots as usize) < seats.count() {
            return Err(ScheduleError::TooFewBots { bots: bots as usize, seats });
        }
        // What does not overflow here does not overflow in any smaller count.
        let fits = checked_subsets(bots.into(), seats.count() as u64).is_some();
        let which = Counted { bots, seats, challengers };
        let count = fits.then(|| which.from(0, seats.count() as u64, false));
        match count.and_then(|count| u64::try_from(count).ok()) {
            Some(count) => Ok(Self { count, which: Which::Counted(which, Rotations::default()) }),
            None => Err(ScheduleError::too_many(size)),
        }
    }

    /// These tables, of one size, in the order of play.
    pub fn listed(tables: &[Table]) -> Self {
        let mut sorted = tables.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        let mut order: Vec<u32> = Vec::new();
        for table in tables {
            let rank = sorted.partition_point(|other| other < table) as u32;
            if order.len() < sorted.len() && !order.contains(&rank) {
                order.push(rank);
            }
        }
        Self { count: sorted.len() as u64, which: Which::Listed(sorted.into(), order.into()) }
    }

    /// The number of tables.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The table at a rank; `None` from [`count`](Self::count) on.
    pub fn nth(&self, rank: u64) -> Option<Table> {
        match &self.which {
            Which::Counted(which, _) if rank < self.count => which.nth(rank),
            Which::Counted(..) => None,
            Which::Listed(tables, _) => tables.get(usize::try_from(rank).ok()?).copied(),
        }
    }

    /// The number of tables at which two given bots meet.
    pub fn meetings(&self, one: BotIndex, other: BotIndex) -> u64 {
        match &self.which {
            Which::Counted(which, _) => which.meetings(one.0, other.0),
            Which::Listed(tables, _) => {
                let both = |table: &&Table| [one, other].iter().all(|bot| table.bots().contains(bot));
                tables.iter().filter(both).count() as u64
            }
        }
    }

    /// The rank of the table that is played at a position of a block: so that no bot is far ahead of the others. `None` from
    /// [`count`](Self::count) on.
    pub fn in_order_of_play(&self, position: u64) -> Option<u64> {
        if position >= self.count {
            return None;
        }
        match &self.which {
            Which::Listed(_, order) => order.get(usize::try_from(position).ok()?).map(|&rank| rank.into()),
            Which::Counted(which, _) if which.seats == Seats::TWO && which.challengers.is_none() => {
                self.rank(&order::circle(which.bots, position)?)
            }
            Which::Counted(which, rotations) if self.count <= MOST_ROTATED => {
                let order = rotations.0.get_or_init(|| which.rotations(self.count));
                order.get(usize::try_from(position).ok()?).map(|&rank| rank.into())
            }
            Which::Counted(..) => Some(order::stride(self.count, position)),
        }
    }

    /// Whether a bot sits at one of them.
    pub(super) fn has(&self, bot: BotIndex) -> bool {
        match &self.which {
            Which::Counted(which, _) => bot.0 < which.bots,
            Which::Listed(tables, _) => tables.iter().any(|table| table.bots().contains(&bot)),
        }
    }

    /// The rank of a table; `None` if it is not one of these.
    pub fn rank(&self, table: &Table) -> Option<u64> {
        match &self.which {
            Which::Counted(which, _) => which.rank(table),
            Which::Listed(tables, _) => tables.binary_search(table).ok().map(|rank| rank as u64),
        }
    }
}

impl Counted {
    /// The ranks of all tables: each with those that follow when everybody moves on by one, challengers among themselves and
    /// the others among themselves. After each such group all of one kind have played equally often.
    fn rotations(&self, count: u64) -> Arc<[u32]> {
        let (challengers, others) = (0..self.bots).partition::<Vec<_>, _>(|&bot| self.is_challenger(bot));
        let mut next = vec![0; self.bots as usize];
        for ring in [challengers, others] {
            for (index, &bot) in ring.iter().enumerate() {
                next[bot as usize] = ring[(index + 1) % ring.len()];
            }
        }
        let rotated = |rank: u32| {
            let mut bots = self
                .nth(rank.into())?
                .bots()
                .iter()
                .map(|bot| BotIndex(next[bot.index()]))
                .collect::<Vec<_>>();
            bots.sort_unstable();
            u32::try_from(self.rank(&Table::new(&bots)?)?).ok()
        };
        let mut is_listed = vec![false; count as usize];
        let mut order = Vec::with_capacity(count as usize);
        for first in 0..count as u32 {
            let mut table = Some(first);
            while let Some(rank) =
                table.filter(|&rank| !std::mem::replace(&mut is_listed[rank as usize], true))
            {
                order.push(rank);
                table = rotated(rank);
            }
        }
        order.into()
    }

    fn is_challenger(&self, bot: u32) -> bool {
        self.challengers.as_ref().is_none_or(|all| all.binary_search(&bot).is_ok())
    }

    /// The number of subsets of `size` of the bots from `lowest` on. They contain a challenger, unless there is one already.
    fn from(&self, lowest: u32, size: u64, has_challenger: bool) -> u128 {
        let all = subsets((self.bots - lowest).into(), size);
        match &self.challengers {
            Some(challengers) if !has_challenger => {
                let behind = challengers.len() - challengers.partition_point(|&bot| bot < lowest);
                all - subsets(u64::from(self.bots - lowest) - behind as u64, size)
            }
            _ => all,
        }
    }

    fn meetings(&self, one: u32, other: u32) -> u64 {
        if one == other || one.max(other) >= self.bots {
            return 0;
        }
        let (rest, size) = (u64::from(self.bots) - 2, self.seats.count() as u64 - 2);
        let mut tables = subsets(rest, size);
        if let Some(challengers) = &self.challengers
            && !self.is_challenger(one)
            && !self.is_challenger(other)
        {
            tables -= subsets(rest - challengers.len() as u64, size);
        }
        u64::try_from(tables).unwrap_or(u64::MAX) // a subset of the tables, whose count fits
    }

    /// The number of tables before this one. For each index, the subsets that start lower there are counted at once.
    fn rank(&self, table: &Table) -> Option<u64> {
        let bots = table.bots();
        let is_known = table.seats() == self.seats
            && bots.last().is_some_and(|last| last.0 < self.bots)
            && bots.iter().any(|bot| self.is_challenger(bot.0));
        if !is_known {
            return None;
        }
        let (mut rank, mut lowest, mut has_challenger) = (0, 0, false);
        for (bot, left) in bots.iter().zip((1..=bots.len() as u64).rev()) {
            rank += self.from(lowest, left, has_challenger) - self.from(bot.0, left, has_challenger);
            lowest = bot.0 + 1;
            has_challenger |= self.is_challenger(bot.0);
        }
        u64::try_from(rank).ok()
    }

    fn nth(&self, rank: u64) -> Option<Table> {
        let mut bots = [BotIndex::default(); MAX_SEATS];
        let (mut rest, mut lowest, mut has_challenger) = (u128::from(rank), 0, false);
        for (bot, left) in bots.iter_mut().zip((1..=self.seats.count() as u64).rev()) {
            let whole = self.from(lowest, left, has_challenger);
            // The highest bot with at most `rest` subsets before it, found by bisection.
            let (mut low, mut high) = (lowest, self.bots - left as u32);
            while low < high {
                let middle = (low + high).div_ceil(2);
                if whole - self.from(middle, left, has_challenger) <= rest {
                    low = middle;
                } else {
                    high = middle - 1;
                }
            }
            rest -= whole - self.from(low, left, has_challenger);
            *bot = BotIndex(low);
            lowest = low + 1;
            has_challenger |= self.is_challenger(low);
        }
        Table::new(&bots[..self.seats.count()])
    }
}

/// The number of subsets of `size` elements of a set.
fn subsets(elements: u64, size: u64) -> u128 {
    if size == 2 {
        return u128::from(elements) * u128::from(elements.saturating_sub(1)) / 2; // most tables are of two
    }
    checked_subsets(elements, size).unwrap_or(u128::MAX)
}

/// The same; `None` on overflow.
fn checked_subsets(elements: u64, size: u64) -> Option<u128> {
    if elements < size {
        return Some(0);
    }
    (0..size)
        .try_fold(1_u128, |count, i| Some(count.checked_mul(u128::from(elements - i))? / u128::from(i + 1)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn size(bots: u32, seats: usize) -> Dimensions {
        Dimensions { bots, seats: Seats::new(seats).unwrap(), blocks: 1 }
    }

    fn all(tables: &Tables) -> Vec<Table> {
        (0..u64::MAX).map_while(|rank| tables.nth(rank)).collect()
    }

    fn indices(bots: &[u32]) -> Vec<BotIndex> {
        bots.iter().map(|&bot| BotIndex(bot)).collect()
    }

    #[test]
    fn gauntlet_has_exactly_the_tables_with_a_challenger() {
        for seats in 2..=5 {
            for bots in seats as u32..=9 {
                // Every set of challengers.
                for set in 1_u32..1 << bots {
                    let challengers: Vec<u32> = (0..bots).filter(|bot| set >> bot & 1 == 1).collect();
                    let tables = Tables::with(size(bots, seats), &indices(&challengers)).unwrap();
                    let expected: Vec<Table> = all(&Tables::all(size(bots, seats)).unwrap())
                        .into_iter()
                        .filter(|table| table.bots().iter().any(|bot| challengers.contains(&bot.0)))
                        .collect();
                    assert_eq!(all(&tables), expected, "{bots} bots, {seats} seats, {challengers:?}");
                    assert_eq!(tables.count(), expected.len() as u64);
                    for (rank, table) in expected.iter().enumerate() {
                        assert_eq!(tables.rank(table), Some(rank as u64));
                    }
                    for pair in indices(&(0..bots).collect::<Vec<_>>()).windows(2) {
                        let both = |table: &&Table| pair.iter().all(|bot| table.bots().contains(bot));
                        let meetings = expected.iter().filter(both).count() as u64;
                        assert_eq!(tables.meetings(pair[0], pair[1]), meetings);
                    }
                }
            }
        }
    }

    #[test]
    fn table_without_a_challenger_has_no_rank() {
        let tables = Tables::with(size(5, 2), &indices(&[1])).unwrap();
        assert_eq!(tables.count(), 4);
        assert_eq!(tables.rank(&Table::new(&indices(&[2, 3])).unwrap()), None);
        assert_eq!(tables.rank(&Table::new(&indices(&[1, 5])).unwrap()), None);
        assert_eq!(tables.rank(&Table::new(&indices(&[1, 2, 3])).unwrap()), None);
        assert_eq!(Tables::with(size(5, 2), &indices(&[5])), Err(ScheduleError::NoChallenger));
    }

    #[test]
    fn more_bots_keep_the_order_of_a_gauntlet() {
        let challengers = indices(&[1, 3]);
        let (old, new) =
            <(Tables, Tables)>::from([5, 8].map(|bots| Tables::with(size(bots, 3), &challengers).unwrap()));
        let ranks: Vec<u64> = all(&old).iter().map(|table| new.rank(table).unwrap()).collect();
        assert!(ranks.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn listed_tables_are_in_order_and_there_once() {
        let table = |bots: &[u32]| Table::new(&indices(bots)).unwrap();
        let tables = Tables::listed(&[table(&[2, 3]), table(&[0, 1]), table(&[2, 3]), table(&[1, 2])]);
        assert_eq!(all(&tables), [table(&[0, 1]), table(&[1, 2]), table(&[2, 3])]);
        assert_eq!((tables.rank(&table(&[2, 3])), tables.rank(&table(&[0, 2]))), (Some(2), None));
        let play: Vec<u64> = (0..9).map_while(|position| tables.in_order_of_play(position)).collect();
        assert_eq!(play, [2, 0, 1], "as they were listed");
    }

    #[test]
    fn order_of_play_visits_every_table_once() {
        let challengers = Tables::with(size(9, 3), &indices(&[1, 4])).unwrap();
        for tables in [Tables::all(size(7, 2)).unwrap(), Tables::all(size(6, 4)).unwrap(), challengers] {
            let mut ranks: Vec<u64> = (0..u64::MAX).map_while(|at| tables.in_order_of_play(at)).collect();
            ranks.sort_unstable();
            assert_eq!(ranks, (0..tables.count()).collect::<Vec<_>>());
        }
    }

    /// By how many tables one of these bots is ahead of another at any moment of a block, at most.
    fn lead(tables: &Tables, bots: &[u32]) -> u64 {
        let mut played = vec![0_u64; 1 + *bots.iter().max().unwrap() as usize];
        let in_order = (0..).map_while(|at| tables.nth(tables.in_order_of_play(at)?));
        let leads = in_order.map(|table| {
            for bot in table.bots().iter().filter(|bot| bots.contains(&bot.0)) {
                played[bot.index()] += 1;
            }
            let counts = || bots.iter().map(|&bot| played[bot as usize]);
            counts().max().unwrap() - counts().min().unwrap()
        });
        leads.max().unwrap()
    }

    #[test]
    fn bot_is_never_far_ahead() {
        let all = |bots: u32, seats| (Tables::all(size(bots, seats)).unwrap(), (0..bots).collect::<Vec<_>>());
        let design = |bots: u32, seats, count| {
            (Tables::listed(&crate::designs::tables(bots, seats, count)), (0..bots).collect())
        };
        // The challengers sit at every table, so they are ahead by nature.
        let gauntlet = |bots: u32, challengers: u32| {
            let tables =
                Tables::with(size(bots, 2), &indices(&(0..challengers).collect::<Vec<_>>())).unwrap();
            (tables, (challengers..bots).collect())
        };
        // These are the numbers of the page.
        for (bound, (tables, bots)) in [
            (1, all(44, 2)),
            (2, all(45, 2)),
            (1, gauntlet(44, 1)),
            (1, gauntlet(44, 3)),
            (3, all(44, 3)),
            (4, all(12, 4)),
            (5, all(13, 5)),
            (2, all(10, 8)),
            (2, design(48, 4, 96)),
            (2, design(20, 8, 30)),
            (2, design(44, 3, 300)),
        ] {
            let lead = lead(&tables, &bots);
            assert_eq!(lead, bound, "{} bots, {} tables", bots.len(), tables.count());
        }
    }

    proptest! {
        #[test]
        fn ranks_of_large_gauntlets_come_back(
            bots in 8_u32..3000, seats in 2_usize..=5, challengers in proptest::collection::vec(0_u32..3000, 1..9), at in 0.0..1.0,
        ) {
            let challengers: Vec<u32> = challengers.into_iter().map(|bot| bot % bots).collect();
            let tables = Tables::with(size(bots, seats), &indices(&challengers)).unwrap();
            let rank = ((tables.count() as f64 * at) as u64).min(tables.count() - 1);
            let table = tables.nth(rank).unwrap();
            prop_assert!(table.bots().iter().any(|bot| challengers.contains(&bot.0)));
            prop_assert_eq!(tables.rank(&table), Some(rank));
        }
    }
}
