//! Why a tournament cannot be scheduled.

use leyden_model::words::{counted, plural};
use leyden_protocol::Seats;

use super::Dimensions;
use super::swiss::MOST_IN_SWISS;

/// Why a tournament cannot be scheduled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleError {
    #[error("a table of {seats} needs at least {seats} bots; there {} {bots}", plural(*.bots, "is", "are"))]
    TooFewBots { bots: usize, seats: Seats },
    #[error("a tournament has at least one block")]
    NoBlocks,
    #[error("a gauntlet needs at least one of its bots as a challenger")]
    NoChallenger,
    #[error(
        "{} of {bots} bots at tables of {seats}: more matches than can be counted", counted(*.blocks, "block", "blocks")
    )]
    TooMany { bots: usize, seats: Seats, blocks: u32 },
    #[error("a competition has at least one stage")]
    NoStage,
    #[error("a competition has a seed for each of its bots: expected {bots}, got {seeds}")]
    Seeds { seeds: usize, bots: u32 },
    #[error("the last stage has nowhere for bots to go on to: leave out `advance`, or add a stage")]
    NowhereToAdvance,
    #[error("another stage follows stage {stage}: say how many bots go on to it (advance)")]
    NobodyAdvances { stage: u32 },
    #[error(
        "{} cannot go on from stage {stage}: it has {bots}, and a table of the next stage needs at least {seats}",
        counted(*.best, "bot", "bots")
    )]
    Advance { stage: u32, best: u32, bots: u32, seats: Seats },
    #[error("{stage} needs tables of two seats, not {seats}: two bots meet at a time")]
    TwoSeatsOnly { stage: String, seats: Seats },
    #[error("a league is the only stage: play a tournament of its best bots afterwards")]
    LeagueAlone,
    #[error("the next meetings of the league cannot be chosen: {0}")]
    League(#[from] leyden_stats::FitError),
    #[error("a Swiss or a league has at least one round: say how many (rounds)")]
    NoRounds,
    #[error("a Swiss can have at most {MOST_IN_SWISS} bots, not {bots}: divide them into groups")]
    LargeSwiss { bots: u32 },
    #[error(
        "{bots} bots cannot be divided into {}: each needs at least {seats}, and enough to go on",
        counted(*.groups, "group", "groups")
    )]
    SmallGroups { groups: u32, bots: u32, seats: Seats },
    #[error("{} cannot go on from {groups} groups, equally many from each", counted(*.best, "bot", "bots"))]
    UnequalGroups { groups: u32, best: u32 },
    #[error(
        "{} of {seats} cannot be chosen from {bots} bots: there {} {all}",
        counted(*.tables, "table", "tables"), plural(*.all, "is", "are")
    )]
    NoSuchTables { tables: u32, bots: u32, seats: Seats, all: u64 },
}

impl ScheduleError {
    pub(super) fn too_many(size: Dimensions) -> Self {
        let Dimensions { bots, seats, blocks } = size;
        Self::TooMany { bots: bots as usize, seats, blocks }
    }
}
