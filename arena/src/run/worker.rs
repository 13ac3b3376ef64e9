//! A worker: plays the legs of its jobs one after the other, with the processes of the bots that it keeps.
//!
//! Decides nothing: where something is out of the ordinary, the job is done early and whoever gave it decides.

use std::collections::{BTreeSet, VecDeque};
use std::convert::Infallible;
use std::io;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use leyden_host::{Launcher, platform};
use leyden_model::event::Withdrawal;
use leyden_model::job::{Job, JobBot, JobReport, LegOutcome};
use leyden_model::{MatchEvent, Settings};
use leyden_protocol::{PerSeat, Seat};
use leyden_referee::{
    Fault, Launch, Listener, MatchOutcome, MatchSpec, NoDecision, Overload, Player, ProcessPlayer, Seated,
    forfeit, play_match,
};
use tokio::task::JoinSet;

use super::executor::Reports;
use super::panics::caught;
use crate::roster::Competitor;

/// How many idle processes a worker keeps at most; the one that was idle longest is closed first.
const PARKED: usize = 32;

/// What part of the machine's memory the idle processes of all workers may keep.
const PARKED_PART: u64 = 4;

/// What the system is given to find again what it was short of.
const BREATH: Duration = Duration::from_millis(200);

/// How often idle processes are looked at that no freezer holds: a look takes time of those who play.
const PARKED_LOOK: Duration = Duration::from_millis(100);

/// Whom the workers can start, and how.
#[derive(Debug)]
pub(super) struct Shared {
    /// Grows only: a place in it stays one bot's.
    pub(super) bots: RwLock<Vec<Competitor>>,
    pub(super) launcher: Launcher,
    pub(super) cores_per_match: usize,
    /// How many workers there are.
    pub(super) jobs: usize,
}

impl Shared {
    pub(super) fn bots(&self) -> RwLockReadGuard<'_, Vec<Competitor>> {
        // Each change is complete before anything can panic.
        self.bots.read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Bytes of memory that the idle processes of one of so many workers may keep.
fn parked_memory(jobs: usize) -> u64 {
    platform::memory_of_machine() / PARKED_PART / jobs.max(1) as u64
}

/// How many idle processes are too many, given what each keeps, the longest idle first.
fn surplus(kept: impl ExactSizeIterator<Item = u64> + DoubleEndedIterator, most: u64) -> usize {
    let (count, mut sum) = (kept.len(), 0_u64);
    let fits = |kept: &u64| {
        sum = sum.saturating_add(*kept);
        sum <= most
    };
    count - kept.rev().take(PARKED).take_while(fits).count()
}

/// Plays a match between players who are seated.
#[allow(async_fn_in_trait, reason = "matches are played on the thread that has their players")]
pub(super) trait PlayMatch: Clone + Send + 'static {
    async fn play(
        &self,
        spec: &MatchSpec,
        players: &mut [Seated<'_>],
        listener: Listener<'_>,
    ) -> io::Result<MatchOutcome>;
}

/// By the rules.
#[derive(Clone, Copy, Debug)]
pub(super) struct Referee;

impl PlayMatch for Referee {
    async fn play(
        &self,
        spec: &MatchSpec,
        players: &mut [Seated<'_>],
        listener: Listener<'_>,
    ) -> io::Result<MatchOutcome> {
        play_match(spec, players, listener).await
    }
}

/// A bot, by its place in the shared, in one leg: what a process serves, so that it never sees a deal twice.
type Role = (usize, u32);

pub(super) struct Worker<P> {
    shared: Arc<Shared>,
    reports: Reports,
    play: P,
    /// What the idle processes were told about the tournament.
    settings: Option<Settings>,
    /// Idle processes, the longest idle first.
    parked: VecDeque<(Role, ProcessPlayer)>,
    /// Bots of which a process has used too much time while it was not its turn.
    held: BTreeSet<usize>,
    /// Processes that were told to leave.
    leaving: JoinSet<io::Result<()>>,
}

/// One leg that is to be played.
struct Leg<'a> {
    job: &'a Job,
    number: u32,
    spec: MatchSpec,
    /// The bot in each seat, by its place in the shared.
    seating: PerSeat<usize>,
}

impl Leg<'_> {
    fn withdrawn(&self, seat: Seat) -> Option<&Withdrawal> {
        let name = &self.spec.header.bots[seat];
        self.job.withdrawn.iter().find(|withdrawal| withdrawal.bot == *name)
    }
}

