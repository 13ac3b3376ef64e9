//! Integers of many bits, so that criteria in their order fit one number: the first criterion in the highest bits.

use std::cmp::Ordering;
use std::ops::{Add, AddAssign, Sub, SubAssign};

use integer_blossom::Weight;

/// A signed integer of 64·N bits in two's complement, lowest word first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wide<const N: usize>([u64; N]);

impl<const N: usize> Wide<N> {
    /// How many bits a number may have so that the matching can double it and add it up.
    pub(super) const BITS: u32 = 64 * N as u32 - 8;

    /// Appends a digit of that many bits, at most 63, behind the lowest one.
    #[must_use]
    pub(super) fn then(mut self, digit: u64, bits: u32) -> Self {
        debug_assert!(bits < 64 && digit >> bits == 0);
        if bits > 0 {
            let mut carried = digit;
            for word in &mut self.0 {
                let over = *word >> (64 - bits);
                *word = *word << bits | carried;
                carried = over;
            }
        }
        self
    }
}

impl<const N: usize> Add for Wide<N> {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        let mut carry = false;
        for (word, other) in self.0.iter_mut().zip(other.0) {
            let (sum, over) = word.overflowing_add(other);
            let (sum, again) = sum.overflowing_add(u64::from(carry));
            (*word, carry) = (sum, over || again);
        }
        self
    }
}

impl<const N: usize> Sub for Wide<N> {
    type Output = Self;

    fn sub(mut self, other: Self) -> Self {
        let mut borrow = false;
        for (word, other) in self.0.iter_mut().zip(other.0) {
            let (rest, under) = word.overflowing_sub(other);
            let (rest, again) = rest.overflowing_sub(u64::from(borrow));
            (*word, borrow) = (rest, under || again);
        }
        self
    }
}

impl<const N: usize> AddAssign for Wide<N> {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<const N: usize> SubAssign for Wide<N> {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl<const N: usize> Ord for Wide<N> {
    fn cmp(&self, other: &Self) -> Ordering {
        let sign = |wide: &Self| wide.0[N - 1] as i64 >> 63;
        sign(self).cmp(&sign(other)).then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}

impl<const N: usize> PartialOrd for Wide<N> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<const N: usize> Weight for Wide<N> {
    const ZERO: Self = Self([0; N]);
    const ONE: Self = {
        let mut one = [0; N];
        one[0] = 1;
        Self(one)
    };

    fn inf() -> Self {
        let mut words = [u64::MAX; N];
        words[N - 1] = u64::MAX >> 3;
        Self(words)
    }

    fn double(self) -> Self {
        self + self
    }

    fn half(mut self) -> Self {
        let mut carried = self.0[N - 1] & 1 << 63;
        for word in self.0.iter_mut().rev() {
            let out = *word << 63;
            *word = *word >> 1 | carried;
            carried = out;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn wide(number: i128) -> Wide<2> {
        Wide([number as u64, (number >> 64) as u64])
    }

    proptest! {
        #[test]
        fn wide_numbers_calculate_as_others_do(a in any::<i128>(), b in any::<i128>()) {
            let (a, b) = (a / 8, b / 8);
            prop_assert_eq!(wide(a) + wide(b), wide(a + b));
            prop_assert_eq!(wide(a) - wide(b), wide(a - b));
            prop_assert_eq!(wide(a).cmp(&wide(b)), a.cmp(&b));
            prop_assert_eq!(wide(a).double(), wide(2 * a));
            prop_assert_eq!(wide(a).half(), wide(a >> 1));
        }

        #[test]
        fn digits_come_one_behind_the_other(first in 0_u64..1 << 40, bits in 0_u32..64, second in any::<u64>()) {
            let second = if bits == 0 { 0 } else { second >> (64 - bits) };
            let number = wide(first.into()).then(second, bits);
            prop_assert_eq!(number, wide(i128::from(first) << bits | i128::from(second)));
        }
    }
}
