//! The coordinator of one run: sends batches to workers, collects their results, and reassigns what is lost.
//!
//! A [`Director`], which understands the bytes, decides what is played and what a result means; the [`Ledger`] decides who
//! plays it. Nothing here relies on the server's memory: what it has lost is sent again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::Subscriber;
use async_nats::jetstream::Message;
use async_nats::jetstream::message::PublishMessage;
use tokio::sync::mpsc::{self, Receiver, UnboundedReceiver, UnboundedSender};
use tokio_stream::StreamExt;

use crate::bundles::{Bundle, BundleError, Bundles};
use crate::connection::{ConnectError, Connection};
use crate::ledger::{Assignment, BatchPolicy, Ledger};
use crate::name::WorkerName;
use crate::receipts::{Receipt, Receipts, acknowledge};
use crate::results::{AT_ONCE, pull_results};
use crate::streams;
use crate::subjects::{self, JOBS};
use crate::wire::{SECRET, ToWorker, VERSION, WorkerHello, to_bytes};
use crate::worker_list::read_hello;

use parts::PartialResult;

mod arrivals;
mod maintenance;
mod parts;

/// How long to wait for more items before a batch is sent that is smaller than planned.
const GATHER: Duration = Duration::from_millis(10);

/// How long to send nothing after the server failed to store something.
const PAUSE: Duration = Duration::from_secs(1);

/// How many batches may be on their way to the server at once. The server confirms each only once it is on disk, so with
/// thousands of them the last would time out.
const MAX_IN_FLIGHT: usize = 64;

/// How long to be without a worker before this is reported.
const LONELY: Duration = Duration::from_secs(3);

/// Knows what items are and what their results mean.
///
/// ```
/// use leyden_nats::{BatchOutcome, Director, WorkerHello, WorkerName};
///
/// /// Sends the numbers of items, and trusts every result.
/// struct Trusting;
///
/// impl Director for Trusting {
///     fn admit(&mut self, _: &WorkerHello) -> Result<usize, String> { Ok(1) }
///     fn compose(&mut self, _: &WorkerName, items: &[u64]) -> Vec<u8> {
///         items.iter().flat_map(|item| item.to_be_bytes()).collect()
///     }
///     fn result(&mut self, _: &WorkerName, open: &[u64], _: &[u8]) -> Result<BatchOutcome, String> {
///         Ok(BatchOutcome::done(open.to_vec()))
///     }
///     fn event(&mut self, _: &WorkerName, _: &[u64], _: &[u8]) {}
///     fn abandoned(&mut self, item: u64) { eprintln!("item {item} was lost too often") }
///     fn handed_back(&mut self, _: u64) {}
///     fn capacity(&mut self, items: usize) { println!("{items} at once") }
///     fn notice(&mut self, notice: String) { println!("{notice}") }
/// }
/// ```
pub trait Director: Send {
    /// Decides by a worker's description of itself whether it may play: how many items at once, or why not.
    fn admit(&mut self, hello: &WorkerHello) -> Result<usize, String>;

    /// Returns the batch of these items as it is sent to its worker.
    fn compose(&mut self, worker: &WorkerName, items: &[u64]) -> Vec<u8>;

    /// Takes a result of a batch. Its secret was right, and the items in `open` are not done yet. Returns which of them
    /// are done. An error says what is wrong with the result; the batch is then given to another worker.
    fn result(&mut self, worker: &WorkerName, open: &[u64], result: &[u8]) -> Result<BatchOutcome, String>;

    /// Takes an event from a running batch. Events may get lost.
    fn event(&mut self, worker: &WorkerName, open: &[u64], event: &[u8]);

    /// Takes note that an item was lost too often and is not given out again.
    fn abandoned(&mut self, item: u64);

    /// Takes note that an item is handed back: no worker has begun it, and none will.
    fn handed_back(&mut self, item: u64);

    /// Takes note of how many items can be in progress at once.
    fn capacity(&mut self, items: usize);

    /// Takes a message for the user.
    fn notice(&mut self, notice: String);
}

/// The outcome of a batch, or of a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchOutcome {
    /// The items that are done.
    pub done: Vec<u64>,
    /// What keeps the worker from playing the others.
    pub hindrance: Option<WorkerProblem>,
}

impl BatchOutcome {
    /// These items are done, and nothing keeps the worker from playing the others.
    pub fn done(items: Vec<u64>) -> Self {
        Self { done: items, hindrance: None }
    }
}

