//! The one place that decides what is played next, what a result means, and when the run is over.
//!
//! It knows no thread, clock or process: jobs out, reports in, events out. Reports may come in any order and more than once;
//! one that does not belong to a job in progress is ignored.

mod open_pairs;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use leyden_model::event::{EVENTS_VERSION, MatchHeader, MatchVoid, RunEnd, RunStage, RunStart};
use leyden_model::job::{Job, JobBot, JobReport, LegOutcome};
use leyden_model::{BotIndex, DisabledBot, MatchKey, MatchRecord, RecordRules, RunEvent, TournamentSeed};
use leyden_protocol::Seat;
use leyden_referee::{Fault, MatchSpec, forfeit};
use leyden_stats::FinalScores;

use super::RunError;
use super::defect::{MatchDefect, SAME_PANIC};
use super::plan::Plan;
use super::starts::StartHistory;
use leyden_format::{DoneMatches, Schedule};
pub(super) use open_pairs::Draw;
use open_pairs::{OpenPair, OpenPairs, TOGETHER, TOGETHER_PER_SLOT};

/// How often a match is played again after an overload or failure of the host, before it is voided or the run stops.
const RETRIES: u32 = 2;

/// How often a job may come back without anything played before the run stops.
const RETURNS: u32 = 3;

/// The next step of a run.
#[derive(Debug)]
pub(super) enum Step {
    /// Play this job.
    Job(Box<Job>),
    /// Something was decided without play: there are new events, and perhaps another step.
    Settled,
    /// No job is in progress, and a leg begins before which no process knows its deals: the first one, or any leg of players
    /// without a process.
    FirstLeg,
    /// No job is in progress, and the next leg of this many pairs is to be played: when it begins must not depend on when
    /// the last one ended.
    NextLeg { pairs: u64 },
    /// Wait for a report. If no job is in progress, everything possible is done.
    Nothing,
}

/// Directs a run.
#[derive(Debug)]
pub(super) struct Dispatcher<'a> {
    plan: &'a Plan,
    seed: TournamentSeed,
    tournament: String,
    schedule: Schedule,
    /// The matches that were played in earlier runs.
    done: DoneMatches,
    /// The position in the order of play from which the schedule continues, counted in pairs.
    cursor: u64,
    open: OpenPairs,
    draw: Draw,
    /// How many matches are played at once.
    slots: u64,
    under_way: BTreeMap<u64, OpenPair>,
    /// The number of the next job.
    next: u64,
    starts: StartHistory,
    /// How often the arena panicked at each location.
    panics: BTreeMap<String, u32>,
    moves: bool,
    played: u64,
    voided: u64,
    disabled: Vec<String>,
    /// Events that are not delivered yet.
    events: VecDeque<RunEvent>,
    /// Jobs that the executor should hand back if they have not been started.
    to_take_back: Vec<u64>,
    /// Whether no other pair is begun.
    finishing: bool,
}

impl<'a> Dispatcher<'a> {
    /// Creates a dispatcher with no jobs in progress. `done` are the matches that were played before; `draw` decides the order
    /// in which open pairs are played.
    pub(super) fn new(
        plan: &'a Plan,
        schedule: Schedule,
        done: DoneMatches,
        moves: bool,
        draw: Draw,
    ) -> Self {
        let seed = plan.tournament_seed();
        Self {
            plan,
            seed,
            tournament: seed.tournament_id(),
            schedule,
            done,
            cursor: 0,
            open: OpenPairs::default(),
            draw,
            slots: 1,
            under_way: BTreeMap::new(),
            next: 0,
            starts: StartHistory::new(plan.bots.len()),
            panics: BTreeMap::new(),
            moves,
            played: 0,
            voided: 0,
            disabled: Vec::new(),
            events: VecDeque::new(),
            to_take_back: Vec::new(),
            finishing: false,
        }
    }

    /// The state before the first match.
    pub(super) fn start(&self, results: Option<String>) -> RunStart {
        RunStart {
            v: EVENTS_VERSION,
            tournament: self.tournament.clone(),
            commitment: self.seed.commitment(),
            results,
            bots: self.plan.bots.iter().map(|bot| bot.name.clone()).collect(),
            matches: self.schedule.matches(),
            done: self.done.count(),
        }
    }

    /// The result of the run, whether it was stopped or ended by itself.
    pub(super) fn end(&mut self, stopped: bool) -> RunEnd {
        let nothing_left = self.is_idle() && self.next_position().is_none() && self.voided == 0;
        let is_complete = nothing_left && !self.finishing && matches!(self.schedule.next_round(), Ok(None));
        RunEnd {
            played: self.played,
            voided: self.voided,
            disabled: self.disabled.clone(),
            interrupted: stopped && !is_complete,
            seed: is_complete.then(|| self.plan.seed.clone()),
        }
    }

