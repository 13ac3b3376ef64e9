//! Fits the weights of drawn tiles' features, `tables/draws.txt`: `cargo run --release -p leyden-luck --example draws [PAIRS]`.
//! Seeded: the same number of pairs writes the same bytes.
//!
//! Sample bots play pairs on deals of their own. Least squares explain the results of their matches by the luck of the
//! baselines and the sums of the features; the weights are those of the sums, the mean over the pairings.
#![allow(clippy::print_stdout, reason = "it reports what it wrote")]

use std::fmt::Write as _;
use std::path::Path;

use leyden_luck::{BASELINES, DRAW_FEATURES, DrawSums, LuckEstimator};
use leyden_protocol::RulesName;
use leyden_rules::Rules;
use leyden_sample_bots::Strategy;
use leyden_stats::solve;
use table::{bot, play, recorded, result};

#[path = "../tests/table/mod.rs"]
mod table;

const PAIRINGS: [[&str; 2]; 2] =
    [["montecarlo --playouts 100", "montecarlo --playouts 300"], ["montecarlo --playouts 50", "careful"]];

/// No bench plays deals of this seed.
const SEED: u64 = 911;

/// What explains a result: the baselines' luck and the features' sums.
const TERMS: usize = BASELINES + DRAW_FEATURES.len();
type Terms = [f64; TERMS];

fn main() -> std::io::Result<()> {
    let pairs = std::env::args().nth(1).map_or(Ok(2_500), |word| word.parse());
    let pairs: u64 = pairs.map_err(|error| std::io::Error::other(format!("a number of pairs: {error}")))?;
    let columns = [RulesName::Leyden, RulesName::Matador].map(|name| {
        let estimator = LuckEstimator::for_rules(&Rules::standard(name)).expect("two seats");
        let fits = PAIRINGS.map(|bots| fit(&matches(&estimator, bots, pairs)));
        let mean = |feature: usize| fits.iter().map(|fit| fit[feature]).sum::<f64>() / fits.len() as f64;
        std::array::from_fn::<f64, { DRAW_FEATURES.len() }, _>(mean)
    });
    let mut text = String::new();
    for (feature, name) in DRAW_FEATURES.into_iter().enumerate() {
        let [leyden, matador] = columns.map(|column| column[feature]);
        let _ = writeln!(text, "{name:14} {leyden:8.4} {matador:8.4}"); // a String takes all
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tables/draws.txt");
    std::fs::write(&path, text)?;
    println!("{}", path.display());
    Ok(())
}

/// For each match of two bots the first seat's result and what may explain it.
fn matches(estimator: &LuckEstimator, bots: [&str; 2], pairs: u64) -> Vec<(f64, Terms)> {
    let [mut one, mut two] = bots.map(bot);
    let mut list = Vec::new();
    for seed in (0..pairs).map(|pair| SEED * 1_000_003 + pair) {
        for leg in 0..2 {
            let mut players: [&mut dyn Strategy; 2] = [&mut *one, &mut *two];
            if leg == 1 {
                players.reverse();
            }
            let (game, deals) = play(estimator.rules(), &mut players, seed, leg);
            let luck = estimator.luck(&format!("{seed}-{leg}"), &recorded(&deals)).expect("legal");
            // Seen from the bot that is named first, whose expectation is the same in both legs.
            let (own, result, sign) = if leg == 0 {
                (luck.first_seat, result(&game), 1.0)
            } else {
                (luck.second_seat(), 1.0 - result(&game), -1.0)
            };
            let mut terms = [0.0; TERMS];
            let of_draws = luck.draws.map(|sum| sign * sum);
            for (term, value) in terms.iter_mut().zip(own[..BASELINES].iter().chain(&of_draws)) {
                *term = *value;
            }
            list.push((result, terms));
        }
    }
    list
}

/// The features' coefficients by least squares.
fn fit(matches: &[(f64, Terms)]) -> DrawSums {
    let n = matches.len() as f64;
    let mean_result = matches.iter().map(|(result, _)| result).sum::<f64>() / n;
    let means: Terms = std::array::from_fn(|at| matches.iter().map(|(_, terms)| terms[at]).sum::<f64>() / n);
    let (mut matrix, mut right) = ([[0.0; TERMS]; TERMS], [0.0; TERMS]);
    for (result, terms) in matches {
        let terms: Terms = std::array::from_fn(|at| terms[at] - means[at]);
        for (row, term) in terms.iter().enumerate() {
            right[row] += term * (result - mean_result);
            for (cell, other) in matrix[row].iter_mut().zip(&terms) {
                *cell += term * other;
            }
        }
    }
    let coefficients = solve(matrix, right);
    std::array::from_fn(|feature| coefficients[BASELINES + feature])
}
