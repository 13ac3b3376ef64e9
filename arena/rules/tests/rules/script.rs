//! Scripted rounds: who holds what, and what is done.

use leyden_protocol::{Action, PerSeat, RulesName, Seat, Seats, Set, Tile, TileSet};
use leyden_rules::{DEFAULT_TARGET, Deck, Lead, Round, Rules};

pub(crate) fn tiles(text: &str) -> Vec<Tile> {
    text.split_whitespace().map(|tile| tile.parse().expect("a tile")).collect()
}

pub(crate) fn actions(text: &str) -> Vec<Action> {
    text.split_whitespace().map(|action| action.parse().expect("an action")).collect()
}

pub(crate) fn seat(index: usize) -> Seat {
    Seat::new(index).expect("a seat")
}

pub(crate) fn matador(seats: usize, set: Set) -> Rules {
    let seats = Seats::new(seats).expect("seats");
    Rules::new(RulesName::Matador, seats, set, DEFAULT_TARGET).expect("possible")
}

/// Returns a deck with these hands, these tiles next in the boneyard, and the others after them in ascending order.
pub(crate) fn deck(rules: &Rules, hands: &[&str], boneyard: &str) -> Deck {
    let mut order: Vec<Tile> = Vec::new();
    for hand in hands {
        let hand = tiles(hand);
        assert_eq!(hand.len(), usize::from(rules.hand), "a whole hand");
        order.extend(hand);
    }
    assert_eq!(hands.len(), rules.seats.count(), "a hand for each seat");
    order.extend(tiles(boneyard));
    let named: TileSet = order.iter().copied().collect();
    order.extend(rules.set.tiles().minus(named));
    Deck::new(rules.set, &order).expect("no tile is named twice")
}

/// Returns a later round: seat 0 has the first right to lead.
pub(crate) fn later_round(rules: &Rules, hands: &[&str], boneyard: &str) -> Round {
    let lead = Lead::Loser { first: Seat::FIRST, may_refuse: true };
    Round::deal(rules, &deck(rules, hands, boneyard), lead).expect("somebody can begin")
}

pub(crate) fn play(round: &mut Round, text: &str) {
    for action in actions(text) {
        let seat = round.to_act();
        round.apply(action).unwrap_or_else(|error| panic!("{seat:?}: {error}; {:?}", round.legal()));
    }
}

/// Returns every legal action as text.
pub(crate) fn legal(round: &Round) -> String {
    round.legal().iter().map(|action| action.to_string()).collect::<Vec<_>>().join(" ")
}

/// Returns the legal actions on one arm as text.
pub(crate) fn legal_on(round: &Round, arm: &str) -> String {
    let all = legal(round);
    all.split(' ').filter(|action| action.starts_with(&format!("{arm}:"))).collect::<Vec<_>>().join(" ")
}

/// Returns what the arms show, as the protocol writes it: `N4 E3 S2|5 W3`.
pub(crate) fn shown(round: &Round) -> String {
    use leyden_protocol::End;
    let ends = round.arms();
    let texts = ends.iter().map(|(arm, end)| match end {
        End::Pip(pip) => format!("{}{pip}", arm.letter()),
        End::Across(matador) => format!("{}{}|{}", arm.letter(), matador.low(), matador.high()),
    });
    texts.collect::<Vec<_>>().join(" ")
}

pub(crate) fn per_seat(values: &[u32]) -> PerSeat<u32> {
    PerSeat::from_list(values.to_vec()).expect("two to eight values")
}
