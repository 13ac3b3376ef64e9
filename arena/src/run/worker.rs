//! A worker: plays the legs of its jobs one after the other, and keeps the bots' processes between them.
//!
//! It decides nothing: if something unusual happens, the job ends early and the dispatcher decides.

use std::collections::{BTreeSet, VecDeque};
use std::convert::Infallible;
use std::io;
use std::pin::pin;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use leyden_host::{Launcher, platform};
use leyden_model::DisabledBot;
use leyden_model::job::{Job, JobBot, JobReport, LegOutcome};
use leyden_model::{MatchEvent, Settings};
use leyden_protocol::{PerSeat, Seat};
use leyden_referee::{
    AnyPlayer, DecisionError, Fault, Launch, Listener, MatchOutcome, MatchSpec, OverloadError, PlayerProcess,
    ProcessPlayer, SeatedPlayer, forfeit, play_seated_match,
};
use tokio::task::JoinSet;

use super::executor::Reports;
use super::in_process_players::InProcessPlayers;
use super::legs::LegsInPlay;
use super::panics::caught;
use crate::roster::Competitor;

/// The maximum number of idle processes of a worker; the one that was idle longest is closed first.
const PARKED: usize = 32;

/// The idle processes of all workers may keep one part in this many of the machine's memory.
const PARKED_PART: u64 = 4;

/// The pause in which the system can recover from a shortage.
const RECOVERY_PAUSE: Duration = Duration::from_millis(200);

/// How often a worker inspects idle processes that no freezer holds: each check costs the running matches CPU time.
const PARKED_LOOK: Duration = Duration::from_millis(100);

/// The bots that workers can start, and how.
#[derive(Debug)]
pub(super) struct SharedBots {
    /// Only ever grows: an index always belongs to the same bot.
    pub(super) bots: RwLock<Vec<Competitor>>,
    pub(super) players: InProcessPlayers,
    pub(super) launcher: Launcher,
    pub(super) cores_per_match: usize,
    pub(super) legs: LegsInPlay,
    /// The number of workers.
    pub(super) jobs: usize,
}

impl SharedBots {
    pub(super) fn bots(&self) -> RwLockReadGuard<'_, Vec<Competitor>> {
        // Each change is complete before anything can panic.
        self.bots.read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Bytes of memory that the idle processes of one of `jobs` workers may keep.
fn parked_memory(jobs: usize) -> u64 {
    platform::memory_of_machine() / PARKED_PART / jobs.max(1) as u64
}

/// The number of idle processes to close, given the memory of each, the longest idle first.
fn surplus(kept: impl ExactSizeIterator<Item = u64> + DoubleEndedIterator, most: u64) -> usize {
    let (count, mut sum) = (kept.len(), 0_u64);
    let fits = |kept: &u64| {
        sum = sum.saturating_add(*kept);
        sum <= most
    };
    count - kept.rev().take(PARKED).take_while(fits).count()
}

/// Plays a match between seated players.
#[allow(async_fn_in_trait, reason = "matches are played on the thread that has their players")]
pub(super) trait PlayMatch: Clone + Send + 'static {
    async fn play(
        &self,
        spec: &MatchSpec,
        players: &mut [SeatedPlayer<'_>],
        listener: Listener<'_>,
    ) -> io::Result<MatchOutcome>;
}

/// Plays by the rules, with the referee.
#[derive(Clone, Copy, Debug)]
pub(super) struct Referee;

impl PlayMatch for Referee {
    async fn play(
        &self,
        spec: &MatchSpec,
        players: &mut [SeatedPlayer<'_>],
        listener: Listener<'_>,
    ) -> io::Result<MatchOutcome> {
        play_seated_match(spec, players, listener).await
    }
}

/// A bot, by its index in `SharedBots`, in one leg: what a process serves, so that it never sees a deal twice.
type Role = (usize, u32);

pub(super) struct Worker<P> {
    /// Which of the workers this is.
    number: usize,
    shared: Arc<SharedBots>,
    /// The shared one, with supervisors of this worker's own.
    launcher: Launcher,
    reports: Reports,
    play: P,
    /// What the idle processes know about the tournament.
    settings: Option<Settings>,
    /// Idle processes, the longest idle first.
    parked: VecDeque<(Role, ProcessPlayer)>,
    /// Bots with a process that used too much time while it was not its turn.
    held: BTreeSet<usize>,
    /// Processes that were asked to leave.
    leaving: JoinSet<io::Result<()>>,
    /// The leg that its processes have played, unless none of them can run.
    leg: Option<u32>,
}

/// A player who has been seated.
#[expect(clippy::large_enum_variant, reason = "there are a few, and nearly all of them are processes")]
enum AtTable {
    Process(ProcessPlayer),
    /// Part of this program.
    Here(Box<dyn AnyPlayer>),
}

impl AtTable {
    fn seated(&mut self) -> SeatedPlayer<'_> {
        match self {
            Self::Process(player) => SeatedPlayer::Process(player),
            Self::Here(player) => SeatedPlayer::Other(&mut **player),
        }
    }
}

/// One leg that is to be played.
struct Leg<'a> {
    job: &'a Job,
    number: u32,
    spec: MatchSpec,
    /// The bot in each seat, by its index in `SharedBots`.
    seating: PerSeat<usize>,
}

