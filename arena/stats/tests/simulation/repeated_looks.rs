//! Standings that somebody looks at while they grow.

use leyden_stats::{Holds, Ratings, TallyBuilder};

use super::{Dice, World};

/// Shares of tournaments in which something was wrong at some look.
#[derive(Debug, Default)]
pub(crate) struct Wrong {
    /// A given bot's rating interval, the mean over bots.
    pub(crate) given: f64,
    /// Any bot's rating interval.
    pub(crate) any: f64,
    /// Any place.
    pub(crate) place: f64,
    /// Mean half-width in Elo at the last look.
    pub(crate) width: f64,
}

/// Looks at `runs` tournaments after each block at first and after 5 % more later, from block `from` to block `to`.
pub(crate) fn looked_at(
    world: &World,
    (from, to): (u32, u32),
    holds: Holds,
    places: bool,
    runs: u32,
    seed: u64,
) -> Wrong {
    let mut dice = Dice::new(seed);
    let truth = world.truth(1_000_000);
    let bots = truth.len();
    let mut wrong = Wrong::default();
    let share = 1.0 / f64::from(runs);
    for _ in 0..runs {
        let mut tally = TallyBuilder::new(world.field());
        let (mut given, mut place, mut next) = (vec![false; bots], false, from);
        for block in 0..to {
            for result in world.block(block, &mut dice) {
                tally.push(result).expect("a result of this field");
            }
            if block + 1 < next {
                continue;
            }
            next = (next + 1).max(next + next / 20);
            let so_far = tally.clone().finish().expect("results of this field");
            let ratings = Ratings::fit(&so_far, holds).expect("fits");
            for ((bot, truth), given) in (0..).map(leyden_stats::Entrant).zip(&truth).zip(&mut given) {
                let half = ratings.half_width(bot).unwrap_or(f64::INFINITY);
                *given |= (ratings.elo(bot).get() - truth).abs() > half;
                wrong.width += if next > to { share * half / bots as f64 } else { 0.0 };
            }
            if places {
                let mut ranks = ratings.rank_intervals().into_iter().zip(&truth);
                place |= ranks.any(|(rank, own)| {
                    let above = truth.iter().filter(|other| **other > own + 1e-6).count() as u32;
                    let level = truth.iter().filter(|other| (**other - own).abs() <= 1e-6).count() as u32;
                    rank.best > above + 1 || rank.worst < above + level
                });
            }
        }
        wrong.given += share * given.iter().filter(|wrong| **wrong).count() as f64 / bots as f64;
        wrong.any += if given.contains(&true) { share } else { 0.0 };
        wrong.place += if place { share } else { 0.0 };
    }
    wrong
}
