//! Which pairs are timed, and in which order: every bot soon, then every table, then over again.

use std::collections::BTreeSet;

use crate::run::Plan;
use leyden_format::{Done, Schedule, ScheduleError};

/// The minimum number of pairs in a batch.
const FEWEST: usize = 8;

/// The maximum number of pairs beyond those needed to see every bot.
const MOST: usize = 4_096;

/// One bit is kept for each match of each batch's tables, played or not. This limits their number as much as possible.
const MOST_BITS: u64 = 1 << 30;

/// Pairs to be timed, in batches that are played one after the other. The pairs of a batch are spread over the plan's tables.
#[derive(Debug)]
pub(super) struct Sample {
    /// Its blocks are the batches.
    pub(super) schedule: Schedule,
    /// The part of the schedule that is not in the sample.
    pub(super) done: Done,
    /// How many pairs each batch has.
    pub(super) batches: Vec<usize>,
}

impl Sample {
    /// Samples a plan, with at most as many pairs as the plan itself. Each bot is soon seen in `pairs_of_each` pairs, if it
    /// has that many tables.
    pub(super) fn from_plan(plan: &Plan, pairs_of_each: u32) -> Result<Self, ScheduleError> {
        let planned = plan.schedule()?;
        let (tables, legs) = (planned.tables(), u64::from(planned.legs()));
        let mut order = tables_for_each_bot(&planned, pairs_of_each);
        let mut left = order.len() + MOST;
        let first: BTreeSet<u64> = order.iter().copied().collect();
        order.extend(spread(tables).filter(|table| !first.contains(table)).take(left - order.len()));
        // Every slot should have something to do while the last pairs of a batch are played.
        let most_batches = (MOST_BITS / planned.matches_per_block().max(1)).max(1);
        let size = FEWEST.max(2 * plan.jobs).max((order.len() as u64).div_ceil(most_batches) as usize);
        let mut batches: Vec<Vec<u64>> = Vec::new();
        for _ in 0..plan.blocks {
            left -= order.len();
            batches.extend(order.chunks(size).map(<[u64]>::to_vec));
            order = spread(tables).take(left).collect();
            if order.is_empty() {
                break;
            }
        }
        let blocks = u32::try_from(batches.len()).unwrap_or(u32::MAX);
        let schedule = Schedule::new(plan.format.clone(), plan.bots.len(), plan.settings.seats, blocks)?;
        let pairs = batches
            .iter()
            .zip(0_u64..)
            .flat_map(|(batch, block)| batch.iter().map(move |table| block * tables + table));
        let ranks = pairs.flat_map(|pair| pair * legs..(pair + 1) * legs);
        let done = Done::all_but(&schedule, ranks);
        Ok(Self { schedule, done, batches: batches.iter().map(Vec::len).collect() })
    }
}

/// The ranks of a few tables at which each bot sits at least `of_each` times, or at all of its tables if it has fewer.
fn tables_for_each_bot(schedule: &Schedule, of_each: u32) -> Vec<u64> {
    let (legs, mut seen) = (u64::from(schedule.legs()), vec![0; schedule.bots()]);
    let mut short = schedule.bots();
    let mut chosen = Vec::new();
    for rank in spread(schedule.tables()) {
        if short == 0 {
            break;
        }
        let Some(key) = schedule.nth(rank * legs) else { break };
        if key.table.bots().iter().any(|bot| seen[bot.index()] < of_each) {
            chosen.push(rank);
            for bot in key.table.bots() {
                seen[bot.index()] += 1;
                short -= usize::from(seen[bot.index()] == of_each);
            }
        }
    }
    chosen
}

/// The numbers below `count`, each once, in an order in which every prefix is spread evenly over them: steps of the golden
/// section.
fn spread(count: u64) -> impl Iterator<Item = u64> {
    let golden = ((count as f64 * 0.618_034) as u64).max(1);
    let step = (golden..=count).find(|step| common_divisor(*step, count) <= 1).unwrap_or(1);
    (0..count).map(move |nth| (u128::from(nth) * u128::from(step) % u128::from(count)) as u64)
}

fn common_divisor(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { common_divisor(other, one % other) }
}

#[cfg(test)]
mod tests {
    use leyden_model::{BotIndex, MatchKey};

    use super::*;
    use crate::run::dispatcher::tests::plan;
    use leyden_format::Format;

    fn keys(sample: &Sample) -> Vec<MatchKey> {
        sample.done.missing().map(|rank| sample.schedule.nth(rank).unwrap()).collect()
    }

    /// How many of these pairs each bot plays.
    fn seen(keys: &[MatchKey], bots: usize) -> Vec<usize> {
        let mut seen = vec![0; bots];
        for key in keys.iter().filter(|key| key.leg == 0) {
            key.table.bots().iter().for_each(|bot| seen[bot.index()] += 1);
        }
        seen
    }

    #[test]
    fn each_number_comes_once_and_early_ones_lie_apart() {
        for count in [0, 1, 2, 3, 36, 100, 4_950] {
            let mut all: Vec<u64> = spread(count).collect();
            all.sort_unstable();
            assert_eq!(all, (0..count).collect::<Vec<_>>());
        }
        let mut first: Vec<u64> = spread(1_000).take(10).collect();
        first.sort_unstable();
        assert!(first.windows(2).all(|two| (30..=200).contains(&(two[1] - two[0]))), "{first:?}");
    }

    #[test]
    fn every_bot_comes_soon_and_then_every_table_once() {
        for (bots, tables) in [(9, 36), (40, 780)] {
            let many = Plan { blocks: 30, ..plan(bots, 2, Format::RoundRobin) };
            let soon = tables_for_each_bot(&many.schedule().unwrap(), 2).len();
            assert!((bots..2 * bots).contains(&soon), "{soon}");
            let sample = Sample::from_plan(&many, 2).unwrap();
            let keys = keys(&sample);
            assert!(seen(&keys[..2 * soon.next_multiple_of(FEWEST)], bots).iter().all(|pairs| *pairs >= 2));
            assert!(keys.chunks(2).all(|legs| legs[0].pair() == legs[1].pair()));
            let first: BTreeSet<_> = keys[..2 * tables].iter().map(|key| key.table).collect();
            assert_eq!(first.len(), tables, "none repeats before all have been seen");
            assert_eq!(sample.batches.iter().sum::<usize>() * 2, keys.len());
        }
    }

    #[test]
    fn a_sample_is_no_longer_than_its_plan() {
        for (bots, blocks, matches) in [(2, 5, 10), (2, 1, 2), (9, 2, 144)] {
            let whole = Plan { blocks, ..plan(bots, 1, Format::RoundRobin) };
            assert_eq!(keys(&Sample::from_plan(&whole, 2).unwrap()).len(), matches);
        }
        let long = Plan { blocks: u32::MAX, ..plan(2, 1, Format::RoundRobin) };
        assert_eq!(keys(&Sample::from_plan(&long, 2).unwrap()).len(), 2 * (MOST + 1));
    }

    #[test]
    fn who_has_one_table_is_seen_there_again() {
        let gauntlet = Format::Gauntlet { challengers: vec![BotIndex(3)] };
        let gauntlet = Plan { blocks: 10, ..plan(20, 1, gauntlet) };
        let keys = keys(&Sample::from_plan(&gauntlet, 2).unwrap());
        assert_eq!(seen(&keys[..2 * 2 * 19], 20).iter().min(), Some(&2));
    }
}
