//! Simulated fields whose truth is known: what the tests and the coverage bench draw from.
//!
//! A deal has a luck L, normal with standard deviation `luck`, for whoever sits in the first seat. In leg 0 the first
//! bot wins with probability σ(Δ + L), in leg 1 with σ(Δ − L), Δ the first's lead in strength. So legs of a deal are
//! negatively correlated, as at dominoes.
#![allow(dead_code, reason = "the tests and the bench each use a part")]

use leyden_stats::{Comparison, Encounter, Entrant, Field, FieldTally, Margin, PRIOR_WEIGHT, Score};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Seeded, the same on every machine.
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

    /// The first's score in one pair with lead `delta`.
    pub(crate) fn pair(&mut self, delta: f64, luck: f64) -> Score {
        let deal = luck * self.normal();
        let legs = [delta + deal, delta - deal]
            .map(|lead| if self.uniform() < sigmoid(lead) { Comparison::Won } else { Comparison::Lost });
        Score::of_legs(&legs)
    }
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// A field: the lead of each bot over each other one, the luck of a deal, and how many sit at a table.
pub(crate) struct World {
    pub(crate) name: &'static str,
    pub(crate) leads: Vec<Vec<f64>>,
    pub(crate) luck: f64,
    pub(crate) seats: usize,
    /// The bot that never wins a match.
    pub(crate) perfect_loser: Option<usize>,
}

impl World {
    /// Six bots about 50 Elo apart.
    pub(crate) fn seat_luck() -> Self {
        Self::of_strengths("seat luck", &[0.7, 0.4, 0.15, -0.1, -0.45, -0.7])
    }

    /// The same bots, the three best of which beat one another in a circle.
    pub(crate) fn cycle() -> Self {
        let mut world = Self::of_strengths("cycle", &[0.3, 0.3, 0.3, -0.1, -0.4, -0.4]);
        for (winner, loser) in [(0, 1), (1, 2), (2, 0)] {
            world.leads[winner][loser] += 0.9;
            world.leads[loser][winner] -= 0.9;
        }
        world
    }

    /// Five bots and one that loses every match.
    pub(crate) fn perfect_loser() -> Self {
        let mut world = Self::of_strengths("perfect loser", &[0.5, 0.25, 0.0, -0.25, -0.5, 0.0]);
        for other in 0..5 {
            world.leads[other][5] = f64::INFINITY;
            world.leads[5][other] = f64::NEG_INFINITY;
        }
        world.perfect_loser = Some(5);
        world
    }

    /// Six bots at tables of four, all fifteen tables a block, all rotations a table.
    pub(crate) fn four_seats() -> Self {
        Self { name: "four seats", seats: 4, ..Self::seat_luck() }
    }

    fn of_strengths(name: &'static str, strengths: &[f64]) -> Self {
        let leads = strengths.iter().map(|own| strengths.iter().map(|other| own - other).collect()).collect();
        Self { name, leads, luck: 1.5, seats: 2, perfect_loser: None }
    }

    pub(crate) fn bots(&self) -> usize {
        self.leads.len()
    }

    fn tables(&self) -> Vec<Vec<Entrant>> {
        let sets = 0..1_u32 << self.bots();
        sets.filter(|set| set.count_ones() as usize == self.seats)
            .map(|set| (0..self.bots() as u32).filter(|bot| set >> bot & 1 == 1).map(Entrant).collect())
            .collect()
    }

    /// One simulated tournament.
    pub(crate) fn play(&self, blocks: u32, dice: &mut Dice) -> FieldTally {
        let tables = self.tables();
        let field = Field::of_tables(self.bots(), &tables).expect("tables of this field");
        let mut encounters = Vec::new();
        for block in 0..blocks {
            for table in &tables {
                if self.seats == 2 {
                    let (first, second) = (table[0], table[1]);
                    let score = dice.pair(self.leads[first.0 as usize][second.0 as usize], self.luck);
                    encounters.push(Encounter { block, first, second, score, margin: Margin::default() });
                } else {
                    self.play_table(block, table, dice, &mut encounters);
                }
            }
        }
        FieldTally::of(field, encounters).expect("results of this field")
    }

