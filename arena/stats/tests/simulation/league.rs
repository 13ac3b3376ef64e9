//! A league: batches chosen by what is known so far, bots that come late, and somebody who looks after every batch.

use leyden_stats::{
    Entrant, Field, FieldTally, Holds, LeagueTable, Margin, PairingResult, Ratings, TallyBuilder,
};

use super::{Dice, OTHERS, World};

/// A league in progress.
pub(crate) struct League<'a> {
    world: &'a World,
    table: LeagueTable,
    results: Vec<PairingResult>,
    met: Vec<bool>,
    batch: u32,
}

impl<'a> League<'a> {
    pub(crate) fn new(world: &'a World) -> Self {
        let bots = world.bots();
        Self {
            world,
            table: LeagueTable::new(bots),
            results: Vec::new(),
            met: vec![false; bots * bots],
            batch: 0,
        }
    }

    fn meet(&mut self, pair: [usize; 2], dice: &mut Dice) {
        let [first, second] = [pair[0].min(pair[1]), pair[0].max(pair[1])];
        let score = dice.pair(self.world.leads[first][second], self.world.luck, self.world.draws);
        let won = u64::from(score.half_points());
        let ends = [first, second].map(|bot| Entrant(bot as u32));
        self.table.add(ends, [won, 2 * u64::from(score.matches()) - won]);
        self.met[first * self.world.bots() + second] = true;
        let [first, second] = ends;
        self.results.push(PairingResult {
            block: self.batch,
            first,
            second,
            score,
            margin: Margin::default(),
        });
    }

    /// Plays a batch of the first `there` bots as the league chooses it; returns its pairs.
    pub(crate) fn batch(&mut self, there: usize, dice: &mut Dice) -> usize {
        let there: Vec<Entrant> = (0..there as u32).map(Entrant).collect();
        let chosen = self.table.next_batch(&there, self.batch, 2).expect("a batch");
        for pair in &chosen {
            self.meet(pair.map(|bot| bot.0 as usize), dice);
        }
        self.batch += 1;
        chosen.len()
    }

    /// Plays a round of a round-robin by the circle method, in which everybody meets another one; returns its pairs.
    fn round(&mut self, round: usize, there: usize, dice: &mut Dice) -> usize {
        let even = there + there % 2;
        let at = |index: usize| if index == 0 { 0 } else { 1 + (index - 1 + round) % (even - 1) };
        let mut pairs = 0;
        for index in 0..even / 2 {
            let pair = [at(index), at(even - 1 - index)];
            if pair.iter().all(|bot| *bot < there) {
                self.meet(pair, dice);
                pairs += 1;
            }
        }
        self.batch += 1;
        pairs
    }

    fn tally(&self, there: usize) -> FieldTally {
        let bots = self.world.bots();
        let has_met = |one: Entrant, other: Entrant| {
            let (low, high) = (one.0.min(other.0) as usize, one.0.max(other.0) as usize);
            Ok::<u32, ()>(2 * u32::from(self.met[low * bots + high]))
        };
        let field = Field::from_meetings(there, has_met).expect("a field");
        TallyBuilder::new(field).by_pairs().sum(self.results.clone()).expect("results of this field")
    }

    fn ratings(&self, there: usize, holds: Holds) -> Ratings {
        Ratings::fit(&self.tally(there), holds).expect("fits")
    }
}

/// What it costs until the place of a newcomer is known.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PlacementCost {
    /// Pairs of everybody, and of the newcomer alone.
    pub(crate) pairs: f64,
    pub(crate) own: f64,
    /// By how many places its rank is wrong then.
    pub(crate) astray: f64,
}

/// How the newcomer's opponents are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    League,
    RoundRobin,
    /// The newcomer alone meets everybody in turn.
    Gauntlet,
}

