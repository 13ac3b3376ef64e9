//! `leyden export` and `replay`: records from a results file or an export.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;

use leyden_arena::narrate::{self, ReplayOptions};
use leyden_arena::record::export::{self, ExportError};
use leyden_arena::record::store::Results;
use leyden_arena::rerun::{RecordedMatch, RerunError, write_views};
use leyden_arena::roster::meant;
use leyden_model::{BotEntry, MatchRecord};
use leyden_protocol::Seat;

use crate::exit::{Code, CommandError};
use crate::options::QuestionChoice;
use crate::out::{JsonOut, quoted};
use crate::report::faults::replay_command;
use crate::report::grid::plain;

/// The first bytes of every SQLite file.
pub(crate) const SQLITE: &[u8] = b"SQLite format 3\0";

/// The first bytes of a gzip file, such as the records of a published report.
const GZIP: &[u8] = &[0x1f, 0x8b];

/// Where records come from.
pub(crate) enum RecordSource {
    Results(Box<Results>),
    Export(Box<dyn BufRead>),
}

impl RecordSource {
    /// Opens a results file, an export, or with `-` an export on standard input.
    pub(crate) fn open(path: &Path) -> Result<Self, CommandError> {
        if path == Path::new("-") {
            return Ok(Self::Export(Box::new(BufReader::new(io::stdin()))));
        }
        let unreadable = |error: io::Error| CommandError::unreadable(path, &error);
        let mut head = Vec::new();
        File::open(path)
            .map_err(unreadable)?
            .take(SQLITE.len() as u64)
            .read_to_end(&mut head)
            .map_err(unreadable)?;
        if head.starts_with(GZIP) {
            return Err(CommandError::usage(format!(
                "{path} is compressed with gzip: unpack it first, as in\n  gunzip -c {quoted} | leyden verify -",
                path = path.display(),
                quoted = quoted(path.as_os_str()),
            )));
        }
        // A text file is taken for an export: a line that is not a record is reported when it is read.
        let is_text = !head.is_empty()
            && head.iter().all(|byte| !byte.is_ascii_control() || byte.is_ascii_whitespace());
        if is_text {
            return Ok(Self::Export(Box::new(BufReader::new(File::open(path).map_err(unreadable)?))));
        }
        Ok(Self::Results(Box::new(Results::open(path)?)))
    }

    /// Returns the bots of a results file; an export has only names, match by match.
    pub(crate) fn bots(&self) -> Vec<BotEntry> {
        match self {
            Self::Results(results) => results.stored_plan().bots_from_here(),
            Self::Export(_) => Vec::new(),
        }
    }

