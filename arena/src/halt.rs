//! The way to end what takes a while before its time, from any thread.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::Notify;

/// Ends runs and checks before their time, and what prepares them. Matches that are being played are broken off and not recorded; those
/// that have ended count, and the rest can be played later. A bot that is being built is built no further.
#[derive(Clone, Debug, Default)]
pub struct Halt(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    called: AtomicBool,
    /// Who waits for something else meanwhile.
    sleepers: Mutex<Vec<Weak<dyn Wake>>>,
}

/// Somebody who is to look whether the halt was called.
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
    /// Ends what was given this halt, now and in the future.
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
        // A call before that has woken nobody.
        if !self.is_called() {
            sleeper.0.notified().await;
        }
    }

    /// Wakes somebody when the halt is called, for as long as they are there.
    pub(crate) fn wakes(&self, sleeper: Weak<dyn Wake>) {
        let mut sleepers = self.0.sleepers.lock().unwrap_or_else(PoisonError::into_inner);
        sleepers.retain(|sleeper| sleeper.strong_count() > 0);
        sleepers.push(sleeper);
    }
}
