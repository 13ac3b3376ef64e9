//! Simulated events, and a search through all pairings of small ones.

use proptest::prelude::*;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::*;

/// An event under way: everything that decides the next round.
struct Event {
    entrants: Vec<Entrant>,
    /// Whether each still plays.
    here: Vec<bool>,
    chance: ChaCha8Rng,
}

impl Event {
    fn new(bots: u32, seed: u64) -> Self {
        let bot = |bot| Entrant {
            bot: BotIndex(bot),
            score: 0,
            met: Vec::new(),
            byes: 0,
            unplayed: 0,
            floats: [Float::None; 2],
        };
        let entrants: Vec<Entrant> = (0..bots).map(bot).collect();
        Self { here: vec![true; entrants.len()], entrants, chance: ChaCha8Rng::seed_from_u64(seed) }
    }

    fn upto(&mut self, limit: u64) -> u64 {
        self.chance.next_u64() % (limit + 1)
    }

    fn playing(&self) -> Vec<Entrant> {
        let playing = self.entrants.iter().zip(&self.here).filter(|(_, here)| **here);
        playing.map(|(entrant, _)| entrant.clone()).collect()
    }

    /// Plays a round of meetings for `points` half points each.
    fn play(&mut self, pairings: &Pairings, points: u64) {
        let float = |mine: u64, other: u64| match mine.cmp(&other) {
            std::cmp::Ordering::Less => Float::Up,
            std::cmp::Ordering::Equal => Float::None,
            std::cmp::Ordering::Greater => Float::Down,
        };
        let before = self.entrants.clone();
        for entrant in &mut self.entrants {
            entrant.floats = [Float::None, entrant.floats[0]];
            entrant.unplayed += 1;
        }
        for &(one, other) in &pairings.pairs {
            let won = self.upto(points);
            for (bot, rival, won) in [(one, other, won), (other, one, points - won)] {
                let entrant = &mut self.entrants[bot.index()];
                entrant.score += won;
                entrant.met.push(rival);
                entrant.unplayed -= 1;
                entrant.floats[0] = float(before[bot.index()].score, before[rival.index()].score);
            }
        }
        if let Some(bye) = pairings.bye {
            let entrant = &mut self.entrants[bye.index()];
            entrant.score += points * 3 / 4;
            entrant.byes += 1;
            entrant.floats[0] = Float::Down;
        }
    }
}

/// What is wrong with a pairing, criterion by criterion, counted as the page of the module says it, pair by pair.
fn regrets(entrants: &[Entrant], pairs: &[(usize, usize)], bye: Option<usize>) -> Vec<u64> {
    let mut ranked: Vec<usize> = (0..entrants.len()).collect();
    ranked.sort_by_key(|&bot| (std::cmp::Reverse(entrants[bot].score), bot));
    let index = |bot: usize| ranked.iter().position(|&other| other == bot).unwrap();
    let better_first = |&(one, other): &(usize, usize)| {
        if index(one) < index(other) { (one, other) } else { (other, one) }
    };
    let pairs: Vec<(usize, usize)> = pairs.iter().map(better_first).collect();
    let of = |bot: usize| &entrants[bot];
    let repeats = pairs
        .iter()
        .map(|&(one, other)| of(one).met.iter().filter(|&&met| met == of(other).bot).count() as u64);
    let mut all = vec![repeats.sum::<u64>() + bye.map_or(0, |bye| of(bye).byes.into())];
    all.push(bye.map_or(0, |bye| of(bye).score));
    let mut scores: Vec<u64> = entrants.iter().map(|entrant| entrant.score).collect();
    scores.sort_unstable();
    scores.dedup();
    for cut in scores.into_iter().rev() {
        let below = |&&(one, other): &&(usize, usize)| of(one).score >= cut && of(other).score < cut;
        all.push(pairs.iter().filter(below).count() as u64);
    }
    let square = |one: usize, other: usize| (of(one).score - of(other).score).pow(2);
    all.push(pairs.iter().map(|&(one, other)| square(one, other)).sum());
    all.push(bye.map_or(0, |bye| of(bye).unplayed.into()));
    let floats = || pairs.iter().filter(|&&(one, other)| of(one).score != of(other).score);
    for round in [0, 1] {
        let down = floats().filter(|&&(one, _)| of(one).floats[round] == Float::Down).count();
        let bye = bye.is_some_and(|bye| of(bye).floats[round] == Float::Down);
        all.push(down as u64 + u64::from(bye));
        all.push(floats().filter(|&&(_, other)| of(other).floats[round] == Float::Up).count() as u64);
    }
    for round in [0, 1] {
        let squares = |counts: &dyn Fn(usize, usize) -> bool| {
            let counted = floats().filter(|&&(one, other)| counts(one, other));
            counted.map(|&(one, other)| square(one, other)).sum::<u64>()
        };
        all.push(squares(&|one, _| of(one).floats[round] == Float::Down));
        all.push(squares(&|_, other| of(other).floats[round] == Float::Up));
    }
    let equal = |bot: usize| ranked.iter().filter(move |&&other| of(other).score == of(bot).score);
    let behind = |bot: usize| equal(bot).filter(|&&other| index(other) > index(bot)).count() as u64;
    let before = |bot: usize| equal(bot).filter(|&&other| index(other) < index(bot)).count() as u64;
    let wrong_floats: u64 = floats().map(|&(one, other)| behind(one) + before(other)).sum();
    all.push(wrong_floats + bye.map_or(0, behind));
    all
}

