//! Which format finds the best bot? Simulated events of bots whose strengths are known: how often each format crowns the best one,
//! and Kendall's tau between its order and the true one. Prints the table of `arena/format/README.md`; runs on request only:
//! `cargo bench -p leyden-format --bench champions [-- [BOTS…] [PART OF A NAME…]]`.
//!
//! Strengths are the quantiles of a normal distribution with a standard deviation of 100 Elo; who has which seed is drawn. A match is
//! won by the logistic formula, and the matches of a pair do not depend on each other.
#![allow(clippy::print_stdout, reason = "a bench reports on standard output")]
#![allow(clippy::disallowed_methods, reason = "the arguments are the benchmark's")]

use leyden_format::{Competition, Format, Play, Schedule, Seeding, Stage, StageRound, TieBreak};
use leyden_model::words::counted;
use leyden_model::{BotIndex, MatchKey};
use leyden_protocol::{Seats, WinningScore};
use leyden_stats::FinalScores;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The spread of strengths, in Elo.
const SPREAD: f64 = 100.0;

/// Whether this run only shows that the benchmark still works: only `cargo bench` passes `--bench`.
fn is_smoke() -> bool {
    let said = |word: &str| std::env::args().any(|argument| argument == word);
    said("--test") || !said("--bench")
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let sizes: Vec<u32> = words.iter().filter_map(|word| word.parse().ok()).collect();
    let parts: Vec<&String> = words.iter().filter(|word| word.parse::<u32>().is_err()).collect();
    println!("| bots | format | matches | best bot wins | Kendall's tau |");
    println!("|---:|---|---:|---:|---:|");
    let usual: &[u32] = if is_smoke() { &[8] } else { &[8, 16, 64, 200] };
    for &bots in if sizes.is_empty() { usual } else { &sizes } {
        let events = match bots {
            _ if is_smoke() => 2,
            ..=100 => 2_000,
            _ => 400,
        };
        for (name, stages) in formats(bots) {
            if !parts.is_empty() && !parts.iter().any(|&part| name.contains(part)) {
                continue;
            }
            let EventMeans { matches, crowned, tau } = simulated(bots, &stages, events);
            println!("| {bots} | {name} | {matches:.0} | {:.0} % | {tau:.2} |", 100.0 * crowned);
        }
    }
}

/// The formats for a field, with their names.
fn formats(bots: u32) -> Vec<(String, Vec<Stage>)> {
    let stage = |play, blocks, advance| Stage { play, blocks, advance, tie_breaks: TieBreak::ALL.to_vec() };
    let knockout = Play::Knockout { best_of: false, third_place: false };
    let double = Play::DoubleElimination { best_of: false };
    let rounds = (bots.ilog2() + 2).min(bots - 1);
    let swiss = Play::Swiss { rounds };
    let groups = bots / 8;
    let mut all = Vec::new();
    let mut add = |name: String, stages: Vec<Stage>| all.push((name, stages));
    for blocks in [1, 4] {
        let of = counted(blocks, "pair", "pairs");
        if blocks == 1 || bots <= 64 {
            add(format!("round-robin, {of}"), vec![stage(Play::RoundRobin, blocks, None)]);
        }
        add(format!("Swiss, {rounds} rounds of {of}"), vec![stage(swiss, blocks, None)]);
        if bots >= 16 {
            let stages = vec![stage(swiss, blocks, Some(8)), stage(knockout, 4 * blocks, None)];
            add(format!("the same, then a knockout of 8, {} pairs", 4 * blocks), stages);
        }
        if groups >= 2 {
            let on = 2 * groups.next_power_of_two().min(16);
            let groups = on / 2;
            let stages =
                vec![stage(Play::Groups { groups }, blocks, Some(on)), stage(knockout, 4 * blocks, None)];
            add(format!("{groups} groups of {of}, then a knockout of {on}, {} pairs", 4 * blocks), stages);
        }
    }
    for pairs in [2, 8, 32] {
        add(format!("knockout, {pairs} pairs"), vec![stage(knockout, pairs, None)]);
        add(format!("double elimination, {pairs} pairs"), vec![stage(double, pairs, None)]);
    }
    all
}

