//! All matches of a tournament in order: the phases known so far, one after the other.
//!
//! The place of a match in it is its *rank*. Matches are marked as done, shown and exported by rank, never by when they
//! happened to finish.

use std::ops::Range;

use leyden_model::{BotIndex, MatchKey, PairKey, Table};
use leyden_protocol::Seats;
use leyden_stats::FinalScores;

use super::{Crosstable, Dimensions, Format, NoSchedule, Tables, TournamentPhase};

/// The matches of a tournament. Later phases of an adaptive format become known once the matches before them are counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    format: Format,
    size: Dimensions,
    /// At least one, each with the rank of its first match.
    phases: Vec<(u64, TournamentPhase)>,
    /// The results, if the format looks at them.
    so_far: Crosstable,
}

impl Schedule {
    /// Creates the schedule of `bots` bots in a format, with its first phase.
    pub fn new(format: Format, bots: usize, seats: Seats, blocks: u32) -> Result<Self, NoSchedule> {
        let count = u32::try_from(bots).map_err(|_| NoSchedule::TooMany { bots, seats, blocks })?;
        if bots < seats.count() {
            return Err(NoSchedule::TooFewBots { bots, seats });
        }
        if blocks == 0 {
            return Err(NoSchedule::NoBlocks);
        }
        let size = Dimensions { bots: count, seats, blocks };
        let so_far = Crosstable::default();
        let first = format.tables(0, size, &so_far)?.ok_or(NoSchedule::TooFewBots { bots, seats })?;
        let first = TournamentPhase::new(0, 0, size, format.legs(seats), first)?;
        Ok(Self { format, size, phases: vec![(0, first)], so_far })
    }

    /// Every table meets once a block.
    pub fn round_robin(bots: usize, seats: Seats, blocks: u32) -> Result<Self, NoSchedule> {
        Self::new(Format::RoundRobin, bots, seats, blocks)
    }

    fn last(&self) -> Option<&(u64, TournamentPhase)> {
        self.phases.last()
    }

    /// Counts how a match ended, for formats that look at results.
    pub fn count(&mut self, key: &MatchKey, end: &FinalScores) {
        if self.format.is_adaptive() {
            self.so_far.count(key, end);
        }
    }

    /// Adds the next phase; every match so far must be counted. `None` if there is none.
    pub fn next_phase(&mut self) -> Result<Option<&TournamentPhase>, NoSchedule> {
        let number = self.phases.len() as u32;
        let Some(tables) = self.format.tables(number, self.size, &self.so_far)? else { return Ok(None) };
        let first_block = self.first_block(&tables);
        let phase = TournamentPhase::new(number, first_block, self.size, self.legs(), tables)?;
        let first = self.matches();
        if first.checked_add(phase.matches()).is_none() {
            return Err(NoSchedule::too_many(self.size));
        }
        self.phases.push((first, phase));
        Ok(self.last().map(|(_, phase)| phase))
    }

    /// The first number for the blocks of a further phase with these tables: after every block in which one of them may have
    /// met.
    fn first_block(&self, tables: &Tables) -> u32 {
        let before = self.phases.iter().map(|(_, phase)| phase);
        let same = before.filter(|phase| phase.tables().may_share(tables));
        same.map(TournamentPhase::blocks_end).max().unwrap_or(0)
    }

    /// The phases that ratings use once this many matches are played: all known phases, without the last one as long as it
    /// is not complete; always the first one.
    #[must_use]
    pub fn rated(&self, played: u64) -> Self {
        let mut rated = self.clone();
        if played < self.matches() && self.phases.len() > 1 {
            rated.phases.pop(); // a phase is known only once those before it are complete
        }
        rated
    }

    /// The number of matches in all known phases.
    pub fn matches(&self) -> u64 {
        self.last().map_or(0, |(first, phase)| first + phase.matches())
    }

    /// The number of pairs in all known phases.
    pub fn pairs(&self) -> u64 {
        self.tables() * u64::from(self.blocks())
    }

    /// The number of matches in a block of every known phase.
    pub fn matches_per_block(&self) -> u64 {
        self.phases.iter().map(|(_, phase)| phase.matches_per_block()).sum()
    }

    /// The number of tables that meet in a block of every known phase. One that meets in several phases counts in each.
    pub fn tables(&self) -> u64 {
        self.phases.iter().map(|(_, phase)| phase.tables().count()).sum()
    }

    /// The number of matches that two bots play against one another in a block of every known phase.
    pub fn meetings(&self, one: BotIndex, other: BotIndex) -> u64 {
        let tables: u64 = self.phases.iter().map(|(_, phase)| phase.tables().meetings(one, other)).sum();
        tables * u64::from(self.legs())
    }

