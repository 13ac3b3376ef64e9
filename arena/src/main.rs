//! The program `leyden`: a table of contents. What a command does lives in `cli`.

#![forbid(unsafe_code)]

mod cli;

use std::process::ExitCode;

use leyden_host::bot::stage;
#[cfg(target_os = "linux")]
use leyden_host::sandbox::{probe, shim};

/// The first argument that makes `leyden` one of its builtin bots.
const BOT: &str = "bot";

fn main() -> ExitCode {
    // Stages, shims and builtin bots are started by the thousand: they come before anything else is set up.
    let mut arguments = std::env::args_os().skip(1);
    match arguments.next() {
        Some(first) if first == stage::ARGUMENT => stage::run(arguments),
        #[cfg(target_os = "linux")]
        Some(first) if first == shim::ARGUMENT => shim::run(arguments),
        #[cfg(target_os = "linux")]
        Some(first) if first == probe::ARGUMENT => probe::run(arguments),
        Some(first) if first == BOT => cli::bot(arguments).unwrap_or_else(cli::run),
        _ => cli::run(),
    }
}
