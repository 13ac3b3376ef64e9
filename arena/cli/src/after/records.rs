//! `leyden export` and `replay`: records from a results file or an export.

use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use leyden_arena::format::{self, CompetitionTable, TrfError};
use leyden_arena::narrate::{self, ReplayOptions};
use leyden_arena::record::export::{self, ExportError};
use leyden_arena::record::source::RecordSource;
use leyden_arena::record::store::Results;
use leyden_arena::report::{BotOrder, BracketsDocument, TournamentTally};
use leyden_arena::rerun::{RecordedMatch, RerunError, write_views};
use leyden_arena::roster::bot_index;
use leyden_language::Language;
use leyden_model::{BotEntry, MatchRecord};
use leyden_protocol::Seat;

use crate::exit::{Code, CommandError};
use crate::options::QuestionChoice;
use crate::out::JsonOut;
use crate::report::faults::replay_command;
use crate::report::grid::plain;

/// Returns the match whose id begins like this, or the first one, if this program can replay it.
pub(crate) fn find(source: RecordSource, id: Option<&str>) -> Result<MatchRecord, CommandError> {
    let record = source.find(id)?;
    narrate::rules_of(&record).map_err(CommandError::usage)?;
    Ok(record)
}

/// Returns the name of a bot in a results file, given its name or its folder.
pub(crate) fn resolve_bot(named: &str, bots: &[BotEntry]) -> Result<String, CommandError> {
    let known = bots.iter().map(|bot| (bot.name.as_str(), bot.folder.as_deref()));
    bot_index(named, known).map(|index| bots[index].name.clone()).map_err(CommandError::usage)
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
    match export::write_results(&mut out, &results, |_| true) {
        Ok(()) => Ok(Code::Done),
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

/// Writes a competition in the data model of `brackets-model`.
pub(crate) fn brackets(path: &Path) -> Result<Code, CommandError> {
    let (tally, table) = competition(path)?;
    crate::out::print_document(&BracketsDocument::new(&tally.tournament, &table))?;
    Ok(Code::Done)
}

/// Writes the Swiss of the first stage as a Tournament Report File.
pub(crate) fn trf(path: &Path) -> Result<Code, CommandError> {
    let (tally, table) = competition(path)?;
    let swiss =
        table.stages.first().ok_or(TrfError::NoSwiss).and_then(|stage| format::trf(&tally.tournament, stage));
    let text = swiss.map_err(CommandError::usage)?;
    // Lines of this format end with a carriage return, which has to stay.
    let lines: Vec<String> = text.split("\r\n").map(plain).collect();
    io::stdout().write_all(lines.join("\r\n").as_bytes())?;
    Ok(Code::Done)
}

/// A competition of stages, as it stands.
fn competition(path: &Path) -> Result<(TournamentTally, CompetitionTable<String>), CommandError> {
    let mut tally = TournamentTally::from_results(&Results::open(path)?, BotOrder::ByName)?;
    match tally.competition.take() {
        Some(table) => Ok((tally, table)),
        None => Err(CommandError::usage(format!(
            "{} has no stages: it is a round-robin or gauntlet",
            path.display()
        ))),
    }
}

/// Shows one moment of a match with the legal actions, as the seat to act saw it or the given one.
pub(crate) fn moment(
    path: &Path,
    id: Option<&str>,
    turn: QuestionChoice,
    seat: Option<Seat>,
    language: Language,
) -> Result<Code, CommandError> {
    let record = find(RecordSource::open(path)?, id)?;
    let turn_ref = turn.turn_ref(&record, seat.as_slice())?;
    let replay_text = narrate::moment(&record, turn_ref, seat, crate::out::columns(), language);
    crate::out::print(&replay_text.map_err(CommandError::usage)?)
}

/// Shows a match, or one round of it, with all hands or as one seat saw it.
pub(crate) fn replay(path: &Path, id: Option<&str>, options: ReplayOptions) -> Result<Code, CommandError> {
    let source = RecordSource::open(path)?;
    let bots = source.bots();
    let record = find(source, id)?;
    let mut replay_text = narrate::replay(&record, options).map_err(CommandError::usage)?;
    let seat_at_fault = record.fault.as_ref().map(|fault| fault.seat);
    if options.seat.is_none()
        && path != Path::new("-")
        && let (Some(seat), Some(command)) = (seat_at_fault, replay_command(path, &record, &bots))
    {
        let _ = writeln!(replay_text, "\nas {} saw it: {command}", plain(&record.bots[seat])); // writing to a String cannot fail
    }
    crate::out::print(&replay_text)
}
