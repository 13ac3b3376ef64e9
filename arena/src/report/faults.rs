//! The faults of a run, for the bots' authors: how many of each bot and kind, and where the first few can be seen.

use std::collections::BTreeMap;

use crate::record::store::{Results, StoreError};
use leyden_model::{BotEntry, FaultDetails, MatchKey, MatchRecord, TurnRef};
use leyden_protocol::{FaultCode, Seat};

/// How many faults of each bot and kind are listed.
const NAMED: usize = 3;

/// Faults by bot and kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    kinds: BTreeMap<(String, FaultCode), FaultKind>,
    /// For each bot, what to type for it: its folder, or its command line.
    named: BTreeMap<String, String>,
}

/// One bot's faults of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FaultKind {
    /// The number of matches lost by them.
    pub count: u64,
    /// The first ones in schedule order, by rank: at most three.
    pub first: BTreeMap<u64, LocatedFault>,
}

/// One fault, and where it can be seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocatedFault {
    /// The match's id.
    pub id: String,
    pub seat: Seat,
    /// The round in which it happened; `None` if nothing was dealt.
    pub round: Option<u32>,
    /// The question that was answered with it; `None` if nothing was dealt.
    pub turn_ref: Option<TurnRef>,
    /// What is known of it.
    pub details: FaultDetails,
}

impl LocatedFault {
    /// The fault that ended a match; `None` if there was none.
    pub fn from_record(record: &MatchRecord) -> Option<Self> {
        let fault = record.fault.as_ref()?;
        Some(Self {
            id: record.id.clone(),
            seat: fault.seat,
            round: record.rounds.last().map(|round| round.round),
            turn_ref: record.rounds.last().map(|round| TurnRef {
                round: (record.rounds.len() - 1) as u32, // at most a few hundred
                action: round.actions.len() as u32,
            }),
            details: fault.details.clone(),
        })
    }
}

impl Faults {
    /// The faults in a results file.
    pub fn from_results(results: &Results) -> Result<Self, StoreError> {
        let stored_plan = results.stored_plan();
        let mut faults = Self::default().with_bots(&stored_plan.bots_from_here());
        let schedule = results.schedule()?;
        let mut named = Vec::new();
        let mut each = |key: MatchKey, seat: Seat, code: FaultCode| {
            let name = &stored_plan.bots[key.seat(seat).index()].name;
            let kind = faults.kinds.entry((name.clone(), code)).or_default();
            kind.count += 1;
            if kind.count <= NAMED as u64 {
                named.push(key);
            }
        };
        results.each_fault(&mut each)?;
        for key in named {
            if let (Some(rank), Some(record)) = (schedule.rank(&key), results.record(&key)?) {
                faults.name(rank, &record);
            }
        }
        Ok(faults)
    }

    /// Adds what to type for these bots.
    #[must_use]
    pub fn with_bots(self, bots: &[BotEntry]) -> Self {
        let named = bots.iter().filter_map(|bot| Some((bot.name.clone(), typed(bot)?))).collect();
        Self { named, ..self }
    }

    /// Counts how a match ended.
    pub fn note(&mut self, rank: u64, record: &MatchRecord) {
        let Some(fault) = &record.fault else { return };
        self.kinds.entry((record.bots[fault.seat].clone(), fault.code)).or_default().count += 1;
        self.name(rank, record);
    }

    /// Keeps the message of a fault that has been counted.
    fn name(&mut self, rank: u64, record: &MatchRecord) {
        let (Some(fault), Some(seen)) = (&record.fault, LocatedFault::from_record(record)) else { return };
        let Some(kind) = self.kinds.get_mut(&(record.bots[fault.seat].clone(), fault.code)) else { return };
        if kind.first.len() >= NAMED && kind.first.last_key_value().is_some_and(|(last, _)| *last < rank) {
            return;
        }
        kind.first.insert(rank, seen);
        if kind.first.len() > NAMED {
            kind.first.pop_last();
        }
    }

    /// What to type for a bot, if known: its folder or archive, or its command line in quotes.
    pub fn named(&self, bot: &str) -> Option<&str> {
        self.named.get(bot).map(String::as_str)
    }

    /// Whether no bot faulted.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// The bots that faulted, by name, each with the kinds of its faults.
    pub fn iter(&self) -> impl Iterator<Item = (&str, FaultCode, &FaultKind)> {
        self.kinds.iter().map(|((name, code), kind)| (name.as_str(), *code, kind))
    }
}

/// What to type for a bot, if known: its folder or archive, or its command line in quotes. `None` for a bot from git, whose
/// files are gone again.
pub fn typed(bot: &BotEntry) -> Option<String> {
    if bot.is_from_git() {
        return None;
    }
    if let Some(folder) = &bot.folder {
        return Some(folder.clone());
    }
    match &bot.command[..] {
        [one] => Some(one.clone()),
        words => shlex::try_join(words.iter().map(String::as_str)).ok(),
    }
}
