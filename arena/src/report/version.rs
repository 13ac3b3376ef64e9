//! The version of the documents' format.

/// The version of the documents' format, their field `v`.
pub const REPORT_VERSION: u32 = 1;
