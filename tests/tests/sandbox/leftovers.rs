//! Nothing is left of a bot when its match is over.

use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use leyden_host::sandbox::SandboxLevel;
use leyden_tests::patience::Patience;
use leyden_tests::program;

use crate::field::{ArenaUser, AttackTargets, processes_with};

fn all_gone(mark: &str, what: &str) {
    let mut patience = Patience::new(Duration::from_secs(10));
    loop {
        let left = processes_with(mark);
        if left.is_empty() {
            return;
        }
        assert!(patience.waits(), "{what}: left are {left:?}");
    }
}

#[test]
fn daemons_and_pipe_holders_end_with_their_bot() {
    let attack = program("attack").display().to_string();
    for who in ArenaUser::everybody() {
        for level in who.levels() {
            for kind in ["daemon", "pipe-holder"] {
                let field = AttackTargets::new();
                let mark = format!("mark-{kind}-{level}-{who:?}-{}", std::process::id());
                let begun = Instant::now();
                let output = who.in_sandbox(level, &field.path("own"), &[&attack, kind, &mark]);
                let said = String::from_utf8_lossy(&output.stdout);
                assert!(said.contains("succeeded"), "{kind} at {level}: {said}");
                all_gone(&mark, &format!("{who:?}, {kind} at {level}"));
                // What is left over would sleep for ten.
                assert!(begun.elapsed() < Duration::from_mins(5), "{kind} at {level}: {:?}", begun.elapsed());
            }
        }
    }
}

#[test]
fn process_never_survives_a_killed_arena() {
    for who in ArenaUser::everybody() {
        for level in who.levels() {
            let field = AttackTargets::new();
            let mark = format!("mark-killed-{level}-{who:?}-{}", std::process::id());
            let bot = format!("{} linger-silently {mark}", program("attack").display());
            let mut arena = who.command(&program("leyden"));
            arena.args([
                "match",
                "--sandbox",
                level.name(),
                "--startup",
                "1m",
                "--results",
                &field.text("r.db"),
            ]);
            arena.args([&bot, "builtin:random"]).current_dir(field.path("home"));
            let mut arena =
                arena.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the arena starts");
            let mut patience = Patience::new(Duration::from_mins(10));
            // The arena's own command line contains it within a word.
            let is_up =
                || processes_with("linger-silently").iter().any(|path| processes_with(&mark).contains(path));
            while !is_up() {
                assert!(patience.waits(), "the bot does not start at {level}");
            }
            sleep(Duration::from_millis(50));
            arena.kill().expect("it can be killed");
            arena.wait().expect("it can be waited for");
            all_gone(&mark, &format!("{who:?}, {level}"));
        }
    }
}

#[test]
fn thousand_starts_leave_nothing_behind() {
    let attack = program("attack").display().to_string();
    let mut without = None;
    for level in ArenaUser::Us.levels().into_iter().rev() {
        let count =
            if level == SandboxLevel::None || level == SandboxLevel::Restrict { "200" } else { "1000" };
        let field = AttackTargets::new();
        let mark = format!("mark-starts-{level}-{}", std::process::id());
        let output =
            ArenaUser::Us.in_sandbox(level, &field.path("own"), &["starts", count, &attack, "linger", &mark]);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        eprintln!("{level}: {said}");
        let numbers: Vec<u64> = said.split([' ', ',']).filter_map(|word| word.parse().ok()).collect();
        let [micros, descriptors, children] = numbers[..] else { panic!("{level}: {output:?}") };
        assert_eq!(descriptors, 0, "{level}: {said}");
        assert_eq!(children, 0, "{level}: {said}");
        all_gone(&mark, level.name());
        let without = *without.get_or_insert(micros);
        eprintln!("{level}: {:.1} times the start without a sandbox", micros as f64 / without as f64);
    }
}

/// Leaves a daemon, and says what a program sees that is started by a supervisor: its folder, its environment and its descriptors (3 is
/// the list of them).
const SEES: &str = "sh -c 'sleep 600; :' MARK <&- >&- 2>&- & echo in $PWD with; env | cut -d= -f1 | sort; exec ls /proc/self/fd";

#[test]
fn supervisor_passes_nothing_on_to_the_next_bot() {
    for who in ArenaUser::everybody() {
        for level in who.levels() {
            let field = AttackTargets::new();
            let mark = format!("mark-succession-{level}-{who:?}-{}", std::process::id());
            let script = SEES.replace("MARK", &mark);
            let output = who.in_sandbox(level, &field.path("own"), &["succession", "/bin/sh", "-c", &script]);
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            let lines: Vec<&str> = said.lines().collect();
            let [first, second, after_kill, after_stop, left] = lines[..] else {
                panic!("{level}: {output:?}")
            };
            let sees = first.strip_prefix("false ").expect("the first has its own supervisor");
            assert!(sees.starts_with(&format!("in {} with ", field.text("own"))), "{level}: {sees}");
            assert!(sees.ends_with(" 0 1 2 3 "), "{level}: {sees}");
            assert_eq!(second, format!("true {sees}"), "{level}: as the first");
            assert_eq!(after_kill, format!("false {sees}"), "{level}: a killed supervisor is replaced");
            assert_eq!(after_stop, format!("true {sees}"), "{level}: a stopped supervisor is continued");
            assert_eq!(left, "0 children", "{level}");
            all_gone(&mark, level.name());
        }
    }
}
