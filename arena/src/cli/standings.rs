//! `leyden standings`: what a results file says about its bots, as tables, JSON or CSV.

use std::path::Path;

use leyden_arena::record::store::Results;

use super::exit::{Code, Stop};
use super::report::gathered::{Gathered, Order};
use super::report::standings::Standings;
use super::report::text::Extras;
use super::report::{csv, text};

/// Prints the standings in the form that was asked for.
pub(super) fn run(file: &Path, json: bool, as_csv: bool, extras: Extras) -> Result<Code, Stop> {
    let results = Results::open(file).map_err(Stop::usage)?;
    let standings = of(&results, extras)?;
    if json {
        super::print_document(&standings)?;
        return Ok(Code::Done);
    }
    super::print(&if as_csv { csv::text(&standings) } else { text::standings(&standings, extras) })
}

/// The standings of a results file at this moment.
pub(super) fn of(results: &Results, extras: Extras) -> Result<Standings, Stop> {
    Standings::of(&Gathered::of(results, Order::ByName)?, extras.matrix || extras.pairing)
}
