//! Every match of a tournament as far as its format says: the phases known so far, one after the other.
//!
//! A match's place in it is its *rank*; what is done, shown or exported goes by rank, never by when a match happened to
//! finish.

use std::ops::Range;

use leyden_model::{BotIndex, MatchKey};
use leyden_protocol::Seats;
use leyden_stats::FinalScores;

use super::{Crosstable, Dimensions, Format, NoSchedule, TournamentPhase};

/// The matches of a tournament. An adaptive format's later phases are known once the matches before them are counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    format: Format,
    size: Dimensions,
    /// At least one, each with the rank of its first match.
    phases: Vec<(u64, TournamentPhase)>,
    /// Results, where the format looks at them.
    so_far: Crosstable,
}

impl Schedule {
    /// A tournament of `bots` bots in a format, with its first phase.
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
        let first = format.phase(0, size, &so_far)?.ok_or(NoSchedule::TooFewBots { bots, seats })?;
        Ok(Self { format, size, phases: vec![(0, first)], so_far })
    }

    /// Every table meets once a block.
    pub fn round_robin(bots: usize, seats: Seats, blocks: u32) -> Result<Self, NoSchedule> {
        Self::new(Format::RoundRobin, bots, seats, blocks)
    }

    fn last(&self) -> Option<&(u64, TournamentPhase)> {
        self.phases.last()
    }

    /// Takes in how a match ended, for formats that look at results.
    pub fn count(&mut self, key: &MatchKey, end: &FinalScores) {
        if self.format.is_adaptive() {
            self.so_far.count(key, end);
        }
    }

    /// Adds the next phase; every match so far must be counted. `None` if there are no more.
    pub fn next_phase(&mut self) -> Result<Option<&TournamentPhase>, NoSchedule> {
        let number = self.phases.len() as u32;
        let Some(phase) = self.format.phase(number, self.size, &self.so_far)? else { return Ok(None) };
        let first = self.matches();
        if first.checked_add(phase.matches()).is_none() {
            return Err(NoSchedule::too_many(self.size));
        }
        self.phases.push((first, phase));
        Ok(self.last().map(|(_, phase)| phase))
    }

    /// How many matches there are, as far as is known.
    pub fn matches(&self) -> u64 {
        self.last().map_or(0, |(first, phase)| first + phase.matches())
    }

    /// How many matches a block of the first phase has.
    pub fn matches_per_block(&self) -> u64 {
        self.phases.first().map_or(0, |(_, phase)| phase.matches_per_block())
    }

    /// How many tables meet in each block of the first phase.
    pub fn tables(&self) -> u64 {
        self.phases.first().map_or(0, |(_, phase)| phase.tables().count())
    }

    /// How many matches two bots play against one another in a block of the first phase.
    pub fn meetings(&self, one: BotIndex, other: BotIndex) -> u64 {
        let tables = self.phases.first().map_or(0, |(_, phase)| phase.tables().meetings(one, other));
        tables * u64::from(self.legs())
    }

    /// How many phases are known.
    pub fn phases(&self) -> u32 {
        self.phases.len() as u32
    }

    pub fn format(&self) -> &Format {
        &self.format
    }

    pub fn bots(&self) -> usize {
        self.size.bots as usize
    }

    pub fn blocks(&self) -> u32 {
        self.size.blocks
    }

    pub fn seats(&self) -> Seats {
        self.size.seats
    }

    /// How many matches make a pair.
    pub fn legs(&self) -> u32 {
        self.format.legs(self.size.seats)
    }

    /// The match of a rank; `None` from [`matches`](Self::matches) on.
    pub fn nth(&self, rank: u64) -> Option<MatchKey> {
        let behind = self.phases.partition_point(|(first, _)| *first <= rank);
        let (first, phase) = self.phases.get(behind.checked_sub(1)?)?;
        phase.nth(rank - first)
    }

    /// The rank of a match; `None` if the schedule does not have it, or not yet.
    pub fn rank(&self, key: &MatchKey) -> Option<u64> {
        let (first, phase) = self.phases.get(key.phase as usize)?;
        Some(first + phase.rank(key)?)
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