impl Leg<'_> {
    fn disabled(&self, seat: Seat) -> Option<&DisabledBot> {
        let name = &self.spec.header.bots[seat];
        self.job.disabled.iter().find(|disabled| disabled.bot == *name)
    }
}

/// Explains a match that is void because the host was overloaded, with the bots at the table.
fn overload_reason(overload: &OverloadError, bots: &PerSeat<String>) -> String {
    let bot = overload.seat.map_or("a bot", |seat| bots[seat].as_str());
    let table: Vec<&str> = bots.iter().map(|(_, bot)| bot.as_str()).collect();
    format!("{} (at the table: {})", overload.message(bot), table.join(", "))
}

impl<P: PlayMatch> Worker<P> {
    pub(super) fn new(number: usize, shared: Arc<SharedBots>, reports: Reports, play: P) -> Self {
        let (parked, held, leaving) = (VecDeque::new(), BTreeSet::new(), JoinSet::new());
        let launcher = shared.launcher.keeping_supervisors();
        Self { number, shared, launcher, reports, play, settings: None, parked, held, leaving, leg: None }
    }

    /// Plays the legs of a job in turn, and reports each.
    pub(super) async fn play(&mut self, job: &Job) {
        if self.settings.as_ref() != Some(&job.settings) {
            self.settings = Some(job.settings.clone());
            self.dismiss(self.parked.len());
        }
        for &leg in &job.legs {
            let mut started = Vec::new();
            let played = caught(pin!(self.play_leg(job, leg, &mut started))).await;
            let outcome = match played {
                Ok(Ok(MatchOutcome::Finished(record))) => LegOutcome::Played { record },
                Ok(Ok(MatchOutcome::HostOverloaded(overload))) => {
                    LegOutcome::HostOverloaded { reason: overload_reason(&overload, &job.header(leg).bots) }
                }
                Ok(Err(error)) => {
                    // Idle processes may hold what the host is short of, and it takes a moment to recover it.
                    self.end_parked().await;
                    LegOutcome::HostFailed { reason: error.to_string() }
                }
                Err(panic) => {
                    // The processes at the table are gone already. The others are replaced too: nobody knows what was
                    // touched.
                    self.kill_parked();
                    LegOutcome::Panicked { text: panic.text, location: panic.location }
                }
            };
            let goes_on = outcome.goes_on();
            self.reports.send(JobReport::Leg { job: job.number, leg, started, outcome });
            if !goes_on {
                break;
            }
        }
        self.reports.send(JobReport::Done { job: job.number });
        if !self.leaving.is_empty() {
            // If nothing is played, as with bots that are not started any more, leaving processes get their turn here.
            tokio::task::yield_now().await;
            while self.leaving.try_join_next().is_some() {}
        }
    }

