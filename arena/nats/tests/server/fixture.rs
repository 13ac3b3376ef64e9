//! A run and workers whose items are numbers: playing only counts them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use leyden_nats::{
    BatchOutcome, BatchPolicy, Connection, ConnectionOptions, Coordinator, CoordinatorCommand,
    CoordinatorError, Director, FromPlayer, ToPlayer, Worker, WorkerError, WorkerHello, WorkerName,
    WorkerProblem,
};
use serde_json::{Value, json};
use tokio::sync::mpsc::{self, UnboundedSender, WeakUnboundedSender};
use tokio::task::JoinHandle;

use crate::process::PATIENCE;

pub(crate) const LEASE: Duration = Duration::from_secs(2);

pub(crate) fn policy() -> BatchPolicy {
    BatchPolicy { lease: LEASE, batch: Duration::from_millis(500) }
}

pub(crate) fn options(url: &str) -> ConnectionOptions {
    ConnectionOptions { url: url.to_owned(), ..ConnectionOptions::default() }
}

/// What a run has done so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunLog {
    /// For each item how often it counted, and which worker played it last.
    pub(crate) done: BTreeMap<u64, (usize, String)>,
    pub(crate) notices: Vec<String>,
    pub(crate) events: usize,
    pub(crate) abandoned: Vec<u64>,
}

/// Keeps the log. Stores at once what is done, unless it is paused.
#[derive(Clone)]
pub(crate) struct CountingDirector {
    log: Arc<Mutex<RunLog>>,
    commands: WeakUnboundedSender<CoordinatorCommand>,
    is_paused: Arc<AtomicBool>,
}

impl CountingDirector {
    pub(crate) fn log(&self) -> RunLog {
        self.log.lock().unwrap().clone()
    }

    fn stored(&self, items: impl IntoIterator<Item = u64>) {
        let Some(commands) = self.commands.upgrade() else { return };
        for item in items {
            drop(commands.send(CoordinatorCommand::Stored { item }));
        }
    }

    pub(crate) fn pause_storing(&self) {
        self.is_paused.store(true, Ordering::SeqCst);
    }

    /// Stores what was done since.
    pub(crate) fn resume_storing(&self) {
        self.is_paused.store(false, Ordering::SeqCst);
        self.stored(self.log().done.into_keys());
    }

