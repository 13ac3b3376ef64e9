//! A round rebuilt from what a seat sees, completed with the true hidden tiles, equals the round itself.

use leyden_protocol::{Tile, View};
use leyden_rules::{Match, Round, Rules, SuppositionError};

use crate::dice::{Dice, Taste};
use crate::script::seat;
use crate::tables;

/// Returns the true tiles that the seat to act does not see.
fn truth(round: &Round, view: &View<'_>) -> Vec<Tile> {
    let others = round.rules().seats.iter().filter(|&seat| seat != view.seat);
    let hands = others.flat_map(|seat| round.hand(seat));
    hands.chain(round.boneyard().iter().copied()).collect()
}

/// Plays both to the end with the same random choices; they must offer and do the same.
fn go_on_alike(mut real: Round, mut supposed: Round, dice: &mut Dice, taste: Taste) {
    loop {
        assert_eq!(real.to_act(), supposed.to_act());
        assert_eq!(real.outcome(), supposed.outcome());
        assert_eq!((real.hands(), real.arms()), (supposed.hands(), supposed.arms()));
        assert_eq!((real.phase(), real.drawable()), (supposed.phase(), supposed.drawable()));
        assert_eq!(real.boneyard(), supposed.boneyard());
        let legal = real.legal();
        assert_eq!(format!("{legal:?}"), format!("{:?}", supposed.legal()));
        if legal.is_empty() {
            assert_eq!(real.leader(), supposed.leader());
            return;
        }
        let action = dice.choose(&legal, taste);
        assert_eq!(real.apply(action), supposed.apply(action));
    }
}

fn at_every_decision(rounds: u32, mut look: impl FnMut(&Match, &View<'_>, &mut Dice)) {
    for (n, rules) in tables::all().iter().enumerate() {
        let mut dice = Dice::new(500 + n as u64);
        let mut game = Match::new(rules);
        for _ in 0..rounds {
            if game.finish().is_some() {
                game = Match::new(rules);
            }
            let taste = dice.taste();
            game.deal(&dice.deck(rules.set));
            while let Some((round, seat)) = game.round().and_then(|round| Some((round, round.to_act()?))) {
                let mut legal = Vec::new();
                if round.legal().len() > 1 {
                    let view = game.view(seat, &mut legal).expect("a round is being played");
                    look(&game, &view, &mut dice);
                }
                let action = dice.choose(&round.legal(), taste);
                game.apply(action).expect("a legal action");
            }
            game.settle();
        }
    }
}

#[test]
fn true_supposition_continues_like_the_round_itself() {
    at_every_decision(30, |game, view, dice| {
        let round = game.round().expect("a round");
        let unseen = truth(round, view);
        let supposed = Round::suppose(round.rules(), view, &unseen).expect("the truth fits");
        let taste = dice.taste();
        go_on_alike(*round, supposed, dice, taste);
    });
}

#[test]
fn unseen_tiles_in_any_order_keep_the_view() {
    at_every_decision(10, |game, view, dice| {
        let round = game.round().expect("a round");
        let mut unseen = truth(round, view);
        dice.shuffle(&mut unseen);
        let supposed = Round::suppose(round.rules(), view, &unseen).expect("every tile once");
        assert_eq!(supposed.legal().iter().collect::<Vec<_>>(), view.legal.as_ref());
        assert_eq!(supposed.counts(), view.counts);
        assert_eq!(supposed.hand(view.seat), view.hand);
        assert_eq!(supposed.arms(), view.arms);
    });
}

#[test]
fn supposition_that_contradicts_the_view_is_refused() {
    let rules = Rules::standard(leyden_protocol::RulesName::Leyden);
    let mut dice = Dice::new(3);
    let mut game = Match::new(&rules);
    game.deal(&dice.deck(rules.set));
    let round = game.round().expect("a round");
    let mut legal = Vec::new();
    let view = game.view(round.to_act().expect("a seat"), &mut legal).expect("a round");
    let unseen = truth(round, &view);
    let refused = |rules: &Rules, tiles: &[Tile]| Round::suppose(rules, &view, tiles).unwrap_err();
    assert_eq!(refused(&rules, &unseen[1..]), SuppositionError::Unseen);
    let mut twice = unseen.clone();
    twice[0] = twice[1];
    assert_eq!(refused(&rules, &twice), SuppositionError::Unseen);
    let mut own = unseen.clone();
    own[0] = view.hand.first().expect("a hand");
    assert_eq!(refused(&rules, &own), SuppositionError::Unseen);
    let other = Rules::standard(leyden_protocol::RulesName::Senst);
    assert_eq!(refused(&other, &unseen), SuppositionError::Rules);
    let mut wrong = view.clone();
    wrong.counts[seat(0)] += 1;
    wrong.counts[seat(1)] += 1;
    assert_eq!(Round::suppose(&rules, &wrong, &unseen).unwrap_err(), SuppositionError::Unseen);
}
