//! Plays on this machine for runs elsewhere: takes batches, makes their bots ready, and reports.
//!
//! Bots are what the run says they are, by their content, or are not played. Batches of one run are played together; those of
//! another one wait until nothing of it is left.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use leyden_host::Launcher;
use leyden_host::preflight;
use leyden_host::sandbox::{Level, LevelChoice};
use leyden_model::job::{Job, LegOutcome, Report};
use leyden_model::{Host, TimeLimits};
use leyden_nats::{
    Bundles, ConnectError, Connection, FromPlayer, Options, ToPlayer, Unwanted, Worker, WorkerError,
    WorkerName,
};
use tokio::runtime::Handle;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use super::card::Card;
use super::order::{Answer, Ground, Order, Passenger, pack, unpack};
use super::speed::scaled;
use crate::roster::{self, Builder, Competitor};
use crate::run::{Executor, Inbox, Reports, Threads};

/// How often what is finished of a batch is sent before all of it is.
const SEND: Duration = Duration::from_secs(1);

/// How often is looked, while something is fetched, whether it is wanted still.
const LOOK: Duration = Duration::from_millis(50);

/// How long bots are kept running for what may come next.
const REST: Duration = Duration::from_secs(5);

/// The most bots whose files are kept for what may come later.
const MOST_BOTS: usize = 500;

/// The number of no job: the last report of a stage.
const NO_JOB: u64 = u64::MAX;

/// How a worker works.
#[derive(Clone, Debug)]
pub struct WorkerOptions {
    /// The program `leyden`.
    pub leyden: PathBuf,
    pub connection: Options,
    pub name: WorkerName,
    /// How many matches it plays at once.
    pub jobs: usize,
    /// Files that no bot in a sandbox is shown.
    pub private: Vec<PathBuf>,
}

