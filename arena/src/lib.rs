//! The arena as a library: who competes, which matches there are, how they are played, what is kept and reported of them.
//!
//! Dependence goes one way. `format` and `roster` know nothing of what is played, `run` has matches played, `record` keeps what
//! `run` tells, `tournament` joins the two, `report` makes values of what is kept, and `web` makes pages of those. `rerun` and
//! `check` play with one bot, outside of any tournament, `grade` puts a check and matches together, and `person` seats somebody
//! who is no bot.
//! `ARCHITECTURE.md` beside the sources says more, and a test holds it. Nothing in this library prints: that is the program's
//! business.

#![forbid(unsafe_code)]

pub mod check;
pub mod format;
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
