//! What a few pairs show: of a bot that faults, of versions that seldom differ, and of another time.

use leyden_stats::{
    BlocksRange, Holds, MatchEstimate, PairLuck, PairingTally, Pentanomial, Repeat, adjust,
    half_width_of_mean,
};

use super::Dice;
use super::pairs::Pairs;

/// How often ± of scores without luck hold, as they were and as they are, and how wide these are.
#[derive(Debug, Default)]
pub(crate) struct HoldRates {
    pub(crate) before: f64,
    pub(crate) now: f64,
    /// Mean half-widths, 0..=1.
    pub(crate) widths: [f64; 2],
}

/// Means over `pairs` pairs without luck, of a bot that plays like its opponent, so that the deal decides, except that it loses
/// this share of its matches by faults. Luck explains what was played, and not the fault.
pub(crate) fn faulting(faults: f64, pairs: u32, runs: u32, seed: u64) -> HoldRates {
    let mut dice = Dice::new(seed);
    let (truth, share) = ((1.0 - faults) / 2.0, 1.0 / f64::from(runs));
    let mut held = HoldRates::default();
    for _ in 0..runs {
        let played: Vec<PairLuck> = (0..pairs).map(|block| faulting_pair(block, faults, &mut dice)).collect();
        let estimate = adjust(&played).expect("two pairs or more");
        let mean = leyden_stats::without_luck(&played).iter().map(|(_, score)| score).sum::<f64>()
            / f64::from(pairs);
        let squares: f64 =
            leyden_stats::without_luck(&played).iter().map(|(_, score)| (score - mean).powi(2)).sum();
        let plain = (squares / f64::from(pairs * (pairs - 1))).sqrt();
        let [now, before] = [estimate.adjusted_se, plain].map(|se| {
            half_width_of_mean(se, estimate.pairs, Holds::AtPlannedEnd).expect("two pairs or more")
        });
        let is_held = |half: f64| if (estimate.adjusted - truth).abs() <= half { share } else { 0.0 };
        held.before += is_held(before);
        held.now += is_held(now);
        held.widths[0] += share * before;
        held.widths[1] += share * now;
    }
    held
}

fn faulting_pair(block: u32, faults: f64, dice: &mut Dice) -> PairLuck {
    let (mut score, mut luck) = (0.0, 0.0);
    let deal = dice.normal();
    for lead in [deal, -deal] {
        let is_won = lead + 0.1 * dice.normal() > 0.0;
        let (won, seen) =
            if dice.uniform() < faults { (0.0, dice.uniform()) } else { (f64::from(u8::from(is_won)), 1.0) };
        score += won / 2.0;
        luck += seen * 0.5 * (lead * 1.5).tanh() / 2.0;
    }
    PairLuck { block, score, luck: std::array::from_fn(|_| luck + 0.03 * dice.normal()) }
}

/// How often ± of normalised Elo hold, and how often there is one.
#[derive(Debug, Default)]
pub(crate) struct Normalised {
    /// Of all that have a spread.
    pub(crate) before: f64,
    /// Of those that are reported.
    pub(crate) now: f64,
    pub(crate) reported: u32,
}

/// Estimates from this many pairs.
pub(crate) fn normalised(chances: Pairs, pairs: u32, runs: u32, seed: u64) -> Normalised {
    let mut dice = Dice::new(seed);
    let truth = chances.normalised_elo();
    let (mut before, mut known, mut now, mut reported) = (0, 0, 0, 0);
    for _ in 0..runs {
        let tally = played(chances, pairs, &mut dice);
        let counts: Pentanomial = tally.pentanomial().expect("two seats");
        if let (Some(elo), Some(half)) = (counts.normalised_elo(), counts.normalised_elo_error95()) {
            known += 1;
            before += u32::from((elo.get() - truth).abs() <= half);
        }
        let estimate = MatchEstimate::from_tally(&tally, Holds::AtPlannedEnd).expect("pairs were played");
        if let (Some(elo), Some(half)) = (estimate.normalised_elo, estimate.normalised_elo_error95) {
            reported += 1;
            now += u32::from((elo.get() - truth).abs() <= half);
        }
    }
    let share = |part: u32, of: u32| f64::from(part) / f64::from(of.max(1));
    Normalised { before: share(before, known), now: share(now, reported), reported }
}

fn played(chances: Pairs, pairs: u32, dice: &mut Dice) -> PairingTally {
    let mut tally = PairingTally::new(2);
    for _ in 0..pairs {
        tally.record(chances.draw(dice), leyden_stats::Margin::default()).expect("two matches");
    }
    tally
}

/// How often another score of as many pairs lies in the interval of the mean, and in the one for another time; and the mean error
/// of the probability with which it is promised to be lower by 0.02.
pub(crate) fn again(chances: Pairs, pairs: u32, runs: u32, seed: u64) -> [f64; 3] {
    let mut dice = Dice::new(seed);
    let mut held = [0.0; 3];
    let share = 1.0 / f64::from(runs);
    for _ in 0..runs {
        let [one, other] = [0, 1].map(|_| played(chances, pairs, &mut dice));
        let estimate = MatchEstimate::from_tally(&one, Holds::AtPlannedEnd).expect("pairs were played");
        let repeat = Repeat::from_tally(&one).expect("two pairs or more");
        let score = other.score().expect("pairs were played");
        let inside = |is: bool| if is { share } else { 0.0 };
        held[0] += inside(estimate.score_interval.is_some_and(|interval| interval.contains(score)));
        held[1] += inside(repeat.interval().contains(score));
        // Halfway between two scores that are possible.
        let step = 1.0 / f64::from(2 * pairs);
        let lower = repeat.score() - ((0.02 / step).floor() + 0.5) * step;
        held[2] += inside(score <= lower) - share * repeat.at_most(lower);
    }
    held
}

/// How often the number of blocks that a bar of ±10 takes lies in its forecast after this many pairs, and the mean ends of it.
pub(crate) fn predicted(chances: Pairs, pairs: u32, runs: u32, seed: u64) -> (f64, [f64; 2], f64) {
    let mut dice = Dice::new(seed);
    let score = chances.score();
    let slope = 400.0 / std::f64::consts::LN_10 / (score * (1.0 - score));
    let needed = (1.96 * slope / 10.0).powi(2) * chances.variance();
    let (mut held, mut ends, mut given) = (0, [0.0; 2], 0);
    for _ in 0..runs {
        let tally = played(chances, pairs, &mut dice);
        let estimate = MatchEstimate::from_tally(&tally, Holds::AtPlannedEnd).expect("pairs were played");
        let Some(BlocksRange { low, high }) = estimate.blocks_for_ten_elo else { continue };
        given += 1;
        held += u32::from(low as f64 <= needed && needed <= high as f64);
        ends = [ends[0] + low as f64, ends[1] + high as f64];
    }
    let given = f64::from(given.max(1));
    (f64::from(held) / given, ends.map(|end| end / given), needed)
}
