//! A tournament over workers gives the results of one on a single machine, no matter what dies on the way: a real server, real
//! processes.
//!
//! No test depends on timing: processes are killed or cut off while something is known to be under way. No matter what that hits,
//! every match is stored once and the export equals that of an undisturbed run.
#![cfg(feature = "nats")]
#![allow(clippy::print_stderr, reason = "says what was not tested")]

mod access;
mod fixture;
mod foreign_client;
mod forged_results;
mod kills;
mod league;
mod ordinary_runs;
mod outages;
#[allow(dead_code, reason = "shared with tests and benchmarks that do more to a server")]
#[path = "../../../arena/nats/tests/server/process.rs"]
mod process;
mod rejected_workers;
mod relay;
