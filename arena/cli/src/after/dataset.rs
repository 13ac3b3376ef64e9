//! `leyden dataset`: the decisions of recorded matches as arrays.

use std::path::{Path, PathBuf};

use clap::Args;
use leyden_arena::record::source::{RecordSource, SourceError};
use leyden_dataset::{Form, ReadError, Summary, WriteError, write};
use leyden_model::words::counted;

use crate::exit::{Code, CommandError};

pub(crate) const EXAMPLES: &str = "\
Examples:
  leyden dataset cup.db --out cup                     cup/decisions-00000.npz …, and cup/about.json
  leyden dataset cup.db --out cup --form parquet      the same as Parquet
  leyden export cup.db | leyden dataset - --out cup   from an export

A row is a decision that a bot was asked for: observation and action_mask (what the bot saw and could do), action (the number of \
what it chose), result (1 won, -1 lost, 0 neither), round_points and points_to_come (its advantage in pips: of the round, and \
from there to the end of the match), seat, bot (an index into the bots of about.json), match. about.json says what each byte of \
an observation means.";

#[derive(Args, Clone, Debug)]
pub(crate) struct DatasetOptions {
    /// A results file, or an export (JSON Lines); `-` reads an export from standard input
    file: PathBuf,
    /// The folder to write; it must not exist
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// npz (numpy) or parquet
    #[arg(long, value_name = "FORM", default_value = "npz", value_parser = |text: &str| text.parse::<Form>())]
    form: Form,
}

/// Writes the data set.
pub(crate) fn run(options: &DatasetOptions) -> Result<Code, CommandError> {
    let DatasetOptions { file, out, form } = options;
    let mut source = RecordSource::open(file)?;
    source.check_edition()?;
    let Summary { matches, rows, shards } =
        write(source.records(), out, *form).map_err(|error| failed(file, error))?;
    crate::out::print(&format!(
        "wrote {} of {} to {}, in {}\n",
        counted(rows, "decision", "decisions"),
        counted(matches, "match", "matches"),
        out.display(),
        counted(shards as u64, "file", "files"),
    ))
}

fn failed(file: &Path, error: WriteError<SourceError>) -> CommandError {
    match error {
        WriteError::Read(ReadError::Source(error)) => error.into(),
        WriteError::Read(
            error @ (ReadError::Empty
            | ReadError::Mixed { .. }
            | ReadError::Rules { .. }
            | ReadError::Edition { .. }
            | ReadError::Unplayable { .. }
            | ReadError::Bots),
        ) => CommandError::usage(format!("{}: {error}", file.display())),
        WriteError::Write { ref source, .. } => CommandError::for_file(&error, source),
        WriteError::Exists(_) | WriteError::Parquet { .. } => CommandError::usage(error),
    }
}
