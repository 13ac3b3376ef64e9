//! Simulated fields with known truth, used by the tests and the coverage bench.
//!
//! A deal has a luck L for the player in the first seat, normal with standard deviation `luck`. In leg 0 the first bot wins
//! with probability σ(Δ + L), in leg 1 with σ(Δ − L), where Δ is the first's lead in strength. So the legs of a deal are
//! negatively correlated, as at dominoes.
#![allow(dead_code, reason = "the tests and the bench each use a part")]

use leyden_stats::{
    Comparison, Entrant, Field, FieldTally, Holds, Margin, PRIOR_WEIGHT, PairingResult, Score,
};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

pub(crate) mod circles;
pub(crate) mod circumstances;
pub(crate) mod few_pairs;
pub(crate) mod grades;
pub(crate) mod league;
pub(crate) mod legs;
pub(crate) mod luck;
pub(crate) mod movement;
pub(crate) mod pairs;
pub(crate) mod ranks;
pub(crate) mod repeated_looks;
pub(crate) mod single_pairs;

/// The bots beside a starter and its copies.
pub(crate) const OTHERS: usize = 12;

/// A seeded generator, the same on every machine.
pub(crate) struct Dice(ChaCha8Rng);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// Strictly between 0 and 1.
    pub(crate) fn uniform(&mut self) -> f64 {
        ((self.0.next_u64() >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
    }

    pub(crate) fn normal(&mut self) -> f64 {
        let angle = std::f64::consts::TAU * self.uniform();
        (-2.0 * self.uniform().ln()).sqrt() * angle.cos()
    }

    pub(crate) fn gumbel(&mut self) -> f64 {
        -(-self.uniform().ln()).ln()
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.uniform() * bound as f64) as usize
    }

    /// The first bot's score in one pair with lead `delta`; a share of `draws` of the legs is drawn.
    pub(crate) fn pair(&mut self, delta: f64, luck: f64, draws: f64) -> Score {
        Score::from_legs(&self.legs(delta, luck, draws))
    }

    fn legs(&mut self, delta: f64, luck: f64, draws: f64) -> [Comparison; 2] {
        let deal = luck * self.normal();
        [delta + deal, delta - deal].map(|lead| match self.uniform() < sigmoid(lead) {
            _ if draws > 0.0 && self.uniform() < draws => Comparison::Drawn,
            true => Comparison::Won,
            false => Comparison::Lost,
        })
    }
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// A field: the lead of each bot over each other, the luck of a deal, and the number of seats.
#[derive(Clone)]
pub(crate) struct World {
    pub(crate) name: &'static str,
    pub(crate) leads: Vec<Vec<f64>>,
    pub(crate) luck: f64,
    /// The share of legs that are drawn, for all players (two seats only).
    pub(crate) draws: f64,
    /// The share of its legs that the last bot loses by a fault, independently of the deal (two seats only).
    pub(crate) faults: f64,
    pub(crate) seats: usize,
    /// The bot that never wins a match.
    pub(crate) perfect_loser: Option<usize>,
}

impl World {
    /// Six bots about 50 Elo apart.
    pub(crate) fn seat_luck() -> Self {
        Self::from_strengths("seat luck", &[0.7, 0.4, 0.15, -0.1, -0.45, -0.7])
    }

    /// The same bots, but the best three beat one another in a circle.
    pub(crate) fn cycle() -> Self {
        let mut world = Self::from_strengths("cycle", &[0.3, 0.3, 0.3, -0.1, -0.4, -0.4]);
        for (winner, loser) in [(0, 1), (1, 2), (2, 0)] {
            world.leads[winner][loser] += 0.9;
            world.leads[loser][winner] -= 0.9;
        }
        world
    }

    /// Three bots: the first beats the second and the second the third, and the third is as strong as the first: a circle but
    /// for one step.
    pub(crate) fn open_circle() -> Self {
        let mut world = Self::from_strengths("all but a circle", &[0.0; 3]);
        for (winner, loser) in [(0, 1), (1, 2)] {
            world.leads[winner][loser] = 2.0;
            world.leads[loser][winner] = -2.0;
        }
        world
    }

    /// Five bots and one that loses every match.
    pub(crate) fn perfect_loser() -> Self {
        let mut world = Self::from_strengths("perfect loser", &[0.5, 0.25, 0.0, -0.25, -0.5, 0.0]);
        for other in 0..5 {
            world.leads[other][5] = f64::INFINITY;
            world.leads[5][other] = f64::NEG_INFINITY;
        }
        world.perfect_loser = Some(5);
        world
    }

    /// The same with every third match drawn.
    pub(crate) fn many_draws() -> Self {
        Self { name: "many draws", draws: 1.0 / 3.0, ..Self::seat_luck() }
    }

    /// The same, but the last loses every fifth match by a fault.
    pub(crate) fn faults() -> Self {
        Self { name: "faults", faults: 0.2, ..Self::seat_luck() }
    }

    /// Six equal bots.
    pub(crate) fn equal() -> Self {
        Self::from_strengths("six equal bots", &[0.0; 6])
    }

    /// Six bots over 800 Elo.
    pub(crate) fn wide() -> Self {
        Self::from_strengths("800 Elo apart", &[2.3, 1.4, 0.5, -0.5, -1.4, -2.3])
    }

    /// Thirty bots as close together as the six.
    pub(crate) fn thirty() -> Self {
        let strengths: Vec<f64> = (0..30).map(|bot| 0.7 - 1.4 * f64::from(bot) / 29.0).collect();
        Self::from_strengths("thirty bots", &strengths)
    }

    /// Six bots at tables of three: all twenty tables per block, all rotations per table.
    pub(crate) fn three_seats() -> Self {
        Self { name: "three seats", seats: 3, ..Self::seat_luck() }
    }

    /// Six bots at tables of four: all fifteen tables per block, all rotations per table.
    pub(crate) fn four_seats() -> Self {
        Self { name: "four seats", seats: 4, ..Self::seat_luck() }
    }

    /// This many bots, each stronger than the next by `elo`.
    pub(crate) fn ladder(bots: usize, elo: f64) -> Self {
        let middle = (bots - 1) as f64 / 2.0;
        let theta = elo * std::f64::consts::LN_10 / 400.0;
        let strengths: Vec<f64> = (0..bots).map(|bot| (middle - bot as f64) * theta).collect();
        Self::from_strengths("a ladder", &strengths)
    }

    /// A ladder and one more bot, that many steps below the first.
    pub(crate) fn with_newcomer(bots: usize, elo: f64, below: f64) -> Self {
        let theta = elo * std::f64::consts::LN_10 / 400.0;
        let mut strengths: Vec<f64> = (0..bots).map(|bot| -(bot as f64) * theta).collect();
        strengths.push(-below * theta);
        Self::from_strengths("a ladder and a newcomer", &strengths)
    }

    /// Twelve bots 30 Elo apart, and after them a starter and this many near-copies of it, each up to 20 Elo better. Every third one beats the
    /// next third by `odd` Elo more than strength says, in a circle; copies have these odd matchups from the starter, which is as strong
    /// as the bot at this index.
    pub(crate) fn with_copies(odd: f64, starter: usize, copies: usize) -> Self {
        let theta = |elo: f64| elo * std::f64::consts::LN_10 / 400.0;
        let of_starter = 30.0 * (5.5 - starter as f64);
        let others = (0..OTHERS).map(|bot| 30.0 * (5.5 - bot as f64));
        let copy = |number: usize| of_starter + 20.0 * number as f64 / copies as f64;
        let strengths: Vec<f64> =
            others.chain([of_starter]).chain((1..=copies).map(copy)).map(theta).collect();
        let mut world = Self::from_strengths("copies", &strengths);
        let third = |bot: usize| bot.min(OTHERS) % 3;
        for bot in 0..world.bots() {
            for other in 0..world.bots() {
                world.leads[bot][other] += match (3 + third(other) - third(bot)) % 3 {
                    1 => theta(odd),
                    2 => -theta(odd),
                    _ => 0.0,
                };
            }
        }
        world
    }

    fn from_strengths(name: &'static str, strengths: &[f64]) -> Self {
        let leads = strengths.iter().map(|own| strengths.iter().map(|other| own - other).collect()).collect();
        Self { name, leads, luck: 1.5, draws: 0.0, faults: 0.0, seats: 2, perfect_loser: None }
    }

    pub(crate) fn bots(&self) -> usize {
        self.leads.len()
    }

    fn tables(&self) -> Vec<Vec<Entrant>> {
        // The next higher number with the same number of bits: W. Gosper, HAKMEM, item 175.
        let next = |set: &u64| {
            let lowest = set & set.wrapping_neg();
            let carried = set + lowest;
            Some((((carried ^ set) >> 2) / lowest) | carried)
        };
        std::iter::successors(Some((1 << self.seats) - 1), next)
            .take_while(|set| *set < 1 << self.bots())
            .map(|set| (0..self.bots() as u32).filter(|bot| set >> bot & 1 == 1).map(Entrant).collect())
            .collect()
    }

    /// Who meets whom in a block.
    pub(crate) fn field(&self) -> Field {
        Field::from_tables(self.bots(), &self.tables()).expect("tables of this field")
    }

    /// One simulated tournament.
    pub(crate) fn play(&self, blocks: u32, dice: &mut Dice) -> FieldTally {
        let results = (0..blocks).flat_map(|block| self.block(block, dice)).collect();
        FieldTally::from_results(self.field(), results).expect("results of this field")
    }

    /// One block of a tournament.
    pub(crate) fn block(&self, block: u32, dice: &mut Dice) -> Vec<PairingResult> {
        let mut results = Vec::new();
        for table in &self.tables() {
            if self.seats == 2 {
                let (first, second) = (table[0], table[1]);
                let lead = self.leads[first.0 as usize][second.0 as usize];
                let mut legs = dice.legs(lead, self.luck, self.draws);
                if self.faults > 0.0 && self.is_last(second.0 as usize) {
                    for leg in &mut legs {
                        if dice.uniform() < self.faults {
                            *leg = Comparison::Won;
                        }
                    }
                }
                let score = Score::from_legs(&legs);
                results.push(PairingResult { block, first, second, score, margin: Margin::default() });
            } else {
                self.play_table(block, table, dice, &mut results);
            }
        }
        results
    }

    /// All rotations of one deal. Each two bots compare by final score: strength plus luck of the seat plus noise of the leg
    /// (Gumbel, so that comparisons follow the logistic model except for luck).
    fn play_table(&self, block: u32, table: &[Entrant], dice: &mut Dice, results: &mut Vec<PairingResult>) {
        let seats = table.len();
        let luck: Vec<f64> = table.iter().map(|_| self.luck * dice.normal()).collect();
        let mut legs: Vec<Vec<f64>> = Vec::new();
        for leg in 0..seats {
            legs.push(
                (0..seats)
                    .map(|player| {
                        let strength = self.leads[table[player].0 as usize][0];
                        strength + luck[(player + seats - leg) % seats] + dice.gumbel()
                    })
                    .collect(),
            );
        }
        for one in 0..seats {
            for other in 0..one {
                let outcomes: Vec<Comparison> = legs
                    .iter()
                    .map(
                        |scores| if scores[one] > scores[other] { Comparison::Won } else { Comparison::Lost },
                    )
                    .collect();
                let (first, second) = (table[one], table[other]);
                let score = Score::from_legs(&outcomes);
                results.push(PairingResult { block, first, second, score, margin: Margin::default() });
            }
        }
    }

    /// Probability that `one` beats `other`, averaged over the luck of deals.
    pub(crate) fn expected_score(&self, one: usize, other: usize) -> f64 {
        // At a larger table the luck of one seat is independent of the other's.
        let luck = if self.seats == 2 { self.luck } else { self.luck * std::f64::consts::SQRT_2 };
        integrate(|z| self.points(one, other, luck * z))
    }

    fn is_last(&self, bot: usize) -> bool {
        bot + 1 == self.bots()
    }

    /// Expected points of `one` in a match with `other` on a deal with this luck.
    fn points(&self, one: usize, other: usize, luck: f64) -> f64 {
        let played = (1.0 - self.draws) * sigmoid(self.leads[one][other] + luck) + self.draws / 2.0;
        match [one, other].map(|bot| self.is_last(bot)) {
            [true, _] => (1.0 - self.faults) * played,
            [_, true] => self.faults + (1.0 - self.faults) * played,
            _ => played,
        }
    }

    /// ρ of a two-seat pairing.
    pub(crate) fn rho(&self, one: usize, other: usize) -> f64 {
        let mean = self.expected_score(one, other);
        let both =
            integrate(|z| self.points(one, other, self.luck * z) * self.points(one, other, -self.luck * z));
        (both - mean * mean) / (mean * (1.0 - mean) - self.draws / 4.0)
    }

    /// The Elo to which endless play converges. With a perfect loser nothing converges; then the ratings that the estimator
    /// gives for the expected scores of `blocks` blocks, prior included.
    pub(crate) fn truth(&self, blocks: u32) -> Vec<f64> {
        let n = self.bots();
        let prior = if self.perfect_loser.is_some() { PRIOR_WEIGHT } else { 0.0 };
        let tables =
            self.tables().iter().filter(|table| table.starts_with(&[Entrant(0), Entrant(1)])).count();
        let matches = f64::from(blocks) * (tables * self.seats) as f64;
        let expected: Vec<Vec<f64>> =
            (0..n).map(|i| (0..n).map(|j| self.expected_score(i, j)).collect()).collect();
        let mut theta = vec![0.0; n];
        for _ in 0..5_000 {
            for i in 0..n {
                let q = sigmoid(theta[i]);
                let (mut slope, mut bend) = (prior * (1.0 - 2.0 * q), 2.0 * prior * q * (1.0 - q));
                for j in (0..n).filter(|j| *j != i) {
                    let p = sigmoid(theta[i] - theta[j]);
                    slope += matches * (expected[i][j] - p);
                    bend += matches * p * (1.0 - p);
                }
                theta[i] += (slope / bend).clamp(-0.5, 0.5);
            }
            let mean = theta.iter().sum::<f64>() / n as f64;
            if prior == 0.0 {
                for theta in &mut theta {
                    *theta -= mean;
                }
            }
        }
        let mean = theta.iter().sum::<f64>() / n as f64;
        theta.iter().map(|theta| (theta - mean) * 400.0 / std::f64::consts::LN_10).collect()
    }
}

/// The mean of `f` over a standard normal, by the trapezoid rule.
fn integrate(f: impl Fn(f64) -> f64) -> f64 {
    let step = 1.0 / 16.0;
    let (mut sum, mut weights) = (0.0, 0.0);
    for k in -128..=128 {
        let z = f64::from(k) * step;
        let weight = (-0.5 * z * z).exp();
        sum += weight * f(z);
        weights += weight;
    }
    sum / weights
}

/// How often the true values lay in the intervals of `boards` simulated tournaments.
pub(crate) struct Coverage {
    /// Bot by bot, of the rating.
    pub(crate) ratings: Vec<f64>,
    /// Bot by bot, of the rank.
    pub(crate) ranks: Vec<f64>,
    /// Tables in which every rank held.
    pub(crate) tables: f64,
    /// Mean number of places that a bot may hold.
    pub(crate) places: f64,
    /// Pairing by pairing, of the head-to-head score.
    pub(crate) scores: Vec<f64>,
    /// Pairing by pairing, of ρ (two seats and twenty blocks only).
    pub(crate) rho: Vec<f64>,
    /// The share of pairings in which the p-value of two equal bots is below 5 %.
    pub(crate) superiority: f64,
    /// Mean half-width of the rating, bot by bot.
    pub(crate) half_widths: Vec<f64>,
    /// Tournaments in which a circle was announced.
    pub(crate) circles: f64,
}

/// Plays `boards` tournaments of `blocks` blocks.
pub(crate) fn coverage(world: &World, blocks: u32, boards: u32, seed: u64) -> Coverage {
    use leyden_stats::{Ranking, Ratings, head_to_head};
    let mut dice = Dice::new(seed);
    let truth = world.truth(blocks);
    let n = world.bots();
    let pairings: Vec<(usize, usize)> =
        (0..n).flat_map(|high| (0..high).map(move |low| (low, high))).collect();
    let scores: Vec<f64> = pairings.iter().map(|(i, j)| world.expected_score(*i, *j)).collect();
    let rho: Vec<f64> = pairings.iter().map(|(i, j)| world.rho(*i, *j)).collect();
    let zero = Coverage {
        ratings: vec![0.0; n],
        ranks: vec![0.0; n],
        tables: 0.0,
        places: 0.0,
        scores: vec![0.0; pairings.len()],
        rho: vec![0.0; pairings.len()],
        superiority: 0.0,
        half_widths: vec![0.0; n],
        circles: 0.0,
    };
    let share = 1.0 / f64::from(boards);
    (0..boards).fold(zero, |mut hits, _| {
        let tally = world.play(blocks, &mut dice);
        let ratings = Ratings::fit(&tally, Holds::AtPlannedEnd).expect("fits");
        let report = Ranking::from_tally(&tally, &ratings);
        let mut is_whole = true;
        for line in &report.bots {
            let (i, half) = (line.bot.0 as usize, line.elo_half_width.expect("two blocks or more"));
            hits.half_widths[i] += share * half;
            hits.ratings[i] += if (line.elo.get() - truth[i]).abs() <= half { share } else { 0.0 };
            // Bots of equal truth share their places.
            let above = truth.iter().filter(|other| **other > truth[i] + 1e-6).count() as u32;
            let level = truth.iter().filter(|other| (**other - truth[i]).abs() <= 1e-6).count() as u32;
            let inside = line.rank.best <= above + level && line.rank.worst > above;
            hits.ranks[i] += if inside { share } else { 0.0 };
            is_whole &= inside;
            hits.places += share * f64::from(line.rank.worst - line.rank.best + 1) / n as f64;
        }
        hits.tables += if is_whole { share } else { 0.0 };
        for (index, line) in head_to_head(&tally, Holds::AtPlannedEnd).enumerate() {
            let score = line.score_interval.expect("two blocks or more");
            hits.scores[index] += if score.contains(scores[index]) { share } else { 0.0 };
            let gain = line.pairing;
            hits.rho[index] +=
                if gain.is_some_and(|gain| gain.rho_interval.contains(rho[index])) { share } else { 0.0 };
            let p_value = ratings.p_value(line.first, line.second).expect("two blocks or more");
            let (i, j) = pairings[index];
            let is_wrong = world.leads[i][j] == 0.0 && p_value < 0.05;
            hits.superiority += if is_wrong { share / pairings.len() as f64 } else { 0.0 };
        }
        hits.circles += if report.cycles.is_empty() { 0.0 } else { share };
        hits
    })
}
