//! A gate that is fed with match records in any order, and what it came to.

use std::collections::{BTreeMap, BTreeSet};

use crate::record::store::{BotSums, Setup};
use leyden_model::MatchKey;
use leyden_model::{MatchRecord, RecordRules};
use leyden_protocol::{Better, Seat};
use leyden_stats::{Comparison, Gate, GateEnd, GateError, GateReport, Margin, PairResult, Score, SprtPlan};
use schemars::JsonSchema;
use serde::Serialize;

use super::REPORT_VERSION;
use super::faults::Faults;
use super::results::BotResults;
use super::versus::Side;

/// What a gate came to. Only judged pairs are in it: the ones up to the decision, in schedule order. The same records give
/// the same document, thinking times (`_us`) apart.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(title = "What a gate came to")]
pub struct GateDocument {
    /// The version of this form: 1.
    pub v: u32,
    /// The tournament's id: the first 16 hex digits of its seed commitment.
    pub tournament: String,
    /// SHA-256 of the seed.
    pub commitment: String,
    /// The seed's text, from which every deal follows; `null` while the gate can still be resumed.
    pub seed: Option<String>,
    pub rules: RecordRules,
    /// Which direction of score is good.
    pub better: Better,
    /// The verdict, the ratio between its bounds, and two intervals: one that agrees with the verdict, and one that would
    /// hold whenever the test had stopped.
    pub test: GateReport,
    /// The new version, then the old one, over the judged matches.
    pub bots: [Side; 2],
}

/// A running gate of bot 0, the new version, against bot 1.
pub struct Trial {
    gate: Gate,
    better: Better,
    /// Legs whose other leg is not there yet.
    legs: BTreeMap<u32, (u64, MatchRecord)>,
    /// Pairs that are not judged yet, for one before them is missing.
    waiting: BTreeMap<u32, [(u64, MatchRecord); 2]>,
    /// Pairs of which a match is void.
    voided: BTreeSet<u32>,
    sums: [BotSums; 2],
    faults: Faults,
}

impl Trial {
    /// Nothing judged and no fault noted yet.
    pub fn new(plan: SprtPlan, better: Better) -> Self {
        let (legs, waiting) = (BTreeMap::new(), BTreeMap::new());
        let (sums, faults) = (Default::default(), Faults::default());
        Self { gate: Gate::new(plan), better, legs, waiting, voided: BTreeSet::new(), sums, faults }
    }

    /// Takes in a match, at whatever time it ended, and says how the test ended, if it has. After that nothing changes.
    pub fn take(
        &mut self,
        rank: u64,
        key: &MatchKey,
        record: MatchRecord,
    ) -> Result<Option<GateEnd>, GateError> {
        if self.gate.end().is_some() {
            return Ok(self.gate.end());
        }
        if self.voided.contains(&key.block) {
            return Ok(None);
        }
        let Some(other) = self.legs.remove(&key.block) else {
            self.legs.insert(key.block, (rank, record));
            return Ok(None);
        };
        let mut pair = [other, (rank, record)];
        pair.sort_by_key(|(_, record)| record.leg);
        let [(_, first), (_, second)] = &mut pair;
        let legs = [&*first, &*second].map(|record| fared(record, self.better));
        let result = PairResult::Played {
            score: Score::of_legs(&legs.map(|(result, _)| result)),
            margin: Margin::of_legs(&legs.map(|(_, margin)| margin)),
            mirrored: are_mirrored(first, second),
        };
        for record in [first, second] {
            forget_actions(record); // what waits takes little room
        }
        self.waiting.insert(key.block, pair);
        let end = self.gate.record(key.block, result)?;
        let still = self.waiting.split_off(&self.gate.next_block());
        for pair in std::mem::replace(&mut self.waiting, still).into_values() {
            for (rank, record) in pair {
                self.count(rank, &record);
            }
        }
        Ok(end)
    }

    /// Takes in that a match is void, and with it its pair, which counts for nobody.
    pub fn void(&mut self, key: &MatchKey) -> Result<Option<GateEnd>, GateError> {
        self.legs.remove(&key.block);
        if self.gate.end().is_some() || !self.voided.insert(key.block) {
            return Ok(self.gate.end());
        }
        self.gate.record(key.block, PairResult::Voided)
    }

    fn count(&mut self, rank: u64, record: &MatchRecord) {
        self.faults.note(rank, record);
        for (bot, sums) in self.sums.iter_mut().enumerate() {
            sums.add(record, self.better, seat_of(record, bot));
        }
    }

    /// How the test ended, if it has.
    pub fn end(&self) -> Option<GateEnd> {
        self.gate.end()
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
    pub fn document(&self, setup: &Setup) -> GateDocument {
        let seed = setup.tournament_seed();
        let side = |bot: usize| Side {
            name: setup.bots[bot].name.clone(),
            results: BotResults::of(&self.sums[bot]),
        };
        GateDocument {
            v: REPORT_VERSION,
            tournament: seed.tournament_id(),
            commitment: seed.commitment(),
            seed: self.end().map(|_| setup.seed.clone()),
            rules: setup.record_rules(),
            better: self.better,
            test: self.report(),
            bots: [side(0), side(1)],
        }
    }
}

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
fn fared(record: &MatchRecord, better: Better) -> (Comparison, Option<i64>) {
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
