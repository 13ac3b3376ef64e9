//! Another program plays a tournament with the library and needs no `leyden`, as the library's example shows.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use leyden_tests::arena::Arena;
use serde_json::Value;

const FAKE_BOT: &str = env!("CARGO_BIN_EXE_fake-bot");

#[test]
fn example_is_its_own_supervisor() {
    let example = Path::new(env!("CARGO_BIN_EXE_tournament"));
    let ran = Arena::new(example, &[FAKE_BOT, FAKE_BOT]).run(Duration::from_mins(10));
    ran.assert_clean();
    let bots: Vec<Value> = ran.stdout.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let matches: Vec<_> = bots.iter().map(|bot| bot["results"]["matches"].as_u64()).collect();
    assert_eq!((ran.code, matches), (Some(0), vec![Some(20); 2]), "{ran:?}");
}

#[test]
fn example_refuses_bots_it_does_not_contain() {
    let bots = [FAKE_BOT, "builtin:greedy"];
    let ran = Command::new(env!("CARGO_BIN_EXE_tournament")).args(bots).output().unwrap();
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.code() == Some(1) && said.starts_with("builtin:greedy is part of"), "{said}");
}
