//! The arena as a library: the referee, tournaments, records and statistics.
//!
//! Dependence goes one way: `leyden-host` knows lines, processes and the sandbox, not dominoes; `referee` is the only place
//! where bots meet the rules; `tournament` sees "play this match" and records; `record` and `stats` run nothing. Nothing in
//! this library prints: that is the program's business.

#![forbid(unsafe_code)]

pub mod record;
pub mod referee;
pub mod roster;
pub mod seed;
pub mod settings;
pub mod stats;
pub mod tournament;
