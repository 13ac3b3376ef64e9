//! Odd but honest behaviour costs nothing.

use crate::table::{GENEROUS, PATIENCE, against_honest, assert_played_on, fake, seat_of_fake};

fn plays_on(switches: &str) {
    let options = [GENEROUS, &["--target", "30"]].concat();
    let ran = against_honest(&fake(switches), &options).run(PATIENCE);
    assert_played_on(&ran, 2);
}

macro_rules! plays_on {
    ($($name:ident: $switches:literal;)*) => { $(#[test] fn $name() { plays_on($switches); })* };
}

plays_on! {
    plain_honest_bot: "";
    carriage_returns: "--crlf";
    blanks_around: "--padded";
    answers_in_pieces: "--pieces";
    unknown_and_deep_fields: "--unknown-fields";
    escaped_keys_and_texts: "--escaped-keys";
    chatty_standard_error: "--chatty";
    floods_standard_error: "--flood-at-turn 2 --megabytes 300";
    oddities_together: "--crlf --padded --pieces --unknown-fields --escaped-keys --chatty --note 100";
    takes_its_time: "--wait-at-turn 2 --delay 300";
    ignores_polite_signals: "--ignore-polite --stay";
    stays_after_its_input_ended: "--stay";
}

#[test]
fn long_note_is_cut() {
    let options = [GENEROUS, &["--target", "30"]].concat();
    let ran = against_honest(&fake("--note 20000"), &options).run(PATIENCE);
    assert_played_on(&ran, 2);
    for record in ran.records() {
        let notes = record["notes"].as_array().cloned().unwrap_or_default();
        assert!(!notes.is_empty());
        for note in notes {
            assert_eq!(note["seat"].as_u64(), Some(seat_of_fake(&record)));
            assert_eq!(note["text"].as_str().map(str::len), Some(500));
        }
    }
}
