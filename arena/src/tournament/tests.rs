//! A format that looks at results, from the first match to standings, pages and verification: played, stopped, resumed.

use std::path::Path;

use leyden_host::Launcher;
use leyden_model::event::RunEnd;
use leyden_model::job::{Job, JobReport, LegOutcome};
use leyden_model::{BotIndex, MatchRecord, PairKey, RunEvent};
use leyden_stats::{Entrant, PairingTally};
use tempfile::TempDir;

use super::*;
use crate::record::sample;
use crate::record::store::{Results, WithdrawError};
use crate::record::verify::Verifier;
use crate::report::{BotOrder, ExportTally, Faults, Standings, TournamentComparison, TournamentTally};
use crate::roster;
use crate::run::{Executor, Flow, Reports};
use leyden_format::{Competition, Format, Play, Seeding, Stage};

/// Blocks of each round: more than the two jobs that a run with one slot has under way.
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

/// The worse seed, but bot 0 loses the last pair of its first meeting, and the final is played without faults.
fn loser(pair: PairKey) -> Option<BotIndex> {
    match (pair.stage, pair.block) {
        (0, 2) => pair.table.bots().first().copied(),
        (0, _) => pair.table.bots().last().copied(),
        _ => None,
    }
}

/// A match that the loser loses by a fault; without a loser, one that is played to its end.
fn scripted(job: &Job, leg: u32) -> MatchRecord {
    let blank = job.header(leg).record();
    let Some(loser) = loser(job.pair) else { return sample::play(blank, None) };
    let index = job.pair.table.bots().iter().position(|bot| *bot == loser).unwrap();
    let name = &job.bots[index].name;
    let faulted = (0..100).map(|decision| sample::play(blank.clone(), Some(decision)));
    let is_lost =
        |record: &MatchRecord| record.fault.as_ref().is_some_and(|it| record.bots[it.seat] == *name);
    faulted.into_iter().find(is_lost).unwrap()
}

/// Two rounds of a Swiss; the best two, who met in the first, meet again in a final.
fn format() -> Format {
    let stage = |play, advance| Stage { play, blocks: BLOCKS, advance, tie_breaks: Vec::new() };
    let knockout = Play::Knockout { best_of: false, third_place: false };
    Format::Stages(Competition {
        seeding: Seeding::List,
        seeds: (0..4).map(BotIndex).collect(),
        presence: Vec::new(),
        stages: vec![stage(Play::Swiss { rounds: 2 }, Some(2)), stage(knockout, None)],
    })
}

fn plan() -> Plan {
    let typed = vec!["builtin:random".to_owned(); 4];
    let mut settings = sample::stored_plan(4, BLOCKS).settings;
    (settings.target, settings.strikes) = (20, 99);
    let bots = roster::find(&typed, Path::new("/leyden")).unwrap().bots;
    let plan = Plan::new(settings, "two stages", bots, Launcher::new("/leyden".into())).unwrap();
    Plan { format: format(), blocks: BLOCKS, ..plan }
}

/// A competition of two stages and its results file.
struct Stages {
    plan: Plan,
    folder: TempDir,
}