    pub(crate) async fn until(&self, what: &str, is_so: impl Fn(&RunLog) -> bool) {
        let wait = async {
            while !is_so(&self.log()) {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        assert!(tokio::time::timeout(PATIENCE, wait).await.is_ok(), "{what}: {:?}", self.log());
    }
}

impl Director for CountingDirector {
    fn admit(&mut self, hello: &WorkerHello) -> Result<usize, String> {
        match hello.card["slots"].as_u64() {
            Some(slots) => Ok(slots as usize),
            None => Err("it says nothing of its slots".to_owned()),
        }
    }

    fn handed_back(&mut self, _: u64) {}

    fn compose(&mut self, _: &WorkerName, items: &[u64]) -> Vec<u8> {
        serde_json::to_vec(items).unwrap()
    }

    fn result(&mut self, worker: &WorkerName, open: &[u64], result: &[u8]) -> Result<BatchOutcome, String> {
        let value: Value = serde_json::from_slice(result).map_err(|error| error.to_string())?;
        if let Some(need) = value["lacks"].as_str() {
            let lacks = WorkerProblem::Lacks { need: need.to_owned(), reason: "it is not there".to_owned() };
            return Ok(BatchOutcome { done: Vec::new(), hindrance: Some(lacks) });
        }
        if let Some(reason) = value["trouble"].as_str() {
            let trouble = WorkerProblem::Trouble { reason: reason.to_owned(), bundle: None };
            return Ok(BatchOutcome { done: Vec::new(), hindrance: Some(trouble) });
        }
        let items: Vec<u64> =
            serde_json::from_value(value["done"].clone()).map_err(|error| error.to_string())?;
        let counted: Vec<u64> = items.into_iter().filter(|item| open.contains(item)).collect();
        let mut log = self.log.lock().unwrap();
        for item in &counted {
            let (count, by) = log.done.entry(*item).or_default();
            *count += 1;
            *by = worker.to_string();
        }
        if !self.is_paused.load(Ordering::SeqCst) {
            self.stored(counted.iter().copied());
        }
        Ok(BatchOutcome::done(counted))
    }

    fn event(&mut self, _: &WorkerName, _: &[u64], _: &[u8]) {
        self.log.lock().unwrap().events += 1;
    }

    fn abandoned(&mut self, item: u64) {
        self.log.lock().unwrap().abandoned.push(item);
    }

    fn capacity(&mut self, _: usize) {}

    fn notice(&mut self, notice: String) {
        self.log.lock().unwrap().notices.push(notice);
    }
}

/// A run in progress.
pub(crate) struct TestRun {
    pub(crate) director: CountingDirector,
    pub(crate) commands: UnboundedSender<CoordinatorCommand>,
    task: JoinHandle<Result<(), CoordinatorError>>,
}

pub(crate) async fn run(options: &ConnectionOptions, name: &str, items: u64) -> TestRun {
    let connection = Connection::open(options, "coordinator").await.unwrap();
    let coordinator = Coordinator::open(connection, name, policy()).await.unwrap();
    let (commands, taken) = mpsc::unbounded_channel();
    let director =
        CountingDirector { log: Arc::default(), commands: commands.downgrade(), is_paused: Arc::default() };
    let task = tokio::spawn({
        let mut director = director.clone();
        async move { coordinator.run(&mut director, taken).await }
    });
    for item in 0..items {
        commands.send(CoordinatorCommand::Play { item, needs: vec![format!("need-{}", item % 2)] }).unwrap();
    }
    TestRun { director, commands, task }
}

impl TestRun {
    /// Waits until everything is done, and checks that each item counted once.
    pub(crate) async fn end(self, items: u64) -> RunLog {
        drop(self.commands);
        let ended = tokio::time::timeout(PATIENCE, self.task).await;
        let log = self.director.log();
        ended.unwrap_or_else(|_| panic!("the run does not end: {log:?}")).unwrap().unwrap();
        assert!(log.done.keys().copied().eq(0..items), "{log:?}");
        assert!(log.done.values().all(|(count, _)| *count == 1), "{log:?}");
        log
    }

    /// Ends it as if its process were killed.
    pub(crate) fn kill(self) {
        self.task.abort();
    }
}

/// How a test worker behaves.
#[derive(Clone, Copy)]
pub(crate) struct WorkerBehaviour {
    pub(crate) per_item: Duration,
    /// It waits until this returns true.
    pub(crate) until: Option<&'static AtomicBool>,
    /// What it cannot play.
    pub(crate) lacks: Option<&'static str>,
    /// What keeps it from playing anything.
    pub(crate) trouble: Option<&'static str>,
    /// How many bytes its results have without the items.
    pub(crate) chatter: usize,
    pub(crate) instance_of_none: bool,
}

impl Default for WorkerBehaviour {
    fn default() -> Self {
        Self {
            per_item: Duration::from_millis(5),
            until: None,
            lacks: None,
            trouble: None,
            chatter: 0,
            instance_of_none: false,
        }
    }
}

pub(crate) struct TestWorker {
    task: JoinHandle<Result<(), WorkerError>>,
    player: JoinHandle<()>,
    pub(crate) said: Arc<Mutex<Vec<ToPlayer>>>,
    from: UnboundedSender<FromPlayer>,
}

pub(crate) async fn work(options: &ConnectionOptions, name: &str, manner: WorkerBehaviour) -> TestWorker {
    let connection = Connection::wait(options, name, &mut |_| {}).await.unwrap();
    let (to, mut orders) = mpsc::unbounded_channel();
    let (from, results) = mpsc::unbounded_channel();
    let card = Box::new(move || if manner.instance_of_none { json!({}) } else { json!({ "slots": 1 }) });
    let worker = Worker::open(connection, name.parse().unwrap(), card, to).await.unwrap();
    let task = tokio::spawn(worker.run(results));
    let said = Arc::new(Mutex::new(Vec::new()));
    let player = tokio::spawn({
        let (said, from) = (Arc::clone(&said), from.clone());
        async move {
            while let Some(message) = orders.recv().await {
                said.lock().unwrap().push(message.clone());
                let ToPlayer::Batch { run, batch, payload, .. } = message else { continue };
                let items: Vec<u64> = serde_json::from_slice(&payload).unwrap();
                drop(from.send(FromPlayer::Event { run: run.clone(), batch, payload: b"begun".to_vec() }));
                tokio::spawn(play(manner, items, from.clone(), (run, batch)));
            }
        }
    });
    TestWorker { task, player, said, from }
}

async fn play(
    manner: WorkerBehaviour,
    items: Vec<u64>,
    from: UnboundedSender<FromPlayer>,
    key: (String, u64),
) {
    let need = manner.lacks.filter(|lacks| items.iter().any(|item| lacks.ends_with(&(item % 2).to_string())));
    let payload = if let Some(reason) = manner.trouble {
        json!({ "trouble": reason })
    } else if let Some(need) = need {
        json!({ "lacks": need })
    } else {
        tokio::time::sleep(manner.per_item * items.len() as u32).await;
        while manner.until.is_some_and(|until| !until.load(Ordering::SeqCst)) {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        json!({ "done": items, "chatter": "x".repeat(manner.chatter) })
    };
    let payload = serde_json::to_vec(&payload).unwrap();
    drop(from.send(FromPlayer::Result { run: key.0, batch: key.1, payload, last: true }));
}

impl TestWorker {
    /// Ends it as if its process were killed.
    pub(crate) fn kill(&self) {
        self.task.abort();
        self.player.abort();
    }

    pub(crate) async fn leave(self) {
        self.player.abort();
        self.from.send(FromPlayer::Leave).unwrap();
        tokio::time::timeout(PATIENCE, self.task).await.unwrap().unwrap().unwrap();
    }

    pub(crate) async fn until(&self, what: &str, is_so: impl Fn(&ToPlayer) -> bool) {
        let wait = async {
            while !self.said.lock().unwrap().iter().any(&is_so) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        assert!(
            tokio::time::timeout(PATIENCE, wait).await.is_ok(),
            "{what}: {:?}",
            self.said.lock().unwrap()
        );
    }
}
