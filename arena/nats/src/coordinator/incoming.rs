//! What comes from workers: results, whole or in pieces, and events.

use std::sync::Arc;
use std::time::Instant;

use super::{BatchOutcome, Coordinator, Director, TaskMessage, WorkerProblem};
use crate::bundles::Bundles;
use crate::ledger::Refused;
use crate::name::WorkerName;
use crate::receipts::Receipt;
use crate::secret::Secret;
use crate::subjects;
use crate::wire::{LAST, MORE, SECRET, ToWorker};

/// The most bytes that a result may have in all its pieces.
const MOST_BYTES: usize = 256 << 20;

/// How often in a row something may keep a worker from playing that might have passed.
const MOST_TROUBLE: u32 = 5;

impl Coordinator {
    /// Returns the receipts that are due at once: of what counts for nothing. All others wait until it is stored.
    pub(super) async fn take_result(
        &mut self,
        director: &mut dyn Director,
        message: &async_nats::Message,
        receipt: Receipt,
    ) -> Vec<Receipt> {
        let Some((_, worker, batch, Some(part))) = subjects::parts(&message.subject) else {
            return vec![receipt];
        };
        let Some(receipt) = self.receipts.delivered_again(batch, part, receipt) else { return Vec::new() };
        let header = |name: &str| message.headers.as_ref().and_then(|headers| headers.get(name));
        let secret = Secret::shown(header(SECRET).map_or("", |value| value.as_str()));
        let open = match self.ledger.admit(&worker, batch, &secret) {
            Ok(open) => open,
            // Late: somebody else has it, or has done it.
            Err(Refused::NotUnderWay) => return vec![receipt],
            Err(refused) => {
                self.once(director, format!("a result in the name of {worker} does not count: {refused}"));
                return vec![receipt];
            }
        };
        let parts = self.parts.entry(batch).or_default();
        if part < parts.next {
            return match parts.receipts.iter_mut().find(|(number, _)| *number == part) {
                Some((_, before)) => {
                    *before = receipt;
                    Vec::new()
                }
                None => vec![receipt],
            };
        }
        parts.bytes.extend_from_slice(&message.payload);
        parts.receipts.push((part, receipt));
        if part > parts.next || parts.bytes.len() > MOST_BYTES {
            let due = std::mem::take(&mut parts.receipts);
            self.reject(director, &worker, batch, "its result is not whole".to_owned()).await;
            return without_numbers(due);
        }
        parts.next += 1;
        if header(MORE).is_some() {
            return Vec::new();
        }
        let (whole, receipts) = (std::mem::take(&mut parts.bytes), std::mem::take(&mut parts.receipts));
        let BatchOutcome { done, hindrance } = match director.result(&worker, &open, &whole) {
            Ok(outcome) => outcome,
            Err(reason) => {
                self.reject(director, &worker, batch, reason).await;
                return without_numbers(receipts);
            }
        };
        // What a worker in trouble has not done is given to others below, and counts as lost by nobody.
        let is_last = header(LAST).is_some() && hindrance.is_none();
        if self.ledger.done(Instant::now(), batch, &done, is_last) {
            self.parts.remove(&batch);
        }
        if let Some(hindrance) = hindrance {
            self.hindered(director, &worker, batch, hindrance).await;
        }
        if done.is_empty() {
            return without_numbers(receipts);
        }
        self.receipts.owe(batch, receipts, &done);
        Vec::new()
    }

    /// A worker cannot play what is left of a batch.
    async fn hindered(
        &mut self,
        director: &mut dyn Director,
        worker: &WorkerName,
        batch: u64,
        hindrance: WorkerProblem,
    ) {
        match hindrance {
            WorkerProblem::Lacks { need, reason } => {
                self.once(director, format!("worker {worker} cannot play {need}: {reason}"));
                self.ledger.lacks(batch, &need, &reason);
                self.forget(worker, vec![batch]).await;
                for (need, reason) in self.ledger.unplayable() {
                    let notice =
                        format!("no worker that is there can play {need} ({reason}); waiting for one");
                    self.once(director, notice);
                }
            }
            WorkerProblem::Trouble { reason, bundle } => {
                if let Some(bundle) = bundle {
                    self.mend(&bundle);
                }
                let times = self.ledger.trouble(Instant::now(), worker, batch);
                self.forget(worker, vec![batch]).await;
                if times < MOST_TROUBLE {
                    let notice =
                        format!("worker {worker} could not play: {reason}; it is given less for a while");
                    return self.once(director, notice);
                }
                let reason = format!("it could not play {times} times in a row, lastly: {reason}");
                self.once(director, format!("worker {worker} is not used any more: {reason}"));
                if let Some(instance) = self.ledger.instance(worker) {
                    self.turned_away.insert(instance.to_owned(), reason.clone());
                }
                let lost = self.ledger.dismiss(worker);
                self.forget(worker, lost).await;
                self.say(worker, &ToWorker::TurnedAway { run: self.run.clone(), reason }).await;
            }
        }
    }

    /// Puts back a bundle of this run, if the server does not have it as it was. Whoever says so may be wrong, or lie: it is looked
    /// at here, and one that is not looked at now is asked for again.
    fn mend(&mut self, bundle: &str) {
        let Some(place) = self.carried.iter().position(|(name, _)| name == bundle) else { return };
        if std::mem::replace(&mut self.is_mending, true) {
            return;
        }
        let (bundles, carried, tell) =
            (Bundles::of(&self.connection), Arc::clone(&self.carried), self.tell.clone());
        tokio::spawn(async move {
            let (name, archive) = &carried[place];
            let notice = match bundles.mend(name, archive).await {
                Ok(false) => None,
                Ok(true) => {
                    Some(format!("the NATS server no longer had the bundle {name} as it was: it is put back"))
                }
                Err(error) => Some(format!("the bundle {name} is not on the server: {error}")),
            };
            drop(tell.send(TaskMessage::Mended(notice)));
        });
    }

    async fn reject(&mut self, director: &mut dyn Director, worker: &WorkerName, batch: u64, reason: String) {
        self.once(director, format!("a result of {worker} does not count: {reason}"));
        self.ledger.spoil(batch);
        self.forget(worker, vec![batch]).await;
    }

    pub(super) fn pass_on(&self, director: &mut dyn Director, message: &async_nats::Message) {
        let Some((_, worker, batch, None)) = subjects::parts(&message.subject) else { return };
        let Some(shown) = message.headers.as_ref().and_then(|headers| headers.get(SECRET)) else { return };
        if let Ok(open) = self.ledger.admit(&worker, batch, &Secret::shown(shown.as_str())) {
            director.event(&worker, &open, &message.payload);
        }
    }
}

fn without_numbers(receipts: Vec<(u64, Receipt)>) -> Vec<Receipt> {
    receipts.into_iter().map(|(_, receipt)| receipt).collect()
}
