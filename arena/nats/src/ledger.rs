//! Who plays what: items are put together to batches, a batch is given to one worker, and comes back when its worker is gone.
//!
//! Knows no connection and no clock: it is told the time. An item is an opaque number, and so is what it needs. Each item
//! counts once: whoever is given it anew is given it with another secret, and what comes with the old one counts for nothing.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use crate::name::WorkerName;
use crate::secret::Secret;

/// How many batches a worker has at most: one in hand, and one that waits, so that it is never idle.
const BATCHES_PER_WORKER: usize = 2;

/// How often an item may be lost with the worker that had it, before nobody believes any more that it can be played.
const LOSSES: u32 = 3;

/// What part of a lease a worker rests that something keeps from playing, the first time.
const REST: u32 = 30;

/// The most items of a batch.
const MOST_ITEMS: usize = 256;

/// What decides how much a batch is, and when it is lost.
#[derive(Clone, Copy, Debug)]
pub struct BatchPolicy {
    /// How long a worker may be silent before what it has is given to others.
    pub lease: Duration,
    /// How long a batch is meant to take.
    pub batch: Duration,
}

/// A batch that is to be sent to a worker.
#[derive(Clone, Debug)]
pub struct Assignment {
    pub batch: u64,
    pub worker: WorkerName,
    pub secret: Secret,
    pub items: Vec<u64>,
}

/// What came is not counted. It is no failure of the run's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// It is done, or was given to somebody else, or never was.
    #[error("nobody waits for this batch any more")]
    NotUnderWay,
    #[error("this batch was given to another worker")]
    Foreign,
    #[error("it does not show the secret of its batch")]
    Forged,
}

/// An item that nobody is playing.
#[derive(Clone, Debug)]
struct Waiting {
    item: u64,
    needs: Vec<String>,
    losses: u32,
}

#[derive(Debug)]
struct Batch {
    worker: WorkerName,
    secret: Secret,
    /// What nothing has come of yet.
    open: Vec<Waiting>,
    given: Instant,
    /// When its worker last said that it has it, or it was given.
    held: Instant,
    /// How many items it had.
    size: usize,
}

#[derive(Debug)]
struct Presence {
    /// Which process of this name.
    instance: String,
    slots: usize,
    seen: Instant,
    /// Whether it takes anything more.
    leaving: bool,
    /// How many batches it has.
    batches: usize,
    /// What it cannot play, and why.
    lacks: BTreeMap<String, String>,
    /// How long an item takes it, on one of its slots.
    per_item: Option<Duration>,
    /// The size of its last batch, which the next one outgrows by a factor at most.
    last: usize,
    /// When its last batch was done.
    idle_since: Instant,
    /// How often in a row something kept it from playing, and until when it is given nothing for that.
    trouble: u32,
    rests_until: Instant,
}

/// The books of one run.
#[derive(Debug)]
pub struct Ledger {
    pace: BatchPolicy,
    workers: BTreeMap<WorkerName, Presence>,
    waiting: VecDeque<Waiting>,
    batches: BTreeMap<u64, Batch>,
    next: u64,
    /// Items that were lost too often.
    given_up: Vec<u64>,
}

impl Ledger {
    pub fn new(pace: BatchPolicy) -> Self {
        Self {
            pace,
            workers: BTreeMap::new(),
            waiting: VecDeque::new(),
            batches: BTreeMap::new(),
            next: 0,
            given_up: Vec::new(),
        }
    }

    /// An item that is to be played, by somebody who lacks nothing of what it needs.
    pub fn add(&mut self, item: u64, needs: Vec<String>) {
        self.waiting.push_back(Waiting { item, needs, losses: 0 });
    }

    /// How many items could be in hand if there were enough: half of what may be given out.
    pub fn capacity(&self) -> usize {
        let staying = self.workers.values().filter(|worker| !worker.leaving);
        staying.map(|worker| size_for(&self.pace, worker)).sum()
    }

    /// Which process of a name is counted on.
    pub fn instance(&self, worker: &WorkerName) -> Option<&str> {
        self.workers.get(worker).map(|presence| presence.instance.as_str())
    }

