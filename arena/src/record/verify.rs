//! Checks records against the rules: every deal from its seed, every action in order, every number that follows.
//!
//! Trusts nothing that a record says about itself. Finds the first error, and reports its place.

mod decided;
mod single;
#[cfg(test)]
mod tests;
mod whole;
mod words;

pub use single::{RecordPart, Violation, verify};
pub use whole::Verifier;
