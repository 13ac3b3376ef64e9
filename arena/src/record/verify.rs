//! Checks records against the rules: every deal from its seed, every action in order, every number that follows.
//!
//! Trusts nothing that a record says about itself. Finds the first error, and reports where it is.

mod pairings;
mod single_record;
#[cfg(test)]
mod tests;
mod tournament;
mod words;

pub use single_record::{RecordError, RecordPart, verify};
pub use tournament::Verifier;
