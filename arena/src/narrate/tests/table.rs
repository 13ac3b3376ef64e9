//! A table that follows what an audience is shown agrees with the game.

use leyden_model::projection::{Audience, Projection};
use leyden_model::{MatchEvent, TableState, replayed};
use leyden_protocol::{Action, Arm, Seat};
use leyden_rules::{Deck, Match};

use crate::record::sample;

fn step(game: &mut Match, event: &MatchEvent) {
    match event {
        MatchEvent::Dealt { deck, .. } => {
            game.deal(&Deck::new(game.rules().set, deck).unwrap());
        }
        MatchEvent::Acted { entry, .. } => {
            game.apply(Action::from(entry.event)).unwrap();
        }
        _ => {}
    }
}

/// Compares a table with the game that it follows, as its audience may see it.
fn compare(table: &TableState, game: &Match, audience: Audience) {
    let Some(round) = game.round() else { return };
    let view = game.view(Seat::FIRST, &mut Vec::new()).map(|view| view.history.len());
    assert_eq!((table.arms(), Some(table.history.len())), (round.arms(), view));
    assert_eq!((table.counts, usize::from(table.boneyard)), (round.counts(), round.boneyard().len()));
    for seat in game.rules().seats.iter() {
        let is_seen = !matches!(audience, Audience::Seat(own) if own != seat);
        assert_eq!(table.hands[seat], is_seen.then(|| round.hand(seat)));
    }
    let Some(layout) = &table.layout else { return };
    assert_eq!(layout.by.len(), layout.plays.len() + 1);
    // On every open arm, and on no other, a seat with a fitting tile may lay it.
    let fits = leyden_rules::Fits::for_set(game.rules().set);
    let Some(seat) = round.to_act() else { return };
    for arm in Arm::ALL {
        let is_legal = round.legal().iter().any(|action| matches!(action, Action::Play(on, _) if on == arm));
        let end = layout.arms().get(arm);
        let can = end.is_some_and(|end| !fits.on(end).intersection(round.hand(seat)).is_empty());
        assert_eq!(is_legal, can && layout.is_open(arm), "{arm:?}");
    }
}

#[test]
fn table_agrees_with_the_game() {
    let mut compared = 0;
    for (name, seats, set) in sample::every_game() {
        let plan = sample::stored_plan_of(name, seats, set, seats, 2);
        for (_, record) in sample::matches(&plan).chain(sample::faulted(&plan)).take(4) {
            for audience in [Audience::Organiser, Audience::Seat(Seat::FIRST), Audience::Spectator] {
                let rules = record.rules.rules().unwrap();
                let (mut projection, mut game) = (Projection::new(audience), Match::new(&rules));
                let mut table = TableState::new(&rules);
                for event in replayed(&record).unwrap() {
                    step(&mut game, &event);
                    if let Some(shown) = projection.show(&event) {
                        table.take(&shown);
                    }
                    if !matches!(event, MatchEvent::Settled { .. } | MatchEvent::Ended(_)) {
                        compare(&table, &game, audience);
                        compared += 1;
                    } else if matches!(event, MatchEvent::Settled { .. }) {
                        game.settle();
                        assert_eq!(table.scores, *game.scores());
                    }
                }
                assert_eq!(table.scores, record.scores);
            }
        }
    }
    assert!(compared > 1_000, "{compared}");
}
