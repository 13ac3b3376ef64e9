//! Networks that are cut for longer than a lease, and come back.

use crate::fixture::Fixture;
use crate::process::NatsServer;
use crate::relay::Relay;

#[test]
fn cut_off_worker_returns_and_nothing_counts_twice() {
    let (server, fixture) = (NatsServer::start(), Fixture::held_up());
    let alone = fixture.alone_without_hold(20);
    let relay = Relay::to(&server.url());
    let mut lonely = fixture.worker(&relay.url(), "lonely");
    let mut run = fixture.shared(20, "cut.db", &server.url(), "2s").start();
    fixture.until_held_up();
    relay.cut();
    fixture.until_said("cut.db", "worker lonely is silent");
    fixture.let_go();
    relay.mend();
    let mut other = fixture.worker(&server.url(), "other");
    run.ends(&fixture);
    fixture.is_as_alone("cut.db", &alone);
    lonely.leaves(&fixture);
    other.leaves(&fixture);
}

#[test]
fn cut_off_run_continues_after_reconnecting() {
    let (server, fixture) = (NatsServer::start(), Fixture::unhurried());
    let alone = fixture.alone(20);
    let relay = Relay::to(&server.url());
    let mut worker = fixture.worker(&server.url(), "ann");
    let mut run = fixture.shared(20, "cut.db", &relay.url(), "2s").start();
    fixture.until_stored("cut.db", 4);
    relay.cut();
    // A worker leaves a run that has become silent.
    fixture.until("the worker is idle", || worker.processes() <= 1);
    relay.mend();
    run.ends(&fixture);
    fixture.is_as_alone("cut.db", &alone);
    worker.leaves(&fixture);
}
