//! Error rates of the sequential test on pairs without luck, and the pairs it needs, drawn from pairs that were played.
//!
//! `cargo bench -p leyden-luck --bench gate -- [--runs N] [--bounds H0 H1]` draws gates from the pairs in `benches/pairs`;
//! `-- intervals` shows how often the interval of a score without luck holds the truth; `-- worth` the same of what that is worth;
//! `-- grades` how often another seed gives another grade; `-- play` plays the pairs again, in this process, and writes the files.
#![allow(clippy::print_stdout, reason = "a bench reports on standard output")]

use std::path::{Path, PathBuf};

use leyden_luck::LuckEstimator;
use leyden_protocol::RulesName;
use leyden_rules::Rules;
use leyden_stats::{
    AdjustedPairs, AdjustedScore, Holds, Hypotheses, LUCK_ESTIMATES, LuckEstimates, NormalisedElo, PairLuck,
    PairPoints, Pentanomial, PointChances, PointScale, Repeat, SprtPlan, Verdict, adjust, half_width_of_mean,
    solve,
};

#[path = "../tests/table/mod.rs"]
mod table;

/// The pairs that were played: a name, the bots, the rules and the number of pairs.
const PLAYED: [(&str, [&str; 2], RulesName, u32); 7] = [
    ("blunder-5-itself", ["careful --blunder 5"; 2], RulesName::Leyden, 2_000),
    ("careful-blunder-5", ["careful", "careful --blunder 5"], RulesName::Leyden, 2_000),
    ("careful-blunder-25", ["careful", "careful --blunder 25"], RulesName::Leyden, 2_000),
    ("greedy-careful", ["greedy", "careful"], RulesName::Leyden, 2_000),
    ("matador-blunder-5", ["careful", "careful --blunder 5"], RulesName::Matador, 2_000),
    ("random-itself", ["random"; 2], RulesName::Leyden, 1_000),
    ("montecarlo-careful", ["montecarlo --playouts 50", "careful"], RulesName::Leyden, 1_000),
];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.iter().any(|word| word == "play") {
        return PLAYED.iter().for_each(play);
    }
    let after = |name: &'static str| words.iter().skip_while(move |word| *word != name).skip(1);
    let number = |word: &String| word.parse::<f64>().expect("a number");
    // As a test, it only shows that it still runs.
    let usual = if words.iter().any(|word| word == "--bench") { 10_000 } else { 10 };
    let runs = after("--runs").next().map_or(usual, |word| number(word) as u32);
    if words.iter().any(|word| word == "intervals") {
        return PLAYED.iter().for_each(|(name, ..)| intervals(name, runs));
    }
    if words.iter().any(|word| word == "worth") {
        return PLAYED.iter().for_each(|(name, ..)| worth(name, runs / 10));
    }
    if words.iter().any(|word| word == "grades") {
        return PLAYED.iter().for_each(|(name, ..)| grades(name, runs / 10));
    }
    let bounds = match after("--bounds").take(2).map(number).collect::<Vec<_>>()[..] {
        [h0, h1] => vec![(h0, h1)],
        _ => vec![(0.0, 20.0), (-20.0, 0.0), (0.0, 60.0), (0.0, 150.0)],
    };
    let bounds_of =
        |h0, h1| Hypotheses::Normalised { h0: NormalisedElo::new(h0), h1: NormalisedElo::new(h1) };
    println!(
        "bounds      pairs of              wrongly accepted, rejected; pairs  plain: the same  fewer  interval holds"
    );
    for (h0, h1) in bounds {
        let plan = SprtPlan::new(bounds_of(h0, h1), 0.05, 0.05, 20_000).expect("sane");
        let names = PLAYED.iter().map(|(name, ..)| (*name, 1));
        // With `rare` above 1, bots that play alike in all deals but one of `rare`.
        for (name, rare) in names.chain([("careful-blunder-25", 20), ("greedy-careful", 20)]) {
            let Some(mut played) = read(name) else { continue };
            played.resize(rare * played.len(), (0.5, LuckEstimates::default()));
            let samplers = [h0, h1].map(|truth| Sampler::new(&played, truth));
            let [Some(lower), Some(upper)] = &samplers else {
                println!(
                    "{h0:4} {h1:4}  {name:20} no weights that fifty pairs carry make both hypotheses true"
                );
                continue;
            };
            let sums = [lower, upper].map(|sampler| {
                let without_luck =
                    (0..runs).fold(Sum::default(), |sum, run| sum.with(&plan, sampler, run, true));
                let raw =
                    (0..runs / 10).fold(Sum::default(), |sum, run| sum.with(&plan, sampler, run, false));
                (without_luck, raw)
            });
            let [(at_h0, raw_h0), (at_h1, raw_h1)] = &sums;
            let share = |part: u32, sum: &Sum| 100.0 * f64::from(part) / f64::from(sum.runs);
            let pairs = |sum: &Sum| sum.pairs as f64 / f64::from(sum.runs);
            let (new, old) = (pairs(at_h0) + pairs(at_h1), pairs(raw_h0) + pairs(raw_h1));
            println!(
                "{h0:4} {h1:4}  {name:20}{} {:5.2} {:5.2}; {:5.0} {:5.0}   {:4.1} {:4.1}; {:5.0} {:5.0}   {:.2}   {:.1} {:.1}",
                if rare > 1 { ", one of 20" } else { "" },
                share(at_h0.accepted, at_h0),
                share(at_h1.rejected, at_h1),
                pairs(at_h0),
                pairs(at_h1),
                share(raw_h0.accepted, raw_h0),
                share(raw_h1.rejected, raw_h1),
                pairs(raw_h0),
                pairs(raw_h1),
                new / old,
                share(at_h0.holds, at_h0),
                share(at_h1.holds, at_h1)
            );
        }
    }
}

