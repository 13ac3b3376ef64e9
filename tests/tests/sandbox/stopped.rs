//! A bot that is stopped stands still, whatever it has arranged before; and memory that no limit counts is seen.

use leyden_host::sandbox::Level;
use leyden_tests::program;

use crate::field::{Field, Who};

/// What came of stopping a bot that has itself continued whenever it is stopped.
#[derive(Debug)]
struct Stopped {
    /// Whether it got its timer.
    armed: bool,
    /// Whether no more than a signal stops it.
    by_signal: bool,
    /// What it used in a third of a second, in microseconds.
    while_stopped: u64,
    afterwards: u64,
}

fn stop(who: Who, level: Level) -> Stopped {
    let field = Field::new();
    let attack = program("attack").display().to_string();
    let output = who.in_sandbox(level, &field.path("own"), &["stopped", &attack, "continue-itself"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let words: Vec<&str> = said.split_whitespace().collect();
    let [armed, by_signal, while_stopped, afterwards] = words[..] else { panic!("{level}: {output:?}") };
    let number = |word: &str| word.parse().expect("a number");
    Stopped {
        armed: armed == "armed",
        by_signal: by_signal == "true",
        while_stopped: number(while_stopped),
        afterwards: number(afterwards),
    }
}

#[test]
fn a_stopped_bot_stands_still_unless_nothing_but_a_signal_stops_it_and_no_filter_keeps_it_from_going_on() {
    for who in Who::everybody() {
        for level in who.levels() {
            let stopped = stop(who, level);
            eprintln!("{who:?} at {level}: {stopped:?}");
            assert_eq!(stopped.armed, level == Level::None, "{who:?} at {level}: {stopped:?}");
            // It goes on when it may, on a machine that may have much else to do.
            assert!(stopped.afterwards > 0, "{who:?} at {level}: {stopped:?}");
            let runs = stopped.armed && stopped.by_signal;
            if runs {
                // The control: this is how it would rob others, and what the fault `ran` is for.
                assert!(stopped.while_stopped > 0, "{who:?} at {level}: {stopped:?}");
            } else {
                assert_eq!(stopped.while_stopped, 0, "{who:?} at {level}: {stopped:?}");
            }
        }
    }
}

#[test]
fn memory_that_no_limit_of_a_process_counts_is_seen_from_restrict_on() {
    let attack = program("attack").display().to_string();
    for who in Who::everybody() {
        for level in who.levels() {
            let field = Field::new();
            let output = who.in_sandbox(level, &field.path("own"), &["watched", &attack, "hide-memory"]);
            let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
            eprintln!("{who:?} at {level}: {said}");
            match level {
                Level::None => assert_eq!(said, "holding false", "{who:?}: {output:?}"),
                Level::Restrict | Level::Jail => assert_eq!(said, "holding true", "{who:?} at {level}"),
                Level::Full => assert!(!said.starts_with("holding"), "{who:?}: {said}"),
            }
        }
    }
}
