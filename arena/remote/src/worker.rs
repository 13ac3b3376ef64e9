//! Plays on this machine for runs elsewhere: takes batches, gets their bots ready, and reports.
//!
//! A bot is played only if its hash is the one that the run expects. Batches of the same run are played together; those of another
//! run wait until these are finished.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use leyden_model::job::{Job, JobReport, LegOutcome};
use leyden_model::words::counted;
use leyden_model::{MachineRecord, TimeLimits};
use leyden_nats::{
    Bundles, ConnectError, Connection, ConnectionOptions, FromPlayer, ToPlayer, Worker, WorkerError,
    WorkerName,
};
use tokio::runtime::Handle;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use super::batch::{BatchReply, BatchSpec, pack, unpack};
use super::card::WorkerCard;
use super::speed::scaled;
use leyden_arena::CancellationToken;
use leyden_arena::run::Executor;

use current_run::{BatchError, LoadedRun};

mod current_run;
mod preparation;

/// How often the finished jobs of a batch are sent before it is complete.
const SEND: Duration = Duration::from_secs(1);

/// How long bots are kept running for a next batch.
const REST: Duration = Duration::from_secs(5);

/// The most bots whose files are kept for a next batch.
const MOST_BOTS: usize = 500;

/// Options of a worker.
#[derive(Clone, Debug)]
pub struct WorkerOptions {
    /// The program `leyden`.
    pub leyden: PathBuf,
    pub connection: ConnectionOptions,
    pub name: WorkerName,
    /// How many matches it plays at once.
    pub jobs: usize,
    /// Files hidden from bots in a sandbox.
    pub private: Vec<PathBuf>,
}

