//! Scores, ratings and gates without luck.

use leyden_stats::Holds;

use crate::simulation::World;
use crate::simulation::few_pairs::faulting;
use crate::simulation::luck::{looked_at_without_luck, worth};
use crate::simulation::pairs::luck_gates;
use crate::{error, percent};

/// Scores without luck of a bot that faults.
pub(crate) fn without_luck(shorter: u32) {
    let runs = 4_000 / shorter;
    println!("\n| faults % | pairs | ± holds before % | now % (se) | ± before, now |");
    println!("|---|---|---|---|---|");
    for share in [0.0, 0.02, 0.1, 0.22] {
        for pairs in [10, 20, 50, 100] {
            let held = faulting(share, pairs, runs, 46);
            println!(
                "| {} | {pairs} | {} | {} ({}) | {}, {} |",
                percent(share),
                percent(held.before),
                percent(held.now),
                error(held.now, runs),
                percent(held.widths[0]),
                percent(held.widths[1])
            );
        }
    }
}

/// Ratings and scores without luck that are looked at after each block.
pub(crate) fn looks_without_luck(shorter: u32) {
    let runs = (200 / shorter).max(2);
    let to = 200 / shorter.min(4);
    println!(
        "\n| field, blocks looked at | luck seen | intervals | a given rating ever wrong % (se) | any rating % | a given score % | ± at the end |"
    );
    println!("|---|---|---|---|---|---|---|");
    for (name, world) in [
        ("six bots 30 Elo apart", World::ladder(6, 30.0)),
        ("three bots 100 Elo apart", World::ladder(3, 100.0)),
        ("two equal bots", World::ladder(2, 0.0)),
    ] {
        for known in [(0.9, 0.1), (0.5, 0.2)] {
            for (intervals, holds) in
                [("at a planned end", Holds::AtPlannedEnd), ("at any time", Holds::AtAnyTime)]
            {
                let wrong = looked_at_without_luck(&world, to, known, holds, runs, 55);
                println!(
                    "| {name}, 10 to {to} | {} ± {} | {intervals} | {} ({}) | {} | {} | {:.0} |",
                    known.0,
                    known.1,
                    percent(wrong.rating),
                    error(wrong.rating, runs),
                    percent(wrong.any),
                    percent(wrong.score),
                    wrong.width
                );
            }
        }
    }
}

/// How many times the pairs a score without luck is worth.
pub(crate) fn worth_of_luck(shorter: u32) {
    let runs = 2_000 / shorter;
    println!("\n| luck seen | pairs | truly worth | interval | holds % (se) |");
    println!("|---|---|---|---|---|");
    for known in [(0.9, 0.1), (0.5, 0.2), (0.2, 0.3)] {
        for pairs in [20, 50, 200] {
            let (holds, [low, high], truth) = worth(known, pairs, runs, 56);
            println!(
                "| {} ± {} | {pairs} | {truth:.1} | {low:.1} to {high:.1} | {} ({}) |",
                known.0,
                known.1,
                percent(holds),
                error(holds, runs)
            );
        }
    }
}

/// Gates without luck as they are predicted.
pub(crate) fn luck_plans(shorter: u32) {
    let runs = 500 / shorter;
    println!(
        "\n| bounds, true nElo | noise of estimated luck | accepted, rejected % as predicted | as it came (se) | mean pairs as predicted | as they came |"
    );
    println!("|---|---|---|---|---|---|");
    for (bounds, truth) in [
        ((0.0, 20.0), 0.0),
        ((0.0, 20.0), 10.0),
        ((0.0, 20.0), 20.0),
        ((0.0, 60.0), 0.0),
        ((0.0, 60.0), 60.0),
        ((0.0, 150.0), 0.0),
        ((0.0, 150.0), 150.0),
    ] {
        for noise in [0.2, 0.5] {
            let (came, predicted) = luck_gates(bounds, truth, noise, runs, 58);
            println!(
                "| {}, {}; {truth} | {noise} | {}, {} | {}, {} ({}) | {:.0} | {:.0} |",
                bounds.0,
                bounds.1,
                percent(predicted[0]),
                percent(predicted[1]),
                percent(came[0]),
                percent(came[1]),
                error(came[0], runs),
                predicted[2],
                came[2]
            );
        }
    }
}
