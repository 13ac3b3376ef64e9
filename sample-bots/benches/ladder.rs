//! How far apart the levels of the ladder are: ratings from one field, anchored at `random` = 0.
//!
//! ```text
//! cargo bench -p leyden-sample-bots --bench ladder -- [--pairs N] [--rules NAME] [--seed N]
//! ```
//!
//! Every bot plays the next two above it, in pairs of matches with the same deals from both sides. The ratings are those of
//! Bradley and Terry on the usual scale, on which 100 points more mean 64 % of the matches; the 95 % intervals come from
//! resampling the pairs (bootstrap). Bots that do not search play twenty times as many pairs. Prints a table for `STRENGTH.md`.
//! Run by `cargo test`, or with `--test`, it plays one pair between each two of the lowest bots, to show that it works.
#![allow(clippy::print_stdout, reason = "its output is its purpose")]

use leyden_protocol::RulesName;
use leyden_rules::Rules;
use leyden_sample_bots::dice::Dice;
use leyden_sample_bots::ladder::LEVELS;
use leyden_sample_bots::table::{play_match, shuffled};
use leyden_sample_bots::{Strategy, strategy};

/// How many bots above it each bot plays.
const REACH: usize = 2;
/// How many pairs bots that do not search play for each pair of those that do.
const PAIRS_FACTOR_WITHOUT_SEARCH: u64 = 20;
const RESAMPLES: usize = 400;
/// Rating points for odds of e to 1.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// Two bots by their indices in the field, and the upper one's share of each pair of matches.
struct Meeting {
    lower: usize,
    upper: usize,
    shares: Vec<f64>,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let asked = |option: &str| arguments.iter().any(|argument| argument == option);
    let after = |option: &str| {
        let index = arguments.iter().position(|argument| argument == option)?;
        arguments.get(index + 1)
    };
    let measured = asked("--bench") && !asked("--test");
    let number = |option: &str, usual: u64| after(option).and_then(|text| text.parse().ok()).unwrap_or(usual);
    let (pairs, seed) = (if measured { number("--pairs", 100).max(2) } else { 1 }, number("--seed", 2026));
    let name: RulesName = after("--rules").and_then(|name| name.parse().ok()).unwrap_or_default();
    let mut field = field();
    if !measured {
        field.truncate(4);
    }
    let meetings = meet(&Rules::standard(name), &field, pairs, seed);
    let ratings = rate(field.len(), &meetings, |meeting| mean(&meeting.shares));
    let mut dice = Dice::seeded(seed);
    let mut drawn: Vec<Vec<f64>> = vec![Vec::new(); field.len()];
    for _ in 0..if measured { RESAMPLES } else { 2 } {
        let again = rate(field.len(), &meetings, |meeting| {
            let shares = &meeting.shares;
            (0..shares.len()).map(|_| shares[dice.below(shares.len())]).sum::<f64>() / shares.len() as f64
        });
        drawn.iter_mut().zip(again).for_each(|(all, rating)| all.push(rating));
    }
    println!("{pairs} pairs of those that search, {} of the others.\n", pairs * PAIRS_FACTOR_WITHOUT_SEARCH);
    println!(
        "| bot | rating (`{name}`) | over the one before | what it does more | file |\n|---|---|---|---|---|"
    );
    for (index, Rung { bot, idea, file, .. }) in field.iter().enumerate() {
        drawn[index].sort_by(f64::total_cmp);
        let at = |share: f64| drawn[index][((drawn[index].len() - 1) as f64 * share).round() as usize];
        let step = if index == 0 { 0.0 } else { ratings[index] - ratings[index - 1] };
        let (low, high) = (at(0.025), at(0.975));
        let rating = ratings[index];
        println!("| `{bot}` | {rating:.0} ({low:.0} to {high:.0}) | {step:+.0} | {idea} | `{file}` |");
    }
}

/// A bot of the field.
struct Rung {
    bot: String,
    /// What it does that the one below does not.
    idea: &'static str,
    /// Where to read that.
    file: &'static str,
    searches: bool,
}

/// The bots from the bottom to the top.
fn field() -> Vec<Rung> {
    let mut field = vec![Rung {
        bot: "random".to_owned(),
        idea: "plays any legal action",
        file: "random/strategy.rs",
        searches: false,
    }];
    field.extend(LEVELS.iter().zip(1..).map(|(level, number)| Rung {
        bot: format!("ladder --level {number}"),
        idea: level.idea,
        file: level.file,
        searches: level.searches(),
    }));
    let idea = "weighs the deals by the others' plays, corrects what playouts get wrong, and tries many more of them";
    field.push(Rung { bot: "strong".to_owned(), idea, file: "strong/belief.rs", searches: true });
    field
}

fn bot(name: &str) -> Box<dyn Strategy> {
    let words: Vec<&str> = name.split_whitespace().collect();
    strategy(words[0], &words[1..]).expect("the field is made of bots that there are")
}

fn meet(rules: &Rules, field: &[Rung], pairs: u64, seed: u64) -> Vec<Meeting> {
    let mut meetings = Vec::new();
    for lower in 0..field.len() {
        for upper in lower + 1..field.len().min(lower + REACH + 1) {
            let share =
                |pair| pair_share(rules, &field[upper].bot, &field[lower].bot, seed * 1_000_003 + pair);
            let pairs =
                if field[upper].searches || pairs == 1 { pairs } else { pairs * PAIRS_FACTOR_WITHOUT_SEARCH };
            meetings.push(Meeting { lower, upper, shares: (0..pairs).map(share).collect() });
        }
    }
    meetings
}

/// One's share of two matches with the same deals, one from each side.
fn pair_share(rules: &Rules, one: &str, other: &str, match_seed: u64) -> f64 {
    let mut won = 0.0;
    for own_seat in 0..2 {
        let (mut one, mut other) = (bot(one), bot(other));
        let mut players: [&mut dyn Strategy; 2] = [&mut *one, &mut *other];
        players.rotate_left(own_seat);
        let seeds = [match_seed * 4 + 2 * own_seat as u64, match_seed * 4 + 2 * own_seat as u64 + 1];
        let game = play_match(rules, &mut players, &seeds, |number| shuffled(rules, match_seed, number));
        won += match game.leading() {
            Some(seat) if seat.index() == own_seat => 0.5,
            Some(_) => 0.0,
            None => 0.25,
        };
    }
    won
}

fn mean(shares: &[f64]) -> f64 {
    shares.iter().sum::<f64>() / shares.len() as f64
}

/// The maximum-likelihood ratings, the first one 0. Shares of 0 and 1 are replaced by slightly less extreme ones.
fn rate(count: usize, meetings: &[Meeting], mut share: impl FnMut(&Meeting) -> f64) -> Vec<f64> {
    let shares: Vec<f64> = meetings.iter().map(|meeting| share(meeting).clamp(0.005, 0.995)).collect();
    let mut ratings = vec![0.0; count];
    for _ in 0..3_000 {
        let mut slope = vec![0.0; count];
        for (meeting, share) in meetings.iter().zip(&shares) {
            let ahead: f64 = ratings[meeting.upper] - ratings[meeting.lower];
            let off = share - 1.0 / (1.0 + (-ahead).exp());
            slope[meeting.upper] += off;
            slope[meeting.lower] -= off;
        }
        ratings.iter_mut().zip(slope).for_each(|(rating, slope)| *rating += 0.5 * slope);
    }
    let lowest = ratings.first().copied().unwrap_or(0.0);
    ratings.iter().map(|rating| (rating - lowest) * SCALE).collect()
}
