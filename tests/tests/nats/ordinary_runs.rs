//! Runs in which nothing goes wrong.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use leyden_tests::arena::program;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::fixture::{FAKE_BOT, Fixture};
use crate::foreign_client::Stranger;
use crate::process::NatsServer;

#[test]
fn two_workers_play_what_one_machine_plays() {
    let (server, fixture) = (NatsServer::start(), Fixture::unhurried());
    let alone = fixture.alone(20);
    let mut early = fixture.worker(&server.url(), "early");
    let run = fixture.shared(20, "shared.db", &server.url(), "30s").args(&["--json=moves"]);
    let mut run = run.start();
    fixture.until_stored("shared.db", 4);
    let mut late = fixture.worker(&server.url(), "late");
    run.ends(&fixture);
    fixture.is_as_alone("shared.db", &alone);
    let hosts = fixture.hosts("shared.db");
    assert!(hosts.iter().all(|worker| worker == "early" || worker == "late"), "{hosts:?}");
    assert!(hosts.contains(&"early".to_owned()), "{hosts:?}");

    // Each match is reported once, most of them with moves.
    let said = fixture.said("shared.db");
    let events: Vec<Value> = said.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let count = |kind: &str| events.iter().filter(|event| event["event"] == kind).count();
    assert_eq!(count("match"), alone.len());
    assert!(count("move") > 0, "{said}");

    // The run may have ended before the late one was ready.
    let mut roll = String::new();
    let is_complete = (0..300).any(|_| {
        let call = ["workers", "--wait", "2s", "--nats", &server.url()];
        let out = Command::new(program(FAKE_BOT)).args(call).output().unwrap();
        roll = String::from_utf8(out.stdout).unwrap();
        let are_there = ["early", "late"].iter().all(|name| roll.contains(&format!("{name}\n  leyden ")));
        are_there && ["0 of 1 at once", "sandbox", "interpreters"].iter().all(|said| roll.contains(said))
    });
    assert!(is_complete, "{roll}");
    early.leaves(&fixture);
    late.leaves(&fixture);
}

#[test]
fn shared_gate_decides_as_alone_and_frees_workers() {
    let (server, fixture) = (NatsServer::start(), Fixture::new());
    let gate = |name: &str| {
        let gate = fixture.leyden(name).args(&["gate", "builtin:careful", "builtin:random", "--json"]);
        let gate = gate.args(&["--seed", "gate", "--sandbox", "none", "--target", "30", "--turn", "1000s"]);
        gate.args(&["--max-pairs", "300", "--results", &format!("{name}.db")])
    };
    gate("alone").start().ends(&fixture);
    let mut workers = [fixture.worker(&server.url(), "ann"), fixture.worker(&server.url(), "bob")];
    gate("shared").args(&["--nats", &server.url(), "--equal-speed"]).start().ends(&fixture);
    let verdict = |name: &str| {
        let out = fs::read_to_string(fixture.path(&format!("{name}.out"))).unwrap();
        let verdict: Value = serde_json::from_str(&out).unwrap();
        [verdict["answer"].clone(), verdict["test"].clone(), verdict["seed"].clone()]
    };
    assert_eq!(verdict("shared"), verdict("alone"));
    assert_eq!(verdict("alone")[0], "accepted");
    // Work that is no longer needed is dropped: no bots play on.
    for worker in &mut workers {
        fixture.until("a worker is idle", || worker.processes() <= 1);
        worker.leaves(&fixture);
    }
}

#[test]
fn interrupted_run_is_dropped_and_resumes_without_change() {
    let (server, fixture) = (NatsServer::start(), Fixture::held_up());
    let alone = fixture.alone_without_hold(4);
    let mut worker = fixture.worker(&server.url(), "ann");
    let mut run = fixture.shared(4, "called-off.db", &server.url(), "30s").start();
    fixture.until_stored("called-off.db", 2);
    fixture.until_held_up();
    run.signal(Signal::INT);
    run.ends_with(&fixture, 130);
    // They were not released: by themselves they would have stayed.
    fixture.until("its bots are gone", || worker.processes() <= 1);
    assert!(fixture.exported("called-off.db").len() < alone.len());
    fixture.let_go();
    fixture.shared(4, "called-off.db", &server.url(), "30s").args(&["--resume"]).start().ends(&fixture);
    fixture.is_as_alone("called-off.db", &alone);
    assert!(fixture.hosts("called-off.db").iter().all(|worker| worker == "ann"));
    worker.leaves(&fixture);
}

#[test]
fn batch_dropped_mid_match_makes_room_for_next() {
    let (server, fixture) = (NatsServer::start(), Fixture::held_up());
    let alone = fixture.alone_without_hold(4);
    let mut worker = fixture.worker(&server.url(), "ann");
    let mut stranger = Stranger::hearing(&server.url(), "leyden.call.*");
    let mut run = fixture.shared(4, "dropped.db", &server.url(), "2s").start();
    fixture.until_held_up();
    let before = fixture.begun();
    // Any of the first hundred.
    let batches: Vec<u64> = (0..100).collect();
    let drop = json!({ "what": "drop", "run": stranger.hears(), "batches": batches });
    stranger.say("leyden.to.ann", &drop.to_string());
    // It plays one match at a time, and the one that is held up is not released.
    fixture.until("the next one is begun", || fixture.begun() > before);
    fixture.let_go();
    run.ends(&fixture);
    fixture.is_as_alone("dropped.db", &alone);
    worker.leaves(&fixture);
}

