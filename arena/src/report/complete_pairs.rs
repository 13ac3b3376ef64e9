//! What may be shown of a tournament before it is over: complete pairs, added one by one, and no other match.

use std::collections::BTreeSet;

use leyden_model::{BotIndex, MatchKey, MatchRecord, PairKey};
use leyden_protocol::{Seat, WinningScore};
use leyden_stats::{FinalScores, Margin, Score, TallyBuilder};

use super::ReportError;
use super::tournament_tally::{BotOrder, ReportIndices, TournamentTally, add_pair, pair_sums, rated_tally};
use crate::record::store::{BotSums, StoreError, StoredPlan};
use leyden_format::Schedule;

/// How one bot has fared against another over complete pairs. Not among the sums of [`TournamentTally`], which count by block and only
/// what is rated: pages also show pairs of incomplete blocks and unrated rounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CompletePairing {
    pub score: Score,
    pub margin: Margin,
}

/// The sums of all complete pairs so far.
pub struct CompletePairs {
    better: WinningScore,
    /// The rounds that follow from the pairs.
    schedule: Schedule,
    /// What is not counted in the schedule yet, if the format looks at results.
    uncounted: Vec<(MatchKey, FinalScores)>,
    /// By the bots' indices in the tournament.
    sums: Vec<BotSums>,
    /// Row by row: how the bot of the row fared against the bot of the column.
    meetings: Vec<CompletePairing>,
    ends: Vec<(MatchKey, FinalScores)>,
    pairs: BTreeSet<PairKey>,
}

impl CompletePairs {
    /// Creates the empty sums of a tournament.
    pub fn new(stored_plan: &StoredPlan, better: WinningScore) -> Result<Self, StoreError> {
        let (schedule, bots) = (stored_plan.schedule()?, stored_plan.bots.len());
        Ok(Self {
            better,
            schedule,
            uncounted: Vec::new(),
            sums: vec![BotSums::default(); bots],
            meetings: vec![CompletePairing::default(); bots * bots],
            ends: Vec::new(),
            pairs: BTreeSet::new(),
        })
    }

    /// Adds all legs of a pair. A pair that was added before is ignored.
    pub fn add(&mut self, legs: &[(MatchKey, MatchRecord)]) {
        let Some((first, _)) = legs.first() else { return };
        if !self.pairs.insert(first.pair()) {
            return;
        }
        for (key, record) in legs {
            self.add_match(key, record);
        }
    }

    fn add_match(&mut self, key: &MatchKey, record: &MatchRecord) {
        let end = crate::record::final_scores(record, self.better);
        for (seat, bot) in key.seating().iter() {
            if let Some(sums) = self.sums.get_mut(bot.index()) {
                sums.add(record, self.better, seat);
            }
            for other in end.others(seat) {
                self.meet((*bot, key.seat(other)), &end, (seat, other));
            }
        }
        self.ends.push((*key, end));
        if self.schedule.format().is_adaptive() {
            self.uncounted.push((*key, end));
        }
    }

    fn meet(&mut self, (bot, rival): (BotIndex, BotIndex), end: &FinalScores, (seat, other): (Seat, Seat)) {
        let Some(met) = self.meetings.get_mut(bot.index() * self.sums.len() + rival.index()) else { return };
        met.score.count(end.compare(seat, other));
        met.margin.count(end.margin(seat, other));
    }

    /// Adds the rounds that follow from the pairs so far, and returns whether each pair is possible: it is in its round. `are_all` says
    /// that no pair that was played is held back: then that round must be known, and batches of a league are taken as they were,
    /// instead of choosing each of them again.
    pub fn add_rounds(&mut self, are_all: bool) -> Result<bool, StoreError> {
        let added = if are_all {
            self.schedule.restore(&self.uncounted)
        } else {
            self.schedule.replay(&self.uncounted)
        };
        // An impossible pair stays, so that it is found each time.
        self.uncounted.retain(|(key, _)| self.schedule.rank(key).is_none());
        added?;
        let end = self.schedule.blocks_end();
        Ok(self.uncounted.iter().all(|(key, _)| !are_all && key.block >= end))
    }

    /// The schedule with every round that has been added.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// The sums of each bot.
    pub fn sums(&self) -> &[BotSums] {
        &self.sums
    }

    /// How each bot fared against each: row by row, by their indices in the tournament.
    pub fn meetings(&self) -> &[CompletePairing] {
        &self.meetings
    }

    /// The number of matches counted.
    pub fn matches(&self) -> u64 {
        self.ends.len() as u64
    }

