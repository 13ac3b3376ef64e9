//! Integers of many bits, so that criteria in their order fit one number: the first criterion in the highest bits.

use std::ops::{Add, AddAssign, Sub, SubAssign};

use bnum::Int;
use bnum::cast::CastFrom;
use integer_blossom::Weight;

/// A signed integer of N bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Wide<const N: usize>(Int<N>);

impl<const N: usize> Wide<N> {
    /// How many bits a number may have so that the matching can double it and add it up.
    pub(super) const BITS: u32 = 8 * N as u32 - 8;

    /// Appends a digit of that many bits behind the lowest one.
    #[must_use]
    pub(super) fn then(self, digit: u64, bits: u32) -> Self {
        Self((self.0 << bits) + Int::cast_from(digit))
    }
}

impl<const N: usize> Add for Wide<N> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl<const N: usize> Sub for Wide<N> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl<const N: usize> AddAssign for Wide<N> {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl<const N: usize> SubAssign for Wide<N> {
    fn sub_assign(&mut self, other: Self) {
        self.0 -= other.0;
    }
}

impl<const N: usize> Weight for Wide<N> {
    const ZERO: Self = Self(Int::from_bytes([0; N]));
    const ONE: Self = {
        let mut one = [0; N];
        one[0] = 1;
        Self(Int::from_bytes(one))
    };

    fn inf() -> Self {
        Self(Int::MAX >> 2_u32)
    }

    fn double(self) -> Self {
        Self(self.0 << 1_u32)
    }

    fn half(self) -> Self {
        Self(self.0 >> 1_u32)
    }
}