/// A pair's score and luck.
type Played = (f64, LuckEstimates);

/// The pairs of a file.
fn read(name: &str) -> Option<Vec<Played>> {
    let text = std::fs::read_to_string(file(name)).ok()?;
    let pair = |line: &str| {
        let mut numbers = line.split(' ').filter_map(|word| word.parse::<f64>().ok());
        let score = numbers.next()? / 4.0;
        Some((score, numbers.collect::<Vec<_>>().try_into().ok()?))
    };
    text.lines().map(pair).collect()
}

/// How often the 95 % interval of the score without luck of a few pairs, drawn from those of a file, holds the truth.
fn intervals(name: &str, runs: u32) {
    let Some(mut played) = read(name) else { return };
    let n = played.len() as f64;
    let truth = played.iter().map(|(score, _)| score).sum::<f64>() / n;
    let mean = |at: usize| played.iter().map(|(_, luck)| luck[at]).sum::<f64>() / n;
    let means: LuckEstimates = std::array::from_fn(mean);
    for (_, luck) in &mut played {
        for (estimate, mean) in luck.iter_mut().zip(means) {
            *estimate -= mean;
        }
    }
    let shares = [2, 3, 5, 10, 20, 100].map(|count| {
        let holds = |run: &u32| {
            let mut dice = Dice(u64::from(*run) << 32);
            let pairs: Vec<PairLuck> = (0..count)
                .map(|block| {
                    let (score, luck) = played[(dice.uniform() * n) as usize];
                    PairLuck { block, score, luck }
                })
                .collect();
            adjust(&pairs).is_some_and(|estimate| {
                let half = half_width_of_mean(estimate.adjusted_se, estimate.pairs, Holds::AtPlannedEnd);
                half.is_some_and(|half| (estimate.adjusted - truth).abs() <= half)
            })
        };
        let held = (0..runs).filter(holds).count() as f64;
        format!("{count} pairs {:.1}", 100.0 * held / f64::from(runs))
    });
    println!("{name:20} intervals hold the truth, %: {}", shares.join(", "));
}

