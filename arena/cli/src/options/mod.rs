//! Options and values that several commands share: how they are typed, and what they stand for. Options of a single command are
//! defined beside it.

/// The headings of options in the help of a run.
pub(crate) mod heading {
    pub(crate) const GAME: &str = "The game";
    pub(crate) const FORMAT: &str = "The format";
    pub(crate) const TIME: &str = "Time";
    pub(crate) const TEST: &str = "The test";
    pub(crate) const SANDBOX: &str = "The sandbox";
    pub(crate) const RESULTS: &str = "Results and output";
    pub(crate) const WORKERS: &str = "Workers on other machines";
    pub(crate) const EXECUTION: &str = "Execution";
}

mod format_choice;
mod gate;
mod language;
mod memory;
mod question;
mod resources;
mod run;
mod sandbox;
mod seat;
mod span;
mod stage;
mod time_limits;
mod tournament;

pub(crate) use format_choice::format;
pub(crate) use gate::{GateOptions, GateTest};
pub(crate) use language::LanguageOption;
pub(crate) use memory::Memory;
pub(crate) use question::QuestionChoice;
pub(crate) use resources::{BuildOptions, resource_limits};
pub(crate) use run::{JsonDetail, PlanPairs, PlanRequest, RunOptions, Subcommand};
pub(crate) use sandbox::SandboxOptions;
pub(crate) use seat::seat_number;
pub(crate) use span::Span;
pub(crate) use stage::{StageOptions, seeding};
pub(crate) use time_limits::GivenLimits;
pub(crate) use tournament::{TableOptions, TournamentOptions, seed_in};
