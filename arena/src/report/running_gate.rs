//! A gate that is fed with match records in any order, and its result.

use std::collections::{BTreeMap, BTreeSet};

use crate::record::store::{BotSums, GateTerms, Results, StoredPlan};
use leyden_model::{BotEntry, MatchKey, MatchRecord};
use leyden_protocol::{Seat, WinningScore};
use leyden_rules::Rules;
use leyden_stats::{Comparison, Gate, GateEnd, GateError, GateReport, Margin, PairResult, Score};

use super::error::{GateRecordError, ImpossibleRecordsError, PairLuckError, ReportError};
use super::faults::Faults;
use super::gate::{GateAnswer, GateDocument, GateSide, as_answered};
use super::pair_luck::PairLuckEstimator;
use super::results::BotResults;
use super::version::REPORT_VERSION;
use super::versus::Side;

/// A running gate of bot 0, the new version, against bot 1.
pub struct RunningGate {
    terms: GateTerms,
    gate: Gate,
    better: WinningScore,
    /// Set if the gate takes luck out.
    luck: Option<PairLuckEstimator>,
    /// Legs whose other leg has not arrived yet.
    legs: BTreeMap<u32, (u64, MatchRecord)>,
    /// Pairs that are not judged yet because one before them is missing.
    waiting: BTreeMap<u32, Pair>,
    /// Pairs with a void match.
    voided: BTreeSet<u32>,
    sums: [BotSums; 2],
    faults: Faults,
    /// How many of the judged matches each bot lost by faults.
    lost_by_faults: [u64; 2],
    /// Whether both bots have the same content.
    same_bots: bool,
}

impl RunningGate {
    /// Creates a gate with nothing judged. It ends at the latest with the pair in which bot 0 exceeds the number of matches
    /// that it may lose by faults. Fails if luck is to be taken out in a way that this leyden does not support.
    pub fn new(terms: GateTerms, rules: &Rules) -> Result<Self, PairLuckError> {
        let (better, luck) = (rules.better, PairLuckEstimator::for_plan(&terms.plan, rules)?);
        let (legs, waiting) = (BTreeMap::new(), BTreeMap::new());
        let (sums, faults) = (Default::default(), Faults::default());
        let (gate, voided) = (Gate::new(terms.plan), BTreeSet::new());
        let lost_by_faults = [0; 2];
        let same_bots = false;
        Ok(Self { terms, gate, better, luck, legs, waiting, voided, sums, faults, lost_by_faults, same_bots })
    }

    /// Sets the bots, the new version first. If both have the same content, neither can be stronger, and a single pair shows
    /// that they play: if it ends without a fault, the gate is over.
    #[must_use]
    pub fn with_bots(self, bots: &[BotEntry]) -> Self {
        let same_bots = matches!(bots, [new, old] if new.is_same_bot(old));
        Self { same_bots, ..self }
    }

    /// Whether both bots have the same content.
    pub fn is_of_same_bots(&self) -> bool {
        self.same_bots
    }

    /// The gate in a results file, in the state to which its matches bring it; `None` if the file holds no gate.
    pub fn stored(results: &Results) -> Result<Option<Self>, ReportError> {
        let stored_plan = results.stored_plan();
        stored_plan.gate.map(|terms| Self::resumed(terms, stored_plan, results)).transpose()
    }

    /// The gate that resumes the one in a results file with these terms, in the state to which the file's matches bring it. `now` is the
    /// plan that resumes it.
    pub fn resumed(terms: GateTerms, now: &StoredPlan, results: &Results) -> Result<Self, ReportError> {
        let rules = now.record_rules().rules()?;
        let mut gate = Self::new(terms, &rules)?.with_bots(&now.bots);
        let schedule = now.schedule()?;
        for stored in results.records() {
            let (key, record) = stored?;
            let rank = schedule.rank(&key).unwrap_or_default(); // the file contains no other matches
            if gate.take(rank, &key, record).map_err(ImpossibleRecordsError::from)? {
                break;
            }
        }
        Ok(gate)
    }

