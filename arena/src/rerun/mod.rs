//! Replays recorded matches, with or without a bot: the lines that a bot was sent, and whether it would give the same answers
//! today.
//!
//! The referee plays them, with players that repeat the record, so there is only one way from an action to a line.

mod answers;
mod asked_bot;
mod bot;
mod comparison;
mod environment;
mod error;
mod questions;
mod recorded_match;
mod reply;
mod runtime;
mod script;
mod transcript;
mod views;

pub use answers::{GivenAnswer, answers};
pub use asked_bot::Pause;
pub use bot::{BotEnvironment, ReadyBot, ReadyBotError, find};
pub use comparison::{Difference, FailedAgain, Rerun, rerun};
pub use environment::{MatchEnvironment, Participant, SandboxChoice};
pub use error::RerunError;
pub use recorded_match::RecordedMatch;
pub use reply::BotReply;
pub(crate) use runtime::at_once;
pub use runtime::block_on;
pub use transcript::transcript;
pub use views::{AskedTurn, DecisionView, each_turn, write_views};