/// Why a worker cannot continue.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    #[error(transparent)]
    Connection(#[from] ConnectError),
    #[error(transparent)]
    Worker(#[from] WorkerError),
    #[error("the system could not start a thread or connection: {0}")]
    System(#[from] io::Error),
}

/// An input of the player.
enum PlayerInput {
    FromCoordinator(ToPlayer),
    Report(JobReport),
    Leave,
    Connected(Box<(Handle, Bundles)>),
    Ended(Result<(), WorkError>),
}

/// Makes a worker return its open jobs and stop.
#[derive(Clone, Debug)]
pub struct LeaveHandle {
    hear: Sender<PlayerInput>,
    leaving: CancellationToken,
}

impl LeaveHandle {
    /// Does so at once, and stops a running build.
    pub fn leave(&self) {
        self.leaving.cancel(); // stops a running build
        drop(self.hear.send(PlayerInput::Leave));
    }
}

/// The current activity, for the worker's card.
#[derive(Debug, Default)]
struct Activity {
    playing: usize,
    tournament: Option<String>,
}

/// Works until it is asked to leave. `begun` gets the handle for that, and `notify` is called with messages for the person who runs
/// the worker.
///
/// ```no_run
/// use leyden_nats::ConnectionOptions;
/// use leyden_remote::{WorkerOptions, work};
///
/// let options = WorkerOptions {
///     leyden: std::env::current_exe()?,
///     connection: ConnectionOptions { url: "nats://localhost:4222".to_owned(), ..Default::default() },
///     name: "worker-1".parse()?,
///     jobs: 2,
///     private: Vec::new(),
/// };
/// work(&options, |_leave| {}, &mut |notice| println!("{notice}"))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn work(
    options: &WorkerOptions,
    begun: impl FnOnce(LeaveHandle),
    notify: &mut (dyn FnMut(String) + Send),
) -> Result<(), WorkError> {
    let card = WorkerCard::for_this_machine(&options.leyden, options.jobs);
    let levels: Vec<String> = card.levels.iter().map(ToString::to_string).collect();
    notify(format!(
        "worker {}: {} at once, sandbox levels {}, speed {}",
        options.name,
        counted(options.jobs as u64, "match", "matches"),
        levels.join(", "),
        card.speed
    ));
    let (hear, heard) = channel();
    let leaving = CancellationToken::new();
    begun(LeaveHandle { hear: hear.clone(), leaving: leaving.clone() });
    let (from, results) = unbounded_channel(); // bounded by the batches held: the next comes after their results
    let activity = Arc::new(Mutex::new(Activity::default()));
    let (release, released) = tokio::sync::oneshot::channel::<()>();
    let connecting = {
        let (options, hear, activity) = (options.clone(), hear.clone(), Arc::clone(&activity));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
        thread::Builder::new().name("nats".to_owned()).spawn(move || {
            runtime.block_on(async {
                let ended = connected(&options, card, &activity, &hear, results).await;
                drop(hear.send(PlayerInput::Ended(ended)));
                // The player may be in the middle of a download, which needs this runtime.
                let _ = released.await;
            });
        })?
    };
    let mut player = BatchPlayer {
        options,
        from,
        hear,
        network: None,
        loaded: None,
        batches: Vec::new(),
        pending: VecDeque::new(),
        next: 0,
        is_warm: false,
        activity,
        leaving,
    };
    let ended = player.play(&heard, notify);
    player.clear();
    drop(release);
    if player.network.is_some() {
        drop(connecting.join()); // it has sent `Ended`
    }
    ended
}

/// Runs the connection's thread.
async fn connected(
    options: &WorkerOptions,
    card: WorkerCard,
    activity: &Arc<Mutex<Activity>>,
    hear: &Sender<PlayerInput>,
    results: tokio::sync::mpsc::UnboundedReceiver<FromPlayer>,
) -> Result<(), WorkError> {
    let mut notice = |text: String| drop(hear.send(PlayerInput::FromCoordinator(ToPlayer::Notice(text))));
    let connection = Connection::wait(&options.connection, options.name.as_str(), &mut notice).await?;
    let network = Box::new((Handle::current(), Bundles::new(&connection)));
    drop(hear.send(PlayerInput::Connected(network)));
    // Bounded by the batches held: the stop of one that is dropped ends what keeps the player from reading.
    let (events, mut orders) = unbounded_channel();
    let activity = Arc::clone(activity);
    let card = move || {
        let activity = activity.lock().unwrap_or_else(PoisonError::into_inner);
        serde_json::to_value(card.with_activity(activity.playing, activity.tournament.clone()))
            .unwrap_or_default()
    };
    let worker = Worker::open(connection, options.name.clone(), Box::new(card), events).await?;
    let pass_on = hear.clone();
    tokio::spawn(async move {
        while let Some(events) = orders.recv().await {
            drop(pass_on.send(PlayerInput::FromCoordinator(events)));
        }
    });
    Ok(worker.run(results).await?)
}

/// A batch that is being played.
struct RunningBatch {
    run: String,
    batch: u64,
    speed: u32,
    /// The unfinished jobs, by their local numbers.
    jobs: BTreeMap<u64, Job>,
    /// The reports of unfinished jobs.
    begun: BTreeMap<u64, Vec<JobReport>>,
    /// The reports of finished jobs that are not sent yet.
    done: Vec<JobReport>,
    sent: Instant,
}

/// A batch that waits.
struct WaitingBatch {
    run: String,
    batch: u64,
    spec: BatchSpec,
    stop: CancellationToken,
}

struct BatchPlayer<'a> {
    options: &'a WorkerOptions,
    from: UnboundedSender<FromPlayer>,
    hear: Sender<PlayerInput>,
    network: Option<(Handle, Bundles)>,
    loaded: Option<LoadedRun>,
    batches: Vec<RunningBatch>,
    pending: VecDeque<WaitingBatch>,
    next: u64,
    /// Whether anything was played since the last rest.
    is_warm: bool,
    activity: Arc<Mutex<Activity>>,
    /// Whether nothing more may be started.
    leaving: CancellationToken,
}

