//! The way to end a run before its time, from any thread.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Ends runs before their time, and what prepares them. Matches that are being played are broken off and not recorded; those
/// that have ended count, and the rest can be played later. A bot that is being built is built no further.
#[derive(Clone, Debug, Default)]
pub struct Halt(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    called: Arc<AtomicBool>,
    /// Who waits for something else meanwhile.
    sleepers: Mutex<Vec<Weak<dyn Wake>>>,
}

/// Somebody who is to look whether the halt was called.
pub(super) trait Wake: Send + Sync + std::fmt::Debug {
    fn wake(&self);
}

impl Halt {
    /// Ends the runs that were given this halt, now and in the future.
    pub fn now(&self) {
        self.0.called.store(true, Ordering::SeqCst);
        let sleepers = self.0.sleepers.lock().unwrap_or_else(PoisonError::into_inner);
        sleepers.iter().filter_map(Weak::upgrade).for_each(|sleeper| sleeper.wake());
    }

    pub fn is_called(&self) -> bool {
        self.0.called.load(Ordering::SeqCst)
    }

    /// For who does not wait, but looks now and then. Nobody sets it but [`now`](Self::now).
    pub fn flag(&self) -> &Arc<AtomicBool> {
        &self.0.called
    }

    /// Wakes somebody when the halt is called, for as long as he is there.
    pub(super) fn wakes(&self, sleeper: Weak<dyn Wake>) {
        let mut sleepers = self.0.sleepers.lock().unwrap_or_else(PoisonError::into_inner);
        sleepers.retain(|sleeper| sleeper.strong_count() > 0);
        sleepers.push(sleeper);
    }
}