#[test]
fn everything_starts_in_any_order() {
    let (mut server, fixture) = (NatsServer::start(), Fixture::new());
    let alone = fixture.alone(6);
    let url = server.url();
    // Until it is run again, nothing listens there.
    server.kill();
    server.lose_everything();
    let mut early = fixture.worker(&url, "early");
    fixture.until_said("early", "waiting for it");
    let mut run = fixture.shared(6, "any.db", &url, "30s").start();
    fixture.until_said("any.db", "waiting for it");
    let mut late = fixture.worker(&url, "late");
    fixture.until_said("late", "waiting for it");
    server.run();
    run.ends(&fixture);
    fixture.is_as_alone("any.db", &alone);
    let hosts = fixture.hosts("any.db");
    assert!(hosts.iter().all(|worker| worker == "early" || worker == "late"), "{hosts:?}");
    early.leaves(&fixture);
    late.leaves(&fixture);
}

#[test]
fn coordinator_plays_too_on_request() {
    let (server, fixture) = (NatsServer::start(), Fixture::new());
    let alone = fixture.alone(6);
    // There is no other worker.
    fixture.shared(6, "both.db", &server.url(), "30s").args(&["--jobs", "1"]).start().ends(&fixture);
    fixture.is_as_alone("both.db", &alone);
    assert!(fixture.hosts("both.db").iter().all(|worker| worker == "nobody"));
}

#[test]
fn run_waiting_for_a_server_can_be_interrupted() {
    let fixture = Fixture::new();
    let mut run = fixture.shared(1, "nowhere.db", "nats://127.0.0.1:1", "30s").start();
    fixture.until_said("nowhere.db", "waiting for it");
    run.signal(Signal::INT);
    run.ends_with(&fixture, 130);
}

#[test]
fn build_longer_than_lease_runs_once_per_worker() {
    let (server, fixture) = (NatsServer::start(), Fixture::new());
    let bot = fixture.path("traveller");
    fs::rename(bot.join("play"), bot.join("source")).unwrap();
    let (built, go) = (fixture.path("built"), fixture.path("go"));
    // The second build, which is the worker's, lasts until it is released.
    let script = format!(
        "echo >> {built}\nuntil [ $(wc -l < {built}) -le 1 ] || [ -e {go} ]; do sleep 0.05; done\ncp source play\n",
        built = built.display(),
        go = go.display()
    );
    fs::write(bot.join("build.sh"), script).unwrap();
    let manifest = "name = \"traveller\"\nbuild = [\"sh\", \"build.sh\"]\ncommand = [\"./play\"]\n";
    fs::write(bot.join("bot.toml"), manifest).unwrap();
    let alone = fixture.alone(6);
    fs::remove_file(&built).unwrap();
    let mut worker = fixture.worker(&server.url(), "ann");
    let mut run = fixture.shared(6, "built.db", &server.url(), "20s").start();
    let builds = || fs::read_to_string(&built).unwrap_or_default().lines().count();
    fixture.until("the worker builds", || builds() == 2);
    // The lease is shorter than the build.
    sleep(Duration::from_secs(22));
    fs::write(go, "").unwrap();
    run.ends(&fixture);
    fixture.is_as_alone("built.db", &alone);
    // Once here, where it is prepared as for any run, and once on the worker.
    assert_eq!(builds(), 2, "{}", fixture.said("built.db"));
    assert!(!fixture.said("built.db").contains("is silent"), "{}", fixture.said("built.db"));
    worker.leaves(&fixture);
}

#[test]
fn pages_show_tables_on_workers() {
    let (server, fixture) = (NatsServer::start(), Fixture::unhurried());
    // So much that it does not end before it is interrupted.
    let run = fixture.shared(5_000, "seen.db", &server.url(), "30s");
    let mut run = run.args(&["--serve=127.0.0.1:0", "--delay", "none"]).start();
    fixture.until_said("seen.db", "http://127.0.0.1:");
    let said = fixture.said("seen.db");
    let address = said.split("http://").nth(1).and_then(|rest| rest.split('/').next()).unwrap().trim();
    let mut viewer = TcpStream::connect(address).unwrap();
    write!(viewer, "GET /events HTTP/1.1\r\nHost: {address}\r\n\r\n").unwrap();
    let mut worker = fixture.worker(&server.url(), "ann");
    let mut heard = Vec::new();
    for line in BufReader::new(viewer).lines().map_while(Result::ok) {
        heard.push(line);
        if heard.last().is_some_and(|line| line == "event: table") {
            break;
        }
    }
    assert_eq!(heard.last().map(String::as_str), Some("event: table"), "{heard:#?}");
    run.signal(Signal::INT);
    run.ends_with(&fixture, 130);
    worker.leaves(&fixture);
}
