//! Stops long-running work early, from any thread.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::Notify;

/// Stops runs, checks and their preparation early. Matches in progress are aborted and not recorded; finished ones count, and
/// the rest can be played later. A build in progress is stopped.
#[derive(Clone, Debug, Default)]
pub struct Halt(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    called: AtomicBool,
    /// Threads and tasks that wait for something else meanwhile.
    sleepers: Mutex<Vec<Weak<dyn Wake>>>,
}

/// A waiter that, once woken, checks whether the halt was called.
pub(crate) trait Wake: Send + Sync + std::fmt::Debug {
    fn wake(&self);
}

/// A future that waits for the halt.
#[derive(Debug, Default)]
struct Sleeper(Notify);

impl Wake for Sleeper {
    fn wake(&self) {
        self.0.notify_one();
    }
}

impl Halt {
    /// Stops everything that was given this halt, now and in the future.
    pub fn now(&self) {
        self.0.called.store(true, Ordering::SeqCst);
        let sleepers = self.0.sleepers.lock().unwrap_or_else(PoisonError::into_inner);
        sleepers.iter().filter_map(Weak::upgrade).for_each(|sleeper| sleeper.wake());
    }

    pub fn is_called(&self) -> bool {
        self.0.called.load(Ordering::SeqCst)
    }

    /// Waits until the halt is called.
    pub async fn called(&self) {
        let sleeper = Arc::new(Sleeper::default());
        let weak: Weak<dyn Wake> = Arc::downgrade(&sleeper) as _;
        self.wakes(weak);
        // A call before registration has not woken this task.
        if !self.is_called() {
            sleeper.0.notified().await;
        }
    }

    /// Registers a sleeper to be woken when the halt is called, as long as it exists.
    pub(crate) fn wakes(&self, sleeper: Weak<dyn Wake>) {
        let mut sleepers = self.0.sleepers.lock().unwrap_or_else(PoisonError::into_inner);
        sleepers.retain(|sleeper| sleeper.strong_count() > 0);
        sleepers.push(sleeper);
    }
}
