//! The executor that plays elsewhere: it sends jobs to workers over a NATS server and, optionally, to threads here.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, SyncSender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use leyden_host::{BuildLimits, ResourceLimits};
use leyden_model::job::{Job, JobBot, JobReport};
use leyden_nats::{
    BatchPolicy, BundleError, ConnectError, Connection, Coordinator, CoordinatorCommand, CoordinatorError,
    Secret,
};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::batch::{Conditions, PackedBot};
use super::director::{OpenJobs, RemoteDirector, StartSites};
use super::outlier::Outliers;
use super::speed;
use leyden_arena::halt::Halt;
use leyden_arena::roster::SendBotError;
use leyden_arena::run::{Executor, Inbox, Plan, Reports, Threads, WhenStored};

/// The intended duration of a batch.
const BATCH: Duration = Duration::from_secs(10);

/// How many jobs are queued here for each that is played here.
const WAITING_HERE: usize = 2;

/// How often to check, while waiting for a server, whether the run is still wanted.
const LOOK: Duration = Duration::from_millis(100);

/// The number of no job: marks the last report of the threads here, which is not passed on.
const NO_JOB: u64 = u64::MAX;

/// How jobs are played elsewhere.
#[derive(Clone, Debug)]
pub struct RemoteOptions {
    pub connection: leyden_nats::ConnectionOptions,
    /// How long a worker may be silent before its jobs are given to others.
    pub lease: Duration,
    /// Whether all machines count as equally fast, whatever they measure.
    pub equal_speed: bool,
    /// How many matches this process plays at once.
    pub jobs_here: usize,
    pub limits: ResourceLimits,
    pub build: BuildLimits,
    pub allow_read: Vec<std::path::PathBuf>,
    /// The bots that may use the network if their manifests ask for it.
    pub allow_network: Vec<String>,
}

