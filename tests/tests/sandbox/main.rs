//! What each sandbox level holds, by attacks: each succeeds without a sandbox, so that the test could fail, and fails
//! from its level on. A level that this machine does not have is printed as untested.
#![cfg(target_os = "linux")]
#![allow(clippy::print_stderr, reason = "what was not tested is said")]

mod attacks;
mod blame;
mod builds;
mod field;
mod groups;
mod lacking;
mod neighbours;
mod off_turn;
mod play;
mod remains;
mod stopped;
