//! A match in words: what happens at a table in sentences, a whole match or one moment of it for a terminal with the layout drawn in
//! text, and the hint for a beginner.
//!
//! Whatever narrates a match follows the events as an audience may see them with [`TableState`](leyden_model::TableState): seen
//! from one seat, a narration contains nothing that this seat could not know at the time. Nothing here prints.

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
