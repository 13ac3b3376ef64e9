//! The program `leyden`: a table of contents. The commands live in `cli`.

#![forbid(unsafe_code)]

mod cli;

use std::process::ExitCode;

/// The first argument that makes `leyden` one of its builtin bots.
const BOT: &str = "bot";

fn main() -> ExitCode {
    // Supervisors, shims and builtin bots are started by the thousand, so they come before any other setup.
    if let Some(code) = leyden_host::run_if_helper(std::env::args_os().skip(1)) {
        return code;
    }
    let mut arguments = std::env::args_os().skip(1);
    match arguments.next() {
        Some(first) if first == BOT => cli::bot(arguments).unwrap_or_else(cli::run),
        _ => cli::run(),
    }
}