    async fn play_leg(
        &mut self,
        job: &Job,
        number: u32,
        started: &mut Vec<Seat>,
    ) -> io::Result<MatchOutcome> {
        let leg = self.leg(job, number)?;
        if self.leg != Some(number) {
            self.settle().await?;
            self.shared.legs.enter(self.number, number).await;
            self.leg = Some(number);
        }
        let reports = self.reports.clone();
        let mut notify = |event: &MatchEvent| {
            reports.send(JobReport::Event { job: job.number, leg: number, event: event.clone() });
        };
        let listener: Listener<'_> = if job.moves { Some(&mut notify) } else { None };
        let mut players = Vec::with_capacity(leg.seating.seats().count());
        for seat in leg.seating.seats().iter() {
            let seated = match leg.disabled(seat) {
                Some(disabled) => Err(DecisionError::from(Fault::disabled(disabled))),
                None => self.seat(&leg, seat, started).await?,
            };
            match seated {
                Ok(player) => players.push(player),
                Err(failed) => {
                    self.give_back(&leg, players, None);
                    return Ok(match failed {
                        DecisionError::Fault(fault, _) => {
                            MatchOutcome::Finished(Box::new(forfeit(&leg.spec, seat, &fault, listener)))
                        }
                        DecisionError::HostOverloaded(overload) => {
                            MatchOutcome::HostOverloaded(OverloadError { seat: Some(seat), ..overload })
                        }
                    });
                }
            }
        }
        let mut table: Vec<SeatedPlayer<'_>> = players.iter_mut().map(AtTable::seated).collect();
        let attempt = tokio::select! {
            biased;
            attempt = self.play.play(&leg.spec, &mut table, listener) => attempt?,
            never = watch_parked(&mut self.parked) => match never {},
        };
        match &attempt {
            MatchOutcome::Finished(record) => {
                self.give_back(&leg, players, record.fault.as_ref().map(|fault| fault.seat));
            }
            // These processes have seen the deal, which may be played again.
            MatchOutcome::HostOverloaded(_) => {
                for player in players {
                    if let AtTable::Process(player) = player {
                        player.kill().await?;
                    }
                }
            }
        }
        Ok(attempt)
    }

