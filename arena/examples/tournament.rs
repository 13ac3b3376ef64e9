//! A tournament from another program: `cargo run -p leyden-arena --example tournament -- PATH/TO/leyden BOT BOT…`
//!
//! The library starts the program `leyden` as the supervisor of each bot, so it needs its path.

use std::error::Error;
use std::path::Path;

use leyden_arena::record::store::Results;
use leyden_arena::report::{BotOrder, Standings, TournamentTally};
use leyden_arena::run::Options;
use leyden_arena::tournament::{ResultsFile, Tournament};

/// Plays ten pairs of every pairing into a results file, and returns the standings.
pub fn play(leyden: &str, bots: &[String], file: &Path) -> Result<Standings, Box<dyn Error>> {
    let options = Options { blocks: 10, ..Options::new(leyden, bots) };
    let new = ResultsFile::New(file.to_owned());
    Tournament::create(&options, &new, &mut |notice| tracing::info!("{notice:?}"))?.play()?;
    let tally = TournamentTally::from_results(&Results::open(file)?, BotOrder::AsTyped)?;
    Ok(Standings::from_tally(&tally, true)?)
}

#[allow(clippy::print_stdout, reason = "an example")]
fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (leyden, bots) = words.split_first().ok_or("expected: PATH/TO/leyden BOT BOT…")?;
    for bot in play(leyden, bots, Path::new("results.db"))?.bots {
        println!("{}", serde_json::to_string(&bot)?);
    }
    Ok(())
}
