//! What a replay says, and what it hides from a seat.

use leyden_protocol::{PerSeat, RulesName, Seat, Set};

use super::*;
use crate::record::sample;
use crate::record::sample::twins::{Dice, Moment, twins};
use leyden_model::{RecordedEnding, TurnRef};

fn finished() -> MatchRecord {
    sample::matches(&sample::stored_plan(2, 1)).next().unwrap().1
}

/// A match with strikes and notes that ended by a fault in its fourth round.
fn faulted() -> MatchRecord {
    sample::faulted(&sample::stored_plan(2, 20)).map(|(_, record)| record).nth(9).unwrap()
}

fn seen(record: &MatchRecord, seat: Option<usize>, round: Option<u32>) -> String {
    tell(record, ReplayOptions { round, seat: seat.and_then(Seat::new), width: 80 }).unwrap()
}

#[test]
fn a_round_is_told_from_the_deal_to_what_went_wrong() {
    let told = seen(&faulted(), None, Some(3));
    assert_eq!(told, include_str!("tests/unfinished.txt"), "\n{told}");
}

#[test]
fn a_seat_is_told_what_it_could_know() {
    let told = seen(&faulted(), Some(1), Some(3));
    assert_eq!(told, include_str!("tests/seen_from_seat_1.txt"), "\n{told}");
}

#[test]
fn every_match_can_be_told_from_every_seat_in_the_columns_there_are() {
    for (rules, seats, set) in sample::every_game() {
        let stored_plan = sample::stored_plan_of(rules, seats, set, seats, 1);
        for (_, record) in sample::matches(&stored_plan).chain(sample::faulted(&stored_plan)).take(5) {
            for width in [80, 100] {
                for seat in record.bots.seats().iter().map(Some).chain([None]) {
                    let told = tell(&record, ReplayOptions { round: None, seat, width }).unwrap();
                    let widest = told.lines().map(|line| line.chars().count()).max().unwrap();
                    assert!(widest <= width, "{widest} columns of {width}:\n{told}");
                }
            }
        }
    }
}

/// Everything that a seat cannot know is changed; what the seat sees stays the same.
#[test]
fn hidden_tiles_leave_no_trace() {
    let mut compared = 0;
    for (_, record) in sample::faulted(&sample::stored_plan_of(RulesName::Leiden, 2, Set::DoubleSix, 2, 60)) {
        let Some(last) = record.rounds.last().filter(|last| last.end == RecordedEnding::Unfinished) else {
            continue;
        };
        let hidden = |tile| {
            let text = format!("{tile}");
            let turned: String = text.chars().rev().collect();
            let crossed = text.replace('-', "|");
            let named = |entry: &leyden_protocol::HistoryEntry| {
                let entry = entry.to_string();
                [&text, &turned, &crossed].iter().any(|name| entry.ends_with(*name))
            };
            !last.actions.iter().any(named)
        };
        let places: Vec<usize> = (6..28).filter(|&place| hidden(last.deck[place])).collect();
        for (&a, &b) in places.iter().zip(&places[1..]) {
            let mut other = record.clone();
            other.rounds.last_mut().unwrap().deck.swap(a, b);
            let Ok(told) =
                tell(&other, ReplayOptions { seat: Some(Seat::FIRST), ..ReplayOptions::default() })
            else {
                continue;
            };
            assert_eq!(told, seen(&record, Some(0), None));
            compared += 1;
        }
    }
    assert!(compared > 50, "{compared}");
}

