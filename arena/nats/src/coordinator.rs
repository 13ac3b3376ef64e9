//! The coordinator of one run: sends batches to workers, takes their results, and gives what is lost to others.
//!
//! What is played and what comes of it is decided by a [`Director`], who understands the bytes; who plays it by the
//! [`Ledger`]. Nothing here depends on a server that never forgets: what is gone there is sent again.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::Subscriber;
use async_nats::jetstream::Message;
use async_nats::jetstream::message::PublishMessage;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio_stream::StreamExt;

use crate::bundles::{BundleError, Bundles};
use crate::connection::{ConnectError, Connection};
use crate::ledger::{Assignment, BatchPolicy, Ledger};
use crate::name::WorkerName;
use crate::receipts::{Receipt, Receipts, acknowledge};
use crate::results::pull_results;
use crate::roll::read_hello;
use crate::streams;
use crate::subjects::{self, JOBS};
use crate::wire::{SECRET, ToWorker, VERSION, WorkerHello, to_bytes};

use parts::PartialResult;

mod incoming;
mod parts;
mod upkeep;

/// How long is waited for more items before a batch is sent that is smaller than it should be.
const GATHER: Duration = Duration::from_millis(10);

/// How long nothing is sent after the server could not take something.
const PAUSE: Duration = Duration::from_secs(1);

/// How many batches may be on their way to the server at once. It writes each to the disk before it says that it has it, and
/// with thousands of them the last would be given up before their turn.
const ON_THEIR_WAY: usize = 64;

/// How long nobody is waited for in silence.
const LONELY: Duration = Duration::from_secs(3);

/// Knows what items are, and what came of them.
pub trait Director: Send {
    /// Whether a worker may play, by what it says of itself: how many items at once, or why not.
    fn admit(&mut self, hello: &WorkerHello) -> Result<usize, String>;

    /// The batch of these items, as their worker is sent it.
    fn compose(&mut self, worker: &WorkerName, items: &[u64]) -> Vec<u8>;

    /// A result of a batch that shows its secret, of which these items are open still: what of them is done. An error says
    /// what is wrong with it; the batch is given to somebody else.
    fn result(&mut self, worker: &WorkerName, open: &[u64], result: &[u8]) -> Result<BatchOutcome, String>;

    /// Something that happens in a batch at this moment. Some of these may get lost.
    fn event(&mut self, worker: &WorkerName, open: &[u64], event: &[u8]);

    /// An item was lost so often with whoever had it that it is not given out any more.
    fn given_up(&mut self, item: u64);

    /// So many items could be in hand.
    fn capacity(&mut self, items: usize);

    /// Something that whoever runs this should know.
    fn notice(&mut self, notice: String);
}

/// What came of a batch, or of a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchOutcome {
    /// These items are done.
    pub done: Vec<u64>,
    /// What keeps the worker from playing the others.
    pub hindrance: Option<WorkerProblem>,
}

impl BatchOutcome {
    /// Nothing keeps the worker from going on.
    pub fn done(items: Vec<u64>) -> Self {
        Self { done: items, hindrance: None }
    }
}

/// What keeps a worker from playing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorkerProblem {
    /// It cannot play what needs this.
    Lacks { need: String, reason: String },
    /// Something that may pass, such as a full disk. It is given something again after a while, and is not used any more after
    /// several in a row. If it is a bundle that is not on the server as its name says, that one is put back.
    Trouble { reason: String, bundle: Option<String> },
}

/// What a coordinator is told to do.
#[derive(Clone, Debug)]
pub enum CoordinatorCommand {
    /// An item is to be played, by somebody who lacks nothing of what it needs.
    Play { item: u64, needs: Vec<String> },
    /// What came of an item that was done is stored: the server may forget it.
    Stored { item: u64 },
    /// Nothing is wanted any more.
    Stop,
}

