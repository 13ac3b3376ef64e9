//! Brackets played with every result, and with chance.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;

fn bots(count: usize) -> Vec<BotIndex> {
    (0..count as u32).map(BotIndex).collect()
}

/// A bracket played to its end; `first_wins` says whether the first bot of a meeting wins.
struct Played {
    bracket: Bracket,
    states: Vec<State>,
    seeds: Vec<BotIndex>,
    /// The index of each meeting, in the order in which they were played.
    order: Vec<usize>,
}

fn play(bracket: Bracket, mut first_wins: impl FnMut(usize, [BotIndex; 2]) -> bool) -> Played {
    let seeds = bots(bracket.seeds());
    let mut won: BTreeMap<usize, BotIndex> = BTreeMap::new();
    let mut order = Vec::new();
    loop {
        let states = bracket.states(&seeds, |meeting, _| won.get(&meeting).copied());
        let ready: Vec<(usize, [BotIndex; 2])> = states
            .iter()
            .enumerate()
            .filter_map(|(index, state)| match state {
                State::Ready(both) => Some((index, *both)),
                _ => None,
            })
            .collect();
        if ready.is_empty() {
            assert!(!states.contains(&State::Waiting), "{states:?}");
            return Played { bracket, states, seeds, order };
        }
        for (index, both) in ready {
            won.insert(index, if first_wins(index, both) { both[0] } else { both[1] });
            order.push(index);
        }
    }
}

impl Played {
    fn places(&self) -> Vec<Vec<u32>> {
        let places = places(&self.bracket, &self.states, &self.seeds);
        places.into_iter().map(|equal| equal.into_iter().map(|bot| bot.0).collect()).collect()
    }

    fn losses(&self) -> BTreeMap<BotIndex, usize> {
        let mut losses = BTreeMap::new();
        for state in &self.states {
            if let State::Played { loser, .. } = state {
                *losses.entry(*loser).or_default() += 1;
            }
        }
        losses
    }
}

#[test]
fn seeds_stand_in_the_usual_order() {
    assert_eq!(seed_order(3), [0, 7, 3, 4, 1, 6, 2, 5]);
}

#[test]
fn places_follow_seeds_when_the_better_seed_wins() {
    let better = |_: usize, [one, other]: [BotIndex; 2]| one < other;
    let eight = play(Bracket::knockout(8, true), better);
    assert_eq!(eight.places(), [vec![0], vec![1], vec![2], vec![3], vec![4, 5, 6, 7]]);
    let six = play(Bracket::knockout(6, false), better);
    assert_eq!(six.places(), [vec![0], vec![1], vec![2, 3], vec![4, 5]]);
    let byes: Vec<_> = six.states.iter().filter(|state| matches!(state, State::Bye(_))).collect();
    assert_eq!(byes, [&State::Bye(BotIndex(0)), &State::Bye(BotIndex(1))], "to the best seeds");
    let doubled = play(Bracket::double_elimination(8), better);
    assert_eq!(doubled.places(), [vec![0], vec![1], vec![2], vec![3], vec![4, 5], vec![6, 7]]);
    assert_eq!(doubled.states.last(), Some(&State::Empty), "no second final");
}

#[test]
fn grand_final_is_repeated_when_both_have_lost() {
    let champion = BotIndex(0);
    // Bot 0 loses for the first time in the first grand final.
    let bracket = Bracket::double_elimination(4);
    let last = bracket.slots.len() - 1;
    let better = |both: [BotIndex; 2]| both[0] < both[1];
    let played = play(bracket, |index, both| better(both) != (index == last - 1));
    assert_eq!(played.states[last], State::Played { winner: champion, loser: BotIndex(1) });
    assert_eq!(played.places(), [[0], [1], [2], [3]]);
    assert_eq!(played.losses()[&champion], 1);
}

/// The first round of the second bracket in which somebody met the same bot again.
fn first_repeat(played: &Played) -> Option<u32> {
    let mut met = BTreeSet::new();
    let mut repeats = Vec::new();
    for &index in &played.order {
        let (slot, state) = (&played.bracket.slots[index], &played.states[index]);
        let State::Played { winner, loser } = *state else { continue };
        if !met.insert((winner.min(loser), winner.max(loser))) && slot.side == Side::Losers {
            repeats.push(slot.round);
        }
    }
    repeats.into_iter().min()
}

/// Only the last rounds have to repeat meetings: few bots are left by then.
#[test]
fn nobody_meets_the_same_one_early() {
    let mut chance: u64 = 1;
    for rounds in 2..8 {
        for _ in 0..400 {
            let played = play(Bracket::double_elimination(1 << rounds), |_, _| {
                chance =
                    chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                chance >> 63 == 1
            });
            let all = 2 * (rounds - 1);
            let repeat = first_repeat(&played);
            assert!(
                repeat.is_none_or(|round| round >= rounds - 1),
                "{rounds}: in {repeat:?} of {all} rounds"
            );
        }
    }
}

proptest! {
    #[test]
    fn bracket_eliminates_every_bot_except_the_winner(bots in 2_usize..70, third in any::<bool>(), chance in any::<u64>()) {
        let wins = |index: usize, _: [BotIndex; 2]| chance.rotate_left(7 * index as u32) & 1 == 1;
        let knockout = play(Bracket::knockout(bots, third), wins);
        let thirds = usize::from(third && bots > 3);
        prop_assert_eq!(knockout.order.len(), bots - 1 + thirds);
        let places = knockout.places();
        prop_assert_eq!(places[0].len(), 1);
        prop_assert_eq!(places.iter().map(Vec::len).sum::<usize>(), bots);

        let doubled = play(Bracket::double_elimination(bots), wins);
        let losses = doubled.losses();
        let places = doubled.places();
        prop_assert_eq!(places[0].len(), 1);
        prop_assert_eq!(places.iter().map(Vec::len).sum::<usize>(), bots);
        let winner = BotIndex(places[0][0]);
        for bot in &doubled.seeds {
            let lost = losses.get(bot).copied().unwrap_or(0);
            prop_assert!(lost == 2 || *bot == winner && lost < 2, "{bot:?} {lost}");
        }
        prop_assert_eq!(doubled.order.len(), 2 * bots - 2 + losses.get(&winner).copied().unwrap_or(0));
    }
}
