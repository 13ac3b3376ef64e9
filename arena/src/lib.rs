//! The arena as a library: the referee, tournaments, records and statistics.
//!
//! Dependence goes one way: `leyden-host` knows lines, processes and the sandbox, not dominoes; `referee` is the only place
//! where bots meet the rules; `tournament` sees "play this match" and records; `record` runs nothing, and `report` makes
//! values of what it reads there; `rerun` and `check` play with one bot, outside of any tournament. Nothing in this library
//! prints: that is the program's business.

#![forbid(unsafe_code)]

pub mod check;
pub mod format;
pub mod record;
pub mod referee;
pub mod report;
pub mod rerun;
pub mod roster;
pub mod run;
pub mod tournament;
pub mod web;
