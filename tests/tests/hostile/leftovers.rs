//! One second later no process of a bot is left, no matter what the bot starts and how the arena ends.

use std::time::Duration;

use leyden_tests::arena::Running;
use leyden_tests::marks;
use leyden_tests::patience::Patience;
use rustix::process::{Pid, Signal, kill_process};

use crate::table::{FAKE_BOT, GENEROUS, PATIENCE, against_honest, assert_played_on, fake, run_with_timeouts};

/// The ways in which a bot lives in more than one process.
fn households() -> [String; 5] {
    [
        fake("--ignore-polite --stay"),
        fake("--daemon-at-hello"),
        fake("--ignore-polite --daemon-at-hello --stay"),
        format!("sh -c '{FAKE_BOT} --stay; true'"),
        format!("sh -c 'sleep 100 & trap \"\" TERM INT HUP; {FAKE_BOT} --daemon-at-turn 1 --stay; true'"),
    ]
}

/// An arena that ends normally.
#[test]
fn normal_end_leaves_no_process() {
    let options = [GENEROUS, &["--target", "30"]].concat();
    for bot in households() {
        assert_played_on(&against_honest(&bot, &options).run(PATIENCE), 2);
    }
}

/// An arena in the middle of a match, in which a bot is silent and has started all its processes.
fn in_the_middle(bot: &str) -> Running {
    let bot = bot.replace("--stay", "--stay --chatty --silent-at-turn 3");
    let bot = bot.replace("--daemon-at-hello", "--daemon-at-hello --chatty --silent-at-turn 3");
    let running = against_honest(&bot, GENEROUS).start();
    // The fake bot has answered its second turn when its silence starts, so what it started has had time to start.
    let mut patience = Patience::new(PATIENCE);
    while marks::alive(&running.mark).len() < 5 {
        assert!(patience.waits(), "{bot}: {:?}", marks::alive(&running.mark));
    }
    std::thread::sleep(Duration::from_millis(300));
    running
}

fn ended_by(signal: Signal, code: Option<i32>) {
    for bot in households() {
        let running = in_the_middle(&bot);
        let arena = Pid::from_raw(running.child.id().cast_signed()).unwrap();
        kill_process(arena, signal).unwrap();
        let ran = running.finish(PATIENCE);
        assert_eq!(ran.code, code, "{bot}: {ran:?}");
        ran.assert_clean();
    }
}

#[test]
fn sigkill_leaves_no_process() {
    ended_by(Signal::KILL, None);
}

#[test]
fn sigint_leaves_no_process() {
    ended_by(Signal::INT, Some(130));
}

#[test]
fn sigterm_leaves_no_process() {
    ended_by(Signal::TERM, Some(130));
}

#[allow(clippy::print_stderr, reason = "says what was not tested")]
#[test]
fn sighup_leaves_no_process() {
    if leyden_tests::is_hang_up_ignored() {
        eprintln!("LEFT OUT: SIGHUP is ignored here, as below nohup, so that nothing ends by it");
        return;
    }
    ended_by(Signal::HUP, Some(130));
}

/// SIGABRT stands for a panic that aborts: nothing of the arena runs any more.
#[test]
fn abort_leaves_no_process() {
    ended_by(Signal::ABORT, None);
}

#[test]
fn bot_that_kills_its_supervisor_leaves_no_process() {
    for switches in
        ["--daemon-at-hello --kill-supervisor-at-turn 2", "--daemon-at-hello --kill-supervisor-at-match-end"]
    {
        // The daemon's copies of the pipes stay open until the limit.
        let ran = run_with_timeouts(&fake(switches), &["--turn", "5s", "--startup", "60s"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.assert_clean();
    }
}

#[test]
fn bot_that_stops_its_supervisor_leaves_no_process() {
    let options = [GENEROUS, &["--target", "30"]].concat();
    let ran =
        against_honest(&fake("--daemon-at-hello --stop-supervisor-at-turn 2 --stay"), &options).run(PATIENCE);
    assert_played_on(&ran, 2);
}

#[test]
fn fork_chain_outside_every_session_leaves_no_process() {
    let options = [GENEROUS, &["--target", "30"]].concat();
    let ran = against_honest(&fake("--chain-at-turn 2"), &options).run(PATIENCE);
    assert_played_on(&ran, 2);
}

#[test]
fn faulted_bots_are_killed_during_the_tournament() {
    let bot = fake("--ignore-polite --daemon-at-hello --illegal-at-turn 1");
    let running = against_honest(&bot, &[GENEROUS, &["--blocks", "50"]].concat()).start();
    let mut patience = Patience::new(PATIENCE);
    while running.output("stdout").matches("\"event\":\"match\"").count() < 60 {
        assert!(patience.waits(), "{}", running.output("stderr"));
    }
    // If none were killed before the end, there would be two for each match.
    let alive = marks::alive(&running.mark);
    assert!(alive.len() < 40, "{} processes: {alive:?}", alive.len());
    let ran = running.finish(PATIENCE);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.assert_clean();
}
