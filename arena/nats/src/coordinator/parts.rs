//! A result that arrives in pieces, until it is complete.

use crate::receipts::Receipt;

/// The pieces that have arrived so far.
#[derive(Debug, Default)]
pub(super) struct PartialResult {
    pub(super) next: u64,
    pub(super) bytes: Vec<u8>,
    /// The numbers and receipts of the pieces in `bytes`.
    pub(super) receipts: Vec<(u64, Receipt)>,
}
