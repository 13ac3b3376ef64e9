//! A result that comes in pieces, until it is whole.

use crate::receipts::Receipt;

/// The first pieces of a result.
#[derive(Debug, Default)]
pub(super) struct PartialResult {
    pub(super) next: u64,
    pub(super) bytes: Vec<u8>,
    /// The pieces that `bytes` consists of.
    pub(super) receipts: Vec<(u64, Receipt)>,
}
