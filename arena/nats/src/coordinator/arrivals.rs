//! What comes from workers: results, whole or in pieces, and events.

use std::time::Instant;

use super::{BatchOutcome, Coordinator, Director, TaskMessage, WorkerProblem};
use crate::bundles::Bundles;
use crate::ledger::AdmissionError;
use crate::name::WorkerName;
use crate::receipts::Receipt;
use crate::secret::Secret;
use crate::subjects;
use crate::wire::{LAST, MORE, SECRET, ToWorker};

/// The maximum size of a result in bytes, over all its pieces.
const MAX_BYTES: usize = 256 << 20;

/// After how many passing problems in a row a worker is dismissed.
const MAX_TROUBLES: u32 = 5;

impl Coordinator {
    /// Handles a piece of a result. Returns the receipts that are due at once, because what they are for does not count; all
    /// others wait until the result is stored.
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
            // Late: another worker has the batch, or it is done.
            Err(AdmissionError::NotUnderWay) => return vec![receipt],
            Err(refused) => {
                self.notify_once(director, format!("a result sent as {worker} is ignored: {refused}"));
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
        if part > parts.next || parts.bytes.len() > MAX_BYTES {
            let due = std::mem::take(&mut parts.receipts);
            self.reject(director, &worker, batch, "its result is incomplete".to_owned()).await;
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
        // What a worker with a problem has not done is reassigned below, without counting as lost.
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

    /// Handles what keeps a worker from playing the rest of a batch.
    async fn hindered(
        &mut self,
        director: &mut dyn Director,
        worker: &WorkerName,
        batch: u64,
        hindrance: WorkerProblem,
    ) {
        match hindrance {
            WorkerProblem::Lacks { need, reason } => {
                self.notify_once(director, format!("worker {worker} cannot play {need}: {reason}"));
                self.ledger.lacks(batch, &need, &reason);
                self.drop_batches(worker, vec![batch]).await;
                for (need, reason) in self.ledger.unplayable() {
                    let notice = format!("no connected worker can play {need} ({reason}); waiting for one");
                    self.notify_once(director, notice);
                }
            }
            WorkerProblem::Trouble { reason, bundle } => {
                if let Some(bundle) = bundle {
                    self.mend(&bundle);
                }
                let times = self.ledger.trouble(Instant::now(), worker, batch, false);
                self.drop_batches(worker, vec![batch]).await;
                if times < MAX_TROUBLES {
                    let notice =
                        format!("worker {worker} could not play: {reason}; it gets less work for a while");
                    return self.notify_once(director, notice);
                }
                let reason = format!("it could not play {times} times in a row, most recently: {reason}");
                self.set_aside(director, worker, reason).await;
            }
        }
    }

    /// Stops using a worker.
    async fn set_aside(&mut self, director: &mut dyn Director, worker: &WorkerName, reason: String) {
        self.notify_once(director, format!("worker {worker} is not used any more: {reason}"));
        if let Some(instance) = self.ledger.instance(worker) {
            self.turned_away.insert(instance.to_owned(), reason.clone());
        }
        let lost = self.ledger.dismiss(worker);
        self.drop_batches(worker, lost).await;
        self.say(worker, &ToWorker::TurnedAway { run: self.run.clone(), reason }).await;
    }

    /// Restores a bundle of this run if the server does not have it intact. Checks this itself, because the worker that
    /// reported it may be wrong or lie. A report during another check is dropped: the worker will ask again.
    fn mend(&mut self, bundle: &str) {
        let Some(bundle) = self.carried.iter().find(|carried| carried.name() == bundle).cloned() else {
            return;
        };
        if std::mem::replace(&mut self.is_mending, true) {
            return;
        }
        let (bundles, tx) = (Bundles::new(&self.connection), self.tx.clone());
        tokio::spawn(async move {
            let name = bundle.name();
            let notice = match bundles.mend(&bundle).await {
                Ok(false) => None,
                Ok(true) => {
                    Some(format!("the NATS server had lost or changed the bundle {name}: it is restored"))
                }
                Err(error) => Some(format!("the bundle {name} is not on the server: {error}")),
            };
            drop(tx.send(TaskMessage::Mended(notice)));
        });
    }

    async fn reject(&mut self, director: &mut dyn Director, worker: &WorkerName, batch: u64, reason: String) {
        self.notify_once(
            director,
            format!("a result from {worker} is ignored, and it gets less work for a while: {reason}"),
        );
        let times = self.ledger.trouble(Instant::now(), worker, batch, true);
        self.drop_batches(worker, vec![batch]).await;
        if times >= MAX_TROUBLES {
            let reason = format!("{times} times in a row its result was wrong, most recently: {reason}");
            self.set_aside(director, worker, reason).await;
        }
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