impl Stages {
    fn new() -> Self {
        Self { plan: plan(), folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("stages.db")
    }

    fn open(&self) -> Tournament {
        let (plan, stored_plan) = (self.plan.clone(), StoredPlan::from_plan(&self.plan));
        if self.path().exists() {
            let stored = Resumable::open(&self.path()).unwrap();
            return Tournament::resumed(plan, stored_plan, stored, CancellationToken::new()).unwrap();
        }
        let file = ResultsFile::New(self.path());
        Tournament::created(plan, stored_plan, &file, CancellationToken::new()).unwrap()
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
        Standings::from_tally(
            &TournamentTally::from_results(&self.results(), BotOrder::ByName).unwrap(),
            true,
        )
        .unwrap()
    }

    /// The number of missing matches, all others being right.
    fn missing(&self) -> u64 {
        let results = self.results();
        let mut verifier = Verifier::for_plan(results.stored_plan(), results.schedule().unwrap());
        for record in self.records() {
            verifier.check(&record).unwrap();
        }
        assert_eq!(results.audit().unwrap(), None);
        verifier.missing()
    }

    /// For each stage and block, the bots that met in it.
    fn meetings(&self) -> Vec<(u32, u32, Vec<[u32; 2]>)> {
        let mut all: Vec<(u32, u32, Vec<[u32; 2]>)> = Vec::new();
        for stored in self.results().records() {
            let (key, _) = stored.unwrap();
            let [one, other] = key.table.bots() else { panic!("two seats") };
            if all.last().is_none_or(|(_, block, _)| *block != key.block) {
                all.push((key.stage, key.block, Vec::new()));
            }
            let met = &mut all.last_mut().unwrap().2;
            met.push([one.0, other.0]);
            met.dedup();
        }
        all
    }

    fn execute(&self, statement: &str) {
        rusqlite::Connection::open(self.path()).unwrap().execute_batch(statement).unwrap();
    }
}

#[test]
fn stopped_stages_resume_as_if_never_stopped() {
    let whole = Stages::new();
    let end = whole.play(usize::MAX);
    assert!(end.played >= 30 && end.seed.is_some(), "{end:?}");
    let met = whole.meetings();
    let (first, second) = (vec![[0, 2], [1, 3]], vec![[0, 1], [2, 3]]);
    let swiss =
        (0..3).map(|block| (0, block, first.clone())).chain((3..6).map(|block| (0, block, second.clone())));
    assert_eq!(met[..6], swiss.collect::<Vec<_>>());
    let last: Vec<_> = met[6..].iter().map(|(stage, _, met)| (*stage, met.clone())).collect();
    assert_eq!(last, vec![(1, vec![[0, 2]]); met.len() - 6], "with pairs of their own if it is level");

    let stages = Stages::new();
    // In round 1: further pairs are under way.
    let end = stages.play(15);
    assert!((15..24).contains(&end.played) && end.seed.is_none(), "{end:?}");
    let played = end.played;
    let resumed = stages.open();
    assert_eq!((resumed.schedule().rounds().len(), resumed.done().count()), (2, played));
    assert_eq!(resumed.done().matches(), 24);
    resumed.close().unwrap();
    // Into the final, and from there.
    let end = stages.play(26 - played as usize);
    assert!(end.seed.is_none() && !stages.results().is_over().unwrap(), "{end:?}");
    let end = stages.play(usize::MAX);
    assert!(end.seed.is_some() && stages.results().is_over().unwrap(), "{end:?}");
    assert!(stages.records() == whole.records());
    assert_eq!(stages.play(usize::MAX).played, 0);
}

#[test]
fn stage_reports_count_every_round() {
    let stages = Stages::new();
    let played = stages.play(15).played;
    let begun = stages.standings();
    assert_eq!((begun.matches.played, begun.matches.planned), (played, Some(24)));
    assert_eq!((begun.blocks.complete, begun.blocks.incomplete), (0, 1));
    assert_eq!(
        begun.bots.iter().filter_map(|bot| bot.rating).map(|rating| rating.matches).sum::<u64>(),
        24,
        "round 1 is not rated yet"
    );

    stages.play(usize::MAX);
    let over = stages.standings();
    let all = stages.records().len() as u64;
    assert_eq!((over.matches.played, over.matches.planned), (all, Some(all)));
    assert_eq!((over.pairs.complete, over.pairs.planned), (all / 2, Some(all / 2)));
    assert_eq!((over.blocks.complete, over.blocks.planned, over.by_pairs), (1, Some(1), true));
    let tally = TournamentTally::from_results(&stages.results(), BotOrder::AsTyped).unwrap().tally;
    let met = |one, other| tally.pairing(Entrant(one), Entrant(other)).map(PairingTally::matches_per_block);
    assert_eq!((met(0, 1), met(0, 2), met(2, 3), met(1, 2)), (Some(2), Some(2), Some(2), None));
    let pairs = |one, other| tally.pairing(Entrant(one), Entrant(other)).map_or(0, PairingTally::blocks);
    assert_eq!((pairs(0, 1), pairs(0, 2)), (3, 6));

    let faults = Faults::from_results(&stages.results()).unwrap();
    for (bot, code, kind) in faults.iter() {
        assert_eq!(kind.first.len() as u64, kind.count.min(3), "{bot} {code}");
    }
    assert_eq!(faults.iter().map(|(_, _, kind)| kind.count).sum::<u64>(), 24);
    let compared = TournamentComparison::new(&stages.results(), &stages.results()).unwrap();
    assert_eq!(compared.same.len(), 4);
    let mut exported = ExportTally::default();
    for record in stages.records() {
        exported.add(&record).unwrap();
    }
    assert_eq!(exported.finish(None).unwrap().matches, all);
}

#[test]
fn verifier_notices_matches_missing_from_later_rounds() {
    let stages = Stages::new();
    let played = stages.play(15).played;
    assert_eq!(stages.missing(), 24 - played);
    stages.play(usize::MAX);
    assert_eq!(stages.missing(), 0);
    // Matches of a round that does not follow from those before it.
    let records = stages.records();
    let results = stages.results();
    let stored_plan = results.stored_plan();
    let mut without = Verifier::for_plan(stored_plan, stored_plan.schedule().unwrap());
    let wrong = records.iter().find_map(|record| without.check(record).err()).unwrap().to_string();
    assert!(wrong.contains("the block: expected one below 3, found 3"), "{wrong}");
    let (last, _) = results.records().last().unwrap().unwrap();
    assert!(!without.knows(&last));
    without.extend(results.schedule().unwrap());
    assert!(without.knows(&last));
    without.check(records.last().unwrap()).unwrap();
    // Bots that meet, but not in this block.
    let mut verifier = Verifier::for_plan(stored_plan, results.schedule().unwrap());
    let seed = stored_plan.tournament_seed();
    let moved = leyden_model::MatchHeader::new(
        records[0].tournament.clone(),
        seed.match_seed(&["random#2", "random#3"], 4),
        records[0].rules,
        (4, 0),
        &["random#2", "random#3"],
    );
    let wrong = verifier.check(&sample::play(moved.record(), None)).unwrap_err().to_string();
    assert!(wrong.contains("the bots: expected bots that meet in block 4"), "{wrong}");
    drop(results);

    stages.execute("DELETE FROM matches WHERE phase = 1 AND block = 7 AND leg = 1");
    let results = stages.results();
    let mut verifier = Verifier::for_plan(results.stored_plan(), results.schedule().unwrap());
    for (_, record) in results.records().take(29).map(Result::unwrap) {
        verifier.check(&record).unwrap();
    }
    assert!(verifier.missing() >= 1);
    assert!(results.audit().unwrap().is_some(), "its sums are still counted");
    drop(results);
    // The final follows from round 1, in which a match is missing now.
    stages.execute("DELETE FROM matches WHERE block = 4 AND leg = 1");
    let results = stages.results();
    let error = results.records().find_map(Result::err).unwrap().to_string();
    assert!(error.ends_with("is damaged: an impossible table"), "{error}");
}

#[test]
fn replacing_a_changed_bot_drops_later_rounds() {
    let stages = Stages::new();
    stages.play(usize::MAX);
    let all = stages.records().len() as u64;
    let resumable = || Resumable::open(&stages.path()).unwrap();
    assert!(matches!(
        resumable().withdraw(&["random#4".to_owned()]),
        Err(WithdrawError::Adaptive { bot }) if bot == "random#4"
    ));
    assert_eq!(resumable().matches_of(BotIndex(2)).unwrap(), all - 6);
    let mut now = StoredPlan::from_plan(&stages.plan);
    now.bots[2].hash = "changed".to_owned();
    let (writer, schedule, done) = resumable().replacing(vec![BotIndex(2)]).resume(&now).unwrap();
    writer.finish().unwrap();
    assert_eq!((schedule.rounds().len(), done.count(), done.matches()), (1, 6, 12));
    let results = stages.results();
    assert_eq!((results.audit().unwrap(), results.count().unwrap()), (None, 6));
}
