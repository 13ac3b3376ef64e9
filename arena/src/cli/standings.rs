//! `leyden standings`: what a results file or an export says about its bots, as tables, JSON or CSV.

use std::path::Path;

use leyden_arena::record::store::Results;
use leyden_arena::report::{Exported, Faults, Gathered, Order, ReportError, Standings, csv};

use super::exit::{Code, Stop};
use super::records::RecordSource;
use super::report::faults;
use super::report::text;
use super::report::text::Extras;

/// Prints the standings in the form that was asked for.
pub(super) fn run(file: &Path, json: bool, as_csv: bool, extras: Extras) -> Result<Code, Stop> {
    let mut faults = Faults::default();
    let standings = match RecordSource::open(file)? {
        RecordSource::Results(results) => {
            faults = Faults::of(&results).map_err(Stop::usage)?;
            of(&results, extras)?
        }
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
    if as_csv {
        return super::print(&csv::text(&standings));
    }
    super::print(&(text::standings(&standings, extras) + &faults::told(&faults, Some(file))))
}

/// The standings of a results file at this moment.
pub(super) fn of(results: &Results, extras: Extras) -> Result<Standings, ReportError> {
    Ok(Standings::of(&Gathered::of(results, Order::ByName)?, extras.matrix || extras.pairing)?)
}
