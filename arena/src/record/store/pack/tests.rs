use proptest::prelude::*;

use super::*;
use crate::record::sample;

#[test]
fn endings_are_numbered_by_their_index() {
    for (number, end) in ENDINGS.into_iter().enumerate() {
        assert_eq!(usize::from(ending_number(end)), number);
    }
    for (number, end) in ROUND_ENDINGS.into_iter().enumerate() {
        assert_eq!(usize::from(round_ending_number(end)), number);
    }
}

#[test]
fn every_entry_comes_back() {
    let mut seen = 0;
    let deck: Vec<Tile> = Set::DoubleTwelve.tiles().iter().collect();
    for number in 0..=u16::MAX {
        let bytes = number.to_be_bytes();
        let first = |bytes: &[u8]| (bytes[0] >= SHORT_ENTRY).then_some(7);
        let (mut rest, mut expected) = (&bytes[..], first(&bytes));
        if let Ok(entry) = take_entry(&mut rest, &deck, &mut expected) {
            let (mut body, mut again) = (Vec::new(), first(&bytes));
            push_entry(&mut body, entry, &deck, &mut again);
            assert_eq!((&body[..], again), (&bytes[..2 - rest.len()], expected), "{entry}");
            seen += 1;
        }
    }
    // 13 leads, 4 arms × (169 in line + the matadors across) and 91 draws in two bytes; four kinds in one byte, before any second byte; 8 seats.
    assert_eq!(seen, 8 * (13 + 4 * (169 + matadors()) + 91 + 4 * 256));
}

fn matadors() -> usize {
    Set::DoubleTwelve.tiles().iter().filter(|&tile| Matador::new(tile).is_some()).count()
}

#[test]
fn records_of_every_rule_set_come_back() {
    for (rules, seats, set) in sample::every_game() {
        let stored_plan = sample::stored_plan_of(rules, seats, set, 9, 2);
        for (key, record) in sample::matches(&stored_plan).take(4) {
            let known = sample::record_template(&stored_plan).for_match(&key);
            let body = pack(&record, &known);
            assert_eq!(body[0], SHORT);
            assert_eq!(unpack(&body, known).unwrap(), record);
        }
    }
}

#[test]
fn faulted_records_survive_packing_and_unpacking() {
    let stored_plan = sample::stored_plan(2, 1);
    for (key, record) in sample::faulted(&stored_plan) {
        let known = sample::record_template(&stored_plan).for_match(&key);
        let body = pack(&record, &known);
        assert_eq!(unpack(&body, known).unwrap(), record);
    }
}

#[test]
fn unusual_record_is_kept_whole() {
    let stored_plan = sample::stored_plan(2, 1);
    let (key, mut record) = sample::matches(&stored_plan).next().unwrap();
    record.bots[Seat::FIRST] = "somebody else".to_owned();
    let known = sample::record_template(&stored_plan).for_match(&key);
    let body = pack(&record, &known);
    assert_eq!(body[0], WHOLE);
    assert_eq!(unpack(&body, known).unwrap(), record);
}

#[test]
fn body_cut_anywhere_is_refused() {
    let stored_plan = sample::stored_plan(2, 1);
    let (key, record) = sample::faulted(&stored_plan).next().unwrap();
    let known = || sample::record_template(&stored_plan).for_match(&key);
    let body = pack(&record, &known());
    let whole = (0..body.len()).filter(|&end| unpack(&body[..end], known()).is_ok()).count();
    assert!(whole <= 1, "it can only be read without its rare fields");
}

/// Packed records of every kind: ordinary, with all rare fields, and kept whole.
fn packed() -> Vec<(Vec<u8>, MatchRecord)> {
    let stored_plan = sample::stored_plan(2, 3);
    let unusual = sample::matches(&stored_plan).take(1).map(|(key, mut record)| {
        record.bots[Seat::FIRST] = "somebody else".to_owned();
        (key, record)
    });
    let all = sample::matches(&stored_plan).take(2).chain(sample::faulted(&stored_plan)).chain(unusual);
    let pack = |(key, record): (_, MatchRecord)| {
        let blank = sample::record_template(&stored_plan).for_match(&key);
        (pack(&record, &blank), blank)
    };
    all.map(pack).collect()
}

proptest! {
    #[test]
    fn unpacking_a_changed_record_never_panics(
        seed in any::<prop::sample::Index>(), changes in mutation::changes()
    ) {
        let packed = packed();
        let (body, blank) = &packed[seed.index(packed.len())];
        let _ = unpack(&mutation::changed(body, &changes), blank.clone());
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes: Vec<u8>) {
        let stored_plan = sample::stored_plan(2, 1);
        let (key, _) = sample::matches(&stored_plan).next().unwrap();
        let _ = unpack(&bytes, sample::record_template(&stored_plan).for_match(&key));
        let _ = unpack(&[&[SHORT], &*bytes].concat(), sample::record_template(&stored_plan).for_match(&key));
    }
}
