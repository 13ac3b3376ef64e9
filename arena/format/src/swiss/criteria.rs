//! Criteria 1 to 7 of a Swiss round as one number for each possible meeting.

use integer_blossom::{Weight, min_weight_perfect_matching};

use super::entrant::{Entrant, Float, groups};
use super::wide_integer::Wide;

/// From this one on, the cuts between scores count together: a cut needs about eight bits.
const CUTS: usize = 64;

/// The mate of each bot as indices into `ranked`. If their number is odd, there is one more index: the bye.
pub(super) fn best_mates(ranked: &[&Entrant]) -> Vec<usize> {
    let count = ranked.len() + ranked.len() % 2;
    let field = Field::new(ranked);
    let criteria: Vec<Vec<u64>> = (0..count * count)
        .filter(|at| at / count < at % count)
        .map(|at| field.criteria(at / count, at % count))
        .collect();
    let mut bits = vec![0; criteria.first().map_or(0, Vec::len)];
    for criteria in &criteria {
        for (bits, criterion) in bits.iter_mut().zip(criteria) {
            let most = criterion.saturating_mul(count as u64 / 2);
            *bits = u32::max(*bits, u64::BITS - most.leading_zeros());
        }
    }
    let width = bits.iter().sum::<u32>();
    if width <= Wide::<16>::BITS {
        matched::<16>(&criteria, &bits, count)
    } else if width <= Wide::<32>::BITS {
        matched::<32>(&criteria, &bits, count)
    } else if width <= Wide::<64>::BITS {
        matched::<64>(&criteria, &bits, count)
    } else {
        matched::<160>(&criteria, &bits, count)
    }
}

fn matched<const N: usize>(criteria: &[Vec<u64>], bits: &[u32], count: usize) -> Vec<usize> {
    let mut costs = vec![Wide::<N>::ZERO; count * count];
    let pairs = (0..count * count).filter(|at| at / count < at % count);
    for (at, criteria) in pairs.zip(criteria) {
        let digits = criteria.iter().zip(bits);
        costs[at] = digits.fold(Wide::ZERO, |cost, (digit, bits)| cost.then(*digit, *bits));
    }
    min_weight_perfect_matching(&costs, count)
}

/// The bots of a round, best score first, and the groups of equal scores.
struct Field<'a> {
    ranked: &'a [&'a Entrant],
    /// The group of each bot, from 0.
    group: Vec<usize>,
    /// How many bots of its group are before each bot, and behind it.
    around: Vec<(u64, u64)>,
    groups: usize,
}

impl<'a> Field<'a> {
    fn new(ranked: &'a [&'a Entrant]) -> Self {
        let groups = groups(ranked);
        let (mut group, mut around) = (Vec::new(), Vec::new());
        for (number, indices) in groups.iter().enumerate() {
            for index in indices.clone() {
                group.push(number);
                around.push(((index - indices.start) as u64, (indices.end - 1 - index) as u64));
            }
        }
        Self { ranked, group, around, groups: groups.len() }
    }

    /// What speaks against a meeting, in the order of the criteria; the lower index first. The index behind the last is the
    /// bye.
    fn criteria(&self, upper: usize, lower: usize) -> Vec<u64> {
        let high = self.ranked[upper];
        let low = self.ranked.get(lower).copied();
        let (group, of_low) = (self.group[upper], self.group.get(lower).copied());
        let repeats =
            low.map_or(high.byes.into(), |low| high.met.iter().filter(|&&met| met == low.bot).count() as u64);
        let score_of_bye = if low.is_none() { self.groups - 1 - group } else { 0 };
        let mut criteria = vec![repeats, score_of_bye as u64];
        let crosses = |cut: usize| u64::from(of_low.is_some_and(|of_low| group <= cut && cut < of_low));
        let cuts = self.groups.saturating_sub(1);
        criteria.extend((0..cuts.min(CUTS)).map(crosses));
        criteria.push((CUTS..cuts).map(crosses).sum());
        let difference = low.map_or(0, |low| high.score - low.score);
        let square = difference.saturating_mul(difference);
        criteria.push(square);
        criteria.push(if low.is_none() { high.unplayed.into() } else { 0 });
        let floats = of_low != Some(group);
        let again = |round: usize| {
            let down = floats && high.floats[round] == Float::Down;
            let up = floats && low.is_some_and(|low| low.floats[round] == Float::Up);
            [down, up]
        };
        let again = [again(0), again(1)].concat();
        criteria.extend(again.iter().map(|&again| u64::from(again)));
        criteria.extend(again.iter().map(|&again| if again { square } else { 0 }));
        let before = of_low.map_or(0, |_| self.around[lower].0);
        criteria.push(if floats { self.around[upper].1 + before } else { 0 });
        criteria
    }
}
