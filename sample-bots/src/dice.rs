//! Random numbers, always from a seed: the same seed gives the same numbers on every machine.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A seeded source of random numbers.
#[derive(Clone, Debug)]
pub struct Dice(ChaCha8Rng);

impl Dice {
    /// Dice determined by a seed, such as a match's `bot_seed`.
    pub fn seeded(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// A number below `bound`, all equally likely but for a bias of less than `bound` in 2³²; 0 if `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u64::from(self.0.next_u32()) * bound as u64) >> 32) as usize
    }

    /// True with a probability of `percent` in 100.
    pub fn percent(&mut self, percent: u8) -> bool {
        self.below(100) < percent.into()
    }

    /// A number from 0 up to but not including 1.
    pub fn fraction(&mut self) -> f32 {
        (self.0.next_u32() >> 8) as f32 / (1 << 24) as f32
    }

    /// Puts a list into random order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            list.swap(i, self.below(i + 1));
        }
    }
}