    /// Adds a match, in any order, and returns whether the gate has ended. After that nothing changes.
    pub fn take(&mut self, rank: u64, key: &MatchKey, record: MatchRecord) -> Result<bool, GateRecordError> {
        if self.is_over() || self.voided.contains(&key.block) {
            return Ok(self.is_over());
        }
        let Some(other) = self.legs.remove(&key.block) else {
            self.legs.insert(key.block, (rank, record));
            return Ok(false);
        };
        let mut pair = [other, (rank, record)];
        pair.sort_by_key(|(_, record)| record.leg);
        let [(_, first), (_, second)] = &mut pair;
        let legs = [&*first, &*second].map(|record| fared(record, self.better));
        let luck = self.luck.as_ref().map(|estimator| {
            let legs = [&*first, &*second].map(|record| (record, seat_of(record, 0)));
            estimator.mean_luck(legs).map_err(|(id, why)| GateRecordError::Luck { id, why })
        });
        let luck = luck.transpose()?;
        let result = PairResult::Played {
            score: Score::from_legs(&legs.map(|(result, _)| result)),
            margin: Margin::from_legs(&legs.map(|(_, margin)| margin)),
            mirrored: are_mirrored(first, second),
            luck,
        };
        // Waiting records should be small; a fault is reported with its turn, so those stay whole.
        for record in [first, second].into_iter().filter(|record| record.fault.is_none()) {
            forget_actions(record);
        }
        self.judge(key.block, (result, Vec::from(pair)))
    }

    /// Marks a match and its pair as void: the pair does not count.
    pub fn void(&mut self, key: &MatchKey) -> Result<bool, GateRecordError> {
        self.legs.remove(&key.block);
        if self.is_over() || !self.voided.insert(key.block) {
            return Ok(self.is_over());
        }
        self.judge(key.block, (PairResult::Voided, Vec::new()))
    }

    /// Judges the pairs that have arrived in schedule order, one by one: the gate ends at the same pair in any
    /// order of arrival.
    fn judge(&mut self, block: u32, pair: Pair) -> Result<bool, GateRecordError> {
        if block < self.gate.next_block() || self.waiting.contains_key(&block) {
            return Err(GateError::Twice(block).into());
        }
        self.waiting.insert(block, pair);
        while !self.is_over() {
            let next = self.gate.next_block();
            let Some((result, records)) = self.waiting.remove(&next) else { break };
            self.gate.record(next, result)?;
            for (rank, record) in records {
                self.count(rank, &record);
            }
        }
        Ok(self.is_over())
    }

    fn count(&mut self, rank: u64, record: &MatchRecord) {
        self.faults.note(rank, record);
        if let Some(fault) = &record.fault {
            self.lost_by_faults[usize::from(fault.seat != seat_of(record, 0))] += 1;
        }
        for (bot, sums) in self.sums.iter_mut().enumerate() {
            sums.add(record, self.better, seat_of(record, bot));
        }
    }

    /// Whether the gate has ended.
    pub fn is_over(&self) -> bool {
        self.answer() != GateAnswer::Unfinished
    }

    /// The answer so far.
    pub fn answer(&self) -> GateAnswer {
        let (_, h1) = self.terms.plan.hypotheses().bounds();
        match self.gate.end() {
            _ if self.terms.max_faults.is_some_and(|most| self.lost_by_faults[0] > most) => {
                GateAnswer::Faulted
            }
            Some(GateEnd::Accepted) if self.is_without_opponent() => GateAnswer::NoOpponent,
            Some(GateEnd::Accepted) => GateAnswer::Accepted,
            Some(GateEnd::Rejected) => GateAnswer::Rejected,
            // A version that plays the same is no weaker.
            Some(GateEnd::Mirror) if h1 <= 0.0 => GateAnswer::Accepted,
            None if self.is_same_without_faults() && h1 <= 0.0 => GateAnswer::Accepted,
            Some(GateEnd::Mirror | GateEnd::MaxPairs) => GateAnswer::Undecided,
            None if self.is_same_without_faults() => GateAnswer::Undecided,
            None => GateAnswer::Unfinished,
        }
    }

    /// Whether both bots are the same one, which has been seen to play. A bot that faults may do so in any match: it is
    /// judged like any other.
    fn is_same_without_faults(&self) -> bool {
        self.same_bots && self.sums[0].matches > 0 && self.lost_by_faults == [0; 2]
    }

    /// Whether bot 1 lost most of the judged matches by faults.
    fn is_without_opponent(&self) -> bool {
        u64::try_from(self.sums[1].matches).is_ok_and(|matches| 2 * self.lost_by_faults[1] > matches)
    }

