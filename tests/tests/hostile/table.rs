//! A match between the fake bot and an honest one.

use std::env;
use std::path::PathBuf;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::Duration;

use leyden_tests::arena::{Arena, Ran, program};
use serde_json::Value;

pub(crate) const FAKE_BOT: &str = env!("CARGO_BIN_EXE_fake-bot");

/// Limits that only a bot that means to can reach, however busy the machine is.
pub(crate) const GENEROUS: &[&str] = &["--turn", "100s", "--startup", "100s"];

/// Longer than any run of a few matches takes, however busy the machine is.
pub(crate) const PATIENCE: Duration = Duration::from_mins(10);

pub(crate) fn leyden() -> PathBuf {
    program(FAKE_BOT)
}

/// The command line of a fake bot.
pub(crate) fn fake(switches: &str) -> String {
    format!("{FAKE_BOT} {switches}")
}

/// The sandbox level of the bots, `none` unless `LEYDEN_TEST_LEVEL` names another (`tests/in-vm` does).
fn level() -> &'static str {
    static LEVEL: LazyLock<String> =
        LazyLock::new(|| env::var("LEYDEN_TEST_LEVEL").unwrap_or_else(|_| "none".to_owned()));
    &LEVEL
}

/// A match of a bot against an honest one, both seatings, on one worker.
pub(crate) fn against_honest(bot: &str, options: &[&str]) -> Arena {
    Arena::new(&leyden(), &honest_match(bot, options))
}

/// The command line of such a match.
pub(crate) fn honest_match<'a>(bot: &'a str, options: &[&'a str]) -> Vec<&'a str> {
    let fixed = [
        "match",
        bot,
        "builtin:random",
        "--sandbox",
        level(),
        "--json",
        "--jobs",
        "1",
        "--seed",
        "hostile",
        "--results",
        "r.db",
    ];
    [&fixed[..], options].concat()
}

/// Runs matches whose verdict is that time ran out.
pub(crate) fn run_with_timeouts(bot: &str, options: &[&str]) -> Ran {
    until_none_is_void(|| against_honest(bot, options).run(PATIENCE))
}

/// Tests with bots of many busy threads, and those that need a share of the core that all matches of these tests are played on, take
/// turns: beside hundreds of threads even ten times its time is not enough for an honest bot.
pub(crate) fn crowd() -> MutexGuard<'static, ()> {
    static CROWD: Mutex<()> = Mutex::new(());
    CROWD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// If the machine is too busy to hold bots to their time, the arena voids a match; then everything is run again, after pauses
/// that grow to a quarter of an hour in all.
pub(crate) fn until_none_is_void(run: impl Fn() -> Ran) -> Ran {
    for pause in (1..=20).map(|run: u64| (run * run).min(60)) {
        let ran = run();
        if !ran.stderr.contains("is void: host overloaded") {
            return ran;
        }
        ran.assert_clean();
        sleep(Duration::from_secs(pause));
    }
    panic!(
        "this machine is too busy to hold any bot to its time: the arena voided a match in each of 20 runs"
    );
}

/// The seat of the fake bot.
pub(crate) fn seat_of_fake(record: &Value) -> u64 {
    u64::from(record["bots"][0] == "random")
}

/// Asserts that the fake bot lost every match of a run in the same way: with this code, and a message that says these things.
pub(crate) fn assert_lost(ran: &Ran, matches: usize, code: &str, says: &[&str]) {
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.assert_clean();
    let records = ran.records();
    assert_eq!(records.len(), matches, "{}\n{}", ran.stderr, ran.stdout);
    for record in &records {
        assert_fault(record, code, says);
    }
}

pub(crate) fn assert_fault(record: &Value, code: &str, says: &[&str]) {
    let (seat, fault) = (seat_of_fake(record), &record["fault"]);
    let message = fault["message"].as_str().unwrap_or_default();
    assert_eq!(
        (fault["code"].as_str(), fault["seat"].as_u64()),
        (Some(code), Some(seat)),
        "{message}\n{record}"
    );
    assert_eq!(
        (record["winner"].as_u64(), &record["end"]),
        (Some(1 - seat), &Value::from("fault")),
        "{record}"
    );
    for says in says {
        assert!(message.contains(says), "expected {says:?} in: {message}");
    }
    assert!(message.lines().count() <= 14 && message.len() < 2_500, "too long to read: {message}");
}

/// Asserts that every match of a run was played to its end.
pub(crate) fn assert_played_on(ran: &Ran, matches: usize) {
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.assert_clean();
    let records = ran.records();
    assert_eq!(records.len(), matches, "{}\n{}", ran.stderr, ran.stdout);
    for record in &records {
        assert_eq!((&record["fault"], &record["end"]), (&Value::Null, &Value::from("target")), "{record}");
    }
}
