//! Whole tables of ranks, how far apart neighbours must be, and whether ratings describe a field.

use leyden_stats::{Entrant, Fit, Holds, RankInterval, Ranking, Ratings};

use super::{Dice, World};

/// Shares of tables, and means over bots.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    /// With a wrong rank (one that leaves out a place the bot may hold, of which equal bots share several), if each bot's comparisons are corrected by themselves (Holm's method), and together.
    pub(crate) wrong: [f64; 2],
    /// Places that a bot may hold.
    pub(crate) places: [f64; 2],
    /// Places if all comparisons of the table were corrected by Holm's method.
    pub(crate) places_holm: f64,
}

/// Tournaments of `blocks` blocks.
pub(crate) fn tables(world: &World, blocks: u32, runs: u32, seed: u64) -> Tables {
    let mut dice = Dice::new(seed);
    let truth = world.truth(1_000_000);
    let bots = truth.len();
    let mut sum = Tables::default();
    let share = 1.0 / f64::from(runs);
    let is_wrong = |ranks: &[RankInterval]| {
        ranks.iter().zip(&truth).any(|(rank, own)| {
            let above = truth.iter().filter(|other| **other > own + 1e-6).count() as u32;
            let level = truth.iter().filter(|other| (**other - own).abs() <= 1e-6).count() as u32;
            rank.best > above + 1 || rank.worst < above + level
        })
    };
    let places = |ranks: &[RankInterval]| {
        ranks.iter().map(|rank| f64::from(rank.worst - rank.best + 1)).sum::<f64>() / bots as f64
    };
    for _ in 0..runs {
        let tally = world.play(blocks, &mut dice);
        let ratings = Ratings::fit(&tally, Holds::AtPlannedEnd).expect("fits");
        let each: Vec<RankInterval> = (0..bots).map(|bot| one_by_one(&ratings, bot)).collect();
        let together = ratings.rank_intervals();
        for (index, ranks) in [&each, &together].into_iter().enumerate() {
            sum.wrong[index] += if is_wrong(ranks) { share } else { 0.0 };
            sum.places[index] += share * places(ranks);
        }
        sum.places_holm += share * places(&holm(&ratings));
    }
    sum
}

/// The p-values of a bot against the others, ascending, and whether it is ahead.
fn against(ratings: &Ratings, bot: usize, others: impl Iterator<Item = usize>) -> Vec<(f64, bool, usize)> {
    let own = Entrant(bot as u32);
    let mut all: Vec<(f64, bool, usize)> = others
        .filter_map(|other| {
            let rival = Entrant(other as u32);
            Some((ratings.p_value(own, rival)?, ratings.elo(own) > ratings.elo(rival), other))
        })
        .collect();
    all.sort_by(|one, other| one.0.total_cmp(&other.0));
    all
}

fn one_by_one(ratings: &Ratings, bot: usize) -> RankInterval {
    let bots = ratings.bots();
    let mut rank = RankInterval { best: 1, worst: bots as u32 };
    for (step, (p, ahead, _)) in against(ratings, bot, 0..bots).into_iter().enumerate() {
        if p > 0.05 / (bots - 1 - step) as f64 {
            break;
        }
        if ahead { rank.worst -= 1 } else { rank.best += 1 }
    }
    rank
}

fn holm(ratings: &Ratings) -> Vec<RankInterval> {
    let bots = ratings.bots();
    let mut ranks = vec![RankInterval { best: 1, worst: bots as u32 }; bots];
    let mut all: Vec<(f64, bool, usize, usize)> = (0..bots)
        .flat_map(|bot| {
            against(ratings, bot, 0..bot).into_iter().map(move |(p, ahead, other)| (p, ahead, bot, other))
        })
        .collect();
    all.sort_by(|one, other| one.0.total_cmp(&other.0));
    let pairs = all.len();
    for (step, (p, ahead, bot, other)) in all.into_iter().enumerate() {
        if p > 0.05 / (pairs - step) as f64 {
            break;
        }
        let (above, below) = if ahead { (bot, other) } else { (other, bot) };
        ranks[above].worst -= 1;
        ranks[below].best += 1;
    }
    ranks
}

/// Of a ladder with these steps: how far apart neighbours are on the scale of ratings, which luck narrows, the mean forecast of how
/// far apart they must be, and the share that is told apart.
pub(crate) fn told_apart(bots: usize, step: f64, blocks: u32, runs: u32, seed: u64) -> [f64; 3] {
    let (world, mut dice) = (World::ladder(bots, step), Dice::new(seed));
    let (mut predicted, mut apart) = (0.0, 0.0);
    for _ in 0..runs {
        let tally = world.play(blocks, &mut dice);
        let ratings = Ratings::fit(&tally, Holds::AtPlannedEnd).expect("fits");
        let ranking = Ranking::from_tally(&tally, &ratings);
        let range = ranking.told_apart.expect("20 blocks or more");
        predicted += (range.low * range.high).sqrt() / f64::from(runs);
        let ranks = ratings.rank_intervals();
        let decided = ranks.windows(2).filter(|two| two[0].worst < two[1].worst && two[0].best < two[1].best);
        // Neighbours are told apart if the better one's places end above the other's.
        apart += decided.filter(|two| two[0].worst <= two[1].best).count() as f64
            / (bots - 1) as f64
            / f64::from(runs);
    }
    let truth = world.truth(1_000_000);
    [(truth[0] - truth[bots - 1]) / (bots - 1) as f64, predicted, apart]
}

/// Shares of fields that the test reports as not described by their ratings, at 5 % and 1 %, and the mean spread beyond
/// chance in Elo.
pub(crate) fn misfit(world: &World, blocks: u32, runs: u32, seed: u64) -> [f64; 3] {
    let mut dice = Dice::new(seed);
    let (mut rates, share) = ([0.0; 3], 1.0 / f64::from(runs));
    for _ in 0..runs {
        let tally = world.play(blocks, &mut dice);
        let ratings = Ratings::fit(&tally, Holds::AtPlannedEnd).expect("fits");
        let fit = Fit::from_tally(&tally, &ratings).expect("fits").expect("20 blocks or more");
        rates[0] += if fit.p_value < 0.05 { share } else { 0.0 };
        rates[1] += if fit.p_value < 0.01 { share } else { 0.0 };
        rates[2] += share * fit.astray_elo;
    }
    rates
}
