//! Networks that are cut for longer than a lease, and come back.

use crate::place::Place;
use crate::process::NatsServer;
use crate::relay::Relay;

#[test]
fn cut_off_worker_returns_and_nothing_counts_twice() {
    let (server, place) = (NatsServer::start(), Place::unhurried());
    let alone = place.alone(20);
    let relay = Relay::to(&server.url());
    let mut lonely = place.worker(&relay.url(), "lonely");
    let mut run = place.shared(20, "cut.db", &server.url(), "2s").start();
    place.until_stored("cut.db", 4);
    relay.cut();
    place.until_said("cut.db", "worker lonely is silent");
    relay.mend();
    let mut other = place.worker(&server.url(), "other");
    run.ends(&place);
    place.is_as_alone("cut.db", &alone);
    lonely.leaves(&place);
    other.leaves(&place);
}

#[test]
fn cut_off_run_continues_after_reconnecting() {
    let (server, place) = (NatsServer::start(), Place::unhurried());
    let alone = place.alone(20);
    let relay = Relay::to(&server.url());
    let mut worker = place.worker(&server.url(), "ann");
    let mut run = place.shared(20, "cut.db", &relay.url(), "2s").start();
    place.until_stored("cut.db", 4);
    relay.cut();
    // A worker gives up a run that has become silent.
    place.until("the worker is idle", || worker.processes() <= 1);
    relay.mend();
    run.ends(&place);
    place.is_as_alone("cut.db", &alone);
    worker.leaves(&place);
}
