//! Random playouts: how many actions are played per second of processor time, for every rule set and set of tiles.
//!
//! ```text
//! cargo bench -p leyden-rules                      all tables, five measurements each
//! cargo bench -p leyden-rules -- leyden            only tables whose name contains a text
//! cargo bench -p leyden-rules -- --test            a second in all, to see that it still runs
//! cargo bench -p leyden-rules -- --rounds 2000     exactly this many rounds a table, untimed
//! cargo bench -p leyden-rules -- --tables          the names of the tables
//! arena/rules/benches/instructions                 instructions per action, by callgrind: the same on a busy machine
//! ```
//!
//! A playout is a deal, shuffled by the same fast generator that then chooses uniformly among the legal actions until
//! the round is over. Every action is counted, including forced ones, and goes through the checking [`Round::apply`].
//! The clock is the processor time of this process, so other work on the machine matters little.
#![allow(clippy::print_stdout, reason = "a benchmark prints its results")]
#![allow(clippy::disallowed_methods, reason = "the arguments are the benchmark's, not the rules'")]

use std::hint::black_box;
use std::time::Duration;

use leyden_protocol::{LeadRule, RulesName, Seat, Seats, Set};
use leyden_rules::{DEFAULT_TARGET, Deck, Lead, Round, Rules};
use rustix::time::{ClockId, clock_gettime};

/// The tables to measure: every rule set, and Matador with every set at its smallest and largest table.
const TABLES: [(RulesName, usize, Set); 11] = [
    (RulesName::Leyden, 2, Set::DoubleSix),
    (RulesName::LeydenCross, 2, Set::DoubleSix),
    (RulesName::Leiden, 2, Set::DoubleSix),
    (RulesName::Senst, 2, Set::DoubleSix),
    (RulesName::LeydenFree, 2, Set::DoubleSix),
    (RulesName::Matador, 2, Set::DoubleSix),
    (RulesName::Matador, 4, Set::DoubleSix),
    (RulesName::Matador, 2, Set::DoubleNine),
    (RulesName::Matador, 6, Set::DoubleNine),
    (RulesName::Matador, 2, Set::DoubleTwelve),
    (RulesName::Matador, 8, Set::DoubleTwelve),
];

/// Wang Yi's `wyrand`: one addition and one multiplication per number.
struct Dice(u64);

impl Dice {
    /// Returns a number below `bound`; a bias of `bound` in 2³² does not matter here.
    #[inline]
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0xa076_1d64_78bd_642f);
        let product = u128::from(self.0) * u128::from(self.0 ^ 0xe703_7ed1_a0b4_28db);
        let word = (product as u64 ^ (product >> 64) as u64) >> 32;
        ((word * bound as u64) >> 32) as usize
    }
}

/// How rounds after the first begin; the loser's seat is random.
fn lead(rules: &Rules, dice: &mut Dice) -> Lead {
    match rules.leads.later {
        LeadRule::Lowest => Lead::Lowest,
        LeadRule::Highest => Lead::Highest,
        LeadRule::HighestHolder => Lead::HighestHolder,
        LeadRule::Loser => {
            let first = if dice.below(2) == 0 { Seat::FIRST } else { rules.seats.after(Seat::FIRST) };
            Lead::Loser { first, may_refuse: true }
        }
    }
}

/// Plays rounds at random and counts the actions.
#[inline(never)]
fn play(rules: &Rules, rounds: u64, dice: &mut Dice) -> u64 {
    let mut actions = 0;
    let mut deck = Deck::in_order(rules.set);
    for _ in 0..rounds {
        deck.shuffle(|bound| dice.below(bound));
        let lead = lead(rules, dice);
        let Some(mut round) = Round::deal(rules, &deck, lead) else { continue };
        while round.outcome().is_none() {
            let legal = round.legal();
            let Some(action) = legal.nth(dice.below(legal.len())) else { break };
            if round.apply(action).is_err() {
                break;
            }
            actions += 1;
        }
        black_box(&round);
    }
    actions
}

/// Returns the processor time of this process so far.
fn processor_time() -> Duration {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), now.tv_nsec as u32)
}

/// Returns million actions per second of processor time: the median of the measurements, each of about `span`.
fn speed(rules: &Rules, repeats: usize, span: Duration) -> f64 {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let mut speeds: Vec<f64> = (0..repeats)
        .map(|_| {
            let (start, mut spent, mut actions) = (processor_time(), Duration::ZERO, 0);
            while spent < span {
                actions += play(rules, 500, &mut dice);
                spent = processor_time().saturating_sub(start);
            }
            actions as f64 / spent.as_secs_f64() / 1e6
        })
        .collect();
    speeds.sort_by(f64::total_cmp);
    speeds[repeats / 2]
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let after = |option: &str| arguments.iter().skip_while(|text| *text != option).nth(1);
    let rounds: Option<u64> = after("--rounds").and_then(|text| text.parse().ok());
    let wanted = arguments.iter().rfind(|text| !text.starts_with("--") && text.contains(char::is_alphabetic));
    // `cargo bench` passes this; other runners (`cargo test --all-targets`) only check that the benchmark runs.
    let said = |option: &str| arguments.iter().any(|text| text == option);
    let quick = said("--test") || !said("--bench");
    let (repeats, span) =
        if quick { (1, Duration::from_millis(30)) } else { (5, Duration::from_millis(400)) };
    for (name, seats, set) in TABLES {
        let Some(seats) = Seats::new(seats) else { continue };
        let table = format!("{name}/{seats}/{set}");
        if wanted.is_some_and(|part| !table.contains(part.as_str())) {
            continue;
        }
        if said("--tables") {
            println!("{table}");
            continue;
        }
        let rules = Rules::new(name, seats, set, DEFAULT_TARGET).unwrap_or_else(|error| panic!("{error}"));
        if let Some(rounds) = rounds {
            println!("{table} {} actions", play(&rules, rounds, &mut Dice(0x9e37_79b9_7f4a_7c15)));
        } else {
            println!(
                "{table:<28} {:6.1} million actions per second of processor time",
                speed(&rules, repeats, span)
            );
        }
    }
}
