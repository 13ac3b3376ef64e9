//! The streams on the server: created by the coordinator, and again if the server has lost them.

use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::context::CreateStreamError;
use async_nats::jetstream::stream::{Config, ConsumerError, DiscardPolicy, RetentionPolicy};

use crate::connection::Connection;
use crate::name::WorkerName;
use crate::subjects::{BUNDLES, JOBS, RESULTS};

/// How long the server keeps what is no longer needed.
const DAY: Duration = Duration::from_hours(24);

/// How often a batch or a result is delivered before the server stops; the coordinator's sweep then finds it.
const DELIVERIES: i64 = 5;

/// How many consumers a stream may have. Jobs have one for each worker; the server's default is 1,000.
const MOST_CONSUMERS: i32 = 100_000;

/// Creates the streams that are missing.
pub(crate) async fn make(connection: &Connection) -> Result<(), CreateStreamError> {
    for stream in [queue(JOBS, "leyden.jobs.>"), queue(RESULTS, "leyden.results.>"), bundles()] {
        connection.jetstream.create_or_update_stream(stream).await?;
    }
    Ok(())
}

/// A stream whose messages disappear once acknowledged. It keeps at most one message per subject: one that is sent again
/// because its receipt was lost is refused.
fn queue(name: &str, subjects: &str) -> Config {
    Config {
        name: name.to_owned(),
        subjects: vec![subjects.to_owned()],
        retention: RetentionPolicy::WorkQueue,
        max_messages_per_subject: 1,
        discard: DiscardPolicy::New,
        discard_new_per_subject: true,
        max_consumers: MOST_CONSUMERS,
        max_age: DAY,
        ..Config::default()
    }
}

/// A bundle's name fixes its content, so nothing is ever replaced. Messages are fetched by subject.
fn bundles() -> Config {
    Config {
        name: BUNDLES.to_owned(),
        subjects: vec!["leyden.bundles.>".to_owned()],
        max_messages_per_subject: 1,
        allow_direct: true,
        max_age: 30 * DAY,
        ..Config::default()
    }
}

/// Creates the consumer from which a worker takes its batches, and only its own.
pub(crate) async fn make_consumer_of_jobs(
    connection: &Connection,
    worker: &WorkerName,
    lease: Duration,
) -> Result<(), ConsumerError> {
    let config = pull::Config {
        durable_name: Some(worker.to_string()),
        filter_subject: format!("leyden.jobs.*.{worker}.*"),
        ack_policy: AckPolicy::Explicit,
        ack_wait: lease,
        max_deliver: DELIVERIES,
        inactive_threshold: DAY,
        memory_storage: true,
        ..pull::Config::default()
    };
    connection.jetstream.create_consumer_on_stream(config, JOBS).await.map(|_: PullConsumer| ())
}

/// The consumer from which a run takes its results.
pub(crate) async fn consumer_of_results(
    connection: &Connection,
    run: &str,
    lease: Duration,
) -> Result<PullConsumer, ConsumerError> {
    let config = pull::Config {
        durable_name: Some(format!("run-{run}")),
        filter_subject: format!("leyden.results.{run}.>"),
        ack_policy: AckPolicy::Explicit,
        ack_wait: lease,
        inactive_threshold: DAY,
        ..pull::Config::default()
    };
    connection.jetstream.create_consumer_on_stream(config, RESULTS).await
}
