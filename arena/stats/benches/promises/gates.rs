//! Gates and matches of two: what is predicted, and what comes.

use leyden_stats::{ExpectedPairs, GateForecast, Hypotheses, NormalisedElo, Pentanomial, SprtPlan};

use crate::simulation::few_pairs::{normalised, predicted};
use crate::simulation::pairs::{Pairs, gates};
use crate::simulation::ranks::told_apart;
use crate::{error, percent};

/// Gates that may end by a small maximum of pairs.
pub(crate) fn maximum(shorter: u32) {
    let runs = 1_000 / shorter;
    println!(
        "\n| bounds, maximum | true nElo | decided % | of those before, hold % (se) | of all now, hold % (se) |"
    );
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

/// How many blocks ±10 takes, and how far apart neighbours must be.
pub(crate) fn forecasts(shorter: u32) {
    let runs = 2_000 / shorter;
    // As if each match were won or lost independently, against opponents of the same strength.
    let as_it_was = (1.96 * 0.5 * 4.0 * 400.0 / std::f64::consts::LN_10 / 10.0).powi(2) / 2.0;
    println!("\n| pairs of | after | blocks for ±10 | forecast | holds % (se) | --estimate as it was |");
    println!("|---|---|---|---|---|---|");
    for (name, chances) in [
        ("equal bots", Pairs::counted([22, 1, 54, 1, 22])),
        ("versions that seldom differ", Pairs::seldom(0.071, 0.6)),
        ("careful and its copy with a few errors", Pairs::seldom(0.16, 0.5)),
        ("a bot that scores 21 %", Pairs::from_score(0.21)),
    ] {
        for pairs in [20, 50, 200] {
            let (holds, [low, high], needed) = predicted(chances, pairs, runs, 47);
            println!(
                "| {name} | {pairs} | {needed:.0} | {low:.0} to {high:.0} | {} ({}) | {as_it_was:.0} |",
                percent(holds),
                error(holds, runs)
            );
        }
    }
    let runs = 300 / shorter.min(30);
    println!("\n| bots, blocks, apart | told apart in 80 % from | told apart % (se) |");
    println!("|---|---|---|");
    for (bots, blocks, step) in
        [(2, 40, 120.0), (2, 200, 50.0), (6, 40, 83.0), (6, 100, 49.0), (12, 40, 73.0)]
    {
        let [truth, predicted, apart] = told_apart(bots, step, blocks, runs, 48);
        let neighbours = runs * (bots as u32 - 1);
        println!(
            "| {bots}, {blocks}, {truth:.1} | {predicted:.1} Elo | {} ({}) |",
            percent(apart),
            error(apart, neighbours)
        );
    }
}

/// Gates as predicted and as they come.
pub(crate) fn plans(shorter: u32) {
    let runs = 1_000 / shorter;
    println!(
        "\n| bounds, maximum | true nElo | accepted, rejected % as predicted | as it came (se) | mean pairs as predicted | as they came |"
    );
    println!("|---|---|---|---|---|---|");
    let like = ExpectedPairs::from_observed(&Pentanomial::new([220, 10, 540, 10, 220]));
    for ((h0, h1), most) in
        [((0.0, 60.0), 20_000), ((0.0, 20.0), 20_000), ((0.0, 20.0), 500), ((-20.0, 0.0), 20_000)]
    {
        let bounds = Hypotheses::Normalised { h0: NormalisedElo::new(h0), h1: NormalisedElo::new(h1) };
        let plan = SprtPlan::new(bounds, 0.05, 0.05, most).expect("sane plan");
        for at in GateForecast::new(&plan, &like, 1.0).strengths {
            let sum = gates((h0, h1), at.strength, runs, most, 52);
            let share = |count: u32| f64::from(count) / f64::from(runs);
            println!(
                "| {h0}, {h1}, {most} | {} | {}, {} | {}, {} ({}) | {:.0} | {:.0} |",
                at.strength,
                percent(at.accepted),
                percent(at.rejected),
                percent(share(sum.accepted)),
                percent(share(sum.rejected)),
                error(share(sum.accepted), runs),
                at.mean_pairs,
                sum.mean_pairs
            );
        }
    }
}

/// Versions that seldom differ.
pub(crate) fn normalised_elo(shorter: u32) {
    let runs = 4_000 / shorter;
    println!("\n| uneven pairs %, won of them % | pairs | ± holds before % | now % (se) | shown % |");
    println!("|---|---|---|---|---|");
    for (uneven, won) in [(0.071, 0.6), (0.1, 0.5), (0.02, 0.5), (0.1, 0.8), (0.46, 0.5)] {
        for pairs in [50, 100, 400, 2_000] {
            let found = normalised(Pairs::seldom(uneven, won), pairs, runs, 45);
            println!(
                "| {}, {} | {pairs} | {} | {} ({}) | {} |",
                percent(uneven),
                percent(won),
                percent(found.before),
                percent(found.now),
                error(found.now, found.reported.max(1)),
                percent(f64::from(found.reported) / f64::from(runs))
            );
        }
    }
}