    fn leg<'j>(&self, job: &'j Job, number: u32) -> io::Result<Leg<'j>> {
        let header = job.header(number);
        let spec = MatchSpec::new(header, &job.settings).map_err(io::Error::other)?;
        let mut table = Vec::with_capacity(job.bots.len());
        for bot in &job.bots {
            table.push(self.index_of(bot)?);
        }
        if table.len() != spec.rules.seats.count() {
            return Err(io::Error::other("the job's bots do not match its seats in number"));
        }
        let seating =
            PerSeat::from_fn(spec.rules.seats, |seat| table[(seat.index() + number as usize) % table.len()]);
        Ok(Leg { job, number, spec, seating })
    }

    /// The index in `SharedBots` of a bot that a job names.
    fn index_of(&self, requested: &JobBot) -> io::Result<usize> {
        let is_requested = |bot: &Competitor| bot.name == requested.name && bot.hash == requested.hash;
        self.shared.bots().iter().position(is_requested).ok_or_else(|| {
            io::Error::other(format!(
                "there is no bot {} with the content {} here",
                requested.name, requested.hash
            ))
        })
    }

    /// Returns the player of a seat: a player of this program, the idle process of its role, or a new one.
    async fn seat(
        &mut self,
        leg: &Leg<'_>,
        seat: Seat,
        started: &mut Vec<Seat>,
    ) -> io::Result<Result<AtTable, DecisionError>> {
        let bot = leg.seating[seat];
        if let Some(player) = self.shared.players.player(&self.shared.bots()[bot]) {
            return Ok(Ok(AtTable::Here(player)));
        }
        let role = (bot, leg.number);
        if let Some(index) = self.parked.iter().position(|(parked, _)| *parked == role)
            && let Some((_, mut player)) = self.parked.remove(index)
        {
            player.unpark();
            return Ok(Ok(AtTable::Process(player)));
        }
        let launch = Launch {
            launcher: self.launcher.clone(),
            command: self.shared.bots()[bot].command.clone(),
            rules: leg.spec.rules,
            limits: leg.spec.limits,
            pondering: leg.job.settings.pondering,
            cores: self.shared.cores_per_match,
        };
        let mut player = ProcessPlayer::start(&launch).await?;
        if let Ok(player) = &mut player {
            started.push(seat);
            if self.held.contains(&bot) {
                player.hold();
            }
        }
        Ok(player.map(AtTable::Process))
    }

    /// After a match, kills the process of the bot at fault. The others wait for their next match, or leave if every match
    /// gets new processes.
    fn give_back(&mut self, leg: &Leg<'_>, players: Vec<AtTable>, faulted: Option<Seat>) {
        for ((seat, &bot), player) in leg.seating.iter().zip(players) {
            let AtTable::Process(mut player) = player else { continue };
            if player.is_held() {
                self.held.insert(bot);
            }
            if faulted == Some(seat) {
                self.leaving.spawn(player.kill());
            } else if leg.job.settings.fresh {
                self.leaving.spawn(player.end());
            } else {
                player.park();
                self.parked.push_back(((bot, leg.number), player));
            }
        }
        let kept = self.parked.iter().map(|(_, player)| player.parked_memory());
        self.dismiss(surplus(kept, parked_memory(self.shared.jobs)));
    }

    fn kill_parked(&mut self) {
        for (_, player) in self.parked.drain(..) {
            self.leaving.spawn(player.kill());
        }
    }

    /// Kills every idle process, and waits until nothing of it is left.
    async fn end_parked(&mut self) {
        self.kill_parked();
        while self.leaving.join_next().await.is_some() {}
        tokio::time::sleep(RECOVERY_PAUSE).await;
    }

    /// Kills idle processes, the longest idle first. To let one leave gracefully is to let it run, with what it knows of
    /// deals whose other legs are not played yet.
    fn dismiss(&mut self, count: usize) {
        let count = count.min(self.parked.len());
        for (_, player) in self.parked.drain(..count) {
            self.leaving.spawn(player.kill());
        }
    }

    /// To be called when no job waits: other workers may then play another leg.
    pub(super) async fn rest(&mut self) {
        if let Err(error) = self.settle().await {
            self.reports.send(JobReport::Lost { reason: error.to_string() });
        }
    }

    /// Waits until no process of this worker can run: those that should leave are gone, and idle ones stand still. Supervisors end, too, so
    /// that none serves two legs: bots can see their numbers, and which one is used next depends on how bots have left.
    async fn settle(&mut self) -> io::Result<()> {
        while let Some(left) = self.leaving.join_next().await {
            left.map_err(io::Error::other)??;
        }
        for (_, player) in &mut self.parked {
            player.stand_still().await?;
        }
        self.launcher.end_supervisors().await;
        self.leg = None;
        self.shared.legs.leave(self.number);
        Ok(())
    }

    /// Waits until no process is left: gracefully, or by killing them.
    pub(super) async fn close(mut self, at_once: bool) {
        for (_, player) in self.parked {
            if at_once {
                self.leaving.spawn(player.kill())
            } else {
                self.leaving.spawn(player.end())
            };
        }
        while self.leaving.join_next().await.is_some() {}
        self.launcher.end_supervisors().await;
    }
}

/// Inspects idle processes that are not frozen, for as long as the future is polled.
async fn watch_parked(parked: &mut VecDeque<(Role, ProcessPlayer)>) -> Infallible {
    loop {
        if parked.iter().any(|(_, player)| player.may_run_while_parked()) {
            tokio::time::sleep(PARKED_LOOK).await;
            for (_, player) in parked.iter_mut() {
                player.watch();
            }
        } else {
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(test)]
mod tests;
