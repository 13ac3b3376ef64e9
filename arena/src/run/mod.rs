//! A run: an executor plays a plan, and listeners get its events.
//!
//! [`Plan::make`] resolves the organiser's choices; [`Run`] plays a plan. The dispatcher decides, an [`Executor`] plays, and
//! followers and subscribers listen. Where records go is not known here.

mod bot_option;
mod choices;
mod deadline;
mod defect;
mod dispatcher;
mod draft;
mod error;
mod events;
mod executor;
mod gate_terms;
mod in_process_players;
mod leg_wait;
mod legs;
mod opponents;
mod options;
mod panics;
mod plan;
mod seed;
mod starts;
mod threads;
mod timing;
mod worker;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use leyden_model::RunEvent;
use leyden_model::event::RunEnd;
use leyden_model::job::JobReport;

pub use bot_option::BotOptionError;
pub(crate) use deadline::Deadline;
pub use defect::{MatchDefect, SAME_PANIC};
use dispatcher::{Dispatcher, Step};
pub use draft::{Draft, drawn};
pub use error::RunError;
use events::Listeners;
pub use events::{Delivery, EventDetail, Flow, FollowError, Follower, Subscription, WholeSubscription};
use executor::Message;
pub use executor::{Executor, Inbox, Reports, StoredCallback};
pub use gate_terms::{ELO_BOUNDS, GateTerms, NON_REGRESSION_BOUNDS};
pub use in_process_players::InProcessPlayers;
use leg_wait::draw_wait;
pub use leg_wait::drawn_below;
use leyden_format::{DoneMatches, Schedule, ScheduleError};
pub use opponents::Opponents;
pub(crate) use options::named_values;
pub use options::{ChosenSettings, FormatChoice, NamedOptionError, Options, RunKind, StagesChoice};
pub use plan::{Notice, Plan, PlanError, ResumedChoices};
pub(crate) use seed::seed;
pub use seed::{SeedSourceError, random_seed};
pub use starts::START_FAILURES;
pub use threads::Threads;
pub use timing::{EstimateCaveat, Timing, TimingError};
use tokio_util::sync::CancellationToken;

/// How many jobs are in progress per slot: an executor that ends one job finds the next one waiting.
const JOBS_PER_SLOT: usize = 2;

/// How long nothing happens before followers are asked whether the run goes on.
const LOOK: Duration = Duration::from_secs(1);

/// A plan that is going to be played.
pub struct Run<'a> {
    plan: &'a Plan,
    schedule: Schedule,
    done: DoneMatches,
    results: Option<PathBuf>,
    stop: CancellationToken,
    listeners: Listeners<'a>,
}

impl<'a> Run<'a> {
    /// Creates a run of a whole plan.
    pub fn new(plan: &'a Plan) -> Result<Self, ScheduleError> {
        let schedule = plan.schedule()?;
        let done = DoneMatches::none(&schedule);
        Ok(Self::resumed(plan, schedule, done))
    }

    /// Creates a run of what is not done of a plan. The schedule must have every round that is known from the results, and must
    /// have counted what is done.
    pub fn resumed(plan: &'a Plan, schedule: Schedule, done: DoneMatches) -> Self {
        Self {
            plan,
            schedule,
            done,
            results: None,
            stop: CancellationToken::new(),
            listeners: Listeners::default(),
        }
    }

    /// Names the results file, for listeners of the run.
    pub fn stored_in(&mut self, path: &Path) {
        self.results = Some(path.to_owned());
    }

    /// Adds a follower, which is called with each event and may end the run.
    pub fn follow(&mut self, follower: &'a mut dyn Follower) {
        self.listeners.follow(follower);
    }

    /// Subscribes to copies of the events, for a listener that may be slow.
    pub fn subscribe(&mut self, detail: EventDetail) -> Subscription {
        self.listeners.subscribe(detail)
    }

    /// Subscribes to every event, for a listener that must miss none: the run waits while it is too far behind. It must be read from
    /// another thread than the one that plays.
    pub fn subscribe_to_all(&mut self, detail: EventDetail) -> WholeSubscription {
        self.listeners.subscribe_to_all(detail)
    }

    /// Lets this token end the run early, once it is cancelled.
    pub fn stopped_by(&mut self, stop: &CancellationToken) {
        self.stop = stop.clone();
    }

    /// Plays on threads of this process, and returns the result. No bot process is left when it returns.
    pub fn play(self) -> Result<RunEnd, RunError> {
        let plan = self.plan;
        self.play_on(|reports| Threads::for_plan(plan, &reports))
    }

    /// Plays on the executor that `start` creates.
    pub fn play_on<E: Executor>(
        self,
        start: impl FnOnce(Reports) -> Result<E, RunError>,
    ) -> Result<RunEnd, RunError> {
        let Self { plan, schedule, done, results, stop, mut listeners } = self;
        let inbox = Inbox::new();
        let mut dispatcher = Dispatcher::new(plan, schedule, done, listeners.wants_moves(), drawn_below);
        let started = dispatcher.start(results.map(|path| path.display().to_string()));
        let executor = start(Reports::clone(inbox.reports()))?;
        let ended = stop.clone();
        let listeners = &mut listeners;
        let mut run_loop = RunLoop {
            dispatcher: &mut dispatcher,
            executor,
            inbox,
            stop,
            listeners,
            outcome: Ok(Flow::GoOn),
            leg_began: Instant::now(),
        };
        run_loop.notify(RunEvent::Start(started));
        let is_stopped = run_loop.play()?;
        let end = dispatcher.end(is_stopped);
        listeners.notify(RunEvent::End(end.clone()), &ended)?;
        Ok(end)
    }
}

