//! Correct records, and records with one change each: every change is found, in the right place.

use leyden_protocol::{
    Action, Arm, FaultCode, HistoryAction, HistoryEntry, Lay, MatchEnding, Note, PerSeat, Pip, RulesName,
    Seat, Seats, Set, Tile,
};

use super::*;
use crate::record::sample;
use crate::record::store::StoredPlan;
use leyden_model::TournamentSeed;
use leyden_model::{ActionNote, FaultDetails, FaultRecord, MatchRecord, RecordedEnding, Strike};

fn record() -> MatchRecord {
    sample::matches(&sample::stored_plan(2, 1)).next().unwrap().1
}

/// The first match with a fault that has notes and strikes.
fn faulted() -> MatchRecord {
    let all = sample::faulted(&sample::stored_plan(2, 20)).map(|(_, record)| record);
    all.into_iter().find(|record| record.strikes.len() > 1 && record.notes.len() > 1).unwrap()
}

/// The error in a record after a change, as text.
fn after(mut record: MatchRecord, change: impl FnOnce(&mut MatchRecord)) -> String {
    change(&mut record);
    match verify(&record) {
        Ok(()) => "found right".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// For a tournament of one stage.
fn planned(stored_plan: &StoredPlan) -> Verifier {
    Verifier::for_plan(stored_plan, stored_plan.schedule().unwrap())
}

#[test]
fn verifier_accepts_matches_played_by_the_rules() {
    for (rules, seats, set) in sample::every_game() {
        let stored_plan = sample::stored_plan_of(rules, seats, set, seats + 1, 2);
        let mut verifier = planned(&stored_plan);
        for (_, record) in sample::matches(&stored_plan) {
            verifier.check(&record).unwrap();
        }
        assert_eq!(verifier.matches(), stored_plan.schedule().unwrap().matches());
        for (_, record) in sample::faulted(&stored_plan) {
            verify(&record).unwrap();
        }
    }
}

#[test]
fn missing_matches_are_counted() {
    let stored_plan = sample::stored_plan(3, 2);
    let all: Vec<MatchRecord> = sample::matches(&stored_plan).map(|(_, record)| record).collect();
    let missing = |mut verifier: Verifier, records: &[MatchRecord]| {
        for record in records {
            verifier.check(record).unwrap();
        }
        verifier.missing()
    };
    assert_eq!(all.len(), 12, "3 tables, 2 seatings, 2 blocks");
    for (left, of_plan, of_export) in [(12, 0, 0), (11, 1, 1), (6, 6, 0), (1, 11, 1)] {
        assert_eq!(missing(planned(&stored_plan), &all[..left]), of_plan, "{left}");
        assert_eq!(missing(Verifier::new(), &all[..left]), of_export, "{left}");
    }
    assert_eq!(missing(Verifier::new(), &all[5..]), 5, "the beginning is missing");
    assert_eq!(missing(Verifier::new(), &[]), 0);
}

#[test]
fn match_forfeited_before_its_first_deal_verifies() {
    let stored_plan = sample::stored_plan(2, 1);
    let mut record =
        sample::record_template(&stored_plan).for_match(&stored_plan.schedule().unwrap().nth(1).unwrap());
    record.fault =
        Some(FaultRecord { seat: Seat::FIRST, code: FaultCode::Handshake, details: FaultDetails::default() });
    (record.end, record.winner) = (MatchEnding::Fault, Seat::new(1));
    verify(&record).unwrap();
}

#[test]
fn illegal_action_is_found_wherever_it_stands() {
    let record = record();
    let mut injected = 0;
    for (r, round) in record.rounds.iter().enumerate() {
        let lead = round.actions.iter().position(|entry| matches!(entry.event, HistoryAction::Lead(_)));
        for a in 0..round.actions.len() {
            let mut changed = record.clone();
            let entry = &mut changed.rounds[r].actions[a];
            // Nobody passes before the lead, nobody leads after it.
            entry.event = match lead {
                Some(lead) if a > lead => round.actions[lead].event,
                _ => HistoryAction::Pass,
            };
            let error = verify(&changed).unwrap_err();
            let RecordPart::Action { index, action, .. } = error.part else { panic!("{error}") };
            assert_eq!((index, action), (r, a), "{error}");
            injected += 1;
        }
    }
    assert!(injected > 100);
}

#[test]
fn missing_added_or_misattributed_action_is_found() {
    let record = record();
    for (r, round) in record.rounds.iter().enumerate() {
        for a in 0..round.actions.len() {
            let rounds = |change: &dyn Fn(&mut Vec<HistoryEntry>)| {
                after(record.clone(), |record| change(&mut record.rounds[r].actions))
            };
            let left_out = rounds(&|actions| {
                actions.retain({
                    let mut indices = 0..;
                    move |_| indices.next() != Some(a)
                });
            });
            let put_in = rounds(&|actions| actions.insert(a, actions[a]));
            let by_another = rounds(&|actions| actions[a].seat = Seats::TWO.after(actions[a].seat));
            let cut = rounds(&|actions| actions.truncate(a));
            for found in [left_out, put_in, by_another, cut] {
                assert_ne!(found, "found right", "{r}, {a}");
            }
        }
    }
}

#[test]
fn another_drawn_tile_is_found() {
    let record = record();
    let (r, a) = sample::first(&record, |entry| matches!(entry.event, HistoryAction::Draw(_)));
    let held = record.rounds[r].deck[0];
    let found =
        after(record.clone(), |record| record.rounds[r].actions[a].event = HistoryAction::Draw(Some(held)));
    let expected = format!("actions[{a}]: what was drawn: expected {}, found ", record.rounds[r].actions[a]);
    assert!(found.contains(&expected), "{found}");
    let found = after(record, |record| record.rounds[r].actions[a].event = HistoryAction::Draw(None));
    assert!(found.contains("what was drawn"), "{found}");
}

#[test]
fn every_number_that_follows_is_compared() {
    type Change = fn(&mut MatchRecord);
    let second = Seat::new(1).unwrap();
    let changes: [(Change, &str); 20] = [
        (|r| r.v = 1, "the version of the record: expected 2, found 1"),
        (|r| r.id.replace_range(..1, "x"), "the match's id, which follows from its seed and leg"),
        (|r| r.leg = 2, "leg: expected one below 2, found 2"),
        (|r| r.leg = 1, "the match's id"),
        (|r| r.rules.target = 0, "rules: expected rules that can be played"),
        (|r| r.rules.target = 99_999, "the end of the match: expected another round, or a fault"),
        (|r| r.rules.target = 1, "expected no deal after the match was over"),
        (|r| r.bots = PerSeat::default_for(Seats::TWO), "bots: expected names that differ, found \"\" twice"),
        (
            |r| r.scores = PerSeat::default_for(Seats::new(3).unwrap()),
            "scores: expected one for each of 2 seats, found 3",
        ),
        (|r| r.rounds[1].round = 5, "round 6 (rounds[1]): the number of the round: expected 1, found 5"),
        (|r| r.rounds[1].redeal += 1, "(rounds[1]): how often it was dealt before: expected 0, found 1"),
        (|r| r.rounds[1].deck.swap(3, 4), "(rounds[1]): the deck, which follows from the seed: expected "),
        (
            |r| r.rounds[1].deck.truncate(27),
            "(rounds[1]): the deck, which follows from the seed: expected 28 tiles, found 27",
        ),
        (|r| r.rounds[1].pips[Seat::FIRST] += 1, "(rounds[1]): pips: expected ["),
        (|r| r.rounds[1].points[Seat::FIRST] += 1, "(rounds[1]): points: expected ["),
        (|r| r.rounds[1].scores[Seat::FIRST] += 1, "(rounds[1]): scores: expected ["),
        (|r| r.scores[Seat::FIRST] += 1, ": scores: expected ["),
        (|r| r.end = MatchEnding::RoundLimit, "the end of the match: expected target, found round_limit"),
        (|r| r.think_us[Seat::FIRST].push(1), "think_us: a time for each decision asked for: expected "),
        (|r| drop(r.rounds.pop()), "scores: expected ["),
    ];
    for (change, expected) in changes {
        let found = after(record(), change);
        assert!(found.starts_with("match ") && found.contains(expected), "{expected}: {found}");
    }
    let winner = record().winner;
    for other in [None, Some(Seat::FIRST), Some(second)].into_iter().filter(|&other| other != winner) {
        let found = after(record(), |record| record.winner = other);
        assert!(found.contains("the winner: expected seat ") && !found.contains("Some("), "{found}");
    }
    for end in [RecordedEnding::Unfinished, RecordedEnding::Refused, RecordedEnding::NoDouble] {
        assert!(after(record(), |record| record.rounds[0].end = end).contains("how it ended: expected "));
    }
}

#[test]
fn fault_has_to_stand_where_it_happened() {
    let record = faulted();
    let last = record.rounds.len() - 1;
    let fault = record.fault.clone().unwrap();
    let other = Seats::TWO.after(fault.seat);
    let change = |change: &dyn Fn(&mut MatchRecord)| after(record.clone(), change);
    assert_eq!(change(&|_| ()), "found right");
    assert!(change(&|r| r.fault = None).contains("a decision of seat"));
    assert!(
        change(&|r| r.fault.as_mut().unwrap().seat = other).contains("the fault's seat, whose turn it is")
    );
    assert!(change(&|r| r.winner = None).contains("the winner"));
    assert!(change(&|r| r.end = MatchEnding::Target).contains("the end of the match"));
    assert!(change(&|r| r.rounds[last].end = RecordedEnding::Blocked).contains("how it ended"));
    assert!(change(&|r| r.rounds[last].pips[other] = 3).contains("pips"));
    let times = |count: i64| {
        change(&|r| {
            let played = r.think_us[fault.seat].len() - usize::from(has_time(&record));
            r.think_us[fault.seat].resize((played as i64 + count) as usize, 7);
        })
    };
    assert_eq!([times(0), times(1)], ["found right"; 2], "with and without a time for the last decision");
    assert!([times(-1), times(2)].iter().all(|found| found.contains("think_us")));
    let finished = after(self::record(), |r| {
        r.fault = Some(fault.clone());
        r.end = MatchEnding::Fault;
    });
    assert!(finished.contains("the fault: expected none after the match was over"), "{finished}");
    let third = after(record.clone(), |r| {
        r.rounds.pop();
        r.fault.as_mut().unwrap().seat = Seat::new(5).unwrap();
    });
    assert!(third.contains("the fault's seat: expected one of 2 seats, found seat 5"), "{third}");
}

/// Whether the decision that the fault ended has a time.
fn has_time(record: &MatchRecord) -> bool {
    let mut without = record.clone();
    let seat = record.fault.as_ref().unwrap().seat;
    without.think_us[seat].pop();
    verify(&without).is_ok()
}

#[test]
fn forced_action_has_to_be_there() {
    let record = faulted();
    let last = record.rounds.len() - 1;
    let game = |actions: usize| {
        let mut cut = record.clone();
        cut.rounds[last].actions.truncate(actions);
        verify(&cut).map_or_else(|error| error.to_string(), |()| String::new())
    };
    let messages: Vec<String> = (0..record.rounds[last].actions.len()).map(game).collect();
    assert!(messages[0].contains("the actions: expected the forced one after them, "), "{}", messages[0]);
    assert!(messages.iter().all(|message| !message.is_empty()));
}

#[test]
fn notes_and_strikes_must_fit_their_actions() {
    let record = faulted();
    let strike = |change: fn(&mut Strike)| after(record.clone(), |r| change(&mut r.strikes[0]));
    assert!(strike(|s| s.seat = Seats::TWO.after(s.seat)).contains("the strike: expected seat"));
    assert!(strike(|s| s.code = FaultCode::Exited).contains("a fault that can be a strike, found exited"));
    assert!(strike(|s| s.round = 99).contains("at decisions of the match, found "));
    let forced = after(record.clone(), |r| {
        let lead =
            Strike { round: 0, action: 0, seat: r.rounds[0].actions[0].seat, code: FaultCode::Timeout };
        r.strikes.push(lead);
    });
    assert!(forced.contains("actions[0]: the strike: expected none where nothing was asked"), "{forced}");
    // The first note is at a decision without a strike, whose action may have been the first legal one.
    let struck = sample::faulted(&sample::stored_plan(2, 20)).skip(1).map(|(_, record)| {
        after(record, |r| {
            let ActionNote { seat, round, action, .. } = r.notes[0];
            r.strikes.push(Strike { seat, round, action, code: FaultCode::Timeout });
        })
    });
    let wrong: Vec<_> = struck.filter(|said| said != "found right").collect();
    assert!(!wrong.is_empty());
    assert!(wrong.iter().all(|said| said.contains("the action after a strike: expected ")), "{wrong:?}");
    let note = |change: fn(&mut ActionNote)| after(record.clone(), |r| change(&mut r.notes[0]));
    assert!(note(|note| note.action = 77).contains("the turn of a note"));
    assert!(note(|note| note.round = 77).contains("the turn of a note"));
    assert!(
        note(|note| note.note = Note::Text("x".repeat(501))).contains("a note: expected one as it is kept")
    );
}

#[test]
fn illegal_play_is_reported_with_what_was_expected() {
    let record = record();
    let (r, a) = sample::first(&record, |entry| matches!(entry.event, HistoryAction::Play(..)));
    let played = Action::from(record.rounds[r].actions[a].event).to_string();
    let blank = Pip::BLANK;
    let found = after(record, |record| {
        let lay = Lay::InLine { touching: blank, end: Pip::new(6).unwrap() };
        record.rounds[r].actions[a].event = HistoryAction::Play(Arm::W, lay);
    });
    let (expected, wrong) = found.split_once(", found ").unwrap();
    assert!(expected.contains(&format!("actions[{a}]: the action: expected ")), "{found}");
    assert!(expected.contains(&played) && wrong.contains("W:0-6"), "{played}: {found}");
}

fn whole(
    stored_plan: &StoredPlan,
    change: impl FnOnce(&mut Vec<MatchRecord>),
    mut verifier: Verifier,
) -> String {
    let mut all: Vec<_> = sample::matches(stored_plan).map(|(_, record)| record).collect();
    change(&mut all);
    match all.iter().try_for_each(|record| verifier.check(record)) {
        Ok(()) => "found right".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn tournament_records_are_checked_against_each_other() {
    let stored_plan = sample::stored_plan(3, 2);
    let check = |change: &dyn Fn(&mut Vec<MatchRecord>)| whole(&stored_plan, change, Verifier::new());
    assert_eq!(check(&|_| ()), "found right");
    let twice = check(&|all| all.push(all[3].clone()));
    assert!(twice.contains("the match: expected every match once, found this one a second time"), "{twice}");
    let other = check(&|all| all[4].tournament.push('x'));
    assert!(other.contains("the tournament, as in the records before"), "{other}");
    let swapped = check(&|all| {
        let names = all[1].bots.as_slice().to_vec();
        all[1].bots = PerSeat::from_list(names.into_iter().rev().collect()).unwrap();
    });
    assert!(
        swapped.contains("the seating, from the other legs of the pair: expected [bot-1, bot-0]"),
        "{swapped}"
    );
    let block = check(&|all| all[1].block = 1);
    assert!(block.contains("the block, as in the other legs of the pair"), "{block}");
}

#[test]
fn turned_seating_is_found_across_legs_and_blocks() {
    let stored_plan = sample::stored_plan(3, 2);
    let turned = |all: &mut [MatchRecord], which: &[usize]| {
        for record in which {
            let names = all[*record].bots.as_slice().to_vec();
            all[*record].bots = PerSeat::from_list(names.into_iter().rev().collect()).unwrap();
        }
    };
    let check = |change: &dyn Fn(&mut Vec<MatchRecord>)| whole(&stored_plan, change, Verifier::new());
    let apart = check(&|all| {
        turned(all, &[1]);
        all.swap(1, 3);
    });
    assert!(apart.contains("the block and the seating, as in the other legs of the pair"), "{apart}");
    let whole_pair = check(&|all| turned(all, &[0, 1]));
    assert!(whole_pair.contains("the seating, as in the other blocks of these bots"), "{whole_pair}");
}

/// What a forger can make without the organiser's seed: everything is consistent, under the tournament's own id.
#[test]
fn known_seed_exposes_matches_under_another_seed() {
    let stored_plan = sample::stored_plan(3, 2);
    let seed = TournamentSeed::from_text(&stored_plan.seed);
    let mut forged = stored_plan.clone();
    forged.seed = "a forger's".to_owned();
    let named_alike = |all: &mut Vec<MatchRecord>| {
        for record in all.iter_mut() {
            record.tournament = seed.tournament_id();
        }
    };
    assert_eq!(whole(&forged, named_alike, Verifier::new()), "found right");
    let commitment = || seed.commitment().parse().unwrap();
    assert_eq!(whole(&forged, named_alike, Verifier::with_commitment(commitment())), "found right");
    let found = whole(&forged, named_alike, Verifier::with_seed(seed));
    assert!(found.contains("the match seed, which follows from the seed text"), "{found}");
    let found = whole(&forged, |_| (), Verifier::with_commitment(commitment()));
    assert!(found.contains("the tournament, which follows from the commitment"), "{found}");
    assert!(Verifier::with_seed(seed).compares_seeds());
    assert!(!Verifier::with_commitment(commitment()).compares_seeds());
    // The tournament's own matches, in other blocks or under other names.
    for change in [
        |record: &mut MatchRecord| record.block += 2,
        |record: &mut MatchRecord| {
            record.bots = record.bots.map(|name| format!("{name}x"));
        },
    ] {
        let all = |all: &mut Vec<MatchRecord>| all.iter_mut().for_each(change);
        let found = whole(&stored_plan, all, Verifier::with_seed(seed));
        assert!(found.contains("the match seed, which follows from the seed text"), "{found}");
    }
}

#[test]
fn seeds_are_compared_with_the_seed_text() {
    let stored_plan = sample::stored_plan(3, 2);
    let seed = TournamentSeed::from_text(&stored_plan.seed);
    let other = TournamentSeed::from_text("another");
    assert_eq!(whole(&stored_plan, |_| (), Verifier::with_seed(seed)), "found right");
    let found = whole(&stored_plan, |_| (), Verifier::with_seed(other));
    assert!(found.contains("the tournament, which follows from the seed text"), "{found}");
    let found = whole(
        &stored_plan,
        |all| all.iter_mut().for_each(|record| record.tournament = other.tournament_id()),
        Verifier::with_seed(other),
    );
    assert!(
        found.contains("the match seed, which follows from the seed text, the bots and the block"),
        "{found}"
    );
}

#[test]
fn records_are_checked_against_their_tournament() {
    let stored_plan = sample::stored_plan(3, 2);
    let of = |change: &dyn Fn(&mut StoredPlan)| {
        let mut other = stored_plan.clone();
        change(&mut other);
        whole(&stored_plan, |_| (), planned(&other))
    };
    assert_eq!(of(&|_| ()), "found right");
    assert!(of(&|stored_plan| stored_plan.settings.target = 200).contains("the rules of the tournament"));
    assert!(of(&|stored_plan| stored_plan.blocks = 1).contains("the block: expected one below 1, found 1"));
    assert!(
        of(&|stored_plan| stored_plan.bots[2].name = "x".to_owned())
            .contains("bots of the tournament, found bot-2")
    );
    assert!(
        of(&|stored_plan| stored_plan.bots.swap(0, 1))
            .contains("the seating of this leg: expected [bot-1, bot-0]")
    );
}

#[test]
fn deal_without_a_double_must_be_empty() {
    let stored_plan = sample::stored_plan_of(RulesName::LeydenFree, 2, Set::DoubleSix, 2, 400);
    let mut all = sample::matches(&stored_plan).map(|(_, record)| record);
    let none =
        |record: &MatchRecord| record.rounds.iter().position(|round| round.end == RecordedEnding::NoDouble);
    let (record, r) =
        all.find_map(|record| none(&record).map(|r| (record, r))).expect("one among 800 matches");
    verify(&record).unwrap();
    let pass = HistoryEntry { seat: Seat::FIRST, event: HistoryAction::Pass };
    assert!(
        after(record.clone(), |record| record.rounds[r].actions.push(pass))
            .contains("none in a deal without a double")
    );
    assert!(after(record.clone(), |record| record.rounds[r].points[Seat::FIRST] = 1).contains("points"));
    assert!(after(record, |record| record.rounds[r].end = RecordedEnding::Refused).contains("how it ended"));
}

#[test]
fn differing_deck_tile_is_named_with_its_spot() {
    let record = record();
    let (first, other) = (record.rounds[0].deck[2], record.rounds[0].deck[9]);
    let found = after(record, |record| record.rounds[0].deck.swap(2, 9));
    let tile = |tile: Tile| format!("{tile} as tile 2");
    assert!(found.contains(&format!("expected {}, found {}", tile(first), tile(other))), "{found}");
}
