//! The executor that plays elsewhere: it sends jobs to workers over a NATS server and, optionally, to threads here.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, SyncSender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use leyden_host::{BuildLimits, ResourceLimits};
use leyden_model::BotIndex;
use leyden_model::job::{Job, JobBot, JobReport};
use leyden_nats::{BatchPolicy, Bundle, Connection, Coordinator, CoordinatorCommand, Secret};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::batch::Conditions;
use super::bundle_cache::{BundleCache, CarriedBot};
use super::director::{OpenJobs, RemoteDirector, StartSites};
use super::error::RemoteError;
use super::outlier::Outliers;
use leyden_arena::CancellationToken;
use leyden_arena::roster::Competitor;
use leyden_arena::run::{Executor, Inbox, Plan, Reports, StoredCallback, Threads};

/// The intended duration of a batch.
const BATCH: Duration = Duration::from_secs(10);

/// How many jobs are queued here for each that is played here.
const WAITING_HERE: usize = 2;

/// How often to check, while waiting for a server, whether the run still needs it.
const LOOK: Duration = Duration::from_millis(100);

/// The number of no job: marks the last report of the threads here, which is not passed on.
const NO_JOB: u64 = u64::MAX;

/// How jobs are played elsewhere.
#[derive(Clone, Debug)]
pub struct RemoteOptions {
    pub connection: leyden_nats::ConnectionOptions,
    /// How long a worker may be silent before its jobs are given to others.
    pub lease: Duration,
    /// Whether all machines count as equally fast, no matter what they measure.
    pub equal_speed: bool,
    /// How many matches this process plays at once.
    pub jobs_here: usize,
    /// What a bot may use in its sandbox.
    pub limits: ResourceLimits,
    /// What the build command of a bot may use.
    pub build: BuildLimits,
    /// What bots in a sandbox may read if their manifests ask for it.
    pub allow_read: Vec<std::path::PathBuf>,
    /// The bots that may use the network if their manifests ask for it.
    pub allow_network: Vec<String>,
    /// What runs with these options share.
    pub carried: BundleCache,
}

/// Plays jobs elsewhere.
///
/// ```no_run
/// use leyden_arena::CancellationToken;
/// use leyden_arena::run::{Plan, Run, RunError};
/// use leyden_remote::{Remote, RemoteOptions};
///
/// fn play(plan: &Plan, options: &RemoteOptions) -> Result<(), Box<dyn std::error::Error>> {
///     let stop = CancellationToken::new();
///     Run::new(plan)?.play_on(|reports| {
///         let remote = Remote::start(plan, options, &reports, &stop, Box::new(|notice| println!("{notice}")));
///         remote.map_err(|error| RunError::Unreachable(error.to_string()))
///     })?;
///     Ok(())
/// }
/// ```
pub struct Remote {
    open_jobs: Arc<OpenJobs>,
    carried: BundleCache,
    /// The bots of the run.
    bots: Vec<Competitor>,
    reports: Reports,
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
    /// Connects, and stores the bots where workers find them. If there is no server yet, waits for one until it is stopped. `notify`
    /// is called with messages for the organiser.
    pub fn start(
        plan: &Plan,
        options: &RemoteOptions,
        reports: &Reports,
        stop: &CancellationToken,
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
        for (bot, _) in plan.bots.iter().zip(0..).filter(|(_, index)| !has_left(plan, BotIndex(*index))) {
            let CarriedBot { packed, bundle, .. } = options.carried.pack(bot)?;
            open_jobs.bots().insert(packed.bot.clone(), packed);
            to_carry.extend(bundle);
        }
        options.carried.tidy();
        let directing = RemoteDirector {
            open_jobs: Arc::clone(&open_jobs),
            conditions,
            here: (!options.equal_speed).then(|| options.carried.speed()),
            speeds: BTreeMap::new(),
            outliers: Outliers::default(),
            starts: StartSites::default(),
            reports: reports.clone(),
            notify,
        };
        let run = format!("{}-{}", plan.tournament_seed().tournament_id(), &Secret::new()?.reveal()[..8]);
        let (commands, taken) = unbounded_channel(); // bounded by the jobs in progress: a few commands for each
        let (ready, begun) = std::sync::mpsc::sync_channel(1);
        let coordinating = ConnectionState { options: options.clone(), run, to_carry, directing };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
        let thread = thread::Builder::new()
            .name("nats".to_owned())
            .spawn(move || runtime.block_on(coordinating.run(taken, &ready)))?;
        let (carried, bots, reports) = (options.carried.clone(), plan.bots.clone(), reports.clone());
        let idle = Self { open_jobs, carried, bots, reports, commands: None, thread: None, here: None };
        loop {
            match begun.recv_timeout(LOOK) {
                Ok(begun) => break begun?,
                // No job was assigned yet; a connection attempt ends with this process.
                Err(RecvTimeoutError::Timeout) if stop.is_cancelled() => return Ok(idle),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(io::Error::other("the connection has ended").into());
                }
            }
        }
        let here = (options.jobs_here > 0)
            .then(|| LocalThreads::start(plan, options.jobs_here, &idle.reports))
            .transpose()?;
        Ok(Self { commands: Some(commands), thread: Some(thread), here, ..idle })
    }

    /// Sends a bot after the others: one that has left, and has pairs to end.
    fn carry(&self, bot: &JobBot, commands: &UnboundedSender<CoordinatorCommand>) -> Result<(), RemoteError> {
        if self.open_jobs.bots().contains_key(bot) {
            return Ok(());
        }
        let Some(found) = self.bots.iter().find(|it| it.name == bot.name && it.hash == bot.hash) else {
            return Ok(());
        };
        let CarriedBot { packed, bundle, .. } = self.carried.pack(found)?;
        self.open_jobs.bots().insert(packed.bot.clone(), packed);
        // If the receiver is gone, that was reported already.
        if let Some(bundle) = bundle {
            drop(commands.send(CoordinatorCommand::Carry { bundle }));
        }
        Ok(())
    }
}

/// Whether a bot plays no more, apart from what it has begun.
fn has_left(plan: &Plan, bot: BotIndex) -> bool {
    plan.format.competition().is_some_and(|competition| competition.has_left(bot))
}

/// The state of the connection's thread.
struct ConnectionState {
    options: RemoteOptions,
    run: String,
    to_carry: Vec<Bundle>,
    directing: RemoteDirector,
}

impl ConnectionState {
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
        for bundle in std::mem::take(&mut self.to_carry) {
            coordinator.carry(&bundle).await?;
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
        let Some(commands) = &self.commands else { return };
        if let Err(error) = job.bots.iter().try_for_each(|bot| self.carry(bot, commands)) {
            return self.reports.send(JobReport::Lost { reason: error.to_string() });
        }
        let needs = job.bots.iter().map(|bot| bot.name.clone()).collect();
        let item = job.number;
        self.open_jobs.jobs().insert(item, job);
        // If the receiver is gone, that was reported already.
        drop(commands.send(CoordinatorCommand::Play { item, needs }));
    }

    fn take_back(&mut self, job: u64) -> bool {
        if let Some(here) = &mut self.here
            && here.threads.take_back(job)
        {
            here.under_way.fetch_sub(1, Ordering::SeqCst);
            return true;
        }
        if let Some(commands) = &self.commands {
            drop(commands.send(CoordinatorCommand::TakeBack { item: job }));
        }
        false
    }

    fn when_stored(&mut self, job: u64) -> Option<StoredCallback> {
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
