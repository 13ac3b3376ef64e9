//! The arena as a library: who competes, which matches there are, how they are played, what is kept and reported of them.
//!
//! Dependencies go one way. `format` and `roster` know nothing about play, `run` has matches played, `record` stores what
//! `run` reports, `tournament` joins the two, `report` makes values from what is stored, and `web` makes pages from those.
//! `rerun` and `check` play with one bot outside of any tournament, `grade` combines a check with matches, and `person` gives
//! a seat to a person.
//!
//! `ARCHITECTURE.md` beside the sources says more, and a test enforces it. Nothing in this library prints: that is left to
//! the program.

#![forbid(unsafe_code)]

pub mod check;
pub mod format;
pub mod gate;
pub mod grade;
pub mod halt;
pub mod person;
pub mod record;
#[cfg(feature = "nats")]
pub mod remote;
pub mod report;
pub mod rerun;
pub mod roster;
pub mod run;
pub mod starter;
pub mod toml_error;
pub mod tournament;
pub mod web;
pub mod words;
