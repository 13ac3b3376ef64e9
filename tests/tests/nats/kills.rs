//! Processes that are killed or frozen.

use rustix::process::Signal;

use crate::fixture::Fixture;
use crate::process::NatsServer;
use crate::relay::{Direction, Relay};

#[test]
fn every_match_counts_once_despite_kills_and_freezes() {
    let (mut server, fixture) = (NatsServer::start(), Fixture::held_up());
    let alone = fixture.alone_without_hold(40);
    let (mut killed, mut frozen) =
        (fixture.worker(&server.url(), "killed"), fixture.worker(&server.url(), "frozen"));
    let mut run = fixture.shared(40, "hard.db", &server.url(), "2s").start();
    killed.until_it_plays(&fixture);
    frozen.until_it_plays(&fixture);
    killed.kill();
    frozen.signal(Signal::STOP);
    let mut other = fixture.worker(&server.url(), "other");
    fixture.until_said("hard.db", "worker frozen is silent");
    fixture.let_go();
    fixture.until_stored("hard.db", 40);
    run.kill();
    run = fixture.shared(40, "hard.db", &server.url(), "2s").args(&["--resume"]).start();
    frozen.signal(Signal::CONT);
    for round in 1..=4 {
        fixture.until_stored("hard.db", 40 + round * 30);
        server.kill();
        server.run();
    }
    run.ends(&fixture);
    fixture.is_as_alone("hard.db", &alone);
    frozen.leaves(&fixture);
    other.leaves(&fixture);
}

#[test]
fn worker_killed_mid_match_changes_no_result() {
    let (server, fixture) = (NatsServer::start(), Fixture::held_up());
    let alone = fixture.alone_without_hold(6);
    let mut killed = fixture.worker(&server.url(), "killed");
    let mut run = fixture.shared(6, "middle.db", &server.url(), "2s").start();
    fixture.until_held_up();
    killed.kill();
    fixture.let_go();
    let mut other = fixture.worker(&server.url(), "other");
    run.ends(&fixture);
    fixture.is_as_alone("middle.db", &alone);
    other.leaves(&fixture);
}

#[test]
fn result_counts_if_worker_dies_before_its_receipt() {
    let (server, fixture) = (NatsServer::start(), Fixture::new());
    let alone = fixture.alone(6);
    // The server has its first result, and this worker never learns of it.
    let relay = Relay::with_trap(&server.url(), Direction::FromServer, "\"stream\":\"LEYDEN_RESULTS\"");
    let mut killed = fixture.worker(&relay.url(), "ann");
    let mut run = fixture.shared(6, "receipt.db", &server.url(), "30s").start();
    relay.until_caught();
    killed.kill();
    // The server learns that nobody reads there any more.
    relay.mend();
    fixture.until_stored("receipt.db", 1);
    // A new process of its name replaces it before its lease ends.
    let mut next = fixture.worker(&server.url(), "ann");
    run.ends(&fixture);
    fixture.is_as_alone("receipt.db", &alone);
    next.leaves(&fixture);
}

#[test]
fn coordinator_killed_before_its_receipt_stores_nothing_twice() {
    let (server, fixture) = (NatsServer::start(), Fixture::new());
    let alone = fixture.alone(6);
    let relay = Relay::with_trap(&server.url(), Direction::ToServer, "$JS.ACK.LEYDEN_RESULTS");
    let mut worker = fixture.worker(&server.url(), "ann");
    let mut run = fixture.shared(6, "receipt.db", &relay.url(), "2s").start();
    relay.until_caught();
    fixture.until_stored("receipt.db", 1);
    run.kill();
    fixture.shared(6, "receipt.db", &server.url(), "2s").args(&["--resume"]).start().ends(&fixture);
    fixture.is_as_alone("receipt.db", &alone);
    worker.leaves(&fixture);
}

#[test]
fn worker_frozen_beyond_its_lease_rejoins_the_run() {
    let (server, fixture) = (NatsServer::start(), Fixture::held_up());
    let alone = fixture.alone_without_hold(20);
    let mut frozen = fixture.worker(&server.url(), "frozen");
    let mut run = fixture.shared(20, "frozen.db", &server.url(), "2s").start();
    fixture.until_held_up();
    frozen.signal(Signal::STOP);
    fixture.until_said("frozen.db", "worker frozen is silent");
    fixture.let_go();
    frozen.signal(Signal::CONT);
    // There is no other worker.
    run.ends(&fixture);
    fixture.is_as_alone("frozen.db", &alone);
    frozen.leaves(&fixture);
}

#[test]
fn leaving_worker_hands_back_its_batches() {
    let (server, fixture) = (NatsServer::start(), Fixture::held_up());
    let alone = fixture.alone_without_hold(6);
    let mut leaving = fixture.worker(&server.url(), "leaving");
    // The lease is a thousand seconds: what the worker had is handed back, without waiting for it.
    let mut run = fixture.shared(6, "leaving.db", &server.url(), "1000s").start();
    fixture.until_held_up();
    leaving.leaves(&fixture);
    fixture.let_go();
    let mut other = fixture.worker(&server.url(), "other");
    run.ends(&fixture);
    fixture.is_as_alone("leaving.db", &alone);
    assert!(fixture.hosts("leaving.db").iter().any(|worker| worker == "other"));
    other.leaves(&fixture);
}

#[test]
fn server_that_lost_everything_gets_bots_again() {
    let (mut server, fixture) = (NatsServer::start(), Fixture::unhurried());
    let alone = fixture.alone(20);
    let mut early = fixture.worker(&server.url(), "early");
    let mut run = fixture.shared(20, "lost.db", &server.url(), "2s").start();
    fixture.until_stored("lost.db", 4);
    server.kill();
    server.lose_everything();
    early.kill();
    server.run();
    // It has none of the bots.
    let mut late = fixture.worker(&server.url(), "late");
    run.ends(&fixture);
    fixture.is_as_alone("lost.db", &alone);
    late.leaves(&fixture);
}

#[test]
fn run_waits_while_the_servers_disk_is_full() {
    let Some(mut server) = NatsServer::on_a_small_disk() else {
        eprintln!("untested: a small disk cannot be mounted here");
        return;
    };
    let fixture = Fixture::held_up();
    let alone = fixture.alone_without_hold(40);
    let mut worker = fixture.worker(&server.url(), "ann");
    let mut run = fixture.shared(40, "full.db", &server.url(), "2s").start();
    fixture.until_held_up();
    server.fill_disk();
    fixture.let_go();
    fixture.until("somebody notices", || {
        fixture.said("full.db").contains("the NATS server") || fixture.said("ann").contains("the NATS server")
    });
    server.empty_disk();
    // It stores nothing more until it is restarted.
    server.kill();
    server.run();
    run.ends(&fixture);
    fixture.is_as_alone("full.db", &alone);
    worker.leaves(&fixture);
}
