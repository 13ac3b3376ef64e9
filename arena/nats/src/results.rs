//! Results on their way: requested by the coordinator, cut into pieces by workers.

use std::time::Duration;

use async_nats::HeaderMap;
use async_nats::jetstream::Message;
use async_nats::jetstream::context::{PublishError, PublishErrorKind};
use tokio::sync::mpsc::Sender;
use tokio_stream::StreamExt;

use crate::connection::Connection;
use crate::secret::Secret;
use crate::streams;
use crate::wire::{LAST, MORE, SECRET};

/// How many results to request at once.
pub(crate) const AT_ONCE: usize = 64;

/// How long to pause after an error.
const PAUSE: Duration = Duration::from_millis(200);

/// How long the server keeps a request that it cannot answer yet.
const EXPIRY: Duration = Duration::from_secs(2);

/// Requests results as fast as they are received, until nobody receives them. Passes on each result and each error. A
/// request expires: otherwise it would wait forever for a server that dies.
pub(crate) async fn pull_results(
    connection: Connection,
    run: String,
    lease: Duration,
    results: Sender<Result<Message, String>>,
) {
    loop {
        let goes_on = match take_results(&connection, &run, lease, &results).await {
            Ok(goes_on) => goes_on,
            Err(reason) if connection.is_up() => {
                let reason = format!("the NATS server does not deliver results; retrying: {reason}");
                results.send(Err(reason)).await.is_ok()
            }
            Err(_) => true,
        };
        if !goes_on {
            return;
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Passes results on until nobody receives them or the connection fails. Returns whether more are needed.
async fn take_results(
    connection: &Connection,
    run: &str,
    lease: Duration,
    results: &Sender<Result<Message, String>>,
) -> Result<bool, String> {
    let consumer =
        streams::consumer_of_results(connection, run, lease).await.map_err(|error| error.to_string())?;
    loop {
        let fetch = consumer.batch().max_messages(AT_ONCE).expires(EXPIRY).messages();
        let mut messages = fetch.await.map_err(|error| error.to_string())?;
        loop {
            // The library has a timeout, too, but it must not wait forever on a connection that was cut.
            match tokio::time::timeout(2 * EXPIRY, messages.next()).await {
                Ok(Some(Ok(message))) => {
                    if results.send(Ok(message)).await.is_err() {
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

/// Splits a result into pieces of at most `most` bytes, with their headers.
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

/// Whether the message was refused because it is stored already, which is as good as stored. Only the server's words say so: it has
/// one code (10077) for everything that it cannot store, and async-nats no kind.
pub(crate) fn is_already_stored(error: &PublishError) -> bool {
    error.kind() == PublishErrorKind::Other && error.to_string().contains("maximum messages per subject")
}
