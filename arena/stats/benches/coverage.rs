//! Measures what the statistics promise, on simulated play with known truth. Runs on request only:
//! `cargo bench -p leyden-stats --bench coverage`. The last results stand in `arena/stats/README.md`.
#![allow(clippy::print_stdout, reason = "a bench reports on standard output")]
#![allow(clippy::disallowed_methods, reason = "the arguments are the benchmark's, not the statistics'")]

use leyden_stats::{Encounter, Entrant, Field, Margin, Ranking, Ratings, Score, TallyBuilder, head_to_head};
use rustix::time::{ClockId, clock_gettime};
use simulation::{Coverage, Dice, World, coverage, fixed_length_rejections, gates};

#[path = "../tests/simulation/mod.rs"]
mod simulation;

/// Whether this run is only to show that the benchmark still runs: `cargo bench` says `--bench`, and nobody else does.
fn is_smoke() -> bool {
    let said = |word: &str| std::env::args().any(|argument| argument == word);
    said("--test") || !said("--bench")
}

/// Processor time of this process so far, in seconds.
fn processor_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

fn main() {
    let count = if is_smoke() { 10 } else { 1_000 };
    for world in [World::seat_luck(), World::cycle(), World::perfect_loser(), World::four_seats()] {
        for blocks in [10, 100] {
            println!(
                "{}, {blocks} blocks, {count} leaderboards, % of intervals that hold the truth:",
                world.name
            );
            show(&world, &coverage(&world, blocks, count, 20_260 + u64::from(blocks)));
        }
    }
    for pairs in [10, 50, 200] {
        let rejections = fixed_length_rejections(count, pairs, 7);
        println!("A/A: {rejections} of {count} tests of {pairs} pairs reject at 5 %");
    }
    for (h0, h1, truth) in [
        (0.0, 60.0, 0.0),
        (0.0, 60.0, 60.0),
        (0.0, 20.0, 0.0),
        (0.0, 20.0, 20.0),
        (-20.0, 0.0, -20.0),
        (-20.0, 0.0, 0.0),
    ] {
        let sum = gates((h0, h1), truth, count, 20_000, 11);
        println!(
            "gate [{h0}, {h1}] at {truth} nElo: {} accepted, {} rejected, {:.0} pairs on average; the anytime interval \
             holds the truth in {}, the ordinary one in {} of {count}",
            sum.accepted, sum.rejected, sum.mean_pairs, sum.anytime_holds, sum.ordinary_holds
        );
    }
    let bots = if is_smoke() { 10 } else { 1_000 };
    for blocks in [1, 3] {
        field_of(bots, blocks);
    }
}

fn percent(shares: &[f64]) -> String {
    shares.iter().map(|share| format!("{:.1}", 100.0 * share)).collect::<Vec<_>>().join(" ")
}

fn range(shares: &[f64]) -> String {
    let least = shares.iter().copied().fold(f64::INFINITY, f64::min);
    let most = shares.iter().copied().fold(0.0, f64::max);
    format!("{:.1} to {:.1}", 100.0 * least, 100.0 * most)
}

fn show(world: &World, coverage: &Coverage) {
    println!("  ratings {}", percent(&coverage.ratings));
    let widths: Vec<String> = coverage.half_widths.iter().map(|width| format!("{width:.0}")).collect();
    println!("  mean half-widths in Elo {}", widths.join(" "));
    println!("  ranks {}", percent(&coverage.ranks));
    // Pairings run ascending by second bot: those of a perfect loser, always the last bot, are the last ones.
    let rivals = world.perfect_loser.unwrap_or(0);
    let (others, losers) = coverage.scores.split_at(coverage.scores.len() - rivals);
    println!("  head-to-head scores {}", range(others));
    if !losers.is_empty() {
        println!("  head-to-head scores of the perfect loser {}", range(losers));
    }
    if world.seats == 2 {
        // Against a perfect loser there is no correlation to estimate.
        let defined: Vec<f64> = coverage.rho.iter().copied().filter(|share| *share > 0.0).collect();
        println!("  rho {}", range(&defined));
    }
    println!("  a circle is announced in {:.1} % of leaderboards", 100.0 * coverage.circles);
}

/// How much processor time the standings of so many bots take.
fn field_of(bots: u32, blocks: u32) {
    let mut dice = Dice::new(5);
    let strengths: Vec<f64> = (0..bots).map(|_| dice.normal()).collect();
    let mut encounters = Vec::new();
    for block in 0..blocks {
        for high in 0..bots {
            for low in 0..high {
                let lead = strengths[low as usize] - strengths[high as usize];
                let score: Score = dice.pair(lead, 1.5);
                let (first, second) = (Entrant(low), Entrant(high));
                encounters.push(Encounter {
                    block,
                    first,
                    second,
                    score,
                    margin: Margin { sum: 7, matches: 2 },
                });
            }
        }
    }
    let seconds = |start: f64| processor_seconds() - start;
    let start = processor_seconds();
    let mut tally = TallyBuilder::new(Field::round_robin(bots as usize));
    for encounter in &encounters {
        tally.push(*encounter).expect("results of this field");
    }
    let tally = tally.finish().expect("results of this field");
    println!("{bots} bots, {blocks} blocks, {} matches: tally {:.2} s", 2 * encounters.len(), seconds(start));
    let start = processor_seconds();
    let ratings = Ratings::fit(&tally).expect("fits");
    println!("  ratings {:.2} s", seconds(start));
    let start = processor_seconds();
    let report = Ranking::of(&tally, &ratings);
    println!("  standings {:.2} s, best {:.0} Elo", seconds(start), report.bots[0].elo.get());
    let start = processor_seconds();
    println!("  head-to-head of {} pairings {:.2} s", head_to_head(&tally).count(), seconds(start));
}
