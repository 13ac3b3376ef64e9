//! Tables of many bots: ratings, ranks, circles, changes.

use leyden_stats::Holds;

use crate::simulation::circles::circles;
use crate::simulation::movement::moves;
use crate::simulation::pairs::{Pairs, estimates};
use crate::simulation::ranks::{misfit, tables};
use crate::simulation::repeated_looks::looked_at;
use crate::simulation::{Dice, World};
use crate::{error, percent};

/// Two tournaments in which nobody changed.
pub(crate) fn compare(shorter: u32) {
    let runs = 1_000 / shorter;
    println!(
        "\n| bots, unchanged, blocks | deals | a changed bot moved, before % | now % | any bot, now % (se) | ± before | ± now |"
    );
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
        let found = moves(field, blocks, same_deals, runs, 37);
        let deals = if same_deals { "the same" } else { "others" };
        println!(
            "| {}, {}, {} and {} | {deals} | {} | {} | {} ({}) | {:.0} | {:.0} |",
            field.0,
            field.1,
            blocks[0],
            blocks[1],
            percent(found.before),
            percent(found.given),
            percent(found.any),
            error(found.any, runs),
            found.widths[0],
            found.widths[1]
        );
    }
}

/// Standings that are looked at after each block.
pub(crate) fn looks(shorter: u32) {
    let runs = (300 / shorter).max(2);
    println!(
        "\n| field, blocks looked at | intervals | a given bot's ever wrong % | any bot's % | any place % | ± at the end |"
    );
    println!("|---|---|---|---|---|---|");
    for (name, world, from) in [
        ("six bots 30 Elo apart", World::ladder(6, 30.0), 2),
        ("six bots 30 Elo apart", World::ladder(6, 30.0), 20),
        ("six equal bots", World::ladder(6, 0.0), 2),
        ("two equal bots", World::ladder(2, 0.0), 2),
        ("six bots at tables of three", World::three_seats(), 2),
    ] {
        let to = 200 / shorter.min(4);
        for (intervals, holds) in
            [("at a planned end", Holds::AtPlannedEnd), ("at any time", Holds::AtAnyTime)]
        {
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

/// Circles, where there is one and where there is none.
pub(crate) fn announced_circles(shorter: u32) {
    let runs = 500 / shorter;
    println!(
        "\n| field | blocks | a circle that is none, at the end % (se) | at some look % (se) | the circle % |"
    );
    println!("|---|---|---|---|---|");
    for (name, world) in [
        ("three bots, all but a circle", World::open_circle()),
        ("six equal bots", World::equal()),
        ("six bots, a circle among the best three", World::cycle()),
    ] {
        for blocks in [20, 100] {
            let found = circles(&world, blocks, true, runs, 59);
            println!(
                "| {name} | {blocks} | {} ({}) | {} ({}) | {} |",
                percent(found.wrong),
                error(found.wrong, runs),
                percent(found.ever_wrong),
                error(found.ever_wrong, runs),
                percent(found.right)
            );
        }
    }
}

/// What was called likely: versions whose true difference is normal with this deviation, looked at with this many pairs.
pub(crate) fn p_values(shorter: u32) {
    let runs = 40_000 / shorter;
    println!(
        "\n| differences of versions, pairs | of those \"95 to 99 % likely\" the stronger are % | of equal bots p < 0.05 % |"
    );
    println!("|---|---|---|");
    let mut dice = Dice::new(49);
    for (deviation, pairs) in [(5.0, 20_u32), (10.0, 20), (10.0, 100), (10.0, 500), (30.0, 100)] {
        // A pair's score has a standard deviation of 1/3; the slope of Elo by score is 695 at ½.
        let error = 695.0 / 3.0 / f64::from(pairs).sqrt();
        let (mut right, mut called) = (0, 0);
        for _ in 0..runs {
            let truth = deviation * dice.normal();
            let seen = truth + error * dice.normal();
            if (1.645..2.326).contains(&(seen.abs() / error)) {
                called += 1;
                right += u32::from(truth.signum() == seen.signum());
            }
        }
        let equal = estimates(Pairs::counted([22, 1, 54, 1, 22]), 4_000 / shorter, pairs, 50);
        println!(
            "| {deviation} Elo, {pairs} | {} | {} |",
            percent(f64::from(right) / f64::from(called.max(1))),
            percent(f64::from(equal.superiority) / f64::from(4_000 / shorter))
        );
    }
}

/// Tables of ranks.
pub(crate) fn ranks(shorter: u32) {
    println!(
        "\n| field | blocks | a wrong rank, each bot by itself % | now % (se) | places a bot: by itself, now, Holm for all |"
    );
    println!("|---|---|---|---|---|");
    for (name, world, runs) in [
        ("6 equal bots", World::ladder(6, 0.0), 1_000),
        ("12 equal bots", World::ladder(12, 0.0), 600),
        ("30 equal bots", World::ladder(30, 0.0), 200),
        ("6 bots 30 Elo apart", World::ladder(6, 30.0), 600),
        ("12 bots 30 Elo apart", World::ladder(12, 30.0), 300),
        ("30 bots 15 Elo apart", World::ladder(30, 15.0), 100),
    ] {
        let runs = (runs / shorter).max(2);
        for blocks in [5, 20, 100] {
            let found = tables(&world, blocks, runs, 51);
            println!(
                "| {name} | {blocks} | {} | {} ({}) | {:.1}, {:.1}, {:.1} |",
                percent(found.wrong[0]),
                percent(found.wrong[1]),
                error(found.wrong[1], runs),
                found.places[0],
                found.places[1],
                found.places_holm
            );
        }
    }
}

/// Whether ratings describe a field.
pub(crate) fn fit(shorter: u32) {
    println!("\n| field | blocks | said not to fit at 5 % (se) | at 1 % | beyond chance, Elo |");
    println!("|---|---|---|---|---|");
    let without_luck = |mut world: World| {
        world.luck = 0.0;
        world
    };
    for (name, world, runs) in [
        ("6 bots that follow the model", without_luck(World::ladder(6, 50.0)), 1_000),
        ("12 bots that follow the model", without_luck(World::ladder(12, 30.0)), 500),
        ("30 bots that follow the model", without_luck(World::ladder(30, 15.0)), 100),
        ("6 bots 50 Elo apart, a deal's luck", World::ladder(6, 50.0), 500),
        ("6 bots over 800 Elo, a deal's luck", World::wide(), 500),
        ("6 bots, a circle among the best three", World::cycle(), 500),
    ] {
        let runs = (runs / shorter).max(2);
        for blocks in [20, 100, 400] {
            let found = misfit(&world, blocks, runs, 53);
            println!(
                "| {name} | {blocks} | {} ({}) | {} | {:.0} |",
                percent(found[0]),
                error(found[0], runs),
                percent(found[1]),
                found[2]
            );
        }
    }
}
