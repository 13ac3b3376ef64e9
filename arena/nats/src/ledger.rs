//! Decides who plays what: groups items into batches, gives each batch to one worker, and takes it back when that worker is
//! gone.
//!
//! It has no connection and no clock: the caller passes the time. Items are opaque numbers, their needs opaque strings. Each
//! item counts once: when it is given out again, the batch has another secret, and results with the old one are refused.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use crate::name::WorkerName;
use crate::secret::Secret;

/// How many batches a worker has at most: one that it plays and one that waits, so that it is never idle.
const BATCHES_PER_WORKER: usize = 2;

/// How often an item may be lost along with its worker before it is abandoned.
const MAX_LOSSES: u32 = 3;

/// The fraction of a lease that a worker rests after its first problem.
const FIRST_REST: u32 = 30;

/// The maximum number of items of a batch.
const MAX_ITEMS: usize = 256;

/// Decides how large a batch is and when it counts as lost.
#[derive(Clone, Copy, Debug)]
pub struct BatchPolicy {
    /// How long a worker may be silent before its work goes to others.
    pub lease: Duration,
    /// How long a batch should take.
    pub batch: Duration,
}

/// A batch to be sent to a worker.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// Its number, which no other batch of the run has.
    pub batch: u64,
    pub worker: WorkerName,
    /// What each of its results must carry.
    pub secret: Secret,
    /// The items to be played.
    pub items: Vec<u64>,
}

/// Why a result does not count. The run itself continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdmissionError {
    /// The batch is done, was given to another worker, or never existed.
    #[error("this batch is no longer needed")]
    NotUnderWay,
    #[error("this batch was given to another worker")]
    Foreign,
    #[error("it does not carry the secret of its batch")]
    Forged,
}

/// An item that no worker has.
#[derive(Clone, Debug)]
struct WaitingItem {
    item: u64,
    needs: Vec<String>,
    losses: u32,
}

#[derive(Debug)]
struct Batch {
    worker: WorkerName,
    secret: Secret,
    /// The items that are not done yet.
    open: Vec<WaitingItem>,
    given: Instant,
    /// When its worker last confirmed that it has it, or else when it was given out.
    held: Instant,
    /// How many items it had at first.
    size: usize,
}

#[derive(Debug)]
struct Presence {
    /// Identifies the process among those of the same name.
    instance: String,
    slots: usize,
    seen: Instant,
    /// Whether it takes no more batches.
    leaving: bool,
    /// How many batches it has.
    batches: usize,
    /// What it cannot play, and why.
    lacks: BTreeMap<String, String>,
    /// How long one of its slots takes for an item.
    per_item: Option<Duration>,
    /// The size of its last batch, which limits the growth of the next.
    last: usize,
    /// When its last batch was done.
    idle_since: Instant,
    /// How many problems it had in a row, and until when it rests because of them.
    trouble: u32,
    rests_until: Instant,
}

/// The books of one run.
#[derive(Debug)]
pub struct Ledger {
    policy: BatchPolicy,
    workers: BTreeMap<WorkerName, Presence>,
    waiting: VecDeque<WaitingItem>,
    batches: BTreeMap<u64, Batch>,
    next: u64,
    /// Items that were lost too often.
    abandoned: Vec<u64>,
    /// When leases were last checked.
    swept: Option<Instant>,
}

impl Ledger {
    /// Begins without items and workers.
    pub fn new(policy: BatchPolicy) -> Self {
        Self {
            policy,
            workers: BTreeMap::new(),
            waiting: VecDeque::new(),
            batches: BTreeMap::new(),
            next: 0,
            abandoned: Vec::new(),
            swept: None,
        }
    }

    /// Adds an item to be played by a worker that lacks none of its needs.
    pub fn add(&mut self, item: u64, needs: Vec<String>) {
        self.waiting.push_back(WaitingItem { item, needs, losses: 0 });
    }

    /// Forgets an item if no worker has it. Returns whether it was forgotten.
    pub fn take_back(&mut self, item: u64) -> bool {
        let index = self.waiting.iter().position(|waiting| waiting.item == item);
        index.and_then(|index| self.waiting.remove(index)).is_some()
    }

