//! The arena as a library: who competes, which matches there are, how they are played, what is kept and reported of them.
//!
//! Dependence goes one way: `format`, `roster` and `referee` know none of the other rooms, `run` plays what they say, `record`
//! keeps what `run` tells, `report` makes values of what is kept, and `web` makes pages of those; `person` seats a person
//! among bots; `rerun` and `check` play with one bot, outside of any tournament. `ARCHITECTURE.md` beside the sources says more,
//! and a test holds it. Nothing in this library prints: that is the program's business.

#![forbid(unsafe_code)]

pub mod check;
pub mod format;
pub mod person;
pub mod record;
pub mod referee;
pub mod report;
pub mod rerun;
pub mod roster;
pub mod run;
pub mod tournament;
pub mod web;
