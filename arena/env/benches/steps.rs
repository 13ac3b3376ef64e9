//! Agent steps a second of processor time: random legal actions, with observation and mask, for some tables.
//!
//! ```text
//! cargo bench -p leyden-env             medians of five measurements
//! cargo bench -p leyden-env -- --test   each once, to see that it still runs
//! ```
#![allow(clippy::print_stdout, reason = "a benchmark prints its results")]

use std::time::Duration;

use leyden_env::{Batch, Encoding, Env, EnvError, RewardKind, Vector};
use leyden_model::TournamentSeed;
use leyden_sample_bots::dice::Dice;
use rustix::time::{ClockId, clock_gettime};

const TABLES: [(&str, usize, u8); 5] =
    [("leyden", 2, 6), ("senst", 2, 6), ("matador", 2, 6), ("matador", 4, 6), ("matador", 8, 12)];

fn processor_time() -> Duration {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), now.tv_nsec as u32)
}

/// Returns million agent steps a second: the time of choosing the actions is left out.
fn measure(name: &str, seats: usize, top: u8, steps: usize) -> f64 {
    const ENVS: usize = 64;
    let rules = EnvError::rules(name, seats, top, None).unwrap_or_else(|error| panic!("{error}"));
    let encoding = Encoding::new(&rules);
    let seed = TournamentSeed::from_text("steps");
    let env = |n| Env::new(&rules, RewardKind::Points, seed, n, ENVS as u32);
    let mut vector = Vector::new((0..ENVS as u32).map(env), encoding, 1);
    let (width, actions) = (vector.encoding().len(), vector.actions());
    let (mut observation, mut mask) = (vec![0; ENVS * width], vec![0; ENVS * actions.len()]);
    let (mut reward, mut done, mut seat) = (vec![0.0; ENVS * seats], vec![0; ENVS], vec![0; ENVS]);
    let mut dice = Dice::seeded(7);
    let mut spent = Duration::ZERO;
    for _ in 0..steps {
        let chosen: Vec<i64> = (0..ENVS)
            .map(|row| {
                let legal = vector.env(row).map_or(&[][..], Env::legal);
                actions.number(legal[dice.below(legal.len())]).map_or(0, |number| number as i64)
            })
            .collect();
        let start = processor_time();
        let batch = Batch {
            observation: &mut observation,
            mask: &mut mask,
            reward: &mut reward,
            done: &mut done,
            seat: &mut seat,
        };
        vector.step(&chosen, batch).unwrap_or_else(|error| panic!("{error}"));
        spent += processor_time().saturating_sub(start);
    }
    (steps * ENVS) as f64 / spent.as_secs_f64() / 1e6
}

fn main() {
    let quick = !std::env::args().any(|argument| argument == "--bench");
    let (repeats, steps) = if quick { (1, 20) } else { (5, 5000) };
    for (name, seats, top) in TABLES {
        let mut all: Vec<f64> = (0..repeats).map(|_| measure(name, seats, top, steps)).collect();
        all.sort_by(f64::total_cmp);
        println!("{name}/{seats}/{top}: {:.2} million agent steps a second", all[all.len() / 2]);
    }
}
