//! A format that looks at results, from the first match to standings, pages and verification: played, stopped, resumed.

use std::path::Path;

use leyden_host::Launcher;
use leyden_model::event::RunEnd;
use leyden_model::job::{Job, JobReport, LegOutcome};
use leyden_model::{BotIndex, MatchRecord, PairKey, RunEvent};
use leyden_stats::{Entrant, PairingTally};
use tempfile::TempDir;

use super::*;
use crate::format::Format;
use crate::record::sample;
use crate::record::store::{NotWithdrawn, Results};
use crate::record::verify::Verifier;
use crate::report::{BotOrder, Compared, Exported, Faults, Standings, TournamentTally};
use crate::roster;
use crate::run::{Executor, Flow, InProcess, Reports};

/// Blocks of each phase: more than the two jobs that a run with one slot has under way.
const BLOCKS: u32 = 3;

/// Plays each job at once, without bots.
struct Scripted(Reports);

impl Executor for Scripted {
    fn slots(&self) -> usize {
        1
    }

    fn start(&mut self, job: Job) {
        for &leg in &job.legs {
            let started = job.settings.seats.iter().collect();
            let outcome = LegOutcome::Played { record: Box::new(scripted(&job, leg)) };
            self.0.send(JobReport::Leg { job: job.number, leg, started, outcome });
        }
        self.0.send(JobReport::Done { job: job.number });
    }

    fn stop(&mut self) {}

    fn finish(&mut self) {}
}

/// Bot 1 climbs the ladder: it loses only the last pair against bot 2, which would be ahead if only that pair counted.
fn loser(pair: PairKey) -> Option<BotIndex> {
    match (pair.phase, pair.block) {
        (0, _) => Some(BotIndex(0)),
        (1, 2) | (2, _) => Some(BotIndex(1)),
        (1, _) => Some(BotIndex(2)),
        _ => None,
    }
}

/// A match that the loser loses by a fault; without a loser, one that is played to its end.
fn scripted(job: &Job, leg: u32) -> MatchRecord {
    let blank = job.header(leg).record();
    let Some(loser) = loser(job.pair) else { return sample::play(blank, None) };
    let place = job.pair.table.bots().iter().position(|bot| *bot == loser).unwrap();
    let name = &job.bots[place].name;
    let faulted = (0..100).map(|decision| sample::play(blank.clone(), Some(decision)));
    let is_lost =
        |record: &MatchRecord| record.fault.as_ref().is_some_and(|it| record.bots[it.seat] == *name);
    faulted.into_iter().find(is_lost).unwrap()
}

/// Four bots on a ladder, whose first two meet again at the end.
fn plan() -> Plan {
    let typed = vec!["builtin:random".to_owned(); 4];
    let mut settings = sample::stored_plan(4, BLOCKS).settings;
    (settings.target, settings.strikes) = (20, 99);
    Plan {
        left_out: Vec::new(),
        rules: settings.rules().unwrap(),
        settings,
        seed: "a ladder".to_owned(),
        bots: roster::find(&typed, Path::new("/leyden")).unwrap().bots,
        format: Format::LadderWithRematch,
        blocks: BLOCKS,
        gate: None,
        jobs: 1,
        cores_per_match: 1,
        launcher: Launcher::new("/leyden".into()),
        players: InProcess::default(),
    }
}

/// A ladder and its results file.
struct Ladder {
    plan: Plan,
    folder: TempDir,
}

