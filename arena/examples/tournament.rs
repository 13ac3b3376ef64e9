//! A tournament from another program: `cargo run -p leyden-arena --example tournament -- BOT BOT…`
//!
//! It needs no `leyden` on the machine, because the supervisor of each bot is this program, run again. It has no builtin
//! bots: they would be started as `PROGRAM bot NAME`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example")]

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use leyden_arena::record::store::Results;
use leyden_arena::report::{BotOrder, Standings, TournamentTally};
use leyden_arena::run::Options;
use leyden_arena::tournament::{ResultsFile, Tournament};

/// Plays ten pairs of every pairing into a results file, and returns the standings.
fn play(bots: &[String], file: &Path) -> Result<Standings, Box<dyn Error>> {
    let options = Options { blocks: 10, ..Options::new(std::env::current_exe()?, bots) };
    let new = ResultsFile::New(file.to_owned());
    Tournament::create(&options, &new, &mut |notice| eprintln!("{notice:?}"))?.play()?;
    let tally = TournamentTally::from_results(&Results::open(file)?, BotOrder::AsTyped)?;
    Ok(Standings::from_tally(&tally, true)?)
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    if let Some(code) = leyden_host::run_if_started_by_arena(std::env::args_os().skip(1)) {
        return Ok(code);
    }
    let bots: Vec<String> = std::env::args().skip(1).collect();
    if let Some(bot) = bots.iter().find(|bot| bot.starts_with("builtin:")) {
        eprintln!("{bot} is part of the program leyden, not of this one");
        return Ok(ExitCode::FAILURE);
    }
    for bot in play(&bots, Path::new("results.db"))?.bots {
        println!("{}", serde_json::to_string(&bot)?);
    }
    Ok(ExitCode::SUCCESS)
}
