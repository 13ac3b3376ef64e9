//! Groups: who plays in which, and who meets whom in the next stage.

/// The group of each seed, from 0, in snake order: 0, 1, 2, 2, 1, 0, 0, …
pub fn snake(seeds: usize, groups: usize) -> Vec<usize> {
    let of = |seed: usize| {
        let (row, column) = (seed / groups, seed % groups);
        if row.is_multiple_of(2) { column } else { groups - 1 - column }
    };
    (0..seeds).map(of).collect()
}

/// The seeds of a bracket for those who advance from groups; `advancing` has the bots of each group, best first. Group
/// winners have the best seeds, in the order of their groups, then come the seconds, and so on. Within these, bots of one group
/// are kept apart in the bracket as long as possible.
pub fn bracket_seeds<T: Copy>(advancing: &[Vec<T>]) -> Vec<T> {
    let ranks = advancing.iter().map(Vec::len).max().unwrap_or(0);
    let total: usize = advancing.iter().map(Vec::len).sum();
    let rounds = total.max(2).next_power_of_two().ilog2();
    // Where each seed stands in the bracket, from top to bottom.
    let order = crate::bracket::seed_order(rounds);
    let line = |seed: usize| order.iter().position(|&other| other == seed).unwrap_or(seed);
    // The round in which two seeds could meet, from 1.
    let meet = |one: usize, other: usize| usize::BITS - (line(one) ^ line(other)).leading_zeros();
    let mut group_of_seed: Vec<usize> = Vec::new();
    let mut seeds = Vec::new();
    for rank in 0..ranks {
        let mut left: Vec<usize> =
            (0..advancing.len()).filter(|&group| advancing[group].len() > rank).collect();
        while !left.is_empty() {
            let seed = seeds.len();
            // The latest first meeting with one of the same group; of equal ones, the group that comes first.
            let apart = |group: usize| {
                let same = (0..seed).filter(|&other| group_of_seed[other] == group);
                same.map(|other| meet(seed, other)).min().unwrap_or(u32::MAX)
            };
            let best = left.iter().copied().max_by_key(|&group| (apart(group), std::cmp::Reverse(group)));
            let Some(group) = best else { break };
            left.retain(|&other| other != group);
            group_of_seed.push(group);
            seeds.push(advancing[group][rank]);
        }
    }
    seeds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_go_through_groups_like_a_snake() {
        assert_eq!(snake(10, 4), [0, 1, 2, 3, 3, 2, 1, 0, 0, 1]);
        assert_eq!(snake(3, 1), [0, 0, 0]);
    }

    #[test]
    fn group_winner_and_second_start_in_opposite_halves() {
        for groups in [2, 4, 8] {
            let advancing: Vec<Vec<(usize, usize)>> =
                (0..groups).map(|group| vec![(group, 0), (group, 1)]).collect();
            let seeds = bracket_seeds(&advancing);
            let order = crate::bracket::seed_order((2 * groups).ilog2());
            let half: Vec<usize> = order[..groups].iter().map(|&seed| seeds[seed].0).collect();
            let mut sorted = half.clone();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len(), groups, "{half:?}");
            let winners: Vec<(usize, usize)> = (0..groups).map(|group| (group, 0)).collect();
            assert_eq!(seeds[..groups], winners);
        }
    }

    #[test]
    fn bots_advancing_from_uneven_groups_are_all_seeded() {
        let seeds = bracket_seeds(&[vec![1, 2, 3], vec![4], vec![5, 6]]);
        assert_eq!((seeds.len(), &seeds[..3]), (6, &[1, 4, 5][..]));
    }
}
