//! Who is to blame for a time that is up while the machine does not let the arena run: here, because the arena is stopped.

use std::thread::sleep;
use std::time::Duration;

use leyden_tests::arena::Ran;

use crate::table::{PATIENCE, against_honest, assert_lost, fake};

/// Far longer than the tenth of a second that a bot has: on any machine it gets that much of a processor meanwhile.
const LONG: Duration = Duration::from_secs(5);

/// Matches in which a bot stops the arena at its second turn and then does something, so often; each time for long.
fn play(deed: &str, times: u32) -> Ran {
    let bot = fake(&format!("--stop-arena-at-turn 2 {deed}"));
    let running = against_honest(&bot, &["--turn", "100ms", "--startup", "60s", "--fresh"]).start();
    for _ in 0..times {
        running.wait_until_stopped(PATIENCE);
        sleep(LONG);
        running.go_on();
    }
    running.finish(PATIENCE)
}

#[test]
fn who_computed_for_all_of_its_time_loses_although_the_arena_was_stopped() {
    let ran = play("--think-cpu-at-turn 2 --burn 110000", 2);
    assert_lost(&ran, 2, "timeout", &["turn 2 within", "endless loop"]);
}

#[test]
fn who_did_nothing_meanwhile_is_not_judged() {
    let ran = play("--silent-at-turn 2", 3);
    assert_eq!(ran.code, Some(5), "{ran:?}");
    ran.assert_clean();
    assert!(ran.records().is_empty(), "{ran:?}");
    let told = ran.stderr.split("is void: host overloaded: while ").nth(1).unwrap_or_default();
    assert!(told.contains("fake-bot") && told.contains("at the table: "), "{ran:?}");
}
