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
    plain_honest_bot_plays_on: "";
    carriage_returns_cost_nothing: "--crlf";
    blanks_around_answers_cost_nothing: "--padded";
    answers_in_pieces_cost_nothing: "--pieces";
    unknown_and_deep_fields_cost_nothing: "--unknown-fields";
    escaped_keys_and_texts_cost_nothing: "--escaped-keys";
    chatty_standard_error_costs_nothing: "--chatty";
    flooded_standard_error_costs_nothing: "--flood-at-turn 2 --megabytes 300";
    oddities_together_cost_nothing: "--crlf --padded --pieces --unknown-fields --escaped-keys --chatty --note 100";
    bot_that_takes_its_time_plays_on: "--wait-at-turn 2 --delay 300";
    bot_that_ignores_signals_plays_on: "--ignore-polite --stay";
    bot_that_outstays_its_input_plays_on: "--stay";
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
