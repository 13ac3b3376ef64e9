//! Checks records against the rules: every deal from its seed, every action in order, every number that follows.
//!
//! Trusts nothing that a record says about itself. Finds the first error, and reports where it is.

mod pairings;
mod single;
#[cfg(test)]
mod tests;
mod tournament;
mod words;

pub use single::{RecordError, RecordPart, verify};
pub use tournament::Verifier;