    /// How many items can be in progress at once, given enough of them: half of what may be given out.
    pub fn capacity(&self) -> usize {
        let staying = self.workers.values().filter(|worker| !worker.leaving);
        staying.map(|worker| size_for(&self.policy, worker)).sum()
    }

    /// The process that is in use under this name.
    pub fn instance(&self, worker: &WorkerName) -> Option<&str> {
        self.workers.get(worker).map(|presence| presence.instance.as_str())
    }

    /// Whether this is the process in use.
    pub fn is_instance(&self, worker: &WorkerName, instance: &str) -> bool {
        self.instance(worker) == Some(instance)
    }

    /// The workers in use.
    pub fn workers(&self) -> impl Iterator<Item = &WorkerName> {
        self.workers.keys()
    }

    /// Adds a worker that plays `slots` items at once. If another process had its name, returns that one's batches, which are
    /// lost.
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

    /// Records a sign of life: the batches that the worker holds and whether it is leaving. Returns the batches that it
    /// should not hold, and those that it handed back.
    pub fn heartbeat(
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

    /// Removes a worker that is gone. Returns its batches, which are lost.
    pub fn leave(&mut self, worker: &WorkerName) -> Vec<u64> {
        self.workers.remove(worker);
        let lost = self.batches_of(worker);
        for batch in &lost {
            self.put_back(*batch, true);
        }
        lost
    }

    /// Puts back a batch that did not reach its worker.
    pub fn lose(&mut self, batch: u64) {
        self.put_back(batch, false);
    }

    /// Restarts all leases, after a time in which no worker could be heard.
    pub fn restart_leases(&mut self, now: Instant) {
        self.workers.values_mut().for_each(|worker| worker.seen = now);
        self.batches.values_mut().for_each(|batch| batch.held = now);
    }

    /// Finds what has been silent for longer than a lease. Returns these workers, and every lost batch with its worker: those
    /// of these workers, and those that went missing on the way. If the last call is more than half a lease ago, the
    /// caller stood still and may not have read what workers sent: all leases restart.
    pub fn sweep(&mut self, now: Instant) -> (Vec<WorkerName>, Vec<(WorkerName, u64)>) {
        let lease = self.policy.lease;
        if self.swept.replace(now).is_some_and(|before| now.saturating_duration_since(before) > lease / 2) {
            self.restart_leases(now);
        }
        let silent = |presence: &Presence| now.saturating_duration_since(presence.seen) > lease;
        let gone: Vec<WorkerName> =
            self.workers.iter().filter(|(_, it)| silent(it)).map(|(name, _)| name.clone()).collect();
        let mut lost = Vec::new();
        for worker in &gone {
            lost.extend(self.leave(worker).into_iter().map(|batch| (worker.clone(), batch)));
        }
        let missing = self.batches.iter().filter(|(_, it)| now.saturating_duration_since(it.held) > lease);
        let missing: Vec<(WorkerName, u64)> =
            missing.map(|(number, it)| (it.worker.clone(), *number)).collect();
        for (_, batch) in &missing {
            self.put_back(*batch, false);
        }
        lost.extend(missing);
        (gone, lost)
    }

    /// Returns the next batch for any worker. While `more_may_come`, only full ones; afterwards the rest is shared out in
    /// ever smaller parts. Fails if the system provides no random numbers.
    pub fn next(&mut self, now: Instant, more_may_come: bool) -> std::io::Result<Option<Assignment>> {
        if self.waiting.is_empty() {
            return Ok(None);
        }
        let staying = || self.workers.iter().filter(|(_, presence)| !presence.leaving);
        // Batches get smaller towards the end, so that all workers finish at about the same time.
        let share = self.waiting.len().div_ceil(2 * BATCHES_PER_WORKER * staying().count().max(1));
        let mut takers: Vec<(usize, &WorkerName, &Presence)> = staying()
            .filter(|(_, presence)| presence.batches < BATCHES_PER_WORKER && presence.rests_until <= now)
            .map(|(name, presence)| (presence.batches, name, presence))
            .collect();
        takers.sort_unstable_by_key(|&(has, name, _)| (has, name)); // idle workers first
        let mut found = None;
        for (_, name, presence) in takers {
            let full = size_for(&self.policy, presence);
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

    fn give(
        &mut self,
        now: Instant,
        worker: WorkerName,
        open: Vec<WaitingItem>,
    ) -> std::io::Result<Assignment> {
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

    /// Checks a result's secret. Returns the items of the batch that are still open.
    pub fn admit(
        &self,
        worker: &WorkerName,
        batch: u64,
        secret: &Secret,
    ) -> Result<Vec<u64>, AdmissionError> {
        let given = self.batches.get(&batch).ok_or(AdmissionError::NotUnderWay)?;
        if given.worker != *worker {
            return Err(AdmissionError::Foreign);
        }
        if given.secret != *secret {
            return Err(AdmissionError::Forged);
        }
        Ok(given.open.iter().map(|waiting| waiting.item).collect())
    }

    /// Marks items of a batch as done. After the last result, what is left of the batch is given out again. Returns whether
    /// the batch is closed.
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

    /// Puts back a batch after a problem that may pass; it counts as a loss if its result was wrong, so that it cannot repeat
    /// forever. The worker rests, longer each time. Returns how many problems it had in a row.
    pub fn trouble(&mut self, now: Instant, worker: &WorkerName, batch: u64, lost: bool) -> u32 {
        self.put_back(batch, lost);
        let Some(presence) = self.workers.get_mut(worker) else { return 0 };
        presence.trouble += 1;
        presence.last = 0;
        presence.rests_until = now + self.policy.lease / FIRST_REST * 2_u32.pow(presence.trouble.min(8) - 1);
        presence.trouble
    }

    /// Stops using a worker. Returns its batches, which do not count as lost.
    pub fn dismiss(&mut self, worker: &WorkerName) -> Vec<u64> {
        self.workers.remove(worker);
        let lost = self.batches_of(worker);
        for batch in &lost {
            self.put_back(*batch, false);
        }
        lost
    }

    /// Records that the batch's worker cannot play what needs `need`, and puts the batch back.
    pub fn lacks(&mut self, batch: u64, need: &str, reason: &str) {
        let Some(given) = self.batches.get(&batch) else { return };
        if let Some(presence) = self.workers.get_mut(&given.worker) {
            presence.lacks.insert(need.to_owned(), reason.to_owned());
            presence.last = 0;
        }
        self.put_back(batch, false);
    }

    /// What no worker can play, although there are workers: each lacks one of its needs. Returns the needs, with the reasons.
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

    /// Returns the items that were abandoned since the last call.
    pub fn abandoned(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.abandoned)
    }

    /// Forgets everything that is not done. Returns the batches that were under way, with their workers.
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

    /// Puts the rest of a batch at the head of the queue, except items that were lost too often.
    fn put_back(&mut self, batch: u64, lost: bool) {
        let Some(batch) = self.batches.remove(&batch) else { return };
        if let Some(presence) = self.workers.get_mut(&batch.worker) {
            presence.batches = presence.batches.saturating_sub(1);
        }
        for mut waiting in batch.open.into_iter().rev() {
            waiting.losses += u32::from(lost);
            if waiting.losses > MAX_LOSSES {
                self.abandoned.push(waiting.item);
            } else {
                self.waiting.push_front(waiting);
            }
        }
    }
}

/// How many items a batch for this worker should have.
fn size_for(policy: &BatchPolicy, worker: &Presence) -> usize {
    let Some(per_item) = worker.per_item else { return worker.slots };
    let fits = policy.batch.as_secs_f64() / per_item.as_secs_f64().max(1e-6) * worker.slots as f64;
    let most = (worker.last * 4).clamp(worker.slots, MAX_ITEMS.max(worker.slots));
    (fits as usize).clamp(worker.slots, most)
}

/// Takes the first `count` items that need nothing of `lacks`; the others keep their order.
fn take(
    waiting: &mut VecDeque<WaitingItem>,
    count: usize,
    lacks: &BTreeMap<String, String>,
) -> Vec<WaitingItem> {
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
