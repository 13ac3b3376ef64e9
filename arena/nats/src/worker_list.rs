//! Which workers are there.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio_stream::StreamExt;

use crate::connection::{ANSWER, ConnectError, Connection};
use crate::name::WorkerName;
use crate::subjects::{self, JOBS};
use crate::wire::{RunCall, WorkerHello, to_bytes};

/// The workers that are there, and those that were.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorkerList {
    /// The workers that answered, with what each says of itself.
    pub there: BTreeMap<WorkerName, WorkerHello>,
    /// The workers that were given something in the last day and do not answer: how long ago the server last heard from them.
    pub silent: BTreeMap<WorkerName, Duration>,
}

/// Asks all workers for a sign of life and waits for `wait`. Late and malformed answers are left out.
pub async fn list_workers(connection: &Connection, wait: Duration) -> Result<WorkerList, ConnectError> {
    let silent = |reason: String| ConnectError::Unreachable {
        url: "the address that was connected to".to_owned(),
        reason,
    };
    let mut answers =
        connection.client.subscribe(subjects::hello("*")).await.map_err(|error| silent(error.to_string()))?;
    let call = to_bytes(&RunCall::new(wait, false));
    let asked = connection.client.publish(subjects::call(subjects::ROLL), call.into()).await;
    asked.map_err(|error| silent(error.to_string()))?;
    let mut there = BTreeMap::new();
    let until = tokio::time::Instant::now() + wait;
    while let Ok(Some(message)) = tokio::time::timeout_at(until, answers.next()).await {
        if let Some(hello) = read_hello(&message.subject, &message.payload) {
            there.insert(hello.name.clone(), hello);
        }
    }
    if let Some(error) = connection.refused() {
        return Err(error);
    }
    let mut silent = tokio::time::timeout(ANSWER, known(connection)).await.unwrap_or_default();
    silent.retain(|name, _| !there.contains_key(name));
    Ok(WorkerList { there, silent })
}

/// Every worker that has a consumer of jobs, and how long ago the server last heard from it. Empty if no run has used the
/// server yet or permissions forbid the question.
async fn known(connection: &Connection) -> BTreeMap<WorkerName, Duration> {
    let mut known = BTreeMap::new();
    let Ok(jobs) = connection.jetstream.get_stream_no_info(JOBS).await else { return known };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let mut consumers = jobs.consumers();
    while let Some(Ok(consumer)) = consumers.next().await {
        let Ok(name) = consumer.name.parse() else { continue };
        let signs = [Some(consumer.created), consumer.delivered.last_active, consumer.ack_floor.last_active];
        let last = signs.into_iter().flatten().max();
        let last = last.and_then(|at| u64::try_from(at.unix_timestamp()).ok()).unwrap_or_default();
        let since = now.saturating_sub(Duration::from_secs(last));
        known.insert(name, since);
    }
    known
}

/// Reads a worker's sign of life; `None` unless it was sent in the worker's own name.
pub(crate) fn read_hello(subject: &str, payload: &[u8]) -> Option<WorkerHello> {
    let hello: WorkerHello = serde_json::from_slice(payload).ok()?;
    (subject == subjects::hello(hello.name.as_str())).then_some(hello)
}
