//! Options and values that several commands share: how they are typed, and what they stand for. Options of a single command are
//! defined beside it.

mod gate;
mod memory;
mod question;
mod resources;
mod run;
mod seat;
mod span;
mod time_limits;
mod tournament;

pub(crate) use gate::{GateOptions, GateTest};
pub(crate) use memory::Memory;
pub(crate) use question::QuestionChoice;
pub(crate) use resources::{BuildOptions, resource_limits};
pub(crate) use run::{JsonDetail, PlanPairs, PlanWish, RunOptions, Subcommand};
pub(crate) use seat::seat_number;
pub(crate) use span::Span;
pub(crate) use time_limits::GivenLimits;
pub(crate) use tournament::{TableOptions, TournamentOptions};
