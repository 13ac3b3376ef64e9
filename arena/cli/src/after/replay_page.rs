//! `leyden replay --html`: a match as one page.

use std::fmt::Write as _;
use std::path::Path;

use leyden_arena::record::source::RecordSource;
use leyden_language::Language;
use leyden_model::MatchRecord;
use leyden_protocol::Seat;
use leyden_web::replay::{analysed_document, is_replay};

use crate::after::{analyse, records};
use crate::exit::{Code, CommandError};
use crate::out_file::OutFile;
use crate::report::grid::plain;

/// How many matches are offered to choose from.
const OFFERED: usize = 10;

/// Writes the match whose id begins like this, or the only one there is.
pub(crate) fn write(
    path: &Path,
    id: Option<&str>,
    seat: Option<Seat>,
    out: &Path,
    language: Language,
) -> Result<Code, CommandError> {
    let source = RecordSource::open(path)?;
    let record = match id {
        Some(id) => records::find(source, Some(id))?,
        None => only_one(source, path)?,
    };
    let analysed = analyse::analysed(path, &record);
    let page =
        analysed_document(&record, seat, None, analysed.as_ref(), language).map_err(CommandError::usage)?;
    let is_same = |(one, other)| one == other;
    if path.canonicalize().ok().zip(out.canonicalize().ok()).is_some_and(is_same) {
        return Err(CommandError::usage(format!(
            "{} holds the matches: write the page to another file",
            out.display()
        )));
    }
    let file = OutFile::at(out, "the page")?;
    file.refuse_others(is_replay)?;
    file.write(&page)?;
    let over = if file.is_new() { "" } else { ", replacing what was there" };
    crate::out::print(&format!(
        "wrote match {} to {}{over}: open it in a browser\n",
        record.id,
        out.display()
    ))
}

/// Returns the only match of a file. If there are several, the error lists them to choose from.
fn only_one(mut source: RecordSource, path: &Path) -> Result<MatchRecord, CommandError> {
    let mut first: Option<MatchRecord> = None;
    let (mut count, mut offered) = (0, String::new());
    for record in source.records() {
        let record = record?;
        count += 1;
        if count <= OFFERED {
            let names: Vec<String> = record.bots.as_slice().iter().map(|name| plain(name)).collect();
            let scores: Vec<String> = record.scores.as_slice().iter().map(ToString::to_string).collect();
            let _ = write!(offered, "\n  {}  {}  {}", record.id, names.join(" – "), scores.join(":"));
        }
        first.get_or_insert(record);
    }
    match first {
        None => Err(CommandError::usage(format!("{} does not hold a match", path.display()))),
        Some(record) if count == 1 => Ok(record),
        Some(_) => {
            let more =
                if count > OFFERED { format!("\n  and {} more", count - OFFERED) } else { String::new() };
            Err(CommandError::usage(format!(
                "{} holds {count} matches: name one by its id, or the beginning of it{offered}{more}",
                path.display()
            )))
        }
    }
}