impl BatchPlayer<'_> {
    fn play(
        &mut self,
        heard: &Receiver<PlayerInput>,
        notify: &mut (dyn FnMut(String) + Send),
    ) -> Result<(), WorkError> {
        loop {
            let heard = match self.hear(heard) {
                Ok(heard) => heard,
                Err(RecvTimeoutError::Timeout) => {
                    self.rest()?;
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            };
            match heard {
                PlayerInput::Connected(network) => self.network = Some(*network),
                PlayerInput::FromCoordinator(ToPlayer::Notice(notice)) => notify(notice),
                PlayerInput::FromCoordinator(ToPlayer::Batch { run, batch, payload, stop }) => {
                    match unpack(&payload) {
                        Ok(spec) => self.pending.push_back(WaitingBatch { run, batch, spec, stop }),
                        Err(error) => notify(format!("batch {batch} of {run} cannot be parsed: {error}")),
                    }
                }
                PlayerInput::FromCoordinator(ToPlayer::Drop { run, batch }) => {
                    self.drop_batch(&run, batch)?;
                }
                PlayerInput::Report(report) => self.take(report, notify),
                PlayerInput::Leave if self.network.is_none() => return Ok(()), // not registered anywhere yet
                PlayerInput::Leave => self.leave(),
                PlayerInput::Ended(outcome) => return outcome,
            }
            self.begin(notify);
            self.send();
        }
    }

    /// Returns the next input; while bots are kept running, waits only for a while.
    fn hear(&self, heard: &Receiver<PlayerInput>) -> Result<PlayerInput, RecvTimeoutError> {
        if self.is_warm && self.batches.is_empty() {
            heard.recv_timeout(REST)
        } else {
            heard.recv().map_err(|_| RecvTimeoutError::Disconnected)
        }
    }

    /// Ends the bots that were kept running. Keeps their files.
    fn rest(&mut self) -> Result<(), WorkError> {
        self.is_warm = false;
        if self.loaded.as_ref().is_some_and(|loaded| loaded.bots.len() > MOST_BOTS) {
            self.clear();
        }
        self.restart()
    }

    /// Starts those waiting batches that can be played next to those that are running.
    fn begin(&mut self, notify: &mut (dyn FnMut(String) + Send)) {
        while let Some(waiting) = self.pending.pop_front() {
            let WaitingBatch { run, batch, spec, stop } = &waiting;
            let (run, batch) = (run.clone(), *batch);
            let is_same_run = self.loaded.as_ref().is_some_and(|loaded| loaded.run == run);
            if !is_same_run && !self.batches.is_empty() {
                self.pending.push_front(waiting);
                break;
            }
            let lacking = if is_same_run { Ok(()) } else { self.set_up(&run, &spec.conditions) };
            let lacking = lacking.and_then(|()| self.make_ready(spec, stop));
            if let Err(hindrance) = lacking {
                if self.leaving.is_cancelled() {
                    break; // interrupted; `leave` returns the batch
                }
                if stop.is_cancelled() {
                    continue;
                }
                let answer = match hindrance {
                    BatchError::Lacks { bot, reason } => {
                        notify(format!("{bot} is not played here: {reason}"));
                        BatchReply::Lacks { bot, reason }
                    }
                    BatchError::Trouble { reason, bundle } => {
                        notify(format!("nothing can be played at the moment: {reason}"));
                        BatchReply::Trouble { reason, bundle }
                    }
                };
                self.answer(&run, batch, &answer, true);
                continue;
            }
            let jobs = spec.jobs.iter().map(|job| slowed(job, spec.speed));
            let jobs: Vec<Job> = jobs.collect();
            let mut in_play = RunningBatch {
                run,
                batch,
                speed: spec.speed,
                jobs: BTreeMap::new(),
                begun: BTreeMap::new(),
                done: Vec::new(),
                sent: Instant::now(),
            };
            self.start(&mut in_play, jobs);
            self.batches.push(in_play);
        }
        self.note();
    }

    fn start(&mut self, batch: &mut RunningBatch, jobs: Vec<Job>) {
        let Some(loaded) = &mut self.loaded else { return };
        self.is_warm = true;
        for job in jobs {
            let number = self.next;
            self.next += 1;
            loaded.threads.start(Job { number, ..job.clone() });
            batch.jobs.insert(number, job);
        }
    }

    fn take(&mut self, report: JobReport, notify: &mut (dyn FnMut(String) + Send)) {
        let (JobReport::Leg { job, .. } | JobReport::Done { job } | JobReport::Event { job, .. }) = report
        else {
            if let JobReport::Lost { reason } = report {
                notify(reason);
                self.leave();
            }
            return;
        };
        let name = self.options.name.to_string();
        let Some(batch) = self.batches.iter_mut().find(|batch| batch.jobs.contains_key(&job)) else { return };
        let number = batch.jobs[&job].number;
        match report {
            JobReport::Event { leg, event, .. } => {
                let payload = pack(&JobReport::Event { job: number, leg, event }).unwrap_or_default();
                let (run, batch) = (batch.run.clone(), batch.batch);
                drop(self.from.send(FromPlayer::Event { run, batch, payload }));
            }
            JobReport::Leg { leg, started, mut outcome, .. } => {
                if let LegOutcome::Played { record } = &mut outcome {
                    let host = record.host.get_or_insert_with(MachineRecord::default);
                    (host.worker, host.speed) = (Some(name), Some(batch.speed));
                }
                batch.begun.entry(job).or_default().push(JobReport::Leg {
                    job: number,
                    leg,
                    started,
                    outcome,
                });
            }
            JobReport::Done { .. } => {
                batch.jobs.remove(&job);
                batch.done.extend(batch.begun.remove(&job).unwrap_or_default());
                batch.done.push(JobReport::Done { job: number });
            }
            JobReport::Lost { .. } => {}
        }
    }

    /// Sends finished jobs: all of a finished batch, those of others from time to time.
    fn send(&mut self) {
        for batch in &mut self.batches {
            let is_last = batch.jobs.is_empty();
            if is_last || (batch.sent.elapsed() >= SEND && !batch.done.is_empty()) {
                batch.sent = Instant::now();
                let reports = BatchReply::Reports(std::mem::take(&mut batch.done));
                let payload = pack(&reports).unwrap_or_default();
                let (run, batch) = (batch.run.clone(), batch.batch);
                drop(self.from.send(FromPlayer::Result { run, batch, payload, last: is_last }));
            }
        }
        self.batches.retain(|batch| !batch.jobs.is_empty());
    }

    fn answer(&self, run: &str, batch: u64, answer: &BatchReply, last: bool) {
        let (run, payload) = (run.to_owned(), pack(answer).unwrap_or_default());
        drop(self.from.send(FromPlayer::Result { run, batch, payload, last }));
    }

    /// Drops a batch that is no longer needed. Aborts its running matches; those of other batches start again.
    fn drop_batch(&mut self, run: &str, batch: u64) -> Result<(), WorkError> {
        self.pending.retain(|waiting| (waiting.run.as_str(), waiting.batch) != (run, batch));
        let is_it = |it: &RunningBatch| (it.run.as_str(), it.batch) == (run, batch);
        let Some(index) = self.batches.iter().position(is_it) else { return Ok(()) };
        let dropped = self.batches.remove(index);
        let Some(loaded) = &mut self.loaded else { return Ok(()) };
        let mut begun = false;
        for number in dropped.jobs.keys() {
            begun |= !loaded.threads.take_back(*number);
        }
        if !begun {
            return Ok(());
        }
        self.restart()?;
        for mut batch in std::mem::take(&mut self.batches) {
            let jobs = std::mem::take(&mut batch.jobs).into_values().collect();
            batch.begun.clear();
            self.start(&mut batch, jobs);
            self.batches.push(batch);
        }
        Ok(())
    }

    /// Sends finished jobs, and stops playing.
    fn leave(&mut self) {
        for batch in &mut self.batches {
            let payload = pack(&BatchReply::Reports(std::mem::take(&mut batch.done))).unwrap_or_default();
            let (run, batch) = (batch.run.clone(), batch.batch);
            drop(self.from.send(FromPlayer::Result { run, batch, payload, last: false }));
        }
        self.batches.clear();
        self.pending.clear();
        if let Some(loaded) = &mut self.loaded {
            loaded.threads.stop();
        }
        self.clear();
        drop(self.from.send(FromPlayer::Leave));
    }

    fn note(&self) {
        let mut activity = self.activity.lock().unwrap_or_else(PoisonError::into_inner);
        let jobs = self.batches.iter().map(|batch| batch.jobs.len()).sum::<usize>();
        activity.playing = jobs.min(self.options.jobs);
        let first = self.batches.first().and_then(|batch| batch.jobs.values().next());
        activity.tournament = first.map(|job| job.tournament.clone());
    }
}

