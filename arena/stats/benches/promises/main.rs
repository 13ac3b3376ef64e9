//! Measures the promises that used to be broken, each as it was and as it is: simulated play with known truth, seeded. Runs on
//! request only: `cargo bench -p leyden-stats --bench promises [-- PART…]`. The latest results are in `arena/stats/README.md`.
#![allow(clippy::print_stdout, reason = "a bench reports on standard output")]
#![allow(clippy::disallowed_methods, reason = "the arguments are the benchmark's, not the statistics'")]

mod gates;
mod grades;
mod luck;
#[path = "../../tests/simulation/mod.rs"]
mod simulation;
mod tables;

/// Whether this run only shows that the benchmark still works: only `cargo bench` passes `--bench`.
fn is_smoke() -> bool {
    let said = |word: &str| std::env::args().any(|argument| argument == word);
    said("--test") || !said("--bench")
}

/// A part's name, and what prints its table, given by how much runs are shortened.
type Part = (&'static str, fn(u32));

const PARTS: [Part; 17] = [
    ("compare", tables::compare),
    ("looks", tables::looks),
    ("grades", grades::grades),
    ("other-grades", grades::graded_again),
    ("faults", grades::faults),
    ("normalised", gates::normalised_elo),
    ("luck", luck::without_luck),
    ("luck-looks", luck::looks_without_luck),
    ("worth", luck::worth_of_luck),
    ("maximum", gates::maximum),
    ("forecasts", gates::forecasts),
    ("p-values", tables::p_values),
    ("ranks", tables::ranks),
    ("plans", gates::plans),
    ("luck-plans", luck::luck_plans),
    ("circles", tables::announced_circles),
    ("fit", tables::fit),
];

fn main() {
    let requested: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    for (name, measure) in PARTS {
        if requested.is_empty() || requested.iter().any(|requested| requested == name) {
            measure(if is_smoke() { 100 } else { 1 });
        }
    }
}

fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

/// The standard error of a share of this many runs, in per cent.
fn error(share: f64, runs: u32) -> String {
    format!("{:.1}", 100.0 * (share * (1.0 - share).max(0.0) / f64::from(runs)).sqrt())
}
