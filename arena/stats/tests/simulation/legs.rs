//! Legs of pairs drawn from known probabilities: bots that play each leg by itself, and one that knows the deal in the
//! second.

use leyden_stats::LaterLegs;

use super::{Dice, sigmoid};

/// The probability that the first bot wins: its lead, the luck of a deal, and its gain in the second leg.
#[derive(Clone, Copy)]
pub(crate) struct LegModel {
    pub(crate) lead: f64,
    pub(crate) luck: f64,
    pub(crate) gain: f64,
}

impl LegModel {
    /// The half points of the first bot in the legs of one pair.
    fn pair(self, dice: &mut Dice) -> [u32; 2] {
        let deal = self.luck * dice.normal();
        [self.lead + deal, self.lead - deal + self.gain].map(|lead| match dice.uniform() {
            at if at < 0.02 => 1,
            _ => 2 * u32::from(dice.uniform() < sigmoid(lead)),
        })
    }

    /// The share of tournaments in which the wealth ever reached 1/`level`, checked after each of `pairs` pairs.
    pub(crate) fn ever_named(self, tournaments: u32, pairs: u32, level: f64) -> f64 {
        let mut dice = Dice::new(0x1e95);
        let mut named = 0;
        for _ in 0..tournaments {
            let mut later = LaterLegs::new(2);
            named += u32::from((0..pairs).any(|_| {
                later.count(&self.pair(&mut dice));
                later.log_wealth() >= -level.ln()
            }));
        }
        f64::from(named) / f64::from(tournaments)
    }
}