/// A run in progress.
struct RunLoop<'r, 'p, 'a, E> {
    dispatcher: &'r mut Dispatcher<'p>,
    executor: E,
    inbox: Inbox,
    stop: CancellationToken,
    listeners: &'r mut Listeners<'a>,
    /// Whether it continues, or the first error.
    outcome: Result<Flow, RunError>,
    /// When the present leg of the open pairs began.
    leg_began: Instant,
}

impl<E: Executor> RunLoop<'_, '_, '_, E> {
    /// Hands out jobs and takes reports until everything is done or the run is ended. Returns whether it was stopped.
    fn play(mut self) -> Result<bool, RunError> {
        while self.goes_on() {
            let slots = self.executor.slots().max(1);
            self.dispatcher.plays_at_once(slots);
            let at_most = slots * JOBS_PER_SLOT;
            if self.dispatcher.under_way() < at_most {
                match self.dispatcher.step() {
                    Ok(Step::Job(job)) => {
                        let job = *job;
                        self.executor.start(job);
                        self.notify_all();
                        continue;
                    }
                    Ok(Step::Settled) => {
                        self.notify_all();
                        continue;
                    }
                    Ok(Step::FirstLeg) => {
                        self.leg_began = Instant::now();
                        continue;
                    }
                    Ok(Step::NextLeg { pairs }) => {
                        match draw_wait(self.leg_began.elapsed(), pairs) {
                            Ok(wait) => self.wait(wait),
                            Err(error) => self.fail(error),
                        }
                        continue;
                    }
                    Ok(Step::Nothing) if self.dispatcher.is_idle() => break,
                    Ok(Step::Nothing) => {}
                    Err(error) => self.fail(error),
                }
            }
            match self.inbox.next_until(Instant::now() + LOOK, &self.stop) {
                Some(message) => self.hear(message),
                None => self.look(),
            }
        }
        let is_stopped = self.stop.is_cancelled();
        if !self.goes_on() {
            self.executor.stop();
        }
        self.executor.finish();
        // Matches that had ended by then count.
        while let Some(report) = self.inbox.ready() {
            self.take(report);
        }
        self.outcome.map(|_| is_stopped)
    }

    /// Waits while no job is in progress, unless the run ends. The next leg begins afterwards.
    fn wait(&mut self, wait: Duration) {
        let end = Instant::now() + wait;
        while self.goes_on()
            && let Some(message) = self.inbox.next_until(end, &self.stop)
        {
            self.hear(message);
        }
        self.leg_began = Instant::now();
    }

    fn hear(&mut self, message: Message) {
        match message {
            Message::Report(report) => self.take(report),
            Message::HandedBack(job) => self.dispatcher.handed_back(job),
            Message::LookAgain => {}
        }
    }

    /// Asks followers whether the run goes on, although nothing has happened. If it ends and nobody is there to play the rest of open
    /// pairs, it ends without that.
    fn look(&mut self) {
        let flow = self.listeners.look();
        if flow == Flow::Finish && self.executor.slots() == 0 {
            return self.obey(Flow::Stop);
        }
        self.obey(flow);
        self.take_back();
    }

    fn goes_on(&self) -> bool {
        matches!(self.outcome, Ok(Flow::GoOn)) && !self.stop.is_cancelled()
    }

    fn take(&mut self, report: JobReport) {
        let done = match report {
            JobReport::Done { job } => Some(job),
            _ => None,
        };
        if let Err(error) = self.dispatcher.take(report) {
            self.fail(error);
        }
        self.notify_all();
        if let Some(then) = done.and_then(|job| self.executor.when_stored(job)) {
            self.listeners.when_stored(then);
        }
        self.take_back();
    }

    /// Takes back the jobs that are no longer needed.
    fn take_back(&mut self) {
        for job in self.dispatcher.take_back_list() {
            if self.executor.take_back(job) {
                self.dispatcher.handed_back(job);
            }
        }
    }

    fn notify_all(&mut self) {
        while let Some(event) = self.dispatcher.event() {
            self.notify(event);
        }
    }

    fn notify(&mut self, event: RunEvent) {
        match self.listeners.notify(event, &self.stop) {
            Ok(flow) => self.obey(flow),
            Err(error) => self.fail(error.into()),
        }
    }

    fn obey(&mut self, flow: Flow) {
        match (flow, &mut self.outcome) {
            (Flow::Finish, _) => self.dispatcher.finish(),
            (Flow::Stop, Ok(flow)) => *flow = Flow::Stop,
            (Flow::GoOn | Flow::Stop, _) => {}
        }
    }

    /// Keeps the first error.
    fn fail(&mut self, error: RunError) {
        if self.outcome.is_ok() {
            self.outcome = Err(error);
        }
    }
}

#[cfg(test)]
mod tests;