/// The same for one moment, at which another seat may be to act.
#[test]
fn a_moment_for_a_seat_contains_only_what_the_seat_could_know() {
    let mut compared = 0;
    for (n, (name, seats, set)) in sample::every_game().into_iter().enumerate() {
        let mut dice = Dice(n as u64);
        let stored_plan = sample::stored_plan_of(name, seats, set, seats, 4);
        for (_, record) in sample::faulted(&stored_plan).take(3).chain(sample::matches(&stored_plan).take(3))
        {
            for _ in 0..12 {
                let deal = dice.below(record.rounds.len());
                let Some(round) = record.rounds.get(deal).filter(|round| !round.actions.is_empty()) else {
                    continue;
                };
                let viewer = Seat::new(dice.below(seats)).unwrap();
                let actions = dice.below((3 * seats).min(round.actions.len()));
                let at = Moment { deal, actions, is_settled: false };
                let Some((one, other)) = twins(&record, at, Audience::Seat(viewer), &mut dice) else {
                    continue;
                };
                let place = TurnRef { round: deal as u32, action: actions as u32 };
                let [seen, others] =
                    [&one, &other].map(|record| moment(record, place, Some(viewer), 80).unwrap());
                assert_eq!(seen, others, "{name}, seat {viewer} at {at:?}");
                let everything =
                    moment(&one, place, None, 80).unwrap() == moment(&other, place, None, 80).unwrap();
                compared += usize::from(!everything);
            }
        }
    }
    assert!(compared > 100, "too few comparisons: {compared}");
}

#[test]
fn only_the_round_that_was_asked_for_is_told() {
    let record = finished();
    let rounds = record.rounds.last().unwrap().round;
    let whole = seen(&record, None, None);
    for round in 0..=rounds {
        let told = seen(&record, None, Some(round));
        let (header, rest) = told.split_once("\n── ").unwrap();
        assert!(whole.starts_with(header) && whole.contains(rest.trim_end()), "{told}");
        assert!(rest.starts_with(&format!("round {}", round + 1)));
        assert_eq!(told.contains("── end · "), round == rounds);
    }
    let error =
        tell(&record, ReplayOptions { round: Some(99), ..ReplayOptions::default() }).unwrap_err().to_string();
    assert!(error.ends_with(&format!("has no round 100: it has rounds 1 to {}", rounds + 1)), "{error}");
}

#[test]
fn a_match_lost_before_it_began_is_told() {
    let mut record = faulted();
    record.rounds.clear();
    record.think_us = PerSeat::default_for(record.bots.seats());
    let told = seen(&record, None, None);
    assert!(told.contains("lost by a fault: "), "{told}");
    let error =
        tell(&record, ReplayOptions { round: Some(0), ..ReplayOptions::default() }).unwrap_err().to_string();
    assert!(error.ends_with("has no round 1: it has none"), "{error}");
}

#[test]
fn what_cannot_be_told_is_said() {
    let record = finished();
    let seat = Seat::new(4);
    let error = tell(&record, ReplayOptions { seat, ..ReplayOptions::default() }).unwrap_err().to_string();
    assert!(error.ends_with("has no seat 4: it has seats 0 to 1"), "{error}");
    let mut wrong = record.clone();
    wrong.rounds[0].actions.remove(3);
    let error = tell(&wrong, ReplayOptions::default()).unwrap_err().to_string();
    assert!(error.contains("cannot be replayed beyond rounds[0], actions["), "{error}");
    let mut short = record.clone();
    short.rounds[0].deck.pop();
    assert!(matches!(tell(&short, ReplayOptions::default()), Err(ReplayError::Unplayable { round: 0, .. })));
    let mut impossible = record;
    impossible.rules.target = 0;
    assert!(matches!(tell(&impossible, ReplayOptions::default()), Err(ReplayError::Rules(..))));
}

#[test]
fn nothing_that_others_wrote_moves_the_terminal() {
    let mut record = faulted();
    record.bots[Seat::FIRST] = "\u{1b}[2Jname".to_owned();
    record.fault.as_mut().unwrap().message = "\u{1b}]0;title\u{7}".to_owned();
    record.notes[0].text = "\u{9b}5A".to_owned();
    record.stderr = PerSeat::from_list(vec!["one\rtwo\u{8}\n".to_owned(), String::new()]);
    let told = seen(&record, None, None);
    assert!(!told.chars().any(|c| c.is_control() && c != '\n'), "{told:?}");
}