/// Why nobody is to blame that there is no result, with who met.
fn told(overload: &Overload, bots: &PerSeat<String>) -> String {
    let bot = overload.seat.map_or("a bot", |seat| bots[seat].as_str());
    let table: Vec<&str> = bots.iter().map(|(_, bot)| bot.as_str()).collect();
    format!("{} (at the table: {})", overload.told(bot), table.join(", "))
}

impl<P: PlayMatch> Worker<P> {
    pub(super) fn new(shared: Arc<Shared>, reports: Reports, play: P) -> Self {
        let (parked, held, leaving) = (VecDeque::new(), BTreeSet::new(), JoinSet::new());
        Self { shared, reports, play, settings: None, parked, held, leaving }
    }

    /// Plays the legs of a job in turn, and reports each.
    pub(super) async fn play(&mut self, job: &Job) {
        if self.settings.as_ref() != Some(&job.settings) {
            self.settings = Some(job.settings.clone());
            self.dismiss(self.parked.len());
        }
        for &leg in &job.legs {
            let mut started = Vec::new();
            let outcome = match caught(self.play_leg(job, leg, &mut started)).await {
                Ok(Ok(MatchOutcome::Finished(record))) => LegOutcome::Played { record },
                Ok(Ok(MatchOutcome::HostOverloaded(overload))) => {
                    LegOutcome::HostOverloaded { reason: told(&overload, &job.header(leg).bots) }
                }
                Ok(Err(error)) => {
                    // What the host is short of may be what idle processes have, and it needs a moment to be had again.
                    self.end_parked().await;
                    LegOutcome::HostFailed { reason: error.to_string() }
                }
                Err(panic) => {
                    // Those at the table are gone already. The others are replaced too: nobody knows what was touched.
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
            // Where nothing is played, as by bots that are not started any more, those who leave get their turn here.
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
        let reports = self.reports.clone();
        let mut tell = |event: &MatchEvent| {
            reports.send(JobReport::Event { job: job.number, leg: number, event: event.clone() });
        };
        let listener: Listener<'_> = if job.moves { Some(&mut tell) } else { None };
        let mut players = Vec::with_capacity(leg.seating.seats().count());
        for seat in leg.seating.seats().iter() {
            let seated = match leg.withdrawn(seat) {
                Some(withdrawal) => Err(NoDecision::from(Fault::withdrawn(withdrawal))),
                None => self.seat(&leg, seat, started).await?,
            };
            match seated {
                Ok(live) => players.push(live),
                Err(failed) => {
                    self.give_back(&leg, players, None);
                    return Ok(match failed {
                        NoDecision::Fault(fault, _) => {
                            MatchOutcome::Finished(Box::new(forfeit(&leg.spec, seat, &fault, listener)))
                        }
                        NoDecision::HostOverloaded(overload) => {
                            MatchOutcome::HostOverloaded(Overload { seat: Some(seat), ..overload })
                        }
                    });
                }
            }
        }
        let mut table: Vec<Seated<'_>> = players.iter_mut().map(Seated::Process).collect();
        let attempt = tokio::select! {
            biased;
            attempt = self.play.play(&leg.spec, &mut table, listener) => attempt?,
            never = watch_parked(&mut self.parked) => match never {},
        };
        match &attempt {
            MatchOutcome::Finished(record) => {
                self.give_back(&leg, players, record.fault.as_ref().map(|fault| fault.seat));
            }
            // They have seen the deal, which may be played again.
            MatchOutcome::HostOverloaded(_) => {
                for live in players {
                    live.kill().await?;
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
            table.push(self.place(bot)?);
        }
        if table.len() != spec.rules.seats.count() {
            return Err(io::Error::other("a job whose bots are not as many as its seats"));
        }
        let seating =
            PerSeat::from_fn(spec.rules.seats, |seat| table[(seat.index() + number as usize) % table.len()]);
        Ok(Leg { job, number, spec, seating })
    }

    /// Where a bot that a job names stands in the shared.
    fn place(&self, wanted: &JobBot) -> io::Result<usize> {
        let is_wanted = |bot: &Competitor| bot.name == wanted.name && bot.hash == wanted.hash;
        self.shared.bots().iter().position(is_wanted).ok_or_else(|| {
            io::Error::other(format!("there is no bot {} of the content {} here", wanted.name, wanted.hash))
        })
    }

    /// A process for a seat: the one that waits for its role, or a new one.
    async fn seat(
        &mut self,
        leg: &Leg<'_>,
        seat: Seat,
        started: &mut Vec<Seat>,
    ) -> io::Result<Result<ProcessPlayer, NoDecision>> {
        let bot = leg.seating[seat];
        let role = (bot, leg.number);
        if let Some(place) = self.parked.iter().position(|(parked, _)| *parked == role)
            && let Some((_, mut live)) = self.parked.remove(place)
        {
            live.unpark();
            return Ok(Ok(live));
        }
        let launch = Launch {
            launcher: self.shared.launcher.clone(),
            command: self.shared.bots()[bot].command.clone(),
            rules: leg.spec.rules,
            limits: leg.spec.limits,
            pondering: leg.job.settings.pondering,
            cores: self.shared.cores_per_match,
        };
        let mut live = ProcessPlayer::start(&launch).await?;
        if let Ok(live) = &mut live {
            started.push(seat);
            if self.held.contains(&bot) {
                live.hold();
            }
        }
        Ok(live)
    }

    /// After a match: who faulted is killed, the others wait for their next match, or leave if every match is to have
    /// fresh ones.
    fn give_back(&mut self, leg: &Leg<'_>, players: Vec<ProcessPlayer>, faulted: Option<Seat>) {
        for ((seat, &bot), mut live) in leg.seating.iter().zip(players) {
            if live.is_held() {
                self.held.insert(bot);
            }
            if faulted == Some(seat) {
                self.leaving.spawn(live.kill());
            } else if leg.job.settings.fresh {
                self.leaving.spawn(live.end());
            } else {
                live.park();
                self.parked.push_back(((bot, leg.number), live));
            }
        }
        let kept = self.parked.iter().map(|(_, live)| live.parked_memory());
        self.dismiss(surplus(kept, parked_memory(self.shared.jobs)));
    }

    fn kill_parked(&mut self) {
        for (_, live) in self.parked.drain(..) {
            self.leaving.spawn(live.kill());
        }
    }

    /// Kills every idle process, and waits until nothing of it is left.
    async fn end_parked(&mut self) {
        self.kill_parked();
        while self.leaving.join_next().await.is_some() {}
        tokio::time::sleep(BREATH).await;
    }

    /// Lets idle processes leave in peace, the longest idle first.
    fn dismiss(&mut self, count: usize) {
        let count = count.min(self.parked.len());
        for (_, live) in self.parked.drain(..count) {
            self.leaving.spawn(live.end());
        }
    }

    /// Waits until no process is left: in peace, or at once.
    pub(super) async fn close(mut self, at_once: bool) {
        for (_, live) in self.parked {
            if at_once {
                self.leaving.spawn(live.kill())
            } else {
                self.leaving.spawn(live.end())
            };
        }
        while self.leaving.join_next().await.is_some() {}
    }
}

/// Looks at idle processes that could run nevertheless, for as long as it is waited for.
async fn watch_parked(parked: &mut VecDeque<(Role, ProcessPlayer)>) -> Infallible {
    loop {
        if parked.iter().any(|(_, live)| live.may_run_while_parked()) {
            tokio::time::sleep(PARKED_LOOK).await;
            for (_, live) in parked.iter_mut() {
                live.watch();
            }
        } else {
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(test)]
mod tests;
