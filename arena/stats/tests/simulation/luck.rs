//! Fields whose luck is partly known: how good ratings without it are.

use leyden_stats::{Entrant, Holds, PairLuck, PairingLuck, Ratings, Score};

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
    let (bots, truth) = (world.bots(), world.truth(blocks));
    let expected: Vec<Vec<f64>> =
        (0..bots).map(|one| (0..bots).map(|other| world.expected_score(one, other)).collect()).collect();
    let mut told = WithoutLuck { ratings: vec![0.0; bots], half_widths: vec![0.0; bots], unsettled: 0.0 };
    let share = 1.0 / f64::from(boards);
    for _ in 0..boards {
        let mut pairings = Vec::new();
        for (one, other) in (0..bots).flat_map(|other| (0..other).map(move |one| (one, other))) {
            let mut pair = |block| {
                let score: Score = dice.pair(world.leads[one][other], world.luck, world.draws);
                let score = f64::from(score.half_points()) / 4.0;
                let luck = seen * (score - expected[one][other]);
                PairLuck { block, score, lucks: std::array::from_fn(|_| luck + noise * dice.normal()) }
            };
            let pairs = (0..blocks).map(&mut pair).collect();
            pairings.push(PairingLuck { first: Entrant(one as u32), second: Entrant(other as u32), pairs });
        }
        let Ok(Some(ratings)) = Ratings::without_luck(bots, &pairings, Holds::AtPlannedEnd) else {
            told.unsettled += share;
            continue;
        };
        for (bot, truth) in truth.iter().enumerate() {
            let entrant = Entrant(bot as u32);
            let half = ratings.half_width(entrant).expect("two blocks or more");
            told.half_widths[bot] += share * half;
            let holds = (ratings.elo(entrant).get() - truth).abs() <= half;
            told.ratings[bot] += if holds { share } else { 0.0 };
        }
    }
    told
}
