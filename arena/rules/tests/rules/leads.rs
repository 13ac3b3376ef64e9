//! Who leads, with which choice, and what happens if nobody does.

use leyden_protocol::{RulesName, Seat, Set};
use leyden_rules::{DealOutcome, Deck, Lead, Match, REFUSED_DEALS, Round, RoundOutcome, Rules};

use crate::script::{deck, legal, matador, play, seat, shown};

const HANDS: [&str; 2] = ["0-0 1-1 5-5 0-1 0-2 0-3", "4-4 6-6 0-4 0-5 0-6 1-2"];
const NO_DOUBLES: [&str; 2] = ["0-1 0-2 0-3 0-4 0-5 0-6", "1-2 1-3 1-4 1-5 1-6 2-3"];
const FIRST: Lead = Lead::Loser { first: Seat::FIRST, may_refuse: true };
const BOUND: Lead = Lead::Loser { first: Seat::FIRST, may_refuse: false };

fn leyden() -> Rules {
    Rules::standard(RulesName::Leyden)
}

fn dealt(hands: &[&str], lead: Lead) -> Option<Round> {
    Round::deal(&leyden(), &deck(&leyden(), hands, ""), lead)
}

#[test]
fn lowest_nonblank_double_has_to_lead() {
    let round = dealt(&HANDS, Lead::Lowest).expect("a double");
    assert_eq!((round.to_act(), legal(&round).as_str()), (Some(Seat::FIRST), "lead:1-1"));
}

#[test]
fn highest_double_has_to_lead_even_if_blank() {
    let round = dealt(&HANDS, Lead::Highest).expect("a double");
    assert_eq!((round.to_act(), legal(&round).as_str()), (Some(seat(1)), "lead:6-6"));
    let rules = matador(2, Set::DoubleSix);
    let hands = ["0-0 0-1 0-2 0-3 0-4 0-5 0-6", "1-2 1-3 1-4 1-5 1-6 2-3 2-4"];
    let mut round = Round::deal(&rules, &deck(&rules, &hands, ""), Lead::Highest).expect("0-0");
    assert_eq!(legal(&round), "lead:0-0");
    play(&mut round, "lead:0-0");
    assert_eq!(shown(&round), "E0 W0");
    assert_eq!(legal(&round), "E:1-6 E:6-1 E:1|6 W:1-6 W:6-1 W:1|6");
}

#[test]
fn highest_doubles_holder_leads_or_draws_without_refusing() {
    let mut round = dealt(&HANDS, Lead::HighestHolder).expect("a double");
    assert_eq!((round.to_act(), legal(&round).as_str()), (Some(seat(1)), "lead:4-4 lead:6-6 draw"));
    for _ in 0..14 {
        play(&mut round, "draw");
    }
    assert_eq!(legal(&round), "lead:2-2 lead:3-3 lead:4-4 lead:6-6");
}

#[test]
fn round_needs_a_double_unless_the_loser_leads() {
    for lead in [Lead::Lowest, Lead::Highest, Lead::HighestHolder] {
        assert!(dealt(&NO_DOUBLES, lead).is_none(), "{lead:?}");
    }
    let blank = ["0-0 0-2 0-3 0-4 0-5 0-6", NO_DOUBLES[1]];
    assert!(dealt(&blank, Lead::Lowest).is_none());
    assert!(dealt(&blank, Lead::HighestHolder).is_none());
    assert!(dealt(&blank, Lead::Highest).is_some());
    assert!(dealt(&NO_DOUBLES, FIRST).is_some(), "the loser may draw one");
}

