//! The replay of a match: one self-contained document that needs neither a server nor a network.
//!
//! It is built only from what an audience may see of the match: a document for a seat contains only that seat's information. A
//! document for everyone contains the open view and a view for each seat, and shows one at a time.

mod facts;
mod page;
mod script_texts;
mod story;
mod table;
#[cfg(test)]
mod tests;
mod words;
mod worth;

use leyden_language::Language;
use leyden_model::{MatchRecord, UnplayableError, replayed};
use leyden_protocol::Seat;

use facts::ReplayContent;
use leyden_arena::analyse::AnalysedMatch;
use leyden_arena::narrate::{ReplayError, rules_of};
use script_texts::script_texts;
use story::ReplayView;
pub(crate) use worth::Worth;

pub(super) use page::header_policy;
pub use page::{is_replay, security_policy};
pub(super) use words::{needed_numbers, printable, printable_lines, short};

/// Builds the replay of a match as one HTML document, with all hands or as one seat may see it. `home` is the target of the logo's
/// link, if any: another page of the same site.
pub fn document(
    record: &MatchRecord,
    seat: Option<Seat>,
    home: Option<&str>,
    language: Language,
) -> Result<String, ReplayError> {
    analysed_document(record, seat, home, None, language)
}

/// Builds the same document, with what each decision was worth if that is known.
pub fn analysed_document(
    record: &MatchRecord,
    seat: Option<Seat>,
    home: Option<&str>,
    analysed: Option<&AnalysedMatch>,
    language: Language,
) -> Result<String, ReplayError> {
    let seats = record.bots.seats();
    if let Some(seat) = seat.filter(|&seat| !seats.has(seat)) {
        return Err(ReplayError::NoSeat { id: record.id.clone(), seat, seats });
    }
    let rules = rules_of(record)?;
    let broken =
        |UnplayableError { round, action }| ReplayError::Unplayable { id: record.id.clone(), round, action };
    let events = replayed(record).map_err(broken)?;
    let mut header = record.header();
    header.id = printable(&header.id);
    let worth = Worth::new(analysed.filter(|analysed| analysed.id == record.id), language);
    let (first, lines) = story::narrate(&header, &rules, &events, &worth, seat, language);
    let further = seats.iter().filter(|_| seat.is_none());
    let further =
        further.map(|seat| story::narrate(&header, &rules, &events, &worth, Some(seat), language).0);
    let views: Vec<ReplayView> = std::iter::once(first).chain(further).collect();
    let facts = ReplayContent {
        names: record.bots.as_slice().iter().map(|name| printable(name)).collect(),
        tables: record.rounds.iter().map(|round| table::draw(&rules, &round.actions)).collect(),
        views: &views,
        lines,
        texts: script_texts(language),
    };
    Ok(page::page(&header, &rules, &facts, home, language))
}
