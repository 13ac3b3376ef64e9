//! The messages between the parts of a worker, and between it and the player.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::PublishMessage;

/// Whether a batch is no longer wanted. A player that is too busy to read its messages can poll it.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    pub(super) fn set(&self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

impl PartialEq for StopFlag {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for StopFlag {}

/// A message to the player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToPlayer {
    /// A batch to be played, after those before it.
    Batch { run: String, batch: u64, payload: Vec<u8>, stopped: StopFlag },
    /// A batch that is no longer wanted.
    Drop { run: String, batch: u64 },
    /// A message for the user.
    Notice(String),
}

/// A message from the player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FromPlayer {
    /// The outcome of a batch, or of a part of it.
    Result { run: String, batch: u64, payload: Vec<u8>, last: bool },
    /// An event from a running batch. It may get lost.
    Event { run: String, batch: u64, payload: Vec<u8> },
    /// Nothing more will be played. What was reported is still sent; the rest is handed back.
    Leave,
}

/// A message from a task.
pub(super) enum TaskMessage {
    Batch(Box<Message>, PullConsumer),
    NoBatch(Option<PullConsumer>),
    Sent((String, u64)),
    Wrong(String),
    Flushed,
}

/// A piece of a result to be sent.
pub(super) struct ResultPart {
    pub(super) key: (String, u64),
    pub(super) subject: String,
    pub(super) message: PublishMessage,
    pub(super) stopped: StopFlag,
    /// The receipt of the batch, with its last piece.
    pub(super) receipt: Option<Arc<Message>>,
}

/// What is to be sent.
pub(super) enum Outgoing {
    Piece(Box<ResultPart>),
    Flush,
}
