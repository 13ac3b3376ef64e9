//! Recorded matches played once more, to a bot or to nobody: the lines that a bot was sent, and whether it would answer
//! the same today.
//!
//! The referee plays them, with players that do again what the record says; so there is one way from an action to a line.

mod bot;
mod compare;
mod error;
mod questions;
mod recorded;
mod runtime;
mod script;
mod site;
mod transcript;

pub use bot::{NoBot, ReadyBot, Surroundings, find};
pub use compare::{Difference, FailedAgain, Pause, Rerun, Said, rerun};
pub use error::RerunError;
pub use recorded::Recorded;
pub(crate) use runtime::at_once;
pub use runtime::block_on;
pub use site::{Chosen, Neighbour, Site};
pub use transcript::transcript;