/// Means over `runs` newcomers of any strength among fifty bots that have played `blocks` blocks of a round-robin: what is played
/// until the newcomer's interval at 95 % is ± `half_width` Elo.
pub(crate) fn newcomer(way: Way, blocks: usize, half_width: f64, runs: u32, seed: u64) -> PlacementCost {
    let mut dice = Dice::new(seed);
    let mut found = PlacementCost::default();
    let share = 1.0 / f64::from(runs);
    for run in 0..runs {
        let newcomer = (f64::from(run) + 0.5) * share * 50.0;
        let world = World::with_newcomer(50, 20.0, newcomer);
        let truth = world.truth(1);
        let mut league = League::new(&world);
        for round in 0..blocks * 49 {
            league.round(round, 50, &mut dice);
        }
        let (mut pairs, mut own, mut step) = (0, 0, 0);
        let rank = loop {
            let before = league.results.len();
            pairs += match way {
                Way::League => league.batch(51, &mut dice),
                Way::RoundRobin => league.round(step, 51, &mut dice),
                Way::Gauntlet => {
                    league.meet([step * 7 % 50, 50], &mut dice);
                    league.batch += 1;
                    1
                }
            };
            let new = &league.results[before..];
            own += new.iter().filter(|result| result.second == Entrant(50)).count();
            step += 1;
            let ratings = league.ratings(51, Holds::AtPlannedEnd);
            if own >= 20 && ratings.half_width(Entrant(50)).is_some_and(|half| half <= half_width) {
                let elo = ratings.elo(Entrant(50)).get();
                break (0..50).filter(|bot| ratings.elo(Entrant(*bot)).get() > elo).count();
            }
        };
        let true_rank = (0..50).filter(|bot| truth[*bot] > truth[50]).count();
        found.pairs += share * pairs as f64;
        found.own += share * own as f64;
        found.astray += share * rank.abs_diff(true_rank) as f64;
    }
    found
}

/// How often intervals of a league are wrong.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct IntervalErrors {
    /// Intervals at the last look that hold the truth, over all bots; and those of the bot that came late.
    pub(crate) last: f64,
    pub(crate) late: f64,
    /// Leagues in which the interval of a given bot was wrong at some look, as a mean over bots; of the late one; of any bot.
    pub(crate) ever: f64,
    pub(crate) ever_late: f64,
    pub(crate) any: f64,
    /// Mean half-width at the last look.
    pub(crate) width: f64,
}

/// Leagues of a field whose last bot comes after half of the batches; somebody looks after each of them.
pub(crate) fn looked(world: &World, batches: u32, holds: Holds, runs: u32, seed: u64) -> IntervalErrors {
    let mut dice = Dice::new(seed);
    let (bots, truth) = (world.bots(), world.truth(1));
    let share = 1.0 / f64::from(runs);
    let mut rates = IntervalErrors::default();
    for _ in 0..runs {
        let mut league = League::new(world);
        let mut ever = vec![false; bots];
        for batch in 0..batches {
            let there = if batch < batches / 2 { bots - 1 } else { bots };
            league.batch(there, &mut dice);
            let mean = truth[..there].iter().sum::<f64>() / there as f64;
            let ratings = league.ratings(there, holds);
            for bot in 0..there {
                let entrant = Entrant(bot as u32);
                let half = ratings.half_width(entrant);
                let away = (ratings.elo(entrant).get() - (truth[bot] - mean)).abs();
                let is_wrong = half.is_some_and(|half| away > half);
                ever[bot] |= is_wrong;
                if batch + 1 == batches {
                    rates.last += if is_wrong { 0.0 } else { share / bots as f64 };
                    rates.late += if is_wrong || bot + 1 < bots { 0.0 } else { share };
                    rates.width += share / bots as f64 * half.unwrap_or(f64::INFINITY);
                }
            }
        }
        rates.ever += share * ever.iter().filter(|wrong| **wrong).count() as f64 / bots as f64;
        rates.ever_late += if ever[bots - 1] { share } else { 0.0 };
        rates.any += if ever.contains(&true) { share } else { 0.0 };
    }
    rates
}

