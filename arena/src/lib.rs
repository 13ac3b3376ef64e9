//! The arena as a library: bots as child processes, the referee, tournaments and records.
//!
//! Dependence goes one way: `sandbox` knows processes; `bot` knows lines and processes, not dominoes; `referee` is the only place where bots meet
//! the rules; `tournament` sees "play this match" and records; `record` runs nothing. Nothing in this
//! library prints: that is the program's business.

pub mod bot;
pub mod platform;
pub mod record;
pub mod referee;
pub mod roster;
pub mod sandbox;
pub mod seed;
pub mod settings;
pub mod tournament;
