//! The messages between the parts of a worker, and between it and the player.

use std::sync::Arc;

use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::PublishMessage;
use tokio_util::sync::CancellationToken;

/// A message to the player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToPlayer {
    /// A batch to be played, after those before it. `stop` says when it is no longer needed, to a player that is too busy to
    /// read its messages.
    Batch { run: String, batch: u64, payload: Vec<u8>, stop: CancellationToken },
    /// A batch that is no longer needed.
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
    pub(super) stop: CancellationToken,
    /// The receipt of the batch, with its last piece.
    pub(super) receipt: Option<Arc<Message>>,
}

/// What is to be sent.
pub(super) enum Outgoing {
    Piece(Box<ResultPart>),
    Flush,
}
