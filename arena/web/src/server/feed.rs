//! Broadcasts messages to all listeners. A message is built once; a listener that is too slow for it is dropped.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use tokio::sync::broadcast;

use crate::snapshot::{PlayedPair, Progress};

/// How many messages a listener may be behind.
const BEHIND: usize = 512;

/// The most listeners.
pub(super) const LISTENERS: usize = 100;

/// The most pairs that wait for a table.
const WAITING: usize = 16;

/// A message: the name of an event, and its data.
#[derive(Clone, Debug)]
pub(super) struct FeedMessage {
    pub(super) event: &'static str,
    pub(super) text: Arc<str>,
}

impl FeedMessage {
    /// Creates a message. Never `None` in practice, because the data are plain values.
    pub(super) fn new(event: &'static str, what: &impl Serialize) -> Option<Self> {
        let text = serde_json::to_string(what).ok()?;
        Some(Self { event, text: text.into() })
    }
}

/// The broadcast channel, with the number of its listeners.
#[derive(Clone)]
pub(super) struct Feed(Arc<Inner>);

struct Inner {
    messages: broadcast::Sender<FeedMessage>,
    listeners: AtomicUsize,
    state: Mutex<CurrentState>,
    /// Complete pairs that may be shown, the latest last.
    pairs: Mutex<Vec<PlayedPair>>,
}

/// The current state, for new listeners.
#[derive(Default)]
struct CurrentState {
    /// The content of each table.
    tables: BTreeMap<usize, FeedMessage>,
    /// Sent once everything is over.
    over: Option<FeedMessage>,
}

/// A listener; it counts until it is dropped.
pub(super) struct Spectator {
    pub(super) messages: broadcast::Receiver<FeedMessage>,
    /// The messages that it has to get first.
    pub(super) first: Vec<FeedMessage>,
    feed: Feed,
}

impl Drop for Spectator {
    fn drop(&mut self) {
        self.feed.0.listeners.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Feed {
    pub(super) fn new() -> Self {
        Self(Arc::new(Inner {
            messages: broadcast::Sender::new(BEHIND),
            listeners: AtomicUsize::new(0),
            state: Mutex::default(),
            pairs: Mutex::default(),
        }))
    }

    /// Adds a listener; `None` if there are too many.
    pub(super) fn listen(&self) -> Option<Spectator> {
        let counted = self.0.listeners.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |count| {
            (count < LISTENERS).then_some(count + 1)
        });
        counted.ok()?;
        // Locked until then, so that no message is lost or repeated.
        let current = self.state();
        let (messages, first) =
            (self.0.messages.subscribe(), current.tables.values().chain(&current.over).cloned().collect());
        Some(Spectator { messages, first, feed: self.clone() })
    }

    pub(super) fn listeners(&self) -> usize {
        self.0.listeners.load(Ordering::SeqCst)
    }

    pub(super) fn publish(&self, message: Option<FeedMessage>) {
        if let Some(message) = message {
            let _ = self.0.messages.send(message); // fails if there are no listeners
        }
    }

    /// Sends what changed on a table, and stores its new state.
    pub(super) fn publish_table(
        &self,
        table: usize,
        state: Option<FeedMessage>,
        change: Option<FeedMessage>,
    ) {
        let mut current = self.state();
        if let Some(state) = state {
            current.tables.insert(table, state);
        }
        self.publish(change);
    }

    /// Forgets what was on a table: new listeners get nothing of it.
    pub(super) fn clear_table(&self, table: usize) {
        self.state().tables.remove(&table);
    }

    /// Sends that everything is over, also to future listeners.
    pub(super) fn publish_end(&self) {
        let mut current = self.state();
        current.over = FeedMessage::new("over", &());
        self.publish(current.over.clone());
    }

    fn state(&self) -> MutexGuard<'_, CurrentState> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn progress(&self, progress: &Progress) {
        self.publish(FeedMessage::new("progress", progress));
    }

    /// Queues a pair to be shown. Drops the oldest if many wait.
    pub(super) fn offer(&self, pair: &PlayedPair) {
        let mut pairs = self.0.pairs.lock().unwrap_or_else(PoisonError::into_inner);
        if pairs.len() >= WAITING {
            pairs.remove(0);
        }
        pairs.push(pair.clone());
    }

    /// Takes the latest waiting pair.
    pub(super) fn next_pair(&self) -> Option<PlayedPair> {
        self.0.pairs.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }
}
