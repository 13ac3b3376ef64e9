//! Random errors in the values of plays, the same for a whole round: some plays look better than they are, others worse.

use leyden_protocol::{Action, Seat};
use leyden_rules::packed::lay_index;

use crate::dice::mix;

/// Numbers that are about normal, with mean 0 and standard deviation 1.
static NORMAL: [f32; ROOM] = {
    let mut all = [0.0; ROOM];
    let mut place = 0;
    while place < ROOM {
        let [.., a, b, c, d] = mix((place as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)).to_le_bytes();
        let sum = a as u32 + b as u32 + c as u32 + d as u32;
        // Mean and standard deviation of the sum of four bytes.
        all[place] = (sum as f32 - 510.0) / 147.8;
        place += 1;
    }
    all
};

/// A power of two, well above the number of codes of actions.
const ROOM: usize = 4096;

/// By its place among [`NORMAL`] from which the errors of all actions are taken.
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
    use super::*;
    use leyden_protocol::{Double, Pip};

    #[test]
    fn perturbations_are_standardised_and_independent_between_seats() {
        let lead = Action::Lead(Double::new(Pip::BLANK));
        let second = leyden_protocol::Seats::TWO.after(Seat::FIRST);
        let of = |seat| (0..20_000).map(move |key| f64::from(Perturbation(key).of(seat, lead)));
        let mean = of(Seat::FIRST).sum::<f64>() / 20_000.0;
        let square = of(Seat::FIRST).map(|x| x * x).sum::<f64>() / 20_000.0;
        let product = of(Seat::FIRST).zip(of(second)).map(|(one, other)| one * other).sum::<f64>() / 20_000.0;
        assert!(
            mean.abs() < 0.03 && (square - 1.0).abs() < 0.05 && product.abs() < 0.03,
            "{mean} {square} {product}"
        );
    }
}
