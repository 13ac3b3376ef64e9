//! What a thousand workers that answer at once demand of a coordinator and of the server: batches a second, processor time,
//! memory, and how long a new worker waits for its first batch.
//!
//! `cargo bench -p leyden-nats --bench swarm` measures; with `-- --test` it runs once with little work, to show that it still
//! works.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

#[allow(dead_code, reason = "shared with tests and benchmarks that do more to a server")]
#[path = "../tests/server/process.rs"]
mod process;

use std::error::Error;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use leyden_nats::{
    BatchOutcome, BatchPolicy, Connection, ConnectionOptions, Coordinator, CoordinatorCommand, Director,
    FromPlayer, ToPlayer, Worker, WorkerHello, WorkerName,
};
use process::NatsServer;
use rustix::time::{ClockId, clock_gettime};
use serde_json::json;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, WeakUnboundedSender, unbounded_channel};

/// How many workers there are, and how many batches for each.
const WHOLE: (usize, u64) = (1_000, 20);
const SMOKE: (usize, u64) = (5, 4);

/// How long one step may take.
const PATIENCE: Duration = Duration::from_mins(2);

/// Batches of one item.
const PACE: BatchPolicy = BatchPolicy { lease: Duration::from_secs(30), batch: Duration::from_nanos(1) };

