//! Hidden information affects neither a seat's page nor the coach's advice.

use leyden_language::Language;
use leyden_model::projection::{Audience, Projection};
use leyden_model::{MatchEvent, MatchRecord, RecordedEnding, replayed};
use leyden_protocol::{Action, Clock, RulesName, Seat, Set, Turn};
use leyden_rules::{Deck, Match, Rules};

use super::parts::parts;
use super::state::PlayState;
use leyden_arena::record::sample;
use leyden_arena::record::sample::twins::{Dice, Moment, twins, until};
use leyden_table::ToPerson;
use leyden_table::coach::{self, DEALS};

/// Returns the question to a seat after these events, if it is asked.
fn question(events: &[MatchEvent], rules: &Rules, seat: Seat) -> Option<Turn<'static>> {
    let mut game = Match::new(rules);
    for event in events {
        match event {
            MatchEvent::Dealt { deck, .. } => {
                game.deal(&Deck::new(rules.set, deck).unwrap());
            }
            MatchEvent::Acted { entry, .. } => {
                game.apply(Action::from(entry.event)).unwrap();
            }
            MatchEvent::Settled { .. } => {
                game.settle();
            }
            _ => {}
        }
    }
    let mut legal = Vec::new();
    let view = game.view(seat, &mut legal).filter(|view| view.legal.len() > 1)?;
    Some(Turn::new(1, "match", view, Clock::default()).into_owned())
}

/// Returns the page of a seat after these events, with the coach, and the question to the seat.
fn page(record: &MatchRecord, moment: Moment, seat: Seat) -> (String, Option<Turn<'static>>) {
    let (events, rules) = (replayed(record).unwrap(), record.rules.rules().unwrap());
    let events = until(&events, moment);
    let mut state = PlayState::new(Language::English, &rules, &record.bots, Some(seat));
    let mut projection = Projection::new(Audience::Seat(seat));
    for shown in events.iter().filter_map(|event| projection.show(event)) {
        state.take(&ToPerson::Shown(shown));
    }
    state.set_coach(true);
    let turn = question(events, &rules, seat);
    if let Some(turn) = &turn {
        state.take(&ToPerson::Asked(Box::new(turn.clone())));
    }
    (serde_json::to_string(&parts(&state, false)).unwrap(), turn)
}

#[test]
fn hidden_tiles_change_neither_page_nor_advice() {
    for (n, (name, seats)) in
        [(RulesName::Leyden, 2), (RulesName::Leiden, 2), (RulesName::Matador, 3)].into_iter().enumerate()
    {
        let (mut dice, mut compared, mut advised) = (Dice(n as u64), 0, 0);
        for (_, record) in
            sample::matches(&sample::stored_plan_of(name, seats, Set::DoubleSix, seats, 6)).take(12)
        {
            let deal = dice.below(record.rounds.len());
            let round = &record.rounds[deal];
            if round.end == RecordedEnding::NoDouble {
                continue;
            }
            for _ in 0..4 {
                let seat = Seat::new(dice.below(seats)).unwrap();
                let actions = dice.below((3 * seats).min(round.actions.len()));
                let moment = Moment { deal, actions, is_settled: false };
                let Some((one, two)) = twins(&record, moment, Audience::Seat(seat), &mut dice) else {
                    continue;
                };
                if one.rounds[deal].deck == two.rounds[deal].deck {
                    continue;
                }
                let ((one, turn), (two, other)) = (page(&one, moment, seat), page(&two, moment, seat));
                assert_eq!(one, two, "{name} seat {seat} at {moment:?}");
                assert_eq!(turn, other);
                advised += usize::from(one.contains("never looks at hidden tiles"));
                compared += 1;
            }
        }
        assert!(compared > 5 && advised > 1, "too few comparisons of {name}: {compared}, {advised}");
    }
}

#[test]
fn advice_covers_every_legal_action_and_never_varies() {
    let record = sample::matches(&sample::stored_plan(2, 1)).next().unwrap().1;
    let (events, rules) = (replayed(&record).unwrap(), record.rules.rules().unwrap());
    let mut looked_at = 0;
    for end in 1..events.len().min(60) {
        for seat in rules.seats.iter() {
            let Some(turn) = question(&events[..end], &rules, seat) else { continue };
            let advice = coach::advise(Language::English, &rules, &turn, 50).unwrap();
            assert_eq!(Some(&advice), coach::advise(Language::English, &rules, &turn, 50).as_ref());
            assert!(advice.choices.is_sorted_by(|one, other| one.chance >= other.chance), "{advice:?}");
            let mut weighed: Vec<String> =
                advice.choices.iter().map(|choice| choice.action.to_string()).collect();
            let mut legal: Vec<String> = turn.legal.iter().map(ToString::to_string).collect();
            weighed.sort();
            legal.sort();
            assert_eq!(weighed, legal);
            assert!(!advice.why.is_empty() && DEALS > 50);
            looked_at += 1;
        }
    }
    assert!(looked_at > 10, "{looked_at}");
}
