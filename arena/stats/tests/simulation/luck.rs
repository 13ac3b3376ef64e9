//! Fields whose luck is partly known: how good ratings without it are.

use leyden_stats::{
    AdjustedScore, Entrant, Holds, PairLuck, PairingLuck, Ratings, Score, adjust, half_width_of_mean,
};

use super::{Dice, World};

/// How often 95 % intervals of ratings without luck hold the truth, and how wide they are.
pub(crate) struct WithoutLuck {
    /// Bot by bot.
    pub(crate) ratings: Vec<f64>,
    pub(crate) half_widths: Vec<f64>,
    /// The share of fields whose ratings did not converge.
    pub(crate) unsettled: f64,
}

/// Plays `boards` tournaments of `blocks` blocks. A pair's luck is `seen` times (its score − the bots' mean score), plus
/// noise with this standard deviation for each baseline.
pub(crate) fn without_luck(
    world: &World,
    blocks: u32,
    boards: u32,
    (seen, noise): (f64, f64),
    dice: &mut Dice,
) -> WithoutLuck {
    let (bots, truth, expected) = (world.bots(), world.truth(blocks), expected(world));
    let mut rates = WithoutLuck { ratings: vec![0.0; bots], half_widths: vec![0.0; bots], unsettled: 0.0 };
    let share = 1.0 / f64::from(boards);
    for _ in 0..boards {
        let pairings = played(world, &expected, blocks, (seen, noise), dice);
        let Ok(Some(ratings)) = Ratings::without_luck(bots, &pairings, Holds::AtPlannedEnd) else {
            rates.unsettled += share;
            continue;
        };
        for (bot, truth) in truth.iter().enumerate() {
            let entrant = Entrant(bot as u32);
            let half = ratings.half_width(entrant).expect("two blocks or more");
            rates.half_widths[bot] += share * half;
            let holds = (ratings.elo(entrant).get() - truth).abs() <= half;
            rates.ratings[bot] += if holds { share } else { 0.0 };
        }
    }
    rates
}

pub(super) fn expected(world: &World) -> Vec<Vec<f64>> {
    let bots = world.bots();
    (0..bots).map(|one| (0..bots).map(|other| world.expected_score(one, other)).collect()).collect()
}

/// The pairs of a tournament with their luck.
pub(super) fn played(
    world: &World,
    expected: &[Vec<f64>],
    blocks: u32,
    (seen, noise): (f64, f64),
    dice: &mut Dice,
) -> Vec<PairingLuck> {
    let mut pairings = Vec::new();
    for (one, other) in (0..world.bots()).flat_map(|other| (0..other).map(move |one| (one, other))) {
        let mut pair = |block| {
            let score: Score = dice.pair(world.leads[one][other], world.luck, world.draws);
            let score = f64::from(score.half_points()) / 4.0;
            let luck = seen * (score - expected[one][other]);
            PairLuck { block, score, luck: std::array::from_fn(|_| luck + noise * dice.normal()) }
        };
        let pairs = (0..blocks).map(&mut pair).collect();
        pairings.push(PairingLuck { first: Entrant(one as u32), second: Entrant(other as u32), pairs });
    }
    pairings
}

/// Shares of tournaments in which something without luck was wrong at some look.
#[derive(Debug, Default)]
pub(crate) struct WrongWithoutLuck {
    /// A given bot's rating, and any bot's.
    pub(crate) rating: f64,
    pub(crate) any: f64,
    /// The score of a given pairing.
    pub(crate) score: f64,
    /// Mean half-width of ratings at the last look, in Elo.
    pub(crate) width: f64,
}

/// Looks at `runs` tournaments without luck after each block at first and after a tenth more later, from 10 blocks to `to`.
pub(crate) fn looked_at_without_luck(
    world: &World,
    to: u32,
    known: (f64, f64),
    holds: Holds,
    runs: u32,
    seed: u64,
) -> WrongWithoutLuck {
    let (mut dice, truth, expected) = (Dice::new(seed), world.truth(1_000_000), expected(world));
    let bots = world.bots();
    let mut sum = WrongWithoutLuck::default();
    let share = 1.0 / f64::from(runs);
    for _ in 0..runs {
        let pairings = played(world, &expected, to, known, &mut dice);
        let (mut wrong, mut wrong_score, mut look) = (vec![false; bots], vec![false; pairings.len()], 10);
        while look <= to {
            let so_far: Vec<PairingLuck> = pairings
                .iter()
                .map(|pairing| PairingLuck { pairs: pairing.pairs[..look as usize].to_vec(), ..*pairing })
                .collect();
            if let Ok(Some(ratings)) = Ratings::without_luck(bots, &so_far, holds) {
                for ((bot, truth), wrong) in (0..).map(Entrant).zip(&truth).zip(&mut wrong) {
                    let half = ratings.half_width(bot).unwrap_or(f64::INFINITY);
                    *wrong |= (ratings.elo(bot).get() - truth).abs() > half;
                    sum.width += if look == to { share * half / bots as f64 } else { 0.0 };
                }
            }
            for (pairing, wrong) in so_far.iter().zip(&mut wrong_score) {
                let rates = adjust(&pairing.pairs).expect("two pairs or more");
                let half = half_width_of_mean(rates.adjusted_se, rates.pairs, holds).unwrap_or(f64::INFINITY);
                let truth = expected[pairing.first.0 as usize][pairing.second.0 as usize];
                *wrong |= (rates.adjusted - truth).abs() > half;
            }
            look = if look == to { to + 1 } else { (look + 1).max(look + look / 10).min(to) };
        }
        let mean = |wrong: &[bool]| wrong.iter().filter(|wrong| **wrong).count() as f64 / wrong.len() as f64;
        sum.rating += share * mean(&wrong);
        sum.any += if wrong.contains(&true) { share } else { 0.0 };
        sum.score += share * mean(&wrong_score);
    }
    sum
}

/// How often the interval of the variance ratio after this many pairs holds the ratio of the variances of the two means, and the mean
/// ends of what that is worth.
pub(crate) fn worth(known: (f64, f64), pairs: u32, runs: u32, seed: u64) -> (f64, [f64; 2], f64) {
    let (mut dice, world) = (Dice::new(seed), World::ladder(2, 0.0));
    let expected = expected(&world);
    let all: Vec<AdjustedScore> = (0..runs)
        .map(|_| {
            let pairs = &played(&world, &expected, pairs, known, &mut dice)[0].pairs;
            adjust(pairs).expect("two pairs or more")
        })
        .collect();
    let square =
        |of: fn(&AdjustedScore) -> f64| all.iter().map(|rates| (of(rates) - 0.5).powi(2)).sum::<f64>();
    let truth = square(|rates| rates.adjusted) / square(|rates| rates.raw);
    let (mut held, mut ends, share) = (0.0, [0.0; 2], 1.0 / f64::from(runs));
    for rates in &all {
        let interval = rates.ratio_interval(Holds::AtPlannedEnd).expect("20 pairs or more");
        held += if interval.contains(truth) { share } else { 0.0 };
        ends = [ends[0] + share / interval.high, ends[1] + share / interval.low];
    }
    (held, ends, 1.0 / truth)
}
