//! A bot's thinking times as a histogram: any number of decisions in little memory, each known to within 1.6 %.

use super::bytes::{TruncatedError, push_number, take_number};

/// Below this, each microsecond has its own bucket.
const EXACT: u64 = 64;
/// From there on, there are 32 buckets between a power of two and the next.
const STEPS: u64 = 32;

/// Counts of decisions by thinking time in microseconds: log-linear buckets, none wider than 1/32 of its times.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThinkingTimes {
    counts: Vec<u64>,
}

impl ThinkingTimes {
    /// Counts a decision that took this many microseconds.
    pub fn add(&mut self, us: u64) {
        let bucket = bucket(us);
        if bucket >= self.counts.len() {
            self.counts.resize(bucket + 1, 0);
        }
        self.counts[bucket] += 1;
    }

    /// Subtracts a histogram that was added before.
    pub(crate) fn remove(&mut self, us: u64) {
        if let Some(count) = self.counts.get_mut(bucket(us)) {
            *count = count.saturating_sub(1);
        }
    }

    /// Whether there are at most this many decisions.
    pub(super) fn is_possible(&self, most: u64) -> bool {
        let sum = self.counts.iter().try_fold(0_u64, |sum, &count| sum.checked_add(count));
        sum.is_some_and(|sum| sum <= most)
    }

    /// The number of decisions.
    pub fn decisions(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The time that a share of the decisions did not exceed, in microseconds; `None` if there are no decisions.
    pub fn quantile(&self, share: f64) -> Option<u64> {
        let needed = ((self.decisions() as f64 * share).ceil() as u64).max(1);
        let mut seen = 0;
        self.counts.iter().enumerate().find_map(|(bucket, count)| {
            seen += count;
            (seen >= needed).then(|| middle(bucket))
        })
    }

    /// Every time in use, in microseconds and ascending, with the number of decisions that took about as long.
    pub fn times(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let buckets = self.counts.iter().enumerate().filter(|(_, count)| **count > 0);
        buckets.map(|(bucket, count)| (middle(bucket), *count))
    }

    /// Encodes the histogram in a few bytes: for each bucket in use, the number of empty ones before it and its count.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut empty = 0;
        for &count in &self.counts {
            if count == 0 {
                empty += 1;
            } else {
                push_number(&mut bytes, empty);
                push_number(&mut bytes, count);
                empty = 0;
            }
        }
        bytes
    }

    pub(super) fn from_bytes(mut bytes: &[u8]) -> Result<Self, TruncatedError> {
        let mut counts = Vec::new();
        while !bytes.is_empty() {
            let bucket = counts.len() as u64 + take_number(&mut bytes)?;
            if bucket > bucket_of_most() {
                return Err(TruncatedError);
            }
            counts.resize(bucket as usize, 0);
            counts.push(take_number(&mut bytes)?);
        }
        Ok(Self { counts })
    }
}

fn bucket(us: u64) -> usize {
    if us < EXACT {
        return us as usize;
    }
    let power = u64::from(us.ilog2());
    let step = (us >> (power - 5)) - STEPS;
    (EXACT + (power - 6) * STEPS + step) as usize
}

fn bucket_of_most() -> u64 {
    bucket(u64::MAX) as u64
}

/// The middle of a bucket's times.
fn middle(bucket: usize) -> u64 {
    let bucket = bucket as u64;
    if bucket < EXACT {
        return bucket;
    }
    let (power, step) = ((bucket - EXACT) / STEPS + 6, (bucket - EXACT) % STEPS);
    let width = 1 << (power - 5);
    (STEPS + step) * width + (width - 1) / 2
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn from_times(times: &[u64]) -> ThinkingTimes {
        let mut thinking = ThinkingTimes::default();
        for &us in times {
            thinking.add(us);
        }
        thinking
    }

    #[test]
    fn quantiles_are_those_of_the_times() {
        assert_eq!(from_times(&[]).quantile(0.5), None);
        assert_eq!(from_times(&[7]).quantile(0.5), Some(7));
        assert_eq!(from_times(&[1, 2, 3, 4]).quantile(0.5), Some(2));
        let hundred: Vec<u64> = (1..=60).chain([1_000_000; 40]).collect();
        assert_eq!(from_times(&hundred).quantile(0.5), Some(50));
        let p99 = from_times(&hundred).quantile(0.99).unwrap();
        assert!(p99.abs_diff(1_000_000) < 16_000, "{p99}");
    }

    proptest! {
        #[test]
        fn time_is_known_to_within_two_percent(us: u64) {
            let found = middle(bucket(us));
            prop_assert!(found.abs_diff(us) as f64 <= us as f64 * 0.016, "{} for {}", found, us);
            prop_assert_eq!(bucket(found), bucket(us));
        }

        #[test]
        fn thinking_is_read_back_as_written(times in proptest::collection::vec(0_u64..5_000_000, 0..50)) {
            let thinking = from_times(&times);
            prop_assert_eq!(ThinkingTimes::from_bytes(&thinking.to_bytes()), Ok(thinking));
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes: Vec<u8>) {
            let _ = ThinkingTimes::from_bytes(&bytes);
        }
    }

    #[test]
    fn taking_back_leaves_what_was() {
        let mut thinking = from_times(&[5, 900]);
        thinking.add(77);
        thinking.remove(77);
        assert_eq!((thinking.decisions(), thinking.quantile(1.0)), (2, from_times(&[5, 900]).quantile(1.0)));
    }
}
