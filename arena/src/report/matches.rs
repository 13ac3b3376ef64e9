//! A list of matches and their results, to find the one worth looking at.

use std::collections::BTreeSet;

use leyden_model::{FaultDetails, MatchRecord, TurnRef};
use leyden_protocol::{FaultCode, MatchEnding, PerSeat, Seat, WinningScore};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::record::final_scores;

/// The output of `leyden matches --json`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(title = "Matches")]
pub struct MatchList {
    /// The version of this format: 1.
    pub v: u32,
    pub matches: Vec<MatchLine>,
}

/// One match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MatchLine {
    #[serde(rename = "match")]
    pub id: String,
    /// Which pair of its table, from 0.
    pub block: u32,
    /// Which seating of the pair, from 0.
    pub leg: u32,
    /// The bots in seat order.
    pub bots: PerSeat<String>,
    pub scores: PerSeat<u32>,
    /// Null if nobody won.
    pub winner: Option<Seat>,
    pub end: MatchEnding,
    /// The number of rounds that were scored.
    pub rounds: u32,
    /// The number of actions, including forced ones.
    pub actions: u64,
    /// By how much the best score beats the next; 0 after a fault.
    pub margin: u32,
    /// The longest time that each seat thought about an action, in microseconds.
    pub slowest_us: PerSeat<u64>,
    /// The fault that ended it.
    pub fault: Option<FaultLine>,
    /// The number of strikes.
    pub strikes: u64,
    /// The tags in the notes of each seat.
    pub tags: PerSeat<BTreeSet<String>>,
}

/// Which seat committed the fault, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FaultLine {
    pub seat: Seat,
    pub code: FaultCode,
    /// The question that was answered with it; null if nothing had been dealt.
    #[serde(rename = "place")]
    pub turn_ref: Option<TurnRef>,
    /// The message for its author.
    #[serde(rename = "message", serialize_with = "FaultDetails::as_text")]
    #[schemars(with = "String")]
    pub details: FaultDetails,
}

/// The order in which matches are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MatchOrder {
    /// In schedule order.
    Schedule,
    /// The clearest result first.
    Margin,
    /// The most rounds first.
    Rounds,
    /// The longest decision first.
    Slowest,
}

impl MatchLine {
    /// The line of a record; `better` follows from its rules.
    pub fn from_record(record: &MatchRecord, better: WinningScore) -> Self {
        let seats = record.bots.seats();
        Self {
            id: record.id.clone(),
            block: record.block,
            leg: record.leg,
            bots: record.bots.clone(),
            scores: record.scores,
            winner: record.winner,
            end: record.end,
            rounds: record.rounds.iter().filter(|deal| deal.end.is_scored()).count() as u32,
            actions: record.rounds.iter().map(|deal| deal.actions.len() as u64).sum(),
            margin: final_scores(record, better).winning_margin().unwrap_or(0),
            slowest_us: PerSeat::from_fn(seats, |seat| {
                record.think_us[seat].iter().copied().max().unwrap_or_default()
            }),
            fault: record.fault.as_ref().map(|fault| FaultLine {
                seat: fault.seat,
                code: fault.code,
                turn_ref: record.last_question(),
                details: fault.details.clone(),
            }),
            strikes: record.strikes.len() as u64,
            tags: PerSeat::from_fn(seats, |seat| {
                let notes = record.notes.iter().filter(|note| note.seat == seat);
                notes.flat_map(|note| note.note.tags()).cloned().collect()
            }),
        }
    }
}

/// Sorts a list; equal matches stay in schedule order.
pub fn sort_matches(matches: &mut [MatchLine], order: MatchOrder) {
    let most = |line: &MatchLine| line.slowest_us.as_slice().iter().copied().max();
    match order {
        MatchOrder::Schedule => {}
        MatchOrder::Margin => matches.sort_by_key(|line| std::cmp::Reverse(line.margin)),
        MatchOrder::Rounds => matches.sort_by_key(|line| std::cmp::Reverse(line.rounds)),
        MatchOrder::Slowest => matches.sort_by_key(|line| std::cmp::Reverse(most(line))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::sample;

    #[test]
    fn line_says_what_a_match_came_to() {
        let stored_plan = sample::stored_plan(3, 1);
        for (_, record) in sample::matches(&stored_plan) {
            let line = MatchLine::from_record(&record, WinningScore::Lower);
            let [first, second] = record.scores.as_slice() else { panic!("two seats") };
            assert_eq!(line.margin, first.abs_diff(*second));
            assert_eq!((line.id, line.fault), (record.id, None));
        }
        let (_, faulted) = sample::faulted(&stored_plan).next().unwrap();
        let line = MatchLine::from_record(&faulted, WinningScore::Lower);
        let expected = faulted.fault.map(|fault| (fault.seat, fault.details));
        assert_eq!(line.fault.map(|fault| (fault.seat, fault.details)), expected);
        assert_eq!(line.margin, 0);
    }

    #[test]
    fn each_match_order_keeps_equals_in_schedule_order() {
        let (_, record) = sample::matches(&sample::stored_plan(2, 1)).next().unwrap();
        let line = |block, [margin, rounds, slowest]: [u32; 3]| MatchLine {
            block,
            margin,
            rounds,
            slowest_us: PerSeat::from_fn(record.bots.seats(), |_| u64::from(slowest)),
            ..MatchLine::from_record(&record, WinningScore::Lower)
        };
        let keys = [[1, 5, 9], [2, 5, 8], [1, 4, 9], [2, 6, 7], [3, 5, 8], [1, 5, 9]];
        for (order, expected) in [
            (MatchOrder::Schedule, [0, 1, 2, 3, 4, 5]),
            (MatchOrder::Margin, [4, 1, 3, 0, 2, 5]),
            (MatchOrder::Rounds, [3, 0, 1, 4, 5, 2]),
            (MatchOrder::Slowest, [0, 2, 5, 1, 4, 3]),
        ] {
            let mut sorted: Vec<_> = (0..).zip(keys).map(|(block, key)| line(block, key)).collect();
            sort_matches(&mut sorted, order);
            assert_eq!(sorted.iter().map(|line| line.block).collect::<Vec<_>>(), expected, "{order:?}");
        }
    }
}
