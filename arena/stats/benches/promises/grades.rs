//! Grades, and faults that may be rare.

use leyden_stats::largest_unseen_rate;

use crate::simulation::Dice;
use crate::simulation::few_pairs::again;
use crate::simulation::grades::{known_luck, other_grades};
use crate::simulation::pairs::Pairs;
use crate::{error, percent};

/// `careful --blunder 25` against `careful`, and the starter: what another seed would have given.
pub(crate) fn grades(shorter: u32) {
    let runs = 4_000 / shorter;
    println!(
        "\n| score, pairs | another grading in the interval of the mean % | now % (se) | error of a promised probability % |"
    );
    println!("|---|---|---|---|");
    for score in [0.21, 0.35, 0.5] {
        for pairs in [20, 40, 100, 500] {
            let [before, now, error_of_chance] = again(Pairs::from_score(score), pairs, runs, 43);
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
pub(crate) fn graded_again(shorter: u32) {
    let runs = 2_000 / shorter;
    println!(
        "\n| weaker by | pairs, score | another grade % | as predicted % | points inside their interval % (se) | sd of points |"
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
                percent(found.predicted),
                percent(found.inside),
                error(found.inside, runs),
                found.spread
            );
        }
    }
}

/// A bot that faults in both legs of certain deals, never seen in the pairs played: how often the bound is below the truth.
pub(crate) fn faults(shorter: u32) {
    let runs = 40_000 / shorter;
    println!(
        "\n| true share of deals, pairs | seen none % | bound below the truth: of matches % | of pairs % |"
    );
    println!("|---|---|---|---|");
    let mut dice = Dice::new(44);
    for truth in [0.01, 0.021, 0.05] {
        for pairs in [50_u64, 100, 142] {
            let none = (0..runs).filter(|_| (0..pairs).all(|_| dice.uniform() >= truth)).count();
            let below = |tries| if largest_unseen_rate(tries) < truth { none } else { 0 };
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
