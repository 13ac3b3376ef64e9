//! Processes that are killed or frozen.

use rustix::process::Signal;

use crate::place::Place;
use crate::process::NatsServer;
use crate::relay::{Direction, Relay};

#[test]
fn every_match_counts_once_despite_kills_and_freezes() {
    let (mut server, place) = (NatsServer::start(), Place::unhurried());
    let alone = place.alone(40);
    let (mut killed, mut frozen) =
        (place.worker(&server.url(), "killed"), place.worker(&server.url(), "frozen"));
    let mut run = place.shared(40, "hard.db", &server.url(), "2s").start();
    place.until_stored("hard.db", 10);
    killed.kill();
    frozen.signal(Signal::STOP);
    let mut other = place.worker(&server.url(), "other");
    place.until_said("hard.db", "worker frozen is silent");
    place.until_stored("hard.db", 40);
    run.kill();
    run = place.shared(40, "hard.db", &server.url(), "2s").args(&["--resume"]).start();
    frozen.signal(Signal::CONT);
    for round in 1..=4 {
        place.until_stored("hard.db", 40 + round * 30);
        server.kill();
        server.run();
    }
    run.ends(&place);
    place.is_as_alone("hard.db", &alone);
    frozen.leaves(&place);
    other.leaves(&place);
}

#[test]
fn worker_killed_mid_match_changes_no_result() {
    let (server, place) = (NatsServer::start(), Place::with_bot("--wait-at-turn 3 --delay 100"));
    let alone = place.alone(6);
    let mut killed = place.worker(&server.url(), "killed");
    let mut run = place.shared(6, "middle.db", &server.url(), "2s").args(&["--json=moves"]).start();
    place.until_said("middle.db", "\"move\"");
    killed.kill();
    let mut other = place.worker(&server.url(), "other");
    run.ends(&place);
    place.is_as_alone("middle.db", &alone);
    other.leaves(&place);
}

#[test]
fn result_counts_if_worker_dies_before_its_receipt() {
    let (server, place) = (NatsServer::start(), Place::new());
    let alone = place.alone(6);
    // The server has its first result, and this worker never learns of it.
    let relay = Relay::with_trap(&server.url(), Direction::FromServer, "\"stream\":\"LEYDEN_RESULTS\"");
    let mut killed = place.worker(&relay.url(), "killed");
    let mut run = place.shared(6, "receipt.db", &server.url(), "2s").start();
    relay.until_caught();
    killed.kill();
    place.until_stored("receipt.db", 1);
    let mut other = place.worker(&server.url(), "other");
    run.ends(&place);
    place.is_as_alone("receipt.db", &alone);
    assert!(place.hosts("receipt.db").iter().any(|worker| worker == "killed"));
    other.leaves(&place);
}

#[test]
fn coordinator_killed_before_its_receipt_stores_nothing_twice() {
    let (server, place) = (NatsServer::start(), Place::new());
    let alone = place.alone(6);
    let relay = Relay::with_trap(&server.url(), Direction::ToServer, "$JS.ACK.LEYDEN_RESULTS");
    let mut worker = place.worker(&server.url(), "ann");
    let mut run = place.shared(6, "receipt.db", &relay.url(), "2s").start();
    relay.until_caught();
    place.until_stored("receipt.db", 1);
    run.kill();
    place.shared(6, "receipt.db", &server.url(), "2s").args(&["--resume"]).start().ends(&place);
    place.is_as_alone("receipt.db", &alone);
    worker.leaves(&place);
}

#[test]
fn worker_frozen_beyond_its_lease_rejoins_the_run() {
    let (server, place) = (NatsServer::start(), Place::unhurried());
    let alone = place.alone(20);
    let mut frozen = place.worker(&server.url(), "frozen");
    let mut run = place.shared(20, "frozen.db", &server.url(), "2s").start();
    place.until_stored("frozen.db", 4);
    frozen.signal(Signal::STOP);
    place.until_said("frozen.db", "worker frozen is silent");
    frozen.signal(Signal::CONT);
    // There is no other worker.
    run.ends(&place);
    place.is_as_alone("frozen.db", &alone);
    frozen.leaves(&place);
}

#[test]
fn leaving_worker_hands_back_its_batches() {
    let (server, place) = (NatsServer::start(), Place::with_bot("--wait-at-turn 3 --delay 100"));
    let alone = place.alone(6);
    let mut leaving = place.worker(&server.url(), "leaving");
    // The lease is a thousand seconds: what the worker had is handed back, without waiting for it.
    let mut run = place.shared(6, "leaving.db", &server.url(), "1000s").args(&["--json=moves"]).start();
    place.until_said("leaving.db", "\"move\"");
    leaving.leaves(&place);
    let mut other = place.worker(&server.url(), "other");
    run.ends(&place);
    place.is_as_alone("leaving.db", &alone);
    assert!(place.hosts("leaving.db").iter().any(|worker| worker == "other"));
    other.leaves(&place);
}

#[test]
fn server_that_lost_everything_gets_bots_again() {
    let (mut server, place) = (NatsServer::start(), Place::unhurried());
    let alone = place.alone(20);
    let mut early = place.worker(&server.url(), "early");
    let mut run = place.shared(20, "lost.db", &server.url(), "2s").start();
    place.until_stored("lost.db", 4);
    server.kill();
    server.lose_everything();
    early.kill();
    server.run();
    // It has none of the bots.
    let mut late = place.worker(&server.url(), "late");
    run.ends(&place);
    place.is_as_alone("lost.db", &alone);
    late.leaves(&place);
}

#[test]
fn run_waits_while_the_servers_disk_is_full() {
    let Some(mut server) = NatsServer::on_a_small_disk() else {
        eprintln!("untested: a small disk cannot be mounted here");
        return;
    };
    let place = Place::unhurried();
    let alone = place.alone(40);
    let mut worker = place.worker(&server.url(), "ann");
    let mut run = place.shared(40, "full.db", &server.url(), "2s").start();
    place.until_stored("full.db", 10);
    server.fill_disk();
    place.until("somebody notices", || {
        place.said("full.db").contains("the NATS server") || place.said("ann").contains("the NATS server")
    });
    server.empty_disk();
    // It stores nothing more until it is restarted.
    server.kill();
    server.run();
    run.ends(&place);
    place.is_as_alone("full.db", &alone);
    worker.leaves(&place);
}
