//! The bot `montecarlo` as a program: it talks with the arena over standard input and output.
use std::process::ExitCode;

fn main() -> ExitCode {
    leyden_sample_bots::run("montecarlo")
}
