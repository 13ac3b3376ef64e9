//! The hand-written `turn` line has the same bytes as the types give, at every decision of many random rounds.

use std::borrow::Cow;

use leyden_protocol::{
    Action, Clock, DealText, RoundEnd, RulesName, Seats, Set, ToBot, Turn, push_line, push_round_end_with,
    push_turn, push_turn_with,
};
use leyden_rules::{Deck, Match, Rules};
use proptest::prelude::*;

use crate::strategies;

/// Plays a match with the given choices, each taken modulo the number of options, and shows every decision.
fn play(rules: &Rules, choices: &[u32], mut decision: impl FnMut(&Match)) {
    let mut choices = choices.iter().copied().cycle();
    let mut choose = |n: usize| choices.next().unwrap_or_default() as usize % n;
    let mut game = Match::new(rules);
    while game.finish().is_none() {
        let mut deck = Deck::in_order(rules.set);
        deck.shuffle(&mut choose);
        game.deal(&deck);
        while let Some(round) = game.round() {
            let legal: Vec<Action> = round.legal().iter().collect();
            if legal.is_empty() {
                break;
            }
            decision(&game);
            let action = legal[choose(legal.len())];
            game.apply(action).expect("a legal action");
        }
        game.settle();
    }
}

fn any_rules() -> impl Strategy<Value = Rules> {
    let tables = RulesName::ALL.into_iter().flat_map(|name| {
        Set::ALL.into_iter().flat_map(move |set| {
            (2..=8).filter_map(move |seats| Rules::new(name, Seats::new(seats)?, set, 60).ok())
        })
    });
    proptest::sample::select(tables.collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn turn_line_has_the_types_bytes(
        rules in any_rules(),
        choices in proptest::collection::vec(any::<u32>(), 997),
        match_id in any::<String>(),
        clock in (any::<u64>(), any::<u64>(), any::<Option<u64>>()),
        id in any::<u64>(),
    ) {
        let clock = Clock { turn_ms: clock.0, bank_ms: clock.1, last_us: clock.2 };
        // What each seat was sent of its deal, with the number of the deal and of the entries.
        let mut sent: Vec<_> = rules.seats.iter().map(|seat| (None, 0, DealText::seen_by(seat))).collect();
        let (mut by_hand, mut with_history, mut by_types) = (Vec::new(), Vec::new(), Vec::new());
        let mut legal = Vec::new();
        play(&rules, &choices, |game| {
            let round = game.round().expect("a round is being played");
            let seat = round.to_act().expect("a decision");
            let view = game.view(seat, &mut legal).expect("a round is being played");
            let turn = Turn::new(id, &match_id, view, clock);

            let (deal, entries, text) = &mut sent[seat.index()];
            if *deal != Some((turn.round, turn.redeal)) {
                (*deal, *entries) = (Some((turn.round, turn.redeal)), 0);
                text.begin(seat);
            }
            for entry in &game.entries()[*entries..] {
                text.push(*entry);
            }
            *entries = game.entries().len();

            by_hand.clear();
            push_turn(&mut by_hand, &turn);
            with_history.clear();
            push_turn_with(&mut with_history, &Turn { history: Cow::Borrowed(&[]), ..turn.clone() }, text);
            by_types.clear();
            push_line(&mut by_types, &ToBot::Turn(turn));
            assert_eq!(String::from_utf8_lossy(&by_hand), String::from_utf8_lossy(&by_types));
            assert_eq!(with_history, by_types);
        });
    }
}

proptest! {
    #[test]
    fn hand_written_round_end_has_the_types_bytes(end in strategies::round_end(), seat in strategies::seat()) {
        let mut history = DealText::seen_by(seat);
        end.history.iter().for_each(|entry| history.push(*entry));
        let (mut by_hand, mut by_types) = (Vec::new(), Vec::new());
        push_round_end_with(&mut by_hand, &RoundEnd { history: Cow::Borrowed(&[]), ..end.clone() }, &history);
        let seen = end.history.iter().map(|entry| entry.seen_by(seat)).collect();
        push_line(&mut by_types, &ToBot::RoundEnd(RoundEnd { history: Cow::Owned(seen), ..end }));
        prop_assert_eq!(by_hand, by_types);
    }

    #[test]
    fn any_turn_line_has_the_types_bytes(turn in strategies::turn()) {
        let (mut by_hand, mut by_types) = (Vec::new(), Vec::new());
        push_turn(&mut by_hand, &turn);
        push_line(&mut by_types, &ToBot::Turn(turn));
        prop_assert_eq!(by_hand, by_types);
    }
}
