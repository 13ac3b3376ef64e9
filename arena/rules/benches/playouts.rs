//! Playouts: how many actions are played per second of processor time, and how long a round takes, for every rule set and
//! set of tiles.
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
//! A round takes the time of its deal and of all its actions; deals that nobody leads are timed, too, but not counted.
//! The clock is the processor time of this process, so other work on the machine matters little.
//!
//! Packed tables are played by [`PackedRound`], which checks nothing, from the lead on: once at random, as the others,
//! except that plays on arms that show the same count as one; once by the lowest tile that fits, on the first arm that it
//! fits, drawing only when stuck.
#![allow(clippy::print_stdout, reason = "a benchmark prints its results")]
#![allow(clippy::disallowed_methods, reason = "the arguments are the benchmark's, not the rules'")]

use std::hint::black_box;
use std::time::Duration;

use leyden_protocol::{LeadRule, RulesName, Seat, Seats, Set};
use leyden_rules::packed::{PackedPlay, PackedRound};
use leyden_rules::{DEFAULT_TARGET, Deck, Lead, Round, RoundOutcome, Rules};
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

/// The packed tables to measure, two seats with the double-six set: a rule set in which they draw as they like, and the one in
/// which they draw only when stuck.
const PACKED_TABLES: [(RulesName, Choice); 4] = [
    (RulesName::Leyden, Choice::Random),
    (RulesName::Leyden, Choice::First),
    (RulesName::Matador, Choice::Random),
    (RulesName::Matador, Choice::First),
];

/// How the seats of a packed round choose.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Choice {
    Random,
    First,
}

/// A table, and how rounds are played there: packed if there is a choice.
struct Table {
    name: String,
    rules: Rules,
    packed: Option<Choice>,
}

/// What was played.
#[derive(Clone, Copy, Default)]
struct Played {
    rounds: u64,
    actions: u64,
}

const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

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
    let rule = rules.leads.later;
    let is_second = rule == LeadRule::Loser && dice.below(2) != 0;
    let first = if is_second { rules.seats.after(Seat::FIRST) } else { Seat::FIRST };
    Lead::for_rule(rule, first, true)
}

/// Plays rounds; packed ones are packed as soon as a double is led.
#[inline(never)]
fn play(Table { rules, packed, .. }: &Table, rounds: u64, dice: &mut Dice) -> Played {
    let mut played = Played::default();
    let (mut deck, mut plays) = (Deck::in_order(rules.set), Vec::new());
    for _ in 0..rounds {
        deck.shuffle(|bound| dice.below(bound));
        let lead = lead(rules, dice);
        let Some(mut round) = Round::deal(rules, &deck, lead) else { continue };
        while round.outcome().is_none() {
            if let Some(choice) = packed
                && let Some(round) = PackedRound::from_round(&round)
            {
                played.actions += finish(round, *choice, &mut plays, dice);
                break;
            }
            let legal = round.legal();
            let chosen = if *packed == Some(Choice::First) { 0 } else { dice.below(legal.len()) };
            let Some(action) = legal.nth(chosen) else { break };
            if round.apply(action).is_err() {
                break;
            }
            played.actions += 1;
        }
        played.rounds += u64::from(round.outcome() != Some(RoundOutcome::Refused));
        black_box(&round);
    }
    played
}

/// Plays a packed round to its end and returns the number of actions.
#[inline(never)]
fn finish(mut round: PackedRound, choice: Choice, plays: &mut Vec<PackedPlay>, dice: &mut Dice) -> u64 {
    let mut actions = 0;
    loop {
        actions += 1;
        let outcome = match choice {
            Choice::Random => step_at_random(&mut round, plays, dice),
            Choice::First => step_first(&mut round),
        };
        if outcome.is_some() {
            black_box(round.pips());
            return actions;
        }
    }
}

/// Takes any legal action. Of plays that differ only in arms that show the same, there is one.
#[inline]
fn step_at_random(
    round: &mut PackedRound,
    plays: &mut Vec<PackedPlay>,
    dice: &mut Dice,
) -> Option<RoundOutcome> {
    plays.clear();
    let layout = round.layout();
    layout.each_arm(round.playable(), |open| layout.each_play(&open, |play, _| plays.push(play)));
    let actions = plays.len() + usize::from(round.may_draw());
    if actions == 0 {
        round.pass();
        return None;
    }
    match plays.get(dice.below(actions)) {
        Some(&play) => round.play(play),
        None => round.draw(),
    }
}