/// A worker that cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    #[error(transparent)]
    Connection(#[from] ConnectError),
    #[error(transparent)]
    Worker(#[from] WorkerError),
    #[error("the system did not start what is needed: {0}")]
    System(#[from] io::Error),
}

/// What the player hears.
enum Heard {
    Told(ToPlayer),
    Report(Report),
    Leave,
    Connected(Box<(Handle, Bundles)>),
    Ended(Result<(), WorkError>),
}

/// Lets a worker hand back what it has, and end.
#[derive(Clone, Debug)]
pub struct Leave {
    hear: Sender<Heard>,
    leaving: Arc<AtomicBool>,
}

impl Leave {
    pub fn now(&self) {
        self.leaving.store(true, Ordering::SeqCst); // what is being built ends
        drop(self.hear.send(Heard::Leave));
    }
}

/// What it does at this moment, as its card tells it.
#[derive(Debug, Default)]
struct Busy {
    playing: usize,
    tournament: Option<String>,
}

/// Works until it is told to leave. `begun` gets the means to tell it so, and `tell` hears what whoever runs it should know.
pub fn work(
    options: &WorkerOptions,
    begun: impl FnOnce(Leave),
    tell: &mut (dyn FnMut(String) + Send),
) -> Result<(), WorkError> {
    let card = Card::of_this_machine(&options.leyden, options.jobs);
    let levels: Vec<String> = card.levels.iter().map(ToString::to_string).collect();
    tell(format!(
        "worker {}: {} matches at once, sandbox levels {}, speed {}",
        options.name,
        options.jobs,
        levels.join(", "),
        card.speed
    ));
    let (hear, heard) = channel();
    let leaving = Arc::new(AtomicBool::new(false));
    begun(Leave { hear: hear.clone(), leaving: Arc::clone(&leaving) });
    let (from, results) = unbounded_channel();
    let busy = Arc::new(Mutex::new(Busy::default()));
    let connecting = {
        let (options, hear, busy) = (options.clone(), hear.clone(), Arc::clone(&busy));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
        thread::Builder::new().name("nats".to_owned()).spawn(move || {
            let work = connected(&options, card, &busy, &hear, results);
            let ended = runtime.block_on(work);
            drop(hear.send(Heard::Ended(ended)));
        })?
    };
    let mut player = Player {
        options,
        from,
        hear,
        network: None,
        stage: None,
        batches: Vec::new(),
        pending: VecDeque::new(),
        next: 0,
        is_warm: false,
        busy,
        leaving,
    };
    let ended = player.play(&heard, tell);
    player.clear();
    if player.network.is_some() {
        drop(connecting.join()); // it has said how it ended
    }
    ended
}

/// What the thread of the connection does.
async fn connected(
    options: &WorkerOptions,
    card: Card,
    busy: &Arc<Mutex<Busy>>,
    hear: &Sender<Heard>,
    results: tokio::sync::mpsc::UnboundedReceiver<FromPlayer>,
) -> Result<(), WorkError> {
    let mut notice = |text: String| drop(hear.send(Heard::Told(ToPlayer::Notice(text))));
    let connection = Connection::wait(&options.connection, options.name.as_str(), &mut notice).await?;
    let network = Box::new((Handle::current(), Bundles::of(&connection)));
    drop(hear.send(Heard::Connected(network)));
    let (told, mut orders) = unbounded_channel();
    let busy = Arc::clone(busy);
    let card = move || {
        let busy = busy.lock().unwrap_or_else(PoisonError::into_inner);
        serde_json::to_value(card.now(busy.playing, busy.tournament.clone())).unwrap_or_default()
    };
    let worker = Worker::open(connection, options.name.clone(), Box::new(card), told).await?;
    let pass_on = hear.clone();
    tokio::spawn(async move {
        while let Some(told) = orders.recv().await {
            drop(pass_on.send(Heard::Told(told)));
        }
    });
    Ok(worker.run(results).await?)
}

/// Where is played: threads with the bots of a run that are ready.
struct Stage {
    /// Whose matches are played there.
    run: String,
    ground: Ground,
    launcher: Launcher,
    bots: Vec<Competitor>,
    threads: Threads,
    last: Reports,
}

/// A batch that is being played.
struct InPlay {
    run: String,
    batch: u64,
    speed: u32,
    /// The jobs that are not done, by the numbers that they have here.
    jobs: BTreeMap<u64, Job>,
    /// The reports of jobs that are not done.
    begun: BTreeMap<u64, Vec<Report>>,
    /// The reports of those that are done and not sent.
    done: Vec<Report>,
    sent: Instant,
}

/// A batch that waits.
struct Pending {
    run: String,
    batch: u64,
    order: Order,
    unwanted: Unwanted,
}

struct Player<'a> {
    options: &'a WorkerOptions,
    from: UnboundedSender<FromPlayer>,
    hear: Sender<Heard>,
    network: Option<(Handle, Bundles)>,
    stage: Option<Stage>,
    batches: Vec<InPlay>,
    pending: VecDeque<Pending>,
    next: u64,
    /// Whether something was played since the last rest.
    is_warm: bool,
    busy: Arc<Mutex<Busy>>,
    /// Whether nothing more is to be begun.
    leaving: Arc<AtomicBool>,
}

impl Player<'_> {
    fn play(
        &mut self,
        heard: &Receiver<Heard>,
        tell: &mut (dyn FnMut(String) + Send),
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
                Heard::Connected(network) => self.network = Some(*network),
                Heard::Told(ToPlayer::Notice(notice)) => tell(notice),
                Heard::Told(ToPlayer::Order { run, batch, payload, unwanted }) => match unpack(&payload) {
                    Ok(order) => self.pending.push_back(Pending { run, batch, order, unwanted }),
                    Err(error) => tell(format!("batch {batch} of {run} cannot be read: {error}")),
                },
                Heard::Told(ToPlayer::Drop { run, batch }) => self.break_off(&run, batch)?,
                Heard::Report(report) => self.take(report, tell),
                Heard::Leave if self.network.is_none() => return Ok(()), // nobody has heard of this worker yet
                Heard::Leave => self.leave(),
                Heard::Ended(outcome) => return outcome,
            }
            self.begin(tell);
            self.send();
        }
    }

    /// What is heard next; while bots are kept for what may come, not for ever.
    fn hear(&self, heard: &Receiver<Heard>) -> Result<Heard, RecvTimeoutError> {
        if self.is_warm && self.batches.is_empty() {
            heard.recv_timeout(REST)
        } else {
            heard.recv().map_err(|_| RecvTimeoutError::Disconnected)
        }
    }

    /// Nothing has come for a while: bots that were kept for it are ended. Their files stay.
    fn rest(&mut self) -> Result<(), WorkError> {
        self.is_warm = false;
        if self.stage.as_ref().is_some_and(|stage| stage.bots.len() > MOST_BOTS) {
            self.clear();
        }
        self.begin_anew()
    }

    /// The same bots on new threads. What was being played is broken off.
    fn begin_anew(&mut self) -> Result<(), WorkError> {
        let Some(mut stage) = self.stage.take() else { return Ok(()) };
        stage.threads.stop();
        stage.threads.finish();
        stage.last.send(Report::Done { job: NO_JOB });
        let (threads, last) = self.threads(&stage.bots, &stage.launcher, &stage.ground)?;
        self.stage = Some(Stage { threads, last, ..stage });
        Ok(())
    }

    /// Begins what waits, as far as it can be played beside what is being played.
    fn begin(&mut self, tell: &mut (dyn FnMut(String) + Send)) {
        while let Some(waiting) = self.pending.pop_front() {
            let Pending { run, batch, order, unwanted } = &waiting;
            let (run, batch) = (run.clone(), *batch);
            let is_same_run = self.stage.as_ref().is_some_and(|stage| stage.run == run);
            if !is_same_run && !self.batches.is_empty() {
                self.pending.push_front(waiting);
                break;
            }
            let lacking = if is_same_run { Ok(()) } else { self.set_up(&run, &order.ground) };
            let lacking = lacking.and_then(|()| self.make_ready(order, unwanted));
            if let Err(hindrance) = lacking {
                if self.leaving.load(Ordering::SeqCst) {
                    break; // it was interrupted, and is handed back
                }
                if unwanted.is_so() {
                    continue;
                }
                let answer = match hindrance {
                    Hindrance::Lacks { bot, reason } => {
                        tell(format!("{bot} is not played here: {reason}"));
                        Answer::Lacks { bot, reason }
                    }
                    Hindrance::Trouble { reason, bundle } => {
                        tell(format!("nothing can be played at this moment: {reason}"));
                        Answer::Trouble { reason, bundle }
                    }
                };
                self.answer(&run, batch, &answer, true);
                continue;
            }
            let jobs = order.jobs.iter().map(|job| slowed(job, order.speed));
            let jobs: Vec<Job> = jobs.collect();
            let mut in_play = InPlay {
                run,
                batch,
                speed: order.speed,
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

    fn start(&mut self, batch: &mut InPlay, jobs: Vec<Job>) {
        let Some(stage) = &mut self.stage else { return };
        self.is_warm = true;
        for job in jobs {
            let number = self.next;
            self.next += 1;
            stage.threads.start(Job { number, ..job.clone() });
            batch.jobs.insert(number, job);
        }
    }

    /// A stage for another run: bots that are ready stay so where nothing else has changed, but none of their processes,
    /// which may have seen the same deals.
    fn set_up(&mut self, run: &str, ground: &Ground) -> Result<(), Hindrance> {
        let trouble = |reason: String| Hindrance::Trouble { reason, bundle: None };
        if let Some(stage) = self.stage.as_mut().filter(|stage| stage.ground == *ground) {
            run.clone_into(&mut stage.run);
            return self.begin_anew().map_err(|error| trouble(error.to_string()));
        }
        self.clear();
        let choice = LevelChoice::Exactly(ground.level);
        let chosen = preflight::choose(&self.options.leyden, choice, ground.limits());
        let sandbox = chosen.map_err(|error| trouble(error.to_string()))?.sandbox;
        let launcher = Launcher::new(self.options.leyden.clone()).with_sandbox(sandbox);
        let (threads, last) =
            self.threads(&[], &launcher, ground).map_err(|error| trouble(error.to_string()))?;
        let (run, ground) = (run.to_owned(), ground.clone());
        self.stage = Some(Stage { run, ground, launcher, bots: Vec::new(), threads, last });
        Ok(())
    }

    fn threads(
        &self,
        bots: &[Competitor],
        launcher: &Launcher,
        ground: &Ground,
    ) -> io::Result<(Threads, Reports)> {
        let inbox = Inbox::new();
        let reports = Reports::clone(inbox.reports());
        let threads = Threads::start(bots, launcher, self.options.jobs, ground.cores_per_match, &reports)?;
        let hear = self.hear.clone();
        thread::Builder::new().name("reports".to_owned()).spawn(move || {
            while let Some(report) = inbox.wait().filter(|report| *report != Report::Done { job: NO_JOB }) {
                drop(hear.send(Heard::Report(report)));
            }
        })?;
        Ok((threads, reports))
    }

    /// Has the bots of a batch on the stage.
    fn make_ready(&mut self, order: &Order, unwanted: &Unwanted) -> Result<(), Hindrance> {
        for passenger in &order.bots {
            let Some(stage) = &self.stage else { return Ok(()) };
            let is_it = |bot: &Competitor| bot.name == passenger.bot.name && bot.hash == passenger.bot.hash;
            if stage.bots.iter().any(is_it) {
                continue;
            }
            let bot = self.fetch(passenger, unwanted)?;
            if let Some(stage) = &mut self.stage {
                stage.threads.add(&bot);
                stage.bots.push(bot);
            }
        }
        Ok(())
    }

    /// A bot that has arrived, made ready to play.
    fn fetch(&self, passenger: &Passenger, unwanted: &Unwanted) -> Result<Competitor, Hindrance> {
        let trouble = |reason: String| Hindrance::Trouble { reason, bundle: None };
        let lacks = |reason: String| Hindrance::Lacks { bot: passenger.bot.name.clone(), reason };
        let Some(stage) = &self.stage else { return Err(trouble("there is nowhere to play".to_owned())) };
        let halted = || unwanted.is_so() || self.leaving.load(Ordering::SeqCst);
        let archive = match (&passenger.bundle, &self.network) {
            (Some(bundle), Some((handle, bundles))) => {
                let got = handle.block_on(async {
                    tokio::select! {
                        got = bundles.get(bundle) => got.map_err(|error| Hindrance::Trouble {
                            bundle: error.is_of_content().then(|| bundle.clone()),
                            reason: error.to_string(),
                        }),
                        () = until(halted) => Err(trouble("it is not wanted any more".to_owned())),
                    }
                });
                Some(got?)
            }
            (Some(_), None) => return Err(trouble("there is no connection".to_owned())),
            (None, _) => None,
        };
        let (wanted, baggage) = (&passenger.bot, &passenger.baggage);
        let mut bot = Competitor::unpack(wanted, baggage, archive.as_deref(), &self.options.leyden).map_err(
            |error| if error.may_pass() { trouble(error.to_string()) } else { lacks(error.to_string()) },
        )?;
        let builder = Builder { launcher: &stage.launcher, limits: stage.ground.build(), halted: &halted };
        bot.make_ready(builder, &stage.ground.allow_read, &stage.bots, &self.options.private)
            .map_err(|error| lacks(error.to_string()))?;
        if stage.ground.level != Level::None {
            let all: Vec<Competitor> = stage.bots.iter().chain([&bot]).cloned().collect();
            roster::keep_apart(&all, &[], &self.options.private).map_err(|error| lacks(error.to_string()))?;
        }
        Ok(bot)
    }

    fn take(&mut self, report: Report, tell: &mut (dyn FnMut(String) + Send)) {
        let (Report::Leg { job, .. } | Report::Done { job } | Report::Event { job, .. }) = report else {
            if let Report::Lost { reason } = report {
                tell(reason);
                self.leave();
            }
            return;
        };
        let name = self.options.name.to_string();
        let Some(batch) = self.batches.iter_mut().find(|batch| batch.jobs.contains_key(&job)) else { return };
        let number = batch.jobs[&job].number;
        match report {
            Report::Event { leg, event, .. } => {
                let payload = pack(&Report::Event { job: number, leg, event }).unwrap_or_default();
                let (run, batch) = (batch.run.clone(), batch.batch);
                drop(self.from.send(FromPlayer::Event { run, batch, payload }));
            }
            Report::Leg { leg, started, mut outcome, .. } => {
                if let LegOutcome::Played { record } = &mut outcome {
                    let host = record.host.get_or_insert_with(Host::default);
                    (host.worker, host.speed) = (Some(name), Some(batch.speed));
                }
                batch.begun.entry(job).or_default().push(Report::Leg { job: number, leg, started, outcome });
            }
            Report::Done { .. } => {
                batch.jobs.remove(&job);
                batch.done.extend(batch.begun.remove(&job).unwrap_or_default());
                batch.done.push(Report::Done { job: number });
            }
            Report::Lost { .. } => {}
        }
    }

    /// Sends what is finished: of a batch that is done the rest, of others now and then.
    fn send(&mut self) {
        for batch in &mut self.batches {
            let is_last = batch.jobs.is_empty();
            if is_last || (batch.sent.elapsed() >= SEND && !batch.done.is_empty()) {
                batch.sent = Instant::now();
                let reports = Answer::Reports(std::mem::take(&mut batch.done));
                let payload = pack(&reports).unwrap_or_default();
                let (run, batch) = (batch.run.clone(), batch.batch);
                drop(self.from.send(FromPlayer::Result { run, batch, payload, last: is_last }));
            }
        }
        self.batches.retain(|batch| !batch.jobs.is_empty());
    }

    fn answer(&self, run: &str, batch: u64, answer: &Answer, last: bool) {
        let (run, payload) = (run.to_owned(), pack(answer).unwrap_or_default());
        drop(self.from.send(FromPlayer::Result { run, batch, payload, last }));
    }

    /// A batch is not wanted any more. What is being played of it is broken off; what else is being played begins anew.
    fn break_off(&mut self, run: &str, batch: u64) -> Result<(), WorkError> {
        self.pending.retain(|waiting| (waiting.run.as_str(), waiting.batch) != (run, batch));
        let is_it = |it: &InPlay| (it.run.as_str(), it.batch) == (run, batch);
        let Some(place) = self.batches.iter().position(is_it) else { return Ok(()) };
        let dropped = self.batches.remove(place);
        let Some(stage) = &mut self.stage else { return Ok(()) };
        let mut begun = false;
        for number in dropped.jobs.keys() {
            begun |= !stage.threads.take_back(*number);
        }
        if !begun {
            return Ok(());
        }
        self.begin_anew()?;
        for mut batch in std::mem::take(&mut self.batches) {
            let jobs = std::mem::take(&mut batch.jobs).into_values().collect();
            batch.begun.clear();
            self.start(&mut batch, jobs);
            self.batches.push(batch);
        }
        Ok(())
    }

    /// Sends what is finished, and plays no more.
    fn leave(&mut self) {
        for batch in &mut self.batches {
            let payload = pack(&Answer::Reports(std::mem::take(&mut batch.done))).unwrap_or_default();
            let (run, batch) = (batch.run.clone(), batch.batch);
            drop(self.from.send(FromPlayer::Result { run, batch, payload, last: false }));
        }
        self.batches.clear();
        self.pending.clear();
        if let Some(stage) = &mut self.stage {
            stage.threads.stop();
        }
        self.clear();
        drop(self.from.send(FromPlayer::Leave));
    }

    /// Leaves nothing of the stage.
    fn clear(&mut self) {
        if let Some(mut stage) = self.stage.take() {
            stage.threads.stop();
            stage.threads.finish();
            stage.last.send(Report::Done { job: NO_JOB });
        }
    }

    fn note(&self) {
        let mut busy = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        let jobs = self.batches.iter().map(|batch| batch.jobs.len()).sum::<usize>();
        busy.playing = jobs.min(self.options.jobs);
        let first = self.batches.first().and_then(|batch| batch.jobs.values().next());
        busy.tournament = first.map(|job| job.tournament.clone());
    }
}

/// What keeps a batch from being played here.
enum Hindrance {
    /// A bot cannot be played on this machine.
    Lacks { bot: String, reason: String },
    /// Something that may pass, such as this bundle, which did not come as it should.
    Trouble { reason: String, bundle: Option<String> },
}

/// Waits until this is so.
async fn until(is_so: impl Fn() -> bool) {
    while !is_so() {
        tokio::time::sleep(LOOK).await;
    }
}

/// A job with the times of a machine that is as fast as this.
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
    use crate::record::sample;

    #[test]
    fn limits_are_those_of_a_machine_that_is_as_fast() {
        let seed = TournamentSeed::from_text("speed");
        let job = Job {
            number: 1,
            pair: PairKey { phase: 0, block: 0, table: Table::new(&[BotIndex(0), BotIndex(1)]).unwrap() },
            legs: vec![0, 1],
            tournament: seed.tournament_id(),
            settings: sample::setup(2, 1).settings,
            seed: seed.match_seed(&["ann", "bob"], 0),
            bots: Vec::new(),
            withdrawn: Vec::new(),
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
