//! Why a run stopped before its end.

use std::io;

use leyden_rules::RulesError;

use super::defect::{MatchDefect, SAME_PANIC};
use super::events::FollowError;
use leyden_format::ScheduleError;

/// Why a run stopped before its end. The matches before that count, and the rest can be played later.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The host could not play a match, through no fault of a bot.
    #[error(
        "the host failed: match {rank} ({bots}, block {block}, leg {leg}) could not be played after several tries: \
         {reason}. No bot lost anything by it; find out what the system lacks, and continue with --resume"
    )]
    Host { rank: u64, bots: String, block: u32, leg: u32, reason: String },
    /// The machines for the run cannot be used at the moment. Nothing was played.
    #[error("{0}")]
    Unreachable(String),
    /// The system starts no thread.
    #[error("a worker could not be started: {0}")]
    Worker(io::Error),
    /// The executor cannot continue.
    #[error("{0}")]
    Lost(String),
    #[error("workers returned match {id} ({bots}) again and again without playing it")]
    Returned { id: String, bots: String },
    #[error(
        "the same defect occurred more than {SAME_PANIC} times, so the tournament stops. The last time it was {0}. \
         Please report it"
    )]
    Again(Box<MatchDefect>),
    #[error(transparent)]
    Follower(#[from] FollowError),
}

impl RunError {
    /// Whether it may work in a while, without anybody changing anything but the machines.
    pub(crate) fn may_pass(&self) -> bool {
        match self {
            Self::Unreachable(_) | Self::Worker(_) => true,
            Self::Schedule(_)
            | Self::Rules(_)
            | Self::Host { .. }
            | Self::Lost(_)
            | Self::Returned { .. }
            | Self::Again(_)
            | Self::Follower(_) => false,
        }
    }
}
