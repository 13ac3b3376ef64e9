//! A table where a person plays or watches: bots run as processes, and a seat, if any, is answered from outside. If there is no
//! such seat, the bots wait for a signal before each decision. A session is one match, run by the same referee and stored in a
//! results file like any other. This module displays nothing.
//!
//! A person gets only what [`Projection`](leyden_model::projection) shows to a seat, and the [`Turn`](leyden_protocol::Turn) that a
//! bot would get; the coach gets only that turn. People have no time limits; bots do.
//!
//! Taking a decision back starts a practice match: all earlier decisions are repeated, bots restart and are asked everything again,
//! and nothing is stored. A match that the person gives up is not stored either.
//!
//! ```no_run
//! use leyden_arena::run::Options;
//! use leyden_arena::tournament::ResultsFile;
//! use leyden_table::{FromPerson, ReadyTable, Session, ToPerson};
//!
//! let options = Options::new("target/release/leyden", ["builtin:careful"]);
//! let file = ResultsFile::New("results.db".into());
//! let table = ReadyTable::with_person(&options, file, &mut |notice| println!("{notice:?}"))?;
//! let (session, messages) = Session::start(table)?;
//! for message in messages {
//!     match message {
//!         ToPerson::Asked(turn) => session.say(FromPerson::Act(turn.id, turn.legal[0])),
//!         message => println!("{message:?}"),
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![warn(missing_docs)]

mod bot;
pub mod coach;
mod levels;
mod log;
mod messages;
mod seat;
mod session;
mod table;

pub use levels::{LEVELS, OpponentLevel};
pub use messages::{FromPerson, RestartReason, SessionEnd, ToPerson};
pub use session::Session;
pub use table::{PERSON, ReadyTable};
