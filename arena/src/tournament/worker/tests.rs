//! Bots that cannot be started, and an arena that panics, with real processes: shells behind a supervisor that is a shell too.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use leyden_host::Launcher;
use leyden_protocol::{FaultCode, PerSeat, Seats};
use tempfile::TempDir;

use super::*;
use crate::record::sample;
use crate::record::store::{Results, Setup, Writer};
use crate::roster;
use crate::tournament::{Halt, OnStart, SAME_PANIC, START_FAILURES};
use leyden_model::MatchRecord;

/// Runs a program as the real supervisor does, as far as these tests need it: the program ends with its input.
const SUPERVISOR: &str = "#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done\nshift\nexec \"$@\"\n";

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
struct Place {
    folder: TempDir,
    setup: Setup,
    tournament: Tournament,
}

impl Place {
    /// Bots of these programs, `blocks` blocks, two workers.
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
        let bots = roster::find(&typed, Path::new("/nonexistent")).unwrap();
        let mut setup = sample::setup(bots.len(), blocks);
        if seats > 2 {
            setup.settings.rules = leyden_protocol::RulesName::Matador;
        }
        setup.settings.seats = Seats::new(seats).unwrap();
        setup.settings.target = 20;
        setup.settings.limits.turn_ms = 100_000;
        setup.settings.limits.startup_ms = 100_000;
        seed.clone_into(&mut setup.seed);
        setup.bots = bots.iter().map(roster::Competitor::entry).collect();
        let tournament = Tournament {
            rules: setup.settings.rules().unwrap(),
            seed: setup.tournament_seed(),
            settings: setup.settings.clone(),
            bots,
            schedule: setup.schedule().unwrap(),
            jobs: 2,
            cores_per_match: 1,
            launcher: Launcher::new(supervisor),
        };
        Self { folder, setup, tournament }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("r.db")
    }

    /// Plays what is not in the results file, and stores it as a run does.
    fn play(&self) -> (Vec<Ended>, Result<(), Defect>) {
        self.play_observed(&|_| {})
    }

    /// The same; `on_start` may panic when everybody is seated.
    fn play_observed(&self, on_start: &OnStart<'_>) -> (Vec<Ended>, Result<(), Defect>) {
        let (writer, done) = if self.file().exists() {
            Writer::resume(&self.file(), &self.setup).unwrap()
        } else {
            let writer = Writer::create(&self.file(), &self.setup).unwrap();
            (writer, crate::record::store::Done::none(&self.tournament.schedule))
        };
        let mut all = Vec::new();
        let outcome =
            self.tournament.play_observed(&|rank| done.contains(rank), &Halt::default(), on_start, |ended| {
                match &ended {
                    Ended::Played(played) => writer.add(&played.fixture, played.record.clone()).unwrap(),
                    Ended::Voided(void) => {
                        writer.void(&void.fixture, &void.why.to_string(), void.played.clone()).unwrap();
                    }
                    Ended::Withdrawn(_) => {}
                }
                all.push(ended);
            });
        writer.finish().unwrap();
        (all, outcome)
    }

    fn records(&self) -> Vec<MatchRecord> {
        let results = Results::open(&self.file()).unwrap();
        results.records().map(|stored| stored.unwrap().1).collect()
    }
}

/// How a match ended, without a word of what a fault said.
fn ending(record: &MatchRecord) -> (Option<Seat>, Option<(Seat, FaultCode)>) {
    (record.winner, record.fault.as_ref().map(|fault| (fault.seat, fault.code)))
}

/// Never says ready, and counts how often it was started.
const DEAD: &str = "#!/bin/sh\necho started >> \"$0.starts\"\necho oops >&2\nexit 1\n";

#[test]
fn a_bot_that_cannot_be_started_is_withdrawn_and_its_matches_are_lost() {
    let place = Place::new("withdrawal", &[DEAD, BOT, BOT], 2, 8);
    let (all, outcome) = place.play();
    outcome.unwrap();
    let withdrawn: Vec<_> = all
        .iter()
        .filter_map(|ended| match ended {
            Ended::Withdrawn(withdrawal) => Some((withdrawal.bot, withdrawal.code)),
            _ => None,
        })
        .collect();
    assert_eq!(withdrawn, [(BotIndex(0), FaultCode::Handshake)]);
    let records = place.records();
    assert_eq!(records.len() as u64, place.tournament.schedule.matches());
    for record in &records {
        let seat = record.bots.iter().find(|(_, name)| *name == "bot0").map(|(seat, _)| seat);
        let winner = seat.map(|seat| Seats::TWO.after(seat));
        match seat {
            Some(seat) => assert_eq!(ending(record), (winner, Some((seat, FaultCode::Handshake)))),
            None => assert!(record.fault.is_none()),
        }
    }
    let started = fs::read_to_string(place.folder.path().join("bot0.starts")).unwrap().lines().count();
    // The other worker may have been starting it at that moment.
    assert!((START_FAILURES as usize..=START_FAILURES as usize + 1).contains(&started), "{started}");
    let said = |record: &&MatchRecord| {
        record.fault.as_ref().is_some_and(|fault| {
            fault.message.starts_with("withdrawn after 3 start failures in a row: expected")
                && fault.message.contains("| oops")
        })
    };
    assert_eq!(records.iter().filter(said).count(), 32 - started);
}

/// Fails to start two times of three.
const LIMPING: &str = "#!/bin/sh\necho started >> \"$0.starts\"\n\
    [ $(($(wc -l < \"$0.starts\") % 3)) -eq 0 ] || exit 1\n. ${0%/*}/bot1\n";