    /// The sequential test, with what it has judged so far.
    pub(crate) fn state(&self) -> &Gate {
        &self.gate
    }

    /// The state of the sequential test.
    pub fn report(&self) -> GateReport {
        self.gate.report()
    }

    /// The faults of the judged matches.
    pub fn faults(&self) -> &Faults {
        &self.faults
    }

    /// The test without what assumes that time did not end it: what it would be after this long without a decision has no place among
    /// the outcomes, so there is no interval of the test.
    fn untimed(&self, report: &GateReport) -> GateReport {
        GateReport { stagewise: report.stagewise.filter(|_| !self.terms.timed), ..*report }
    }

    /// The document. It contains the seed's text once the gate has ended.
    pub fn document(&self, stored_plan: &StoredPlan) -> GateDocument {
        let seed = stored_plan.tournament_seed();
        let side = |bot: usize| {
            let (name, results) =
                (stored_plan.bots[bot].name.clone(), BotResults::from_sums(&self.sums[bot]));
            GateSide::new(Side { name, results }, &self.faults)
        };
        GateDocument {
            v: REPORT_VERSION,
            tournament: seed.tournament_id(),
            commitment: seed.commitment(),
            seed: self.is_over().then(|| stored_plan.seed.clone()),
            rules: stored_plan.record_rules(),
            better: self.better,
            answer: self.answer(),
            max_faults: self.terms.max_faults,
            test: self.untimed(&as_answered(&self.report(), self.answer())),
            same_bots: self.same_bots,
            interrupted: None,
            bots: [side(0), side(1)],
            cases: None,
            missing_cases: Vec::new(),
        }
    }
}

/// A pair that waits to be judged: its result, and its matches with their ranks.
type Pair = (PairResult, Vec<(u64, MatchRecord)>);

/// Removes the actions; only the number of the last round stays known.
fn forget_actions(record: &mut MatchRecord) {
    let last = record.rounds.pop();
    record.rounds = last.into_iter().collect();
    for round in &mut record.rounds {
        (round.deck, round.actions) = (Vec::new(), Vec::new());
    }
}

/// The seat that a bot has in a match of two: it takes the other one in the second leg.
fn seat_of(record: &MatchRecord, bot: usize) -> Seat {
    let turned = !(record.leg as usize + bot).is_multiple_of(2);
    if turned { record.bots.seats().after(Seat::FIRST) } else { Seat::FIRST }
}

/// A match's result for the new version, and its margin.
fn fared(record: &MatchRecord, better: WinningScore) -> (Comparison, Option<i64>) {
    let (seat, end) = (seat_of(record, 0), crate::record::final_scores(record, better));
    let other = record.scores.seats().after(seat);
    (end.compare(seat, other), end.margin(seat, other))
}