#[test]
fn refusal_keeps_drawn_tiles_and_hands_over_choice() {
    let mut round = dealt(&HANDS, FIRST).expect("a round");
    assert_eq!(legal(&round), "lead:1-1 lead:5-5 draw refuse");
    play(&mut round, "draw refuse");
    assert_eq!((round.to_act(), round.leader()), (Some(seat(1)), seat(1)));
    assert_eq!(round.counts().as_slice(), [7, 6]);
    assert_eq!(legal(&round), "lead:4-4 lead:6-6 draw refuse");
    let mut led = round;
    play(&mut led, "lead:4-4");
    assert_eq!((led.to_act(), led.leader()), (Some(Seat::FIRST), seat(1)));
    play(&mut round, "refuse");
    assert_eq!((round.outcome(), round.to_act()), (Some(RoundOutcome::Refused), None));
}

#[test]
fn bound_player_refuses_only_as_a_last_resort() {
    let round = dealt(&HANDS, BOUND).expect("a round");
    assert_eq!(legal(&round), "lead:1-1 lead:5-5 draw");
    // Nothing but other tiles to draw: the doubles are with the other player and in the reserve.
    let hands = ["0-1 0-2 0-3 0-4 0-5 0-6", "1-1 2-2 3-3 4-4 0-0 1-2"];
    let boneyard = "1-3 1-4 1-5 1-6 2-3 2-4 2-5 2-6 3-4 3-5 3-6 4-5 4-6 5-6 5-5 6-6";
    let mut round = Round::deal(&leyden(), &deck(&leyden(), &hands, boneyard), BOUND).expect("a round");
    for _ in 0..14 {
        assert_eq!(legal(&round), "draw");
        play(&mut round, "draw");
    }
    assert_eq!(legal(&round), "refuse");
    play(&mut round, "refuse");
    assert_eq!(legal(&round), "lead:1-1 lead:2-2 lead:3-3 lead:4-4");
}

/// Returns a match after one round.
fn after_one_round(rules: &Rules) -> Match {
    let mut game = Match::new(rules);
    let hands = ["6-6 1-1 2-2 1-6 2-5 3-4", "0-1 0-2 0-3 0-4 0-5 0-6"];
    game.deal(&deck(rules, &hands, ""));
    while let Some(round) = game.round().filter(|round| round.outcome().is_none()) {
        let action = round.legal().nth(0).expect("an action");
        game.apply(action).expect("legal");
    }
    game.settle().expect("a round that is over");
    game
}

fn refuse_the_deal(game: &mut Match, deck: &Deck) {
    game.deal(deck);
    game.apply("refuse".parse().expect("an action")).expect("may refuse");
    game.apply("refuse".parse().expect("an action")).expect("may refuse");
    assert_eq!(game.settle().map(|settled| settled.outcome), Some(RoundOutcome::Refused));
}

#[test]
fn able_player_cannot_refuse_after_three_refused_deals() {
    let rules = leyden();
    let mut game = after_one_round(&rules);
    let deck = deck(&rules, &HANDS, "");
    let (first, before) = (game.clone(), *game.scores());
    for n in 0..u32::from(REFUSED_DEALS) {
        assert_eq!((game.deal_number().round, game.deal_number().redeal), (1, n));
        refuse_the_deal(&mut game, &deck);
        assert_eq!(*game.scores(), before, "a refused deal scores nothing");
    }
    game.deal(&deck);
    let round = game.round().expect("a round");
    assert!(!legal(round).contains("refuse"));
    let mut same = first;
    same.deal(&deck);
    assert_eq!(round.to_act(), same.round().expect("a round").to_act(), "the same first right");
}

#[test]
fn deal_without_doubles_counts_only_as_a_redeal() {
    let rules = Rules::standard(RulesName::LeydenFree);
    let mut game = Match::new(&rules);
    assert_eq!(game.deal(&deck(&rules, &NO_DOUBLES, "")), DealOutcome::NoDouble);
    assert_eq!((game.deal_number().round, game.deal_number().redeal), (0, 1));
    assert!(game.round().is_none() && game.settle().is_none());
    assert_eq!(game.deal(&deck(&rules, &HANDS, "")), DealOutcome::Round);
    assert_eq!(game.deal_number().redeal, 1);
}
