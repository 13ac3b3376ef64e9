//! What a replay contains, and what it hides from a seat.

use leyden_language::Language;
use leyden_protocol::{Note, PerSeat, RulesName, Seat, Set};

use leyden_model::MatchRecord;
use leyden_model::projection::Audience;

use super::*;
use crate::record::sample;
use crate::record::sample::twins::{Dice, Moment, twins};
use leyden_model::{FaultDetails, RecordedEnding, TurnRef};

mod table;

fn finished() -> MatchRecord {
    sample::matches(&sample::stored_plan(2, 1)).next().unwrap().1
}

/// A match with strikes and notes that ended by a fault in its fourth round.
fn faulted() -> MatchRecord {
    sample::faulted(&sample::stored_plan(2, 20)).map(|(_, record)| record).nth(9).unwrap()
}

fn seen(record: &MatchRecord, seat: Option<usize>, round: Option<u32>) -> String {
    replay(record, ReplayOptions { round, seat: seat.and_then(Seat::new), ..ReplayOptions::default() })
        .unwrap()
}

/// `WRITE_NARRATION=1` writes the file anew.
fn assert_recorded(text: &str, file: &str) {
    let file = format!("{}/src/narrate/tests/{file}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("WRITE_NARRATION").is_some() {
        std::fs::write(&file, text).unwrap();
    }
    assert_eq!(text, std::fs::read_to_string(&file).unwrap(), "\n{text}");
}

#[test]
fn replay_of_a_round_shows_moves_and_fault() {
    assert_recorded(&seen(&faulted(), None, Some(3)), "unfinished.txt");
}

#[test]
fn replay_for_a_seat_shows_what_it_knew() {
    assert_recorded(&seen(&faulted(), Some(1), Some(3)), "seen_from_seat_1.txt");
}

#[test]
fn replay_keeps_within_the_width() {
    for (rules, seats, set) in sample::every_game() {
        let stored_plan = sample::stored_plan_of(rules, seats, set, seats, 1);
        for (_, record) in sample::matches(&stored_plan).chain(sample::faulted(&stored_plan)).take(5) {
            for width in [80, 100] {
                for seat in record.bots.seats().iter().map(Some).chain([None]) {
                    let text =
                        replay(&record, ReplayOptions { seat, width, ..ReplayOptions::default() }).unwrap();
                    let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
                    assert!(widest <= width, "{widest} columns of {width}:\n{text}");
                }
            }
        }
    }
}

/// Everything that a seat cannot know is changed; what the seat sees stays the same.
#[test]
fn replay_for_a_seat_hides_other_tiles() {
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
        let indices: Vec<usize> = (6..28).filter(|&index| hidden(last.deck[index])).collect();
        for (&a, &b) in indices.iter().zip(&indices[1..]) {
            let mut other = record.clone();
            other.rounds.last_mut().unwrap().deck.swap(a, b);
            let Ok(text) =
                replay(&other, ReplayOptions { seat: Some(Seat::FIRST), ..ReplayOptions::default() })
            else {
                continue;
            };
            assert_eq!(text, seen(&record, Some(0), None));
            compared += 1;
        }
    }
    assert!(compared > 50, "{compared}");
}

/// The same for one moment, at which another seat may be to act.
#[test]
fn moment_for_a_seat_hides_other_tiles() {
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
                let turn_ref = TurnRef { round: deal as u32, action: actions as u32 };
                let [seen, others] = [&one, &other]
                    .map(|record| moment(record, turn_ref, Some(viewer), 80, Language::English).unwrap());
                assert_eq!(seen, others, "{name}, seat {viewer} at {at:?}");
                let everything = moment(&one, turn_ref, None, 80, Language::English).unwrap()
                    == moment(&other, turn_ref, None, 80, Language::English).unwrap();
                compared += usize::from(!everything);
            }
        }
    }
    assert!(compared > 100, "too few comparisons: {compared}");
}

