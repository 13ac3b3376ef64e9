//! A tournament: the schedule as pure data, and workers that play what is still to be played.
//!
//! Sees only "play this match" and records; where records go is its caller's business.

pub mod schedule;
mod worker;

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use leyden_protocol::PerSeat;
use leyden_rules::Rules;
use tokio::sync::watch;

use crate::bot::{self, Launcher};
use crate::platform;
use crate::record::MatchRecord;
use crate::referee::Overload;
use crate::roster::Competitor;
use crate::seed::TournamentSeed;
use crate::settings::Settings;
use schedule::{Fixture, Schedule};

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
    pub fixture: Fixture,
    pub record: MatchRecord,
}

/// What came of a match of the schedule.
#[derive(Debug)]
pub enum Ended {
    Played(Box<Played>),
    /// It was tried again and again, and each time the host was to blame for a time that was up. Nobody has won.
    Voided {
        rank: u64,
        fixture: Fixture,
        overload: Overload,
    },
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
    fn next(&self) -> Option<(u64, Fixture)> {
        loop {
            let rank = self.next.fetch_add(1, Ordering::Relaxed);
            let fixture = self.schedule.nth(rank)?;
            if !(self.is_done)(rank) {
                return Some((rank, fixture));
            }
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
        mut take: impl FnMut(Ended),
    ) -> Result<(), Defect> {
        let queue = Queue { next: AtomicU64::new(0), schedule: self.schedule, is_done };
        let (sender, receiver) = sync_channel(256);
        thread::scope(|scope| {
            let mut workers = Vec::new();
            for cores in self.cores() {
                let sender: SyncSender<Ended> = sender.clone();
                let (queue, halt) = (&queue, halt);
                let work = move || {
                    let result = worker::work(self, &cores, queue, halt, &sender);
                    if result.is_err() {
                        halt.now(); // no use in going on: the others stop as well
                    }
                    result
                };
                let worker = thread::Builder::new().name("worker".to_owned()).spawn_scoped(scope, work);
                workers.push(worker.map_err(Defect::Worker)?);
            }
            drop(sender);
            receiver.into_iter().for_each(&mut take);
            let mut outcome = Ok(());
            for worker in workers {
                let result = worker.join().unwrap_or_else(|panic| Err(Defect::Panicked(panic_text(&panic))));
                outcome = outcome.and(result);
            }
            bot::end_all();
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

    fn names(&self, fixture: &Fixture) -> PerSeat<String> {
        fixture.seating().map(|bot| self.bots[bot.index()].name.clone())
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a text".to_owned())
}
