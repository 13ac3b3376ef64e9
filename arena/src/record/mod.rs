//! What is done with records: the results file they are stored in, and what is read back from it.

pub mod export;
pub mod replay;
#[cfg(test)]
pub(crate) mod sample;
pub mod standings;
pub mod store;
pub mod verify;
