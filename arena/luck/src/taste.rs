//! Liking some plays more than they are worth, and others less: the same in a whole round.

use leyden_protocol::{Action, Seat};

use crate::dice::mixed;
use crate::weighed::place_of;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Taste(pub(crate) u64);

impl Taste {
    /// How much a seat likes a lead or play wherever it goes: about normal, with mean 0 and standard deviation 1.
    #[inline]
    pub(crate) fn of(self, seat: Seat, action: Action) -> f32 {
        match action {
            Action::Play(_, lay) => self.of_place(seat, place_of(lay).into()),
            Action::Lead(double) => self.of_place(seat, 1 << 8 | double.pip().index() as u64),
            Action::Draw | Action::Pass | Action::Refuse => 0.0,
        }
    }

    /// The same by the place of a way to lie; leads follow them.
    #[inline]
    pub(crate) fn of_place(self, seat: Seat, place: u64) -> f32 {
        let code = place << 1 | seat.index() as u64;
        let bits = mixed(self.0 ^ (code + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let sum: u32 = bits.to_le_bytes()[4..].iter().map(|byte| u32::from(*byte)).sum();
        // The mean and the standard deviation of the sum of four bytes.
        (sum as f32 - 510.0) / 147.8
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use leyden_protocol::{Double, Pip};

    #[test]
    fn tastes_are_spread_as_they_should_and_no_two_seats_share_one() {
        let lead = Action::Lead(Double::new(Pip::BLANK));
        let second = leyden_protocol::Seats::TWO.after(Seat::FIRST);
        let of = |seat| (0..20_000).map(move |key| f64::from(Taste(key).of(seat, lead)));
        let mean = of(Seat::FIRST).sum::<f64>() / 20_000.0;
        let square = of(Seat::FIRST).map(|taste| taste * taste).sum::<f64>() / 20_000.0;
        let product = of(Seat::FIRST).zip(of(second)).map(|(one, other)| one * other).sum::<f64>() / 20_000.0;
        assert!(
            mean.abs() < 0.03 && (square - 1.0).abs() < 0.05 && product.abs() < 0.03,
            "{mean} {square} {product}"
        );
    }
}