    /// The number of known phases.
    pub fn phases(&self) -> u32 {
        self.phases.len() as u32
    }

    pub fn format(&self) -> &Format {
        &self.format
    }

    pub fn bots(&self) -> usize {
        self.size.bots as usize
    }

    /// The number of blocks of each phase.
    pub fn blocks(&self) -> u32 {
        self.size.blocks
    }

    /// The number after the highest one that a block has. It is [`blocks`](Self::blocks) unless a table meets in several
    /// phases.
    pub fn blocks_end(&self) -> u32 {
        self.phases.iter().map(|(_, phase)| phase.blocks_end()).max().unwrap_or(0)
    }

    /// Which block of its phase a pair belongs to, from 0; `None` if its phase is not one of these.
    pub fn nth_block(&self, pair: &PairKey) -> Option<u32> {
        let (_, phase) = self.phases.get(pair.phase as usize)?;
        phase.nth_block(pair.block)
    }

    pub fn seats(&self) -> Seats {
        self.size.seats
    }

    /// The number of matches in a pair.
    pub fn legs(&self) -> u32 {
        self.format.legs(self.size.seats)
    }

    /// The match at a rank; `None` from [`matches`](Self::matches) on.
    pub fn nth(&self, rank: u64) -> Option<MatchKey> {
        let behind = self.phases.partition_point(|(first, _)| *first <= rank);
        let (first, phase) = self.phases.get(behind.checked_sub(1)?)?;
        phase.nth(rank - first)
    }

    /// The rank of a match; `None` if the schedule does not contain it, or not yet.
    pub fn rank(&self, key: &MatchKey) -> Option<u64> {
        let (first, phase) = self.phases.get(key.phase as usize)?;
        Some(first + phase.rank(key)?)
    }

    /// The pair that a table plays in a block, in whichever phase; `None` if it plays none, or not yet.
    pub fn pair(&self, table: Table, block: u32) -> Option<PairKey> {
        let pairs = (0..self.phases()).map(|phase| PairKey { phase, block, table });
        pairs.into_iter().find(|pair| self.rank(&pair.leg(0)).is_some())
    }

    /// The matches of a range of ranks, in order.
    pub fn iter(&self, ranks: Range<u64>) -> impl Iterator<Item = MatchKey> + use<> {
        let schedule = self.clone();
        ranks.map_while(move |rank| schedule.nth(rank))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use proptest::prelude::*;

    use leyden_model::Table;

    use super::*;

    fn schedule(bots: usize, seats: usize, blocks: u32) -> Schedule {
        Schedule::round_robin(bots, Seats::new(seats).unwrap(), blocks).unwrap()
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
            for (rank, key) in all.iter().enumerate() {
                assert_eq!(schedule.rank(key), Some(rank as u64));
            }
            assert_eq!(schedule.nth(schedule.matches()), None);
        }
    }

