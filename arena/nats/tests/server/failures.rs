//! Deaths, cuts and lies: each item counts once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_nats::jetstream::stream::Config;
use leyden_nats::{Bundles, Connection, CoordinatorCommand, ToPlayer};

use crate::fixture::{LEASE, WorkerBehaviour, options, run, work};
use crate::process::{NatsServer, PATIENCE};

#[tokio::test]
async fn early_and_late_workers_share_a_run() {
    static LATE_HAS_PLAYED: AtomicBool = AtomicBool::new(false);
    let server = NatsServer::start();
    let options = options(&server.url());
    let held = WorkerBehaviour { until: Some(&LATE_HAS_PLAYED), ..WorkerBehaviour::default() };
    let early = work(&options, "early", held).await;
    let party = run(&options, "shared", 300).await;
    party.director.until("the first plays", |log| log.events > 0).await;
    let late = work(&options, "late", WorkerBehaviour::default()).await;
    party.director.until("the other plays", |log| log.done.values().any(|(_, by)| by == "late")).await;
    LATE_HAS_PLAYED.store(true, Ordering::SeqCst);
    let log = party.end(300).await;
    for name in ["early", "late"] {
        assert!(log.done.values().any(|(_, by)| by == name), "{name}: {log:?}");
    }
    assert!(log.events > 0);
    early.leave().await;
    late.leave().await;
}

#[tokio::test]
async fn batches_of_a_killed_worker_go_to_another() {
    let server = NatsServer::start();
    let options = options(&server.url());
    let slow = WorkerBehaviour { per_item: Duration::from_mins(10), ..WorkerBehaviour::default() };
    let killed = work(&options, "killed", slow).await;
    let party = run(&options, "killed", 20).await;
    party.director.until("something is started", |log| log.events > 0).await;
    killed.kill();
    let other = work(&options, "other", WorkerBehaviour::default()).await;
    let log = party.end(20).await;
    assert!(log.notices.iter().any(|notice| notice.contains("killed is silent")), "{log:?}");
    other.leave().await;
}

#[tokio::test]
async fn restarted_worker_replaces_the_old_one() {
    let server = NatsServer::start();
    let options = options(&server.url());
    let slow = WorkerBehaviour { per_item: Duration::from_mins(10), ..WorkerBehaviour::default() };
    let first = work(&options, "ann", slow).await;
    let party = run(&options, "again", 10).await;
    party.director.until("something is started", |log| log.events > 0).await;
    first.kill();
    let second = work(&options, "ann", WorkerBehaviour::default()).await;
    party.end(10).await;
    second.leave().await;
}

#[tokio::test]
async fn server_may_be_killed_repeatedly() {
    let mut server = NatsServer::start();
    let options = options(&server.url());
    let worker = work(
        &options,
        "ann",
        WorkerBehaviour { per_item: Duration::from_millis(20), ..WorkerBehaviour::default() },
    )
    .await;
    let party = run(&options, "kills", 400).await;
    for round in 1..=4 {
        party.director.until("it continues", |log| log.done.len() > round * 20).await;
        server.kill();
        if round == 4 {
            server.lose_everything();
        }
        tokio::time::sleep(Duration::from_millis(300)).await;
        server.run();
    }
    party.end(400).await;
    worker.leave().await;
}

#[tokio::test]
async fn network_cut_longer_than_a_lease_loses_nothing() {
    let server = NatsServer::start();
    let options = options(&server.url());
    let worker = work(&options, "ann", WorkerBehaviour::default()).await;
    let party = run(&options, "cut", 400).await;
    party.director.until("it has started", |log| log.done.len() > 10).await;
    server.cut();
    tokio::time::sleep(LEASE + Duration::from_secs(1)).await;
    server.mend();
    party.end(400).await;
    worker.leave().await;
}

