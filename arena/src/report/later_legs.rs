//! Which bots do better in later legs of a pair: turns match results into report lines. The test itself is in `leyden_stats`.

use leyden_model::{BotIndex, MatchKey};
use leyden_protocol::{PerSeat, Seat, Seats};
use leyden_stats::{FinalScores, LaterLegs, LaterLegsBias};
use schemars::JsonSchema;
use serde::Serialize;

/// A bot that does better in later legs of a pair than in earlier ones, by more than chance. The legs of a pair share their
/// deal: it may know what was dealt.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "LaterLegs")]
pub struct LaterLegsLine {
    pub bot: String,
    /// Complete pairs without a fault.
    pub pairs: u64,
    /// By how many points per match later legs were better than earlier ones, −1..=1: with two legs, the mean score of the
    /// second minus the mean score of the first.
    pub better_by: f64,
    /// An upper bound on the probability that chance alone makes any bot of the field look like this; below 0.001.
    pub chance: f64,
}

/// One match of a pair.
pub(super) struct Leg {
    /// Its number in the order of play.
    pub(super) number: u32,
    pub(super) end: FinalScores,
    /// The index in the report of the bot in each seat.
    pub(super) bots: PerSeat<usize>,
}

impl Leg {
    pub(super) fn new((key, end): &(MatchKey, FinalScores), index: impl Fn(BotIndex) -> usize) -> Self {
        Self { number: key.leg, end: *end, bots: key.seating().map(|bot| index(*bot)) }
    }

    /// Where a bot sits; `None` if it does not sit at the table.
    pub(super) fn seat(&self, bot: usize) -> Option<Seat> {
        Some(self.bots.iter().find(|(_, other)| **other == bot)?.0)
    }

    /// The half points of a bot against all others at the table; `None` if it does not sit there.
    fn half_points(&self, bot: usize) -> Option<u32> {
        let seat = self.seat(bot)?;
        Some(self.end.others(seat).map(|other| u32::from(self.end.compare(seat, other).half_points())).sum())
    }
}

/// The legs of all pairs, for each bot.
pub(super) struct LegSums(Vec<LaterLegs>);

impl LegSums {
    pub(super) fn new(bots: usize, seats: Seats) -> Self {
        Self(vec![LaterLegs::new(seats.count() as u32); bots])
    }

    /// Counts a pair by its legs, in order. Incomplete pairs and those with a fault are ignored.
    pub(super) fn count(&mut self, legs: &[Leg]) {
        let Some(first) = legs.first() else { return };
        let in_order = (0..).zip(legs).all(|(number, leg)| leg.number == number);
        if !in_order || legs.iter().any(|leg| leg.end.fault.is_some()) {
            return;
        }
        for &bot in first.bots.as_slice() {
            let points: Vec<u32> = legs.iter().filter_map(|leg| leg.half_points(bot)).collect();
            if let Some(sums) = self.0.get_mut(bot) {
                sums.count(&points);
            }
        }
    }

    /// The bots to report.
    pub(super) fn lines(&self, names: &[String]) -> Vec<LaterLegsLine> {
        let line = |(name, sums): (&String, &LaterLegs)| {
            let LaterLegsBias { pairs, mean, chance } = sums.bias(names.len())?;
            Some(LaterLegsLine { bot: name.clone(), pairs, better_by: mean, chance })
        };
        names.iter().zip(&self.0).filter_map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use leyden_model::MatchRecord;
    use leyden_protocol::{RulesName, Set, WinningScore};

    use super::*;
    use crate::record::sample;
    use crate::record::store::{Results, StoredPlan, Writer};
    use crate::report::{BotOrder, CompletePairs, ExportTally, TournamentTally};

    /// A tournament that one bot wins in later legs and loses in earlier ones, as every source reports it.
    fn lines_of(
        stored_plan: &StoredPlan,
        winner: u32,
        change: impl Fn(&MatchKey, &mut MatchRecord),
    ) -> Vec<LaterLegsLine> {
        let all: Vec<(MatchKey, MatchRecord)> = sample::matches(stored_plan)
            .map(|(key, mut record)| {
                let is_later = 2 * key.leg as usize + 1 > stored_plan.settings.seats.count();
                let has_won = |bot: &BotIndex| (bot.0 == winner) == is_later;
                // Fewer points are better in leyden, more in matador.
                record.scores = key
                    .seating()
                    .map(|bot| if has_won(bot) == more_is_better(stored_plan) { 100 } else { 0 });
                change(&key, &mut record);
                (key, record)
            })
            .collect();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.db");
        let writer = Writer::create(&path, stored_plan).unwrap();
        let (mut pairs, mut exported) = (
            CompletePairs::new(stored_plan, stored_plan.settings.rules().unwrap().better).unwrap(),
            ExportTally::default(),
        );
        for (key, record) in &all {
            writer.add(key, record.clone()).unwrap();
        }
        writer.finish().unwrap();
        for legs in all.chunks(stored_plan.settings.seats.count()) {
            pairs.add(legs);
        }
        for (_, record) in all.iter().rev() {
            exported.add(record).unwrap();
        }
        let stored = TournamentTally::from_results(&Results::open(&path).unwrap(), BotOrder::ByName)
            .unwrap()
            .later_legs;
        assert_eq!(pairs.gathered(stored_plan, &BTreeSet::new()).unwrap().later_legs, stored);
        assert_eq!(exported.finish(None).unwrap().later_legs, stored);
        stored
    }

    fn more_is_better(stored_plan: &StoredPlan) -> bool {
        stored_plan.settings.rules().unwrap().better == WinningScore::Higher
    }

    #[test]
    fn bot_improving_in_later_legs_is_named_alone() {
        for (rules, seats) in [(RulesName::Leyden, 2), (RulesName::Matador, 3)] {
            let stored_plan = sample::stored_plan_of(rules, seats, Set::DoubleSix, seats + 1, 20);
            let lines = lines_of(&stored_plan, 1, |_, _| {});
            let [line] = &lines[..] else { panic!("{lines:?}") };
            assert_eq!(line.bot, "bot-1");
            assert!(line.better_by > 0.5 && line.chance < 1e-3 && line.pairs > 20, "{line:?}");
        }
    }

    #[test]
    fn pairs_with_a_fault_are_left_out() {
        let stored_plan = sample::stored_plan(3, 20);
        let fault = sample::faulted(&stored_plan).next().unwrap().1.fault;
        let faulted = |key: &MatchKey, record: &mut MatchRecord| {
            if key.leg == 0 {
                record.fault.clone_from(&fault);
            }
        };
        assert_eq!(lines_of(&stored_plan, 1, faulted), []);
    }
}