/// Scales the time limits of a job to a machine of this speed.
fn slowed(job: &Job, speed: u32) -> Job {
    let mut job = job.clone();
    let TimeLimits { startup_ms, turn_ms, bank_ms, increment_ms, clock } = job.settings.limits;
    job.settings.limits = TimeLimits {
        startup_ms: scaled(startup_ms, speed),
        turn_ms: scaled(turn_ms, speed),
        bank_ms: scaled(bank_ms, speed),
        increment_ms: scaled(increment_ms, speed),
        clock,
    };
    job
}

#[cfg(test)]
mod tests {
    use leyden_model::{BotIndex, PairKey, Table, TournamentSeed};

    use super::*;
    use leyden_arena::record::sample;

    #[test]
    fn limits_scale_with_the_speed_of_the_machine() {
        let seed = TournamentSeed::from_text("speed");
        let job = Job {
            number: 1,
            pair: PairKey { stage: 0, block: 0, table: Table::new(&[BotIndex(0), BotIndex(1)]).unwrap() },
            legs: vec![0, 1],
            tournament: seed.tournament_id(),
            settings: sample::stored_plan(2, 1).settings,
            seed: seed.match_seed(&["ann", "bob"], 0),
            bots: Vec::new(),
            disabled: Vec::new(),
            moves: false,
        };
        assert_eq!(slowed(&job, 100), job);
        // Half as fast: twice the time, on the same clock.
        let slow = slowed(&job, 50).settings.limits;
        let own = job.settings.limits;
        assert_eq!(
            (slow.turn_ms, slow.startup_ms, slow.clock),
            (2 * own.turn_ms, 2 * own.startup_ms, own.clock)
        );
        assert_eq!((slow.bank_ms, slow.increment_ms), (2 * own.bank_ms, 2 * own.increment_ms));
        let fast = slowed(&job, 200).settings.limits;
        assert_eq!(fast.turn_ms, own.turn_ms / 2);
    }
}
