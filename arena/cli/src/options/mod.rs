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
mod html;
mod language;
mod memory;
mod question;
mod run;
mod seat;
mod shared;
mod span;
mod stage;
mod tournament;
mod value_names;

pub(crate) use format_choice::format;
pub(crate) use gate::{GateOptions, GateTest};
pub(crate) use html::HtmlOptions;
pub(crate) use language::LanguageOption;
pub(crate) use memory::Memory;
pub(crate) use question::QuestionChoice;
pub(crate) use run::{JsonDetail, PlanPairs, PlanRequest, RunOptions, Subcommand};
pub(crate) use seat::seat_number;
pub(crate) use shared::{Shared, Shares};
pub(crate) use span::Span;
pub(crate) use tournament::{TournamentOptions, seed_in};
pub(crate) use value_names::value_names;