/// What keeps a worker from playing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorkerProblem {
    /// It can play nothing that needs `need`.
    Lacks { need: String, reason: String },
    /// A problem that may pass, such as a full disk. The worker pauses, and is dismissed after several problems in a row.
    /// `bundle`: the problem is that this bundle is not intact on the server; it is restored.
    Trouble { reason: String, bundle: Option<String> },
}

/// A command to a coordinator.
#[derive(Clone, Debug)]
pub enum CoordinatorCommand {
    /// An item is to be played, by a worker that has all that it needs.
    Play { item: u64, needs: Vec<String> },
    /// An item is no longer needed, if no worker has it.
    TakeBack { item: u64 },
    /// The result of an item is stored: the server may forget it.
    Stored { item: u64 },
    /// Items to come need this bundle.
    Carry { bundle: Bundle },
    /// Nothing more is needed.
    Stop,
}

/// Why a run cannot continue.
#[derive(Debug, thiserror::Error)]
pub enum CoordinatorError {
    #[error(transparent)]
    Connection(#[from] ConnectError),
    #[error("the NATS server cannot create the streams: {0}")]
    Streams(String),
    #[error("the system provides no random numbers: {0}")]
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
    /// Messages from its own tasks.
    rx: UnboundedReceiver<TaskMessage>,
    tx: UnboundedSender<TaskMessage>,
    /// Workers whose consumer is being created.
    joining: BTreeSet<WorkerName>,
    /// Processes that were turned away or replaced by another one of the same name, with the reason.
    turned_away: BTreeMap<String, String>,
    /// Results with pieces still missing, by batch.
    parts: BTreeMap<u64, PartialResult>,
    receipts: Receipts,
    /// Bundles that workers need, for a server that has lost them.
    carried: Arc<Vec<Bundle>>,
    /// Whether a bundle is being checked: one at a time, no matter what workers report.
    is_mending: bool,
    /// How many batches are on their way to the server.
    in_flight: usize,
    /// Until when to wait for more items.
    gather: Option<Instant>,
    /// Until when to send nothing.
    paused: Option<Instant>,
    was_down: bool,
    /// How often the connection had been established at the last check.
    times_made: u64,
    /// When there was last a worker, or nothing to play.
    alone_since: Instant,
    /// Notices that were given already.
    notified: BTreeSet<String>,
    capacity: usize,
}

/// A message from a task. `Mended`: a bundle was checked, with what there is to report.
#[derive(Debug)]
enum TaskMessage {
    Ready { hello: Box<WorkerHello>, slots: usize },
    NotReady { worker: WorkerName, reason: String },
    Sent,
    NotSent { batch: u64, reason: String },
    Wrong(String),
    Mended(Option<String>),
}

impl Coordinator {
    /// Creates the streams and subscribes. The name of the run must be unique: no earlier run may have had it.
    pub async fn open(
        connection: Connection,
        run: &str,
        policy: BatchPolicy,
    ) -> Result<Self, CoordinatorError> {
        streams::make(&connection).await.map_err(|error| CoordinatorError::Streams(error.to_string()))?;
        let subscribe_error =
            |error: async_nats::client::SubscribeError| CoordinatorError::Streams(error.to_string());
        let hellos = connection.client.subscribe(subjects::hello("*")).await.map_err(subscribe_error)?;
        let events =
            connection.client.subscribe(format!("leyden.events.{run}.>")).await.map_err(subscribe_error)?;
        // Bounded by its tasks, which send a message or two each: one for a batch on its way, a worker or a bundle.
        let (tx, rx) = mpsc::unbounded_channel();
        Ok(Self {
            times_made: connection.times_made(),
            connection,
            run: run.to_owned(),
            lease: policy.lease,
            ledger: Ledger::new(policy),
            hellos,
            events,
            rx,
            tx,
            joining: BTreeSet::new(),
            turned_away: BTreeMap::new(),
            parts: BTreeMap::new(),
            receipts: Receipts::new(),
            carried: Arc::default(),
            is_mending: false,
            in_flight: 0,
            gather: None,
            paused: None,
            was_down: false,
            alone_since: Instant::now(),
            notified: BTreeSet::new(),
            capacity: 0,
        })
    }

