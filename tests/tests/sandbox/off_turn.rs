//! A bot with a control group is frozen while it is not its turn, with all that it started, and its time is that of the
//! group.

use std::fs::{self, File};
use std::path::Path;
use std::time::Duration;

use leyden_host::sandbox::SandboxLevel;
use leyden_tests::patience::Patience;
use leyden_tests::program;
use serde_json::Value;

use crate::field::{ArenaUser, AttackTargets, processes_with};

/// The settings of both bots.
const SHELL_BOT: &str = "../sample-bots/sh-dice/bot.sh";

fn make_bot(field: &AttackTargets, name: &str, script: &str) -> String {
    let folder = field.path(name);
    fs::create_dir(&folder).expect("a folder");
    fs::write(folder.join("bot.sh"), script).expect("a bot");
    let manifest = format!("name = \"{name}\"\ncommand = [\"sh\", \"bot.sh\"]\n");
    fs::write(folder.join("bot.toml"), manifest).expect("a manifest");
    field.text(name)
}

/// A bot whose child burns from the start, and one that sleeps before each answer, so that a processor is free to burn on.
fn make_bots(field: &AttackTargets, mark: &str) -> [String; 2] {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join(SHELL_BOT);
    let script = fs::read_to_string(script).expect("a sample bot");
    let (asked, answers) = ("        choose\n", "        sleep 0.2\n        choose\n");
    assert_eq!(script.matches(asked).count(), 1);
    let burning = format!("sh -c 'while :; do :; done' {mark} </dev/null >/dev/null 2>&1 &\n{script}");
    [make_bot(field, "burning", &burning), make_bot(field, "waiting", &script.replace(asked, answers))]
}

/// Whether a process stands still because its control group is frozen.
fn is_frozen(process: &str) -> bool {
    let group = fs::read_to_string(format!("{process}/cgroup")).unwrap_or_default();
    let group = group.lines().find_map(|line| line.strip_prefix("0::/")).unwrap_or_default().to_owned();
    let events = fs::read_to_string(Path::new("/sys/fs/cgroup").join(group).join("cgroup.events"));
    events.is_ok_and(|events| events.contains("frozen 1"))
}

/// The outcome of the burning bot in a match.
#[derive(Debug)]
struct Burnt {
    /// Its processor time while it was not its turn.
    used: Duration,
    /// The time that the other one took for its turns.
    waited: Duration,
    was_frozen: bool,
}

fn burn(who: ArenaUser, field: &AttackTargets, bots: &[String], mark: &str, pondering: &str) -> Burnt {
    let mut command = who.command(&program("leyden"));
    command.args(["match", "--json", "--quiet", "--sandbox", "full", "--seed", "test", "--target", "20"]);
    command.args(["--turn", "20s", "--startup", "60s", pondering, "--results"]).arg(field.path(pondering));
    command.args(bots).current_dir(field.path("home"));
    let file = |name| File::create(field.path(name)).expect("a file");
    let mut arena = command.stdout(file("out")).stderr(file("err")).spawn().expect("the arena starts");
    let (mut patience, mut was_frozen) = (Patience::new(Duration::from_mins(5)), false);
    let status = loop {
        if let Some(status) = arena.try_wait().expect("it can be waited for") {
            break status;
        }
        was_frozen |= processes_with(mark).iter().any(|process| is_frozen(process));
        assert!(patience.waits(), "the arena does not end");
    };
    let read = |name| fs::read_to_string(field.path(name)).expect("a file");
    assert!(status.success(), "{who:?} {pondering}: {}", read("err"));
    let events = read("out");
    let mut events = events.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let record = events.find(|event| event["event"] == "match").expect("a match")["record"].take();
    assert_eq!(record["fault"], Value::Null, "{record}");
    let burning = usize::from(record["bots"][0] != "burning");
    let micros = |time: &Value| Duration::from_micros(time.as_u64().unwrap_or(0));
    let waited = record["think_us"][1 - burning].as_array().expect("times").iter();
    Burnt {
        used: micros(&record["host"]["off_turn_us"][burning]),
        waited: waited.map(micros).sum(),
        was_frozen,
    }
}

#[test]
fn bot_with_control_group_is_frozen_off_turn() {
    for who in ArenaUser::everybody() {
        if !who.levels().contains(&SandboxLevel::Full) {
            continue;
        }
        let field = AttackTargets::new();
        let mark = format!("mark-off-turn-{who:?}-{}", std::process::id());
        let bots = make_bots(&field, &mark);
        let alone = burn(who, &field, &bots, &mark, "--ponder");
        assert!(!alone.was_frozen && alone.used > alone.waited / 4, "{who:?}: {alone:?}");
        let stopped = burn(who, &field, &bots, &mark, "--no-ponder");
        assert!(stopped.was_frozen && stopped.used < stopped.waited / 20, "{who:?}: {stopped:?}");
        eprintln!("{who:?}: left alone {alone:?}, stopped {stopped:?}");
    }
}
