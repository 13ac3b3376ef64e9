//! Options and values that several commands take: how they are typed, and what they stand for. Those of one command stand
//! beside it.

mod gate;
mod memory;
mod question;
mod resources;
mod run;
mod seat;
mod span;
mod tournament;

pub(crate) use gate::{GateOptions, GateTest, StrengthScale};
pub(crate) use memory::Memory;
pub(crate) use question::QuestionChoice;
pub(crate) use resources::{BuildOptions, resource_limits};
pub(crate) use run::{JsonDetail, RunOptions, Subcommand};
pub(crate) use seat::seat_number;
pub(crate) use span::Span;
pub(crate) use tournament::{TableOptions, TournamentOptions};
