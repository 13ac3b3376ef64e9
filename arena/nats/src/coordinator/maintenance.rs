//! The coordinator's periodic work on the server, and its cleanup at the end.

use std::sync::Arc;
use std::time::Instant;

use super::{Coordinator, CoordinatorError, Director, LONELY, TaskMessage};
use crate::bundles::Bundles;
use crate::name::WorkerName;
use crate::streams;
use crate::subjects::{self, JOBS};
use crate::wire::{RunCall, ToWorker, to_bytes};

impl Coordinator {
    /// Announces the run and checks which workers are gone.
    pub(super) async fn beat(&mut self, director: &mut dyn Director) -> Result<(), CoordinatorError> {
        if let Some(refused) = self.connection.refused() {
            return Err(refused.into());
        }
        let now = Instant::now();
        if !self.connection.is_up() {
            self.was_down = true;
            self.notify_once(director, "lost the NATS server; waiting for it".to_owned());
            return Ok(());
        }
        // A server that was gone between two checks may have lost something, too.
        let times_made = self.connection.times_made();
        let is_another = std::mem::replace(&mut self.times_made, times_made) != times_made;
        if std::mem::take(&mut self.was_down) || is_another {
            self.ledger.restart_leases(now);
            self.notified.clear();
            self.restore().await;
        }
        let call = to_bytes(&RunCall::new(self.lease, false));
        drop(self.connection.client.publish(subjects::call(&self.run), call.into()).await);
        let (gone, lost) = self.ledger.sweep(now);
        for worker in gone {
            director.notice(format!("worker {worker} is silent: its work goes to others"));
        }
        for (worker, batch) in lost {
            if self.ledger.instance(&worker).is_some() {
                self.make_consumer(worker.clone()); // the old one may be gone
            }
            self.drop_batches(&worker, vec![batch]).await;
        }
        if self.paused.is_none() && !self.ledger.is_idle() {
            self.gather.get_or_insert(now);
        }
        if self.ledger.is_idle() || self.ledger.workers().next().is_some() {
            self.alone_since = now;
        } else if now.saturating_duration_since(self.alone_since) > LONELY {
            self.notify_once(director, "no worker is connected; waiting for one".to_owned());
        }
        Ok(())
    }

    /// Restores everything on the server, which may have come back without it.
    async fn restore(&mut self) {
        if let Err(error) = streams::make(&self.connection).await {
            drop(
                self.tx
                    .send(TaskMessage::Wrong(format!("the NATS server cannot create the streams: {error}"))),
            );
            self.was_down = true;
            return;
        }
        for worker in self.ledger.workers().cloned() {
            self.make_consumer(worker);
        }
        let (bundles, carried, tx) =
            (Bundles::new(&self.connection), Arc::clone(&self.carried), self.tx.clone());
        tokio::spawn(async move {
            for bundle in carried.iter() {
                if let Err(error) = bundles.put_missing(bundle).await {
                    drop(tx.send(TaskMessage::Wrong(format!(
                        "the bundle {} is not on the server: {error}",
                        bundle.name()
                    ))));
                }
            }
        });
    }

    fn make_consumer(&self, worker: WorkerName) {
        let (connection, tx, lease) = (self.connection.clone(), self.tx.clone(), self.lease);
        tokio::spawn(async move {
            if let Err(error) = streams::make_consumer_of_jobs(&connection, &worker, lease).await {
                drop(tx.send(TaskMessage::NotReady { worker, reason: error.to_string() }));
            }
        });
    }

    /// Has a worker drop batches that it should no longer have.
    pub(super) async fn drop_batches(&mut self, worker: &WorkerName, batches: Vec<u64>) {
        if batches.is_empty() {
            return;
        }
        for batch in &batches {
            self.parts.remove(batch);
            let (connection, subject) = (self.connection.clone(), subjects::job(&self.run, worker, *batch));
            tokio::spawn(async move {
                if let Ok(stream) = connection.jetstream.get_stream_no_info(JOBS).await {
                    // A worker that plays it nevertheless is refused.
                    drop(stream.purge().filter(subject).await);
                }
            });
        }
        self.say(worker, &ToWorker::Drop { run: self.run.clone(), batches }).await;
    }

    /// Removes what is left of the run.
    pub(super) async fn leave(self) {
        if !self.connection.is_up() {
            return;
        }
        let jetstream = &self.connection.jetstream;
        let call = to_bytes(&RunCall::new(self.lease, true));
        drop(self.connection.client.publish(subjects::call(&self.run), call.into()).await);
        for (name, subjects) in [
            (JOBS, format!("leyden.jobs.{}.>", self.run)),
            (subjects::RESULTS, format!("leyden.results.{}.>", self.run)),
        ] {
            if let Ok(stream) = jetstream.get_stream_no_info(name).await {
                drop(stream.purge().filter(subjects).await);
            }
        }
        drop(jetstream.delete_consumer_from_stream(format!("run-{}", self.run), subjects::RESULTS).await);
        self.connection.close().await;
    }
}
