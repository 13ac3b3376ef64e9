//! Options and values that several commands share: how they are typed, and what they stand for. Options of a single command are
//! defined beside it.

mod format_choice;
mod gate;
mod memory;
mod question;
mod resources;
mod run;
mod seat;
mod span;
mod stage;
mod time_limits;
mod tournament;

pub(crate) use format_choice::format;
pub(crate) use gate::{GateOptions, GateTest};
pub(crate) use memory::Memory;
pub(crate) use question::QuestionChoice;
pub(crate) use resources::{BuildOptions, resource_limits};
pub(crate) use run::{JsonDetail, PlanPairs, PlanWish, RunOptions, Subcommand};
pub(crate) use seat::seat_number;
pub(crate) use span::Span;
pub(crate) use stage::{StageOptions, seeding};
pub(crate) use time_limits::GivenLimits;
pub(crate) use tournament::{TableOptions, TournamentOptions};