/// Why jobs cannot be played elsewhere.
#[derive(Debug, thiserror::Error)]
pub enum RemoteError {
    #[error(transparent)]
    Connection(#[from] ConnectError),
    #[error(transparent)]
    Coordinator(#[from] CoordinatorError),
    #[error("{0}; leave it out, or play without --nats")]
    Travel(#[from] SendBotError),
    #[error(transparent)]
    Bundle(#[from] BundleError),
    #[error("the system could not start a thread or connection: {0}")]
    System(#[from] io::Error),
}

/// Plays jobs elsewhere.
pub struct Remote {
    open_jobs: Arc<OpenJobs>,
    commands: Option<UnboundedSender<CoordinatorCommand>>,
    thread: Option<JoinHandle<()>>,
    here: Option<LocalThreads>,
}

/// Threads of this process, which get only as many jobs as they need.
struct LocalThreads {
    threads: Threads,
    under_way: Arc<AtomicUsize>,
    last: Reports,
    forward: JoinHandle<()>,
}

impl Remote {
    /// Connects, and stores the bots where workers find them. If there is no server yet, waits for one until it is halted. `notify`
    /// is called with messages for the organiser.
    pub fn start(
        plan: &Plan,
        options: &RemoteOptions,
        reports: &Reports,
        halt: &Halt,
        notify: Box<dyn FnMut(String) + Send>,
    ) -> Result<Self, RemoteError> {
        let open_jobs = Arc::new(OpenJobs::default());
        let conditions = Conditions::new(
            plan.settings.sandbox,
            options.limits,
            options.build,
            (options.allow_read.clone(), options.allow_network.clone()),
            plan.cores_per_match,
        );
        let mut to_carry = Vec::new();
        for bot in &plan.bots {
            let (baggage, archive) = bot.pack()?;
            let bot = JobBot { name: bot.name.clone(), hash: bot.hash.clone() };
            to_carry.push((PackedBot { bot, baggage, bundle: None }, archive));
        }
        let directing = RemoteDirector {
            open_jobs: Arc::clone(&open_jobs),
            conditions,
            packed_bots: HashMap::new(),
            here: (!options.equal_speed).then(speed::measure),
            speeds: BTreeMap::new(),
            outliers: Outliers::default(),
            starts: StartSites::default(),
            reports: reports.clone(),
            notify,
        };
        let run = format!("{}-{}", plan.tournament_seed().tournament_id(), &Secret::new()?.reveal()[..8]);
        let (commands, taken) = unbounded_channel();
        let (ready, begun) = std::sync::mpsc::sync_channel(1);
        let coordinating = Coordinating { options: options.clone(), run, to_carry, directing };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
        let thread = thread::Builder::new()
            .name("nats".to_owned())
            .spawn(move || runtime.block_on(coordinating.run(taken, &ready)))?;
        loop {
            match begun.recv_timeout(LOOK) {
                Ok(begun) => break begun?,
                // No job was assigned yet; a connection attempt ends with this process.
                Err(RecvTimeoutError::Timeout) if halt.is_called() => {
                    return Ok(Self { open_jobs, commands: None, thread: None, here: None });
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(io::Error::other("the connection has ended").into());
                }
            }
        }
        let here = (options.jobs_here > 0)
            .then(|| LocalThreads::start(plan, options.jobs_here, reports))
            .transpose()?;
        Ok(Self { open_jobs, commands: Some(commands), thread: Some(thread), here })
    }
}

/// The state of the connection's thread.
struct Coordinating {
    options: RemoteOptions,
    run: String,
    to_carry: Vec<(PackedBot, Option<Vec<u8>>)>,
    directing: RemoteDirector,
}

impl Coordinating {
    async fn run(
        mut self,
        commands: UnboundedReceiver<CoordinatorCommand>,
        ready: &SyncSender<Result<(), RemoteError>>,
    ) {
        let coordinator = match self.open().await {
            Ok(coordinator) => coordinator,
            Err(error) => return drop(ready.send(Err(error))),
        };
        drop(ready.send(Ok(())));
        if let Err(error) = coordinator.run(&mut self.directing, commands).await {
            self.directing.reports.send(JobReport::Lost { reason: error.to_string() });
        }
    }

    async fn open(&mut self) -> Result<Coordinator, RemoteError> {
        let notify = &mut *self.directing.notify;
        let connection = Connection::wait(&self.options.connection, "organiser", notify).await?;
        let pace = BatchPolicy { lease: self.options.lease, batch: BATCH };
        let mut coordinator = Coordinator::open(connection, &self.run, pace).await?;
        for (mut packed, archive) in std::mem::take(&mut self.to_carry) {
            if let Some(archive) = archive {
                packed.bundle = Some(coordinator.carry(&archive).await?);
            }
            self.directing.packed_bots.insert(packed.bot.clone(), packed);
        }
        Ok(coordinator)
    }
}

impl LocalThreads {
    fn start(plan: &Plan, jobs: usize, reports: &Reports) -> io::Result<Self> {
        let inbox = Inbox::new();
        let last = Reports::clone(inbox.reports());
        let threads = Threads::start(&plan.bots, &plan.launcher, jobs, plan.cores_per_match, &last)?;
        let under_way = Arc::new(AtomicUsize::new(0));
        let forward = thread::Builder::new().name("here".to_owned()).spawn({
            let (under_way, reports) = (Arc::clone(&under_way), reports.clone());
            move || {
                while let Some(report) =
                    inbox.wait().filter(|report| *report != JobReport::Done { job: NO_JOB })
                {
                    if matches!(report, JobReport::Done { .. }) {
                        under_way.fetch_sub(1, Ordering::SeqCst);
                    }
                    reports.send(report);
                }
            }
        })?;
        Ok(Self { threads, under_way, last, forward })
    }

    fn has_room(&self) -> bool {
        self.under_way.load(Ordering::SeqCst) < self.threads.slots() * WAITING_HERE
    }

    fn finish(mut self) {
        self.threads.finish();
        self.last.send(JobReport::Done { job: NO_JOB });
        drop(self.forward.join()); // never panics
    }
}

impl Executor for Remote {
    fn slots(&self) -> usize {
        self.open_jobs.capacity() + self.here.as_ref().map_or(0, |here| here.threads.slots())
    }

    fn start(&mut self, job: Job) {
        if let Some(here) = self.here.as_mut().filter(|here| here.has_room()) {
            here.under_way.fetch_add(1, Ordering::SeqCst);
            return here.threads.start(job);
        }
        let needs = job.bots.iter().map(|bot| bot.name.clone()).collect();
        let item = job.number;
        self.open_jobs.jobs().insert(item, job);
        if let Some(commands) = &self.commands {
            // If the receiver is gone, that was reported already.
            drop(commands.send(CoordinatorCommand::Play { item, needs }));
        }
    }

    fn when_stored(&mut self, job: u64) -> Option<WhenStored> {
        // A weak sender: at the end, nobody must wait for a result that may never be stored.
        let commands = self.commands.as_ref()?.downgrade();
        Some(Box::new(move || {
            if let Some(commands) = commands.upgrade() {
                drop(commands.send(CoordinatorCommand::Stored { item: job }));
            }
        }))
    }

    fn stop(&mut self) {
        if let Some(commands) = &self.commands {
            drop(commands.send(CoordinatorCommand::Stop));
        }
        if let Some(here) = &mut self.here {
            here.threads.stop();
        }
    }

    fn finish(&mut self) {
        drop(self.commands.take());
        if let Some(thread) = self.thread.take() {
            drop(thread.join()); // its error is reported already
        }
        if let Some(here) = self.here.take() {
            here.finish();
        }
    }
}
