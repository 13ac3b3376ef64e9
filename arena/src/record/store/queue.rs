//! The queue of what is to be written. Pushing takes no system call unless the item is the first of a batch. No channel, because
//! what comes is gathered before it is written: a channel would wake the writer for each item.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long an item may wait to be written together with later ones.
const GATHER: Duration = Duration::from_millis(50);

/// The most items that wait. A sender blocks only beyond this, when the disk has stalled for a long time.
const MOST: usize = 2048;

/// The queue between the senders and the writing thread.
pub(super) struct WriteQueue<T> {
    state: Mutex<State<T>>,
    /// Signals the writer: something waits, or a lot, or nothing more will come.
    filled: Condvar,
    /// Signals senders: there is room again.
    emptied: Condvar,
}

struct State<T> {
    waiting: Vec<T>,
    /// When the first of them came.
    since: Instant,
    closed: bool,
}

/// The queue is closed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct QueueClosedError;

impl<T> WriteQueue<T> {
    pub(super) fn new() -> Self {
        let state = State { waiting: Vec::new(), since: Instant::now(), closed: false };
        Self { state: Mutex::new(state), filled: Condvar::new(), emptied: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // Each change is complete before anything can panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an item, and blocks while the queue is full.
    pub(super) fn push(&self, item: T) -> Result<(), QueueClosedError> {
        let state = self.lock();
        let mut state = self
            .emptied
            .wait_while(state, |state| state.waiting.len() >= MOST && !state.closed)
            .unwrap_or_else(PoisonError::into_inner);
        if state.closed {
            return Err(QueueClosedError);
        }
        if state.waiting.is_empty() {
            state.since = Instant::now();
        }
        state.waiting.push(item);
        if state.waiting.len() == 1 || state.waiting.len() == MOST / 2 {
            self.filled.notify_one();
        }
        Ok(())
    }

    /// Waits for an item, then for those that come soon after, and takes them all. Returns `None` once the queue is closed
    /// and empty.
    pub(super) fn take(&self) -> Option<Vec<T>> {
        let state = self.lock();
        let state = self
            .filled
            .wait_while(state, |state| state.waiting.is_empty() && !state.closed)
            .unwrap_or_else(PoisonError::into_inner);
        let rest = GATHER.saturating_sub(state.since.elapsed());
        let (mut state, _) = self
            .filled
            .wait_timeout_while(state, rest, |state| state.waiting.len() < MOST / 2 && !state.closed)
            .unwrap_or_else(PoisonError::into_inner);
        let taken = std::mem::take(&mut state.waiting);
        self.emptied.notify_all();
        if taken.is_empty() { None } else { Some(taken) }
    }

    /// Closes the queue; items that wait can still be taken.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.filled.notify_all();
        self.emptied.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread;

    use super::*;

    #[test]
    fn everything_comes_out_once_and_in_order() {
        let queue = Arc::new(WriteQueue::new());
        let sender = thread::spawn({
            let queue = Arc::clone(&queue);
            move || (0..10_000).for_each(|n| queue.push(n).unwrap())
        });
        let mut all = Vec::new();
        while all.len() < 10_000 {
            let batch = queue.take().unwrap();
            assert!(batch.len() <= MOST);
            all.extend(batch);
        }
        sender.join().unwrap();
        assert!(all.into_iter().eq(0..10_000));
    }

    #[test]
    fn closed_queue_still_yields_its_waiting_items() {
        let queue = WriteQueue::new();
        queue.push('a').unwrap();
        queue.close();
        assert_eq!(queue.push('b'), Err(QueueClosedError));
        assert_eq!(queue.take(), Some(vec!['a']));
        assert_eq!(queue.take(), None);
    }

    #[test]
    fn push_to_a_full_queue_fails_once_closed() {
        let queue = Arc::new(WriteQueue::new());
        (0..MOST).for_each(|n| queue.push(n).unwrap());
        let sender = thread::spawn({
            let queue = Arc::clone(&queue);
            move || queue.push(0)
        });
        queue.close();
        assert_eq!(sender.join().unwrap(), Err(QueueClosedError));
    }
}
