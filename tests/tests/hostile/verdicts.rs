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
    timed_out silent_at_hello: "--silent-at-hello" => "handshake", "hello within 10s", "nothing came", "flush";
    timed_out never_reads_hello: "--deaf-at-hello" => "handshake", "hello within 10s", "nothing came";
    timed_out drips_at_hello: "--drip-at-hello" => "handshake", "no line feed";
    timed_out stops_itself_at_hello: "--stop-at-hello" => "handshake", "nothing came";
    lost blank_at_hello: "--blank-at-hello" => "handshake", "\"type\":\"ready\"", "standard error";
    lost text_at_hello: "--chatter-at-hello" => "handshake", "what came: thinking...", "first line on standard output";
    lost action_at_hello: "--unasked-at-hello" => "handshake", "got an action", "\"type\":\"ready\"";
    lost endless_line_at_hello: "--endless-line-at-hello" => "handshake", "65536 bytes";
    lost endless_lines_at_hello: "--endless-lines-at-hello" => "handshake", "thinking";
    lost exits_at_hello: "--exit0-at-hello" => "handshake", "exit code 0", "in a loop";
    lost fails_at_hello: "--exit1-at-hello" => "handshake", "exit code 1", "ValueError: no tile", "exception";
    lost crashes_at_hello: "--abort-at-hello" => "handshake", "signal 6", "aborted";
    lost closes_at_hello: "--close-at-hello" => "handshake", "closed its standard output", "still running";
    lost refuses_the_version: "--version 2.0" => "handshake", "protocol 1.2, the bot 2.0", "major";
    lost has_no_version: "--version new" => "handshake", "ready";
    lost leaves_half_a_line_at_hello: "--partial-exit-at-hello" => "handshake", "what came: {\"type\"";

    // Not a word, or not in time.
    timed_out silent_at_a_turn: "--silent-at-turn 3" => "timeout",
        "turn 3 within 10s", "nothing came", "flush", "last good answer: turn 2";
    timed_out stops_reading: "--deaf-at-turn 3" => "timeout", "turn 3 within 10s", "nothing came";
    timed_out closes_its_input: "--close-input-at-turn 2 --stay" => "timeout", "turn 3 within 10s", "last good answer: turn 2";
    timed_out never_reads: "--blind" => "timeout", "turn 1 within 10s", "nothing came", "none in this match yet";
    timed_out answers_late: "--late-at-turn 2 --delay 15000" => "timeout", "turn 2 within 10s";
    timed_out drips: "--drip-at-turn 2" => "timeout", "no line feed", "without a line feed after it";
    timed_out half_an_answer: "--partial-at-turn 2" => "timeout", "no line feed", "what came: {\"type\":\"action\"";
    crowded_out crowds_the_machine: "--hog-at-turn 2 --threads 400 --silent-at-turn 2" => "timeout", "nothing came";
    timed_out stops_itself: "--stop-at-turn 2" => "timeout", "nothing came";

    // Too much.
    lost endless_line: "--endless-line-at-turn 2" => "oversized", "65536 bytes", "xxx… (", "debug output";
    lost nested_brackets: "--nested-at-turn 2" => "oversized", "what came: [[[";
    lost endless_lines: "--endless-lines-at-turn 2" => "malformed", "what came: thinking", "debug print";
    lost endless_answers: "--endless-answers-at-turn 2" => "unexpected", "after the answer", "answered twice";

    // Not a message.
    lost blank_line: "--blank-at-turn 2" => "malformed", "one JSON object", "empty line";
    lost text_before_the_answer: "--chatter-at-turn 2" => "malformed", "what came: thinking...", "debug print";
    lost text_on_the_line: "--prefix-at-turn 2" => "malformed", "what came: my move: {", "debug print";
    lost nested_in_a_field: "--nested-short-at-turn 2" => "malformed", "what came: {\"x\":[[[";
    lost not_utf8: "--not-utf8-at-turn 2" => "malformed", "UTF-8", "\\xff";
    lost nul_bytes: "--nul-at-turn 2" => "malformed", "\\u{0}";
    lost id_is_a_text: "--text-id-at-turn 2" => "malformed", "\"id\"", "without quotes";
    lost missing_type: "--no-type-at-turn 2" => "malformed", "\"type\"";
    lost list_for_an_object: "--list-at-turn 2" => "malformed", "one JSON object", "in braces";

    // Not the answer that was asked for.
    lost stale_id: "--stale-id-at-turn 2" => "unexpected", "the answer to turn 2", "the id 1", "last good answer: turn 1";
    lost future_id: "--future-id-at-turn 2" => "unexpected", "the answer to turn 2", "the id 3";
    lost huge_id: "--huge-id-at-turn 2" => "unexpected", "99999999999999999999999999";
    lost infinite_id: "--infinite-id-at-turn 2" => "unexpected", "1e999";
    lost negative_id: "--negative-id-at-turn 2" => "unexpected", "the id -1";
    lost two_answers: "--two-answers-at-turn 2" => "unexpected", "";
    lost second_answer_later: "--second-answer-later-at-turn 2" => "unexpected", "";
    lost ready_twice: "--ready-twice" => "unexpected", "ready is sent once", "none in this match yet";
    lost ready_again: "--ready-again-at-turn 2" => "unexpected", "a second ready", "ready is sent once";
    lost unasked_at_match_start: "--unasked-at-match-start" => "unexpected", "";
    lost unasked_between_rounds: "--unasked-at-round-end" => "unexpected", "";

    // Not a legal action.
    lost illegal: "--illegal-at-turn 2" => "illegal", "actions in legal (", "W:9-9", "worked out the move itself";
    lost impossible_action: "--no-action-at-turn 2" => "illegal", "got \"resign\"", "this is not an action";

    // Gone.
    lost exits: "--exit0-at-turn 2" => "exited", "exit code 0", "in a loop", "last good answer: turn 1";
    lost fails: "--exit1-at-turn 2" => "exited", "exit code 1", "| ValueError: no tile", "exception";
    lost terminated: "--term-at-turn 2" => "exited", "signal 15";
    lost killed: "--kill-at-turn 2" => "exited", "signal 9", "memory";
    lost aborts: "--abort-at-turn 2" => "exited", "signal 6", "aborted";
    lost leaves_half_a_line: "--partial-exit-at-turn 2" => "exited", "what came: {\"type\":\"action\"";
    lost closes_its_output: "--close-at-turn 2" => "exited", "closed its standard output", "still running";
    lost leaves_a_child_with_its_pipes: "--leave-child-at-turn 2" => "exited", "exit code 0";
    lost exits_at_its_first_match: "--exit0-at-match-start" => "exited", "exit code 0";
    lost kills_its_supervisor: "--kill-supervisor-at-turn 2 --wait-at-turn 2 --delay 5000" => "exited", "";
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
