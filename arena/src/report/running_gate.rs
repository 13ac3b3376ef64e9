//! A gate that is fed with match records in any order, and what it came to.

use std::collections::{BTreeMap, BTreeSet};

use crate::record::store::{BotSums, GateTerms, Results, StoredPlan};
use leyden_model::{BotEntry, MatchKey, MatchRecord};
use leyden_protocol::{Seat, WinningScore};
use leyden_rules::Rules;
use leyden_stats::{Comparison, Gate, GateEnd, GateError, GateReport, Margin, PairResult, Score};

use super::error::{GateRecordError, NoPairLuck, ReportDefect, ReportError};
use super::faults::Faults;
use super::gate::{GateAnswer, GateDocument, GateSide, as_answered};
use super::pair_luck::PairJudge;
use super::results::BotResults;
use super::version::REPORT_VERSION;
use super::versus::Side;

/// A running gate of bot 0, the new version, against bot 1.
pub struct RunningGate {
    terms: GateTerms,
    gate: Gate,
    better: WinningScore,
    /// Of a gate that takes luck out.
    luck: Option<PairJudge>,
    /// Legs whose other leg is not there yet.
    legs: BTreeMap<u32, (u64, MatchRecord)>,
    /// Pairs that are not judged yet, for one before them is missing.
    waiting: BTreeMap<u32, Pair>,
    /// Pairs of which a match is void.
    voided: BTreeSet<u32>,
    sums: [BotSums; 2],
    faults: Faults,
    /// How many of the judged matches each bot lost by faults.
    lost_by_faults: [u64; 2],
    /// Whether both bots are made of the same.
    same_bots: bool,
}

impl RunningGate {
    /// Nothing judged and no fault noted yet. It ends at the latest with the pair in which bot 0 loses more matches by faults than
    /// it may. An error if luck is to be taken out, and this leyden does not do it so.
    pub fn new(terms: GateTerms, rules: &Rules) -> Result<Self, NoPairLuck> {
        let (better, luck) = (rules.better, PairJudge::of(&terms.plan, rules)?);
        let (legs, waiting) = (BTreeMap::new(), BTreeMap::new());
        let (sums, faults) = (Default::default(), Faults::default());
        let (gate, voided) = (Gate::new(terms.plan), BTreeSet::new());
        let lost_by_faults = [0; 2];
        let same_bots = false;
        Ok(Self { terms, gate, better, luck, legs, waiting, voided, sums, faults, lost_by_faults, same_bots })
    }

    /// The same between these bots, the new one first. If both are made of the same, neither can be the stronger one, and a single pair
    /// shows that they play: if it ends without a fault, the gate is over.
    #[must_use]
    pub fn of_bots(self, bots: &[BotEntry]) -> Self {
        let same_bots = matches!(bots, [new, old] if new.is_same_bot(old));
        Self { same_bots, ..self }
    }

    /// Whether both bots are made of the same.
    pub fn is_of_same_bots(&self) -> bool {
        self.same_bots
    }

    /// The gate that a results file holds, as far as its matches decide it; `None` if it holds no gate.
    pub fn stored(results: &Results) -> Result<Option<Self>, ReportError> {
        let Some(terms) = results.stored_plan().gate else { return Ok(None) };
        let rules = results.stored_plan().record_rules().rules()?;
        let mut trial = Self::new(terms, &rules)?.of_bots(&results.stored_plan().bots);
        let schedule = results.stored_plan().schedule()?;
        for stored in results.records() {
            let (key, record) = stored?;
            let rank = schedule.rank(&key).unwrap_or_default(); // the file knows no other matches
            if trial.take(rank, &key, record).map_err(ReportDefect::from)? {
                break;
            }
        }
        Ok(Some(trial))
    }

