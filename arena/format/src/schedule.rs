//! All matches of a tournament in order: the rounds known so far, one after the other.
//!
//! The place of a match in it is its *rank*. Matches are marked as done, shown and exported by rank, never by when they
//! happened to finish.

use std::collections::BTreeMap;
use std::ops::Range;

use leyden_model::{BotIndex, MatchKey, PairKey, Table};
use leyden_protocol::Seats;
use leyden_stats::FinalScores;

use super::competition::{CompetitionTable, History};
use super::tables::table_of;
use super::{Competition, Crosstable, Dimensions, Format, NewRound, ScheduleError, StageRound, Tables};

/// The matches of a tournament. Later rounds of a format that looks at results become known once the matches before them are
/// counted.
///
/// ```
/// use leyden_format::Schedule;
/// use leyden_protocol::Seats;
///
/// let schedule = Schedule::round_robin(4, Seats::TWO, 10)?;
/// // Six tables, ten blocks of each, two matches a pair. A match is computed from its rank, and back.
/// assert_eq!((schedule.tables(), schedule.matches()), (6, 120));
/// let round = &schedule.rounds()[0];
/// let key = round.nth(77).expect("there are 120");
/// assert_eq!(round.rank(&key), Some(77));
/// # Ok::<(), leyden_format::ScheduleError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    format: Format,
    size: Dimensions,
    /// At least one.
    rounds: Vec<StageRound>,
    /// The rank of the first match of each round, and how many of its matches are counted.
    counts: Vec<RoundCounts>,
    /// The results, if the format looks at them.
    so_far: Crosstable,
    /// How many pairs each two bots of a league play in all known rounds.
    of_two: BTreeMap<Table, u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RoundCounts {
    first: u64,
    counted: u64,
}

impl Schedule {
    /// Creates the schedule of `bots` bots in a format, with its first round. Stages say themselves how many blocks they have.
    pub fn new(format: Format, bots: usize, seats: Seats, blocks: u32) -> Result<Self, ScheduleError> {
        let count = u32::try_from(bots).map_err(|_| ScheduleError::TooMany { bots, seats, blocks })?;
        if bots < seats.count() {
            return Err(ScheduleError::TooFewBots { bots, seats });
        }
        if blocks == 0 {
            return Err(ScheduleError::NoBlocks);
        }
        let size = Dimensions { bots: count, seats, blocks };
        let first = StageRound::new(0, 0, format.legs(seats), format.first(size)?)?;
        let rounds = vec![first.ok_or_else(|| ScheduleError::too_many(size))?];
        let counts = vec![RoundCounts { first: 0, counted: 0 }];
        let (so_far, of_two) = (Crosstable::default(), BTreeMap::new());
        let mut schedule = Self { format, size, rounds, counts, so_far, of_two };
        schedule.note_last();
        Ok(schedule)
    }

    /// Every table meets once a block.
    pub fn round_robin(bots: usize, seats: Seats, blocks: u32) -> Result<Self, ScheduleError> {
        Self::new(Format::RoundRobin, bots, seats, blocks)
    }

    /// Counts how a match ended, for formats that look at results. Each match may be counted once.
    pub fn count(&mut self, key: &MatchKey, end: &FinalScores) {
        if !self.format.is_adaptive() {
            return;
        }
        if let Some(number) = self.round_of(key.block) {
            self.count_in(number, key, end);
        }
    }

    /// The same for the round with this number, if the match is one of its.
    fn count_in(&mut self, number: usize, key: &MatchKey, end: &FinalScores) {
        if self.rounds[number].rank(key).is_none() {
            return;
        }
        // A league looks at all that two bots have played: it counts as one round.
        let counts_as = if self.is_league() { ALL } else { number as u32 };
        self.so_far.count(counts_as, key, end);
        self.counts[number].counted += 1;
    }

    fn is_league(&self) -> bool {
        self.format.competition().is_some_and(Competition::is_league)
    }

