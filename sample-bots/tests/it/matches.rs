//! Every bot in whole matches of every rule set: only legal answers, and the same answers from the same seeds.

use leyden_protocol::{RulesName, Seats, Set};
use leyden_rules::{Match, Rules};
use leyden_sample_bots::table::{play_match, shuffled};
use leyden_sample_bots::{Strategy, names, strategy};

/// Every rule set, and every kind of larger table.
fn tables() -> Vec<Rules> {
    let standard = RulesName::ALL.map(Rules::standard);
    let larger = [
        (3, Set::DoubleSix),
        (4, Set::DoubleSix),
        (2, Set::DoubleNine),
        (6, Set::DoubleNine),
        (8, Set::DoubleTwelve),
    ];
    let larger = larger
        .map(|(seats, set)| Rules::new(RulesName::Matador, Seats::new(seats).unwrap(), set, 100).unwrap());
    standard.into_iter().chain(larger).collect()
}

/// The bots with their options, and in how many matches of each rule set they have to answer legally. With so few
/// playouts no clock runs out.
const BOTS: [(&str, &[&str], u64); 9] = [
    ("random", &[], 20),
    ("greedy", &[], 20),
    ("careful", &[], 20),
    ("careful", &["--blunder", "50"], 20),
    ("ladder", &["--level", "1"], 3),
    ("ladder", &["--level", "4"], 3),
    ("ladder", &["--level", "6"], 1),
    ("montecarlo", &["--playouts", "30"], 3),
    ("strong", &["--playouts", "30"], 2),
];

/// Plays a match of one bot against copies of itself; `play_match` panics at an illegal answer.
fn alone(rules: &Rules, name: &str, options: &[&str], seed: u64) -> Match {
    let mut bots: Vec<_> = rules.seats.iter().map(|_| strategy(name, options).unwrap()).collect();
    let mut players: Vec<&mut dyn Strategy> = bots.iter_mut().map(|bot| &mut **bot as _).collect();
    let seeds: Vec<u64> = rules.seats.iter().map(|seat| seed * 100 + seat.index() as u64).collect();
    play_match(rules, &mut players, &seeds, |number| shuffled(rules, seed, number))
}

#[test]
fn every_bot_answers_legally_in_every_rule_set() {
    for rules in tables() {
        for (name, options, matches) in BOTS {
            for seed in 0..matches {
                alone(&rules, name, options, seed);
            }
        }
    }
}

#[test]
fn same_seeds_play_the_same_match() {
    for rules in tables() {
        for (name, options, _) in BOTS {
            let (one, two) = (alone(&rules, name, options, 7), alone(&rules, name, options, 7));
            assert_eq!(one.scores(), two.scores(), "{name} at {}", rules.name);
            assert_eq!(one.deal_number(), two.deal_number(), "{name} at {}", rules.name);
        }
    }
}

#[test]
fn every_bot_is_tested() {
    assert!(names().iter().all(|name| BOTS.iter().any(|(tested, ..)| tested == name)));
}

#[test]
fn other_seeds_blunder_otherwise() {
    let rules = Rules::standard(RulesName::Leyden);
    let differ = |name: &str, options: &[&str]| {
        (0..20).any(|seed| {
            let play = |bot_seed: u64| {
                let mut bots = [strategy(name, options).unwrap(), strategy("greedy", &[""; 0]).unwrap()];
                let [one, two] = &mut bots;
                let deal = |number| shuffled(&rules, seed, number);
                *play_match(&rules, &mut [&mut **one, &mut **two], &[bot_seed, 0], deal).scores()
            };
            play(1) != play(2)
        })
    };
    assert!(differ("random", &[]));
    assert!(differ("careful", &["--blunder", "25"]));
    assert!(!differ("careful", &[]) && !differ("greedy", &[]));
}
