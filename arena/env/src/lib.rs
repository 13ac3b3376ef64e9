//! Leyden as an environment to train in: what a seat sees, what it can do and what it gets, as numbers.
//!
//! An [`Encoding`] turns a [`View`](leyden_protocol::View) into bytes and sees nothing else, so an observation holds what
//! its seat may know and no more. An [`ActionTable`] numbers every action of a set of tiles. An [`Env`] plays matches one
//! decision at a time, and a [`Vector`] many of them. [`decisions`] reads the same numbers from a recorded match.
//!
//! No clock, no I/O. `README.md` describes the encoding for its users.
#![forbid(unsafe_code)]

mod actions;
mod encoding;
mod env;
mod learner;
mod recorded_decisions;
mod reward;
mod vector;

pub use actions::ActionTable;
pub use encoding::{ENCODING_VERSION, Encoding, Field};
pub use env::{Env, EnvError};
pub use learner::Learner;
pub use recorded_decisions::{Decisions, RecordedDecision, decisions};
pub use reward::{RewardKind, UnknownRewardError};
pub use vector::{ActionError, Batch, Vector};