impl Ladder {
    fn new() -> Self {
        Self { plan: plan(), folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("ladder.db")
    }

    fn open(&self) -> Tournament {
        let (plan, stored_plan) = (self.plan.clone(), StoredPlan::of(&self.plan));
        if self.path().exists() {
            let stored = Resumable::open(&self.path()).unwrap();
            return Tournament::resumed(plan, stored_plan, stored, Halt::default()).unwrap();
        }
        let file = ResultsFile::New(self.path());
        Tournament::created(plan, stored_plan, &file, Halt::default()).unwrap()
    }

    /// Plays until that many matches were heard of, and those under way have ended.
    fn play(&self, stop_after: usize) -> RunEnd {
        let mut tournament = self.open();
        let mut heard = 0;
        let mut stop = |event: &RunEvent| {
            heard += usize::from(matches!(event, RunEvent::Match { .. }));
            Ok(if heard >= stop_after { Flow::Stop } else { Flow::GoOn })
        };
        let mut run = tournament.run();
        run.follow(&mut stop);
        let end = run.play_on(|reports| Ok(Scripted(reports))).unwrap();
        tournament.close().unwrap();
        end
    }

    fn results(&self) -> Results {
        Results::open(&self.path()).unwrap()
    }

    fn records(&self) -> Vec<MatchRecord> {
        self.results().records().map(|stored| stored.unwrap().1).collect()
    }

    fn standings(&self) -> Standings {
        Standings::of(&TournamentTally::of(&self.results(), BotOrder::ByName).unwrap(), true).unwrap()
    }

    /// The number of missing matches, all others being right.
    fn missing(&self) -> u64 {
        let results = self.results();
        let mut verifier = Verifier::of(results.stored_plan(), results.schedule().unwrap());
        for record in self.records() {
            verifier.check(&record).unwrap();
        }
        assert_eq!(results.audit().unwrap(), None);
        verifier.missing()
    }

    /// For each phase, the bots that met in it and its blocks.
    fn phases(&self) -> Vec<([u32; 2], Vec<u32>)> {
        let mut all: Vec<([u32; 2], Vec<u32>)> = Vec::new();
        for stored in self.results().records() {
            let (key, _) = stored.unwrap();
            all.resize(key.phase as usize + 1, <_>::default());
            let phase = &mut all[key.phase as usize];
            let [one, other] = key.table.bots() else { panic!("two seats") };
            phase.0 = [one.0, other.0];
            if !phase.1.contains(&key.block) {
                phase.1.push(key.block);
            }
        }
        all
    }

    fn execute(&self, statement: &str) {
        rusqlite::Connection::open(self.path()).unwrap().execute_batch(statement).unwrap();
    }
}

#[test]
fn a_ladder_that_was_stopped_is_resumed_as_if_it_had_not_been() {
    let whole = Ladder::new();
    let end = whole.play(usize::MAX);
    assert!(end.played == 24 && end.seed.is_some(), "{end:?}");
    let (low, high) = (vec![0, 1, 2], vec![3, 4, 5]);
    let expected = [([0, 1], low.clone()), ([1, 2], low.clone()), ([1, 3], low), ([0, 1], high)];
    assert_eq!(whole.phases(), expected);

    let ladder = Ladder::new();
    // In phase 1: the first legs of two of its three pairs.
    let end = ladder.play(7);
    assert!(end.played == 8 && end.seed.is_none(), "{end:?}");
    let phases = ladder.phases();
    assert_eq!(phases[0], ([0, 1], vec![0, 1, 2]));
    assert_eq!((phases[1].0, phases[1].1.len()), ([1, 2], 2), "which two is drawn");
    let resumed = ladder.open();
    assert_eq!((resumed.schedule().phases(), resumed.done().count(), resumed.done().matches()), (2, 8, 12));
    resumed.close().unwrap();
    // To the middle of phase 2, and from there.
    let end = ladder.play(7);
    assert!(end.played == 7 && end.seed.is_none(), "{end:?}");
    assert!(!ladder.results().is_over().unwrap());
    let end = ladder.play(usize::MAX);
    assert!(end.played == 9 && end.seed.is_some(), "{end:?}");
    assert!(ladder.results().is_over().unwrap());
    assert!(ladder.records() == whole.records());
    assert_eq!(ladder.play(usize::MAX).played, 0);
}

#[test]
fn what_is_reported_of_a_ladder_counts_every_phase() {
    let ladder = Ladder::new();
    ladder.play(10);
    let begun = ladder.standings();
    assert_eq!((begun.matches.played, begun.matches.wanted), (11, Some(12)));
    assert_eq!((begun.pairs.complete, begun.pairs.wanted), (5, Some(6)));
    assert_eq!((begun.blocks.complete, begun.blocks.incomplete), (3, 0), "phase 1 is not rated yet");

    ladder.play(usize::MAX);
    let over = ladder.standings();
    assert_eq!((over.matches.played, over.matches.wanted), (24, Some(24)));
    assert_eq!((over.pairs.complete, over.pairs.wanted), (12, Some(12)));
    assert_eq!((over.blocks.complete, over.blocks.wanted), (3, Some(3)));
    let tally = TournamentTally::of(&ladder.results(), BotOrder::AsTyped).unwrap().tally;
    let met = |one, other| tally.pairing(Entrant(one), Entrant(other)).map(PairingTally::matches_per_block);
    assert_eq!((met(0, 1), met(1, 2), met(1, 3), met(0, 2)), (Some(4), Some(2), Some(2), None));

    let faults = Faults::of(&ladder.results()).unwrap();
    let of = |bot: &str| {
        faults.iter().filter(|(name, ..)| *name == bot).map(|(_, _, kind)| kind.count).sum::<u64>()
    };
    assert_eq!(["random", "random#2", "random#3", "random#4"].map(of), [6, 8, 4, 0]);
    for (bot, code, kind) in faults.iter() {
        assert_eq!(kind.first.len() as u64, kind.count.min(3), "{bot} {code}");
    }
    let compared = Compared::of(&ladder.results(), &ladder.results()).unwrap();
    assert_eq!(compared.same.len(), 4);
    let mut exported = Exported::default();
    for record in ladder.records() {
        exported.add(&record).unwrap();
    }
    assert_eq!(exported.finish().unwrap().matches, 24);
}

#[test]
fn a_match_that_is_missing_from_a_later_phase_is_missed() {
    let ladder = Ladder::new();
    ladder.play(7);
    assert_eq!(ladder.missing(), 4);
    ladder.play(usize::MAX);
    assert_eq!(ladder.missing(), 0);
    // Matches of a phase that does not follow from those before it.
    let records = ladder.records();
    let results = ladder.results();
    let mut without = Verifier::of(results.stored_plan(), results.schedule().unwrap().rated(23));
    let wrong = records.iter().find_map(|record| without.check(record).err()).unwrap().to_string();
    assert!(wrong.contains("the block: expected one below 3, found 3"), "{wrong}");
    let (last, _) = results.records().last().unwrap().unwrap();
    assert!(!without.knows(&last));
    without.extend(results.schedule().unwrap());
    assert!(without.knows(&last));
    without.check(records.last().unwrap()).unwrap();
    // Bots that meet, but not in this block.
    let mut verifier = Verifier::of(results.stored_plan(), results.schedule().unwrap());
    let other =
        records.iter().find(|record| record.block == 0 && record.bots.as_slice()[1] == "random#3").unwrap();
    let seed = results.stored_plan().tournament_seed();
    let moved = leyden_model::MatchHeader::new(
        other.tournament.clone(),
        seed.match_seed(&["random#2", "random#3"], 4),
        other.rules,
        (4, 0),
        &["random#2", "random#3"],
    );
    let wrong = verifier.check(&sample::play(moved.record(), None)).unwrap_err().to_string();
    assert!(wrong.contains("the bots: expected bots that meet in block 4"), "{wrong}");
    drop(results);

    ladder.execute("DELETE FROM matches WHERE phase = 3 AND block = 5 AND leg = 1");
    let results = ladder.results();
    let mut verifier = Verifier::of(results.stored_plan(), results.schedule().unwrap());
    for record in ladder.records() {
        verifier.check(&record).unwrap();
    }
    assert_eq!(verifier.missing(), 1);
    assert!(results.audit().unwrap().is_some(), "its sums are still counted");
    drop(results);
    // Phase 3 follows from phase 2, of which a match is missing now.
    ladder.execute("DELETE FROM matches WHERE phase = 2 AND block = 0 AND leg = 1");
    let results = ladder.results();
    let error = results.records().find_map(Result::err).unwrap().to_string();
    assert!(error.ends_with("is damaged: an impossible table"), "{error}");
}

#[test]
fn without_the_matches_of_a_changed_bot_later_phases_are_drawn_again() {
    let ladder = Ladder::new();
    ladder.play(usize::MAX);
    let resumable = || Resumable::open(&ladder.path()).unwrap();
    assert!(matches!(
        resumable().withdraw(&["random#4".to_owned()]),
        Err(NotWithdrawn::Adaptive { bot }) if bot == "random#4"
    ));
    assert_eq!(resumable().matches_of(BotIndex(2)).unwrap(), 18);
    let mut now = StoredPlan::of(&ladder.plan);
    now.bots[2].hash = "changed".to_owned();
    let (writer, schedule, done) = resumable().replacing(vec![BotIndex(2)]).resume(&now).unwrap();
    writer.finish().unwrap();
    assert_eq!((schedule.phases(), done.count(), done.matches()), (2, 6, 12));
    let results = ladder.results();
    assert_eq!((results.audit().unwrap(), results.count().unwrap()), (None, 6));
}
