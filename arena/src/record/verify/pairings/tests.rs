//! Exports of a competition whose records are right by themselves, with other pairings.

use leyden_format::{Competition, Format, Play, Seeding, Stage, StageRound, TieBreak};

use super::super::Verifier;
use super::*;
use crate::record::sample;
use crate::record::store::StoredPlan;

/// A Swiss of five bots, then a final, as it is exported.
fn stages() -> (StoredPlan, ExportedCompetition, Vec<MatchRecord>) {
    let tie_breaks = TieBreak::ALL.to_vec();
    let swiss = Stage { play: Play::Swiss { rounds: 3 }, blocks: 1, advance: Some(2), tie_breaks };
    let play = Play::Knockout { best_of: false, third_place: false };
    let knockout = Stage { play, blocks: 1, advance: None, tie_breaks: Vec::new() };
    let competition = Competition {
        seeding: Seeding::List,
        seeds: (0..5).map(BotIndex).collect(),
        presence: Vec::new(),
        stages: vec![swiss, knockout],
    };
    played(competition)
}

/// A competition as it is exported.
fn played(competition: Competition) -> (StoredPlan, ExportedCompetition, Vec<MatchRecord>) {
    let format = Format::Stages(competition.clone());
    let stored_plan = StoredPlan { format, ..sample::stored_plan(competition.seeds.len(), 1) };
    let mut schedule = stored_plan.schedule().unwrap();
    let mut records = Vec::new();
    loop {
        let round = schedule.rounds().last().unwrap().clone();
        for key in (0..round.matches()).map(|rank| round.nth(rank).unwrap()) {
            let record = staged(&stored_plan, &round, key);
            schedule.count(&key, &crate::record::final_scores(&record, record.rules.rules().unwrap().better));
            records.push(record);
        }
        if schedule.next_round().unwrap().is_none() {
            break;
        }
    }
    let bots = stored_plan.bots.iter().map(|bot| bot.name.clone()).collect();
    (stored_plan, ExportedCompetition { bots, format: competition }, records)
}

fn staged(stored_plan: &StoredPlan, round: &StageRound, key: MatchKey) -> MatchRecord {
    let stage = RecordStage { number: round.stage(), round: round.round(), extra: round.is_extra() };
    MatchRecord {
        stage: Some(stage),
        ..sample::play(sample::record_template(stored_plan).for_match(&key), None)
    }
}

/// Checks an export; returns the number of missing matches, or the error as text.
fn decided(exported: &ExportedCompetition, records: &[MatchRecord]) -> Result<u64, String> {
    let mut verifier = Verifier::new();
    for record in records {
        verifier.check(record).unwrap();
    }
    assert_eq!(verifier.compares_pairings(), Some(false), "the format is not known yet");
    verifier.decide(exported).map_err(|error| error.to_string())?;
    assert_eq!(verifier.compares_pairings(), Some(true));
    Ok(verifier.missing())
}

#[test]
fn hand_picked_opponents_are_found_in_a_league() {
    let play = Play::League { batches: Some(2) };
    let stage = Stage { play, blocks: 1, advance: None, tie_breaks: Vec::new() };
    let seeds: Vec<BotIndex> = (0..16).map(BotIndex).collect();
    let (stored_plan, exported, mut records) =
        played(Competition { seeding: Seeding::List, seeds, presence: Vec::new(), stages: vec![stage] });
    assert_eq!(decided(&exported, &records), Ok(0));
    let schedule = stored_plan.schedule().unwrap();
    let of_last = |record: &MatchRecord| record.stage.is_some_and(|stage| stage.round == 1);
    let first = records.iter().position(of_last).unwrap();
    let block = records[first].block;
    let met = |one: u32, other: u32| {
        let names = [one, other].map(|bot| &stored_plan.bots[bot as usize].name);
        records[first..].iter().any(|record| names.iter().all(|name| record.bots.as_slice().contains(name)))
    };
    let (one, other) = (0..16)
        .flat_map(|other| (0..other).map(move |one| (one, other)))
        .find(|(one, other)| !met(*one, *other))
        .expect("a batch of sixteen bots leaves some of them apart");
    let table = Table::new(&[BotIndex(one), BotIndex(other)]).unwrap();
    for (leg, record) in (0..).zip(&mut records[first..first + 2]) {
        let key = PairKey { stage: 0, block, table }.leg(leg);
        let stage = record.stage;
        *record = MatchRecord { stage, ..staged(&stored_plan, &schedule.rounds()[0], key) };
    }
    let wrong = decided(&exported, &records).unwrap_err();
    assert!(wrong.contains("the pairing, from the seeds and the results of the rounds before"), "{wrong}");
}