/// A run that cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum CoordinatorError {
    #[error(transparent)]
    Connection(#[from] ConnectError),
    #[error("the NATS server cannot make the streams that are needed: {0}")]
    Streams(String),
    #[error("the system gives no random numbers: {0}")]
    Random(#[from] std::io::Error),
}

/// The coordinator of a run.
#[derive(Debug)]
pub struct Coordinator {
    connection: Connection,
    run: String,
    lease: Duration,
    ledger: Ledger,
    hellos: Subscriber,
    events: Subscriber,
    /// What tasks of its own tell it.
    told: UnboundedReceiver<TaskMessage>,
    tell: UnboundedSender<TaskMessage>,
    /// Workers for whom a consumer is being made.
    joining: BTreeSet<WorkerName>,
    /// Processes that were replaced by another one of their name, or turned away: each is told once, and why.
    turned_away: BTreeMap<String, String>,
    /// The results of batches that are not whole yet.
    parts: BTreeMap<u64, PartialResult>,
    receipts: Receipts,
    /// Bundles, by their names, for a server that has lost them.
    carried: Arc<Vec<(String, File)>>,
    /// Whether a bundle is being looked at: one at a time, whatever workers say of them.
    is_mending: bool,
    /// How many batches are on their way to the server.
    on_their_way: usize,
    /// Until when it is gathered.
    gather: Option<Instant>,
    /// Until when nothing is sent.
    paused: Option<Instant>,
    was_down: bool,
    /// How often the connection had been made when it was last looked at.
    times_made: u64,
    /// When there was last a worker, or nothing to play.
    alone_since: Instant,
    /// What was said already.
    said: BTreeSet<String>,
    capacity: usize,
}

/// What tasks tell. `Mended`: a bundle was looked at, and what there is to say of it.
#[derive(Debug)]
enum TaskMessage {
    Ready { hello: Box<WorkerHello>, slots: usize },
    NotReady { worker: WorkerName, reason: String },
    Sent,
    NotSent { batch: u64, reason: String },
    Result(Box<Message>),
    Wrong(String),
    Mended(Option<String>),
}

impl Coordinator {
    /// Makes what is needed on the server. The name of the run must be one that no other run ever had.
    pub async fn open(
        connection: Connection,
        run: &str,
        pace: BatchPolicy,
    ) -> Result<Self, CoordinatorError> {
        streams::make(&connection).await.map_err(|error| CoordinatorError::Streams(error.to_string()))?;
        let heard = |error: async_nats::client::SubscribeError| CoordinatorError::Streams(error.to_string());
        let hellos = connection.client.subscribe(subjects::hello("*")).await.map_err(heard)?;
        let events = connection.client.subscribe(format!("leyden.events.{run}.>")).await.map_err(heard)?;
        let (tell, told) = mpsc::unbounded_channel();
        Ok(Self {
            times_made: connection.times_made(),
            connection,
            run: run.to_owned(),
            lease: pace.lease,
            ledger: Ledger::new(pace),
            hellos,
            events,
            told,
            tell,
            joining: BTreeSet::new(),
            turned_away: BTreeMap::new(),
            parts: BTreeMap::new(),
            receipts: Receipts::new(),
            carried: Arc::default(),
            is_mending: false,
            on_their_way: 0,
            gather: None,
            paused: None,
            was_down: false,
            alone_since: Instant::now(),
            said: BTreeSet::new(),
            capacity: 0,
        })
    }

    /// Puts something on the server that workers need, and says the name of the bundle. A server that has lost it gets it again.
    pub async fn carry(&mut self, archive: &[u8]) -> Result<String, BundleError> {
        let name = Bundles::of(&self.connection).put(archive).await?;
        if !self.carried.iter().any(|(carried, _)| *carried == name) {
            let mut kept = tempfile::tempfile()?;
            kept.write_all(archive)?;
            Arc::get_mut(&mut self.carried)
                .expect("nobody reads it before the run begins")
                .push((name.clone(), kept));
        }
        Ok(name)
    }

    /// Has everything played that it is told to, until whoever tells it is gone and all is done. What is left of the run on
    /// the server is taken away.
    pub async fn run(
        mut self,
        director: &mut dyn Director,
        mut commands: UnboundedReceiver<CoordinatorCommand>,
    ) -> Result<(), CoordinatorError> {
        let tell = self.tell.clone();
        let tell = move |came: Result<Message, String>| {
            tell.send(came.map_or_else(TaskMessage::Wrong, |message| TaskMessage::Result(Box::new(message))))
                .is_ok()
        };
        let puller = tokio::spawn(pull_results(self.connection.clone(), self.run.clone(), self.lease, tell));
        let outcome = self.direct(director, &mut commands).await;
        puller.abort();
        self.leave().await;
        outcome
    }

    async fn direct(
        &mut self,
        director: &mut dyn Director,
        commands: &mut UnboundedReceiver<CoordinatorCommand>,
    ) -> Result<(), CoordinatorError> {
        let mut beat =
            tokio::time::interval((self.lease / 4).clamp(Duration::from_millis(50), Duration::from_secs(2)));
        beat.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut open = true;
        while open || !self.ledger.is_idle() {
            let gathered = self.gather.map(tokio::time::Instant::from_std);
            tokio::select! {
                command = commands.recv(), if open => match command {
                    Some(command) => self.obey(command).await,
                    None => open = false,
                },
                Some(message) = self.hellos.next() => {
                    if let Some(hello) = read_hello(&message.subject, &message.payload) {
                        self.hear(director, hello).await;
                    }
                }
                Some(told) = self.told.recv() => self.take(director, told).await,
                Some(message) = self.events.next() => self.pass_on(director, &message),
                () = tokio::time::sleep_until(gathered.unwrap_or_else(tokio::time::Instant::now)), if gathered.is_some() => {
                    self.gather = None;
                }
                _ = beat.tick() => self.beat(director).await?,
            }
            self.give_out(director)?;
            for item in self.ledger.given_up() {
                director.given_up(item);
            }
            let capacity = self.ledger.capacity();
            if capacity != self.capacity {
                self.capacity = capacity;
                director.capacity(capacity);
            }
        }
        Ok(())
    }

    async fn obey(&mut self, command: CoordinatorCommand) {
        match command {
            CoordinatorCommand::Play { item, needs } => {
                self.ledger.add(item, needs);
                self.gather = Some(Instant::now() + GATHER);
            }
            CoordinatorCommand::Stored { item } => acknowledge(self.receipts.stored(item)).await,
            CoordinatorCommand::Stop => {
                let mut dropped: BTreeMap<WorkerName, Vec<u64>> = BTreeMap::new();
                for (worker, batch) in self.ledger.stop() {
                    dropped.entry(worker).or_default().push(batch);
                }
                for (worker, batches) in dropped {
                    self.say(&worker, &ToWorker::Drop { run: self.run.clone(), batches }).await;
                }
                self.parts.clear();
            }
        }
    }

    /// Sends what can be sent.
    fn give_out(&mut self, director: &mut dyn Director) -> Result<(), CoordinatorError> {
        let now = Instant::now();
        if self.paused.is_some_and(|until| now < until) || !self.connection.is_up() {
            return Ok(());
        }
        self.paused = None;
        while self.on_their_way < ON_THEIR_WAY
            && let Some(assignment) = self.ledger.next(now, self.gather.is_some())?
        {
            let payload = director.compose(&assignment.worker, &assignment.items);
            self.send(&assignment, payload);
        }
        Ok(())
    }

    fn send(&mut self, assignment: &Assignment, payload: Vec<u8>) {
        let (connection, tell) = (self.connection.clone(), self.tell.clone());
        let subject = subjects::job(&self.run, &assignment.worker, assignment.batch);
        let message = PublishMessage::build()
            .payload(payload.into())
            .message_id(&subject)
            .header(SECRET, assignment.secret.reveal());
        let batch = assignment.batch;
        self.on_their_way += 1;
        tokio::spawn(async move {
            let sent = async { connection.jetstream.send_publish(subject, message).await?.await };
            drop(tell.send(match sent.await {
                Ok(_) => TaskMessage::Sent,
                Err(error) => TaskMessage::NotSent { batch, reason: error.to_string() },
            }));
        });
    }

    /// A worker is there.
    async fn hear(&mut self, director: &mut dyn Director, hello: WorkerHello) {
        let name = hello.name.clone();
        let ours: Vec<u64> =
            hello.holds.iter().filter(|(run, _)| *run == self.run).map(|(_, batch)| *batch).collect();
        if let Some(reason) = self.turned_away.get(&hello.instance).cloned() {
            self.say(&name, &ToWorker::TurnedAway { run: self.run.clone(), reason }).await;
            return;
        }
        if self.ledger.is_instance(&name, &hello.instance) {
            let (strange, handed_back) = self.ledger.sign(Instant::now(), &name, &ours, hello.leaving);
            if hello.leaving && ours.is_empty() {
                self.ledger.leave(&name);
                let (jetstream, name) = (self.connection.jetstream.clone(), name.clone());
                tokio::spawn(async move {
                    drop(jetstream.delete_consumer_from_stream(name.as_str(), JOBS).await);
                });
            }
            self.forget(&name, [strange, handed_back].concat()).await;
            return;
        }
        if hello.leaving || self.joining.contains(&name) {
            return;
        }
        let admitted = if hello.v == VERSION {
            director.admit(&hello)
        } else {
            Err("it is of another version of leyden".to_owned())
        };
        match admitted {
            Ok(slots) => {
                self.joining.insert(name.clone());
                let (connection, tell, lease) = (self.connection.clone(), self.tell.clone(), self.lease);
                tokio::spawn(async move {
                    let made = streams::make_consumer_of_jobs(&connection, &name, lease).await;
                    drop(tell.send(match made {
                        Ok(()) => TaskMessage::Ready { hello: Box::new(hello), slots },
                        Err(error) => TaskMessage::NotReady { worker: name, reason: error.to_string() },
                    }));
                });
            }
            Err(reason) => {
                self.once(director, format!("worker {name} is not used: {reason}"));
                self.turned_away.insert(hello.instance, reason.clone());
                self.say(&name, &ToWorker::TurnedAway { run: self.run.clone(), reason }).await;
            }
        }
    }

    async fn take(&mut self, director: &mut dyn Director, told: TaskMessage) {
        match told {
            TaskMessage::Ready { hello, slots } => {
                let WorkerHello { name, instance, .. } = *hello;
                self.joining.remove(&name);
                if let Some(before) = self.ledger.instance(&name) {
                    let reason = format!("another worker is called {name}: choose another --name");
                    self.turned_away.insert(before.to_owned(), reason);
                }
                let lost = self.ledger.join(Instant::now(), &name, &instance, slots);
                self.forget(&name, lost).await;
                self.say(&name, &ToWorker::Welcome { run: self.run.clone() }).await;
                self.gather = Some(Instant::now());
            }
            TaskMessage::NotReady { worker, reason } => {
                self.joining.remove(&worker);
                self.once(director, format!("worker {worker} cannot be given anything yet: {reason}"));
            }
            TaskMessage::Sent => self.on_their_way -= 1,
            TaskMessage::NotSent { batch, reason } => {
                self.on_their_way -= 1;
                self.ledger.lose(batch);
                self.paused = Some(Instant::now() + PAUSE);
                self.gather.get_or_insert_with(Instant::now);
                self.once(director, format!("the NATS server does not take work; trying on: {reason}"));
            }
            TaskMessage::Result(message) => {
                let (message, acker) = message.split();
                let due = self.take_result(director, &message, Receipt::new(acker)).await;
                acknowledge(due).await;
            }
            TaskMessage::Wrong(reason) => self.once(director, reason),
            TaskMessage::Mended(notice) => {
                self.is_mending = false;
                if let Some(notice) = notice {
                    self.once(director, notice);
                }
            }
        }
    }

    async fn say(&self, worker: &WorkerName, what: &ToWorker) {
        if self.connection.is_up() {
            drop(self.connection.client.publish(subjects::to(worker), to_bytes(what).into()).await);
        }
    }

    /// Says something, but not again and again.
    fn once(&mut self, director: &mut dyn Director, notice: String) {
        if self.said.insert(notice.clone()) {
            director.notice(notice);
        }
    }
}
