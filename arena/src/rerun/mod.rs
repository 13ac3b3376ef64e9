//! Recorded matches played once more, to a bot or to nobody: the lines that a bot was sent, and whether it would answer
//! the same today.
//!
//! The referee plays them, with players that do again what the record says; so there is one way from an action to a line.

mod bot;
mod compare;
mod environment;
mod error;
mod questions;
mod recorded;
mod runtime;
mod script;
mod transcript;

pub use bot::{BotEnvironment, NoBot, ReadyBot, find};
pub use compare::{BotReply, Difference, FailedAgain, Pause, Rerun, rerun};
pub use environment::{MatchEnvironment, Participant, SandboxChoice};
pub use error::RerunError;
pub use recorded::RecordedMatch;
pub(crate) use runtime::at_once;
pub use runtime::block_on;
pub use transcript::transcript;
