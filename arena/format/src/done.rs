//! Which matches of a schedule are done: one bit each.

use std::collections::BTreeMap;

use super::Schedule;

/// The number of ranks in a chunk.
const CHUNK: u64 = 4096;

type Chunk = [u64; (CHUNK / 64) as usize];

/// A set of ranks of a schedule. Memory grows with what is done, not with what is wanted: a tournament may be planned longer
/// than it will ever last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    chunks: BTreeMap<u64, Box<Chunk>>,
    /// The number of ranks.
    matches: u64,
    count: u64,
}

impl Done {
    /// Creates an empty set.
    pub fn none(schedule: &Schedule) -> Self {
        Self { chunks: BTreeMap::new(), matches: schedule.matches(), count: 0 }
    }

    /// Creates the set of all ranks except these.
    pub fn all_but(schedule: &Schedule, missing: impl IntoIterator<Item = u64>) -> Self {
        let matches = schedule.matches();
        let full = |chunk: u64| -> Box<Chunk> {
            let in_it = (matches - chunk * CHUNK).min(CHUNK);
            Box::new(std::array::from_fn(|word| match in_it.saturating_sub(word as u64 * 64) {
                0 => 0,
                bits @ 1..64 => (1 << bits) - 1,
                _ => u64::MAX,
            }))
        };
        let chunks = (0..matches.div_ceil(CHUNK)).map(|chunk| (chunk, full(chunk))).collect();
        let mut done = Self { chunks, matches, count: matches };
        missing.into_iter().for_each(|rank| done.remove(rank));
        done
    }

    /// The number of ranks that are done.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The number of ranks, done or not.
    pub fn matches(&self) -> u64 {
        self.matches
    }

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

    /// Marks a rank as not done.
    fn remove(&mut self, rank: u64) {
        if self.contains(rank) {
            if let Some(chunk) = self.chunks.get_mut(&(rank / CHUNK)) {
                chunk[word(rank)] &= !bit(rank);
            }
            self.count -= 1;
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
    fn what_is_missing_is_what_was_not_inserted() {
        let schedule = Schedule::round_robin(9, Seats::TWO, 2).unwrap();
        assert_eq!(schedule.matches(), 144);
        let mut done = Done::none(&schedule);
        for rank in (0..200).filter(|rank| rank % 3 != 0) {
            done.insert(rank);
            done.insert(rank);
        }
        done.remove(64);
        done.remove(66);
        assert_eq!(done.count(), 95);
        let missing: Vec<u64> = done.missing().collect();
        let expected: Vec<u64> = (0..144).filter(|rank| rank % 3 == 0 || *rank == 64).collect();
        assert_eq!(missing, expected);
        (0..144).for_each(|rank| done.insert(rank));
        assert_eq!((done.next_missing(0), done.count(), done.contains(144)), (None, 144, false));
    }

    #[test]
    fn all_but_some_is_what_comes_of_one_after_the_other() {
        for (bots, blocks) in [(2, 1), (9, 2), (9, 57), (65, 1), (92, 1)] {
            let schedule = Schedule::round_robin(bots, Seats::TWO, blocks).unwrap();
            let last = schedule.matches() - 1;
            let mut expected = Done::none(&schedule);
            (1..last).for_each(|rank| expected.insert(rank));
            let done = Done::all_but(&schedule, [0, last]);
            assert_eq!(done.missing().collect::<Vec<_>>(), [0, last]);
            assert_eq!(done.count(), expected.count());
            assert!((0..schedule.matches()).all(|rank| done.contains(rank) == expected.contains(rank)));
        }
    }

    #[test]
    fn a_plan_of_any_length_takes_no_room() {
        let schedule = Schedule::round_robin(100, Seats::TWO, u32::MAX).unwrap();
        let mut done = Done::none(&schedule);
        (0..10_000).for_each(|rank| done.insert(rank));
        assert_eq!(done.next_missing(0), Some(10_000));
        assert_eq!(done.next_missing(schedule.matches() - 1), Some(schedule.matches() - 1));
        assert_eq!(done.next_missing(schedule.matches()), None);
    }
}