/// Takes pairs and the bye.
type Take<'a> = dyn FnMut(&[(usize, usize)], Option<usize>) + 'a;

/// Calls back for each way to pair these bots.
fn each_pairing(left: &[usize], pairs: &mut Vec<(usize, usize)>, bye: Option<usize>, take: &mut Take<'_>) {
    let Some(&first) = left.first() else { return take(pairs, bye) };
    if left.len() % 2 == 1 {
        for &without in left {
            let rest: Vec<usize> = left.iter().copied().filter(|&bot| bot != without).collect();
            each_pairing(&rest, pairs, Some(without), take);
        }
        return;
    }
    for &other in &left[1..] {
        pairs.push((first, other));
        let rest: Vec<usize> = left.iter().copied().filter(|&bot| bot != first && bot != other).collect();
        each_pairing(&rest, pairs, bye, take);
        pairs.pop();
    }
}

/// The least regrets of all pairings.
fn least_regrets(entrants: &[Entrant]) -> Vec<u64> {
    let mut least: Option<Vec<u64>> = None;
    let all: Vec<usize> = (0..entrants.len()).collect();
    each_pairing(&all, &mut Vec::new(), None, &mut |pairs, bye| {
        let found = regrets(entrants, pairs, bye);
        if least.as_ref().is_none_or(|least| found < *least) {
            least = Some(found);
        }
    });
    least.unwrap()
}

/// The regrets of what was paired, and that each bot is paired once.
fn regrets_of(entrants: &[Entrant], pairings: &Pairings) -> Vec<u64> {
    let index = |bot: BotIndex| entrants.iter().position(|entrant| entrant.bot == bot).unwrap();
    let pairs: Vec<(usize, usize)> =
        pairings.pairs.iter().map(|&(one, other)| (index(one), index(other))).collect();
    let bye = pairings.bye.map(index);
    let mut all: Vec<usize> = pairs.iter().flat_map(|&(one, other)| [one, other]).chain(bye).collect();
    all.sort_unstable();
    assert_eq!(all, (0..entrants.len()).collect::<Vec<_>>(), "{pairings:?}");
    regrets(entrants, &pairs, bye)
}

#[test]
fn first_round_pairs_upper_half_with_lower_half() {
    let pairings = pair(&Event::new(7, 0).entrants);
    let bots: Vec<(u32, u32)> = pairings.pairs.iter().map(|(one, other)| (one.0, other.0)).collect();
    assert_eq!((bots, pairings.bye), (vec![(0, 3), (1, 4), (2, 5)], Some(BotIndex(6))));
}

#[test]
fn pairing_of_up_to_ten_bots_is_optimal() {
    let mut compared = 0;
    for seed in 0..120 {
        let bots = 2 + (seed % 9) as u32;
        let mut event = Event::new(bots, seed);
        // Up to more rounds than there are opponents: then meetings are repeated, as few as possible.
        for round in 0..bots + 2 {
            let (points, leaves) = ([2, 4, 12][(seed % 3) as usize], event.upto(9) == 0);
            if leaves && round > 1 {
                let bot = event.upto(u64::from(bots) - 1) as usize;
                event.here[bot] = !event.here[bot];
            }
            let entrants = event.playing();
            let pairings = pair(&entrants);
            assert_eq!(regrets_of(&entrants, &pairings), least_regrets(&entrants), "{seed} {round}");
            compared += 1;
            event.play(&pairings, points);
        }
    }
    assert!(compared > 900, "{compared}");
}

