//! Jobs for workers, and their reports: plain values that can be sent to a thread, another process or another machine.

use leyden_protocol::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::event::{MatchEvent, MatchHeader};
use crate::fault::DisabledBot;
use crate::key::PairKey;
use crate::record::{MatchRecord, RecordRules};
use crate::seed::MatchSeed;
use crate::settings::Settings;

/// The missing legs of one pair, to be played in this order by one worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Job {
    /// Counts the jobs of a run, and identifies this one in every report.
    pub number: u64,
    pub pair: PairKey,
    /// The seatings to play, ascending.
    pub legs: Vec<u32>,
    /// The tournament's id.
    pub tournament: String,
    pub settings: Settings,
    /// The seed of the pair's deals. Secret.
    pub seed: MatchSeed,
    /// The bots of the table, in the order of the tournament.
    pub bots: Vec<JobBot>,
    /// The bots not to be started: each match in which such a bot would be the next to start is lost by the same fault.
    /// Bots are started in seat order, up to the first that cannot be.
    #[serde(rename = "withdrawn", default, skip_serializing_if = "Vec::is_empty")]
    pub disabled: Vec<DisabledBot>,
    /// Whether every event inside a match is to be reported, or only the record.
    pub moves: bool,
}

/// A bot as a job names it: a worker that has its files finds it by the hash of its content.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct JobBot {
    pub name: String,
    /// SHA-256 of the bot's content, in hex.
    pub hash: String,
}

impl Job {
    /// Returns what is settled about the match of one leg before it starts.
    pub fn header(&self, leg: u32) -> MatchHeader {
        let Settings { rules: name, seats, set, target, .. } = self.settings;
        let rules = RecordRules { name, seats, set, target };
        let names: Vec<&str> = self.bots.iter().map(|bot| bot.name.as_str()).collect();
        MatchHeader::new(self.tournament.clone(), self.seed, rules, (self.pair.block, leg), &names)
    }
}

/// A worker's report on a job: for each of its legs in turn, the events if requested and the outcome; then that it is
/// done. [`LegOutcome`] says when a job is done early; the remaining legs are then given out again, or not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "report", rename_all = "snake_case")]
pub enum JobReport {
    /// Something happened in a match; only if the job requested it.
    Event { job: u64, leg: u32, event: MatchEvent },
    /// A leg was played, or could not be.
    Leg {
        job: u64,
        leg: u32,
        /// The seats whose bots were started for it and said that they were ready.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        started: Vec<Seat>,
        outcome: LegOutcome,
    },
    /// Nothing more will be reported of this job.
    Done { job: u64 },
    /// The worker cannot continue: nothing more will be reported of any of its jobs. The sentence says why.
    Lost { reason: String },
}

/// The outcome of one leg of a job. After anything except a match for which all bots could be started, the job is done:
/// the worker does not decide about its other legs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum LegOutcome {
    /// It counts: it was played to its end, or a bot lost it by a fault.
    Played { record: Box<MatchRecord> },
    /// The host was to blame for a timeout: nobody has won or lost. The sentence gives details.
    HostOverloaded { reason: String },
    /// A defect of the arena: a panic, with its message and location.
    Panicked { text: String, location: String },
    /// The host could not play it, through no fault of a bot. The sentence says why.
    HostFailed { reason: String },
}

impl LegOutcome {
    /// Whether the next leg of the job is played.
    pub fn goes_on(&self) -> bool {
        match self {
            Self::Played { record } => {
                !record.fault.as_ref().is_some_and(|fault| fault.code.is_start_failure())
            }
            Self::HostOverloaded { .. } | Self::Panicked { .. } | Self::HostFailed { .. } => false,
        }
    }
}
