//! Stops long-running work early, from any thread.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::Notify;

/// Stops runs, checks and their preparation early. Matches in progress are aborted and not recorded; finished ones count, and
/// the rest can be played later. A build in progress is stopped.
#[derive(Clone, Debug, Default)]
pub struct Halt(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    called: AtomicBool,
    /// Threads and tasks that wait for something else.
    sleepers: Mutex<Vec<Weak<dyn Wake>>>,
    /// Stops this one, too.
    parent: Option<Halt>,
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

    /// Creates a halt that is called with this one, or by itself.
    #[must_use]
    pub fn child(&self) -> Self {
        Self(Arc::new(Inner { parent: Some(self.clone()), ..Inner::default() }))
    }

    /// Whether it, or one that it is a child of, was called.
    pub fn is_called(&self) -> bool {
        self.0.called.load(Ordering::SeqCst) || self.0.parent.as_ref().is_some_and(Self::is_called)
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

    /// Waits for this long, or until the halt is called. Not on a thread that runs tasks.
    pub fn wait(&self, longest: Duration) {
        let until = Instant::now() + longest;
        while !self.is_called() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            thread::sleep(left.min(Duration::from_millis(50)));
        }
    }

    /// Registers a sleeper to be woken when the halt is called, as long as it exists.
    pub(crate) fn wakes(&self, sleeper: Weak<dyn Wake>) {
        if let Some(parent) = &self.0.parent {
            parent.wakes(Weak::clone(&sleeper));
        }
        let mut sleepers = self.0.sleepers.lock().unwrap_or_else(PoisonError::into_inner);
        sleepers.retain(|sleeper| sleeper.strong_count() > 0);
        sleepers.push(sleeper);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn child_halt_is_called_alone_or_with_parent() {
        let parent = Halt::default();
        let [one, other] = [parent.child(), parent.child()];
        one.now();
        assert_eq!([&parent, &one, &other].map(Halt::is_called), [false, true, false]);
        parent.now();
        assert!(other.is_called());
    }

    #[tokio::test]
    async fn parent_halt_wakes_the_waiter_of_a_grandchild() {
        let parent = Halt::default();
        let child = parent.child().child();
        let waiting = tokio::spawn(async move { child.called().await });
        tokio::task::yield_now().await;
        parent.now();
        waiting.await.unwrap();
    }
}
