//! Random numbers seeded by a text: the same text gives the same numbers on every machine.

/// `SplitMix64`: G. Steele, D. Lea and C. Flood, "Fast Splittable Pseudorandom Number Generators" (2014).
#[derive(Clone, Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    /// Seeded by FNV-1a of the text.
    pub(crate) fn from_text(text: &str) -> Self {
        let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Self(hash)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number below `bound`, all equally likely up to a bias below `bound` in 2³².
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (((self.next() >> 32) * bound as u64) >> 32) as usize
    }

    /// Puts a list into random order.
    pub(crate) fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            list.swap(i, self.below(i + 1));
        }
    }
}

/// The mixing function of `SplitMix64`: similar inputs give unrelated outputs.
#[inline]
pub(crate) const fn mix(bits: u64) -> u64 {
    let mut z = bits;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