/// Plays the lowest tile that fits, on the first arm that it fits; draws or passes without one.
#[inline]
fn step_first(round: &mut PackedRound) -> Option<RoundOutcome> {
    let playable = round.playable();
    if playable == 0 {
        if round.may_draw() {
            return round.draw();
        }
        round.pass();
        return None;
    }
    let (layout, mut first) = (round.layout(), None);
    layout.each_arm(playable & playable.wrapping_neg(), |open| {
        layout.each_play(&open, |play, _| first = first.or(Some(play)));
    });
    first.and_then(|play| round.play(play))
}

/// Returns the processor time of this process so far.
fn processor_time() -> Duration {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), now.tv_nsec as u32)
}

/// What a table is measured by.
struct Speed {
    million_actions_per_second: f64,
    microseconds_per_round: f64,
}

/// Returns the speed by processor time: medians of the measurements, each of about `span`.
fn speed(table: &Table, repeats: usize, span: Duration) -> Speed {
    let mut dice = Dice(SEED);
    let measured: Vec<(Duration, Played)> = (0..repeats)
        .map(|_| {
            let (start, mut spent, mut all) = (processor_time(), Duration::ZERO, Played::default());
            while spent < span {
                let Played { rounds, actions } = play(table, 500, &mut dice);
                all = Played { rounds: all.rounds + rounds, actions: all.actions + actions };
                spent = processor_time().saturating_sub(start);
            }
            (spent, all)
        })
        .collect();
    let median = |value: fn(f64, &Played) -> f64| {
        let mut values: Vec<f64> =
            measured.iter().map(|(spent, played)| value(spent.as_secs_f64() * 1e6, played)).collect();
        values.sort_by(f64::total_cmp);
        values[repeats / 2]
    };
    Speed {
        million_actions_per_second: median(|microseconds, played| played.actions as f64 / microseconds),
        microseconds_per_round: median(|microseconds, played| microseconds / played.rounds as f64),
    }
}

/// All tables, those of the packed round last.
fn tables() -> Vec<Table> {
    let rules = |name, seats, set| {
        Rules::new(name, seats, set, DEFAULT_TARGET).unwrap_or_else(|error| panic!("{error}"))
    };
    let mut tables: Vec<Table> = Vec::new();
    for (name, seats, set) in TABLES {
        let Some(seats) = Seats::new(seats) else { continue };
        tables.push(Table {
            name: format!("{name}/{seats}/{set}"),
            rules: rules(name, seats, set),
            packed: None,
        });
    }
    for (name, choice) in PACKED_TABLES {
        let how = match choice {
            Choice::Random => "random",
            Choice::First => "first",
        };
        let rules = rules(name, Seats::TWO, Set::DoubleSix);
        tables.push(Table { name: format!("{name}/packed/{how}"), rules, packed: Some(choice) });
    }
    tables
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let after = |option: &str| arguments.iter().skip_while(|text| *text != option).nth(1);
    let rounds: Option<u64> = after("--rounds").and_then(|text| text.parse().ok());
    let requested =
        arguments.iter().rfind(|text| !text.starts_with("--") && text.contains(char::is_alphabetic));
    // `cargo bench` passes this; other runners (`cargo test --all-targets`) only check that the benchmark runs.
    let said = |option: &str| arguments.iter().any(|text| text == option);
    let quick = said("--test") || !said("--bench");
    let (repeats, span) =
        if quick { (1, Duration::from_millis(30)) } else { (5, Duration::from_millis(400)) };
    for table in tables() {
        let name = &table.name;
        if requested.is_some_and(|part| !name.contains(part.as_str())) {
            continue;
        }
        if said("--tables") {
            println!("{name}");
        } else if let Some(rounds) = rounds {
            let Played { actions, .. } = play(&table, rounds, &mut Dice(SEED));
            println!("{name} {actions} actions");
        } else {
            let Speed { million_actions_per_second, microseconds_per_round } = speed(&table, repeats, span);
            println!(
                "{name:<28} {million_actions_per_second:6.1} million actions per second of processor time, \
                 {microseconds_per_round:5.2} µs a round"
            );
        }
    }
}