/// Draws this many pairs of a file.
fn drawn(played: &[Played], count: u32, run: u32) -> Vec<PairLuck> {
    let mut dice = Dice(u64::from(run) << 32);
    let pair = |block| {
        let (score, luck) = played[(dice.uniform() * played.len() as f64) as usize];
        PairLuck { block, score, luck }
    };
    (0..count).map(pair).collect()
}

/// How often the 95 % interval of what a score without luck is worth holds how many times the pairs it is worth: by the variance of
/// means of 20, 50 and 200 pairs, drawn from those of a file.
fn worth(name: &str, runs: u32) {
    let Some(played) = read(name) else { return };
    let shares = [20, 50, 200].map(|count| {
        let all: Vec<_> = (0..runs).filter_map(|run| adjust(&drawn(&played, count, run))).collect();
        let variance = |of: fn(&AdjustedScore) -> f64| {
            let mean = all.iter().map(of).sum::<f64>() / all.len() as f64;
            all.iter().map(|adjusted_gate| (of(adjusted_gate) - mean).powi(2)).sum::<f64>()
        };
        let truth =
            variance(|adjusted_gate| adjusted_gate.adjusted) / variance(|adjusted_gate| adjusted_gate.raw);
        let ratios =
            || all.iter().filter_map(|adjusted_gate| adjusted_gate.ratio_interval(Holds::AtPlannedEnd));
        let known = ratios().count() as f64;
        let held = ratios().filter(|ratio| ratio.contains(truth)).count() as f64;
        let low = ratios().map(|ratio| 1.0 / ratio.high).sum::<f64>() / known;
        let high = ratios().map(|ratio| 1.0 / ratio.low).sum::<f64>() / known;
        format!("{count} pairs {:.1}, {low:.1} to {high:.1}, {:.1} %", 1.0 / truth, 100.0 * held / known)
    });
    println!("{name:20} worth, interval, holds: {}", shares.join("; "));
}

/// How often another seed gives another grade to the second bot of a file, by the usual points against the first and a grade for
/// every ten of them: as it comes and as predicted, and the standard deviation of its points.
fn grades(name: &str, runs: u32) {
    const SCALE: PointScale = PointScale { none_at: 0.25, full_at: 0.5, most: 50.0 };
    const GRADES: f64 = 10.0;
    let Some(played) = read(name) else { return };
    let each = [(20, true), (100, false), (40, true), (200, false), (150, true), (750, false)];
    let each = each.map(|(count, is_without_luck)| {
        let points = |run| {
            let adjusted_gate = adjust(&drawn(&played, count, run)).expect("two pairs or more");
            let of = if is_without_luck {
                (adjusted_gate.adjusted, adjusted_gate.adjusted_se)
            } else {
                (adjusted_gate.raw, adjusted_gate.raw_se)
            };
            let repeat = Repeat::from_mean(1.0 - of.0, of.1, adjusted_gate.pairs).expect("two pairs or more");
            ((10.0 * SCALE.points(repeat.score())).round() / 10.0, PointChances::new(&SCALE, &repeat))
        };
        let (mut others, mut predicted, mut spread) = (0, 0.0, 0.0);
        for run in 0..runs {
            let ((one, chances), (other, _)) = (points(2 * run), points(2 * run + 1));
            let grade = |points: f64| ((points + 1e-9) / GRADES).floor();
            let from = grade(one) * GRADES;
            others += u32::from((grade(other) - grade(one)).abs() > 0.5);
            predicted += chances.outside(from, Some(from + GRADES)) / f64::from(runs);
            spread += (one - other).powi(2) / f64::from(2 * runs);
        }
        format!(
            "{count} {} {:.0} ({:.0}) % sd {:.1}",
            if is_without_luck { "without luck" } else { "as played" },
            100.0 * f64::from(others) / f64::from(runs),
            100.0 * predicted,
            spread.sqrt()
        )
    });
    println!("{name:20} another grade (as predicted): {}", each.join("; "));
}

/// Draws played pairs with weights exp(θ·score + φ·luck) that make a hypothesis true and the mean luck 0.
struct Sampler<'a> {
    played: &'a [Played],
    cumulated: Vec<f64>,
    mean: f64,
}

