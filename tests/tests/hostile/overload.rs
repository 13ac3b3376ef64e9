//! Who is to blame if time runs out while the machine does not let the arena run (here because the arena is stopped).

use std::time::Duration;

use leyden_tests::arena::Ran;

use crate::table::{PATIENCE, against_honest, assert_lost, fake, until_none_is_void};

/// Far longer than a turn: on any machine a bot gets that much processor time until then.
const LONG: Duration = Duration::from_secs(20);

/// Two matches in which a bot stops the arena at its second turn, for long, and then acts.
fn play(deed: &str, turn: &str) -> Ran {
    let bot = fake(&format!("--stop-arena-at-turn 2 {deed}"));
    let running = against_honest(&bot, &["--turn", turn, "--startup", "60s", "--fresh"]).start();
    let going_on = running.go_on_after(LONG);
    let ran = running.finish(PATIENCE);
    going_on.join().expect("nothing in it panics");
    ran
}

#[test]
fn bot_that_burned_time_loses_despite_stopped_arena() {
    // The honest bot's time may also run out through no fault of its own, which makes a match void: then try again.
    let ran = until_none_is_void(|| play("--think-cpu-at-turn 2 --burn 110000", "4s"));
    assert_lost(&ran, 2, "timeout", &["turn 2 within", "endless loop"]);
}

#[test]
fn stopped_arena_voids_match_of_an_idle_bot() {
    let ran = play("--silent-at-turn 2", "10s");
    assert_eq!(ran.code, Some(5), "{ran:?}");
    ran.assert_clean();
    assert!(ran.records().is_empty(), "{ran:?}");
    let printed = ran.stderr.split("is void: host overloaded: while ").nth(1).unwrap_or_default();
    assert!(printed.contains("at the table: "), "{ran:?}");
}
