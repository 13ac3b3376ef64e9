//! Ratings whose errors come from single pairs: one block of a round-robin, a Swiss, and stages of unlike length.

use leyden_stats::{
    Entrant, Field, FieldTally, Holds, Margin, PairingResult, Ranking, Ratings, TallyBuilder,
};

use super::{Dice, World};

/// Who meets whom.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Meetings {
    /// Everybody everybody once.
    OneBlock,
    /// This many rounds; those with equal scores meet.
    Swiss(u32),
    /// A round-robin of this many blocks, then one pair of the best two.
    WithFinal(u32),
}

/// Shares of events, and means over bots.
#[derive(Debug, Default)]
pub(crate) struct HoldRates {
    /// Intervals of a rating that hold the truth, and those of the bot for which they do so least often.
    pub(crate) ratings: f64,
    pub(crate) least: f64,
    /// Events in which any rank is wrong.
    pub(crate) wrong: f64,
    /// Events in which any interval of the first bot was wrong at some moment.
    pub(crate) ever: f64,
    /// Mean half-width in Elo.
    pub(crate) width: f64,
    /// Mean number of places that a bot may hold.
    pub(crate) places: f64,
}

struct Event<'a> {
    world: &'a World,
    results: Vec<PairingResult>,
    points: Vec<u32>,
    met: Vec<bool>,
}

impl Event<'_> {
    fn meet(&mut self, block: u32, one: usize, other: usize, dice: &mut Dice) {
        let (first, second) = (one.min(other), one.max(other));
        let score = dice.pair(self.world.leads[first][second], self.world.luck, self.world.draws);
        self.points[first] += score.half_points();
        self.points[second] += 2 * score.matches() - score.half_points();
        self.met[first * self.points.len() + second] = true;
        let [first, second] = [first, second].map(|bot| Entrant(bot as u32));
        self.results.push(PairingResult { block, first, second, score, margin: Margin::default() });
    }

    /// Best first; those with equal points in a drawn order.
    fn order(&self, dice: &mut Dice) -> Vec<usize> {
        let mut order: Vec<(u32, u64, usize)> = (0..self.points.len())
            .map(|bot| (u32::MAX - self.points[bot], (dice.uniform() * 1e9) as u64, bot))
            .collect();
        order.sort_unstable();
        order.into_iter().map(|(_, _, bot)| bot).collect()
    }

    /// Everybody meets the next one in order whom he has not met; if there is none, the next one.
    fn swiss_round(&mut self, round: u32, dice: &mut Dice) {
        let mut left = self.order(dice);
        let bots = self.points.len();
        while left.len() > 1 {
            let one = left.remove(0);
            let is_new = |other: &usize| !self.met[one.min(*other) * bots + one.max(*other)];
            let at = left.iter().position(is_new).unwrap_or(0);
            let other = left.remove(at);
            self.meet(round, one, other, dice);
        }
    }

    fn tally(&self) -> FieldTally {
        let bots = self.points.len();
        let has_met = |one: Entrant, other: Entrant| {
            let (low, high) = (one.0.min(other.0) as usize, one.0.max(other.0) as usize);
            Ok::<u32, ()>(2 * u32::from(self.met[low * bots + high]))
        };
        let field = Field::from_meetings(bots, has_met).expect("a field");
        TallyBuilder::new(field).by_pairs().sum(self.results.clone()).expect("results of this field")
    }
}

/// Events of a field; `holds` says when intervals shall hold. With [`Holds::AtAnyTime`] somebody looks after every round.
pub(crate) fn held(world: &World, meetings: Meetings, holds: Holds, runs: u32, seed: u64) -> HoldRates {
    let mut dice = Dice::new(seed);
    let truth = world.truth(1_000_000);
    let bots = truth.len();
    let share = 1.0 / f64::from(runs);
    let mut rates = HoldRates::default();
    let mut each = vec![0.0; bots];
    for _ in 0..runs {
        let mut event =
            Event { world, results: Vec::new(), points: vec![0; bots], met: vec![false; bots * bots] };
        let mut is_ever_wrong = false;
        let rounds = match meetings {
            Meetings::OneBlock => 1,
            Meetings::Swiss(rounds) => rounds,
            Meetings::WithFinal(blocks) => blocks + 1,
        };
        let mut ranking = None;
        for round in 0..rounds {
            match meetings {
                Meetings::Swiss(_) => event.swiss_round(round, &mut dice),
                Meetings::WithFinal(blocks) if round == blocks => {
                    let order = event.order(&mut dice);
                    event.meet(round, order[0], order[1], &mut dice);
                }
                _ => {
                    for one in 0..bots {
                        for other in one + 1..bots {
                            event.meet(round, one, other, &mut dice);
                        }
                    }
                }
            }
            if holds == Holds::AtAnyTime || round + 1 == rounds {
                let tally = event.tally();
                let ratings = Ratings::fit(&tally, holds).expect("fits");
                let is_wrong = |half: f64| (ratings.elo(Entrant(0)).get() - truth[0]).abs() > half;
                is_ever_wrong |= ratings.half_width(Entrant(0)).is_some_and(is_wrong);
                ranking = Some(Ranking::from_tally(&tally, &ratings));
            }
        }
        let ranking = ranking.expect("a round was played");
        let mut is_rank_wrong = false;
        for line in &ranking.bots {
            let bot = line.bot.0 as usize;
            let is_held = line.elo_half_width.is_none_or(|half| (line.elo.get() - truth[bot]).abs() <= half);
            each[bot] += if is_held { share } else { 0.0 };
            rates.width += share / bots as f64 * line.elo_half_width.unwrap_or(f64::INFINITY);
            rates.places += share / bots as f64 * f64::from(line.rank.worst - line.rank.best + 1);
            let above = truth.iter().filter(|other| **other > truth[bot] + 1e-6).count() as u32;
            let level = truth.iter().filter(|other| (**other - truth[bot]).abs() <= 1e-6).count() as u32;
            is_rank_wrong |= line.rank.best > above + 1 || line.rank.worst < above + level;
        }
        rates.wrong += if is_rank_wrong { share } else { 0.0 };
        rates.ever += if is_ever_wrong { share } else { 0.0 };
    }
    rates.ratings = each.iter().sum::<f64>() / bots as f64;
    rates.least = each.iter().copied().fold(1.0, f64::min);
    rates
}