fn main() -> Result<(), Box<dyn Error>> {
    let said = |word: &str| std::env::args().any(|argument| argument == word);
    let is_smoke = said("--test") || !said("--bench");
    let (workers, each) = if is_smoke { SMOKE } else { WHOLE };
    let server = NatsServer::start();
    let options = ConnectionOptions { url: server.url(), ..ConnectionOptions::default() };
    let alone = resident("self");
    let runtime = runtime()?;
    runtime.block_on(async {
        for number in 0..workers {
            work(&options, &format!("worker-{number}")).await?;
        }
        Ok::<(), Box<dyn Error>>(())
    })?;
    let there = resident("self");
    let coordinator = CoordinatorThread::start(&options)?;
    // The worker tasks run on this thread.
    let count = Arc::clone(&coordinator.count);
    runtime.block_on(until("all workers are admitted", || count.admitted() >= workers as u64))?;

    let (start, before) = (Instant::now(), coordinator.count.cpu());
    let long = if is_smoke { Duration::from_millis(300) } else { Duration::from_secs(10) };
    runtime.block_on(async { tokio::time::sleep(long).await });
    let idle = (coordinator.count.cpu().saturating_sub(before)).as_secs_f64() / start.elapsed().as_secs_f64();

    let mut items = workers as u64 * each;
    let (start, before) = (Instant::now(), coordinator.count.cpu());
    coordinator.play(0..items)?;
    runtime.block_on(until("half of it is done", || count.done() >= items / 2))?;
    let new = Instant::now();
    let first = runtime.block_on(async {
        let mut orders = work(&options, "latecomer").await?;
        // There is always more to do than the others can take, until the new worker has a batch, too.
        while orders.try_recv().is_err() {
            if items - count.done() < 4 * workers as u64 {
                coordinator.play(items..items + workers as u64)?;
                items += workers as u64;
            }
            if new.elapsed() > PATIENCE {
                return Err(format!("a new worker got nothing to do within {PATIENCE:?}").into());
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        Ok::<_, Box<dyn Error>>(new.elapsed())
    })?;
    runtime.block_on(until("everything is done", || count.done() >= items))?;
    let (took, cpu) = (start.elapsed(), coordinator.count.cpu().saturating_sub(before));
    let batches = coordinator.count.batches();
    println!(
        "{workers} workers that answer at once, {batches} batches of {items} items; everything on this machine"
    );
    println!("batches a second                            {:>9.0}", batches as f64 / took.as_secs_f64());
    println!(
        "coordinator, processor time a batch         {:>9.0} µs",
        cpu.as_micros() as f64 / batches as f64
    );
    println!("coordinator, of a core while nothing is played {:>6.2} %", 100.0 * idle);
    println!("a new worker's first batch, after           {:>9.0} ms", first.as_millis());
    println!(
        "memory of all workers and the coordinator   {:>9.1} MB",
        there.saturating_sub(alone) as f64 / 1024.0
    );
    println!(
        "memory of the server                        {:>9.1} MB",
        resident(&server.id().to_string()) as f64 / 1024.0
    );
    Ok(())
}

fn runtime() -> std::io::Result<Runtime> {
    Builder::new_current_thread().enable_io().enable_time().build()
}

/// Waits for a condition, at most `PATIENCE`.
async fn until(what: &str, is_so: impl Fn() -> bool) -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    while !is_so() {
        if start.elapsed() > PATIENCE {
            return Err(format!("not within {PATIENCE:?}: {what}").into());
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    Ok(())
}

/// Resident memory of a process, in kilobytes.
fn resident(process: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or_default()
}

/// A worker that answers at once. The channel reports its first batch.
async fn work(options: &ConnectionOptions, name: &str) -> Result<UnboundedReceiver<()>, Box<dyn Error>> {
    let connection = Connection::open(options, name).await?;
    let (to, mut orders) = unbounded_channel();
    let (from, results) = unbounded_channel();
    let worker = Worker::open(connection, name.parse()?, Box::new(|| json!(null)), to).await?;
    tokio::spawn(worker.run(results));
    let (notify, notices) = unbounded_channel();
    tokio::spawn(async move {
        while let Some(assignment) = orders.recv().await {
            let ToPlayer::Batch { run, batch, payload, .. } = assignment else { continue };
            let _ = notify.send(());
            drop(from.send(FromPlayer::Result { run, batch, payload, last: true }));
        }
    });
    Ok(notices)
}

/// What a coordinator has counted so far.
#[derive(Debug, Default)]
struct Count {
    admitted: AtomicU64,
    batches: AtomicU64,
    done: AtomicU64,
    cpu_us: AtomicU64,
}

impl Count {
    fn admitted(&self) -> u64 {
        self.admitted.load(Ordering::SeqCst)
    }

    fn batches(&self) -> u64 {
        self.batches.load(Ordering::SeqCst)
    }

    fn done(&self) -> u64 {
        self.done.load(Ordering::SeqCst)
    }

    /// Processor time of its thread, as of a moment ago.
    fn cpu(&self) -> Duration {
        Duration::from_micros(self.cpu_us.load(Ordering::SeqCst))
    }
}

/// A coordinator on its own thread.
struct CoordinatorThread {
    count: Arc<Count>,
    commands: UnboundedSender<CoordinatorCommand>,
}

impl CoordinatorThread {
    fn start(options: &ConnectionOptions) -> Result<Self, Box<dyn Error>> {
        let count = Arc::new(Count::default());
        let (commands, taken) = unbounded_channel();
        let runtime = runtime()?;
        let connection = runtime.block_on(Connection::open(options, "coordinator"))?;
        let coordinator = runtime.block_on(Coordinator::open(connection, "swarm", PACE))?;
        let mut counts = Counts { count: Arc::clone(&count), commands: commands.downgrade() };
        let counted = Arc::clone(&count);
        thread::spawn(move || {
            runtime.spawn(async move {
                loop {
                    let time = clock_gettime(ClockId::ThreadCPUTime);
                    let time = Duration::new(time.tv_sec as u64, time.tv_nsec as u32);
                    counted.cpu_us.store(time.as_micros() as u64, Ordering::SeqCst);
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            });
            runtime.block_on(coordinator.run(&mut counts, taken))
        });
        Ok(Self { count, commands })
    }

    fn play(&self, items: std::ops::Range<u64>) -> Result<(), Box<dyn Error>> {
        for item in items {
            self.commands.send(CoordinatorCommand::Play { item, needs: Vec::new() })?;
        }
        Ok(())
    }
}

/// Stores everything at once.
struct Counts {
    count: Arc<Count>,
    commands: WeakUnboundedSender<CoordinatorCommand>,
}

impl Director for Counts {
    fn admit(&mut self, _: &WorkerHello) -> Result<usize, String> {
        self.count.admitted.fetch_add(1, Ordering::SeqCst);
        Ok(1)
    }

    fn compose(&mut self, _: &WorkerName, items: &[u64]) -> Vec<u8> {
        self.count.batches.fetch_add(1, Ordering::SeqCst);
        items.iter().flat_map(|item| item.to_le_bytes()).collect()
    }

    fn result(&mut self, _: &WorkerName, open: &[u64], _: &[u8]) -> Result<BatchOutcome, String> {
        self.count.done.fetch_add(open.len() as u64, Ordering::SeqCst);
        if let Some(commands) = self.commands.upgrade() {
            for &item in open {
                drop(commands.send(CoordinatorCommand::Stored { item }));
            }
        }
        Ok(BatchOutcome::done(open.to_vec()))
    }

    fn event(&mut self, _: &WorkerName, _: &[u64], _: &[u8]) {}

    fn abandoned(&mut self, _: u64) {}

    fn handed_back(&mut self, _: u64) {}

    fn capacity(&mut self, _: usize) {}

    fn notice(&mut self, notice: String) {
        println!("{notice}");
    }
}