#[test]
fn replay_of_one_round_leaves_out_the_others() {
    let record = finished();
    let rounds = record.rounds.last().unwrap().round;
    let whole = seen(&record, None, None);
    for round in 0..=rounds {
        let text = seen(&record, None, Some(round));
        let (header, rest) = text.split_once("\n── ").unwrap();
        assert!(whole.starts_with(header) && whole.contains(rest.trim_end()), "{text}");
        assert!(rest.starts_with(&format!("round {}", round + 1)));
        assert_eq!(text.contains("── end · "), round == rounds);
    }
    let error = replay(&record, ReplayOptions { round: Some(99), ..ReplayOptions::default() })
        .unwrap_err()
        .to_string();
    assert!(error.ends_with(&format!("has no round 100: it has {} rounds", rounds + 1)), "{error}");
}

#[test]
fn moment_of_a_strike_names_the_fault() {
    let record = faulted();
    let strike = record.strikes[0];
    let turn_ref = TurnRef { round: strike.round, action: strike.action };
    let text = moment(&record, turn_ref, None, 80, Language::English).unwrap();
    assert!(text.contains("\nstrike: illegal; the first legal action was played instead\n"), "{text}");
}

#[test]
fn each_ending_has_a_short_form() {
    let said = [
        RecordedEnding::Dominoed,
        RecordedEnding::Blocked,
        RecordedEnding::Refused,
        RecordedEnding::NoDouble,
        RecordedEnding::Unfinished,
    ]
    .map(|end| words::ending(Language::English, end));
    assert_eq!(said, ["dominoed", "blocked", "nobody leads", "no double to lead: dealt again", "cut short"]);
}

#[test]
fn replay_of_a_forfeit_names_the_fault() {
    let mut record = faulted();
    record.rounds.clear();
    record.think_us = PerSeat::default_for(record.bots.seats());
    let text = seen(&record, None, None);
    assert!(text.contains("lost by a fault: "), "{text}");
    let error = replay(&record, ReplayOptions { round: Some(0), ..ReplayOptions::default() })
        .unwrap_err()
        .to_string();
    assert!(error.ends_with("has no round 1: it has 0 rounds"), "{error}");
}

#[test]
fn replay_explains_what_it_cannot_show() {
    let record = finished();
    let seat = Seat::new(4);
    let error = replay(&record, ReplayOptions { seat, ..ReplayOptions::default() }).unwrap_err().to_string();
    assert!(error.ends_with("has no seat 4: it has seats 0 to 1"), "{error}");
    let mut later = record.clone();
    later.rules_edition = 3;
    let error = replay(&later, ReplayOptions::default()).unwrap_err().to_string();
    assert!(
        error.contains("was played by edition 3 of the rules, and this leyden plays edition 2"),
        "{error}"
    );
    let mut wrong = record.clone();
    wrong.rounds[0].actions.remove(3);
    let error = replay(&wrong, ReplayOptions::default()).unwrap_err().to_string();
    assert!(error.contains("cannot be replayed beyond rounds[0], actions["), "{error}");
    let mut short = record.clone();
    short.rounds[0].deck.pop();
    assert!(matches!(
        replay(&short, ReplayOptions::default()),
        Err(ReplayError::Unplayable { round: 0, .. })
    ));
    let mut impossible = record;
    impossible.rules.target = 0;
    assert!(matches!(replay(&impossible, ReplayOptions::default()), Err(ReplayError::Rules(..))));
}

#[test]
fn replay_escapes_text_of_others() {
    let mut record = faulted();
    record.bots[Seat::FIRST] = "\u{1b}[2Jname".to_owned();
    record.fault.as_mut().unwrap().details = FaultDetails::from_text("\u{1b}]0;title\u{7}");
    record.notes[0].note = Note::Text("\u{9b}5A".to_owned());
    record.stderr = PerSeat::from_list(vec!["one\rtwo\u{8}\n".to_owned(), String::new()]);
    let text = seen(&record, None, None);
    assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
}

#[test]
fn result_begins_with_winner_or_seat_at_fault() {
    let names = PerSeat::from_list(["ann", "bob", "cy"].map(str::to_owned).to_vec()).unwrap();
    let narrator = Narrator::new(names, None, Language::English);
    for (winner, faulted, says) in [
        (Seat::new(1), None, "bob beat ann, cy"),
        (Seat::new(1), Seat::new(2), "bob beat ann, cy"),
        (None, Seat::new(2), "cy lost by a fault to ann, bob"),
        (None, None, "ann drew with bob, cy"),
    ] {
        assert_eq!(narrator.result(winner, faulted), says);
    }
}