/// Of the bots of a field after this many batches: the greatest difference of a rating, in Elo, from that of a round-robin without end; and
/// that of the mean score as played, and of the score against an even field, from the score of such a round-robin.
pub(crate) fn mixed(world: &World, batches: u32, runs: u32, seed: u64) -> [f64; 3] {
    let mut dice = Dice::new(seed);
    let (bots, truth) = (world.bots(), world.truth(1));
    let share = 1.0 / f64::from(runs);
    let (mut elo, mut played, mut even) = (vec![0.0; bots], vec![0.0; bots], vec![0.0; bots]);
    let there: Vec<Entrant> = (0..bots as u32).map(Entrant).collect();
    for _ in 0..runs {
        let mut league = League::new(world);
        for _ in 0..batches {
            league.batch(bots, &mut dice);
        }
        let ratings = league.ratings(bots, Holds::AtPlannedEnd);
        let (mut points, mut matches) = (vec![0.0; bots], vec![0.0; bots]);
        for result in &league.results {
            let won = f64::from(result.score.half_points()) / 2.0;
            for (bot, won) in [(result.first, won), (result.second, 2.0 - won)] {
                points[bot.0 as usize] += won;
                matches[bot.0 as usize] += 2.0;
            }
        }
        for bot in 0..bots {
            elo[bot] += share * ratings.elo(Entrant(bot as u32)).get();
            played[bot] += share * points[bot] / matches[bot];
            even[bot] += share * league.table.even_score(there[bot], &there).expect("a score");
        }
    }
    let score = |bot: usize| {
        let others = (0..bots).filter(|other| *other != bot);
        others.map(|other| world.expected_score(bot, other)).sum::<f64>() / (bots - 1) as f64
    };
    let most = |of: &dyn Fn(usize) -> f64| (0..bots).map(|bot| of(bot).abs()).fold(0.0, f64::max);
    [
        most(&|bot| elo[bot] - truth[bot]),
        most(&|bot| played[bot] - score(bot)),
        most(&|bot| even[bot] - score(bot)),
    ]
}

/// How the bots beside a starter and its copies stand, as means over leagues.
#[derive(Clone, Debug)]
pub(crate) struct Others {
    /// Ratings in Elo, from their mean; and if copies count once.
    pub(crate) elo: Vec<f64>,
    pub(crate) once: Vec<f64>,
    /// Scores against an even field.
    pub(crate) even: Vec<f64>,
}

/// Leagues of [`World::with_copies`] after this many batches.
pub(crate) fn beside_copies(
    (odd, starter, copies): (f64, usize, usize),
    batches: u32,
    runs: u32,
    seed: u64,
) -> Others {
    let world = World::with_copies(odd, starter, copies);
    let mut dice = Dice::new(seed);
    let share = 1.0 / f64::from(runs);
    let none = || vec![0.0; OTHERS];
    let mut sum = Others { elo: none(), once: none(), even: none() };
    let all: Vec<Entrant> = (0..world.bots() as u32).map(Entrant).collect();
    let (others, alike) = all.split_at(OTHERS);
    for _ in 0..runs {
        let mut league = League::new(&world);
        for _ in 0..batches {
            league.batch(world.bots(), &mut dice);
        }
        let once = league.table.counting_once(&[alike.to_vec()]);
        for (sum, table) in [(&mut sum.elo, &league.table), (&mut sum.once, &once)] {
            let elo: Vec<f64> = table.ratings().expect("fits").iter().map(|elo| elo.get()).collect();
            let mean = elo[..OTHERS].iter().sum::<f64>() / OTHERS as f64;
            sum.iter_mut().zip(&elo).for_each(|(sum, own)| *sum += share * (own - mean));
        }
        for bot in others {
            sum.even[bot.0 as usize] += share * league.table.even_score(*bot, &all).expect("a score");
        }
    }
    sum
}

/// The greatest difference between figures of the same bots, and the most places by which one of them moves.
pub(crate) fn moved(before: &[f64], after: &[f64]) -> (f64, usize) {
    let most = before.iter().zip(after).map(|(one, other)| (one - other).abs()).fold(0.0, f64::max);
    let rank = |of: &[f64], bot: usize| of.iter().filter(|other| **other > of[bot]).count();
    let ranks = (0..before.len()).map(|bot| rank(before, bot).abs_diff(rank(after, bot)));
    (most, ranks.max().unwrap_or_default())
}
