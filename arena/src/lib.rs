//! The arena as a library: who competes, which matches there are, how they are played, what is kept and reported of them.
//!
//! Dependencies go one way. `format`, a crate of its own, and `roster` know nothing about play, `run` has matches played, `record` stores what
//! `run` reports, `tournament` joins the two, and `report` makes values from what is stored. `rerun` and `check` play with one
//! bot outside of any tournament, and `grade` combines a check with matches.
//!
//! `ARCHITECTURE.md` beside the sources says more, and a test enforces it. Nothing in this library prints, and nothing in it
//! knows the command line or a page: these are crates of their own on top of it.

#![forbid(unsafe_code)]

pub mod analyse;
pub mod check;
pub mod gate;
pub mod grade;
pub mod league;
pub mod likeness;
pub mod narrate;
pub mod record;
pub mod report;
pub mod rerun;
pub mod roster;
pub mod run;
pub mod starter;
pub mod toml_error;
pub mod tournament;
pub mod whole_file;

pub use leyden_format as format;
/// Stops runs, checks and their preparation early, from any thread: matches in progress are not recorded, those that have ended count, and
/// the rest can be played later. A build in progress ends.
pub use tokio_util::sync::CancellationToken;
