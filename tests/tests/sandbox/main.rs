//! What each sandbox level holds, by attacks: each attack succeeds without a sandbox, so that the test could fail, and fails
//! from its level on. A level that is not available on this machine is reported as untested.
#![cfg(target_os = "linux")]
#![allow(clippy::print_stderr, reason = "says what was not tested")]

mod attacks;
mod blame;
mod builds;
mod couriers;
mod cpu_group;
mod field;
mod groups;
mod leftovers;
mod missing_features;
mod neighbours;
mod off_turn;
mod play;
mod stopped_bots;
mod view;