    #[test]
    fn each_block_holds_every_table_once_in_every_seating() {
        let schedule = schedule(6, 3, 2);
        let mut seatings: HashMap<(u32, Table), Vec<Vec<u32>>> = HashMap::new();
        for key in schedule.iter(0..u64::MAX) {
            let seating = key.seating().as_slice().iter().map(|bot| bot.0).collect();
            seatings.entry((key.block, key.table)).or_default().push(seating);
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
        let ranks: Vec<u64> = old.iter(0..u64::MAX).map(|key| new.rank(&key).unwrap()).collect();
        assert!(ranks.is_sorted_by(|a, b| a < b));
        assert_eq!(old.rank(&new.nth(new.matches() - 1).unwrap()), None);
    }

    #[test]
    fn impossible_tournaments_are_refused() {
        let refused = |bots, seats, blocks| {
            Schedule::round_robin(bots, Seats::new(seats).unwrap(), blocks).unwrap_err().to_string()
        };
        assert_eq!(refused(1, 2, 1), "a table of 2 needs at least 2 bots; there is 1");
        assert_eq!(refused(2, 3, 1), "a table of 3 needs at least 3 bots; there are 2");
        assert_eq!(refused(2, 2, 0), "a tournament has at least one block");
        assert!(refused(100_000, 8, 1).contains("more matches than can be counted"));
        assert!(refused(usize::MAX, 2, 1).contains("more matches than can be counted"));
    }

    fn won_by(key: &MatchKey, bot: u32) -> FinalScores {
        let scores = key.seating().map(|seated| u32::from(seated.0 == bot));
        FinalScores { scores, fault: None, better: leyden_protocol::WinningScore::Higher }
    }

    #[test]
    fn a_phase_that_waits_for_results_comes_behind_those_that_are_known() {
        let mut schedule = Schedule::new(Format::Ladder, 4, Seats::TWO, 2).unwrap();
        let mut tables = Vec::new();
        for winner in [1, 1, 3] {
            let known = schedule.matches();
            let new: Vec<MatchKey> = schedule.iter(0..u64::MAX).collect();
            assert!(new.is_sorted() && new.len() as u64 == known);
            for key in new.iter().filter(|key| key.phase as usize == tables.len()) {
                assert_eq!(schedule.rank(key).and_then(|rank| schedule.nth(rank)), Some(*key));
                schedule.count(key, &won_by(key, winner));
            }
            tables.push(new.last().unwrap().table.bots().iter().map(|bot| bot.0).collect::<Vec<_>>());
            let another = schedule.next_phase().unwrap().is_some();
            assert_eq!(another, tables.len() < 3);
            assert_eq!(schedule.matches(), known + if another { 4 } else { 0 });
        }
        assert_eq!(tables, [[0, 1], [1, 2], [1, 3]]);
    }

    #[test]
    fn a_table_that_meets_again_gets_new_blocks() {
        let mut schedule = Schedule::new(Format::LadderWithRematch, 3, Seats::TWO, 2).unwrap();
        for winner in [0, 0, 1] {
            let last = schedule.phases() - 1;
            for key in schedule.clone().iter(0..u64::MAX).filter(|key| key.phase == last) {
                schedule.count(&key, &won_by(&key, winner));
            }
            schedule.next_phase().unwrap();
        }
        let all: Vec<MatchKey> = schedule.iter(0..u64::MAX).collect();
        let told: Vec<_> =
            all.iter().map(|key| (key.phase, key.block, key.table.bots()[1].0, key.leg)).collect();
        let phase = |phase: u32, first: u32, other: u32| {
            [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(block, leg)| (phase, first + block, other, leg))
        };
        assert_eq!(told, [phase(0, 0, 1), phase(1, 0, 2), phase(2, 2, 1)].concat());
        assert_eq!((schedule.blocks(), schedule.blocks_end(), schedule.pairs()), (2, 4, 6));
        for (rank, key) in all.iter().enumerate() {
            assert_eq!(schedule.rank(key), Some(rank as u64));
            assert_eq!(schedule.pair(key.table, key.block), Some(key.pair()));
            assert_eq!(schedule.nth_block(&key.pair()), Some(key.block % 2));
        }
        let again = PairKey { phase: 2, ..all[0].pair() };
        assert_eq!(
            (schedule.rank(&again.leg(0)), schedule.pair(all[4].table, 2), schedule.nth_block(&again)),
            (None, None, None)
        );
        let bots = [0, 1, 2].map(BotIndex);
        let met =
            |schedule: &Schedule| [(0, 1), (0, 2), (1, 2)].map(|(a, b)| schedule.meetings(bots[a], bots[b]));
        assert_eq!((schedule.matches_per_block(), schedule.tables(), met(&schedule)), (6, 3, [4, 2, 0]));
        assert_eq!(schedule.rated(12), schedule);
        let rated = schedule.rated(11);
        assert_eq!((rated.phases(), rated.matches(), met(&rated)), (2, 8, [2, 2, 0]));
    }

    #[test]
    fn a_gauntlet_is_kept_as_text() {
        let gauntlet = Format::Gauntlet { challengers: vec![BotIndex(0), BotIndex(3)] };
        let text = serde_json::to_string(&gauntlet).unwrap();
        assert_eq!(text, r#"{"format":"gauntlet","challengers":[0,3]}"#);
        assert_eq!(serde_json::from_str::<Format>(&text).unwrap(), gauntlet);
        assert_eq!(serde_json::to_string(&Format::RoundRobin).unwrap(), r#"{"format":"round_robin"}"#);
    }

    proptest! {
        #[test]
        fn ranks_of_large_schedules_come_back(bots in 2_usize..3000, seats in 2_usize..=5, blocks in 1_u32..1000, at in 0.0..1.0) {
            let seats = Seats::new(seats.min(bots)).unwrap();
            let schedule = Schedule::round_robin(bots, seats, blocks).unwrap();
            let rank = ((schedule.matches() as f64 * at) as u64).min(schedule.matches() - 1);
            let key = schedule.nth(rank).unwrap();
            prop_assert!(Table::new(key.table.bots()).is_some());
            prop_assert_eq!(schedule.rank(&key), Some(rank));
        }
    }
}