    /// Passes all records in order to `take`, until it refuses one.
    pub(crate) fn each(
        self,
        name: &Path,
        mut take: impl FnMut(MatchRecord) -> Result<bool, CommandError>,
    ) -> Result<(), CommandError> {
        match self {
            Self::Results(results) => {
                for stored in results.records() {
                    if !take(stored?.1)? {
                        break;
                    }
                }
            }
            Self::Export(input) => {
                for record in export::read(input) {
                    if !take(
                        record
                            .map_err(|error| CommandError::usage(format!("{}: {error}", name.display())))?,
                    )? {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns an error for a results file whose matches this program cannot replay.
    pub(crate) fn check_edition(&self) -> Result<(), CommandError> {
        match self {
            Self::Results(results) => Ok(results.check_edition()?),
            Self::Export(_) => Ok(()), // each record is checked when it is used
        }
    }

    /// Returns the match whose id begins like this, or the first one. It is one that can be replayed.
    pub(crate) fn find(self, path: &Path, id: Option<&str>) -> Result<MatchRecord, CommandError> {
        let record = self.find_any(path, id)?;
        narrate::rules_of(&record).map_err(CommandError::usage)?;
        Ok(record)
    }

    fn find_any(self, path: &Path, id: Option<&str>) -> Result<MatchRecord, CommandError> {
        self.check_edition()?;
        if let (Self::Results(results), Some(id)) = (&self, id) {
            return Ok(results.find(id)?.1);
        }
        let mut found = None;
        self.each(path, |record| {
            let wanted = id.is_none_or(|id| record.id.starts_with(id));
            found = wanted.then_some(record);
            Ok(!wanted)
        })?;
        found.ok_or_else(|| {
            let which = id.map_or("a match".to_owned(), |id| format!("a match whose id begins with {id:?}"));
            CommandError::usage(format!("{} does not hold {which}", path.display()))
        })
    }
}

/// Returns the name of a bot in a results file, given its name or its folder.
pub(crate) fn meant_of(named: &str, bots: &[BotEntry]) -> Result<String, CommandError> {
    let known = bots.iter().map(|bot| (bot.name.as_str(), bot.folder.as_deref()));
    meant(named, known).map(|place| bots[place].name.clone()).map_err(CommandError::usage)
}

/// Writes records as JSON Lines: all in schedule order, or one.
pub(crate) fn export(path: &Path, id: Option<&str>) -> Result<Code, CommandError> {
    let results = Results::open(path)?;
    let mut out = JsonOut(BufWriter::new(io::stdout().lock()));
    if let Some(id) = id {
        let (_, record) = results.find(id)?;
        export::write_line(&mut out, &record)?;
        out.flush()?;
        return Ok(Code::Done);
    }
    let records = results.records().map(|stored| stored.map(|(_, record)| record));
    match export::write(&mut out, records) {
        Ok(_) => Ok(Code::Done),
        Err(ExportError::Write(error)) => Err(error.into()),
        Err(ExportError::Store(error)) => Err(error.into()),
    }
}

/// Writes the decisions of all matches, or of one, as the seats saw them: of all seats, or of one.
pub(crate) fn export_views(path: &Path, id: Option<&str>, seat: Option<Seat>) -> Result<Code, CommandError> {
    let results = Results::open(path)?;
    results.check_edition()?;
    let settings = results.stored_plan().settings.clone();
    let mut out = JsonOut(BufWriter::new(io::stdout().lock()));
    let mut write = |record: MatchRecord| -> Result<(), CommandError> {
        let recorded = RecordedMatch::new(record, Some(&settings));
        for seat in seat.map_or_else(|| settings.seats.iter().collect(), |seat| vec![seat]) {
            write_views(&recorded, seat, &mut out).map_err(|error| match error {
                RerunError::Host(output) => CommandError::from(output),
                error => error.into(),
            })?;
        }
        Ok(())
    };
    match id {
        Some(id) => write(results.find(id)?.1)?,
        None => {
            for stored in results.records() {
                write(stored?.1)?;
            }
        }
    }
    out.flush()?;
    Ok(Code::Done)
}

/// Shows one moment of a match with the legal actions, as the seat to act saw it or the given one.
pub(crate) fn moment(
    path: &Path,
    id: Option<&str>,
    turn: QuestionChoice,
    seat: Option<Seat>,
) -> Result<Code, CommandError> {
    let record = RecordSource::open(path)?.find(path, id)?;
    let place = turn.place(&record, seat.as_slice())?;
    crate::out::print(
        &narrate::moment(&record, place, seat, crate::out::columns()).map_err(CommandError::usage)?,
    )
}

/// Shows a match, or one round of it, with all hands or as one seat saw it.
pub(crate) fn replay(path: &Path, id: Option<&str>, telling: ReplayOptions) -> Result<Code, CommandError> {
    let source = RecordSource::open(path)?;
    let bots = source.bots();
    let record = source.find(path, id)?;
    let mut told = narrate::replay(&record, telling).map_err(CommandError::usage)?;
    let seat_at_fault = record.fault.as_ref().map(|fault| fault.seat);
    if telling.seat.is_none()
        && path != Path::new("-")
        && let (Some(seat), Some(command)) = (seat_at_fault, replay_command(path, &record, &bots))
    {
        let _ = writeln!(told, "\nas {} saw it: {command}", plain(&record.bots[seat])); // writing to a String cannot fail
    }
    crate::out::print(&told)
}