    /// Stores a bundle for the workers, unless the server has it. A server that loses it is given it again.
    pub async fn carry(&mut self, bundle: &Bundle) -> Result<(), BundleError> {
        if !self.carried.iter().any(|carried| carried.name() == bundle.name()) {
            Arc::make_mut(&mut self.carried).push(bundle.clone());
        }
        Bundles::new(&self.connection).put_missing(bundle).await
    }

    /// Has all items of the commands played, until the commands' sender is dropped and all is done. Then removes what is left
    /// of the run from the server.
    pub async fn run(
        mut self,
        director: &mut dyn Director,
        mut commands: UnboundedReceiver<CoordinatorCommand>,
    ) -> Result<(), CoordinatorError> {
        let (results, arrived) = mpsc::channel(AT_ONCE);
        let pulling =
            tokio::spawn(pull_results(self.connection.clone(), self.run.clone(), self.lease, results));
        let outcome = self.direct(director, &mut commands, arrived).await;
        pulling.abort();
        self.leave().await;
        outcome
    }

    async fn direct(
        &mut self,
        director: &mut dyn Director,
        commands: &mut UnboundedReceiver<CoordinatorCommand>,
        mut results: Receiver<Result<Message, String>>,
    ) -> Result<(), CoordinatorError> {
        let mut beat =
            tokio::time::interval((self.lease / 4).clamp(Duration::from_millis(10), Duration::from_secs(2)));
        beat.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut open = true;
        while open || !self.ledger.is_idle() {
            let gathered = self.gather.map(tokio::time::Instant::from_std);
            tokio::select! {
                command = commands.recv(), if open => match command {
                    Some(command) => self.execute(director, command).await,
                    None => open = false,
                },
                Some(message) = self.hellos.next() => {
                    if let Some(hello) = read_hello(&message.subject, &message.payload) {
                        self.on_hello(director, hello).await;
                    }
                }
                Some(message) = self.rx.recv() => self.on_message(director, message).await,
                Some(result) = results.recv() => match result {
                    Ok(message) => {
                        let (message, acker) = message.split();
                        let due = self.take_result(director, &message, Receipt::new(acker)).await;
                        acknowledge(due).await;
                    }
                    Err(reason) => self.notify_once(director, reason),
                },
                Some(message) = self.events.next() => self.pass_on(director, &message),
                () = tokio::time::sleep_until(gathered.unwrap_or_else(tokio::time::Instant::now)), if gathered.is_some() => {
                    self.gather = None;
                }
                _ = beat.tick() => self.beat(director).await?,
            }
            self.give_out(director)?;
            for item in self.ledger.abandoned() {
                director.abandoned(item);
            }
            let capacity = self.ledger.capacity();
            if capacity != self.capacity {
                self.capacity = capacity;
                director.capacity(capacity);
            }
        }
        Ok(())
    }

