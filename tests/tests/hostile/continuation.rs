//! A bot that has itself continued while it is stopped: the freezer holds it; without a freezer it loses by `ran`.

use std::path::Path;

use leyden_tests::arena::{Arena, Ran};
use serde_json::Value;

use crate::table::{FAKE_BOT, PATIENCE, fake, leyden};

/// Removes the hierarchy of control groups, in its own mount namespace.
const WITHOUT_FREEZER: &str =
    "awk '/ - cgroup2 /{print $5}' /proc/self/mountinfo | xargs -r -n1 umount -l && exec \"$@\"";

/// A match of a restless bot against one that sleeps at its second turn, both stopped off turn.
fn play(freezer: bool) -> Ran {
    let (leyden, restless) = (leyden(), format!("{FAKE_BOT} restless"));
    let sleeper = fake("--late-at-turn 2 --delay 6000");
    let words = ["match", &restless, &sleeper, "--json", "--jobs", "1", "--seed", "hostile", "--no-ponder"];
    let more = ["--sandbox", "none", "--turn", "60s", "--startup", "60s", "--results", "r.db"];
    let words = [&words[..], &more].concat();
    if freezer {
        return Arena::new(&leyden, &words).run(PATIENCE);
    }
    let arena = leyden.display().to_string();
    let words = [&["--mount", "sh", "-c", WITHOUT_FREEZER, "sh", &arena][..], &words].concat();
    Arena::new(Path::new("unshare"), &words).run(PATIENCE)
}

/// The faults of the restless bot, and its processor time off turn, in microseconds.
fn restless_faults(ran: &Ran) -> Vec<(Value, u64)> {
    let of = |record: &Value| {
        let seat = usize::from(!record["bots"][0].as_str().is_some_and(|name| name.ends_with("restless")));
        let fault = &record["fault"];
        assert!(fault.is_null() || fault["seat"] == seat, "{record}");
        (fault["code"].clone(), record["host"]["off_turn_us"][seat].as_u64().unwrap_or(0))
    };
    ran.records().iter().map(of).collect()
}

#[test]
fn bot_running_despite_a_stop_signal_loses() {
    if !rustix::process::geteuid().is_root() {
        leyden_tests::browser::left_out(
            "a machine without a freezer, which takes root to make of one that has it",
        );
        return;
    }
    let ran = play(false);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.assert_clean();
    let faults = restless_faults(&ran);
    assert!(faults.len() == 2 && faults.iter().all(|(code, _)| code == "ran"), "{faults:?}: {ran:?}");
    let said = ran.records()[0]["fault"]["message"].as_str().unwrap_or_default().to_owned();
    assert!(said.contains("stopped because it was not its turn") && said.contains("SIGCONT"), "{said}");
}

#[test]
fn frozen_bot_stands_still_and_then_continues() {
    // The same bot, held only by the freezer. The other test shows what the freezer prevents.
    let has_freezer = rustix::process::geteuid().is_root()
        && std::fs::read_to_string("/proc/self/mountinfo").is_ok_and(|text| text.contains(" - cgroup2 "));
    if !has_freezer {
        leyden_tests::browser::left_out("the freezer, which is missing");
        return;
    }
    let ran = play(true);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.assert_clean();
    for (fault, used) in restless_faults(&ran) {
        assert!(fault.is_null(), "{ran:?}");
        // It is awake for its turns and the moments in which it is being stopped; the other one sleeps for six seconds.
        assert!(used < 700_000, "{used} us: {ran:?}");
    }
}
