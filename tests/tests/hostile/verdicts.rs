//! One test for each misbehaviour: the exact verdict, the opponent's win, and the message to the author.

use leyden_tests::arena::Arena;

use crate::table::{
    GENEROUS, PATIENCE, against_honest, assert_fault, assert_lost, assert_played_on, crowd, fake, leyden,
    run_with_timeouts, seat_of_fake,
};

/// The bot loses both matches with this code before any limit.
fn lost(switches: &str, code: &str, says: &[&str]) {
    let ran = against_honest(&fake(switches), GENEROUS).run(PATIENCE);
    assert_lost(&ran, 2, code, says);
}

/// The bot loses both matches because its time runs out.
fn timed_out(switches: &str, code: &str, says: &[&str]) {
    // With shorter limits a smaller disturbance would make a match void.
    let limits = ["--turn", "10s", "--startup", "10s"];
    let ran = run_with_timeouts(&fake(switches), &limits);
    assert_lost(&ran, 2, code, says);
}

/// The same for a bot that burns all it can at the same time, for a shorter time, because other tests run next to it.
fn crowded_out(switches: &str, code: &str, says: &[&str]) {
    let _crowd = crowd();
    let ran = run_with_timeouts(&fake(switches), &["--turn", "2s", "--startup", "60s"]);
    assert_lost(&ran, 2, code, says);
}

