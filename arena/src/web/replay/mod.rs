//! The replay of a match: one document that needs nothing else, neither a server nor a network.
//!
//! Made from what an audience may see of the match, and from nothing else: a document for a seat holds that seat's facts
//! alone. One for everybody holds a view for each seat beside the open one, and shows one at a time.

mod facts;
mod page;
mod story;
mod table;
#[cfg(test)]
mod tests;
mod words;

use leyden_model::{MatchRecord, Unplayable, replayed};
use leyden_protocol::Seat;

use crate::record::replay::ReplayError;
use facts::ReplayContent;
use story::ReplayView;

pub(super) use page::header_policy;
pub use page::{is_replay, security_policy};
pub(super) use words::{printable, printable_lines, wanted};

/// The replay of a match as one HTML document, from all hands or as one seat may see it. `home` is where the sign at the top
/// leads, if anywhere: a link to other pages of the same site.
pub fn document(record: &MatchRecord, seat: Option<Seat>, home: Option<&str>) -> Result<String, ReplayError> {
    let seats = record.bots.seats();
    if let Some(seat) = seat.filter(|&seat| !seats.has(seat)) {
        return Err(ReplayError::NoSeat { id: record.id.clone(), seat, seats });
    }
    let rules = record.rules.rules();
    let rules = rules.map_err(|impossible| ReplayError::Rules(impossible, record.id.clone()))?;
    let broken =
        |Unplayable { round, action }| ReplayError::Unplayable { id: record.id.clone(), round, action };
    let events = replayed(record).map_err(broken)?;
    let mut header = record.header();
    header.id = printable(&header.id);
    let (first, lines) = story::tell(&header, &rules, &events, seat);
    let further = seats.iter().filter(|_| seat.is_none());
    let further = further.map(|seat| story::tell(&header, &rules, &events, Some(seat)).0);
    let views: Vec<ReplayView> = std::iter::once(first).chain(further).collect();
    let facts = ReplayContent {
        names: record.bots.as_slice().iter().map(|name| printable(name)).collect(),
        tables: record.rounds.iter().map(|round| table::draw(&rules, &round.actions)).collect(),
        views: &views,
        lines,
    };
    Ok(page::page(&header, &rules, &facts, home))
}
