//! Every bot, in whole matches of every rule set: only legal answers, and the same ones from the same seeds.

use leyden_protocol::{RulesName, Seats, Set};
use leyden_rules::{Match, Rules};
use leyden_sample_bots::table::{play_match, shuffled};
use leyden_sample_bots::{Strategy, names, strategy};

/// Every rule set at every kind of table.
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
        for name in names() {
            for seed in 0..20 {
                alone(&rules, name, &[], seed);
            }
        }
        for seed in 0..20 {
            alone(&rules, "careful", &["--blunder", "50"], seed);
        }
    }
}

#[test]
fn the_same_seeds_play_the_same_match() {
    for rules in tables() {
        for name in names() {
            let (one, two) = (alone(&rules, name, &[], 7), alone(&rules, name, &[], 7));
            assert_eq!(one.scores(), two.scores(), "{name} at {}", rules.name);
            assert_eq!(one.deal_number(), two.deal_number(), "{name} at {}", rules.name);
        }
    }
}
