//! `leyden standings`: what a results file or an export says about its bots, as tables, JSON or CSV.

use std::path::Path;

use leyden_arena::record::store::Results;
use leyden_arena::report::{Exported, Gathered, Order, ReportError, Standings, csv};

use super::exit::{Code, Stop};
use super::records::RecordSource;
use super::report::text;
use super::report::text::Extras;

/// Prints the standings in the form that was asked for.
pub(super) fn run(file: &Path, json: bool, as_csv: bool, extras: Extras) -> Result<Code, Stop> {
    let standings = match RecordSource::open(file)? {
        RecordSource::Results(results) => of(&results, extras)?,
        export @ RecordSource::Export(_) => {
            let mut exported = Exported::default();
            export.each(file, |record| Ok(exported.add(&record).map(|()| true)?))?;
            Standings::of(&exported.finish()?, extras.matrix || extras.pairing).map_err(ReportError::from)?
        }
    };
    if json {
        super::print_document(&standings)?;
        return Ok(Code::Done);
    }
    super::print(&if as_csv { csv::text(&standings) } else { text::standings(&standings, extras) })
}

/// The standings of a results file at this moment.
pub(super) fn of(results: &Results, extras: Extras) -> Result<Standings, ReportError> {
    Ok(Standings::of(&Gathered::of(results, Order::ByName)?, extras.matrix || extras.pairing)?)
}
