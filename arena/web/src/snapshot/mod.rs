//! What may be seen of a tournament at one moment, as values: pages are built only from these.
//!
//! While matches are still to be played, a snapshot contains only what a [spectator](leyden_model::projection::Audience::Spectator)
//! may know of complete pairs: no seed, no deck, no messages for a bot's author, and nothing about a match of an incomplete pair,
//! because its deals will be played again. Once everything is played, it contains everything.

mod anonymity;
mod copies;
mod reader;
mod record;
mod revealed_matches;
mod rounds;
#[cfg(test)]
pub(crate) mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

use leyden_language::PerLanguage;
use leyden_model::{BotIndex, MatchKey, MatchRecord, RecordRules, TurnRef};
use leyden_protocol::{FaultCode, MatchEnding, PerSeat, Seat, WinningScore};
use serde::Serialize;

pub use anonymity::NamelessError;
pub use copies::CountedBot;
pub use reader::{PlayedPair, SnapshotReader};
pub(crate) use record::own_record;
pub use revealed_matches::RevealedMatches;
pub use rounds::RoundSums;

use leyden_arena::league::PublicNames;
use leyden_arena::report::{BotResults, CompletePairing, GateDocument, Standings, first_lead};
use leyden_stats::FinalScores;

/// A tournament at one moment.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The title, or the name of the results file without folder and extension.
    pub name: String,
    /// Whether names are hidden: then there is no seed, and there are no messages for a bot's author.
    pub is_nameless: bool,
    /// The pseudonyms of a league that hides names.
    pub names: Option<PublicNames>,
    pub rules: RecordRules,
    pub better: WinningScore,
    /// Who plays whom, in a few words.
    pub format: PerLanguage<String>,
    /// How many matches make a pair.
    pub legs: u32,
    /// How many pairs each table plays.
    pub blocks: u32,
    /// The seed's text, once everything is played.
    pub seed: Option<String>,
    /// Indexed by [`BotIndex`], as are the next two fields.
    pub bots: Vec<BotView>,
    /// The bots in the order of the standings.
    pub ranking: Vec<BotIndex>,
    /// Row by row, the result of each bot against each other one.
    pub meetings: Vec<CompletePairing>,
    pub standings: Standings,
    /// The bots that play in a league, by rating, if some are copies; empty otherwise.
    pub copies: Vec<CountedBot>,
    /// In the order in which their pairs were completed.
    pub matches: Vec<Arc<MatchView>>,
    /// The messages to authors about faults, by match id; empty until everything is played.
    pub fault_details: Arc<BTreeMap<String, FaultDetail>>,
    pub progress: Progress,
    /// The result of a gate.
    pub gate: Option<Box<GateDocument>>,
}

impl Snapshot {
    /// Returns a bot. Panics if it is not in the tournament.
    pub fn bot(&self, bot: BotIndex) -> &BotView {
        &self.bots[bot.index()]
    }

    /// Returns the result of a bot against another one.
    pub fn meeting(&self, bot: BotIndex, rival: BotIndex) -> &CompletePairing {
        &self.meetings[bot.index() * self.bots.len() + rival.index()]
    }

    /// Returns the matches that ended by a fault, the latest first.
    pub fn faults(&self) -> impl Iterator<Item = (&MatchView, &MatchFault)> {
        self.matches.iter().rev().filter_map(|seen| Some((&**seen, seen.fault.as_ref()?)))
    }
}

/// The progress of a tournament.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Progress {
    /// Matches of complete pairs.
    pub done: u64,
    /// Matches that are known to be played; more follow if there is no end.
    #[serde(rename = "wanted")]
    pub planned: u64,
    pub is_endless: bool,
    /// Whether everything is played.
    pub is_over: bool,
    /// Whether somebody plays it now.
    pub is_playing: bool,
    /// Recent matches per second, while it is running.
    pub rate: Option<f64>,
}

impl Progress {
    /// Estimates the remaining seconds at this rate.
    pub fn seconds_left(&self) -> Option<f64> {
        let rate = self.rate.filter(|rate| *rate > 0.0 && !self.is_over && !self.is_endless)?;
        Some(self.planned.saturating_sub(self.done) as f64 / rate)
    }
}

/// A bot and its results.
#[derive(Clone, Debug)]
pub struct BotView {
    pub name: String,
    pub author: Option<String>,
    pub language: Option<String>,
    pub results: BotResults,
    pub rounds: RoundSums,
    /// Thinking times in microseconds, ascending, each with the number of decisions that took about this long.
    pub times: Vec<(u64, u64)>,
}

/// A match of a complete pair.
#[derive(Clone, Debug)]
pub struct MatchView {
    pub key: MatchKey,
    pub id: String,
    /// In seat order.
    pub bots: PerSeat<BotIndex>,
    pub scores: PerSeat<u32>,
    pub winner: Option<Seat>,
    /// The seat that led the first round.
    pub led: Option<Seat>,
    pub end: MatchEnding,
    pub fault: Option<MatchFault>,
    /// Rounds dealt, including those dealt again.
    pub rounds: u32,
    pub actions: u32,
    /// The longest decision, in microseconds.
    pub longest_us: u64,
}

impl MatchView {
    /// Returns what is seen of a recorded match.
    pub(crate) fn from_record(key: &MatchKey, record: &MatchRecord) -> Self {
        let moment = record.last_question().zip(record.rounds.last());
        let moment = moment.map(|(turn_ref, deal)| FaultMoment { round: deal.round, turn_ref });
        let times = record.think_us.as_slice().iter().flatten();
        Self {
            key: *key,
            id: record.id.clone(),
            bots: key.seating(),
            scores: record.scores,
            winner: record.winner,
            led: first_lead(record),
            end: record.end,
            fault: record.fault.as_ref().map(|fault| MatchFault {
                seat: fault.seat,
                code: fault.code,
                moment,
            }),
            rounds: record.rounds.len() as u32,
            actions: record.rounds.iter().map(|round| round.actions.len() as u32).sum(),
            longest_us: times.copied().max().unwrap_or(0),
        }
    }

    /// Returns what counts of it.
    pub(crate) fn final_scores(&self, better: WinningScore) -> FinalScores {
        FinalScores { scores: self.scores, fault: self.fault.map(|fault| fault.seat), better }
    }

    /// Adds its half points to those of its bots: against each other seat two for a win, one for a draw.
    pub(crate) fn add_half_points(&self, better: WinningScore, points: &mut BTreeMap<BotIndex, u64>) {
        let end = self.final_scores(better);
        for (seat, bot) in self.bots.iter() {
            let own = end.others(seat).map(|other| u64::from(end.compare(seat, other).half_points()));
            *points.entry(*bot).or_default() += own.sum::<u64>();
        }
    }
}

/// The action at which a fault happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultMoment {
    /// The round, counted from 0. It may have been dealt several times.
    pub round: u32,
    /// The index of the deal, and of the action in it: where replays find it.
    pub turn_ref: TurnRef,
}

/// A fault that ended a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchFault {
    pub seat: Seat,
    pub code: FaultCode,
    /// `None` if nothing had been dealt.
    pub moment: Option<FaultMoment>,
}

/// The message to a bot's author about a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultDetail {
    /// Its first line.
    pub summary: String,
    /// Its other lines.
    pub others: String,
    /// The last lines of the bot's standard error.
    pub stderr: String,
}