    /// The number of jobs in progress.
    pub(super) fn under_way(&self) -> usize {
        self.under_way.len()
    }

    /// Whether no job is in progress and no pair is open.
    pub(super) fn is_idle(&self) -> bool {
        self.under_way.is_empty() && self.open.is_empty()
    }

    /// The next event to deliver.
    pub(super) fn event(&mut self) -> Option<RunEvent> {
        self.events.pop_front()
    }

    /// The jobs that the executor should not start any more, and hand back with [`handed_back`](Self::handed_back).
    pub(super) fn take_back_list(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.to_take_back)
    }

    /// Begins no other pair. Those without a result that nobody plays are left out.
    pub(super) fn finish(&mut self) {
        let legs = self.schedule.legs();
        self.finishing = true;
        self.open.drop_untouched(legs);
        let untouched = self.under_way.iter().filter(|(_, pair)| pair.legs.len() >= legs as usize);
        self.to_take_back.extend(untouched.map(|(job, _)| *job));
    }

    /// Notes how many matches are played at once, from the next pairs on.
    pub(super) fn plays_at_once(&mut self, slots: usize) {
        self.slots = slots as u64;
    }

    /// Decides the next step.
    pub(super) fn step(&mut self) -> Result<Step, RunError> {
        let Some(mut pair) = self.open.next() else { return self.next_leg() };
        let mut settled = Vec::new();
        for &leg in &pair.legs {
            let key = pair.key.leg(leg);
            if let Some((seat, disabled)) = self.starts.forfeits(&key) {
                settled.push((leg, seat, disabled.clone()));
            }
        }
        for (leg, seat, disabled) in settled {
            pair.legs.retain(|&left| left != leg);
            self.lose(&pair, leg, seat, &disabled)?;
        }
        if !self.open.is_played_now(&pair) {
            if !pair.legs.is_empty() {
                self.open.put_back(pair);
            }
            return Ok(Step::Settled);
        }
        let job = self.job(&pair);
        self.under_way.insert(job.number, pair);
        Ok(Step::Job(Box::new(job)))
    }

    /// Goes on to the next leg of the open pairs, to the next pairs, or to the next round.
    fn next_leg(&mut self) -> Result<Step, RunError> {
        if !self.under_way.is_empty() {
            return Ok(Step::Nothing);
        }
        if !self.open.is_empty() {
            self.open.go_on(self.draw)?;
            let has_process = self.open.bots().any(|bot| !self.plan.bots[bot.index()].is_in_process());
            let pairs = self.open.count();
            return Ok(if has_process { Step::NextLeg { pairs } } else { Step::FirstLeg });
        }
        if self.finishing {
            return Ok(Step::Nothing);
        }
        let left = self.schedule.pairs() - self.cursor;
        let together = TOGETHER.max(TOGETHER_PER_SLOT * self.slots);
        let count = if left < 2 * together { left } else { together };
        let pairs: VecDeque<OpenPair> =
            std::iter::from_fn(|| self.next_of_schedule()).take(count as usize).collect();
        if pairs.is_empty() {
            return self.next_round();
        }
        self.open.open(pairs, self.draw)?;
        Ok(Step::FirstLeg)
    }

    /// The next pair in the order of play with a missing match.
    fn next_of_schedule(&mut self) -> Option<OpenPair> {
        let (position, rank) = self.next_position()?;
        let key = self.schedule.nth(rank)?.pair();
        let missing = |leg: &u32| !self.done.contains(rank + u64::from(*leg));
        let legs = (0..self.schedule.legs()).filter(missing).collect();
        self.cursor = position + 1;
        Some(OpenPair { key, position, rank, legs, retries: RETRIES, returns: 0, void: None })
    }

    /// The first position from the cursor on with a missing match, and the rank of leg 0 there.
    fn next_position(&self) -> Option<(u64, u64)> {
        let legs = u64::from(self.schedule.legs());
        let all_done = self.done.count() == self.done.matches();
        let from = if all_done { self.cursor.max(self.done.matches() / legs) } else { self.cursor };
        (from..self.schedule.pairs()).find_map(|position| {
            let rank = self.schedule.in_order_of_play(position)?;
            (rank..rank + legs).any(|rank| !self.done.contains(rank)).then_some((position, rank))
        })
    }

    /// Adds the next round, which may depend on the results of the last one.
    fn next_round(&mut self) -> Result<Step, RunError> {
        if !self.is_idle() || self.voided > 0 {
            return Ok(Step::Nothing);
        }
        let Some(round) = self.schedule.next_round()? else { return Ok(Step::Nothing) };
        let (stage, round, extra) = (round.stage(), round.round(), round.is_extra());
        let matches = self.schedule.matches();
        self.events.push_back(RunEvent::Stage(RunStage { stage, round, extra, matches }));
        Ok(Step::Settled)
    }

    fn job(&mut self, pair: &OpenPair) -> Job {
        let number = self.next;
        self.next += 1;
        let table = pair.key.table;
        let disabled = table.bots().iter().filter_map(|&bot| self.starts.disabled(bot)).cloned();
        let bots = table.bots().iter().map(|bot| &self.plan.bots[bot.index()]);
        Job {
            number,
            pair: pair.key,
            legs: pair.legs[..1].to_vec(),
            tournament: self.tournament.clone(),
            settings: self.plan.settings.clone(),
            seed: self.header(&pair.key.leg(0)).seed,
            bots: bots.map(|bot| JobBot { name: bot.name.clone(), hash: bot.hash.clone() }).collect(),
            disabled: disabled.collect(),
            moves: self.moves,
        }
    }

    /// The header of a match, which is known before it starts.
    fn header(&self, key: &MatchKey) -> MatchHeader {
        let names: Vec<&str> =
            key.table.bots().iter().map(|bot| self.plan.bots[bot.index()].name.as_str()).collect();
        let seed = self.seed.match_seed(&names, key.block);
        let rules = RecordRules::from(&self.plan.rules);
        MatchHeader::new(self.tournament.clone(), seed, rules, (key.block, key.leg), &names)
    }

    /// Scores a match as lost by a bot that is not started any more.
    fn lose(
        &mut self,
        pair: &OpenPair,
        leg: u32,
        seat: Seat,
        disabled: &DisabledBot,
    ) -> Result<(), RunError> {
        let key = pair.key.leg(leg);
        let rank = pair.rank + u64::from(leg);
        let spec = MatchSpec::new(self.header(&key), &self.plan.settings)?;
        let events = &mut self.events;
        let mut listen = |happened: &leyden_model::MatchEvent| {
            events.push_back(RunEvent::Move { key, rank, happened: happened.clone() });
        };
        let fault = Fault::disabled(disabled);
        let record = if self.moves {
            forfeit(&spec, seat, &fault, Some(&mut listen))
        } else {
            forfeit(&spec, seat, &fault, None)
        };
        self.count(key, rank, record);
        Ok(())
    }

    /// Takes a report of the executor.
    pub(super) fn take(&mut self, report: JobReport) -> Result<(), RunError> {
        match report {
            JobReport::Event { job, leg, event } => {
                if let Some(pair) = self.under_way.get(&job).filter(|pair| pair.legs.contains(&leg)) {
                    let (key, rank) = (pair.key.leg(leg), pair.rank + u64::from(leg));
                    self.events.push_back(RunEvent::Move { key, rank, happened: event });
                }
                Ok(())
            }
            JobReport::Leg { job, leg, started, outcome } => self.take_leg(job, leg, &started, outcome),
            JobReport::Done { job } => self.take_done(job),
            JobReport::Lost { reason } => Err(RunError::Lost(reason)),
        }
    }

    fn take_leg(
        &mut self,
        job: u64,
        leg: u32,
        started: &[Seat],
        outcome: LegOutcome,
    ) -> Result<(), RunError> {
        let Some(mut pair) = self.under_way.remove(&job) else { return Ok(()) };
        if pair.legs.contains(&leg) {
            let key = pair.key.leg(leg);
            let seats = key.table.seats();
            for &seat in started.iter().filter(|&&seat| seats.has(seat)) {
                self.starts.succeeded(key.seat(seat));
            }
            pair.returns = 0;
            self.decide(&mut pair, leg, outcome)?;
        }
        self.under_way.insert(job, pair);
        Ok(())
    }

    /// Decides what a leg's outcome means.
    fn decide(&mut self, pair: &mut OpenPair, leg: u32, outcome: LegOutcome) -> Result<(), RunError> {
        let (key, rank) = (pair.key.leg(leg), pair.rank + u64::from(leg));
        match outcome {
            LegOutcome::HostOverloaded { reason } | LegOutcome::HostFailed { reason } if pair.retries > 0 => {
                pair.retries -= 1;
                tracing::info!("match {} is played again: {reason}", self.header(&key).id);
                return Ok(());
            }
            LegOutcome::Played { record } => match pair.void {
                Some(cause) => self.void_with_its_pair(pair, leg, cause, Some(Arc::new(*record))),
                None => self.count(key, rank, *record),
            },
            LegOutcome::HostOverloaded { reason } => self.void(pair, leg, reason, Vec::new()),
            LegOutcome::Panicked { text, location } => {
                let defect = self.defect(&key, text, location);
                let count = self.panics.entry(defect.location.clone()).or_default();
                *count += 1;
                if *count > SAME_PANIC {
                    return Err(RunError::Again(Box::new(defect)));
                }
                let circumstances = defect.circumstances();
                let reason = std::iter::once(defect.to_string()).chain(circumstances.iter().cloned());
                let reason = reason.collect::<Vec<_>>().join("\n  ");
                self.void(pair, leg, reason, circumstances);
            }
            LegOutcome::HostFailed { reason } => {
                let bots = self.header(&key).bots.as_slice().join(" – ");
                return Err(RunError::Host { rank, bots, block: key.block, leg, reason });
            }
        }
        pair.legs.retain(|&left| left != leg);
        pair.retries = RETRIES;
        Ok(())
    }

    fn take_done(&mut self, job: u64) -> Result<(), RunError> {
        let Some(mut pair) = self.under_way.remove(&job) else { return Ok(()) };
        if let Some(cause) = pair.void {
            for leg in std::mem::take(&mut pair.legs) {
                self.void_with_its_pair(&pair, leg, cause, None);
            }
        }
        if pair.legs.is_empty() {
            return Ok(());
        }
        pair.returns += 1;
        if pair.returns > RETURNS {
            let key = pair.key.leg(pair.legs[0]);
            let header = self.header(&key);
            return Err(RunError::Returned { id: header.id, bots: header.bots.as_slice().join(" – ") });
        }
        self.open.put_back(pair);
        Ok(())
    }

    /// A job was handed back before it was started.
    pub(super) fn handed_back(&mut self, job: u64) {
        self.under_way.remove(&job).into_iter().for_each(|pair| self.open.put_back(pair));
        if self.finishing {
            self.open.drop_untouched(self.schedule.legs());
        }
    }

    /// Counts a match.
    fn count(&mut self, key: MatchKey, rank: u64, record: MatchRecord) {
        self.played += 1;
        let fault = record.fault.as_ref().map(|fault| fault.seat);
        let end = FinalScores { scores: record.scores, fault, better: self.plan.rules.better };
        self.schedule.count(&key, &end);
        let disabled = self.starts.note(&key, &record);
        self.events.push_back(RunEvent::Match { rank, key, record: Arc::new(record) });
        if let Some((bot, disabled)) = disabled {
            self.disable(bot, disabled);
        }
    }

    fn disable(&mut self, bot: BotIndex, disabled: DisabledBot) {
        self.disabled.push(disabled.bot.clone());
        self.events.push_back(RunEvent::Disabled(disabled));
        let with_it = self.under_way.iter().filter(|(_, pair)| pair.key.table.bots().contains(&bot));
        self.to_take_back.extend(with_it.map(|(job, _)| *job));
    }

    /// Voids a leg, and with it its pair.
    fn void(&mut self, pair: &mut OpenPair, leg: u32, reason: String, defect: Vec<String>) {
        if pair.void.replace(leg).is_none() {
            self.set_aside(pair);
        }
        let void = self.voided(pair, leg, reason);
        self.events.push_back(RunEvent::Void(MatchVoid { defect, ..void }));
    }

    /// The legs that were played before do not count any more either.
    fn set_aside(&mut self, pair: &OpenPair) {
        for leg in (0..self.schedule.legs()).filter(|leg| !pair.legs.contains(leg)) {
            self.voided += 1;
            self.played -= u64::from(!self.done.contains(pair.rank + u64::from(leg)));
        }
    }

    fn void_with_its_pair(
        &mut self,
        pair: &OpenPair,
        leg: u32,
        cause: u32,
        played: Option<Arc<MatchRecord>>,
    ) {
        let void = self.voided(pair, leg, format!("leg {cause} of its pair is void"));
        self.events.push_back(RunEvent::Void(MatchVoid { with_its_pair: true, played, ..void }));
    }

    fn voided(&mut self, pair: &OpenPair, leg: u32, reason: String) -> MatchVoid {
        self.voided += 1;
        let key = pair.key.leg(leg);
        let MatchHeader { id, block, bots, .. } = self.header(&key);
        MatchVoid {
            rank: pair.rank + u64::from(leg),
            key,
            id,
            block,
            leg,
            bots,
            reason,
            with_its_pair: false,
            played: None,
            defect: Vec::new(),
        }
    }

    fn defect(&self, key: &MatchKey, text: String, location: String) -> MatchDefect {
        let commands = key.seating().map(|bot| self.plan.bots[bot.index()].words.join(" "));
        MatchDefect {
            text,
            location,
            header: Box::new(self.header(key)),
            commitment: self.seed.commitment(),
            commands: commands.as_slice().to_vec(),
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