/// Within a group, the last criterion: compared with every way to pair the same bots.
#[test]
fn halves_meet_in_the_best_possible_order() {
    for seed in 0..200 {
        let bots = 2 * (1 + (seed % 4) as usize);
        let mut event = Event::new(bots as u32, seed);
        let met: Vec<bool> = (0..bots * bots).map(|_| event.upto(3) == 0).collect();
        let may = |one: usize, other: usize| !met[one.min(other) * bots + one.max(other)];
        let mut best: Option<(usize, Vec<usize>)> = None;
        let order = |mate: usize| if mate < bots / 2 { 2 * bots - mate } else { mate };
        each_pairing(&(0..bots).collect::<Vec<_>>(), &mut Vec::new(), None, &mut |pairs, _| {
            if pairs.iter().all(|&(one, other)| may(one, other)) {
                let within = |&&(one, other): &&(usize, usize)| (one < bots / 2) == (other < bots / 2);
                let criteria = pairs.iter().map(|&(_, other)| order(other)).collect();
                let found = (pairs.iter().filter(within).count(), criteria);
                best = Some(best.take().map_or(found.clone(), |best| best.min(found)));
            }
        });
        let Some((within, criteria)) = best else { continue };
        let pairs = halves::pair(bots, may);
        let found: Vec<usize> = pairs.iter().map(|&(_, other)| order(other)).collect();
        let among = pairs.iter().filter(|&&(one, other)| (one < bots / 2) == (other < bots / 2)).count();
        assert_eq!((among, found), (within, criteria), "{seed}: {pairs:?}");
    }
}

#[test]
fn two_hundred_bots_meet_nobody_twice() {
    let mut event = Event::new(201, 7);
    for _ in 0..8 {
        let entrants = event.playing();
        let pairings = pair(&entrants);
        assert_eq!(regrets_of(&entrants, &pairings)[0], 0);
        event.play(&pairings, 8);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// With at most half as many rounds as bots nobody has to meet twice, no matter who comes late or leaves.
    #[test]
    fn nobody_meets_twice_or_rests_twice(
        bots in 4_u32..40, seed in any::<u64>(), blocks in 0_u64..4, changes in 0_u64..3,
    ) {
        let mut event = Event::new(bots, seed);
        // Some come late.
        for bot in 0..bots as usize {
            event.here[bot] = changes == 0 || event.upto(4) > 0;
        }
        for _ in 0..(bots / 4).min(9) {
            for _ in 0..changes {
                let bot = event.upto(u64::from(bots) - 1) as usize;
                let stay = event.here.iter().filter(|here| **here).count() > bots as usize / 2 + 2;
                event.here[bot] = !event.here[bot] || !stay;
            }
            let entrants = event.playing();
            let pairings = pair(&entrants);
            prop_assert_eq!(regrets_of(&entrants, &pairings)[0], 0);
            // Everyone is equal if a meeting has no points.
            event.play(&pairings, 4 * blocks);
        }
        for entrant in &event.entrants {
            let mut met = entrant.met.clone();
            met.sort_unstable();
            prop_assert!(met.is_sorted_by(|one, other| one < other) && entrant.byes <= 1);
        }
    }

    #[test]
    fn pairing_depends_on_entrant_order_not_names(bots in 2_u32..20, seed in any::<u64>()) {
        let mut event = Event::new(bots, seed);
        for _ in 0..3 {
            let pairings = pair(&event.entrants);
            let renamed: Vec<Entrant> = event.entrants.iter().map(|entrant| {
                let bot = |bot: BotIndex| BotIndex(bots - 1 - bot.0);
                Entrant { bot: bot(entrant.bot), met: entrant.met.iter().copied().map(bot).collect(), ..entrant.clone() }
            }).collect();
            let again = pair(&renamed);
            let back = |bot: BotIndex| BotIndex(bots - 1 - bot.0);
            let back: Vec<_> = again.pairs.iter().map(|&(one, other)| (back(one), back(other))).collect();
            prop_assert_eq!(&back, &pairings.pairs);
            event.play(&pairings, 4);
        }
    }
}
