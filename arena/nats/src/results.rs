//! Results on their way: asked for at the server again and again by whoever coordinates, cut into pieces by whoever sends them.

use std::time::Duration;

use async_nats::HeaderMap;
use async_nats::jetstream::Message;
use async_nats::jetstream::context::{PublishError, PublishErrorKind};
use tokio_stream::StreamExt;

use crate::connection::Connection;
use crate::secret::Secret;
use crate::streams;
use crate::wire::{LAST, MORE, SECRET};

/// How many results are taken in at once.
const AT_ONCE: usize = 64;

/// How long is waited after something went wrong.
const PAUSE: Duration = Duration::from_millis(200);

/// How long the server keeps a request for results that it has not got.
const EXPIRY: Duration = Duration::from_secs(2);

/// Asks for results again and again, until `tell` says that nobody wants them any more; it is told of each, and of what went
/// wrong. A request has an end: without one, a server that dies would be waited for for ever.
pub(crate) async fn pull_results(
    connection: Connection,
    run: String,
    lease: Duration,
    tell: impl Fn(Result<Message, String>) -> bool,
) {
    loop {
        let wanted = match take_results(&connection, &run, lease, &tell).await {
            Ok(wanted) => wanted,
            Err(reason) if connection.is_up() => {
                tell(Err(format!("the NATS server does not hand out results; trying on: {reason}")))
            }
            Err(_) => true,
        };
        if !wanted {
            return;
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Takes results as long as they can be had. Says whether they are wanted still.
async fn take_results(
    connection: &Connection,
    run: &str,
    lease: Duration,
    tell: &impl Fn(Result<Message, String>) -> bool,
) -> Result<bool, String> {
    let consumer =
        streams::consumer_of_results(connection, run, lease).await.map_err(|error| error.to_string())?;
    loop {
        let fetch = consumer.batch().max_messages(AT_ONCE).expires(EXPIRY).messages();
        let mut messages = fetch.await.map_err(|error| error.to_string())?;
        loop {
            // The library keeps the time, too; but a connection that was cut is no reason to wait for ever.
            match tokio::time::timeout(2 * EXPIRY, messages.next()).await {
                Ok(Some(Ok(message))) => {
                    if !tell(Ok(message)) {
                        return Ok(false);
                    }
                }
                Ok(Some(Err(error))) => return Err(error.to_string()),
                Ok(None) => break,
                Err(_) => return Ok(true),
            }
        }
    }
}

/// The pieces of a result, each as large as the server takes it, with the headers that belong to it.
pub(crate) fn pieces(payload: &[u8], most: usize, secret: &Secret, last: bool) -> Vec<(HeaderMap, Vec<u8>)> {
    let chunks: Vec<&[u8]> =
        if payload.is_empty() { vec![&[]] } else { payload.chunks(most.max(1)).collect() };
    let count = chunks.len();
    let piece = |(number, chunk): (usize, &[u8])| {
        let mut headers = HeaderMap::new();
        headers.insert(SECRET, secret.reveal());
        if number + 1 < count {
            headers.insert(MORE, "1");
        } else if last {
            headers.insert(LAST, "1");
        }
        (headers, chunk.to_vec())
    };
    chunks.into_iter().enumerate().map(piece).collect()
}

/// Whether what was published is there already: then it is as good as published.
pub(crate) fn is_there_already(error: &PublishError) -> bool {
    error.kind() == PublishErrorKind::Other && error.to_string().contains("maximum messages per subject")
}