#[test]
fn a_start_that_succeeds_begins_the_count_anew() {
    let mut place = Place::new("limping", &[LIMPING, BOT], 2, 10);
    place.tournament.jobs = 1;
    place.tournament.settings.fresh = true;
    let (all, outcome) = place.play();
    outcome.unwrap();
    assert!(all.iter().all(|ended| matches!(ended, Ended::Played(_))));
    let lost = place.records().iter().filter(|record| record.fault.is_some()).count();
    assert_eq!(lost, 14, "of 20 starts");
}

#[test]
fn at_a_larger_table_nobody_wins_by_a_withdrawal() {
    let place = Place::new("three", &[BOT, DEAD, BOT], 3, 3);
    let (_, outcome) = place.play();
    outcome.unwrap();
    let records = place.records();
    assert_eq!(records.len(), 9);
    for record in &records {
        let (winner, fault) = ending(record);
        assert_eq!((winner, fault.map(|(_, code)| code)), (None, Some(FaultCode::Handshake)));
    }
    assert!(records.iter().any(|record| record.fault.as_ref().unwrap().message.starts_with("withdrawn")));
}

/// The reasons of void matches, by rank.
fn voids(all: &[Ended]) -> BTreeMap<u64, &Void> {
    all.iter()
        .filter_map(|ended| match ended {
            Ended::Voided(void) => Some((void.rank, &void.why)),
            _ => None,
        })
        .collect()
}

#[test]
fn a_panic_voids_its_pair_and_a_resumed_run_plays_it_again() {
    let place = Place::new("panic", &[BOT, BOT, BOT], 2, 2);
    let (all, outcome) = place.play_observed(&|setting| {
        assert!(
            setting.header.block != 1
                || setting.header.leg != 1
                || setting.header.bots[Seat::FIRST] != "bot1",
            "the roof is on fire"
        );
    });
    outcome.unwrap();
    // Leg 1 of bots 0 and 1 in block 1: rank 7. Leg 0 is rank 6: void with it whenever it ended.
    let voids = voids(&all);
    let Some(Void::Defect(defect)) = voids.get(&7) else { panic!("{voids:?}") };
    assert_eq!((defect.block, defect.leg, &*defect.panic.text), (1, 1, "the roof is on fire"));
    assert!(defect.panic.location.contains("tests.rs:"), "{defect}");
    let circumstances = defect.circumstances().join("\n");
    for told in ["rules leyden to 20", &defect.commitment, "seat 0: bot1", "seat 1: bot0", "/bot0"] {
        assert!(circumstances.contains(told), "{told}: {circumstances}");
    }
    for other in voids.iter().filter(|(rank, _)| **rank != 7) {
        assert!(matches!(other, (6, Void::Pair { leg: 1 })), "{other:?}");
    }
    let left: Vec<_> = place.records().iter().map(|record| (record.block, record.leg)).collect();
    assert_eq!(left.len(), 10, "{left:?}");
    assert!(place.records().iter().all(|record| record.fault.is_none()));
    let results = Results::open(&place.file()).unwrap();
    assert_eq!(results.voided().unwrap().iter().map(|void| void.key.block).max(), Some(1));
    drop(results);

    let (again, outcome) = place.play();
    outcome.unwrap();
    assert!(again.len() == 2 && voids_none(&again), "{again:?}");
    assert_eq!(place.records().len(), 12);
    let whole = Place::new("panic", &[BOT, BOT, BOT], 2, 2);
    whole.play().1.unwrap();
    assert_eq!(timeless(whole.records()), timeless(place.records()));
}

fn voids_none(all: &[Ended]) -> bool {
    all.iter().all(|ended| matches!(ended, Ended::Played(_)))
}

fn timeless(mut records: Vec<MatchRecord>) -> Vec<MatchRecord> {
    for record in &mut records {
        record.think_us = PerSeat::default_for(Seats::TWO);
        record.host = None;
    }
    records
}

#[test]
fn what_panics_again_and_again_ends_the_tournament() {
    let place = Place::new("again", &[BOT, BOT], 2, 40);
    let (all, outcome) = place.play_observed(&|setting| assert!(setting.header.leg == 1, "always"));
    let message = outcome.unwrap_err().to_string();
    assert!(message.contains("came back more than 5 times") && message.contains("always"), "{message}");
    let defects = voids(&all).values().filter(|why| matches!(why, Void::Defect(_))).count();
    // The other worker may have panicked at the same time.
    assert!((SAME_PANIC as usize..=SAME_PANIC as usize + 1).contains(&defects), "{defects}");
    assert!(place.records().iter().all(|record| record.fault.is_none()));
}

#[test]
fn a_match_that_ends_after_its_pair_is_void_is_void_as_well() {
    let place = Place::new("settled", &[BOT, BOT], 2, 1);
    let done = |_| false;
    let halt = Halt::default();
    let common = Hall::new(&place.tournament, &done, &halt, &|_| {});
    let [first, second] = [0, 1].map(|rank| place.tournament.schedule.nth(rank).unwrap());
    let why = Void::HostOverloaded(Overload {
        seat: None,
        what: "an answer".to_owned(),
        allowance: std::time::Duration::from_secs(1),
        late: std::time::Duration::from_secs(1),
    });
    let void = Ended::Voided(Box::new(Voided { rank: 1, fixture: second, why, played: None }));
    assert!(matches!(common.settle(void), Ended::Voided(_)));
    let record = sample::matches(&place.setup).next().unwrap().1;
    let settled = common.settle(Ended::Played(Box::new(Played { rank: 0, fixture: first, record })));
    let Ended::Voided(void) = settled else { panic!("{settled:?}") };
    assert!(matches!(void.why, Void::Pair { leg: 1 }) && void.played.is_some());
    assert!(common.void_with_its_pair(&first).is_some());
}
