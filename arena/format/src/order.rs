//! The order in which the tables of a block are played, so that no bot is far ahead of the others.

use leyden_model::{BotIndex, Table};

/// The pair at a position of a round-robin of two seats, by the circle method: after each round every bot has played once
/// more, apart from the one that rests if their number is odd.
pub(super) fn circle(bots: u32, position: u64) -> Option<Table> {
    let circle = u64::from(bots - 1 + bots % 2); // one bot stays in the middle, or nobody
    let pairs = u64::from(bots / 2);
    // From the last round to the first, so that three bots play in lexicographic order.
    let round = (circle - 1).checked_sub(position / pairs)?;
    let pair = position % pairs;
    let (one, other) = if bots.is_multiple_of(2) && pair == 0 {
        (circle, round)
    } else {
        let pair = pair + u64::from(bots % 2);
        ((round + pair) % circle, (round + circle - pair) % circle)
    };
    let [low, high] = [one.min(other), one.max(other)].map(|bot| BotIndex(bot as u32));
    Table::new(&[low, high])
}

/// The rank of a position among `count` tables in lexicographic order: in steps of about 0.618 of them, which come to all
/// tables, and to those of any range about equally often.
pub(super) fn stride(count: u64, position: u64) -> u64 {
    let golden = (u128::from(count) * 618_033_988_749 / 1_000_000_000_000) as u64;
    let step = (golden.max(1)..=count).find(|&step| is_coprime(step, count)).unwrap_or(1);
    (u128::from(position) * u128::from(step) % u128::from(count.max(1))) as u64
}

fn is_coprime(mut one: u64, mut other: u64) -> bool {
    while other > 0 {
        (one, other) = (other, one % other);
    }
    one == 1
}

/// Round-robins of several groups side by side, in the order of play.
pub(super) fn groups(groups: &[Vec<BotIndex>]) -> Vec<Table> {
    let mut all: Vec<(u64, usize, Table)> = Vec::new();
    for (number, group) in groups.iter().enumerate() {
        let bots = group.len() as u32;
        let pairs = u64::from(bots) * u64::from(bots.saturating_sub(1)) / 2;
        for position in 0..pairs {
            let Some(table) = circle(bots, position) else { continue };
            let mut bots: Vec<BotIndex> = table.bots().iter().map(|index| group[index.index()]).collect();
            bots.sort_unstable();
            all.extend(
                Table::new(&bots).map(|table| (position / u64::from(group.len() as u32 / 2), number, table)),
            );
        }
    }
    all.sort_by_key(|&(round, number, _)| (round, number));
    all.into_iter().map(|(_, _, table)| table).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// By how many tables a bot is ahead of another at any moment, at most.
    fn lead(bots: u32, tables: impl Iterator<Item = Table>) -> u64 {
        let mut played = vec![0_u64; bots as usize];
        let leads = tables.map(|table| {
            table.bots().iter().for_each(|bot| played[bot.index()] += 1);
            played.iter().max().unwrap() - played.iter().min().unwrap()
        });
        leads.max().unwrap()
    }

    #[test]
    fn round_robin_lead_never_exceeds_two() {
        for bots in 2..60 {
            let pairs = u64::from(bots * (bots - 1) / 2);
            let all: Vec<Table> = (0..pairs).map(|position| circle(bots, position).unwrap()).collect();
            assert_eq!(all.iter().collect::<BTreeSet<_>>().len() as u64, pairs);
            assert!(lead(bots, all.into_iter()) <= 1 + u64::from(bots % 2), "{bots}");
        }
    }

    #[test]
    fn stride_comes_to_every_rank() {
        for count in 1..200 {
            let ranks: BTreeSet<u64> = (0..count).map(|position| stride(count, position)).collect();
            assert_eq!(ranks.len() as u64, count);
            assert!(ranks.last().unwrap() < &count);
        }
    }

    #[test]
    fn groups_are_played_side_by_side() {
        let bots = |bots: [u32; 3]| bots.map(BotIndex).to_vec();
        let tables = groups(&[bots([5, 0, 3]), bots([1, 2, 4]), vec![BotIndex(6), BotIndex(7)]]);
        assert_eq!(tables.len(), 7);
        assert!(lead(8, tables.into_iter()) <= 3, "two bots play once, three play twice");
    }
}
