//! The executor on this machine: threads, each pinned to its cores, that play one job after the other.

use std::any::Any;
use std::collections::VecDeque;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::thread::{self, JoinHandle};

use leyden_host::platform;
use leyden_host::{self as host, Launcher};
use leyden_model::job::{Job, JobReport};
use tokio::sync::{Notify, watch};

use super::RunError;
use super::executor::{Executor, Reports};
use super::in_process_players::InProcessPlayers;
use super::legs::LegsInPlay;
use super::panics;
use super::plan::Plan;
use super::worker::{PlayMatch, Referee, SharedBots, Worker};
use crate::roster::Competitor;

/// Plays jobs on threads of this process. When dropped, it aborts what is in progress and waits for it.
#[derive(Debug)]
pub struct Threads {
    queue: Arc<Queue>,
    shared: Arc<SharedBots>,
    /// No token: a worker looks at this whenever a bot answers, and `watch` does so without another lock.
    stop: watch::Sender<bool>,
    workers: Vec<JoinHandle<()>>,
}

impl Threads {
    /// Starts the workers, which wait for jobs. Jobs may name these bots; `jobs` matches are played at the same time, each on
    /// `cores_per_match` cores.
    pub fn start(
        bots: &[Competitor],
        launcher: &Launcher,
        jobs: usize,
        cores_per_match: usize,
        reports: &Reports,
    ) -> io::Result<Self> {
        Self::playing(&Referee, bots, &InProcessPlayers::default(), launcher, jobs, cores_per_match, reports)
    }

    /// Starts the workers that a plan wants, for its bots.
    pub(super) fn for_plan(plan: &Plan, reports: &Reports) -> Result<Self, RunError> {
        let Plan { bots, players, launcher, jobs, cores_per_match, .. } = plan;
        Self::playing(&Referee, bots, players, launcher, *jobs, *cores_per_match, reports)
            .map_err(RunError::Worker)
    }

    /// Adds a bot that jobs may name from now on.
    pub fn add(&self, bot: &Competitor) {
        self.shared.bots.write().unwrap_or_else(PoisonError::into_inner).push(bot.clone());
    }

    /// The same with another way to play matches.
    pub(super) fn playing<P: PlayMatch>(
        play: &P,
        bots: &[Competitor],
        players: &InProcessPlayers,
        launcher: &Launcher,
        jobs: usize,
        cores_per_match: usize,
        reports: &Reports,
    ) -> io::Result<Self> {
        panics::know_locations();
        let shared = Arc::new(SharedBots {
            bots: RwLock::new(bots.to_vec()),
            players: players.clone(),
            launcher: launcher.clone(),
            cores_per_match,
            legs: LegsInPlay::new(jobs),
            jobs,
        });
        let mut all = Self {
            queue: Arc::default(),
            shared: Arc::clone(&shared),
            stop: watch::Sender::new(false),
            workers: Vec::with_capacity(jobs),
        };
        for (number, cores) in cores(jobs, cores_per_match).into_iter().enumerate() {
            let worker_thread =
                WorkerThread { number, queue: Arc::clone(&all.queue), stop: all.stop.subscribe(), cores };
            let (shared, reports, play) = (Arc::clone(&shared), reports.clone(), play.clone());
            let work = move || {
                let outcome = catch_unwind(AssertUnwindSafe(|| worker_thread.work(shared, &reports, play)));
                if let Some(reason) = why_lost(outcome) {
                    reports.send(JobReport::Lost { reason });
                }
            };
            all.workers.push(thread::Builder::new().name("worker".to_owned()).spawn(work)?);
        }
        Ok(all)
    }
}

/// The cores of each worker. If there are more workers than cores, they share them.
fn cores(jobs: usize, cores_per_match: usize) -> Vec<Vec<usize>> {
    let allowed = platform::allowed_cores();
    let needed = cores_per_match.clamp(1, allowed.len());
    (0..jobs).map(|job| (0..needed).map(|i| allowed[(job * needed + i) % allowed.len()]).collect()).collect()
}

