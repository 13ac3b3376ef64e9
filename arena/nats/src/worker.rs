//! A worker: takes batches, hands them to the player, and sends their results.
//!
//! A batch is held from its arrival, even while its bundles are being fetched; a silent worker loses it. The batches of a run
//! that is no longer heard are dropped.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::Subscriber;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{AckKind, Message};
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio_stream::StreamExt;
use tokio_util::sync::CancellationToken;

use crate::connection::{ConnectError, Connection};
use crate::name::WorkerName;
use crate::results::pieces;
use crate::secret::Secret;
use crate::subjects::{self, JOBS};
use crate::wire::{RunCall, SECRET, ToWorker, VERSION, WorkerHello, to_bytes};

pub use messages::{FromPlayer, ToPlayer};
use messages::{Outgoing, ResultPart, TaskMessage};
use sending::send_all;

mod messages;
mod sending;

/// How many batches are held at once: one that is played and one that waits.
const MAX_HELD: usize = 2;

/// How long the server keeps a request that it cannot answer yet.
const EXPIRY: Duration = Duration::from_secs(2);

/// The longest time between two signs of life.
const BEAT: Duration = Duration::from_secs(2);

/// Bytes of a message reserved for its headers.
const HEADERS: usize = 4096;

/// How long a leaving worker may take to send what is finished.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(10);