/// Means over all events.
struct EventMeans {
    matches: f64,
    crowned: f64,
    tau: f64,
}

fn simulated(bots: u32, stages: &[Stage], events: u64) -> EventMeans {
    let (mut matches, mut crowned, mut tau) = (0.0, 0.0, 0.0);
    for event in 0..events {
        let mut chance = ChaCha8Rng::seed_from_u64(event);
        let (schedule, places) = played(bots, stages, &mut chance);
        matches += schedule.matches() as f64;
        crowned +=
            f64::from(u8::from(places[0] == 1 && places.iter().filter(|&&place| place == 1).count() == 1));
        tau += kendall(&places);
    }
    let events = events as f64;
    EventMeans { matches: matches / events, crowned: crowned / events, tau: tau / events }
}

/// Plays an event; returns the place of each bot. Bot 0 is the best, and so on.
fn played(bots: u32, stages: &[Stage], chance: &mut ChaCha8Rng) -> (Schedule, Vec<u32>) {
    let strength = |bot: u32| SPREAD * quantile(1.0 - (f64::from(bot) + 0.5) / f64::from(bots));
    let strengths: Vec<f64> = (0..bots).map(strength).collect();
    let mut seeds: Vec<BotIndex> = (0..bots).map(BotIndex).collect();
    for last in (1..seeds.len()).rev() {
        seeds.swap(last, (chance.next_u64() % (last as u64 + 1)) as usize);
    }
    let competition =
        Competition { seeding: Seeding::Draw, seeds, presence: Vec::new(), stages: stages.to_vec() };
    let schedule = Schedule::new(Format::Stages(competition), bots as usize, Seats::TWO, 1);
    let mut schedule = schedule.expect("the formats are possible");
    loop {
        let first = schedule.matches() - schedule.rounds().last().map_or(0, StageRound::matches);
        for key in schedule.iter(first..u64::MAX).collect::<Vec<_>>() {
            schedule.count(&key, &end(&key, &strengths, chance));
        }
        if schedule.next_round().expect("the formats are possible").is_none() {
            break;
        }
    }
    let mut places = vec![0; bots as usize];
    for line in schedule.competition().into_iter().flat_map(|table| table.places) {
        places[line.bot.index()] = line.place;
    }
    (schedule, places)
}

fn end(key: &MatchKey, strengths: &[f64], chance: &mut ChaCha8Rng) -> FinalScores {
    let [one, other] = [0, 1].map(|at| key.table.bots()[at]);
    let strength = |bot: BotIndex| strengths[bot.index()];
    let wins = 1.0 / (1.0 + 10_f64.powf((strength(other) - strength(one)) / 400.0));
    let drawn = (chance.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    let winner = if drawn < wins { one } else { other };
    let scores = key.seating().map(|bot| u32::from(*bot == winner));
    FinalScores { scores, fault: None, better: WinningScore::Higher }
}

/// The quantile of the normal distribution, by bisection of its distribution function.
fn quantile(p: f64) -> f64 {
    let (mut low, mut high) = (-6.0, 6.0);
    for _ in 0..40 {
        let middle = f64::midpoint(low, high);
        if below(middle) < p { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

/// The distribution function of the normal distribution (Abramowitz and Stegun 26.2.17, error below 10⁻⁷).
fn below(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let series = [1.330_274_429, -1.821_255_978, 1.781_477_937, -0.356_563_782, 0.319_381_530];
    let tail = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt()
        * t
        * series.iter().fold(0.0, |sum, part| sum * t + part);
    if x > 0.0 { 1.0 - tail } else { tail }
}

/// Kendall's tau of the places and the true order; equal places count as half in order.
fn kendall(places: &[u32]) -> f64 {
    let pairs = (0..places.len()).flat_map(|one| (one + 1..places.len()).map(move |other| (one, other)));
    let signs = pairs.map(|(one, other)| match places[one].cmp(&places[other]) {
        std::cmp::Ordering::Less => 1.0,
        std::cmp::Ordering::Equal => 0.0,
        std::cmp::Ordering::Greater => -1.0,
    });
    let n = places.len() as f64;
    signs.sum::<f64>() / (n * (n - 1.0) / 2.0)
}
