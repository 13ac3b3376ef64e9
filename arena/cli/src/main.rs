//! The program `leyden`: arguments in, text out. Each folder holds the commands of one kind of user.

#![forbid(unsafe_code)]

mod after;
mod args;
mod authors;
mod config;
mod dispatch;
mod exit;
mod help;
mod init;
mod log;
mod machines;
mod options;
mod organisers;
mod out;
mod out_file;
mod play;
mod program;
mod quoting;
mod report;

use std::process::ExitCode;

/// The first argument that makes `leyden` one of its builtin bots.
const BOT: &str = "bot";

fn main() -> ExitCode {
    // Supervisors and builtin bots are started by the thousand, so they come before any other setup.
    if let Some(code) = leyden_host::run_if_started_by_arena(std::env::args_os().skip(1)) {
        return code;
    }
    let mut arguments = std::env::args_os().skip(1);
    match arguments.next() {
        Some(first) if first == BOT => dispatch::play_as_builtin(arguments).unwrap_or_else(dispatch::run),
        _ => dispatch::run(),
    }
}
