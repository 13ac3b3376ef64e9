//! Whoever plays jobs: what is asked of them, and the one way in which reports come back.
//!
//! Jobs and reports are plain values, so that an executor may be threads here or a process elsewhere. It has no say in what
//! is played or what becomes of it.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};

use leyden_model::job::{Job, JobReport};

use crate::halt::Wake;

/// Something to be done once what was reported is stored.
pub type WhenStored = Box<dyn FnOnce() + Send>;

/// Plays jobs. Its reports go to the [`Reports`] that it was made with; it never waits for whoever reads them.
pub trait Executor {
    /// How many jobs it plays at the same time. It is given more than that, so that none of its players has to wait. May
    /// change while it plays: [`Reports::slots_changed`] tells.
    fn slots(&self) -> usize;

    /// Takes a job, to be played after those that were started before. If that is not possible any more, the report
    /// `lost` says so.
    fn start(&mut self, job: Job);

    /// Takes back a job that nobody has begun to play. `false` if it is too late, or not to be known in time: then the
    /// job is reported as always.
    fn take_back(&mut self, _job: u64) -> bool {
        false
    }

    /// What is to be done when all that was reported of a job is stored, which may be soon, or never if storing fails.
    fn when_stored(&mut self, _job: u64) -> Option<WhenStored> {
        None
    }

    /// Breaks off what is being played, and forgets what is not begun. Nothing needs to be reported of either.
    fn stop(&mut self);

    /// Waits until nothing is played any more and nothing is left of what was started for it. Every report is sent by then.
    fn finish(&mut self);
}

/// Where an executor's reports go.
#[derive(Clone, Debug)]
pub struct Reports(Sender<Message>);

impl Reports {
    /// Hands over a report, without waiting. Once the run is over nobody takes any: that is no concern of the executor's.
    pub fn send(&self, report: JobReport) {
        drop(self.0.send(Message::Report(report)));
    }

    /// The executor's slots are more or fewer than they were.
    pub fn slots_changed(&self) {
        drop(self.0.send(Message::LookAgain));
    }
}

/// What the dispatcher waits for.
#[derive(Debug)]
pub(super) enum Message {
    Report(JobReport),
    /// Somebody has called the halt, or there are more or fewer slots.
    LookAgain,
}

impl Wake for Reports {
    fn wake(&self) {
        drop(self.0.send(Message::LookAgain));
    }
}

/// Where the reports of an executor come out.
#[derive(Debug)]
pub struct Inbox {
    messages: Receiver<Message>,
    /// Keeps the way open: it ends with the run, not with the executor.
    reports: Arc<Reports>,
}

impl Inbox {
    /// A new way for reports. Nothing bounds it but the number of jobs that are under way.
    pub fn new() -> Self {
        let (sender, messages) = mpsc::channel();
        Self { messages, reports: Arc::new(Reports(sender)) }
    }

    /// Where they go in.
    pub fn reports(&self) -> &Arc<Reports> {
        &self.reports
    }

    /// The next report, as soon as there is one.
    pub fn wait(&self) -> Option<JobReport> {
        loop {
            match self.messages.recv() {
                Ok(Message::Report(report)) => return Some(report),
                Ok(Message::LookAgain) => {}
                Err(_) => return None,
            }
        }
    }

    pub(super) fn next(&self) -> Message {
        self.messages.recv().unwrap_or(Message::LookAgain)
    }

    /// A report that is there already.
    pub fn ready(&self) -> Option<JobReport> {
        loop {
            match self.messages.try_recv() {
                Ok(Message::Report(report)) => return Some(report),
                Ok(Message::LookAgain) => {}
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