/// Why a worker cannot continue.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    #[error(transparent)]
    Connection(#[from] ConnectError),
    #[error("the NATS server does not let this worker subscribe to its messages: {0}")]
    Deaf(String),
    #[error("the system provides no random numbers: {0}")]
    Random(#[from] std::io::Error),
}

/// A run that was announced.
#[derive(Debug)]
struct AnnouncedRun {
    lease: Duration,
    heard: Instant,
}

/// A batch that this worker holds.
#[derive(Debug)]
struct HeldBatch {
    message: Arc<Message>,
    secret: Secret,
    /// The number of the next piece of its results.
    part: u64,
    stop: CancellationToken,
}

/// One worker.
///
/// ```no_run
/// use leyden_nats::{Connection, ConnectionOptions, FromPlayer, ToPlayer, Worker};
/// use tokio::sync::mpsc::unbounded_channel;
///
/// # async fn example(options: &ConnectionOptions) -> Result<(), Box<dyn std::error::Error>> {
/// let connection = Connection::open(options, "worker-1").await?;
/// let ((to_player, mut batches), (results, from_player)) = (unbounded_channel(), unbounded_channel());
/// let card = Box::new(|| serde_json::json!({ "jobs": 1 }));
/// let worker = Worker::open(connection, "worker-1".parse()?, card, to_player).await?;
/// tokio::spawn(async move {
///     while let Some(message) = batches.recv().await {
///         let ToPlayer::Batch { run, batch, payload, .. } = message else { continue };
///         drop(results.send(FromPlayer::Result { run, batch, payload, last: true }));
///     }
/// });
/// worker.run(from_player).await?;
/// # Ok(())
/// # }
/// ```
pub struct Worker {
    connection: Connection,
    name: WorkerName,
    instance: String,
    card: Box<dyn Fn() -> serde_json::Value + Send + Sync>,
    player: UnboundedSender<ToPlayer>,
    calls: Subscriber,
    orders: Subscriber,
    runs: BTreeMap<String, AnnouncedRun>,
    held: BTreeMap<(String, u64), HeldBatch>,
    tx: UnboundedSender<TaskMessage>,
    rx: UnboundedReceiver<TaskMessage>,
    post: UnboundedSender<Outgoing>,
    consumer: Option<PullConsumer>,
    pulling: bool,
    next_pull: Instant,
    leaving: bool,
    notified: Vec<String>,
}

impl Worker {
    /// Connects a worker to its subjects. Each of its signs of life carries what `card` returns.
    pub async fn open(
        connection: Connection,
        name: WorkerName,
        card: Box<dyn Fn() -> serde_json::Value + Send + Sync>,
        player: UnboundedSender<ToPlayer>,
    ) -> Result<Self, WorkerError> {
        let subscribe_error =
            |error: async_nats::client::SubscribeError| WorkerError::Deaf(error.to_string());
        let calls = connection.client.subscribe(subjects::call("*")).await.map_err(subscribe_error)?;
        let orders = connection.client.subscribe(subjects::to(&name)).await.map_err(subscribe_error)?;
        let instance = Secret::new()?.reveal().to_owned();
        // Bounded by the batches held: each is, until its results are sent.
        let (tx, rx) = mpsc::unbounded_channel();
        let (post, outgoing) = mpsc::unbounded_channel();
        tokio::spawn(send_all(connection.clone(), outgoing, tx.clone()));
        Ok(Self {
            connection,
            name,
            instance,
            card,
            player,
            calls,
            orders,
            runs: BTreeMap::new(),
            held: BTreeMap::new(),
            tx,
            rx,
            post,
            consumer: None,
            pulling: false,
            next_pull: Instant::now(),
            leaving: false,
            notified: Vec::new(),
        })
    }

    /// Takes batches until the player leaves.
    pub async fn run(mut self, mut from: UnboundedReceiver<FromPlayer>) -> Result<(), WorkerError> {
        let mut last_beat = Instant::now();
        self.hello().await;
        loop {
            let beat = self.beat_every();
            let until = tokio::time::Instant::from_std(last_beat + beat);
            tokio::select! {
                said = from.recv() => match said {
                    Some(FromPlayer::Result { run, batch, payload, last }) => self.result(&(run, batch), &payload, last),
                    Some(FromPlayer::Event { run, batch, payload }) => self.event(&(run, batch), payload).await,
                    Some(FromPlayer::Leave) | None => return self.leave().await,
                },
                Some(message) = self.calls.next() => self.on_call(&message).await,
                Some(message) = self.orders.next() => {
                    if let Ok(said) = serde_json::from_slice(&message.payload) {
                        self.on_order(said).await;
                    }
                }
                Some(message) = self.rx.recv() => self.on_message(message).await,
                () = tokio::time::sleep_until(until) => {
                    self.drop_silent_runs(beat)?;
                    self.hello().await;
                    self.report_progress().await;
                    last_beat = Instant::now();
                }
            }
            self.pull();
        }
    }

    fn beat_every(&self) -> Duration {
        let shortest = self.runs.values().map(|run| run.lease / 4).min().unwrap_or(BEAT);
        shortest.clamp(Duration::from_millis(50), BEAT)
    }

    /// Requests a batch if there is room for one and a run to give it.
    fn pull(&mut self) {
        let has_room = self.held.len() < MAX_HELD && !self.leaving && !self.runs.is_empty();
        if self.pulling || !has_room || !self.connection.is_up() {
            return;
        }
        self.pulling = true;
        let (connection, tx, name) = (self.connection.clone(), self.tx.clone(), self.name.clone());
        let (consumer, pause) =
            (self.consumer.take(), self.next_pull.saturating_duration_since(Instant::now()));
        tokio::spawn(async move {
            tokio::time::sleep(pause).await;
            drop(tx.send(fetch(&connection, consumer, &name).await));
        });
    }

    async fn on_message(&mut self, message: TaskMessage) {
        match message {
            TaskMessage::Batch(message, consumer) => {
                (self.pulling, self.consumer) = (false, Some(consumer));
                self.receive(*message).await;
            }
            TaskMessage::NoBatch(consumer) => {
                self.pulling = false;
                // There is nothing to take until the consumer exists.
                let pause = if consumer.is_some() { Duration::ZERO } else { Duration::from_millis(200) };
                (self.consumer, self.next_pull) = (consumer, Instant::now() + pause);
            }
            TaskMessage::Sent(key) => {
                self.held.remove(&key);
                self.hello().await;
            }
            TaskMessage::Wrong(reason) => self.notify_once(reason),
            TaskMessage::Flushed => {}
        }
    }

    async fn receive(&mut self, message: Message) {
        let Some((run, _, batch, None)) = subjects::parts(&message.subject) else { return };
        let key = (run.to_owned(), batch);
        if !self.runs.contains_key(&key.0) || self.leaving {
            drop(message.ack_with(AckKind::Nak(Some(Duration::from_secs(1)))).await);
            return;
        }
        let secret = message.headers.as_ref().and_then(|headers| headers.get(SECRET));
        let secret = Secret::shown(secret.map_or("", |secret| secret.as_str()));
        drop(message.ack_with(AckKind::Progress).await);
        let payload = message.payload.to_vec();
        let message = Arc::new(message);
        if let Some(held) = self.held.get_mut(&key) {
            held.message = message; // delivered again: the receipt belongs to the last delivery
            return;
        }
        let stop = CancellationToken::new();
        self.held.insert(key.clone(), HeldBatch { message, secret, part: 0, stop: stop.clone() });
        self.hello().await;
        let (run, batch) = key;
        drop(self.player.send(ToPlayer::Batch { run, batch, payload, stop }));
    }

    fn result(&mut self, key: &(String, u64), payload: &[u8], last: bool) {
        let most = self.connection.most_bytes().saturating_sub(HEADERS);
        let Some(held) = self.held.get_mut(key) else { return };
        let pieces = pieces(payload, most, &held.secret, last);
        let count = pieces.len();
        for (number, (headers, bytes)) in pieces.into_iter().enumerate() {
            let subject = subjects::result(&key.0, &self.name, key.1, held.part);
            held.part += 1;
            let message = PublishMessage::build().payload(bytes.into()).headers(headers).message_id(&subject);
            let is_end = last && number + 1 == count;
            let piece = ResultPart {
                key: key.clone(),
                subject,
                message,
                stop: held.stop.clone(),
                receipt: is_end.then(|| Arc::clone(&held.message)),
            };
            drop(self.post.send(Outgoing::Piece(Box::new(piece))));
        }
    }

    async fn event(&mut self, key: &(String, u64), payload: Vec<u8>) {
        let Some(held) = self.held.get(key) else { return };
        if !self.connection.is_up() || payload.len() > self.connection.most_bytes().saturating_sub(HEADERS) {
            return;
        }
        let mut headers = async_nats::HeaderMap::new();
        headers.insert(SECRET, held.secret.reveal());
        let subject = subjects::event(&key.0, &self.name, key.1);
        drop(self.connection.client.publish_with_headers(subject, headers, payload.into()).await);
    }

    async fn on_call(&mut self, message: &async_nats::Message) {
        let Some(run) = message.subject.as_str().strip_prefix("leyden.call.") else { return };
        let Ok(call) = serde_json::from_slice::<RunCall>(&message.payload) else { return };
        if run == subjects::ROLL {
            return self.hello().await;
        }
        if call.over {
            return self.end(run).await;
        }
        if call.v != VERSION {
            return self
                .notify_once(format!("run {run} uses another version of leyden: this worker ignores it"));
        }
        let is_new = !self.runs.contains_key(run);
        self.runs.insert(run.to_owned(), AnnouncedRun { lease: call.lease(), heard: Instant::now() });
        if is_new {
            self.hello().await;
        }
    }

    async fn on_order(&mut self, said: ToWorker) {
        match said {
            ToWorker::Welcome { run } => {
                let run =
                    self.runs.entry(run).or_insert(AnnouncedRun { lease: 15 * BEAT, heard: Instant::now() });
                run.heard = Instant::now();
                self.next_pull = Instant::now();
            }
            ToWorker::TurnedAway { run, reason } => {
                self.notify_once(format!("run {run} does not use this worker: {reason}"));
            }
            ToWorker::Drop { run, batches } => {
                for batch in batches {
                    self.drop_batch(&(run.clone(), batch)).await;
                }
            }
        }
    }

    async fn drop_batch(&mut self, key: &(String, u64)) {
        let Some(held) = self.held.remove(key) else { return };
        held.stop.cancel();
        drop(self.player.send(ToPlayer::Drop { run: key.0.clone(), batch: key.1 }));
        if self.connection.is_up() {
            drop(held.message.ack_with(AckKind::Term).await);
        }
    }

    /// Drops the batches of a run that is over.
    async fn end(&mut self, run: &str) {
        self.runs.remove(run);
        for key in self.held.keys().filter(|(of, _)| of == run).cloned().collect::<Vec<_>>() {
            self.drop_batch(&key).await;
        }
    }

    /// Drops the batches of runs that have been silent for too long.
    fn drop_silent_runs(&mut self, beat: Duration) -> Result<(), WorkerError> {
        if let Some(refused) = self.connection.refused() {
            return Err(refused.into());
        }
        let now = Instant::now();
        if !self.connection.is_up() {
            self.runs.values_mut().for_each(|run| run.heard = now);
            return Ok(());
        }
        let silent = |run: &AnnouncedRun| now.saturating_duration_since(run.heard) > run.lease * 2 + beat;
        let gone: Vec<String> =
            self.runs.iter().filter(|(_, run)| silent(run)).map(|(name, _)| name.clone()).collect();
        for run in gone {
            self.runs.remove(&run);
            for key in self.held.keys().filter(|(of, _)| *of == run).cloned().collect::<Vec<_>>() {
                if let Some(held) = self.held.remove(&key) {
                    held.stop.cancel();
                }
                drop(self.player.send(ToPlayer::Drop { run: key.0, batch: key.1 }));
            }
        }
        Ok(())
    }

    /// Confirms to the server that the held batches are being played.
    async fn report_progress(&self) {
        if self.connection.is_up() {
            for held in self.held.values() {
                drop(held.message.ack_with(AckKind::Progress).await);
            }
        }
    }

    async fn hello(&self) {
        if !self.connection.is_up() {
            return;
        }
        let hello = WorkerHello {
            v: VERSION,
            name: self.name.clone(),
            instance: self.instance.clone(),
            holds: self.held.keys().cloned().collect(),
            leaving: self.leaving,
            card: (self.card)(),
        };
        let subject = subjects::hello(self.name.as_str());
        drop(self.connection.client.publish(subject, to_bytes(&hello).into()).await);
    }

    fn notify_once(&mut self, notice: String) {
        if !self.notified.contains(&notice) {
            self.notified.push(notice.clone());
            drop(self.player.send(ToPlayer::Notice(notice)));
        }
    }

    /// Sends what is finished and hands back the rest.
    async fn leave(mut self) -> Result<(), WorkerError> {
        self.leaving = true;
        drop(self.post.send(Outgoing::Flush));
        let flushed = async {
            while let Some(message) = self.rx.recv().await {
                match message {
                    TaskMessage::Sent(key) => drop(self.held.remove(&key)),
                    TaskMessage::Flushed => break,
                    TaskMessage::Batch(..) | TaskMessage::NoBatch(_) | TaskMessage::Wrong(_) => {}
                }
            }
        };
        drop(tokio::time::timeout(FLUSH_TIMEOUT, flushed).await);
        if self.connection.is_up() {
            for held in std::mem::take(&mut self.held).into_values() {
                held.stop.cancel();
                drop(held.message.ack_with(AckKind::Nak(None)).await);
            }
            self.hello().await;
        }
        self.connection.close().await;
        Ok(())
    }
}

/// Requests a batch from the server.
async fn fetch(connection: &Connection, consumer: Option<PullConsumer>, name: &WorkerName) -> TaskMessage {
    let consumer = match consumer {
        Some(consumer) => consumer,
        None => match connection.jetstream.get_consumer_from_stream(name.as_str(), JOBS).await {
            Ok(consumer) => consumer,
            Err(_) => return TaskMessage::NoBatch(None), // not created yet
        },
    };
    let Ok(mut messages) = consumer.batch().max_messages(1).expires(EXPIRY).messages().await else {
        return TaskMessage::NoBatch(None);
    };
    // The library has a timeout, too, but it must not wait forever on a connection that was cut.
    match tokio::time::timeout(2 * EXPIRY, messages.next()).await {
        Ok(Some(Ok(message))) => TaskMessage::Batch(Box::new(message), consumer),
        Ok(None) => TaskMessage::NoBatch(Some(consumer)),
        Ok(Some(Err(_))) | Err(_) => TaskMessage::NoBatch(None),
    }
}