/// Whether two legs of a pair are the same match with the bots in each other's seats: every deal, every action and the end.
fn are_mirrored(first: &MatchRecord, second: &MatchRecord) -> bool {
    let fault = |record: &MatchRecord| record.fault.as_ref().map(|fault| (fault.seat, fault.code));
    let strikes = |record: &MatchRecord| -> Vec<_> {
        record.strikes.iter().map(|strike| (strike.seat, strike.round, strike.action, strike.code)).collect()
    };
    first.rounds == second.rounds
        && first.scores == second.scores
        && (first.winner, first.end) == (second.winner, second.end)
        && fault(first) == fault(second)
        && strikes(first) == strikes(second)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::sample;
    use crate::report::LUCK_TERMS;
    use leyden_model::FaultRecord;
    use leyden_stats::{Hypotheses, NormalisedElo, SprtPlan};

    fn gate(most: u64) -> RunningGate {
        let hypotheses = Hypotheses::Normalised { h0: NormalisedElo::new(0.0), h1: NormalisedElo::new(20.0) };
        let plan = SprtPlan::new(hypotheses, 0.05, 0.05, 500).unwrap();
        let rules = sample::stored_plan(2, 1).record_rules().rules().unwrap();
        RunningGate::new(GateTerms { plan, max_faults: Some(most), timed: false }, &rules).unwrap()
    }

    #[test]
    fn faulted_gate_ends_alike_in_any_match_order() {
        let stored_plan = sample::stored_plan(2, 12);
        let schedule = stored_plan.schedule().unwrap();
        let mut matches: Vec<_> = sample::matches(&stored_plan).collect();
        // Bot 0 loses the first leg of every second pair by a fault.
        for (key, record) in &mut matches {
            if key.block % 2 == 1 && record.leg == 0 {
                let (_, faulted) = sample::faulted(&stored_plan).next().unwrap();
                let seat = seat_of(record, 0);
                record.fault = faulted.fault.map(|fault| FaultRecord { seat, ..fault });
            }
        }
        let run = |order: &mut dyn Iterator<Item = &(MatchKey, MatchRecord)>| {
            let mut gate = gate(2);
            for (key, record) in order {
                gate.take(schedule.rank(key).unwrap(), key, record.clone()).unwrap();
            }
            gate.document(&stored_plan)
        };
        let forth = run(&mut matches.iter());
        let back = run(&mut matches.iter().rev());
        assert_eq!(forth.answer, GateAnswer::Faulted);
        assert_eq!(forth.test.pairs, 6, "the third fault is in the sixth pair");
        assert_eq!(forth, back);
    }

    #[test]
    fn luck_adjusted_gate_judges_alike_in_any_order() {
        let stored_plan = sample::stored_plan(2, 40);
        let rules = stored_plan.record_rules().rules().unwrap();
        let schedule = stored_plan.schedule().unwrap();
        let plan = |luck| {
            let plan = gate(0).terms.plan.with_mirror_pairs(0);
            let plan = if luck { plan.with_luck(LUCK_TERMS) } else { plan };
            GateTerms { plan, max_faults: None, timed: false }
        };
        let matches: Vec<_> = sample::matches(&stored_plan).collect();
        let run = |plan, order: &mut dyn Iterator<Item = &(MatchKey, MatchRecord)>| {
            let mut gate = RunningGate::new(plan, &rules).unwrap();
            for (key, record) in order {
                gate.take(schedule.rank(key).unwrap(), key, record.clone()).unwrap();
            }
            gate.document(&stored_plan)
        };
        let forth = run(plan(true), &mut matches.iter());
        let back = run(plan(true), &mut matches.iter().rev());
        assert_eq!(serde_json::to_string(&forth).unwrap(), serde_json::to_string(&back).unwrap());
        let raw = run(plan(false), &mut matches.iter());
        assert!(
            forth.test.adjusted.is_some() && forth.test.state.llr.to_bits() != raw.test.state.llr.to_bits()
        );
        // The raw figures are the official ones, and the same.
        assert_eq!((forth.test.counts, forth.test.estimate), (raw.test.counts, raw.test.estimate));
        assert_eq!(raw.test.adjusted, None);
    }

    #[test]
    fn timed_gate_reports_no_stagewise_interval() {
        let stored_plan = sample::stored_plan(2, 5);
        let rules = stored_plan.record_rules().rules().unwrap();
        let schedule = stored_plan.schedule().unwrap();
        for timed in [false, true] {
            let hypotheses = gate(0).terms.plan.hypotheses();
            let plan = SprtPlan::new(hypotheses, 0.05, 0.05, 5).unwrap().with_mirror_pairs(0);
            let mut gate = RunningGate::new(GateTerms { plan, max_faults: None, timed }, &rules).unwrap();
            for (key, record) in sample::matches(&stored_plan) {
                gate.take(schedule.rank(&key).unwrap(), &key, record).unwrap();
            }
            let test = gate.document(&stored_plan).test;
            assert_eq!(test.end, Some(GateEnd::MaxPairs));
            assert_eq!((test.stagewise.is_some(), test.estimate.is_some()), (!timed, true), "{timed}");
        }
    }

    #[test]
    fn luck_of_another_version_is_not_judged() {
        let rules = sample::stored_plan(2, 1).record_rules().rules().unwrap();
        let other = leyden_stats::LuckTerms { version: LUCK_TERMS.version + 1, ..LUCK_TERMS };
        let terms = GateTerms { plan: gate(0).terms.plan.with_luck(other), ..gate(0).terms };
        let refused = RunningGate::new(terms, &rules).err().unwrap();
        assert!(refused.to_string().contains("resume it with the leyden that started it"), "{refused}");
    }
}