impl<'a> Sampler<'a> {
    /// With a true strength of `truth` normalised Elo; `None` if no weights achieve that, or only those that rest on few pairs.
    fn new(played: &'a [Played], truth: f64) -> Option<Self> {
        let target = std::f64::consts::SQRT_2 * truth * std::f64::consts::LN_10 / 800.0;
        let (mut low, mut high, mut phi) = (-100.0_f64, 100.0_f64, LuckEstimates::default());
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            let (mean, deviation, _) = tilted(played, middle, &mut phi);
            if mean - 0.5 < target * deviation { low = middle } else { high = middle }
        }
        let (mean, deviation, weights) = tilted(played, low, &mut phi);
        let all: f64 = weights.iter().sum();
        let mean_luck = |baseline: usize| {
            let each = weights.iter().zip(played);
            each.map(|(weight, (_, luck))| weight * luck[baseline]).sum::<f64>() / all
        };
        // Kish's effective sample size.
        let effective = all * all / weights.iter().map(|weight| weight * weight).sum::<f64>();
        let is_true = effective >= FEWEST
            && (mean - 0.5 - target * deviation).abs() < OFF * deviation
            && (0..phi.len()).all(|baseline| mean_luck(baseline).abs() < OFF * deviation);
        let mut sum = 0.0;
        let cumulated = weights.iter().map(|weight| {
            sum += weight;
            sum
        });
        let cumulated = cumulated.collect();
        is_true.then_some(Self { played, cumulated, mean })
    }

    fn draw(&self, dice: &mut Dice) -> Played {
        let at = dice.uniform() * self.cumulated.last().copied().unwrap_or(0.0);
        let index = self.cumulated.partition_point(|sum| *sum < at);
        self.played[index.min(self.played.len() - 1)]
    }
}

/// How far the means may be off, in standard deviations of a pair: a tenth of a normalised Elo.
const OFF: f64 = 0.0004;

/// The smallest effective sample size: below, draws would only repeat a few pairs.
const FEWEST: f64 = 50.0;

/// Steps of Newton's method at most: from the weights of a θ nearby, few are needed.
const STEPS: usize = 100;

/// The weights of pairs, up to a factor, and the logarithm of their sum.
fn weighted(played: &[Played], theta: f64, phi: &LuckEstimates) -> (Vec<f64>, f64) {
    let exponents: Vec<f64> = played
        .iter()
        .map(|(score, luck)| {
            theta * (score - 0.5) + phi.iter().zip(luck).map(|(phi, estimate)| phi * estimate).sum::<f64>()
        })
        .collect();
    let most = exponents.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = exponents.iter().map(|exponent| (exponent - most).exp()).collect();
    let sum: f64 = weights.iter().sum();
    (weights, most + sum.ln())
}

/// Mean and standard deviation of the score with the weights that make the mean luck 0, and those weights.
///
/// φ minimises the logarithm of the sum of weights, which is convex and has the mean luck for its gradient. The estimates are highly
/// correlated, so φ is sought in all of them together; a step that leads up is halved.
fn tilted(played: &[Played], theta: f64, phi: &mut LuckEstimates) -> (f64, f64, Vec<f64>) {
    let (mut weights, mut height) = weighted(played, theta, phi);
    for _ in 0..STEPS {
        let step = newton_step(played, &weights);
        let shorter = |share: f64| -> LuckEstimates { std::array::from_fn(|at| phi[at] - share * step[at]) };
        let lower = (0..20).map(|halved| shorter(0.5_f64.powi(halved))).find_map(|phi| {
            let (weights, lower) = weighted(played, theta, &phi);
            (lower < height).then_some((phi, weights, lower))
        });
        // Nowhere lower: the minimum, within the precision of numbers.
        let Some(lower) = lower else { break };
        (*phi, weights, height) = lower;
    }
    let all: f64 = weights.iter().sum();
    let mean_of = |of: &dyn Fn(f64) -> f64| -> f64 {
        weights.iter().zip(played).map(|(weight, (score, _))| weight * of(*score)).sum::<f64>() / all
    };
    let mean = mean_of(&|score| score);
    let deviation = mean_of(&|score| (score - mean) * (score - mean)).sqrt();
    (mean, deviation, weights)
}

