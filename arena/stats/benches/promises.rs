//! Measures the promises that used to be broken, each as it was and as it is: simulated play with known truth, seeded. Runs on
//! request only: `cargo bench -p leyden-stats --bench promises [-- PART…]`. The latest results are in `arena/stats/README.md`.
#![allow(clippy::print_stdout, reason = "a bench reports on standard output")]
#![allow(clippy::disallowed_methods, reason = "the arguments are the benchmark's, not the statistics'")]

use leyden_stats::Holds;
use simulation::{World, gates};
use simulation::looks::looked_at;
use simulation::movement::moves;

#[path = "../tests/simulation/mod.rs"]
mod simulation;

/// Whether this run only shows that the benchmark still works: only `cargo bench` passes `--bench`.
fn is_smoke() -> bool {
    let said = |word: &str| std::env::args().any(|argument| argument == word);
    said("--test") || !said("--bench")
}

/// A part's name, and what prints its table, given by how much runs are shortened.
type Part = (&'static str, fn(u32));

const PARTS: [Part; 3] = [("compare", compare), ("looks", looks), ("maximum", maximum)];

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    for (name, measure) in PARTS {
        if wanted.is_empty() || wanted.iter().any(|wanted| wanted == name) {
            measure(if is_smoke() { 100 } else { 1 });
        }
    }
}

fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

/// The standard error of a share of so many runs, in per cent.
fn error(share: f64, runs: u32) -> String {
    format!("{:.1}", 100.0 * (share * (1.0 - share) / f64::from(runs)).sqrt())
}

/// Two tournaments in which nobody changed.
fn compare(shorter: u32) {
    let runs = 1_000 / shorter;
    println!("\n| bots, unchanged, blocks | deals | a changed bot moved, before % | now % | any bot, now % (se) | ± before | ± now |");
    println!("|---|---|---|---|---|---|---|");
    for (field, blocks, same_deals) in [
        ((2, 1), [10, 10], false),
        ((2, 1), [50, 50], false),
        ((3, 1), [50, 50], false),
        ((3, 2), [50, 50], false),
        ((6, 1), [10, 10], false),
        ((6, 1), [50, 50], false),
        ((6, 5), [50, 50], false),
        ((12, 3), [50, 50], false),
        ((12, 11), [20, 100], false),
        ((2, 1), [50, 50], true),
        ((6, 5), [50, 50], true),
        ((6, 5), [20, 60], true),
        ((12, 11), [20, 20], true),
    ] {
        let told = moves(field, blocks, same_deals, runs, 37);
        let deals = if same_deals { "the same" } else { "others" };
        println!(
            "| {}, {}, {} and {} | {deals} | {} | {} | {} ({}) | {:.0} | {:.0} |",
            field.0,
            field.1,
            blocks[0],
            blocks[1],
            percent(told.before),
            percent(told.given),
            percent(told.any),
            error(told.any, runs),
            told.widths[0],
            told.widths[1]
        );
    }
}

/// Standings that are looked at after each block.
fn looks(shorter: u32) {
    let runs = (300 / shorter).max(2);
    println!("\n| field, blocks looked at | intervals | a given bot's ever wrong % | any bot's % | any place % | ± at the end |");
    println!("|---|---|---|---|---|---|");
    for (name, world, from) in [
        ("six bots 30 Elo apart", World::ladder(6, 30.0), 2),
        ("six bots 30 Elo apart", World::ladder(6, 30.0), 20),
        ("six equal bots", World::ladder(6, 0.0), 2),
        ("two equal bots", World::ladder(2, 0.0), 2),
        ("six bots at tables of three", World::three_seats(), 2),
    ] {
        let to = 200 / shorter.min(4);
        for (intervals, holds) in [("at a planned end", Holds::AtPlannedEnd), ("at any time", Holds::AtAnyTime)] {
            let places = holds == Holds::AtAnyTime;
            let wrong = looked_at(&world, (from, to), holds, places, runs, 5);
            let place = if places { percent(wrong.place) } else { "–".to_owned() };
            println!(
                "| {name}, {from} to {to} | {intervals} | {} | {} (se {}) | {place} | {:.0} |",
                percent(wrong.given),
                percent(wrong.any),
                error(wrong.any, runs),
                wrong.width
            );
        }
    }
}

/// Gates that may end by a small maximum of pairs.
fn maximum(shorter: u32) {
    let runs = 1_000 / shorter;
    println!("\n| bounds, maximum | true nElo | decided % | of those before, hold % (se) | of all now, hold % (se) |");
    println!("|---|---|---|---|---|");
    for (bounds, most) in [((0.0, 20.0), 200), ((0.0, 20.0), 500), ((0.0, 60.0), 50), ((0.0, 20.0), 20_000)] {
        for truth in [0.0, 14.0, 40.0] {
            let sum = gates(bounds, truth, runs, most, 41);
            let decided = sum.accepted + sum.rejected;
            let [before, now] = [(sum.stagewise_holds_decided, decided), (sum.stagewise_holds, runs)]
                .map(|(hold, of)| (f64::from(hold) / f64::from(of.max(1)), of.max(1)));
            println!(
                "| {}, {}, {most} | {truth} | {} | {} ({}) | {} ({}) |",
                bounds.0,
                bounds.1,
                percent(f64::from(decided) / f64::from(runs)),
                percent(before.0),
                error(before.0, before.1),
                percent(now.0),
                error(now.0, now.1)
            );
        }
    }
}
