//! The pages of a tournament: pure functions from a [`Snapshot`](crate::snapshot::Snapshot) to HTML, the same for a server and
//! for a published folder.
//!
//! Links are relative, and refer to bots by index and to matches by id, so text chosen by a bot or its author is never part of an
//! address.

mod author;
mod author_state;
pub mod board;
mod bot;
mod challenges;
mod competition;
mod events;
mod frame;
mod gate;
mod live;
mod luck;
mod matches;
mod overview;
mod pairings;
mod parts;
mod query;
mod screen;
mod script_texts;
mod single_match;
mod site;
mod standing_columns;
#[cfg(test)]
mod tests;
mod verify;
mod versions;
mod words;

pub(crate) use author::{
    AUTHOR_SCRIPT, OwnRecords, author_form, author_page, author_replay, hand_in_sentence, own_matches,
};
pub(crate) use author_state::AuthorState;
pub use bot::bot;
pub(crate) use challenges::{challenge_replay, challenge_sentence};
pub(crate) use competition::meeting as bracket_meeting;
pub use events::events;
pub use live::{TABLES, live};
pub use matches::{PER_PAGE, matches, rows as match_rows};
pub use overview::overview;
pub use pairings::pairings;
pub use query::{Filter, Query, Sort};
pub use screen::screen;
pub use single_match::single;
pub use site::{Delay, Site};
pub use verify::verify;
pub(crate) use words::time;

/// The style sheet of these pages, in addition to the shared one.
pub const STYLE: &str = include_str!("../assets/pages.css");
/// The script of these pages: only the live parts and the search in a published folder depend on it.
pub const SCRIPT: &str = concat!(include_str!("../assets/texts.js"), include_str!("../assets/pages.js"));
/// The program's logo.
pub const ICON: &str = include_str!("../assets/icon.svg");
/// The script that searches matches in a published folder.
pub const LIST_SCRIPT: &str = include_str!("../assets/matches-list.js");
