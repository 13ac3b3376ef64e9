//! Which recorded match is meant, and what is shared by the commands that look at one.

use std::path::PathBuf;

use clap::Args;
use leyden_arena::rerun::{Recorded, RerunError};
use leyden_model::MatchRecord;
use leyden_protocol::Seat;

use super::exit::{Code, Stop};
use super::records::RecordSource;

/// A match as it is typed.
#[derive(Args, Clone, Debug)]
pub(crate) struct MatchChoice {
    /// A results file, or an export (JSON Lines); `-` reads an export from standard input
    pub(crate) file: PathBuf,
    /// The id of a match, or the beginning of it (`leyden matches FILE` lists them)
    #[arg(value_name = "MATCH")]
    pub(crate) id: String,
}

impl MatchChoice {
    /// The match, with what its results file says of how it was played.
    pub(crate) fn find(&self) -> Result<Recorded, Stop> {
        let source = RecordSource::open(&self.file)?;
        let settings = match &source {
            RecordSource::Results(results) => Some(results.setup().settings.clone()),
            RecordSource::Export(_) => None,
        };
        let record = source.find(&self.file, Some(&self.id))?;
        Ok(Recorded::new(record, settings.as_ref()))
    }
}

/// The seat that was typed; otherwise that of the bot of this name, or else the first.
pub(crate) fn seat_of(typed: Option<usize>, record: &MatchRecord, name: &str) -> Result<Seat, Stop> {
    if let Some(seat) = typed {
        return super::seat_number(seat);
    }
    let of_name = record.bots.seats().iter().find(|&seat| record.bots[seat] == name);
    Ok(of_name.unwrap_or(Seat::FIRST))
}

impl From<RerunError> for Stop {
    fn from(error: RerunError) -> Self {
        match error {
            RerunError::Host(error) => Self::defect(error),
            RerunError::Busy(_) => Self { code: Code::HostFailed, message: error.to_string() },
            _ => Self::usage(error),
        }
    }
}