/// The inverse covariance of the estimates of luck times their means.
fn newton_step(played: &[Played], weights: &[f64]) -> LuckEstimates {
    let all: f64 = weights.iter().sum();
    let mut means = LuckEstimates::default();
    let mut matrix = [LuckEstimates::default(); LUCK_ESTIMATES];
    for (weight, (_, luck)) in weights.iter().zip(played) {
        for (row, estimate) in luck.iter().enumerate() {
            means[row] += weight * estimate / all;
            for (column, other) in luck.iter().enumerate() {
                matrix[row][column] += weight * estimate * other / all;
            }
        }
    }
    for row in 0..LUCK_ESTIMATES {
        for column in 0..LUCK_ESTIMATES {
            matrix[row][column] -= means[row] * means[column];
        }
        matrix[row][row] += 1e-9;
    }
    solve(matrix, means)
}

/// Counts over many tests.
#[derive(Default)]
struct Sum {
    runs: u32,
    accepted: u32,
    rejected: u32,
    pairs: u64,
    /// The number of intervals without luck that hold the truth.
    holds: u32,
}

impl Sum {
    fn with(mut self, plan: &SprtPlan, sampler: &Sampler<'_>, run: u32, without_luck: bool) -> Self {
        let mut dice = Dice(u64::from(run) << 32);
        let (mut counts, mut adjusted) = (Pentanomial::default(), AdjustedPairs::default());
        let (mut verdict, mut pairs) = (Verdict::Undecided, 0);
        while verdict == Verdict::Undecided && pairs < plan.max_pairs() {
            let (score, luck) = sampler.draw(&mut dice);
            let points = PairPoints::from_half_points((4.0 * score) as u8).expect("0 to 4");
            pairs += 1;
            counts.record(points);
            adjusted.record(points, luck);
            let state =
                if without_luck { plan.judge_adjusted(&adjusted, pairs) } else { plan.judge(&counts) };
            verdict = state.verdict;
        }
        self.runs += 1;
        self.pairs += pairs;
        self.accepted += u32::from(verdict == Verdict::Accepted);
        self.rejected += u32::from(verdict == Verdict::Rejected);
        let interval = adjusted.estimate().map(|estimate| estimate.score_interval);
        self.holds += u32::from(interval.is_some_and(|interval| interval.contains(sampler.mean)));
        self
    }
}

/// `SplitMix64` (G. Steele, D. Lea and C. Flood 2014).
struct Dice(u64);

impl Dice {
    /// Below 1.
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/pairs").join(name).with_extension("txt")
}

/// Plays a pairing and writes a line for each pair: four times its score, and its luck.
fn play((name, [one, two], rules, count): &(&str, [&str; 2], RulesName, u32)) {
    let estimator = LuckEstimator::for_rules(&Rules::standard(*rules)).expect("known");
    let (pairs, cost) = table::pairs(&estimator, (one, two), *count, 77);
    let line = |pair: &PairLuck| {
        let luck = pair.luck.map(|estimate| format!(" {estimate:.4}"));
        format!("{:.0}{}\n", 4.0 * pair.score, luck.concat())
    };
    std::fs::write(file(name), pairs.iter().map(line).collect::<String>()).expect("a file to write");
    let ratio = adjust(&pairs).and_then(|estimate| estimate.variance_ratio).unwrap_or(1.0);
    let matches = f64::from(2 * count);
    println!(
        "{name}: {count} pairs, variance ratio {ratio:.3}, luck in se {:+.2?}, {:.0} playouts, {:.1} ms a match",
        table::mean_in_errors(&pairs),
        f64::from(cost.playouts) / matches,
        cost.ms / matches
    );
}
