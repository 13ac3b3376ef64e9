//! Receipts of results that count but are not stored yet.

use std::collections::BTreeSet;
use std::fmt;

use async_nats::jetstream::message::Acker;

/// Acknowledges a message.
pub(crate) struct Receipt(Acker);

impl Receipt {
    pub(crate) fn new(acker: Acker) -> Self {
        Self(acker)
    }

    /// Acknowledges the message. If that fails, the message is delivered again and then ignored.
    pub(crate) async fn give(self) {
        drop(self.0.ack().await);
    }
}

impl fmt::Debug for Receipt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Receipt")
    }
}

/// Acknowledges the messages of these receipts.
pub(crate) async fn acknowledge(due: Vec<Receipt>) {
    for receipt in due {
        receipt.give().await;
    }
}

/// Receipts that wait until the items of their results are stored.
#[derive(Debug)]
pub(crate) struct Receipts<R = Receipt>(Vec<OwedReceipts<R>>);

#[derive(Debug)]
struct OwedReceipts<R> {
    batch: u64,
    /// The pieces of the result, by number.
    pieces: Vec<(u64, R)>,
    /// The items that are not stored yet.
    items: BTreeSet<u64>,
}

impl<R> Receipts<R> {
    pub(crate) fn new() -> Self {
        Self(Vec::new())
    }

    /// Keeps the receipts of a result until these items are stored.
    pub(crate) fn owe(&mut self, batch: u64, pieces: Vec<(u64, R)>, items: &[u64]) {
        self.0.push(OwedReceipts { batch, pieces, items: items.iter().copied().collect() });
    }

    /// Replaces the receipt of a piece that was delivered again: the server waits for the receipt of the last delivery.
    /// Returns the receipt if none is owed for this piece.
    pub(crate) fn delivered_again(&mut self, batch: u64, piece: u64, receipt: R) -> Option<R> {
        let owed = self.0.iter_mut().filter(|owed| owed.batch == batch).flat_map(|owed| &mut owed.pieces);
        match owed.into_iter().find(|(number, _)| *number == piece) {
            Some((_, before)) => {
                *before = receipt;
                None
            }
            None => Some(receipt),
        }
    }

    /// Records that an item is stored. Returns the receipts that are now due.
    pub(crate) fn stored(&mut self, item: u64) -> Vec<R> {
        for owed in &mut self.0 {
            owed.items.remove(&item);
        }
        let due = self.0.extract_if(.., |owed| owed.items.is_empty());
        due.flat_map(|owed| owed.pieces).map(|(_, receipt)| receipt).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn receipt_is_due_once_all_items_are_stored() {
        let mut receipts = Receipts::new();
        receipts.owe(1, vec![(0, "a"), (1, "b")], &[10, 11]);
        receipts.owe(2, vec![(0, "c")], &[12]);
        assert_eq!(receipts.stored(11), [""; 0]);
        assert_eq!(receipts.stored(11), [""; 0]);
        assert_eq!(receipts.stored(12), ["c"]);
        assert_eq!(receipts.stored(10), ["a", "b"]);
        assert_eq!(receipts.stored(10), [""; 0]);
    }

    #[test]
    fn receipt_of_the_last_delivery_replaces_earlier_ones() {
        let mut receipts = Receipts::new();
        receipts.owe(1, vec![(0, "a"), (1, "b")], &[10]);
        assert_eq!(receipts.delivered_again(1, 1, "again"), None);
        assert_eq!(receipts.delivered_again(1, 2, "unknown"), Some("unknown"));
        assert_eq!(receipts.delivered_again(2, 0, "unknown"), Some("unknown"));
        assert_eq!(receipts.stored(10), ["a", "again"]);
    }
}
