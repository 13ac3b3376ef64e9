//! Measures the promises that used to be broken, each as it was and as it is: simulated play with known truth, seeded. Runs on
//! request only: `cargo bench -p leyden-stats --bench promises [-- PART…]`. The latest results are in `arena/stats/README.md`.
#![allow(clippy::print_stdout, reason = "a bench reports on standard output")]
#![allow(clippy::disallowed_methods, reason = "the arguments are the benchmark's, not the statistics'")]

use leyden_stats::{
    ExpectedPairs, GateForecast, Holds, Hypotheses, NormalisedElo, Pentanomial, SprtPlan, largest_unseen,
};
use simulation::circles::circles;
use simulation::few::{again, faulting, foretold, normalised};
use simulation::grades::{known_luck, other_grades};
use simulation::looks::looked_at;
use simulation::luck::{looked_at_without_luck, worth};
use simulation::movement::moves;
use simulation::pairs::{Pairs, estimates, gates, luck_gates};
use simulation::ranks::{tables, told_apart, unfitting};
use simulation::{Dice, World};

#[path = "../tests/simulation/mod.rs"]
mod simulation;

/// Whether this run only shows that the benchmark still works: only `cargo bench` passes `--bench`.
fn is_smoke() -> bool {
    let said = |word: &str| std::env::args().any(|argument| argument == word);
    said("--test") || !said("--bench")
}

/// A part's name, and what prints its table, given by how much runs are shortened.
type Part = (&'static str, fn(u32));

const PARTS: [Part; 17] = [
    ("compare", compare),
    ("looks", looks),
    ("grades", grades),
    ("other-grades", graded_again),
    ("faults", faults),
    ("normalised", normalised_elo),
    ("luck", without_luck),
    ("luck-looks", looks_without_luck),
    ("worth", worth_of_luck),
    ("maximum", maximum),
    ("forecasts", forecasts),
    ("p-values", p_values),
    ("ranks", ranks),
    ("plans", plans),
    ("luck-plans", luck_plans),
    ("circles", announced_circles),
    ("fit", fit),
];

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
    format!("{:.1}", 100.0 * (share * (1.0 - share).max(0.0) / f64::from(runs)).sqrt())
}