    /// Whether it is this one.
    pub fn is_instance(&self, worker: &WorkerName, instance: &str) -> bool {
        self.instance(worker) == Some(instance)
    }

    /// The workers that are counted on.
    pub fn workers(&self) -> impl Iterator<Item = &WorkerName> {
        self.workers.keys()
    }

    /// A worker can be given batches, for so many items at once. If it is another process than the one of this name before,
    /// that one's batches are lost; they are returned.
    pub fn join(&mut self, now: Instant, worker: &WorkerName, instance: &str, slots: usize) -> Vec<u64> {
        let lost = match self.workers.get(worker) {
            Some(before) if before.instance == instance => return Vec::new(),
            Some(_) => self.leave(worker),
            None => Vec::new(),
        };
        let presence = Presence {
            instance: instance.to_owned(),
            slots: slots.max(1),
            seen: now,
            leaving: false,
            batches: 0,
            lacks: BTreeMap::new(),
            per_item: None,
            last: 0,
            idle_since: now,
            trouble: 0,
            rests_until: now,
        };
        self.workers.insert(worker.clone(), presence);
        lost
    }

    /// A sign of life: which batches the worker has, and whether it is about to leave. Returns the batches that it has but
    /// should not, and those that were taken from it.
    pub fn sign(
        &mut self,
        now: Instant,
        worker: &WorkerName,
        holds: &[u64],
        leaving: bool,
    ) -> (Vec<u64>, Vec<u64>) {
        let Some(presence) = self.workers.get_mut(worker) else { return (holds.to_vec(), Vec::new()) };
        (presence.seen, presence.leaving) = (now, leaving);
        let mut strange = Vec::new();
        for held in holds {
            match self.batches.get_mut(held).filter(|batch| batch.worker == *worker) {
                Some(batch) => batch.held = now,
                None => strange.push(*held),
            }
        }
        let handed_back = if leaving { self.batches_of(worker) } else { Vec::new() };
        let handed_back: Vec<u64> = handed_back.into_iter().filter(|batch| !holds.contains(batch)).collect();
        for batch in &handed_back {
            self.put_back(*batch, false);
        }
        (strange, handed_back)
    }

    /// A worker is gone, and with it its batches, which are returned.
    pub fn leave(&mut self, worker: &WorkerName) -> Vec<u64> {
        self.workers.remove(worker);
        let lost = self.batches_of(worker);
        for batch in &lost {
            self.put_back(*batch, true);
        }
        lost
    }

    /// A batch did not reach its worker, or is not there any more.
    pub fn lose(&mut self, batch: u64) {
        self.put_back(batch, false);
    }

    /// What came of a batch is wrong: it is given out again, but not for ever.
    pub fn spoil(&mut self, batch: u64) {
        self.put_back(batch, true);
    }

    /// Nobody could be heard for a while, which is nobody's fault.
    pub fn excuse(&mut self, now: Instant) {
        self.workers.values_mut().for_each(|worker| worker.seen = now);
        self.batches.values_mut().for_each(|batch| batch.held = now);
    }

    /// Looks who has been silent for too long. Returns these workers, and every batch that was lost, with its worker: with
    /// one of them, or on the way.
    pub fn sweep(&mut self, now: Instant) -> (Vec<WorkerName>, Vec<(WorkerName, u64)>) {
        let lease = self.pace.lease;
        let silent = |presence: &Presence| now.saturating_duration_since(presence.seen) > lease;
        let gone: Vec<WorkerName> =
            self.workers.iter().filter(|(_, it)| silent(it)).map(|(name, _)| name.clone()).collect();
        let mut lost = Vec::new();
        for worker in &gone {
            lost.extend(self.leave(worker).into_iter().map(|batch| (worker.clone(), batch)));
        }
        let astray = self.batches.iter().filter(|(_, it)| now.saturating_duration_since(it.held) > lease);
        let astray: Vec<(WorkerName, u64)> =
            astray.map(|(number, it)| (it.worker.clone(), *number)).collect();
        for (_, batch) in &astray {
            self.put_back(*batch, false);
        }
        lost.extend(astray);
        (gone, lost)
    }

