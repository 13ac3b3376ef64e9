//! How turns go and how rounds end, beyond the worked examples.

use leyden_protocol::{RulesName, Seat, Set};
use leyden_rules::{Lead, Match, Round, RoundOutcome, Rules};

use crate::dice::Dice;
use crate::script::{deck, later_round, legal, legal_on, matador, play, seat, shown};
use crate::tables;

#[test]
fn cross_opens_only_unstarted_arms_until_filled() {
    for name in [RulesName::LeydenCross, RulesName::Leiden, RulesName::Senst] {
        let rules = Rules::standard(name);
        let mut round = later_round(&rules, &["3-3 0-4 1-4 2-4 4-4 3-4", "4-5 4-6 2-5 1-6 0-0 0-1"], "");
        play(&mut round, "lead:3-3 E:4-5 W:4-0");
        assert_eq!(legal_on(&round, "E") + &legal_on(&round, "W"), "", "{name}");
        assert!(!legal_on(&round, "N").is_empty() && !legal_on(&round, "S").is_empty());
        play(&mut round, "N:4-6 S:4-4");
        assert_eq!(shown(&round), "N6 E5 S4 W0");
        assert!(["N", "E", "S", "W"].iter().all(|arm| !legal_on(&round, arm).is_empty()));
    }
}

#[test]
fn line_layout_has_two_ends_and_no_opening() {
    let rules = matador(2, Set::DoubleSix);
    let hands = ["6-6 1-2 1-3 1-4 0-1 2-2 2-3", "1-1 1-5 0-2 0-3 0-4 0-5 0-6"];
    let mut round = Round::deal(&rules, &deck(&rules, &hands, ""), Lead::Highest).expect("6-6");
    play(&mut round, "lead:6-6");
    assert_eq!((shown(&round).as_str(), legal(&round).as_str()), ("E6 W6", "E:1-1 E:1-5 W:1-1 W:1-5"));
}

#[test]
fn stuck_matador_player_plays_drawn_tile_or_passes() {
    let rules = matador(2, Set::DoubleSix);
    let hands = ["6-6 1-2 1-3 1-4 0-1 2-2 2-3", "0-2 0-3 0-4 0-5 0-6 2-4 3-3"];
    for (next, fits, after) in [
        ("1-5", true, "E:1-5 W:1-5"),
        ("1-6", true, "E:1-6 E:6-1 E:1|6 W:1-6 W:6-1 W:1|6"),
        ("4-4", false, "pass"),
    ] {
        let mut round = Round::deal(&rules, &deck(&rules, &hands, next), Lead::Highest).expect("6-6");
        play(&mut round, "lead:6-6");
        assert_eq!(legal(&round), "draw");
        play(&mut round, "draw");
        assert_eq!((round.to_act(), legal(&round).as_str()), (Some(seat(1)), after));
        if !fits {
            play(&mut round, "pass");
            assert_eq!(round.to_act(), Some(Seat::FIRST));
        }
    }
}

#[test]
fn matador_forbids_unneeded_draws_but_leyden_allows_them() {
    let rules = matador(2, Set::DoubleSix);
    let hands = ["6-6 1-2 1-3 1-4 0-1 2-2 2-3", "1-1 0-3 0-4 0-5 0-6 2-4 3-3"];
    let mut round = Round::deal(&rules, &deck(&rules, &hands, ""), Lead::Highest).expect("6-6");
    play(&mut round, "lead:6-6");
    assert_eq!(legal(&round), "E:1-1 W:1-1");
    let rules = Rules::standard(RulesName::Leyden);
    let hands = ["6-6 1-2 1-3 1-4 0-1 2-2", "1-1 0-3 0-4 0-5 0-6 2-4"];
    let mut round = later_round(&rules, &hands, "1-5");
    play(&mut round, "lead:6-6");
    assert_eq!(legal(&round), "N:1-1 S:1-1 draw");
    play(&mut round, "draw");
    assert_eq!(legal(&round), "N:1-1 N:1-5 S:1-1 S:1-5 draw");
}

#[test]
fn matador_double_goes_anywhere_but_only_in_line() {
    let rules = matador(2, Set::DoubleNine);
    let hands = ["9-9 0-1 0-2 0-3 0-4 0-5 0-6", "5-5 1-9 2-3 2-4 2-5 2-6 2-7"];
    let mut round = Round::deal(&rules, &deck(&rules, &hands, ""), Lead::Highest).expect("9-9");
    play(&mut round, "lead:9-9");
    assert_eq!(legal(&round), "E:1-9 E:9-1 E:1|9 E:5-5 W:1-9 W:9-1 W:1|9 W:5-5");
    play(&mut round, "E:5-5");
    assert_eq!(shown(&round), "E5 W9");
}

#[test]
fn double_six_matador_is_ordinary_with_double_nine() {
    // 2-5 adds up to 7: wild with double-six only.
    let rules = matador(2, Set::DoubleNine);
    let hands = ["9-9 0-1 0-2 0-3 0-4 0-5 0-6", "2-5 3-4 1-1 2-3 2-4 2-6 2-7"];
    let mut round = Round::deal(&rules, &deck(&rules, &hands, ""), Lead::Highest).expect("9-9");
    play(&mut round, "lead:9-9");
    assert_eq!(legal(&round), "E:1-1 W:1-1");
}

#[test]
fn winnerless_round_has_equal_pips_and_same_leader() {
    let rules = Rules::standard(RulesName::Leyden);
    let mut dice = Dice::new(77);
    let mut seen = 0;
    while seen < 5 {
        let rounds = 1 + dice.below(2) as u32;
        let mut game = tables::after_rounds(&rules, rounds, &mut dice);
        if game.finish().is_some() {
            continue;
        }
        let settled = play_out(&mut game, &mut dice);
        let Some((leader, outcome, pips)) = settled else { continue };
        if outcome != (RoundOutcome::Blocked { winner: None }) || game.finish().is_some() {
            continue;
        }
        assert_eq!(pips[0], pips[1]);
        game.deal(&dice.deck(rules.set));
        assert_eq!(game.round().and_then(Round::to_act), Some(leader));
        seen += 1;
    }
}

#[test]
fn player_going_out_beats_a_lone_blank_double() {
    let mut dice = Dice::new(78);
    let rules = Rules::standard(RulesName::Leyden);
    let mut seen = 0;
    while seen < 3 {
        let mut game = tables::after_rounds(&rules, 1, &mut dice);
        if game.finish().is_some() {
            continue;
        }
        let Some((_, outcome, pips)) = play_out(&mut game, &mut dice) else { continue };
        if pips != [0, 0] || game.finish().is_some() {
            continue;
        }
        let RoundOutcome::Dominoed { winner } = outcome else { panic!("{outcome:?}") };
        game.deal(&dice.deck(rules.set));
        assert_eq!(game.round().and_then(Round::to_act), Some(rules.seats.after(winner)));
        seen += 1;
    }
}

/// Plays the next deal at random. Returns who led, how it ended, and the pips; `None` if it was refused.
fn play_out(game: &mut Match, dice: &mut Dice) -> Option<(Seat, RoundOutcome, [u32; 2])> {
    let taste = dice.taste();
    game.deal(&dice.deck(game.rules().set));
    while let Some(round) = game.round().filter(|round| round.outcome().is_none()) {
        let action = dice.choose(&round.legal(), taste);
        game.apply(action).expect("a legal action");
    }
    let leader = game.round()?.leader();
    let settled = game.settle()?;
    let pips = settled.pips.as_slice().try_into().ok()?;
    (settled.outcome != RoundOutcome::Refused).then_some((leader, settled.outcome, pips))
}