/// Why a worker is gone, unless it ended normally.
fn why_lost(outcome: Result<io::Result<()>, Box<dyn Any + Send>>) -> Option<String> {
    match outcome {
        Ok(Ok(())) => None,
        Ok(Err(error)) => Some(format!("a worker could not be started: {error}")),
        Err(panic) => {
            let text = panics::text(&*panic);
            Some(format!("a worker failed: {text}. This is a defect of the arena; please report it"))
        }
    }
}

impl Executor for Threads {
    fn slots(&self) -> usize {
        self.workers.len()
    }

    fn start(&mut self, job: Job) {
        self.queue.push(job);
    }

    fn take_back(&mut self, job: u64) -> bool {
        self.queue.take_back(job)
    }

    fn stop(&mut self) {
        self.stop.send_replace(true);
    }

    fn finish(&mut self) {
        self.queue.close();
        for worker in self.workers.drain(..) {
            drop(worker.join()); // a worker catches and reports its own panics
        }
        host::kill_leftovers();
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        if !self.workers.is_empty() {
            self.stop();
            self.finish();
        }
    }
}

/// What a worker's thread works with.
struct WorkerThread {
    number: usize,
    queue: Arc<Queue>,
    stop: watch::Receiver<bool>,
    cores: Vec<usize>,
}

impl WorkerThread {
    /// Plays jobs until there are no more or everything is aborted. No process is left when it returns.
    fn work<P: PlayMatch>(self, shared: Arc<SharedBots>, reports: &Reports, play: P) -> io::Result<()> {
        let Self { number, queue, mut stop, cores } = self;
        platform::pin_thread(&cores);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
        runtime.block_on(async {
            let mut worker = Worker::new(number, shared, reports.clone(), play);
            let is_stopped = {
                let jobs = async {
                    loop {
                        let mut job = queue.waiting_job();
                        if job.is_none() {
                            worker.rest().await;
                            job = queue.next().await;
                        }
                        let Some(job) = job else { break };
                        worker.play(&job).await;
                    }
                };
                tokio::select! {
                    biased;
                    _ = stop.wait_for(|&stop| stop) => true,
                    () = jobs => false,
                }
            };
            worker.close(is_stopped).await;
            Ok(())
        })
    }
}

/// Jobs that have not been started. No channel, because any of them may be taken back.
#[derive(Debug, Default)]
struct Queue {
    waiting: Mutex<WaitingJobs>,
    filled: Notify,
}

#[derive(Debug, Default)]
struct WaitingJobs {
    jobs: VecDeque<Job>,
    closed: bool,
}

impl Queue {
    fn waiting(&self) -> MutexGuard<'_, WaitingJobs> {
        // Each change is complete before anything can panic.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, job: Job) {
        self.waiting().jobs.push_back(job);
        self.filled.notify_one();
    }

    fn take_back(&self, number: u64) -> bool {
        let mut waiting = self.waiting();
        let index = waiting.jobs.iter().position(|job| job.number == number);
        index.and_then(|index| waiting.jobs.remove(index)).is_some()
    }

    /// The next job, if there is one.
    fn waiting_job(&self) -> Option<Job> {
        self.waiting().jobs.pop_front()
    }

    /// No more jobs will come.
    fn close(&self) {
        self.waiting().closed = true;
        self.filled.notify_waiters();
    }

    /// Waits for the next job; `None` if no more come.
    async fn next(&self) -> Option<Job> {
        loop {
            let mut filled = std::pin::pin!(self.filled.notified());
            filled.as_mut().enable(); // registers before the check, so no later push is missed
            {
                let mut waiting = self.waiting();
                if let Some(job) = waiting.jobs.pop_front() {
                    return Some(job);
                }
                if waiting.closed {
                    return None;
                }
            }
            filled.await;
        }
    }
}
