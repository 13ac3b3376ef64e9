//! Reports: what came of a run, as a document, and that document as a table, CSV, JUnit XML or an annotation.
//!
//! A document is the same for the same records, byte by byte, thinking times apart: these stand in fields that end in
//! `_us`.

pub(super) mod csv;
pub(super) mod exported;
pub(super) mod faults;
pub(super) mod gathered;
pub(super) mod github;
pub(super) mod grid;
pub(super) mod junit;
pub(super) mod off_turn;
pub(super) mod results;
pub(super) mod standings;
pub(super) mod text;
pub(super) mod trial;
pub(super) mod versus;

/// The version of the documents' form, their field `v`.
pub(super) const REPORT_VERSION: u32 = 1;
