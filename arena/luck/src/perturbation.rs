//! Random errors in the values of plays, the same for a whole round: some plays look better than they are, others worse.

use leyden_protocol::{Action, Seat};
use leyden_rules::packed::lay_index;

use crate::dice::mix;

/// Numbers that are about normal, with mean 0 and standard deviation 1.
static NORMAL: [f32; ROOM] = {
    let mut all = [0.0; ROOM];
    let mut index = 0;
    while index < ROOM {
        let [.., a, b, c, d] = mix((index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)).to_le_bytes();
        let sum = a as u32 + b as u32 + c as u32 + d as u32;
        // Mean and standard deviation of the sum of four bytes.
        all[index] = (sum as f32 - 510.0) / 147.8;
        index += 1;
    }
    all
};

/// A power of two, well above the number of codes of actions.
const ROOM: usize = 4096;

/// The errors of all actions: where in [`NORMAL`] they begin, modulo its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Perturbation(pub(crate) u64);

impl Perturbation {
    /// What it adds to a seat's value of a lead or play, on any arm: about normal, with mean 0 and standard deviation 1.
    #[inline]
    pub(crate) fn of(self, seat: Seat, action: Action) -> f32 {
        match action {
            Action::Play(_, lay) => self.of_index(seat, lay_index(lay).into()),
            Action::Lead(double) => self.of_index(seat, 1 << 8 | double.pip().index() as u64),
            Action::Draw | Action::Pass | Action::Refuse => 0.0,
        }
    }

    /// The same by [`lay_index`]; leads come after all lays.
    #[inline]
    pub(crate) fn of_index(self, seat: Seat, index: u64) -> f32 {
        let code = index << 1 | seat.index() as u64;
        NORMAL[self.0.wrapping_add(code) as usize % ROOM]
    }
}

#[cfg(test)]
mod tests {
    use leyden_protocol::Seats;

    use super::*;

    #[test]
    fn errors_are_standardised_and_independent_of_one_another() {
        let all = || (0..ROOM as u64).map(Perturbation);
        let mean_of = |of: &dyn Fn(Perturbation) -> f32| {
            all().map(|each| f64::from(of(each))).sum::<f64>() / ROOM as f64
        };
        let first = |each: Perturbation| each.of_index(Seat::FIRST, 0);
        assert!(mean_of(&first).abs() < 0.05);
        assert!((mean_of(&|each| first(each).powi(2)) - 1.0).abs() < 0.05);
        let second = Seats::TWO.after(Seat::FIRST);
        // Indices of lays, then leads of up to 12-12.
        for index in 0..(1 << 8) + 13 {
            for (seat, index) in [(second, index), (Seat::FIRST, index + 1)] {
                let product = mean_of(&|each| first(each) * each.of_index(seat, index));
                // A standard error is 0.016.
                assert!(product.abs() < 0.07, "{seat:?} {index}: {product}");
            }
        }
    }
}
