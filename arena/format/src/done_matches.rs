//! Which matches of a schedule are done: one bit each.

use std::collections::BTreeMap;

use super::Schedule;

/// The number of ranks in a chunk.
const CHUNK: u64 = 4096;

type Chunk = [u64; (CHUNK / 64) as usize];

/// A set of ranks of a schedule. Memory grows with what is done, not with what is planned: a tournament may be planned
/// longer than it will ever last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DoneMatches {
    chunks: BTreeMap<u64, Box<Chunk>>,
    /// The number of ranks.
    matches: u64,
    count: u64,
}

impl DoneMatches {
    /// Creates an empty set.
    pub fn none(schedule: &Schedule) -> Self {
        Self { chunks: BTreeMap::new(), matches: schedule.matches(), count: 0 }
    }

    /// The number of ranks that are done.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The number of ranks, done or not.
    pub fn matches(&self) -> u64 {
        self.matches
    }

    /// Whether the match of this rank is done.
    pub fn contains(&self, rank: u64) -> bool {
        self.chunks.get(&(rank / CHUNK)).is_some_and(|chunk| chunk[word(rank)] & bit(rank) != 0)
    }

    /// Marks a rank as done. Ranks beyond the schedule are ignored.
    pub fn insert(&mut self, rank: u64) {
        if rank >= self.matches {
            return;
        }
        let chunk = self.chunks.entry(rank / CHUNK).or_insert_with(|| Box::new([0; _]));
        if chunk[word(rank)] & bit(rank) == 0 {
            chunk[word(rank)] |= bit(rank);
            self.count += 1;
        }
    }

    /// The first rank from `from` on that is not done.
    pub fn next_missing(&self, from: u64) -> Option<u64> {
        let mut rank = from;
        while rank < self.matches {
            let Some(chunk) = self.chunks.get(&(rank / CHUNK)) else { return Some(rank) };
            let open = !chunk[word(rank)] >> (rank % 64);
            if open != 0 {
                return Some(rank + u64::from(open.trailing_zeros())).filter(|&rank| rank < self.matches);
            }
            rank = (rank / 64 + 1) * 64;
        }
        None
    }

    /// Every rank that is not done, ascending.
    pub fn missing(&self) -> impl Iterator<Item = u64> + '_ {
        std::iter::successors(self.next_missing(0), |&rank| self.next_missing(rank + 1))
    }
}

const fn word(rank: u64) -> usize {
    (rank % CHUNK / 64) as usize
}

const fn bit(rank: u64) -> u64 {
    1 << (rank % 64)
}

#[cfg(test)]
mod tests {
    use leyden_protocol::Seats;

    use super::*;

    #[test]
    fn missing_ranks_are_those_not_inserted() {
        let schedule = Schedule::round_robin(9, Seats::TWO, 2).unwrap();
        assert_eq!(schedule.matches(), 144);
        let mut done = DoneMatches::none(&schedule);
        for rank in (0..200).filter(|rank| rank % 3 != 0) {
            done.insert(rank);
            done.insert(rank);
        }
        assert_eq!(done.count(), 96);
        let missing: Vec<u64> = done.missing().collect();
        let expected: Vec<u64> = (0..144).filter(|rank| rank % 3 == 0).collect();
        assert_eq!(missing, expected);
        (0..144).for_each(|rank| done.insert(rank));
        assert_eq!((done.next_missing(0), done.count(), done.contains(144)), (None, 144, false));
    }

    #[test]
    fn plan_of_any_length_takes_no_room() {
        let schedule = Schedule::round_robin(100, Seats::TWO, u32::MAX).unwrap();
        let mut done = DoneMatches::none(&schedule);
        (0..10_000).for_each(|rank| done.insert(rank));
        assert_eq!(done.next_missing(0), Some(10_000));
        assert_eq!(done.next_missing(schedule.matches() - 1), Some(schedule.matches() - 1));
        assert_eq!(done.next_missing(schedule.matches()), None);
    }
}
