//! The second bracket of a double elimination, and the grand final.

use std::ops::Range;

use super::slot::{Side, Slot, Source, add_round};

/// Adds what follows from the winners' bracket.
///
/// Losers of its first round meet each other. After that the winners of the second bracket alternately meet those who drop from
/// the next round of the first, and each other.
pub(super) fn add_losers(slots: &mut Vec<Slot>) {
    let rounds = slots.last().map_or(0, |slot| slot.round + 1);
    let of_round = |slots: &[Slot], round: u32| -> Vec<usize> {
        let is_of = |slot: &Slot| slot.side == Side::Winners && slot.round == round;
        slots.iter().enumerate().filter(|(_, slot)| is_of(slot)).map(|(index, _)| index).collect()
    };
    let champion = slots.len() - 1;
    let dropped: Vec<Source> = of_round(slots, 0).into_iter().map(Source::Loser).collect();
    // Who may come to each meeting of the second bracket, as the meetings of the first round from which they may come.
    let mut from: Vec<Vec<usize>> = Vec::new();
    let mut alive = dropped;
    let mut round = 0;
    if rounds >= 2 {
        from = (0..alive.len() / 2).map(|meeting| vec![2 * meeting, 2 * meeting + 1]).collect();
        alive = add_round(slots, (Side::Losers, round), &alive);
        round += 1;
    }
    for drop in 1..rounds {
        let losers: Vec<Source> = of_round(slots, drop).into_iter().map(Source::Loser).collect();
        let width = 1 << drop; // the meetings of the first round behind each
        let order = order_of_drop(&from, width);
        for (seen, &index) in from.iter_mut().zip(&order) {
            seen.extend(below(index, width));
        }
        let pairs: Vec<Source> =
            alive.iter().zip(order).flat_map(|(&winner, index)| [losers[index], winner]).collect();
        alive = add_round(slots, (Side::Losers, round), &pairs);
        round += 1;
        if drop + 1 < rounds {
            from = from.chunks(2).map(<[Vec<usize>]>::concat).collect();
            alive = add_round(slots, (Side::Losers, round), &alive);
            round += 1;
        }
    }
    let sources = [Source::Winner(champion), alive.first().copied().unwrap_or(Source::Loser(champion))];
    let first = slots.len();
    let final_of = |round, only_if_second_won| Slot {
        side: Side::GrandFinal,
        round,
        number: 0,
        sources,
        only_if_second_won,
    };
    slots.push(final_of(0, None));
    slots.push(final_of(1, Some(first)));
}

/// The meetings of the first round behind a meeting of a later one.
fn below(index: usize, width: usize) -> Range<usize> {
    index * width..(index + 1) * width
}

/// The loser that each winner of the second bracket meets: of the four usual orders the one in which the fewest may have met.
fn order_of_drop(from: &[Vec<usize>], width: usize) -> Vec<usize> {
    let count = from.len();
    let half = |index: usize| (index + count / 2) % count;
    let orders: [Vec<usize>; 4] = [
        (0..count).rev().collect(),
        (0..count).map(half).collect(),
        (0..count).rev().map(half).collect(),
        (0..count).collect(),
    ];
    let may_have_met = |order: &&Vec<usize>| -> usize {
        let both = |(seen, &index): (&Vec<usize>, &usize)| {
            seen.iter().filter(|meeting| below(index, width).contains(meeting)).count()
        };
        from.iter().zip(*order).map(both).sum()
    };
    let [first, ..] = &orders;
    orders.iter().min_by_key(may_have_met).unwrap_or(first).clone()
}