#[tokio::test]
async fn next_run_completes_after_a_coordinator_is_killed() {
    let server = NatsServer::start();
    let options = options(&server.url());
    let slow = WorkerBehaviour { per_item: Duration::from_mins(10), ..WorkerBehaviour::default() };
    let worker = work(&options, "ann", slow).await;
    let party = run(&options, "first", 10).await;
    party.director.until("something is started", |log| log.events > 0).await;
    party.kill();
    worker.until("it is dropped", |message| matches!(message, ToPlayer::Drop { .. })).await;
    worker.kill();
    let worker = work(&options, "ann", WorkerBehaviour::default()).await;
    run(&options, "second", 10).await.end(10).await;
    worker.leave().await;
}

#[tokio::test]
async fn worker_leaves_items_with_unmet_needs_to_others() {
    let server = NatsServer::start();
    let options = options(&server.url());
    let poor =
        work(&options, "poor", WorkerBehaviour { lacks: Some("need-1"), ..WorkerBehaviour::default() }).await;
    let party = run(&options, "lacks", 40).await;
    party
        .director
        .until("there is a notice", |log| log.notices.iter().any(|said| said.contains("waiting for one")))
        .await;
    let rich = work(&options, "rich", WorkerBehaviour::default()).await;
    let log = party.end(40).await;
    let by = |item: &u64| log.done[item].1.as_str();
    assert!((0..40).filter(|item| item % 2 == 1).all(|item| by(&item) == "rich"), "{log:?}");
    poor.leave().await;
    rich.leave().await;
}

#[tokio::test]
async fn worker_with_repeated_trouble_is_dismissed() {
    let server = NatsServer::start();
    let options = options(&server.url());
    let sick = work(
        &options,
        "sick",
        WorkerBehaviour { trouble: Some("the disk is full"), ..WorkerBehaviour::default() },
    )
    .await;
    let party = run(&options, "trouble", 40).await;
    let is_dismissed =
        |said: &String| said.contains("sick is not used any more") && said.contains("disk is full");
    party.director.until("it is dismissed", |log| log.notices.iter().any(is_dismissed)).await;
    sick.until(
        "it gets the reason",
        |message| matches!(message, ToPlayer::Notice(said) if said.contains("disk is full")),
    )
    .await;
    let well = work(&options, "well", WorkerBehaviour::default()).await;
    let log = party.end(40).await;
    assert!(log.abandoned.is_empty(), "{log:?}");
    well.leave().await;
    sick.leave().await;
}

#[tokio::test]
async fn rejected_worker_is_notified_of_the_reason() {
    let server = NatsServer::start();
    let options = options(&server.url());
    let strange =
        work(&options, "strange", WorkerBehaviour { instance_of_none: true, ..WorkerBehaviour::default() })
            .await;
    let party = run(&options, "away", 10).await;
    let is_turned_away = |said: &String| said.contains("strange is not used");
    party.director.until("there is a notice", |log| log.notices.iter().any(is_turned_away)).await;
    let is_notified = |message: &ToPlayer| matches!(message, ToPlayer::Notice(said) if said.contains("nothing of its slots"));
    strange.until("it gets the reason", is_notified).await;
    let good = work(&options, "good", WorkerBehaviour::default()).await;
    party.end(10).await;
    good.leave().await;
    strange.leave().await;
}

#[tokio::test]
async fn results_larger_than_a_message_arrive_complete() {
    let server = NatsServer::with("max_payload: 65536");
    let options = options(&server.url());
    let worker =
        work(&options, "ann", WorkerBehaviour { chatter: 1 << 20, ..WorkerBehaviour::default() }).await;
    run(&options, "large", 5).await.end(5).await;
    worker.leave().await;
}

#[tokio::test]
async fn batches_no_longer_needed_are_dropped_at_once() {
    let server = NatsServer::start();
    let options = options(&server.url());
    let slow = WorkerBehaviour { per_item: Duration::from_mins(10), ..WorkerBehaviour::default() };
    let worker = work(&options, "ann", slow).await;
    let party = run(&options, "stopped", 10).await;
    party.director.until("something is started", |log| log.events > 0).await;
    party.commands.send(CoordinatorCommand::Stop).unwrap();
    let log = party.end(0).await;
    assert!(log.done.is_empty());
    worker.until("it is dropped", |message| matches!(message, ToPlayer::Drop { .. })).await;
    worker.leave().await;
}