    /// The next batch for somebody. While more items may come soon none is begun that is smaller than it should be; after
    /// that what is left is shared out in ever smaller parts. Fails if the system gives no random numbers.
    pub fn next(&mut self, now: Instant, more_may_come: bool) -> std::io::Result<Option<Assignment>> {
        if self.waiting.is_empty() {
            return Ok(None);
        }
        let staying = || self.workers.iter().filter(|(_, presence)| !presence.leaving);
        // Batches get smaller towards the end, so that all workers end at about the same time.
        let share = self.waiting.len().div_ceil(2 * BATCHES_PER_WORKER * staying().count().max(1));
        let mut takers: Vec<(usize, &WorkerName, &Presence)> = staying()
            .filter(|(_, presence)| presence.batches < BATCHES_PER_WORKER && presence.rests_until <= now)
            .map(|(name, presence)| (presence.batches, name, presence))
            .collect();
        takers.sort_unstable_by_key(|&(has, name, _)| (has, name)); // who has nothing comes first
        let mut found = None;
        for (_, name, presence) in takers {
            let full = size_for(&self.pace, presence);
            let size = if more_may_come { full } else { full.min(share.max(presence.slots)) };
            let open = take(&mut self.waiting, size, &presence.lacks);
            if open.is_empty() || (more_may_come && open.len() < full) {
                open.into_iter().rev().for_each(|waiting| self.waiting.push_front(waiting));
                continue;
            }
            found = Some((name.clone(), open));
            break;
        }
        found.map(|(name, open)| self.give(now, name, open)).transpose()
    }

    fn give(&mut self, now: Instant, worker: WorkerName, open: Vec<Waiting>) -> std::io::Result<Assignment> {
        let secret = Secret::new()?;
        let batch = self.next;
        self.next += 1;
        let items: Vec<u64> = open.iter().map(|waiting| waiting.item).collect();
        if let Some(presence) = self.workers.get_mut(&worker) {
            presence.last = items.len();
            presence.batches += 1;
        }
        let (to, size) = (worker.clone(), items.len());
        let given = Batch { worker: to, secret: secret.clone(), open, given: now, held: now, size };
        self.batches.insert(batch, given);
        Ok(Assignment { batch, worker, secret, items })
    }

    /// Whether a result counts: of which items one may still come with this batch.
    pub fn admit(&self, worker: &WorkerName, batch: u64, secret: &Secret) -> Result<Vec<u64>, Refused> {
        let given = self.batches.get(&batch).ok_or(Refused::NotUnderWay)?;
        if given.worker != *worker {
            return Err(Refused::Foreign);
        }
        if given.secret != *secret {
            return Err(Refused::Forged);
        }
        Ok(given.open.iter().map(|waiting| waiting.item).collect())
    }

    /// These items of a batch are done. After the last result of a batch the rest of it is given out anew. Says whether the
    /// batch is closed.
    pub fn done(&mut self, now: Instant, batch: u64, items: &[u64], last: bool) -> bool {
        let Some(given) = self.batches.get_mut(&batch) else { return true };
        given.open.retain(|waiting| !items.contains(&waiting.item));
        given.held = now;
        if !last && !given.open.is_empty() {
            return false;
        }
        let (worker, size, since) = (given.worker.clone(), given.size, given.given);
        if let Some(presence) = self.workers.get_mut(&worker) {
            let busy = now.saturating_duration_since(since.max(presence.idle_since));
            let per_item = busy * presence.slots as u32 / size.max(1) as u32;
            let before = presence.per_item.unwrap_or(per_item);
            presence.per_item = Some((before + per_item) / 2);
            presence.idle_since = now;
            presence.trouble = 0;
        }
        self.put_back(batch, true);
        true
    }

    /// Something that may pass keeps a worker from playing a batch: it is given to somebody else, and the worker rests, longer
    /// each time. Returns how often this has happened in a row.
    pub fn trouble(&mut self, now: Instant, worker: &WorkerName, batch: u64) -> u32 {
        self.put_back(batch, false);
        let Some(presence) = self.workers.get_mut(worker) else { return 0 };
        presence.trouble += 1;
        presence.last = 0;
        presence.rests_until = now + self.pace.lease / REST * 2_u32.pow(presence.trouble.min(8) - 1);
        presence.trouble
    }

