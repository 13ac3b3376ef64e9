//! A match in words: what happens at a table in sentences, a whole match or one moment of it for a terminal with the layout drawn in
//! text, and the hint for a beginner.
//!
//! Every narrator of a match follows the events as an audience may see them with [`TableState`](leyden_model::TableState): seen
//! from one seat, a narration contains nothing that this seat could not know at the time. Nothing here prints.
//!
//! ```
//! use leyden_arena::narrate::{Narrator, words::printable};
//! use leyden_language::Language;
//! use leyden_model::projection::{Audience, Projection};
//! use leyden_model::{MatchRecord, TableState, UnplayableError, replayed};
//! use leyden_protocol::Seat;
//! use leyden_rules::Rules;
//!
//! /// What a seat saw of a recorded match, in sentences.
//! fn seen(record: &MatchRecord, rules: &Rules, seat: Seat) -> Result<Vec<String>, UnplayableError> {
//!     let narrator = Narrator::new(record.bots.map(|name| printable(name)), None, Language::English);
//!     let (mut projection, mut table) = (Projection::new(Audience::Seat(seat)), TableState::new(rules));
//!     let mut sentences = Vec::new();
//!     for shown in replayed(record)?.iter().filter_map(|event| projection.show(event)) {
//!         sentences.extend(narrator.sentence(&table, &shown)); // before the table has changed
//!         table.take(&shown);
//!     }
//!     Ok(sentences)
//! }
//! ```

mod error;
mod hint;
pub mod layout;
mod moment;
mod narrator;
mod replay;
pub mod words;

pub use error::{ReplayError, rules_of};
pub use hint::hint;
pub use moment::moment;
pub use narrator::Narrator;
pub use replay::{ReplayOptions, replay};

#[cfg(test)]
mod tests;
