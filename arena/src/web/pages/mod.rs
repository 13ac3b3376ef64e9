//! The pages of a tournament: pure functions from a [`Snapshot`](crate::web::snapshot::Snapshot) to HTML, the same for a server and for a folder.
//!
//! Links are relative and name bots by their places and matches by their ids, so nothing that a bot or its author has
//! chosen is ever part of an address. Whatever they have chosen is text.

pub mod board;
mod bot;
mod finding;
mod frame;
mod gate;
mod live;
mod luck;
mod matches;
mod overview;
mod pairings;
mod parts;
mod screen;
mod single;
mod site;
#[cfg(test)]
mod tests;
mod verify;
mod words;

pub use bot::bot;
pub use finding::{Filter, Query, Sort};
pub use live::{TABLES, live};
pub use matches::{PER_PAGE, matches, rows as match_rows};
pub use overview::overview;
pub use pairings::pairings;
pub use screen::screen;
pub use single::single;
pub use site::Site;
pub use verify::verify;

/// How the pages look beyond what all pages share.
pub const STYLE: &str = include_str!("../assets/pages.css");
/// What moves in them: nothing depends on it but what is live, and searching in a folder.
pub const SCRIPT: &str = include_str!("../assets/pages.js");
/// The program's sign.
pub const ICON: &str = include_str!("../assets/icon.svg");
/// What finds matches in a folder.
pub const LIST_SCRIPT: &str = include_str!("../assets/matches-list.js");