    /// All rotations of one deal; each two bots compare by final score, which is strength, the luck of the seat and
    /// noise of the leg (Gumbel, so that comparisons follow the logistic model but for luck).
    fn play_table(&self, block: u32, table: &[Entrant], dice: &mut Dice, encounters: &mut Vec<Encounter>) {
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
                let score = Score::of_legs(&outcomes);
                encounters.push(Encounter { block, first, second, score, margin: Margin::default() });
            }
        }
    }

    /// Probability that the one beats the other, the luck of deals averaged out.
    pub(crate) fn expected_score(&self, one: usize, other: usize) -> f64 {
        // At a larger table the two seats' lucks are independent.
        let luck = if self.seats == 2 { self.luck } else { self.luck * std::f64::consts::SQRT_2 };
        integrate(|z| sigmoid(self.leads[one][other] + luck * z))
    }

    /// ρ of a two-seat pairing.
    pub(crate) fn rho(&self, one: usize, other: usize) -> f64 {
        let (delta, mean) = (self.leads[one][other], self.expected_score(one, other));
        let both = integrate(|z| sigmoid(delta + self.luck * z) * sigmoid(delta - self.luck * z));
        (both - mean * mean) / (mean * (1.0 - mean))
    }

    /// The Elo that endless play converges to. With a perfect loser nothing converges; then what the estimator would
    /// say of the expected scores of `blocks` blocks, its prior included.
    pub(crate) fn truth(&self, blocks: u32) -> Vec<f64> {
        let n = self.bots();
        let prior = if self.perfect_loser.is_some() { PRIOR_WEIGHT } else { 0.0 };
        let matches = f64::from(blocks) * if self.seats == 2 { 2.0 } else { 24.0 };
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

/// How often the true values lay inside the intervals of `boards` simulated tournaments.
pub(crate) struct Coverage {
    /// Bot by bot, of the rating.
    pub(crate) ratings: Vec<f64>,
    /// Bot by bot, of the rank.
    pub(crate) ranks: Vec<f64>,
    /// Pairing by pairing, of the head-to-head score.
    pub(crate) scores: Vec<f64>,
    /// Pairing by pairing, of ρ (two seats only).
    pub(crate) rho: Vec<f64>,
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
        scores: vec![0.0; pairings.len()],
        rho: vec![0.0; pairings.len()],
        half_widths: vec![0.0; n],
        circles: 0.0,
    };
    let share = 1.0 / f64::from(boards);
    (0..boards).fold(zero, |mut hits, _| {
        let tally = world.play(blocks, &mut dice);
        let ratings = Ratings::fit(&tally).expect("fits");
        let report = Ranking::of(&tally, &ratings);
        for line in &report.bots {
            let (i, half) = (line.bot.0 as usize, line.elo_half_width.expect("two blocks or more"));
            hits.half_widths[i] += share * half;
            hits.ratings[i] += if (line.elo.get() - truth[i]).abs() <= half { share } else { 0.0 };
            // Bots of equal truth share their places.
            let above = truth.iter().filter(|other| **other > truth[i] + 1e-6).count() as u32;
            let level = truth.iter().filter(|other| (**other - truth[i]).abs() <= 1e-6).count() as u32;
            let inside = line.rank.best <= above + level && line.rank.worst > above;
            hits.ranks[i] += if inside { share } else { 0.0 };
        }
        for (place, line) in head_to_head(&tally).enumerate() {
            let score = line.score_interval.expect("two blocks or more");
            hits.scores[place] += if score.contains(scores[place]) { share } else { 0.0 };
            let interval = line.pairing.and_then(|pairing| pairing.rho_interval);
            hits.rho[place] +=
                if interval.is_some_and(|interval| interval.contains(rho[place])) { share } else { 0.0 };
        }
        hits.circles += if report.cycles.is_empty() { 0.0 } else { share };
        hits
    })
}

