//! The pages of a tournament: pure functions from a [`Snapshot`] to HTML, the same for a server and for a folder.
//!
//! Links are relative and name bots by their places and matches by their ids, so nothing that a bot or its author has
//! chosen is ever part of an address. Whatever they have chosen is text.

pub mod board;
mod bot;
mod finding;
mod frame;
mod live;
mod luck;
mod matches;
mod overview;
mod pairings;
mod parts;
mod screen;
mod single;
#[cfg(test)]
mod tests;
mod verify;
mod words;

use std::collections::BTreeSet;

pub use bot::bot;
pub use finding::{Filter, Query, Sort};
pub use live::{TABLES, live};
pub use matches::{matches, rows as match_rows};
pub use overview::overview;
pub use pairings::pairings;
pub use screen::screen;
pub use single::single;
pub use verify::verify;

use crate::web::snapshot::{MatchSeen, Snapshot};

/// How the pages look beyond what all pages share.
pub const STYLE: &str = include_str!("../assets/pages.css");
/// What moves in them: nothing depends on it but what is live, and searching in a folder.
pub const SCRIPT: &str = include_str!("../assets/pages.js");
/// The program's sign.
pub const ICON: &str = include_str!("../assets/icon.svg");
/// What finds matches in a folder.
pub const LIST_SCRIPT: &str = include_str!("../assets/matches-list.js");

/// How many matches a page of the list has.
pub const PER_PAGE: usize = 50;

/// Where pages stand, which decides what they can lead to.
#[derive(Clone, Debug)]
pub enum Site {
    /// A server: pages follow what happens, and every match can be replayed.
    Server {
        /// What is drawn on the tables, in a sentence.
        delay: &'static str,
    },
    /// A folder of files: these matches can be replayed.
    Folder {
        replays: BTreeSet<String>,
        /// Whether the records are there, as `records.jsonl.gz`.
        has_records: bool,
    },
}

impl Site {
    /// The address of a match's replay, seen from the root.
    fn replay(&self, seen: &MatchSeen) -> Option<String> {
        let is_there = match self {
            Self::Server { .. } => true,
            Self::Folder { replays, .. } => replays.contains(&seen.id),
        };
        let moment = seen.fault.and_then(|fault| fault.moment);
        let moment = moment.map_or_else(String::new, |(round, action)| format!("#r{round}.t{action}"));
        is_there.then(|| format!("matches/{}.html{moment}", seen.id))
    }

    fn is_live(&self, snapshot: &Snapshot) -> bool {
        matches!(self, Self::Server { .. }) && !snapshot.progress.is_over
    }
}
