//! How much variance taking luck out removes, and that it adds no bias: pairings of sample bots, played in this process.
//!
//! `cargo bench -p leyden-luck --bench variance -- [--pairs N] [--playouts N] [--rules NAME]… [--seed N] [A B]`
#![allow(clippy::print_stdout, reason = "a bench reports on standard output")]

use leyden_luck::{BASELINES, LuckEstimator};
use leyden_protocol::RulesName;
use leyden_rules::Rules;
use leyden_stats::{PairLuck, adjust, without_luck};
use table::{mean_in_errors, pairs};

#[path = "../tests/table/mod.rs"]
mod table;

const PAIRINGS: [(&str, &str); 7] = [
    ("careful --blunder 5", "careful --blunder 5"),
    ("careful", "careful --blunder 5"),
    ("careful", "careful --blunder 25"),
    ("greedy", "careful"),
    ("random", "careful"),
    ("montecarlo --playouts 100", "careful"),
    ("montecarlo --playouts 100", "montecarlo --playouts 300"),
];

/// Plays a pairing and prints a line about its luck.
fn measure(rules: &Rules, bots: (&str, &str), count: u32, playouts: u32, seed: u64) {
    let estimator = LuckEstimator::for_rules(rules).expect("known").with_playouts(playouts);
    let (list, cost) = pairs(&estimator, bots, count, seed);
    let estimate = adjust(&list).expect("two pairs or more");
    let (matches, z) = (f64::from(2 * count), mean_in_errors(&list));
    println!(
        "{:12} {:26} {:26} {:.3} ± {:.3}  {:.3} ± {:.3}  ratio {:.3} ({:.3} by the baselines alone)  luck in se {z:+.2?}  {:.0} playouts, {:.1} ms a match",
        rules.name.as_str(),
        bots.0,
        bots.1,
        estimate.raw,
        estimate.raw_se,
        estimate.adjusted,
        estimate.adjusted_se,
        estimate.variance_ratio.unwrap_or(1.0),
        adjust(&by_baselines(&list)).and_then(|estimate| estimate.variance_ratio).unwrap_or(1.0),
        f64::from(cost.playouts) / matches,
        cost.ms / matches
    );
}

/// The same pairs without the luck of drawn tiles and the value-weighted one.
fn by_baselines(list: &[PairLuck]) -> Vec<PairLuck> {
    let without = |mut pair: PairLuck| {
        pair.luck[BASELINES..].fill(0.0);
        pair
    };
    list.iter().copied().map(without).collect()
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (mut count, mut playouts, mut seed) = (20, leyden_luck::PLAYOUTS, 1);
    let (mut rules, mut bots, mut chi) = (Vec::new(), Vec::new(), false);
    while let Some(word) = arguments.next() {
        let mut number = || arguments.next().and_then(|word| word.parse().ok()).expect("a number");
        match word.as_str() {
            "--bench" | "--test" => {}
            "--pairs" => count = number(),
            "--playouts" => playouts = number(),
            "--seed" => seed = u64::from(number()),
            "--unbiased" => chi = true,
            "--rules" => {
                rules.push(arguments.next().and_then(|word| word.parse::<RulesName>().ok()).expect("rules"));
            }
            _ => bots.push(word),
        }
    }
    if rules.is_empty() {
        rules.push(RulesName::Leyden);
    }
    for name in rules {
        let rules = Rules::standard(name);
        if let [one, two] = &bots[..] {
            measure(&rules, (one, two), count, playouts, seed);
        } else if chi {
            unbiased(&rules, count, playouts, seed);
        } else {
            for pairing in PAIRINGS {
                measure(&rules, pairing, count, playouts, seed);
            }
        }
    }
}

/// The mean of the score without luck less the raw score, in its standard errors.
fn taken_in_errors(list: &[PairLuck]) -> f64 {
    let taken: Vec<f64> = without_luck(list).iter().map(|(pair, adjusted)| adjusted - pair.score).collect();
    let n = taken.len() as f64;
    let mean = taken.iter().sum::<f64>() / n;
    let squares: f64 = taken.iter().map(|each| (each - mean).powi(2)).sum();
    mean / (squares / (n - 1.0) / n).sqrt()
}

/// Twelve very different pairings. If no luck has a bias, the squares of their differences in standard errors sum to a χ² with
/// twelve degrees of freedom.
fn unbiased(rules: &Rules, count: u32, playouts: u32, seed: u64) {
    let pairings = [
        ("random", "careful"),
        ("random", "random"),
        ("greedy", "random"),
        ("greedy", "careful"),
        ("always draws", "careful"),
        ("always draws", "random"),
        ("always draws", "greedy"),
        ("never draws", "careful"),
        ("never draws", "always draws"),
        ("never draws", "random"),
        ("careful --blunder 25", "greedy"),
        ("careful --blunder 50", "careful"),
    ];
    let squares: Vec<f64> = (0..)
        .zip(pairings)
        .map(|(index, pairing)| {
            let estimator = LuckEstimator::for_rules(rules).expect("known").with_playouts(playouts);
            let (list, _) = pairs(&estimator, pairing, count, seed + 1_000 * index);
            let z = taken_in_errors(&list);
            let luck = mean_in_errors(&list);
            println!(
                "{:26} {:26} {count} pairs, adjusted less raw in se {z:+.2}, luck {luck:+.2?}",
                pairing.0, pairing.1
            );
            z * z
        })
        .collect();
    println!("{}: χ² of {} pairings {:.2}", rules.name, squares.len(), squares.iter().sum::<f64>());
}
