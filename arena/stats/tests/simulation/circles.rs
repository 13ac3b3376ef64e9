//! Circles that are announced where there are none, and where there are.

use leyden_stats::{Entrant, Holds, Ranking, Ratings, TallyBuilder, cycles};

use super::{Dice, World};

/// The share of tournaments in which a circle is announced that has a step without a lead, and in which a true one is; after the
/// last block, and if somebody looks after each block at first and after a tenth more later.
#[derive(Debug, Default)]
pub(crate) struct Circles {
    pub(crate) wrong: f64,
    pub(crate) right: f64,
    pub(crate) ever_wrong: f64,
}

pub(crate) fn circles(world: &World, blocks: u32, looks: bool, runs: u32, seed: u64) -> Circles {
    let mut dice = Dice::new(seed);
    let mut sum = Circles::default();
    let share = 1.0 / f64::from(runs);
    let leads = |circle: &[Entrant]| {
        let next = circle.iter().cycle().skip(1);
        circle.iter().zip(next).all(|(one, other)| world.leads[one.0 as usize][other.0 as usize] > 0.0)
    };
    for _ in 0..runs {
        let (mut tally, mut look, mut ever) = (TallyBuilder::new(world.field()), 2, false);
        for block in 0..blocks {
            for result in world.block(block, &mut dice) {
                tally.push(result).expect("a result of this field");
            }
            if looks && block + 1 >= look {
                look = (look + 1).max(look + look / 10);
                let so_far = tally.clone().finish().expect("results of this field");
                let order: Vec<Entrant> = (0..world.bots() as u32).map(Entrant).collect();
                let found = cycles(&so_far, &order, Holds::AtAnyTime);
                ever |= found.iter().any(|cycle| !leads(&cycle.circle));
            }
        }
        let tally = tally.finish().expect("results of this field");
        let ratings = Ratings::fit(&tally, Holds::AtPlannedEnd).expect("fits");
        let found = Ranking::from_tally(&tally, &ratings).cycles;
        let is = |right: bool| found.iter().any(|cycle| leads(&cycle.circle) == right);
        sum.wrong += if is(false) { share } else { 0.0 };
        sum.right += if is(true) { share } else { 0.0 };
        sum.ever_wrong += if ever { share } else { 0.0 };
    }
    sum
}
