//! A league of 200 bots and a million matches: how long choosing the meetings takes, and starting again. Runs on request only (`cargo
//! bench -p leyden-format --bench league`).
#![allow(clippy::print_stdout, reason = "a bench reports on standard output")]
#![allow(clippy::disallowed_methods, reason = "the arguments are the benchmark's, and so is the clock")]

use std::time::Instant;

use leyden_format::{Competition, Format, Play, Schedule, Seeding, Stage};
use leyden_model::{BotIndex, MatchKey};
use leyden_protocol::{Seats, WinningScore};
use leyden_stats::FinalScores;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

fn league(bots: u32) -> Schedule {
    let stage =
        Stage { play: Play::League { batches: None }, blocks: 1, advance: None, tie_breaks: Vec::new() };
    let seeds = (0..bots).map(BotIndex).collect();
    let stages = Competition { seeding: Seeding::List, seeds, presence: Vec::new(), stages: vec![stage] };
    Schedule::new(Format::Stages(stages), bots as usize, Seats::TWO, 1).expect("a league")
}

fn main() {
    let is_whole = std::env::args().any(|word| word == "--bench");
    let (bots, matches) = if is_whole { (200, 1_000_000) } else { (20, 1_000) };
    let (mut dice, mut schedule, mut ends) = (ChaCha8Rng::seed_from_u64(1), league(bots), Vec::new());
    let mut end = |key: &MatchKey| {
        let score = |bot: &BotIndex| bot.0 / 4 + (dice.next_u64() % 100) as u32;
        FinalScores { scores: key.seating().map(score), fault: None, better: WinningScore::Higher }
    };
    let (mut spent, mut pairs) = (0.0, 0);
    while schedule.matches() < matches {
        for key in schedule.iter(ends.len() as u64..u64::MAX).collect::<Vec<_>>() {
            let end = end(&key);
            schedule.count(&key, &end);
            ends.push((key, end));
        }
        let began = Instant::now();
        pairs += schedule.next_round().expect("a batch").map_or(0, |round| round.tables().count());
        spent += began.elapsed().as_secs_f64();
    }
    println!("{bots} bots, {} matches: {:.3} ms a pair to choose", ends.len(), 1e3 * spent / pairs as f64);
    let mut again = league(bots);
    let began = Instant::now();
    again.restore(&ends).expect("the same league");
    println!("starting again: {:.2} s", began.elapsed().as_secs_f64());
    assert_eq!(again.matches(), schedule.matches());
}