#[tokio::test]
async fn worker_waits_while_the_store_is_full() {
    static IS_FULL: AtomicBool = AtomicBool::new(false);
    let server = NatsServer::stored("", "max_file_store: 1MB");
    let options = options(&server.url());
    let filler = async_nats::jetstream::new(async_nats::connect(server.url()).await.unwrap());
    let stream = Config { name: "FILL".to_owned(), subjects: vec!["fill".to_owned()], ..Config::default() };
    filler.create_stream(stream).await.unwrap();
    let manner = WorkerBehaviour { chatter: 20_000, until: Some(&IS_FULL), ..WorkerBehaviour::default() };
    let worker = work(&options, "ann", manner).await;
    let party = run(&options, "full", 200).await;
    party.director.until("something is started", |log| log.events > 0).await;
    while filler.publish("fill", vec![0; 8_000].into()).await.unwrap().await.is_ok() {}
    IS_FULL.store(true, Ordering::SeqCst);
    let is_full = |message: &ToPlayer| matches!(message, ToPlayer::Notice(said) if said.contains("does not accept a result"));
    worker.until("there is a notice", is_full).await;
    filler.delete_stream("FILL").await.unwrap();
    party.end(200).await;
    worker.leave().await;
}

/// Results that the server still has.
async fn kept_results(jetstream: &async_nats::jetstream::Context) -> u64 {
    jetstream.get_stream("LEYDEN_RESULTS").await.unwrap().cached_info().state.messages
}

#[tokio::test]
async fn server_keeps_a_result_until_it_is_stored() {
    let server = NatsServer::start();
    let options = options(&server.url());
    let worker =
        work(&options, "ann", WorkerBehaviour { per_item: Duration::ZERO, ..WorkerBehaviour::default() })
            .await;
    let party = run(&options, "stored", 0).await;
    party.director.pause_storing();
    for item in 0..20 {
        party.commands.send(CoordinatorCommand::Play { item, needs: Vec::new() }).unwrap();
    }
    party.director.until("all is done", |log| log.done.len() == 20).await;
    let jetstream = async_nats::jetstream::new(async_nats::connect(server.url()).await.unwrap());
    // Longer than the server waits for a receipt: it delivers the results again, and none counts twice.
    tokio::time::sleep(LEASE + Duration::from_secs(1)).await;
    assert!(kept_results(&jetstream).await > 0);
    party.director.resume_storing();
    let forgotten = async {
        while kept_results(&jetstream).await > 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, forgotten).await.expect("the server forgets what is stored");
    party.end(20).await;
    worker.leave().await;
}

#[tokio::test]
async fn bundles_arrive_intact_or_not_at_all() {
    let server = NatsServer::start();
    let connection = Connection::open(&options(&server.url()), "somebody").await.unwrap();
    let bundles = Bundles::new(&connection);
    let party = run(&options(&server.url()), "bundles", 0).await;
    let bytes: Vec<u8> = (0..1_500_000_u32).map(|number| (number % 251) as u8).collect();
    for bytes in [&bytes[..], b"", b"small"] {
        let name = bundles.put(bytes).await.unwrap();
        assert_eq!(bundles.get(&name).await.unwrap(), bytes);
    }
    let changed = bundles.put(b"a bot").await.unwrap();
    let forger = async_nats::jetstream::new(async_nats::connect(server.url()).await.unwrap());
    let subject = format!("leyden.bundles.{changed}.0");
    forger.publish(subject, b"another".as_slice().into()).await.unwrap().await.unwrap();
    let said = bundles.get(&changed).await.unwrap_err().to_string();
    assert!(said.contains("does not match"), "{said}");
    let said = bundles.get(&"0".repeat(64)).await.unwrap_err().to_string();
    assert!(said.contains("not on the server"), "{said}");
    party.end(0).await;
}