/// Two tournaments in which nobody changed.
fn compare(shorter: u32) {
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
fn looks(shorter: u32) {
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

/// Gates that may end by a small maximum of pairs.
fn maximum(shorter: u32) {
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

/// `careful --blunder 25` against `careful`, and the starter: what another seed would have given.
fn grades(shorter: u32) {
    let runs = 4_000 / shorter;
    println!(
        "\n| score, pairs | another grading in the interval of the mean % | now % (se) | error of a promised probability % |"
    );
    println!("|---|---|---|---|");
    for score in [0.21, 0.35, 0.5] {
        for pairs in [20, 40, 100, 500] {
            let [before, now, error_of_chance] = again(Pairs::of_score(score), pairs, runs, 43);
            println!(
                "| {score}, {pairs} | {} | {} ({}) | {:+.1} |",
                percent(before),
                percent(now),
                error(now, runs),
                100.0 * error_of_chance
            );
        }
    }
}

/// The usual rubric with a grade for every ten points: how often another seed gives another one.
fn graded_again(shorter: u32) {
    let runs = 2_000 / shorter;
    println!(
        "\n| weaker by | pairs, score | another grade % | as foretold % | points inside their interval % (se) | sd of points |"
    );
    println!("|---|---|---|---|---|---|");
    let every = |bot: u32| 20.0 + f64::from(bot % 200);
    let bots: [(&str, &dyn Fn(u32) -> f64); 3] =
        [("20 to 220 Elo", &every), ("60 Elo", &|_| 60.0), ("180 Elo", &|_| 180.0)];
    for (name, elo) in bots {
        for (pairs, is_without_luck) in [(30, true), (150, false), (150, true), (750, false)] {
            let mut dice = Dice::new(57);
            let found = other_grades(|bot| known_luck(elo(bot), pairs, &mut dice), is_without_luck, runs);
            println!(
                "| {name} | {pairs}, {} | {} | {} | {} ({}) | {:.1} |",
                if is_without_luck { "without luck" } else { "as played" },
                percent(found.came),
                percent(found.foretold),
                percent(found.inside),
                error(found.inside, runs),
                found.spread
            );
        }
    }
}

/// A bot that faults in both legs of certain deals, never seen in so many pairs: how often the bound is below the truth.
fn faults(shorter: u32) {
    let runs = 40_000 / shorter;
    println!(
        "\n| true share of deals, pairs | seen none % | bound below the truth: of matches % | of pairs % |"
    );
    println!("|---|---|---|---|");
    let mut dice = Dice::new(44);
    for truth in [0.01, 0.021, 0.05] {
        for pairs in [50_u64, 100, 142] {
            let none = (0..runs).filter(|_| (0..pairs).all(|_| dice.uniform() >= truth)).count();
            let below = |tries| if largest_unseen(tries) < truth { none } else { 0 };
            let share = |count: usize| percent(count as f64 / f64::from(runs));
            println!(
                "| {truth}, {pairs} | {} | {} | {} |",
                share(none),
                share(below(2 * pairs)),
                share(below(pairs))
            );
        }
    }
}

/// Versions that seldom differ.
fn normalised_elo(shorter: u32) {
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

/// Scores without luck of a bot that faults.
fn without_luck(shorter: u32) {
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
fn looks_without_luck(shorter: u32) {
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
fn worth_of_luck(shorter: u32) {
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

/// Gates without luck as they are foretold.
fn luck_plans(shorter: u32) {
    let runs = 500 / shorter;
    println!(
        "\n| bounds, true nElo | noise of lucks | accepted, rejected % as foretold | as it came (se) | mean pairs as foretold | as they came |"
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
            let (came, foretold) = luck_gates(bounds, truth, noise, runs, 58);
            println!(
                "| {}, {}; {truth} | {noise} | {}, {} | {}, {} ({}) | {:.0} | {:.0} |",
                bounds.0,
                bounds.1,
                percent(foretold[0]),
                percent(foretold[1]),
                percent(came[0]),
                percent(came[1]),
                error(came[0], runs),
                foretold[2],
                came[2]
            );
        }
    }
}

/// Circles, where there is one and where there is none.
fn announced_circles(shorter: u32) {
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

/// How many blocks ±10 takes, and how far apart neighbours must be.
fn forecasts(shorter: u32) {
    let runs = 2_000 / shorter;
    // As if each match were won or lost independently, against opponents of the same strength.
    let as_it_was = (1.96 * 0.5 * 4.0 * 400.0 / std::f64::consts::LN_10 / 10.0).powi(2) / 2.0;
    println!("\n| pairs of | after | blocks for ±10 | forecast | holds % (se) | --estimate as it was |");
    println!("|---|---|---|---|---|---|");
    for (name, chances) in [
        ("equal bots", Pairs::counted([22, 1, 54, 1, 22])),
        ("versions that seldom differ", Pairs::seldom(0.071, 0.6)),
        ("careful and its copy with a few errors", Pairs::seldom(0.16, 0.5)),
        ("a bot that scores 21 %", Pairs::of_score(0.21)),
    ] {
        for pairs in [20, 50, 200] {
            let (holds, [low, high], needed) = foretold(chances, pairs, runs, 47);
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
        let [truth, foretold, apart] = told_apart(bots, step, blocks, runs, 48);
        let neighbours = runs * (bots as u32 - 1);
        println!(
            "| {bots}, {blocks}, {truth:.1} | {foretold:.1} Elo | {} ({}) |",
            percent(apart),
            error(apart, neighbours)
        );
    }
}

/// What was called likely: versions whose true difference is normal with this deviation, looked at with this many pairs.
fn p_values(shorter: u32) {
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
fn ranks(shorter: u32) {
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

/// Gates as foretold and as they come.
fn plans(shorter: u32) {
    let runs = 1_000 / shorter;
    println!(
        "\n| bounds, maximum | true nElo | accepted, rejected % as foretold | as it came (se) | mean pairs as foretold | as they came |"
    );
    println!("|---|---|---|---|---|---|");
    let like = ExpectedPairs::like(&Pentanomial::new([220, 10, 540, 10, 220]));
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

/// Whether ratings describe a field.
fn fit(shorter: u32) {
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
            let found = unfitting(&world, blocks, runs, 53);
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
