//! What is told to all who listen, as it happens. A message is made once; whoever is too slow for it misses it and is dropped.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use tokio::sync::broadcast;

use crate::web::snapshot::{PairPlayed, Progress};

/// How many messages a listener may be behind.
const BEHIND: usize = 512;

/// How many listeners there are at most.
pub(super) const LISTENERS: usize = 100;

/// How many pairs wait for a table.
const WAITING: usize = 16;

/// A message: the name of an event, and what it says.
#[derive(Clone, Debug)]
pub(super) struct Message {
    pub(super) event: &'static str,
    pub(super) text: Arc<str>,
}

impl Message {
    /// `None` cannot be: what is told are plain values.
    pub(super) fn new(event: &'static str, what: &impl Serialize) -> Option<Self> {
        let text = serde_json::to_string(what).ok()?;
        Some(Self { event, text: text.into() })
    }
}

/// What is told, and to how many.
#[derive(Clone)]
pub(super) struct Feed(Arc<Inner>);

struct Inner {
    messages: broadcast::Sender<Message>,
    listeners: AtomicUsize,
    stands: Mutex<Stands>,
    /// Pairs that are complete and may be shown, the latest last.
    pairs: Mutex<Vec<PairPlayed>>,
}

/// How things stand, for those who come later.
#[derive(Default)]
struct Stands {
    /// What is on each table.
    tables: BTreeMap<usize, Message>,
    /// Said once everything is over.
    over: Option<Message>,
}

/// Somebody who listens; counted for as long as they do.
pub(super) struct Spectator {
    pub(super) messages: broadcast::Receiver<Message>,
    /// What they have to be told first.
    pub(super) first: Vec<Message>,
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
            stands: Mutex::default(),
            pairs: Mutex::default(),
        }))
    }

    /// Listens; `None` if too many do already.
    pub(super) fn listen(&self) -> Option<Spectator> {
        let counted = self.0.listeners.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |count| {
            (count < LISTENERS).then_some(count + 1)
        });
        counted.ok()?;
        // They are held meanwhile: nothing is told twice, and nothing between them is missed.
        let stands = self.stands();
        let (messages, first) =
            (self.0.messages.subscribe(), stands.tables.values().chain(&stands.over).cloned().collect());
        Some(Spectator { messages, first, feed: self.clone() })
    }

    pub(super) fn listeners(&self) -> usize {
        self.0.listeners.load(Ordering::SeqCst)
    }

    pub(super) fn tell(&self, message: Option<Message>) {
        if let Some(message) = message {
            let _ = self.0.messages.send(message); // nobody may listen
        }
    }

    /// Tells what has changed on a table, and keeps how it stands now.
    pub(super) fn tell_table(&self, table: usize, state: Option<Message>, change: Option<Message>) {
        let mut stands = self.stands();
        if let Some(state) = state {
            stands.tables.insert(table, state);
        }
        self.tell(change);
    }

    /// Tells that everything is over, also to whoever comes from now on.
    pub(super) fn tell_end(&self) {
        let mut stands = self.stands();
        stands.over = Message::new("over", &());
        self.tell(stands.over.clone());
    }

    fn stands(&self) -> MutexGuard<'_, Stands> {
        self.0.stands.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn progress(&self, progress: &Progress) {
        self.tell(Message::new("progress", progress));
    }

    /// Offers a pair to be shown. When many wait the oldest is not shown.
    pub(super) fn offer(&self, pair: &PairPlayed) {
        let mut pairs = self.0.pairs.lock().unwrap_or_else(PoisonError::into_inner);
        if pairs.len() >= WAITING {
            pairs.remove(0);
        }
        pairs.push(pair.clone());
    }

    /// The latest pair that waits.
    pub(super) fn next_pair(&self) -> Option<PairPlayed> {
        self.0.pairs.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }
}
