//! Which form the documents have.

/// The version of the documents' form, their field `v`.
pub const REPORT_VERSION: u32 = 1;
