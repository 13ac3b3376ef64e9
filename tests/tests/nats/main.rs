//! A tournament over workers is the tournament that one machine plays, whoever dies meanwhile: a real server, real processes.
//!
//! Nothing waits for a particular moment: what is killed or cut off is so when something is known to be under way, and
//! whatever that meets, every match is stored once and the export is that of an undisturbed run.
#![allow(clippy::print_stderr, reason = "what was not tested is said")]

mod access;
mod cut;
mod killed;
mod place;
#[allow(dead_code, reason = "shared with tests and benchmarks that do more to a server")]
#[path = "../../../arena/nats/tests/server/process.rs"]
mod process;
mod relay;
mod shared;
mod stranger;
mod strangers;