/// How many of `tests` fixed-length comparisons of two equal players call one of them stronger at 95 %.
pub(crate) fn fixed_length_rejections(tests: u32, pairs: u32, seed: u64) -> u32 {
    use leyden_stats::{MatchEstimate, PairingTally};
    let mut dice = Dice::new(seed);
    let rejects = |_: &u32| {
        let mut tally = PairingTally::new(2);
        for _ in 0..pairs {
            tally.record(dice.pair(0.0, 1.5), Margin::default()).expect("two matches");
        }
        let estimate = MatchEstimate::of(&tally).expect("pairs were played");
        !estimate.score_interval.expect("two blocks or more").contains(0.5)
    };
    (0..tests).filter(rejects).count() as u32
}

/// Outcomes of many gates.
#[derive(Debug, Default)]
pub(crate) struct GateSum {
    pub(crate) accepted: u32,
    pub(crate) rejected: u32,
    pub(crate) mean_pairs: f64,
    /// Times the anytime-valid interval held the true score.
    pub(crate) anytime_holds: u32,
    /// Times an interval that ignores the stopping did.
    pub(crate) ordinary_holds: u32,
}

/// Runs gates on pairs whose true strength is `truth` in normalised Elo.
pub(crate) fn gates((h0, h1): (f64, f64), truth: f64, runs: u32, max_pairs: u64, seed: u64) -> GateSum {
    use leyden_stats::{
        Gate, GateEnd, Hypotheses, MatchEstimate, NormalisedElo, PairPoints, PairResult, PairingTally,
        SprtPlan,
    };
    let hypotheses = Hypotheses::Normalised { h0: NormalisedElo::new(h0), h1: NormalisedElo::new(h1) };
    let plan = SprtPlan::new(hypotheses, 0.05, 0.05, max_pairs).expect("sane plan");
    let chances = pair_chances(truth);
    let score: f64 =
        chances.iter().zip([0.0, 0.25, 0.5, 0.75, 1.0]).map(|(chance, score)| chance * score).sum();
    let mut dice = Dice::new(seed);
    let mut sum = GateSum::default();
    for _ in 0..runs {
        let (mut gate, mut tally) = (Gate::new(plan), PairingTally::new(2));
        for block in 0.. {
            let mut draw = dice.uniform();
            let mut points = 0;
            while points < 4 && draw > chances[usize::from(points)] {
                draw -= chances[usize::from(points)];
                points += 1;
            }
            let points: Score = PairPoints::from_half_points(points).expect("at most four").into();
            tally.record(points, Margin::default()).expect("two matches");
            let pair = PairResult::Played { score: points, margin: Margin::default(), mirrored: false };
            if gate.record(block, pair).expect("each block once").is_some() {
                break;
            }
        }
        let report = gate.report();
        sum.accepted += u32::from(report.end == Some(GateEnd::Accepted));
        sum.rejected += u32::from(report.end == Some(GateEnd::Rejected));
        sum.mean_pairs += report.pairs as f64 / f64::from(runs);
        let anytime = report.estimate.expect("pairs were played").score_interval;
        sum.anytime_holds += u32::from(anytime.contains(score));
        let ordinary = MatchEstimate::of(&tally).and_then(|estimate| estimate.score_interval);
        sum.ordinary_holds += u32::from(ordinary.is_some_and(|interval| interval.contains(score)));
    }
    sum
}

/// A distribution of pairs like those of dominoes, tilted until its normalised Elo is `truth`.
fn pair_chances(truth: f64) -> [f64; 5] {
    let base = [0.22, 0.01, 0.54, 0.01, 0.22];
    let tilted = |tilt: f64| {
        let weights: [f64; 5] = std::array::from_fn(|i| base[i] * (tilt * i as f64).exp());
        let total: f64 = weights.iter().sum();
        weights.map(|weight| weight / total)
    };
    let normalised = |chances: [f64; 5]| {
        let mean: f64 = (0..5).map(|i| chances[i] * i as f64 / 4.0).sum();
        let variance: f64 = (0..5).map(|i| chances[i] * (i as f64 / 4.0 - mean).powi(2)).sum();
        (mean - 0.5) / (2.0 * variance).sqrt() * 800.0 / std::f64::consts::LN_10
    };
    let (mut low, mut high) = (-2.0, 2.0);
    for _ in 0..100 {
        let tilt = f64::midpoint(low, high);
        if normalised(tilted(tilt)) < truth { low = tilt } else { high = tilt }
    }
    tilted(low)
}
