//! How many playouts a second `montecarlo` makes, in positions from matches between careful players.
//!
//! ```text
//! cargo bench -p leyden-sample-bots --bench playouts
//! ```
//!
//! One thread; parsing the turn, inference and dealing are all included. Where the system reports it (Linux), the time is this
//! thread's processor time, so that other work on the machine matters little. Run by `cargo test`, or with `--test`, it is short.
#![allow(clippy::print_stdout, reason = "its output is its purpose")]

mod time;

use std::time::Duration;

use leyden_protocol::{Action, RulesName, Turn, push_line};
use leyden_rules::Rules;
use leyden_sample_bots::Strategy;
use leyden_sample_bots::careful::Careful;
use leyden_sample_bots::montecarlo::MonteCarlo;
use leyden_sample_bots::table::{play_match, shuffled};

use time::Began;

/// Each figure is the median of this many runs.
const RUNS: usize = 5;

fn main() {
    let asked = |option: &str| std::env::args().any(|argument| argument == option);
    let short = asked("--test") || !asked("--bench");
    let (matches, runs) = if short { (1, 1) } else { (5, RUNS) };
    println!("{} playouts a decision, median of {runs}", MonteCarlo::PLAYOUTS);
    for name in RulesName::ALL {
        let rules = Rules::standard(name);
        let mut turns = positions(&rules, matches);
        if short {
            turns.truncate(3);
        }
        let mut figures: Vec<(f64, Duration)> = (0..runs).map(|_| measure(&rules, &turns)).collect();
        figures.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (rate, each) = figures[runs / 2];
        println!("{:<13} {rate:>9.0} playouts/s   {each:>7.2?} a decision", rules.name);
    }
}

/// Playouts a second, and the time for one decision.
fn measure(rules: &Rules, turns: &[Vec<u8>]) -> (f64, Duration) {
    let mut bot = MonteCarlo::new();
    bot.begin(rules, 1);
    let began = Began::now();
    for turn in turns {
        bot.answer(turn).expect("a turn that was written can be read");
    }
    let time = began.elapsed();
    (bot.played_out() as f64 / time.as_secs_f64(), time / turns.len() as u32)
}

/// The decisions of some matches, as lines.
fn positions(rules: &Rules, matches: u64) -> Vec<Vec<u8>> {
    let mut lines = Vec::new();
    for seed in 0..matches {
        let mut first = Listening { inner: Careful::new(), lines: Vec::new() };
        let mut second = Careful::new();
        play_match(rules, &mut [&mut first, &mut second], &[1, 2], |number| shuffled(rules, seed, number));
        lines.append(&mut first.lines);
    }
    lines
}

/// Plays like `careful` and records the turns that it is asked about.
struct Listening {
    inner: Careful,
    lines: Vec<Vec<u8>>,
}

impl Strategy for Listening {
    fn begin(&mut self, rules: &Rules, bot_seed: u64) {
        self.inner.begin(rules, bot_seed);
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Action {
        let mut line = Vec::new();
        push_line(&mut line, turn);
        self.lines.push(line);
        self.inner.choose(turn)
    }
}
