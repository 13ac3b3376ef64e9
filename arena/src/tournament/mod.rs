//! A tournament: the schedule as pure data, and workers that play what is still to be played.
//!
//! Sees only "play this match" and records; where records go is its caller's business.

mod defect;
mod withdrawal;
mod worker;

use crate::format::Schedule;
use leyden_model::{MatchKey, Table};
use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use leyden_host::{Launcher, platform};
use leyden_protocol::PerSeat;
use leyden_rules::Rules;
use tokio::sync::watch;

use crate::referee::{MatchSpec, Overload};
use crate::roster::Competitor;
pub use defect::{MatchDefect, Panic, SAME_PANIC};
use leyden_model::MatchRecord;
use leyden_model::Settings;
use leyden_model::TournamentSeed;
use withdrawal::Starts;
pub use withdrawal::{START_FAILURES, Withdrawal};

/// Everything that decides what is played, and on how many cores.
#[derive(Clone, Debug)]
pub struct Tournament {
    pub settings: Settings,
    pub rules: Rules,
    pub seed: TournamentSeed,
    /// The bots in command-line order, ready to run.
    pub bots: Vec<Competitor>,
    pub schedule: Schedule,
    pub jobs: usize,
    pub cores_per_match: usize,
    pub launcher: Launcher,
}

/// A match that was played.
#[derive(Debug)]
pub struct Played {
    /// Its place in the schedule.
    pub rank: u64,
    pub fixture: MatchKey,
    pub record: MatchRecord,
}

/// Something that came of a tournament. Each match of the schedule is played or void, once.
#[derive(Debug)]
pub enum Ended {
    Played(Box<Played>),
    /// The match counts for nothing, and neither does any other of its pair, also those that were handed over before.
    Voided(Box<Voided>),
    /// A bot is not started any more; its other matches follow, lost.
    Withdrawn(Arc<Withdrawal>),
}

/// A match that counts for nothing. No bot is to blame.
#[derive(Debug)]
pub struct Voided {
    /// Its place in the schedule.
    pub rank: u64,
    pub fixture: MatchKey,
    pub why: Void,
    /// The match, if it was played before its pair was known to be void.
    pub played: Option<MatchRecord>,
}

/// Why a match counts for nothing.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Void {
    /// It was tried again and again, and each time the host was to blame for a time that was up.
    #[error(transparent)]
    HostOverloaded(Overload),
    #[error("{0}")]
    Defect(Box<MatchDefect>),
    #[error("leg {leg} of its pair is void")]
    Pair { leg: u32 },
}

/// The arena's own failure: it costs no bot anything.
#[derive(Debug, thiserror::Error)]
pub enum Defect {
    #[error("match {rank} ({bots}, block {block}, leg {leg}) could not be played: {source}")]
    System { rank: u64, bots: String, block: u32, leg: u32, source: io::Error },
    #[error("a worker could not be started: {0}")]
    Worker(io::Error),
    #[error("a worker failed: {0}. This is a defect of the arena; please report it")]
    Panicked(String),
    #[error(
        "the same defect came back more than {SAME_PANIC} times, so the tournament is given up. The last time it was {0}. \
         Please report it"
    )]
    Again(Box<MatchDefect>),
}

/// Ends a tournament before its time. Matches that are being played are broken off and not recorded.
#[derive(Clone, Debug)]
pub struct Halt(watch::Sender<bool>);

impl Default for Halt {
    fn default() -> Self {
        Self(watch::Sender::new(false))
    }
}

impl Halt {
    pub fn now(&self) {
        self.0.send_replace(true);
    }

    pub fn is_called(&self) -> bool {
        *self.0.borrow()
    }

    fn listen(&self) -> watch::Receiver<bool> {
        self.0.subscribe()
    }
}

/// What is still to be played, in schedule order.
struct Queue<'a> {
    next: AtomicU64,
    schedule: Schedule,
    is_done: &'a (dyn Fn(u64) -> bool + Sync),
}

impl Queue<'_> {
    fn next(&self) -> Option<(u64, MatchKey)> {
        loop {
            let rank = self.next.fetch_add(1, Ordering::Relaxed);
            let fixture = self.schedule.nth(rank)?;
            if !(self.is_done)(rank) {
                return Some((rank, fixture));
            }
        }
    }
}

/// What all workers see.
struct Hall<'a> {
    queue: Queue<'a>,
    halt: &'a Halt,
    /// Called when everybody is seated, before the first deal.
    on_start: &'a OnStart<'a>,
    starts: Starts,
    /// Pairs that are void, and the leg that made them so.
    void: Mutex<BTreeMap<Pair, u32>>,
    /// How often the arena panicked at each place.
    panics: Mutex<BTreeMap<String, u32>>,
}