    /// A worker is not used any more, through no fault of what it had. Its batches are returned.
    pub fn dismiss(&mut self, worker: &WorkerName) -> Vec<u64> {
        self.workers.remove(worker);
        let lost = self.batches_of(worker);
        for batch in &lost {
            self.put_back(*batch, false);
        }
        lost
    }

    /// The worker cannot play what needs this, for a reason. The batch is given to somebody else.
    pub fn lacks(&mut self, batch: u64, need: &str, reason: &str) {
        let Some(given) = self.batches.get(&batch) else { return };
        if let Some(presence) = self.workers.get_mut(&given.worker) {
            presence.lacks.insert(need.to_owned(), reason.to_owned());
            presence.last = 0;
        }
        self.put_back(batch, false);
    }

    /// What waits although there are workers, because each lacks something that it needs: the needs, and why.
    pub fn unplayable(&self) -> BTreeMap<String, String> {
        let mut missing = BTreeMap::new();
        for waiting in &self.waiting {
            let lack = |worker: &Presence| {
                waiting.needs.iter().find_map(|need| Some((need.clone(), worker.lacks.get(need)?.clone())))
            };
            let lacks: Option<Vec<(String, String)>> = self.workers.values().map(lack).collect();
            missing.extend(lacks.into_iter().flatten());
        }
        missing
    }

    /// Items that were lost so often with whoever had them that they are not given out any more.
    pub fn given_up(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.given_up)
    }

    /// Forgets everything that is not done. Returns the batches that are under way, with their workers.
    pub fn stop(&mut self) -> Vec<(WorkerName, u64)> {
        self.waiting.clear();
        std::mem::take(&mut self.batches).into_iter().map(|(number, batch)| (batch.worker, number)).collect()
    }

    /// Whether nothing waits and nothing is under way.
    pub fn is_idle(&self) -> bool {
        self.waiting.is_empty() && self.batches.is_empty()
    }

    fn batches_of(&self, worker: &WorkerName) -> Vec<u64> {
        self.batches.iter().filter(|(_, batch)| batch.worker == *worker).map(|(number, _)| *number).collect()
    }

    /// What is left of a batch waits again, before everything else; what was lost too often does not.
    fn put_back(&mut self, batch: u64, lost: bool) {
        let Some(batch) = self.batches.remove(&batch) else { return };
        if let Some(presence) = self.workers.get_mut(&batch.worker) {
            presence.batches = presence.batches.saturating_sub(1);
        }
        for mut waiting in batch.open.into_iter().rev() {
            waiting.losses += u32::from(lost);
            if waiting.losses > LOSSES {
                self.given_up.push(waiting.item);
            } else {
                self.waiting.push_front(waiting);
            }
        }
    }
}

/// How many items a batch for this worker should have.
fn size_for(pace: &BatchPolicy, worker: &Presence) -> usize {
    let Some(per_item) = worker.per_item else { return worker.slots };
    let fits = pace.batch.as_secs_f64() / per_item.as_secs_f64().max(1e-6) * worker.slots as f64;
    let most = (worker.last * 4).clamp(worker.slots, MOST_ITEMS.max(worker.slots));
    (fits as usize).clamp(worker.slots, most)
}

/// Takes out the first so many items that need nothing of what is lacking; the others stay in their order.
fn take(waiting: &mut VecDeque<Waiting>, count: usize, lacks: &BTreeMap<String, String>) -> Vec<Waiting> {
    let (mut taken, mut passed) = (Vec::new(), Vec::new());
    while taken.len() < count
        && let Some(next) = waiting.pop_front()
    {
        let can = !next.needs.iter().any(|need| lacks.contains_key(need));
        if can { taken.push(next) } else { passed.push(next) }
    }
    passed.into_iter().rev().for_each(|next| waiting.push_front(next));
    taken
}

#[cfg(test)]
mod tests;