#[test]
fn pairings_of_an_export_follow_from_its_results() {
    let (stored_plan, exported, records) = stages();
    assert_eq!(decided(&exported, &records), Ok(0));
    let shuffled: Vec<MatchRecord> = records.iter().rev().cloned().collect();
    assert_eq!(decided(&exported, &shuffled), Ok(0));
    let swiss = 3 * 2 * 2;
    assert_eq!(decided(&exported, &records[..swiss]), Ok(2), "the final");

    // Each bot of a round is taken for another that met nobody of this meeting, with deals that belong to it: so byes, too.
    let pairing = "the pairing, from the seeds and the results of the rounds before: expected ";
    for at in (0..records.len()).step_by(2) {
        let players = |record: &MatchRecord| -> Vec<usize> {
            record
                .bots
                .as_slice()
                .iter()
                .map(|name| exported.bots.iter().position(|bot| bot == name).unwrap())
                .collect()
        };
        let there = players(&records[at]);
        for other in (0..5).filter(|bot| !there.contains(bot)) {
            let mut bots = [there[0], other].map(|bot| BotIndex(bot as u32));
            bots.sort_unstable();
            let mut changed = records.clone();
            for (leg, record) in (0..).zip(&mut changed[at..at + 2]) {
                let stage = record.stage;
                let pair = PairKey {
                    stage: stage.unwrap().number,
                    block: record.block,
                    table: Table::new(&bots).unwrap(),
                };
                *record = MatchRecord {
                    stage,
                    ..sample::play(sample::record_template(&stored_plan).for_match(&pair.leg(leg)), None)
                };
            }
            let refused = decided(&exported, &changed).unwrap_err();
            assert!(refused.contains(pairing), "{at} {other}: {refused}");
        }
    }
}

#[test]
fn seeds_and_stages_of_an_export_are_compared() {
    let (_, exported, records) = stages();
    let refused = |change: &dyn Fn(&mut ExportedCompetition), records: &[MatchRecord]| {
        let mut exported = exported.clone();
        change(&mut exported);
        decided(&exported, records).unwrap_err()
    };
    let swapped = refused(&|exported| exported.format.seeds.swap(0, 3), &records);
    assert!(swapped.contains("the pairing, from the seeds"), "{swapped}");
    let twice = refused(&|exported| exported.format.seeds[0] = BotIndex(3), &records);
    assert!(twice.contains("seeds that do not name each of 5 bots once"), "{twice}");
    let longer = refused(&|exported| exported.format.stages[0].play = Play::Swiss { rounds: 4 }, &records);
    assert!(longer.contains("expected round 4 of stage 1, found round 1 of stage 2"), "{longer}");
    let mut other = records.clone();
    for record in &mut other[4..] {
        record.stage.as_mut().unwrap().round += 1;
    }
    let renumbered = refused(&|_| {}, &other);
    assert!(renumbered.contains("expected round 2 of stage 1, found round 3 of stage 1"), "{renumbered}");
    let without = refused(&|_| {}, &records[2..]);
    assert!(without.contains("the matches of the round before are not complete"), "{without}");
}