/// Called by the workers before each match. If it panics, the match fails as if the arena had a defect.
type OnStart<'a> = dyn Fn(&MatchSpec) + Sync + 'a;

/// A pair of the schedule: a block and a table.
type Pair = (u32, Table);

impl<'a> Hall<'a> {
    fn new(
        tournament: &Tournament,
        is_done: &'a (dyn Fn(u64) -> bool + Sync),
        halt: &'a Halt,
        on_start: &'a OnStart<'a>,
    ) -> Self {
        Self {
            queue: Queue { next: AtomicU64::new(0), schedule: tournament.schedule, is_done },
            halt,
            on_start,
            starts: Starts::of(tournament.bots.len()),
            void: Mutex::default(),
            panics: Mutex::default(),
        }
    }

    fn void(&self) -> MutexGuard<'_, BTreeMap<Pair, u32>> {
        self.void.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why a match is void before it is played, if another one of its pair is.
    fn void_with_its_pair(&self, fixture: &MatchKey) -> Option<Void> {
        self.void().get(&(fixture.block, fixture.table)).map(|&leg| Void::Pair { leg })
    }

    /// The arena panicked there once more; whether that is too often.
    fn is_too_often(&self, panic: &Panic) -> bool {
        let mut panics = self.panics.lock().unwrap_or_else(PoisonError::into_inner);
        let count = panics.entry(panic.location.clone()).or_default();
        *count += 1;
        *count > SAME_PANIC
    }

    /// What is to be told of what a worker sends: a match that ends after another of its pair was void is void as well.
    fn settle(&self, ended: Ended) -> Ended {
        match ended {
            Ended::Played(played) => match self.void_with_its_pair(&played.fixture) {
                Some(why) => {
                    let Played { rank, fixture, record } = *played;
                    Ended::Voided(Box::new(Voided { rank, fixture, why, played: Some(record) }))
                }
                None => Ended::Played(played),
            },
            Ended::Voided(voided) => {
                let MatchKey { block, table, leg, .. } = voided.fixture;
                self.void().entry((block, table)).or_insert(leg);
                Ended::Voided(voided)
            }
            withdrawn @ Ended::Withdrawn(_) => withdrawn,
        }
    }
}

impl Tournament {
    /// Plays every match that `is_done` does not name, on all workers, and hands each to `take` as it ends.
    ///
    /// Matches end in any order; what they are depends on nothing but the seed, the schedule and the bots' answers. `take`
    /// runs on the calling thread; if it calls `halt`, or anybody else does, the matches being played are broken off.
    /// When this returns, no process of any bot is left.
    pub fn play(
        &self,
        is_done: &(dyn Fn(u64) -> bool + Sync),
        halt: &Halt,
        take: impl FnMut(Ended),
    ) -> Result<(), Defect> {
        self.play_observed(is_done, halt, &|_| {}, take)
    }

    /// The same, and calls `on_start` before each match.
    fn play_observed(
        &self,
        is_done: &(dyn Fn(u64) -> bool + Sync),
        halt: &Halt,
        on_start: &OnStart<'_>,
        mut take: impl FnMut(Ended),
    ) -> Result<(), Defect> {
        defect::know_locations();
        let common = Hall::new(self, is_done, halt, on_start);
        let (sender, receiver) = sync_channel(256);
        thread::scope(|scope| {
            let mut workers = Vec::new();
            for cores in self.cores() {
                let sender: SyncSender<Ended> = sender.clone();
                let common = &common;
                let work = move || {
                    let result = worker::work(self, &cores, common, &sender);
                    if result.is_err() {
                        common.halt.now(); // no use in going on: the others stop as well
                    }
                    result
                };
                let worker = thread::Builder::new().name("worker".to_owned()).spawn_scoped(scope, work);
                workers.push(worker.map_err(Defect::Worker)?);
            }
            drop(sender);
            for ended in receiver {
                take(common.settle(ended));
            }
            let mut outcome = Ok(());
            for worker in workers {
                let result =
                    worker.join().unwrap_or_else(|panic| Err(Defect::Panicked(defect::text(&*panic))));
                outcome = outcome.and(result);
            }
            leyden_host::kill_leftovers();
            outcome
        })
    }

    /// The cores of each worker. More workers than cores share them.
    fn cores(&self) -> Vec<Vec<usize>> {
        let allowed = platform::allowed_cores();
        let wanted = self.cores_per_match.clamp(1, allowed.len());
        (0..self.jobs)
            .map(|job| (0..wanted).map(|i| allowed[(job * wanted + i) % allowed.len()]).collect())
            .collect()
    }

    fn names(&self, fixture: &MatchKey) -> PerSeat<String> {
        fixture.seating().map(|bot| self.bots[bot.index()].name.clone())
    }
}
