//! A record is the fold of its events, and replaying the match yields the same events.

use leyden_model::{IncompleteError, MatchEvent, MatchRecord, UnplayableError, replayed};
use leyden_protocol::{FaultCode, MatchEnding, PerSeat, Seat, Seats};
use proptest::prelude::*;

use crate::record::sample;
use leyden_model::{FaultDetails, FaultRecord};

fn all_games() -> impl Iterator<Item = MatchRecord> {
    sample::every_game().into_iter().flat_map(|(rules, seats, set)| {
        let stored_plan = sample::stored_plan_of(rules, seats, set, seats, 9);
        sample::matches(&stored_plan).chain(sample::faulted(&stored_plan)).map(|(_, record)| record)
    })
}

#[test]
fn replayed_events_fold_back_into_the_record() {
    let (mut strikes, mut notes, mut faults) = (0, 0, 0);
    for record in all_games() {
        let events = replayed(&record).unwrap();
        assert_eq!(MatchRecord::from_events(events).as_ref(), Ok(&record));
        strikes += record.strikes.len();
        notes += record.notes.len();
        faults += usize::from(record.fault.is_some());
    }
    assert!(strikes > 50 && notes > 50 && faults > 50, "{strikes} strikes, {notes} notes, {faults} faults");
}

#[test]
fn match_forfeited_before_it_began_is_replayed() {
    let stored_plan = sample::stored_plan(2, 1);
    let mut record =
        sample::record_template(&stored_plan).for_match(&stored_plan.schedule().unwrap().nth(1).unwrap());
    record.fault =
        Some(FaultRecord { seat: Seat::FIRST, code: FaultCode::Handshake, details: FaultDetails::default() });
    (record.end, record.winner) = (MatchEnding::Fault, Seat::new(1));
    let events = replayed(&record).unwrap();
    assert!(matches!(&events[..], [MatchEvent::Started(_), MatchEvent::Ended(_)]));
    assert_eq!(MatchRecord::from_events(events), Ok(record));
}

#[test]
fn every_decision_is_requested_once_and_answered_directly() {
    for record in all_games() {
        let events = replayed(&record).unwrap();
        let mut turns = PerSeat::<u64>::default_for(record.bots.seats());
        for (n, event) in events.iter().enumerate() {
            let MatchEvent::Asked { seat, turn, legal, .. } = event else { continue };
            turns[*seat] += 1;
            assert_eq!(*turn, turns[*seat]);
            assert!(legal.len() > 1);
            let answer = events[n + 1..].iter().find(|event| !matches!(event, MatchEvent::Struck { .. }));
            match answer {
                Some(MatchEvent::Acted { entry, .. }) => assert_eq!(entry.seat, *seat),
                Some(MatchEvent::Settled { .. }) => {
                    assert_eq!(record.fault.as_ref().map(|fault| fault.seat), Some(*seat));
                }
                other => panic!("{other:?} after a question"),
            }
        }
    }
}

#[test]
fn incomplete_match_events_give_no_record() {
    let record = all_games().next().unwrap();
    let events = replayed(&record).unwrap();
    assert_eq!(MatchRecord::from_events(events[1..].to_vec()), Err(IncompleteError::NotStarted));
    assert_eq!(MatchRecord::from_events(events[..events.len() - 1].to_vec()), Err(IncompleteError::NotEnded));
    assert_eq!(MatchRecord::from_events([]), Err(IncompleteError::NotStarted));
}

/// Records come from anywhere: one that cannot be replayed is rejected, no matter what is wrong with it.
#[test]
fn record_about_other_seats_is_refused() {
    let record = sample::faulted(&sample::stored_plan(2, 20)).map(|(_, record)| record);
    let record = record.into_iter().find(|record| record.strikes.len() > 1).unwrap();
    let three = Seats::new(3).unwrap();
    let changes: [fn(&mut MatchRecord, Seats); 8] = [
        |record, _| record.fault.as_mut().unwrap().seat = Seat::new(7).unwrap(),
        |record, _| record.winner = Seat::new(2),
        |record, three| record.think_us = PerSeat::default_for(three),
        |record, three| record.scores = PerSeat::default_for(three),
        |record, three| record.bots = PerSeat::default_for(three),
        |record, three| record.rounds[0].pips = PerSeat::default_for(three),
        |record, three| record.stderr = Some(PerSeat::default_for(three)),
        |record, three| record.host.as_mut().unwrap().off_turn_us = Some(PerSeat::default_for(three)),
    ];
    for change in changes {
        let mut other = record.clone();
        change(&mut other, three);
        assert_eq!(replayed(&other), Err(UnplayableError { round: 0, action: 0 }));
    }
}

proptest! {
    /// With one byte of an export changed, it is either not a record any more, or it is replayed or rejected.
    #[test]
    fn any_record_is_replayed_or_refused(at in 0.0..1.0_f64, with: u8) {
        let record = sample::faulted(&sample::stored_plan(2, 8)).map(|(_, record)| record).nth(9).unwrap();
        let mut text = serde_json::to_vec(&record).unwrap();
        let at = (text.len() as f64 * at) as usize;
        text[at] = with;
        if let Ok(record) = serde_json::from_slice::<MatchRecord>(&text) {
            let _ = replayed(&record);
        }
    }
}
