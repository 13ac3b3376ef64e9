//! Bots that cannot be started, and an arena that panics, with real processes: shells behind a supervisor that is a shell too.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use leyden_host::Launcher;
use leyden_model::event::{MatchVoid, RunEnd};
use leyden_model::{MatchRecord, RunEvent};
use leyden_protocol::{FaultCode, PerSeat, Seats};
use tempfile::TempDir;

use super::*;
use crate::record::store::{Results, StoredPlan, Writer};
use crate::record::{Recorder, sample};
use crate::roster;
use crate::run::{Flow, JOBS_PER_SLOT, Plan, Run, RunError, SAME_PANIC, START_FAILURES, Threads};
use leyden_format::DoneMatches;

/// Makes something happen in a match once everyone is seated.
#[derive(Clone, Copy)]
struct Tripped(fn(&MatchSpec));

impl PlayMatch for Tripped {
    async fn play(
        &self,
        spec: &MatchSpec,
        players: &mut [SeatedPlayer<'_>],
        listener: Listener<'_>,
    ) -> io::Result<MatchOutcome> {
        (self.0)(spec);
        leyden_referee::play_match(spec, players, listener).await
    }
}

/// Runs a program like the real supervisor, in what these tests need: it reports that the program runs, which the arena waits for, and
/// the program ends with its input. Bash writes to descriptors above nine, too.
const SUPERVISOR: &str = r#"#!/usr/bin/env bash
echo "group $$" >&"$2"
while [ "$1" != -- ]; do shift; done
shift
exec "$@"
"#;

/// Plays the first legal action.
const BOT: &str = r#"#!/bin/sh
while read -r line; do
    case $line in
    '{"type":"hello"'*) echo '{"type":"ready","protocol":"1.0","name":"first"}' ;;
    '{"type":"turn"'*)
        id=${line#*\"id\":}
        action=${line#*\"legal\":[\"}
        echo '{"type":"action","id":'"${id%%,*}"',"action":"'"${action%%\"*}"'"}' ;;
    esac
done
"#;

/// Bots in a folder, and the results of their tournament.
struct Fixture {
    folder: TempDir,
    plan: Plan,
}

impl Fixture {
    /// Bots with these programs, `blocks` blocks, two workers.
    fn new(seed: &str, programs: &[&str], seats: usize, blocks: u32) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let script = |name: &str, text: &str| -> PathBuf {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            path
        };
        let supervisor = script("supervisor", SUPERVISOR);
        let typed: Vec<String> = programs
            .iter()
            .enumerate()
            .map(|(i, text)| script(&format!("bot{i}"), text).display().to_string())
            .collect();
        let bots = roster::find(&typed, Path::new("/nonexistent")).unwrap().bots;
        let mut settings = sample::stored_plan(bots.len(), blocks).settings;
        if seats > 2 {
            settings.rules = leyden_protocol::RulesName::Matador;
        }
        settings.seats = Seats::new(seats).unwrap();
        settings.target = 20;
        settings.limits.turn_ms = 100_000;
        settings.limits.startup_ms = 100_000;
        let plan = Plan::new(settings, seed, bots, Launcher::new(supervisor)).unwrap();
        Self { folder, plan: Plan { blocks, jobs: 2, ..plan } }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("r.db")
    }

    /// Plays what is not in the results file, and stores it like a run.
    fn play(&self, trip: fn(&MatchSpec)) -> (Vec<RunEvent>, Result<RunEnd, RunError>) {
        let stored_plan = StoredPlan::from_plan(&self.plan);
        let schedule = self.plan.schedule().unwrap();
        let (writer, done) = if self.file().exists() {
            Writer::resume(&self.file(), &stored_plan).unwrap()
        } else {
            (Writer::create(&self.file(), &stored_plan).unwrap(), DoneMatches::none(&schedule))
        };
        let mut recorder = Recorder::new(writer);
        let mut all = Vec::new();
        let mut note = |event: &RunEvent| {
            all.push(event.clone());
            Ok(Flow::GoOn)
        };
        let mut run = Run::resumed(&self.plan, schedule, done);
        run.follow(&mut recorder);
        run.follow(&mut note);
        let Plan { bots, players, launcher, jobs, .. } = &self.plan;
        let outcome = run.play_on(|reports| {
            Ok(Threads::playing(&Tripped(trip), bots, players, launcher, *jobs, 1, &reports).unwrap())
        });
        recorder.finish().unwrap();
        (all, outcome)
    }

    fn records(&self) -> Vec<MatchRecord> {
        let results = Results::open(&self.file()).unwrap();
        results.records().map(|stored| stored.unwrap().1).collect()
    }
}

/// Nothing unusual.
fn nothing(_: &MatchSpec) {}

/// How a match ended, without the message of a fault.
fn ending(record: &MatchRecord) -> (Option<Seat>, Option<(Seat, FaultCode)>) {
    (record.winner, record.fault.as_ref().map(|fault| (fault.seat, fault.code)))
}

#[test]
fn host_failure_counts_against_no_bot() {
    let mut fixture = Fixture::new("host", &[BOT, BOT], 2, 4);
    // The arena's own program is gone, so every start fails.
    fixture.plan.launcher = Launcher::new(fixture.folder.path().join("gone"));
    let (_, outcome) = fixture.play(nothing);
    assert!(matches!(outcome, Err(RunError::Host { .. })), "{outcome:?}");
    assert_eq!(fixture.records().len(), 0);
    // Once it is back, everything is played.
    fixture.plan.launcher = Launcher::new(fixture.folder.path().join("supervisor"));
    let (_, outcome) = fixture.play(nothing);
    assert_eq!((outcome.unwrap().played, fixture.records().len()), (8, 8));
    assert!(fixture.records().iter().all(|record| record.fault.is_none()));
}

#[test]
fn unusable_folder_or_command_is_the_bots_fault() {
    let mut fixture = Fixture::new("folder", &[BOT, BOT, BOT], 2, 1);
    fixture.plan.bots[0].command.folder = Some(fixture.folder.path().join("gone"));
    fixture.plan.bots[1].command.arguments = vec!["x".repeat(3 << 20).into()];
    let (_, outcome) = fixture.play(nothing);
    assert_eq!(outcome.unwrap().played, 6);
    for record in fixture.records() {
        let (_, fault) = ending(&record);
        let (seat, code) = fault.expect("two of three cannot play");
        assert_eq!(code, FaultCode::Spawn);
        assert_ne!(record.bots[seat], "bot2", "{record:?}");
    }
}

/// Never sends ready, and counts how often it was started.
const DEAD: &str = "#!/bin/sh\necho started >> \"$0.starts\"\necho oops >&2\nexit 1\n";

#[test]
fn unstartable_bot_is_disabled_and_loses_its_matches() {
    let fixture = Fixture::new("disabled", &[DEAD, BOT, BOT], 2, 8);
    let (all, outcome) = fixture.play(nothing);
    assert_eq!(outcome.unwrap().disabled, ["bot0"]);
    let disabled: Vec<_> = all
        .iter()
        .filter_map(|event| match event {
            RunEvent::Disabled(disabled) => Some((&*disabled.bot, disabled.code)),
            _ => None,
        })
        .collect();
    assert_eq!(disabled, [("bot0", FaultCode::Handshake)]);
    let records = fixture.records();
    assert_eq!(records.len() as u64, fixture.plan.schedule().unwrap().matches());
    for record in &records {
        let seat = record.bots.iter().find(|(_, name)| *name == "bot0").map(|(seat, _)| seat);
        let winner = seat.map(|seat| Seats::TWO.after(seat));
        match seat {
            Some(seat) => assert_eq!(ending(record), (winner, Some((seat, FaultCode::Handshake)))),
            None => assert!(record.fault.is_none()),
        }
    }
    let started = fs::read_to_string(fixture.folder.path().join("bot0.starts")).unwrap().lines().count();
    // Jobs in progress when this became known may have been started.
    let most = START_FAILURES as usize + 2 * JOBS_PER_SLOT - 1;
    assert!((START_FAILURES as usize..=most).contains(&started), "{started}");
    let said = |record: &&MatchRecord| {
        record.fault.as_ref().is_some_and(|fault| {
            fault.message().starts_with("no longer started after 3 start failures in a row: expected")
                && fault.message().contains("| oops")
        })
    };
    assert_eq!(records.iter().filter(said).count(), 32 - started);
}

/// Fails to start two times out of three.
const LIMPING: &str = "#!/bin/sh\necho started >> \"$0.starts\"\n\
    [ $(($(wc -l < \"$0.starts\") % 3)) -eq 0 ] || exit 1\n. ${0%/*}/bot1\n";

#[test]
fn start_that_succeeds_begins_the_count_anew() {
    let mut fixture = Fixture::new("limping", &[LIMPING, BOT], 2, 10);
    fixture.plan.jobs = 1;
    fixture.plan.settings.fresh = true;
    let (all, outcome) = fixture.play(nothing);
    assert_eq!(outcome.unwrap().disabled, [""; 0]);
    assert_eq!(played(&all), 20);
    let lost = fixture.records().iter().filter(|record| record.fault.is_some()).count();
    // A start that a busy machine delays is tried again, and then one more of the 20 succeeds.
    assert!((13..=14).contains(&lost), "{lost} of 20 starts");
}

#[test]
fn disabled_bot_gives_no_winner_at_larger_tables() {
    let fixture = Fixture::new("three", &[BOT, DEAD, BOT], 3, 3);
    fixture.play(nothing).1.unwrap();
    let records = fixture.records();
    assert_eq!(records.len(), 9);
    for record in &records {
        let (winner, fault) = ending(record);
        assert_eq!((winner, fault.map(|(_, code)| code)), (None, Some(FaultCode::Handshake)));
    }
    assert!(records.iter().any(|record| record.fault.as_ref().unwrap().message().starts_with("no longer")));
}

fn played(all: &[RunEvent]) -> usize {
    all.iter().filter(|event| matches!(event, RunEvent::Match { .. })).count()
}

/// Void matches, by rank.
fn voids(all: &[RunEvent]) -> BTreeMap<u64, &MatchVoid> {
    all.iter()
        .filter_map(|event| match event {
            RunEvent::Void(void) => Some((void.rank, void)),
            _ => None,
        })
        .collect()
}

#[test]
fn panic_voids_its_pair_which_resuming_plays_again() {
    let fixture = Fixture::new("panic", &[BOT, BOT, BOT], 2, 2);
    let (all, outcome) = fixture.play(|spec| {
        assert!(
            spec.header.block != 1 || spec.header.leg != 1 || spec.header.bots[Seat::FIRST] != "bot1",
            "the roof is on fire"
        );
    });
    let end = outcome.unwrap();
    assert_eq!(
        (end.played, end.voided, end.interrupted, end.seed),
        (10, 2, false, None),
        "the other leg is void, too"
    );
    // Leg 1 of bots 0 and 1 in block 1: rank 7.
    let voids = voids(&all);
    assert_eq!(voids.keys().collect::<Vec<_>>(), [&7]);
    let void = voids[&7];
    assert!(!void.with_its_pair && void.reason.contains("panicked at ") && void.reason.contains("tests.rs:"));
    assert!(void.reason.contains(": the roof is on fire\n  leyden "), "{}", void.reason);
    let circumstances = void.defect.join("\n");
    let commitment = fixture.plan.tournament_seed().commitment();
    for line in ["rules leyden to 20", &commitment, "seat 0: bot1", "seat 1: bot0", "/bot0"] {
        assert!(circumstances.contains(line), "{line}: {circumstances}");
    }
    let left: Vec<_> = fixture.records().iter().map(|record| (record.block, record.leg)).collect();
    assert_eq!(left.len(), 10, "{left:?}");
    assert!(fixture.records().iter().all(|record| record.fault.is_none()));
    let results = Results::open(&fixture.file()).unwrap();
    assert_eq!(results.voided().unwrap().iter().map(|void| void.key.block).max(), Some(1));
    let planned = results.schedule().unwrap().matches();
    assert_eq!((results.count().unwrap(), planned), (end.played, end.played + end.voided));
    drop(results);

    let (again, outcome) = fixture.play(nothing);
    assert_eq!(outcome.unwrap().seed.as_deref(), Some("panic"));
    assert_eq!(played(&again), 2);
    assert_eq!(fixture.records().len(), 12);
    let whole = Fixture::new("panic", &[BOT, BOT, BOT], 2, 2);
    whole.play(nothing).1.unwrap();
    assert_eq!(timeless(whole.records()), timeless(fixture.records()));
}

fn timeless(mut records: Vec<MatchRecord>) -> Vec<MatchRecord> {
    for record in &mut records {
        record.think_us = PerSeat::default_for(Seats::TWO);
        record.host = None;
    }
    records
}

#[test]
fn repeated_panic_ends_the_tournament() {
    let fixture = Fixture::new("again", &[BOT, BOT], 2, 40);
    let (all, outcome) = fixture.play(|spec| assert!(spec.header.leg == 1, "always"));
    let message = outcome.unwrap_err().to_string();
    assert!(message.contains("occurred more than 5 times") && message.contains("always"), "{message}");
    let defects = voids(&all).values().filter(|void| !void.defect.is_empty()).count();
    assert_eq!(defects, SAME_PANIC as usize);
    assert!(fixture.records().iter().all(|record| record.fault.is_none()));
}

#[test]
fn records_agree_for_one_and_two_workers() {
    let two = Fixture::new("same", &[BOT, DEAD, BOT], 2, 3);
    let mut one = Fixture::new("same", &[BOT, DEAD, BOT], 2, 3);
    one.plan.jobs = 1;
    let said_nothing = |mut records: Vec<MatchRecord>| {
        for record in &mut records {
            // Whether it was disabled by then, or was started once more, depends on timing.
            if let Some(fault) = &mut record.fault {
                fault.details = <_>::default();
                record.stderr = None;
            }
        }
        timeless(records)
    };
    one.play(nothing).1.unwrap();
    two.play(nothing).1.unwrap();
    assert_eq!(said_nothing(one.records()), said_nothing(two.records()));
}

#[test]
fn idle_processes_respect_count_and_memory_limits() {
    let of = |kept: &[u64], most| surplus(kept.iter().copied(), most);
    assert_eq!(of(&[], 10), 0);
    assert_eq!(of(&[1; PARKED], 1_000), 0);
    assert_eq!(of(&[1; PARKED + 3], 1_000), 3);
    assert_eq!(of(&[9, 1, 2, 3], 10), 1, "the longest idle goes first");
    assert_eq!(of(&[1, 2, 11], 10), 3, "one that is too large by itself is not kept");
}
