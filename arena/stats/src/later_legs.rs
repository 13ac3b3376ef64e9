//! Whether a bot does better than chance allows in the legs of a pair that are played later: it may know the deal.

use std::collections::BTreeMap;

/// The share of tournaments in which chance alone may name a bot.
pub const NAMED_BELOW: f64 = 1e-3;

/// The number of fractions that are staked: 1/2, 1/4, … down to about a thousandth.
const STAKES: i32 = 10;

/// The results of one bot in the later legs of its pairs compared with the earlier ones.
///
/// Leg ℓ of a pair of k has weight 2ℓ − (k − 1), so for two legs it is the second minus the first. The *lean* x of a pair is
/// the weighted sum of the points of its legs, scaled to −1 (all points in the earlier half) to 1 (all in the later half).
///
/// All legs of a pair are one deal with the seats moved on, and no rule set prefers a seat: a bot that plays each leg without
/// knowing the others can expect the same from every leg, so the mean of x is 0, for bots of any strength and for every
/// deal. Pairs in which a match ended by a fault are left out, because a slow start may hit the first leg only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaterLegs {
    legs: u32,
    /// The number of pairs with each lean, unscaled.
    leans: BTreeMap<i64, u64>,
}

/// The report of a bot that does better in later legs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LaterLegsBias {
    /// Pairs without a fault.
    pub pairs: u64,
    /// The mean lean, −1..=1; with two legs the points by which the second is better than the first.
    pub mean: f64,
    /// An upper bound for the probability that chance alone ever makes any bot of the field look like this.
    pub chance: f64,
}

impl LaterLegs {
    /// Pairs have `legs` legs, at least two.
    pub const fn new(legs: u32) -> Self {
        Self { legs, leans: BTreeMap::new() }
    }

    /// Adds a pair: the bot's half points against all others at the table, leg by leg in playing order. Incomplete pairs are
    /// left out.
    pub fn count(&mut self, half_points: &[u32]) {
        if half_points.len() == self.legs as usize {
            let weighted =
                |(leg, points): (i64, &u32)| (2 * leg - i64::from(self.legs) + 1) * i64::from(*points);
            *self.leans.entry((0..).zip(half_points).map(weighted).sum()).or_default() += 1;
        }
    }

    /// The number of pairs counted.
    pub fn pairs(&self) -> u64 {
        self.leans.values().sum()
    }

    /// The largest lean: every point of the later half of the legs, none of the earlier one.
    fn most(&self) -> f64 {
        let legs = f64::from(self.legs);
        2.0 * (legs - 1.0) * (legs * legs / 4.0).floor()
    }

    /// ln of the wealth of a gambler who starts with 1 and bets that later legs are better: the mean over the stakes c of Π
    /// (1 + c·x).
    ///
    /// If the mean of x is 0, the wealth is a martingale, so the probability that it *ever* reaches w is at most 1/w (Ville):
    /// standings may be looked at as often as you like. The stakes are fixed, so it depends on the counts alone. Source:
    /// Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting", JRSS B 86 (2024), section 4;
    /// one-sided, at the mean 0.
    pub fn log_wealth(&self) -> f64 {
        let most = self.most();
        let logs = (1..=STAKES).map(|exponent| {
            let stake = libm::exp2(f64::from(-exponent));
            self.leans.iter().fold(0.0, |sum, (lean, pairs)| {
                sum + *pairs as f64 * libm::log1p(stake * (*lean as f64 / most).clamp(-1.0, 1.0))
            })
        });
        let logs: Vec<f64> = logs.collect();
        let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = logs.iter().map(|log| libm::exp(log - largest)).sum();
        largest + libm::log(sum / f64::from(STAKES))
    }

    /// The report, if the result is significant for one of `bots` bots (Bonferroni over the bots); otherwise `None`.
    pub fn bias(&self, bots: usize) -> Option<LaterLegsBias> {
        let chance = (bots as f64 * libm::exp(-self.log_wealth())).min(1.0);
        let pairs = self.pairs();
        let sum: f64 = self.leans.iter().map(|(lean, pairs)| *lean as f64 * *pairs as f64).sum();
        (chance < NAMED_BELOW).then(|| LaterLegsBias {
            pairs,
            mean: sum / self.most() / pairs as f64,
            chance,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(legs: u32, pairs: &[(&[u32], u32)]) -> LaterLegs {
        let mut later = LaterLegs::new(legs);
        for (half_points, times) in pairs {
            (0..*times).for_each(|_| later.count(half_points));
        }
        later
    }

    /// Worked out on paper: one pair of x = 1 gives the mean of 1 + 2^-1 … 1 + 2^-10, one of x = −1 the mean of 1 − 2^-1 …,
    /// and two pairs, one of each, the mean of the products.
    #[test]
    fn wealth_follows_its_formula() {
        let wealth = |pairs: &[(&[u32], u32)]| libm::exp(counted(2, pairs).log_wealth());
        let stakes = || (1..=10).map(|exponent| 0.5_f64.powi(exponent));
        let mean = |of: fn(f64) -> f64| stakes().map(of).sum::<f64>() / 10.0;
        for (pairs, expected) in [
            (&[][..], 1.0),
            (&[(&[0, 2][..], 1)], mean(|c| 1.0 + c)),
            (&[(&[2, 0][..], 1)], mean(|c| 1.0 - c)),
            (&[(&[1, 2][..], 1)], mean(|c| 1.0 + c / 2.0)),
            (&[(&[2, 2][..], 9), (&[1, 1], 9), (&[0, 0], 9)], 1.0),
            (&[(&[0, 2][..], 3), (&[2, 0], 1)], mean(|c| (1.0 + c).powi(3) * (1.0 - c))),
        ] {
            assert!((wealth(pairs) - expected).abs() < 1e-12, "{pairs:?}: {} {expected}", wealth(pairs));
        }
    }

    /// At a table of three a bot has 0 to 4 half points per leg; only the first and the last leg have weight.
    #[test]
    fn lean_reaches_one_at_tables_of_any_size() {
        for (legs, best) in [(2, 2), (3, 4), (4, 6), (8, 14)] {
            let split: Vec<u32> = (0..legs).map(|leg| if 2 * leg + 1 > legs { best } else { 0 }).collect();
            let all = counted(legs, &[(&split, 200)]);
            let bias = all.bias(2).expect("no chance");
            assert!((bias.mean - 1.0).abs() < 1e-12 && bias.pairs == 200, "{legs}: {bias:?}");
            let back: Vec<u32> = split.iter().map(|points| best - points).collect();
            assert_eq!(counted(legs, &[(&back, 200)]).bias(2), None);
        }
        assert!(counted(3, &[(&[0, 4, 0], 200)]).log_wealth().abs() < 1e-12);
    }

    #[test]
    fn lean_ignores_incomplete_pairs_and_corrects_for_bots() {
        let mut later = counted(2, &[(&[0, 2], 30)]);
        later.count(&[2]);
        later.count(&[]);
        assert_eq!(later.pairs(), 30);
        assert!(later.bias(2).is_some());
        assert_eq!(later.bias(1_000), None);
    }
}