    async fn execute(&mut self, director: &mut dyn Director, command: CoordinatorCommand) {
        match command {
            CoordinatorCommand::Play { item, needs } => {
                self.ledger.add(item, needs);
                self.gather = Some(Instant::now() + GATHER);
            }
            CoordinatorCommand::TakeBack { item } => {
                if self.ledger.take_back(item) {
                    director.handed_back(item);
                }
            }
            CoordinatorCommand::Carry { bundle } => {
                // A worker that lacks it says so, and it is sent again.
                if let Err(error) = self.carry(&bundle).await {
                    self.notify_once(
                        director,
                        format!("the bundle {} is not on the server: {error}", bundle.name()),
                    );
                }
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

    /// Sends all that can be sent.
    fn give_out(&mut self, director: &mut dyn Director) -> Result<(), CoordinatorError> {
        let now = Instant::now();
        if self.paused.is_some_and(|until| now < until) || !self.connection.is_up() {
            return Ok(());
        }
        self.paused = None;
        while self.in_flight < MAX_IN_FLIGHT
            && let Some(assignment) = self.ledger.next(now, self.gather.is_some())?
        {
            let payload = director.compose(&assignment.worker, &assignment.items);
            self.send(&assignment, payload);
        }
        Ok(())
    }

    fn send(&mut self, assignment: &Assignment, payload: Vec<u8>) {
        let (connection, tx) = (self.connection.clone(), self.tx.clone());
        let subject = subjects::job(&self.run, &assignment.worker, assignment.batch);
        let message = PublishMessage::build()
            .payload(payload.into())
            .message_id(&subject)
            .header(SECRET, assignment.secret.reveal());
        let batch = assignment.batch;
        self.in_flight += 1;
        tokio::spawn(async move {
            let sent = async { connection.jetstream.send_publish(subject, message).await?.await };
            drop(tx.send(match sent.await {
                Ok(_) => TaskMessage::Sent,
                Err(error) => TaskMessage::NotSent { batch, reason: error.to_string() },
            }));
        });
    }

    /// Handles a worker's sign of life.
    async fn on_hello(&mut self, director: &mut dyn Director, hello: WorkerHello) {
        let name = hello.name.clone();
        let ours: Vec<u64> =
            hello.holds.iter().filter(|(run, _)| *run == self.run).map(|(_, batch)| *batch).collect();
        if let Some(reason) = self.turned_away.get(&hello.instance).cloned() {
            self.say(&name, &ToWorker::TurnedAway { run: self.run.clone(), reason }).await;
            return;
        }
        if self.ledger.is_instance(&name, &hello.instance) {
            let (strange, handed_back) = self.ledger.heartbeat(Instant::now(), &name, &ours, hello.leaving);
            if hello.leaving && ours.is_empty() {
                self.ledger.leave(&name);
                let (jetstream, name) = (self.connection.jetstream.clone(), name.clone());
                tokio::spawn(async move {
                    drop(jetstream.delete_consumer_from_stream(name.as_str(), JOBS).await);
                });
            }
            self.drop_batches(&name, [strange, handed_back].concat()).await;
            return;
        }
        if hello.leaving || self.joining.contains(&name) {
            return;
        }
        let admitted = if hello.v == VERSION {
            director.admit(&hello)
        } else {
            Err("it runs another version of leyden".to_owned())
        };
        match admitted {
            Ok(slots) => {
                self.joining.insert(name.clone());
                let (connection, tx, lease) = (self.connection.clone(), self.tx.clone(), self.lease);
                tokio::spawn(async move {
                    let made = streams::make_consumer_of_jobs(&connection, &name, lease).await;
                    drop(tx.send(match made {
                        Ok(()) => TaskMessage::Ready { hello: Box::new(hello), slots },
                        Err(error) => TaskMessage::NotReady { worker: name, reason: error.to_string() },
                    }));
                });
            }
            Err(reason) => {
                self.notify_once(director, format!("worker {name} is not used: {reason}"));
                self.turned_away.insert(hello.instance, reason.clone());
                self.say(&name, &ToWorker::TurnedAway { run: self.run.clone(), reason }).await;
            }
        }
    }

    async fn on_message(&mut self, director: &mut dyn Director, message: TaskMessage) {
        match message {
            TaskMessage::Ready { hello, slots } => {
                let WorkerHello { name, instance, .. } = *hello;
                self.joining.remove(&name);
                if let Some(before) = self.ledger.instance(&name) {
                    let reason = format!("another worker is called {name}: choose another --name");
                    self.turned_away.insert(before.to_owned(), reason);
                }
                let lost = self.ledger.join(Instant::now(), &name, &instance, slots);
                self.drop_batches(&name, lost).await;
                self.say(&name, &ToWorker::Welcome { run: self.run.clone() }).await;
                self.gather = Some(Instant::now());
            }
            TaskMessage::NotReady { worker, reason } => {
                self.joining.remove(&worker);
                self.notify_once(director, format!("worker {worker} cannot be given work yet: {reason}"));
            }
            TaskMessage::Sent => self.in_flight -= 1,
            TaskMessage::NotSent { batch, reason } => {
                self.in_flight -= 1;
                self.ledger.lose(batch);
                self.paused = Some(Instant::now() + PAUSE);
                self.gather.get_or_insert_with(Instant::now);
                self.notify_once(
                    director,
                    format!("the NATS server does not accept work; retrying: {reason}"),
                );
            }
            TaskMessage::Wrong(reason) => self.notify_once(director, reason),
            TaskMessage::Mended(notice) => {
                self.is_mending = false;
                if let Some(notice) = notice {
                    self.notify_once(director, notice);
                }
            }
        }
    }

    async fn say(&self, worker: &WorkerName, what: &ToWorker) {
        if self.connection.is_up() {
            drop(self.connection.client.publish(subjects::to(worker), to_bytes(what).into()).await);
        }
    }

    /// Gives a notice, unless it was given before.
    fn notify_once(&mut self, director: &mut dyn Director, notice: String) {
        if self.notified.insert(notice.clone()) {
            director.notice(notice);
        }
    }
}
