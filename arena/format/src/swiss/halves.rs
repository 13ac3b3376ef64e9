//! Bots with equal scores: the upper half meets the lower half.

use integer_blossom::min_weight_perfect_matching;

/// The cost of a pair that may not meet: more than all others together.
const NEVER: i64 = 1 << 32;

/// Pairs an even number of bots, in their order, that can be paired by pairs that may meet: with as few pairs as possible
/// within a half; then, from the first bot on, each meets the first of the lower half that leaves as good a pairing for the
/// rest, or, if there is none, the last of its own half that does.
pub(super) fn pair(bots: usize, may: impl Fn(usize, usize) -> bool) -> Vec<(usize, usize)> {
    let half = bots / 2;
    let cost = |one: usize, other: usize| {
        if may(one, other) { i64::from((one < half) == (other < half)) } else { NEVER }
    };
    let mut left: Vec<usize> = (0..bots).collect();
    let mut pairs = Vec::new();
    // The least cost of what is left; computed once it is needed.
    let mut least: Option<i64> = None;
    while let Some(&first) = left.first() {
        if let Some(aligned) = aligned(&left, half, &may) {
            pairs.extend(aligned);
            break;
        }
        let budget = *least.get_or_insert_with(|| least_cost(&left, cost));
        let (upper, lower): (Vec<usize>, Vec<usize>) = left[1..].iter().partition(|&&bot| bot < half);
        let in_order = lower.into_iter().chain(upper.into_iter().rev());
        let fits = in_order.filter(|&mate| cost(first, mate) <= budget).find_map(|mate| {
            let rest: Vec<usize> = left.iter().copied().filter(|&bot| bot != first && bot != mate).collect();
            let needed = budget - cost(first, mate);
            (least_cost(&rest, cost) == needed).then_some((mate, rest, needed))
        });
        let Some((mate, rest, needed)) = fits else { break }; // there is a best pairing, and `first` has a mate in it
        pairs.push((first, mate));
        (left, least) = (rest, Some(needed));
    }
    pairs
}

/// The first of the upper half against the first of the lower, and so on, if they may all meet.
fn aligned(left: &[usize], half: usize, may: &impl Fn(usize, usize) -> bool) -> Option<Vec<(usize, usize)>> {
    let (upper, lower) = left.split_at(left.partition_point(|&bot| bot < half));
    let pairs = upper.iter().copied().zip(lower.iter().copied());
    (upper.len() == lower.len() && pairs.clone().all(|(one, other)| may(one, other))).then(|| pairs.collect())
}

fn least_cost(bots: &[usize], cost: impl Fn(usize, usize) -> i64) -> i64 {
    let n = bots.len();
    let costs: Vec<i64> = (0..n * n).map(|at| cost(bots[at / n], bots[at % n])).collect();
    let mates = min_weight_perfect_matching(&costs, n);
    (0..n).filter(|&bot| bot < mates[bot]).map(|bot| cost(bots[bot], bots[mates[bot]])).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_bots_meet_half_against_half() {
        assert_eq!(pair(6, |_, _| true), [(0, 3), (1, 4), (2, 5)]);
        assert_eq!(pair(0, |_, _| true), []);
    }

    #[test]
    fn top_bot_gets_its_first_feasible_opponent() {
        let met = |one, other| (one, other) == (0, 3);
        assert_eq!(pair(6, |one, other| !met(one, other)), [(0, 4), (1, 3), (2, 5)]);
        // 2 may meet only 3: what the highest wants must leave that.
        let may = |one: usize, other: usize| one.min(other) != 2 || one.max(other) == 3;
        assert_eq!(pair(6, may), [(0, 4), (1, 5), (2, 3)]);
    }

    #[test]
    fn bots_stay_in_half_only_without_lower_mate() {
        // 0 may meet no bot of the lower half.
        let may = |one: usize, other: usize| one.min(other) != 0 || one.max(other) < 3;
        assert_eq!(pair(6, may), [(0, 2), (1, 3), (4, 5)]);
    }
}
