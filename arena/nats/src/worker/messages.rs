//! What the parts of a worker say to each other, and to whoever plays.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::PublishMessage;

/// Says whether a batch is not wanted any more, also to whoever is too busy with it to be told.
#[derive(Clone, Debug, Default)]
pub struct CancelFlag(Arc<AtomicBool>);

impl CancelFlag {
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    pub(super) fn set(&self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

impl PartialEq for CancelFlag {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for CancelFlag {}

/// What whoever plays is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToPlayer {
    /// A batch is to be played, after those before it.
    Batch { run: String, batch: u64, payload: Vec<u8>, cancelled: CancelFlag },
    /// A batch is not wanted any more.
    Drop { run: String, batch: u64 },
    /// Something that whoever runs the worker should know.
    Notice(String),
}

/// What whoever plays tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FromPlayer {
    /// What came of a batch, or of a part of it.
    Result { run: String, batch: u64, payload: Vec<u8>, last: bool },
    /// Something that happens in it at this moment. It may get lost.
    Event { run: String, batch: u64, payload: Vec<u8> },
    /// Nothing more will be played. What was told before is still sent; the rest is handed back.
    Leave,
}

/// What tasks tell.
pub(super) enum TaskMessage {
    Batch(Box<Message>, PullConsumer),
    NoBatch(Option<PullConsumer>),
    Sent((String, u64)),
    Wrong(String),
    Flushed,
}

/// A piece of a result that is to be sent.
pub(super) struct ResultPart {
    pub(super) key: (String, u64),
    pub(super) subject: String,
    pub(super) message: PublishMessage,
    pub(super) cancelled: CancelFlag,
    /// With the last piece of a batch goes the receipt for it.
    pub(super) receipt: Option<Arc<Message>>,
}

/// What is to be sent.
pub(super) enum Outgoing {
    Piece(Box<ResultPart>),
    Flush,
}
