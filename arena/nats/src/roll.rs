//! Who is there.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio_stream::StreamExt;

use crate::connection::{ConnectError, Connection};
use crate::name::WorkerName;
use crate::subjects;
use crate::wire::{Call, Hello, to_bytes};

/// Asks every worker whether it is there, and waits so long for answers. What comes later or is no answer is left out.
pub async fn call_the_roll(
    connection: &Connection,
    wait: Duration,
) -> Result<BTreeMap<WorkerName, Hello>, ConnectError> {
    let silent = |reason: String| ConnectError::Unreachable {
        url: "the address that was connected to".to_owned(),
        reason,
    };
    let mut answers =
        connection.client.subscribe(subjects::hello("*")).await.map_err(|error| silent(error.to_string()))?;
    let call = to_bytes(&Call::new(wait, false));
    let asked = connection.client.publish(subjects::call(subjects::ROLL), call.into()).await;
    asked.map_err(|error| silent(error.to_string()))?;
    let mut there = BTreeMap::new();
    let until = tokio::time::Instant::now() + wait;
    while let Ok(Some(message)) = tokio::time::timeout_at(until, answers.next()).await {
        if let Some(hello) = read_hello(&message.subject, &message.payload) {
            there.insert(hello.name.clone(), hello);
        }
    }
    match connection.refused() {
        Some(error) => Err(error),
        None => Ok(there),
    }
}

/// What a worker told, if it did so in its own name.
pub(crate) fn read_hello(subject: &str, payload: &[u8]) -> Option<Hello> {
    let hello: Hello = serde_json::from_slice(payload).ok()?;
    (subject == subjects::hello(hello.name.as_str())).then_some(hello)
}
