//! The standings as a table, JSON or CSV.

use std::fmt::Write;

use leyden_arena::record::store::Results;

use super::exit::Stop;

pub(super) fn table(results: &Results) -> Result<String, Stop> {
    let mut text = String::new();
    for (bot, sums) in results.bot_sums().map_err(Stop::defect)? {
        let _ = writeln!(
            text,
            "{} {} {} {} {}",
            results.setup().bots[bot.index()].name,
            sums.matches,
            sums.won,
            sums.drawn,
            sums.lost
        );
    }
    Ok(text)
}