macro_rules! verdicts {
    ($($lost:ident $name:ident: $switches:literal => $code:literal, $($says:literal),*;)*) => {
        $(#[test] fn $name() { $lost($switches, $code, &[$($says),*]); })*
    };
}

verdicts! {
    // Until `ready`, everything is the handshake.
    timed_out bot_silent_at_hello_fails_handshake: "--silent-at-hello" => "handshake",
        "hello within 10s", "nothing came", "flush";
    timed_out bot_not_reading_hello_fails_handshake: "--deaf-at-hello" => "handshake",
        "hello within 10s", "nothing came";
    timed_out bot_that_drips_at_hello_fails_handshake: "--drip-at-hello" => "handshake", "no line feed";
    timed_out bot_stopping_itself_at_hello_fails_handshake: "--stop-at-hello" => "handshake", "nothing came";
    lost blank_line_at_hello_fails_handshake: "--blank-at-hello" => "handshake", "\"type\":\"ready\"", "standard error";
    lost text_at_hello_fails_handshake: "--chatter-at-hello" => "handshake",
        "what came: thinking...", "first line on standard output";
    lost action_at_hello_fails_handshake: "--unasked-at-hello" => "handshake", "got an action", "\"type\":\"ready\"";
    lost endless_line_at_hello_fails_handshake: "--endless-line-at-hello" => "handshake", "65536 bytes";
    lost endless_lines_at_hello_fail_handshake: "--endless-lines-at-hello" => "handshake", "thinking";
    lost bot_that_exits_at_hello_fails_handshake: "--exit0-at-hello" => "handshake", "exit code 0", "in a loop";
    lost exception_at_hello_fails_handshake: "--exit1-at-hello" => "handshake",
        "exit code 1", "ValueError: no tile", "exception";
    lost crash_at_hello_fails_handshake: "--abort-at-hello" => "handshake", "signal 6", "aborted";
    lost output_closed_at_hello_fails_handshake: "--close-at-hello" => "handshake",
        "closed its standard output", "still running";
    lost other_major_version_fails_handshake: "--version 2.0" => "handshake", "protocol 1.2, the bot 2.0", "major";
    lost version_without_numbers_fails_handshake: "--version new" => "handshake", "ready";
    lost half_a_line_at_hello_fails_handshake: "--partial-exit-at-hello" => "handshake", "what came: {\"type\"";

    // Not a word, or not in time.
    timed_out silent_bot_times_out: "--silent-at-turn 3" => "timeout",
        "turn 3 within 10s", "nothing came", "flush", "last good answer: turn 2";
    timed_out bot_that_stops_reading_times_out: "--deaf-at-turn 3" => "timeout", "turn 3 within 10s", "nothing came";
    timed_out bot_that_closes_its_input_times_out: "--close-input-at-turn 2 --stay" => "timeout",
        "turn 3 within 10s", "last good answer: turn 2";
    timed_out bot_that_never_reads_times_out: "--blind" => "timeout",
        "turn 1 within 10s", "nothing came", "none in this match yet";
    timed_out bot_that_answers_late_times_out: "--late-at-turn 2 --delay 15000" => "timeout", "turn 2 within 10s";
    timed_out bot_that_drips_times_out: "--drip-at-turn 2" => "timeout", "no line feed", "without a line feed after it";
    timed_out half_an_answer_times_out: "--partial-at-turn 2" => "timeout",
        "no line feed", "what came: {\"type\":\"action\"";
    crowded_out bot_that_crowds_the_machine_times_out: "--hog-at-turn 2 --threads 400 --silent-at-turn 2" => "timeout",
        "nothing came";
    timed_out bot_that_stops_itself_times_out: "--stop-at-turn 2" => "timeout", "nothing came";

    // Too much.
    lost endless_line_is_oversized: "--endless-line-at-turn 2" => "oversized", "65536 bytes", "xxx… (", "debug output";
    lost nested_brackets_are_oversized: "--nested-at-turn 2" => "oversized", "what came: [[[";
    lost endless_lines_are_malformed: "--endless-lines-at-turn 2" => "malformed", "what came: thinking", "debug print";
    lost endless_answers_are_unexpected: "--endless-answers-at-turn 2" => "unexpected",
        "after the answer", "answered twice";

    // Not a message.
    lost blank_line_is_malformed: "--blank-at-turn 2" => "malformed", "one JSON object", "empty line";
    lost text_before_the_answer_is_malformed: "--chatter-at-turn 2" => "malformed",
        "what came: thinking...", "debug print";
    lost text_on_the_answers_line_is_malformed: "--prefix-at-turn 2" => "malformed",
        "what came: my move: {", "debug print";
    lost brackets_nested_in_a_field_are_malformed: "--nested-short-at-turn 2" => "malformed", "what came: {\"x\":[[[";
    lost invalid_utf8_is_malformed: "--not-utf8-at-turn 2" => "malformed", "UTF-8", "\\xff";
    lost nul_bytes_are_malformed: "--nul-at-turn 2" => "malformed", "\\u{0}";
    lost id_in_quotes_is_malformed: "--text-id-at-turn 2" => "malformed", "\"id\"", "without quotes";
    lost answer_without_type_is_malformed: "--no-type-at-turn 2" => "malformed", "\"type\"";
    lost list_for_an_object_is_malformed: "--list-at-turn 2" => "malformed", "one JSON object", "in braces";

    // Not the answer that was asked for.
    lost stale_id_is_unexpected: "--stale-id-at-turn 2" => "unexpected",
        "the answer to turn 2", "the id 1", "last good answer: turn 1";
    lost future_id_is_unexpected: "--future-id-at-turn 2" => "unexpected", "the answer to turn 2", "the id 3";
    lost huge_id_is_unexpected: "--huge-id-at-turn 2" => "unexpected", "99999999999999999999999999";
    lost infinite_id_is_unexpected: "--infinite-id-at-turn 2" => "unexpected", "1e999";
    lost negative_id_is_unexpected: "--negative-id-at-turn 2" => "unexpected", "the id -1";
    lost two_answers_at_once_are_unexpected: "--two-answers-at-turn 2" => "unexpected", "";
    lost later_second_answer_is_unexpected: "--second-answer-later-at-turn 2" => "unexpected", "";
    lost ready_sent_twice_is_unexpected: "--ready-twice" => "unexpected",
        "ready is sent once", "none in this match yet";
    lost ready_at_a_turn_is_unexpected: "--ready-again-at-turn 2" => "unexpected",
        "a second ready", "ready is sent once";
    lost unasked_action_at_match_start_is_unexpected: "--unasked-at-match-start" => "unexpected", "";
    lost unasked_action_between_rounds_is_unexpected: "--unasked-at-round-end" => "unexpected", "";

    // Not a legal action.
    lost action_outside_legal_is_illegal: "--illegal-at-turn 2" => "illegal",
        "actions in legal (", "W:9-9", "worked out the move itself";
    lost impossible_action_is_illegal: "--no-action-at-turn 2" => "illegal", "got \"resign\"", "this is not an action";

    // Gone.
    lost bot_that_exits_loses: "--exit0-at-turn 2" => "exited", "exit code 0", "in a loop", "last good answer: turn 1";
    lost bot_with_an_exception_loses: "--exit1-at-turn 2" => "exited",
        "exit code 1", "| ValueError: no tile", "exception";
    lost terminated_bot_loses: "--term-at-turn 2" => "exited", "signal 15";
    lost killed_bot_loses: "--kill-at-turn 2" => "exited", "signal 9", "memory";
    lost bot_that_aborts_loses: "--abort-at-turn 2" => "exited", "signal 6", "aborted";
    lost exit_within_a_line_loses: "--partial-exit-at-turn 2" => "exited", "what came: {\"type\":\"action\"";
    lost bot_that_closes_its_output_loses: "--close-at-turn 2" => "exited",
        "closed its standard output", "still running";
    lost bot_that_leaves_a_child_loses: "--leave-child-at-turn 2" => "exited", "exit code 0";
    lost exit_at_the_first_match_loses: "--exit0-at-match-start" => "exited", "exit code 0";
    lost bot_that_kills_its_supervisor_loses: "--kill-supervisor-at-turn 2 --wait-at-turn 2 --delay 5000" => "exited",
        "";
}

#[test]
fn script_without_its_interpreter_is_not_started() {
    let folder = tempfile::tempdir().unwrap();
    for (first_line, code, says) in [
        ("#!/no/such/interpreter", "spawn", "/no/such/interpreter, which"),
        ("#!/usr/bin/env no-such-interpreter", "handshake", "no-such-interpreter, which"),
    ] {
        let script = folder.path().join(code);
        std::fs::write(&script, format!("{first_line}\n")).unwrap();
        std::fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let ran = against_honest(script.to_str().unwrap(), GENEROUS).run(PATIENCE);
        assert_lost(&ran, 2, code, &[says]);
    }
}

#[test]
fn answer_counts_even_if_the_bot_then_exits() {
    let ran = against_honest(&fake("--answer-then-exit-at-turn 3"), GENEROUS).run(PATIENCE);
    assert_lost(&ran, 2, "exited", &["turn 4", "last good answer: turn 3", "exit code 0"]);
    for record in ran.records() {
        let decisions = record["think_us"][seat_of_fake(&record) as usize].as_array().map(Vec::len);
        assert_eq!(decisions, Some(3), "{record}");
    }
}

#[test]
fn exiting_between_two_matches_is_not_a_fault() {
    let options = [GENEROUS, &["--blocks", "3", "--target", "30"]].concat();
    for exits in ["--exit0-at-match-end", "--exit1-at-match-end"] {
        let ran = against_honest(&fake(exits), &options).run(PATIENCE);
        assert_played_on(&ran, 6);
    }
}

#[test]
fn line_after_the_match_costs_the_next_match() {
    let options = [GENEROUS, &["--blocks", "2", "--target", "30"]].concat();
    let ran = against_honest(&fake("--unasked-at-match-end"), &options).run(PATIENCE);
    let records = ran.records();
    assert_eq!((ran.code, records.len()), (Some(0), 4));
    // Of the two blocks, which one is played first is drawn for each leg.
    for leg in [0, 1] {
        let [first, next] = records.iter().filter(|record| record["leg"] == leg).collect::<Vec<_>>()[..]
        else {
            panic!("two matches of leg {leg}")
        };
        assert!(first["fault"].is_null(), "{first}");
        assert_fault(next, "unexpected", &[]);
    }
}

#[test]
fn match_is_lost_when_strikes_run_out() {
    for (switches, options, code) in [
        ("--silent-at-every-turn", &["--turn", "2s", "--startup", "60s"][..], "timeout"),
        ("--illegal-at-every-turn", GENEROUS, "illegal"),
        ("--prefix-at-every-turn", GENEROUS, "malformed"),
        ("--two-answers-at-every-turn", GENEROUS, "unexpected"),
    ] {
        let ran = run_with_timeouts(&fake(switches), &[options, &["--strikes", "3"]].concat());
        assert_lost(&ran, 2, code, &[]);
        for record in ran.records() {
            let strikes = record["strikes"].as_array().cloned().unwrap_or_default();
            let codes: Vec<_> = strikes.iter().map(|strike| strike["code"].as_str().unwrap_or("")).collect();
            assert_eq!(codes, [code; 3], "{record}");
        }
    }
}

#[test]
fn late_answer_to_a_struck_turn_is_ignored() {
    let options = ["--turn", "10s", "--startup", "60s", "--strikes", "1", "--target", "30"];
    let ran = run_with_timeouts(&fake("--late-at-turn 2 --delay 13000"), &options);
    assert_played_on(&ran, 2);
    for record in ran.records() {
        assert_eq!(record["strikes"].as_array().map(Vec::len), Some(1), "{record}");
    }
}

#[test]
fn with_three_seats_a_fault_has_no_winner() {
    let bot = fake("--exit1-at-turn 2");
    let bots = [
        "match",
        &bot,
        "builtin:random",
        "builtin:greedy",
        "--rules",
        "matador",
        "--seats",
        "3",
        "--sandbox",
        "none",
    ];
    let options = ["--json", "--jobs", "1", "--seed", "hostile", "--results", "r.db"];
    let ran = Arena::new(&leyden(), &[&bots[..], &options, GENEROUS].concat()).run(PATIENCE);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.assert_clean();
    assert_eq!(ran.records().len(), 3);
    for record in ran.records() {
        assert_eq!(
            (&record["fault"]["code"], record["winner"].as_u64()),
            (&"exited".into(), None),
            "{record}"
        );
    }
}
