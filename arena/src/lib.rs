//! The arena as a library.
pub mod stats;
