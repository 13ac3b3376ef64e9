//! Which leg the processes of each worker have played while they can still run: no other worker plays another leg then.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// The leg of each worker, by its number; none while none of its processes can run.
#[derive(Debug)]
pub(super) struct LegsInPlay {
    legs: Mutex<Vec<Option<u32>>>,
    changed: Notify,
}

impl LegsInPlay {
    pub(super) fn new(workers: usize) -> Self {
        Self { legs: Mutex::new(vec![None; workers]), changed: Notify::new() }
    }

    fn legs(&self) -> MutexGuard<'_, Vec<Option<u32>>> {
        // Each change is complete before anything can panic.
        self.legs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that none of a worker's processes can run.
    pub(super) fn leave(&self, worker: usize) {
        self.legs()[worker] = None;
        self.changed.notify_waiters();
    }

    /// Waits until the processes of all other workers have played this leg or cannot run, and lets this worker play it.
    pub(super) async fn enter(&self, worker: usize, leg: u32) {
        loop {
            let mut changed = std::pin::pin!(self.changed.notified());
            changed.as_mut().enable(); // registers before the check, so no later change is missed
            {
                let mut legs = self.legs();
                let is_free = |(other, in_play): (usize, &Option<u32>)| {
                    other == worker || in_play.is_none_or(|in_play| in_play == leg)
                };
                if legs.iter().enumerate().all(is_free) {
                    legs[worker] = Some(leg);
                    return;
                }
            }
            changed.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[tokio::test]
    async fn another_leg_waits_until_nobody_plays_this_one() {
        let legs = Arc::new(LegsInPlay::new(3));
        legs.enter(0, 0).await;
        legs.enter(1, 0).await;
        let waiting = {
            let legs = Arc::clone(&legs);
            tokio::spawn(async move { legs.enter(2, 1).await })
        };
        legs.leave(0);
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        legs.leave(1);
        waiting.await.unwrap();
        assert_eq!(*legs.legs(), [None, None, Some(1)]);
    }
}
