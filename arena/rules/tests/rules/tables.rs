//! Every table at which the rule sets can be played.

use leyden_protocol::{RulesName, Seats, Set};
use leyden_rules::{DEFAULT_TARGET, Match, Rules, RulesError};

/// Every combination of rule set, number of seats and set of tiles: 20 tables.
pub(crate) fn all() -> Vec<Rules> {
    let mut tables = Vec::new();
    for name in RulesName::ALL {
        for set in Set::ALL {
            for seats in 2..=8 {
                tables.extend(Rules::new(name, Seats::new(seats).expect("seats"), set, DEFAULT_TARGET));
            }
        }
    }
    tables
}

/// Returns a match that is about to deal its next round, after `rounds` random rounds.
pub(crate) fn after_rounds(rules: &Rules, rounds: u32, dice: &mut crate::dice::Dice) -> Match {
    let mut game = Match::new(rules);
    while game.deal_number().round < rounds && game.finish().is_none() {
        play_deal(&mut game, dice);
    }
    game
}

/// Deals once and plays that deal at random to its end; it may have to be dealt again.
pub(crate) fn play_deal(game: &mut Match, dice: &mut crate::dice::Dice) {
    let taste = dice.taste();
    game.deal(&dice.deck(game.rules().set));
    while let Some(round) = game.round() {
        if round.outcome().is_some() {
            game.settle();
        } else {
            let action = dice.choose(&round.legal(), taste);
            game.apply(action).expect("a legal action");
        }
    }
}

#[test]
fn rules_accept_the_stated_number_of_tables() {
    let tables = all();
    let count =
        |set: Set| tables.iter().filter(|rules| rules.name == RulesName::Matador && rules.set == set).count();
    // All others are played by two with double-six only.
    assert_eq!(tables.len(), RulesName::ALL.len() - 1 + 3 + 5 + 7);
    assert_eq!([count(Set::DoubleSix), count(Set::DoubleNine), count(Set::DoubleTwelve)], [3, 5, 7]);
}

#[test]
fn hand_sizes_follow_the_rules_at_every_table() {
    for rules in all() {
        let expected = match (rules.name, rules.set, rules.seats.count()) {
            (RulesName::Matador, Set::DoubleSix, 3) => 6,
            (RulesName::Matador, Set::DoubleSix, 4) => 5,
            (RulesName::Matador, _, _) => 7,
            _ => 6,
        };
        assert_eq!(rules.hand, expected, "{rules:?}");
        assert!(usize::from(rules.hand) * rules.seats.count() <= rules.set.size());
    }
}

#[test]
fn unplayable_table_is_refused_with_the_reason() {
    let seats = |count| Seats::new(count).expect("seats");
    let tried = |name, count, set, target| Rules::new(name, seats(count), set, target);
    let three = tried(RulesName::Leyden, 3, Set::DoubleSix, 100);
    assert!(matches!(three, Err(RulesError::Seats { .. })), "{three:?}");
    assert_eq!(three.unwrap_err().to_string(), "leyden with double-six is played by 2 seats, not by 3");
    assert!(matches!(tried(RulesName::Senst, 2, Set::DoubleNine, 100), Err(RulesError::Set { .. })));
    assert!(matches!(tried(RulesName::Matador, 5, Set::DoubleSix, 100), Err(RulesError::Seats { .. })));
    assert!(matches!(tried(RulesName::Matador, 7, Set::DoubleNine, 100), Err(RulesError::Seats { .. })));
    assert!(tried(RulesName::Matador, 8, Set::DoubleTwelve, 200).is_ok());
    for target in [0, Rules::HIGHEST_TARGET + 1] {
        assert_eq!(tried(RulesName::Leyden, 2, Set::DoubleSix, target), Err(RulesError::Target { target }));
    }
}
