//! Checks records against the rules: every deal from its seed, every action in its order, every number that follows.
//!
//! Trusts nothing that a record says of itself. Finds the first thing that is wrong, and says where.

mod single;
#[cfg(test)]
mod tests;
mod whole;
mod words;

pub use single::{RecordPart, Violation, verify};
pub use whole::Verifier;
