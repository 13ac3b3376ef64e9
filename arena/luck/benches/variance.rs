//! What taking luck out buys, and that it is unbiased: pairings of sample bots, played in this process.
//!
//! `cargo bench -p leyden-luck --bench variance -- [--pairs N] [--playouts N] [--rules NAME]… [--seed N] [A B]`
#![allow(clippy::print_stdout, reason = "a bench reports on standard output")]

use leyden_luck::Judge;
use leyden_protocol::RulesName;
use leyden_rules::Rules;
use leyden_stats::{PairLuck, adjust, without_luck};
use rustix::time::{ClockId, clock_gettime};
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

/// Processor time of this process so far, in milliseconds.
fn processor_ms() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}

/// Plays a pairing and tells what its luck was.
fn measure(rules: &Rules, bots: (&str, &str), count: u32, playouts: u32, seed: u64) {
    let judge = Judge::of(rules).expect("known").with_playouts(playouts);
    let spent = |judge: &Judge| {
        let start = processor_ms();
        let told = pairs(judge, bots, count, seed);
        (told, processor_ms() - start)
    };
    let ((list, compared), with) = spent(&judge);
    // What the matches themselves take, and comparing once, is no part of it.
    let (_, without) = spent(&judge.clone().with_playouts(1));
    let told = adjust(&list).expect("two pairs or more");
    let (matches, z) = (f64::from(2 * count), mean_in_errors(&list));
    println!(
        "{:12} {:26} {:26} {:.3} ± {:.3}  {:.3} ± {:.3}  ratio {:.3}  lucks in se {z:+.2?}  {:.0} playouts, {:.1} ms a match",
        rules.name.as_str(),
        bots.0,
        bots.1,
        told.raw,
        told.raw_se,
        told.adjusted,
        told.adjusted_se,
        told.variance_ratio.unwrap_or(1.0),
        f64::from(compared) / matches,
        (with - without) / matches
    );
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

/// Score without luck less the raw one, in standard errors of that.
fn taken_in_errors(list: &[PairLuck]) -> f64 {
    let taken: Vec<f64> = without_luck(list).iter().map(|(pair, adjusted)| adjusted - pair.score).collect();
    let n = taken.len() as f64;
    let mean = taken.iter().sum::<f64>() / n;
    let squares: f64 = taken.iter().map(|each| (each - mean).powi(2)).sum();
    mean / (squares / (n - 1.0) / n).sqrt()
}

/// Twelve very different pairings: the sum of squares of what was taken out, in standard errors, is χ² with twelve degrees.
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
        .map(|(place, pairing)| {
            let judge = Judge::of(rules).expect("known").with_playouts(playouts);
            let (list, _) = pairs(&judge, pairing, count, seed + 1_000 * place);
            let z = taken_in_errors(&list);
            let lucks = mean_in_errors(&list);
            println!(
                "{:26} {:26} {count} pairs, adjusted less raw in se {z:+.2}, lucks {lucks:+.2?}",
                pairing.0, pairing.1
            );
            z * z
        })
        .collect();
    println!("{}: χ² of {} pairings {:.2}", rules.name, squares.len(), squares.iter().sum::<f64>());
}