    /// Counts matches, in any order, and adds the rounds that follow from them. Those of rounds that are still unknown are not counted:
    /// a later call, with more matches, takes them.
    pub fn replay(&mut self, ends: &[(MatchKey, FinalScores)]) -> Result<(), ScheduleError> {
        if !self.format.is_adaptive() {
            return Ok(());
        }
        let mut ends = ends.to_vec();
        ends.sort_unstable_by_key(|(key, _)| key.block);
        loop {
            let is_complete = self.count_last(&ends);
            if !is_complete || self.next_round()?.is_none() {
                return Ok(());
            }
        }
    }

    /// The same for what is known to have been played by this schedule: the batches of a league are taken as they were, except for
    /// the last, instead of choosing each of them again.
    pub fn restore(&mut self, ends: &[(MatchKey, FinalScores)]) -> Result<(), ScheduleError> {
        let Some(last_block) = ends.iter().map(|(key, _)| key.block).max().filter(|_| self.is_league())
        else {
            return self.replay(ends);
        };
        let is_possible =
            |key: &MatchKey| key.stage == 0 && key.table.bots().iter().all(|bot| bot.index() < self.bots());
        let mut ends = ends.to_vec();
        ends.retain(|(key, _)| is_possible(key));
        ends.sort_unstable_by_key(|(key, _)| key.block);
        loop {
            let is_complete = self.count_last(&ends);
            let (first, blocks) = (self.blocks_end(), self.rounds[0].blocks());
            if !is_complete {
                return Ok(());
            }
            if first.checked_add(blocks).is_none_or(|end| end > last_block) {
                if self.next_round()?.is_none() {
                    return Ok(());
                }
                continue;
            }
            let of_round = in_blocks(&ends, first..first + blocks);
            let tables: Vec<Table> = of_round.iter().map(|(key, _)| key.table).collect();
            let round = self.rounds.len() as u32;
            let tables = Tables::listed(&tables);
            self.add(NewRound { stage: 0, round, extra: false, blocks, tables })?;
        }
    }

    /// Counts those of these matches, by block, that are of the last round; returns whether it is complete.
    fn count_last(&mut self, ends: &[(MatchKey, FinalScores)]) -> bool {
        let last = self.rounds.len() - 1;
        let end = self.rounds[last].blocks_end();
        for (key, of) in in_blocks(ends, end - self.rounds[last].blocks()..end) {
            self.count_in(last, key, of);
        }
        self.counts[last].counted >= self.rounds[last].matches()
    }

    /// Adds the next round; every match so far must be counted. `None` if there is none.
    pub fn next_round(&mut self) -> Result<Option<&StageRound>, ScheduleError> {
        let Format::Stages(competition) = &self.format else { return Ok(None) };
        let Some(new) = competition.next(self.size.seats, &self.history())? else { return Ok(None) };
        self.add(new)?;
        Ok(self.rounds.last())
    }

    fn add(&mut self, new: NewRound) -> Result<(), ScheduleError> {
        let too_many = || ScheduleError::too_many(self.size);
        let number = self.rounds.len() as u32;
        let round = StageRound::new(number, self.blocks_end(), self.legs(), new)?.ok_or_else(too_many)?;
        let first = self.matches();
        first.checked_add(round.matches()).ok_or_else(too_many)?;
        self.rounds.push(round);
        self.counts.push(RoundCounts { first, counted: 0 });
        self.note_last();
        Ok(())
    }

    /// Notes who meets in the last round of a league: it has too many rounds to search them all.
    fn note_last(&mut self) {
        let Some(last) = self.rounds.last().filter(|_| self.is_league()) else { return };
        for table in last.all_tables() {
            *self.of_two.entry(table).or_default() += u64::from(last.blocks());
        }
    }

