//! The interface of executors, which play jobs, and the channel for their reports.
//!
//! Jobs and reports are plain values, so an executor may be threads of this process or a process on another machine. It
//! decides neither what is played nor what a result means.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use leyden_model::job::{Job, JobReport};
use tokio_util::sync::CancellationToken;

/// How long a stop may go unnoticed.
const STOP_LOOK: Duration = Duration::from_millis(50);

/// A callback for when a report is stored.
pub type StoredCallback = Box<dyn FnOnce() + Send>;

/// Plays jobs. Sends reports to the [`Reports`] it was created with, and never waits for the receiver.
///
/// ```no_run
/// use leyden_arena::run::{Executor, Plan, Run, RunError, Threads};
/// use leyden_model::job::Job;
///
/// /// Prints which pair comes next.
/// struct Printing(Threads);
///
/// impl Executor for Printing {
///     fn slots(&self) -> usize { self.0.slots() }
///     fn start(&mut self, job: Job) { println!("{:?}", job.pair); self.0.start(job) }
///     fn take_back(&mut self, job: u64) -> bool { self.0.take_back(job) }
///     fn stop(&mut self) { self.0.stop() }
///     fn finish(&mut self) { self.0.finish() }
/// }
///
/// fn play(plan: &Plan) -> Result<(), Box<dyn std::error::Error>> {
///     let end = Run::new(plan)?.play_on(|reports| {
///         let threads = Threads::start(&plan.bots, &plan.launcher, plan.jobs, plan.cores_per_match, &reports);
///         threads.map(Printing).map_err(RunError::Worker)
///     })?;
///     println!("{} matches were played", end.played);
///     Ok(())
/// }
/// ```
pub trait Executor {
    /// How many jobs it plays at the same time. It is given more than that, so that none of its players has to wait. May
    /// change during play: see [`Reports::slots_changed`].
    fn slots(&self) -> usize;

    /// Accepts a job, to be played after those that were accepted before. If that is no longer possible, it reports `Lost`.
    fn start(&mut self, job: Job);

    /// Takes back a job that has not been started. Returns `false` if it is too late, or not certain in time: then the job is
    /// reported as usual, or handed back by [`Reports::handed_back`].
    fn take_back(&mut self, _job: u64) -> bool {
        false
    }

    /// The callback for when all reports of a job are stored. This may be soon, or never if storing fails.
    fn when_stored(&mut self, _job: u64) -> Option<StoredCallback> {
        None
    }

    /// Aborts what is in progress, and drops what has not been started. Neither needs a report.
    fn stop(&mut self);

    /// Waits until nothing is in progress and every process it started is gone. All reports have been sent by then.
    fn finish(&mut self);
}

/// Where an executor sends its reports.
#[derive(Clone, Debug)]
pub struct Reports(Sender<Message>);

impl Reports {
    /// Sends a report without waiting. After the end of the run reports are dropped, which an executor need not care about.
    pub fn send(&self, report: JobReport) {
        drop(self.0.send(Message::Report(report)));
    }

    /// Hands back a job that was to be taken back and has not been started.
    pub fn handed_back(&self, job: u64) {
        drop(self.0.send(Message::HandedBack(job)));
    }

    /// Announces that the number of slots has changed.
    pub fn slots_changed(&self) {
        drop(self.0.send(Message::LookAgain));
    }
}

/// What the dispatcher waits for.
#[derive(Debug)]
pub(super) enum Message {
    Report(JobReport),
    HandedBack(u64),
    /// The number of slots has changed.
    LookAgain,
}

/// The receiving end of an executor's reports.
#[derive(Debug)]
pub struct Inbox {
    messages: Receiver<Message>,
    /// Keeps the channel open: it closes at the end of the run, not of the executor.
    reports: Reports,
}

impl Inbox {
    /// Creates a channel for reports, bounded only by the number of jobs in progress.
    pub fn new() -> Self {
        let (sender, messages) = mpsc::channel();
        Self { messages, reports: Reports(sender) }
    }

    /// The sending end.
    pub fn reports(&self) -> &Reports {
        &self.reports
    }

    /// Waits for the next report.
    pub fn wait(&self) -> Option<JobReport> {
        loop {
            match self.messages.recv() {
                Ok(Message::Report(report)) => return Some(report),
                Ok(Message::LookAgain | Message::HandedBack(_)) => {}
                Err(_) => return None,
            }
        }
    }

    /// Waits for the next message until a moment, or until the run is stopped.
    pub(super) fn next_until(&self, end: Instant, stop: &CancellationToken) -> Option<Message> {
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.messages.recv_timeout(left.min(STOP_LOOK)) {
                Err(RecvTimeoutError::Timeout) if left > STOP_LOOK && !stop.is_cancelled() => {}
                received => return received.ok(),
            }
        }
    }

    /// A report that has already arrived.
    pub fn ready(&self) -> Option<JobReport> {
        loop {
            match self.messages.try_recv() {
                Ok(Message::Report(report)) => return Some(report),
                Ok(Message::LookAgain | Message::HandedBack(_)) => {}
                Err(_) => return None,
            }
        }
    }
}

impl Default for Inbox {
    fn default() -> Self {
        Self::new()
    }
}