    /// The tally from which standings are made, with bots sorted by name. `voided` are the pairs that were ever set aside.
    pub fn gathered(
        &self,
        stored_plan: &StoredPlan,
        voided: &BTreeSet<PairKey>,
    ) -> Result<TournamentTally, ReportError> {
        let typed: Vec<&str> = stored_plan.bots.iter().map(|bot| bot.name.as_str()).collect();
        let indices = ReportIndices::new(&typed, BotOrder::ByName);
        let rated = self.schedule.rated(self.matches());
        let empty = rated_tally(&rated, |bot| indices.index(bot), TallyBuilder::new)?;
        let mut pairs = pair_sums(&rated, empty, (&indices, voided));
        let mut ends = self.ends.clone();
        ends.sort_unstable_by_key(|(key, _)| *key);
        for legs in ends.chunk_by(|(one, _), (next, _)| one.pair() == next.pair()) {
            add_pair(&mut pairs, &rated, (legs, true), (&indices, voided))?;
        }
        Ok(TournamentTally {
            matches: self.matches(),
            ..TournamentTally::planned(
                stored_plan,
                &self.schedule,
                (&indices, voided),
                (self.better, &self.sums),
                pairs,
            )?
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::sample;
    use crate::record::store::{Results, Writer};
    use crate::report::{Standings, csv};
    use leyden_format::{Competition, Format, Play, Seeding, Stage};

    #[test]
    fn csv_has_no_places_before_the_first_block() {
        let stages = Format::Stages(Competition {
            seeding: Seeding::List,
            seeds: (0..4).map(BotIndex).collect(),
            presence: Vec::new(),
            stages: vec![Stage {
                play: Play::Swiss { rounds: 2 },
                blocks: 1,
                advance: None,
                tie_breaks: Vec::new(),
            }],
        });
        for format in [Format::RoundRobin, stages] {
            let stored_plan = StoredPlan { format, ..sample::stored_plan(4, 1) };
            let pairs = CompletePairs::new(&stored_plan, WinningScore::Higher).unwrap();
            let gathered = pairs.gathered(&stored_plan, &BTreeSet::new()).unwrap();
            let table = csv::text(&Standings::from_tally(&gathered, true).unwrap());
            assert_eq!(table.lines().filter(|line| line.starts_with(",bot-")).count(), 4, "{table}");
        }
    }

    /// Complete pairs give the same sums as the results file.
    #[test]
    fn pairs_together_are_the_whole_tournament() {
        for (rules, seats, set) in sample::every_game() {
            let stored_plan = sample::stored_plan_of(rules, seats, set, seats + 1, 2);
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("results.db");
            let all: Vec<_> = sample::matches(&stored_plan).collect();
            let writer = Writer::create(&path, &stored_plan).unwrap();
            for (key, record) in &all {
                writer.add(key, record.clone()).unwrap();
            }
            writer.finish().unwrap();
            let results = Results::open(&path).unwrap();
            let mut pairs = CompletePairs::new(&stored_plan, results.better()).unwrap();
            for legs in all.chunks(seats) {
                pairs.add(legs);
                pairs.add(legs);
            }
            let gathered = pairs.gathered(&stored_plan, &BTreeSet::new()).unwrap();
            let expected = Standings::from_tally(
                &TournamentTally::from_results(&results, BotOrder::ByName).unwrap(),
                true,
            )
            .unwrap();
            assert_eq!(Standings::from_tally(&gathered, true).unwrap(), expected, "{rules} {seats}");
            let n = stored_plan.bots.len();
            for (bot, sums) in pairs.sums().iter().enumerate() {
                let row = &pairs.meetings()[bot * n..(bot + 1) * n];
                let sum = |number: fn(&CompletePairing) -> i64| row.iter().map(number).sum::<i64>();
                assert_eq!(sum(|met| met.score.matches().into()), sums.comparisons);
                assert_eq!(sum(|met| met.score.half_points().into()), sums.half_points);
                assert_eq!(sum(|met| met.margin.sum), sums.margin);
            }
        }
    }

    #[test]
    fn void_pair_leaves_ranks_to_the_others() {
        let stored_plan = sample::stored_plan(5, 2);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.db");
        let all: Vec<_> = sample::matches(&stored_plan).collect();
        let writer = Writer::create(&path, &stored_plan).unwrap();
        for (key, record) in &all {
            writer.add(key, record.clone()).unwrap();
        }
        // One match is void after both were stored, so two do not count.
        writer.void(&all[7].0, "the roof is on fire", None).unwrap();
        writer.finish().unwrap();
        let results = Results::open(&path).unwrap();
        let standings =
            Standings::from_tally(&TournamentTally::from_results(&results, BotOrder::ByName).unwrap(), true)
                .unwrap();
        assert_eq!((standings.blocks.complete, standings.blocks.incomplete), (2, 0));
        assert!(
            standings.bots.iter().all(|bot| bot.rating.is_some_and(|rating| rating.half_width.is_some()))
        );
        let crate::report::PairCounts { complete, incomplete, voided, planned, .. } = standings.pairs;
        assert_eq!((complete + voided, incomplete, voided), (planned.unwrap(), 0, 1));
        assert_eq!(Some(standings.matches.played + 2 * voided), standings.matches.planned);
        let lines = standings.head_to_head.as_ref().unwrap();
        assert_eq!(lines.iter().filter(|line| line.blocks == 1).count(), 1);
        let mut pairs = CompletePairs::new(&stored_plan, results.better()).unwrap();
        all.chunks(2).filter(|legs| legs[0].0.pair() != all[7].0.pair()).for_each(|legs| pairs.add(legs));
        let voided = BTreeSet::from([all[7].0.pair()]);
        let gathered = pairs.gathered(&stored_plan, &voided).unwrap();
        assert_eq!(Standings::from_tally(&gathered, true).unwrap(), standings);
    }
}