    /// The first round of a Swiss or a league, the first stage, in which no match is counted: bots may join or leave before it. `None` if there is
    /// no such round.
    pub fn open_round(&self) -> Option<u32> {
        let rounds = self.format.competition()?.stages.first()?.play.open_rounds()?;
        let (last, counts) = (self.rounds.last()?, self.counts.last()?);
        let open = last.round() + u32::from(counts.counted > 0);
        (last.stage() == 0 && open < rounds).then_some(open)
    }

    /// How the competition stands; `None` if the format has no stages, and for a league, whose order is that of the ratings.
    pub fn competition(&self) -> Option<CompetitionTable> {
        // A schedule exists only of stages that can be played.
        self.format
            .competition()
            .filter(|stages| !stages.is_league())
            .and_then(|stages| stages.table(self.size.seats, &self.history()).ok())
    }

    fn history(&self) -> History<'_> {
        let complete =
            self.rounds.iter().zip(&self.counts).take_while(|(round, of)| of.counted >= round.matches());
        History { rounds: &self.rounds, results: &self.so_far, complete: complete.count() }
    }

    /// The schedule without its last round as long as that is not complete, but always with the first one: what ratings use
    /// once this many matches are played.
    #[must_use]
    pub fn rated(&self, played: u64) -> Self {
        let mut rated = self.clone();
        if played < self.matches() && self.rounds.len() > 1 {
            // A round is known only once those before it are complete.
            if let Some(last) = rated.rounds.pop().filter(|_| rated.is_league()) {
                for table in last.all_tables() {
                    if let Some(pairs) = rated.of_two.get_mut(&table) {
                        *pairs -= u64::from(last.blocks());
                    }
                }
            }
            rated.counts.pop();
        }
        rated
    }

    /// The number of matches in all known rounds.
    pub fn matches(&self) -> u64 {
        self.rounds.last().zip(self.counts.last()).map_or(0, |(round, of)| of.first + round.matches())
    }

    /// How many matches there will be if no meeting is level; those that are known, if the format does not look at results.
    pub fn expected_matches(&self) -> u64 {
        let expected = self.format.competition().map(|stages| stages.expected_matches(self.size.seats));
        expected.map_or(self.matches(), |expected| expected.max(self.matches()))
    }

    /// The number of pairs in all known rounds.
    pub fn pairs(&self) -> u64 {
        self.matches() / u64::from(self.legs())
    }

    /// The number of tables that meet in each block, of every known round. One that meets in several rounds counts in each.
    pub fn tables(&self) -> u64 {
        self.rounds.iter().map(|round| round.tables().count()).sum()
    }

    /// The number of matches in a block of every known round.
    pub fn matches_per_block(&self) -> u64 {
        self.rounds.iter().map(StageRound::matches_per_block).sum()
    }

    /// The number of matches that two bots play against one another in a block, as ratings count blocks.
    pub fn meetings(&self, one: BotIndex, other: BotIndex) -> u64 {
        let blocks = self.blocks();
        if self.is_league() {
            let pairs = table_of([one, other]).and_then(|table| self.of_two.get(&table));
            return pairs.map_or(0, |pairs| pairs / u64::from(blocks) * u64::from(self.legs()));
        }
        let of =
            |round: &StageRound| round.tables().meetings(one, other) * u64::from(round.blocks() / blocks);
        let tables: u64 = self.rounds.iter().filter(|round| !round.is_extra()).map(of).sum();
        tables * u64::from(self.legs())
    }

    /// The rounds known so far.
    pub fn rounds(&self) -> &[StageRound] {
        &self.rounds
    }

    /// Returns the format that it follows.
    pub fn format(&self) -> &Format {
        &self.format
    }

    /// Returns the number of bots.
    pub fn bots(&self) -> usize {
        self.size.bots as usize
    }

    /// The number of blocks as ratings count them: of the round with the fewest, without those that only add pairs to level
    /// meetings. Rounds with more have several of theirs in each.
    pub fn blocks(&self) -> u32 {
        let rounds = self.rounds.iter().filter(|round| !round.is_extra());
        rounds.map(StageRound::blocks).min().unwrap_or(self.size.blocks)
    }

    /// Whether each pair counts by itself in ratings: blocks of stages are not alike, and of a single one nobody could say how far
    /// its results spread. Not with more than two seats, where the results of a table depend on one another.
    pub fn counts_pairs(&self) -> bool {
        self.seats() == Seats::TWO && (self.format.competition().is_some() || self.size.blocks == 1)
    }

    /// The number after the highest one that a block has.
    pub fn blocks_end(&self) -> u32 {
        self.rounds.last().map_or(0, StageRound::blocks_end)
    }

    /// Which block, as ratings count them, a pair belongs to, from 0; `None` if it belongs to none.
    pub fn nth_block(&self, pair: &PairKey) -> Option<u32> {
        let round = &self.rounds[self.round_of(pair.block)?];
        let nth = round.nth_block(pair.block).filter(|_| !round.is_extra())?;
        let blocks = self.blocks();
        Some(nth / (round.blocks() / blocks)).filter(|&nth| nth < blocks)
    }

    /// The round in which a block is played.
    pub fn round(&self, block: u32) -> Option<&StageRound> {
        self.rounds.get(self.round_of(block)?)
    }

    fn round_of(&self, block: u32) -> Option<usize> {
        let number = self.rounds.partition_point(|round| round.blocks_end() <= block);
        (number < self.rounds.len()).then_some(number)
    }

    /// Returns the number of seats at each table.
    pub fn seats(&self) -> Seats {
        self.size.seats
    }

    /// The number of matches in a pair.
    pub fn legs(&self) -> u32 {
        self.format.legs(self.size.seats)
    }

    /// The match at a rank; `None` from [`matches`](Self::matches) on.
    pub fn nth(&self, rank: u64) -> Option<MatchKey> {
        let behind = self.counts.partition_point(|of| of.first <= rank).checked_sub(1)?;
        self.rounds[behind].nth(rank - self.counts[behind].first)
    }

    /// The rank of leg 0 of the pair that is played at a position, counted in pairs: round by round and block by block, so that
    /// no bot is far ahead of the others. `None` from [`pairs`](Self::pairs) on.
    pub fn in_order_of_play(&self, position: u64) -> Option<u64> {
        let legs = u64::from(self.legs());
        let behind = self.counts.partition_point(|of| of.first / legs <= position).checked_sub(1)?;
        let first = self.counts[behind].first;
        Some(first + self.rounds[behind].in_order_of_play(position - first / legs)?)
    }

    /// The rank of a match; `None` if the schedule does not contain it, or not yet.
    pub fn rank(&self, key: &MatchKey) -> Option<u64> {
        let number = self.round_of(key.block)?;
        Some(self.counts[number].first + self.rounds[number].rank(key)?)
    }

    /// The pair that a table plays in a block; `None` if it plays none, or not yet.
    pub fn pair(&self, table: Table, block: u32) -> Option<PairKey> {
        let pair = PairKey { stage: self.round(block)?.stage(), block, table };
        self.rank(&pair.leg(0)).map(|_| pair)
    }

    /// The matches of a range of ranks, in order.
    pub fn iter(&self, ranks: Range<u64>) -> impl Iterator<Item = MatchKey> + use<> {
        let schedule = self.clone();
        ranks.map_while(move |rank| schedule.nth(rank))
    }
}

/// The round under which everything counts that a league has played.
pub(super) const ALL: u32 = 0;

/// Of matches by block those of a range of blocks.
fn in_blocks(ends: &[(MatchKey, FinalScores)], blocks: Range<u32>) -> &[(MatchKey, FinalScores)] {
    let before = |end: u32| ends.partition_point(|(key, _)| key.block < end);
    &ends[before(blocks.start)..before(blocks.end)]
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
    fn order_is_block_then_table_then_leg() {
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
    fn matches_and_ranks_correspond_one_to_one() {
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
    fn each_block_holds_every_table_in_every_rotation() {
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

    #[test]
    fn gauntlet_is_kept_as_text() {
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
