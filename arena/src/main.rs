//! The program `leyden`: a table of contents. What a command does lives in `cli`.

mod cli;

use std::process::ExitCode;

use leyden_arena::bot::stage;

fn main() -> ExitCode {
    // Stages and builtin bots are started by the thousand: they come before anything else is set up.
    let mut arguments = std::env::args_os().skip(1);
    match arguments.next() {
        Some(first) if first == stage::ARGUMENT => stage::run(arguments),
        _ => cli::run(),
    }
}
