//! What is asked of whoever plays matches, and what comes back: plain values that a thread, another process or another
//! machine can be handed.

use leyden_protocol::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::event::{MatchEvent, MatchHeader, Withdrawal};
use crate::key::PairKey;
use crate::record::{MatchRecord, RecordRules};
use crate::seed::MatchSeed;
use crate::settings::Settings;

/// The missing legs of one pair, to be played in this order by one worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Job {
    /// Counts the jobs of a run: names this one in every report.
    pub number: u64,
    pub pair: PairKey,
    /// Which seatings are to be played, ascending.
    pub legs: Vec<u32>,
    /// The tournament's id.
    pub tournament: String,
    pub settings: Settings,
    /// The seed of the pair's deals. Secret.
    pub seed: MatchSeed,
    /// The bots of the table, in the order of the tournament.
    pub bots: Vec<JobBot>,
    /// Those of them that are not to be started: each match in which it would be their turn to be started is lost by the
    /// same fault. Bots are started in seat order, up to the first that cannot be.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub withdrawn: Vec<Withdrawal>,
    /// Whether every event inside a match is wanted, or the record alone.
    pub moves: bool,
}

/// A bot as a job names it: who has its files finds it by its content.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct JobBot {
    pub name: String,
    /// SHA-256 of what the bot is made of, in hex.
    pub hash: String,
}

impl Job {
    /// What is settled about the match of one leg before it begins.
    pub fn header(&self, leg: u32) -> MatchHeader {
        let Settings { rules: name, seats, set, target, .. } = self.settings;
        let rules = RecordRules { name, seats, set, target };
        let names: Vec<&str> = self.bots.iter().map(|bot| bot.name.as_str()).collect();
        MatchHeader::new(self.tournament.clone(), self.seed, rules, (self.pair.block, leg), &names)
    }
}

/// What comes back from whoever plays a job: of each of its legs in turn its events, if they are asked for, and its outcome;
/// then that it is done. A job is done early where it says so at [`LegOutcome`]; the legs that are left are then given out
/// anew, or not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "report", rename_all = "snake_case")]
pub enum JobReport {
    /// Something happened in a match; only where the job asked for it.
    Event { job: u64, leg: u32, event: MatchEvent },
    /// A leg was played, or could not be.
    Leg {
        job: u64,
        leg: u32,
        /// The seats whose bots were started for it, and said that they were ready.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        started: Vec<Seat>,
        outcome: LegOutcome,
    },
    /// Nothing more comes of this job.
    Done { job: u64 },
    /// Whoever plays cannot go on: nothing more comes of any of its jobs. The sentence says why.
    Lost { reason: String },
}

/// What came of one leg of a job. After anything but a match that all bots could be started for, the job is done: what is
/// to become of its other legs is not for who plays them to say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum LegOutcome {
    /// It counts: it was played to its end, or a bot lost it by a fault.
    Played { record: Box<MatchRecord> },
    /// The host was to blame for a time that was up: nobody has won or lost. The sentence says more.
    HostOverloaded { reason: String },
    /// A defect of the arena: a panic, with what it said and where.
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
