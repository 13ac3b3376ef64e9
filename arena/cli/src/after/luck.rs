//! `leyden luck`: scores with the luck of deals and draws taken out.

use std::path::{Path, PathBuf};
use std::thread;

use clap::Args;
use leyden_arena::record::source::RecordSource;
use leyden_arena::report::luck::{LuckOf, keep};
use leyden_arena::report::{BotOrder, LuckReport, TournamentTally, csv};
use leyden_stats::Holds;

use crate::exit::{Code, CommandError};
use crate::report::luck::luck_text;

/// The options of `leyden luck`.
#[derive(Args, Clone, Debug)]
pub(crate) struct LuckOptions {
    /// A results file, in which the figures are kept, or an export (JSON Lines); `-` reads an export from standard input
    file: PathBuf,
    /// Print one JSON document (`leyden schema luck` describes it)
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print comma-separated values
    #[arg(long)]
    csv: bool,
}

/// Computes the scores, keeps them, and prints them in the form that was asked for.
pub(crate) fn run(request: &LuckOptions) -> Result<Code, CommandError> {
    let source = RecordSource::open(&request.file)?;
    let is_kept = matches!(source, RecordSource::Results(_));
    let report = worked_out(source)?;
    if is_kept && let Err(error) = keep(&report, &request.file) {
        crate::out::say(format_args!("leyden: not kept for `leyden standings`: {error}"));
    }
    if request.json {
        crate::out::print_document(&report)?;
        return Ok(Code::Done);
    }
    crate::out::print(&if request.csv { csv::luck(&report) } else { luck_text(&report) })
}

/// The same for the matches that were just played into a results file, if its rules allow it.
pub(crate) fn keep_of(path: &Path) -> Result<(), CommandError> {
    let report = worked_out(RecordSource::open(path)?)?;
    if let Some(why) = &report.left_out {
        crate::out::say(format_args!("{why}"));
    }
    Ok(keep(&report, path)?)
}

fn worked_out(mut source: RecordSource) -> Result<LuckReport, CommandError> {
    source.check_edition()?;
    let holds = match &source {
        RecordSource::Results(results) => TournamentTally::from_results(results, BotOrder::ByName)?.holds(),
        // An export does not say what was planned.
        RecordSource::Export(_) => Holds::AtAnyTime,
    };
    let mut luck = LuckOf::new(thread::available_parallelism().map_or(1, usize::from));
    for record in source.records() {
        luck.add(record?)?;
    }
    Ok(luck.finish(holds)?)
}