    /// Takes in a match, at whatever time it ended, and says whether the test has ended. After that nothing changes.
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
        let lucks = self.luck.as_ref().map(|judge| {
            let legs = [&*first, &*second].map(|record| (record, seat_of(record, 0)));
            judge.lucks(legs).map_err(|(id, why)| GateRecordError::Luck { id, why })
        });
        let lucks = lucks.transpose()?;
        let result = PairResult::Played {
            score: Score::of_legs(&legs.map(|(result, _)| result)),
            margin: Margin::of_legs(&legs.map(|(_, margin)| margin)),
            mirrored: are_mirrored(first, second),
            lucks,
        };
        // What waits takes little room; a fault has to be told with its place.
        for record in [first, second].into_iter().filter(|record| record.fault.is_none()) {
            forget_actions(record);
        }
        self.judge(key.block, (result, Vec::from(pair)))
    }

    /// Takes in that a match is void, and with it its pair, which counts for nobody.
    pub fn void(&mut self, key: &MatchKey) -> Result<bool, GateRecordError> {
        self.legs.remove(&key.block);
        if self.is_over() || !self.voided.insert(key.block) {
            return Ok(self.is_over());
        }
        self.judge(key.block, (PairResult::Voided, Vec::new()))
    }

    /// Judges as far as pairs are there one after another: one by one, so that it ends at the same pair in whatever order
    /// they come.
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

    /// Whether the test has ended.
    pub fn is_over(&self) -> bool {
        self.answer() != GateAnswer::Unfinished
    }

    /// What it has come to so far.
    pub fn answer(&self) -> GateAnswer {
        let (_, h1) = self.terms.plan.hypotheses().bounds();
        match self.gate.end() {
            _ if self.terms.max_faults.is_some_and(|most| self.lost_by_faults[0] > most) => {
                GateAnswer::Faulted
            }
            Some(GateEnd::Accepted) if self.is_without_opponent() => GateAnswer::NoOpponent,
            Some(GateEnd::Accepted) => GateAnswer::Accepted,
            Some(GateEnd::Rejected) => GateAnswer::Rejected,
            // A version that plays alike is no weaker.
            Some(GateEnd::Mirror) if h1 <= 0.0 => GateAnswer::Accepted,
            None if self.is_same_without_faults() && h1 <= 0.0 => GateAnswer::Accepted,
            Some(GateEnd::Mirror | GateEnd::MaxPairs) => GateAnswer::Undecided,
            None if self.is_same_without_faults() => GateAnswer::Undecided,
            None => GateAnswer::Unfinished,
        }
    }

    /// Whether both bots are the same one, which has been seen to play. One that faults may do so in any match: it is judged as others
    /// are.
    fn is_same_without_faults(&self) -> bool {
        self.same_bots && self.sums[0].matches > 0 && self.lost_by_faults == [0; 2]
    }

    /// Whether bot 1 lost most of the judged matches by faults.
    fn is_without_opponent(&self) -> bool {
        u64::try_from(self.sums[1].matches).is_ok_and(|matches| 2 * self.lost_by_faults[1] > matches)
    }

    /// Where the test stands.
    pub fn report(&self) -> GateReport {
        self.gate.report()
    }

    /// The faults of the judged matches.
    pub fn faults(&self) -> &Faults {
        &self.faults
    }

    /// The document. The seed's text is told once the test has ended.
    pub fn document(&self, stored_plan: &StoredPlan) -> GateDocument {
        let seed = stored_plan.tournament_seed();
        let side = |bot: usize| {
            let (name, results) = (stored_plan.bots[bot].name.clone(), BotResults::of(&self.sums[bot]));
            GateSide::of(Side { name, results }, &self.faults)
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
            test: as_answered(&self.report(), self.answer()),
            same_bots: self.same_bots,
            broken_off: None,
            bots: [side(0), side(1)],
            cases: None,
            missing_cases: Vec::new(),
        }
    }
}

/// A pair that waits to be judged: what it came to, and its matches with their ranks.
type Pair = (PairResult, Vec<(u64, MatchRecord)>);

/// Leaves of the rounds only which one was the last.
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

/// How the new version fared in a match, and by what margin.
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

    fn trial(most: u64) -> RunningGate {
        let hypotheses = Hypotheses::Normalised { h0: NormalisedElo::new(0.0), h1: NormalisedElo::new(20.0) };
        let plan = SprtPlan::new(hypotheses, 0.05, 0.05, 500).unwrap();
        let rules = sample::stored_plan(2, 1).record_rules().rules().unwrap();
        RunningGate::new(GateTerms { plan, max_faults: Some(most) }, &rules).unwrap()
    }

    #[test]
    fn faults_end_it_at_the_same_pair_in_whatever_order_matches_come() {
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
            let mut trial = trial(2);
            for (key, record) in order {
                trial.take(schedule.rank(key).unwrap(), key, record.clone()).unwrap();
            }
            trial.document(&stored_plan)
        };
        let forth = run(&mut matches.iter());
        let back = run(&mut matches.iter().rev());
        assert_eq!(forth.answer, GateAnswer::Faulted);
        assert_eq!(forth.test.pairs, 6, "the third fault is in the sixth pair");
        assert_eq!(forth, back);
    }

    #[test]
    fn a_gate_without_luck_judges_the_same_in_whatever_order_matches_come() {
        let stored_plan = sample::stored_plan(2, 40);
        let rules = stored_plan.record_rules().rules().unwrap();
        let schedule = stored_plan.schedule().unwrap();
        let plan = |luck| {
            let plan = trial(0).terms.plan.with_mirror_pairs(0);
            GateTerms { plan: if luck { plan.with_luck(LUCK_TERMS) } else { plan }, max_faults: None }
        };
        let matches: Vec<_> = sample::matches(&stored_plan).collect();
        let run = |plan, order: &mut dyn Iterator<Item = &(MatchKey, MatchRecord)>| {
            let mut trial = RunningGate::new(plan, &rules).unwrap();
            for (key, record) in order {
                trial.take(schedule.rank(key).unwrap(), key, record.clone()).unwrap();
            }
            trial.document(&stored_plan)
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
    fn luck_of_another_version_is_not_judged() {
        let rules = sample::stored_plan(2, 1).record_rules().rules().unwrap();
        let other = leyden_stats::LuckTerms { version: LUCK_TERMS.version + 1, ..LUCK_TERMS };
        let terms = GateTerms { plan: trial(0).terms.plan.with_luck(other), max_faults: None };
        let refused = RunningGate::new(terms, &rules).err().unwrap();
        assert!(refused.to_string().contains("go on with the leyden that began it"), "{refused}");
    }
}
