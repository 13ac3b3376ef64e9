//! A league over workers: versions that come reach them, and every match counts once, no matter what dies.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use leyden_tests::arena::program;
use rustix::process::Signal;

use crate::fixture::{FAKE_BOT, Fixture, Program};
use crate::process::NatsServer;

/// A fixture with a league's folder `bots`, and limits that no bot reaches.
fn fixture() -> Fixture {
    let fixture = Fixture::new();
    fs::create_dir(fixture.path("bots")).unwrap();
    let options = "turn = \"1000s\"\nstartup = \"1000s\"\nsandbox = \"none\"\ntarget = 20\n";
    fs::write(fixture.path("slow.toml"), options).unwrap();
    fixture
}

/// Hands in a bot that takes its time, so that something can happen while matches are played; another delay is another version.
fn hand_in(fixture: &Fixture, name: &str, delay: u32) {
    let (new, entry) = (fixture.path("bots/.new"), fixture.path("bots").join(name));
    fs::create_dir(&new).unwrap();
    fs::copy(FAKE_BOT, new.join("play")).unwrap();
    let manifest = format!(
        "name = \"{name}\"\ncommand = [\"./play\", \"--wait-at-turn\", \"3\", \"--delay\", \"{delay}\"]\n"
    );
    fs::write(new.join("bot.toml"), manifest).unwrap();
    let _ = fs::remove_dir_all(&entry);
    fs::rename(new, entry).unwrap();
}

fn league(fixture: &Fixture, url: &str) -> Program {
    let mut league = fixture.leyden("league.db");
    league.command.args(["league", "bots", "--results", "league.db", "--config", "slow.toml"]);
    league.args(&["--nats", url, "--lease", "2s", "--equal-speed"])
}

/// # Panics
/// Unless every match that is stored follows from the schedule, once.
fn is_sound(fixture: &Fixture) {
    let verified =
        Command::new(program(FAKE_BOT)).arg("verify").arg(fixture.path("league.db")).output().unwrap();
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stdout));
    let matches = fixture.exported("league.db");
    let ids: BTreeSet<&str> = matches.iter().filter_map(|record| record["match"].as_str()).collect();
    assert_eq!(ids.len(), matches.len());
}

fn until_played(fixture: &Fixture, version: &str) {
    fixture.until(&format!("{version} has played"), || {
        let played =
            |record: &serde_json::Value| record["bots"].as_array().unwrap().iter().any(|bot| bot == version);
        fixture.exported("league.db").iter().any(played)
    });
}

#[test]
fn league_over_workers_survives_what_dies() {
    let (server, fixture) = (NatsServer::start(), fixture());
    hand_in(&fixture, "ann", 20);
    hand_in(&fixture, "bob", 21);
    let mut killed = fixture.worker(&server.url(), "killed");
    let mut run = league(&fixture, &server.url()).start();
    fixture.until_said("league.db", "bob v1 plays");
    until_played(&fixture, "ann v1");

    // A version that comes reaches the workers.
    hand_in(&fixture, "bob", 22);
    fixture.until_said("league.db", "bob v2 plays");
    until_played(&fixture, "bob v2");
    killed.kill();
    let mut other = fixture.worker(&server.url(), "other");
    fixture.until_said("league.db", "worker killed is silent");
    let count = fixture.exported("league.db").len();
    fixture.until_stored("league.db", count + 4);

    run.kill();
    is_sound(&fixture);
    let count = fixture.exported("league.db").len();
    let mut run = league(&fixture, &server.url()).start();
    fixture.until_stored("league.db", count + 4);
    hand_in(&fixture, "cy", 23);
    until_played(&fixture, "cy v1");
    run.signal(Signal::INT);
    run.ends_with(&fixture, 130);
    is_sound(&fixture);
    let hosts: BTreeSet<String> = fixture.hosts("league.db").into_iter().collect();
    assert_eq!(hosts, BTreeSet::from(["killed".to_owned(), "other".to_owned()]));
    other.leaves(&fixture);
}

#[test]
fn league_without_workers_takes_versions_and_ends() {
    let (server, fixture) = (NatsServer::start(), fixture());
    hand_in(&fixture, "ann", 20);
    hand_in(&fixture, "bob", 21);
    let mut run = league(&fixture, &server.url()).start();
    fixture.until_said("league.db", "waiting for one");
    hand_in(&fixture, "bob", 22);
    fixture.until_said("league.db", "bob v2 plays");
    run.signal(Signal::INT);
    run.ends_with(&fixture, 130);
    league(&fixture, &server.url()).args(&["--for", "3s"]).start().ends(&fixture);

    // It plays here if that is requested.
    league(&fixture, &server.url()).args(&["--jobs", "1", "--pairs", "2"]).start().ends(&fixture);
    is_sound(&fixture);
    assert!(fixture.hosts("league.db").iter().all(|worker| worker == "nobody"));
}

#[test]
fn challenge_is_played_by_workers() {
    let (server, fixture) = (NatsServer::start(), fixture());
    hand_in(&fixture, "ann", 1);
    hand_in(&fixture, "bob", 2);
    let mut invite = Command::new(program(FAKE_BOT));
    let invited =
        invite.args(["league", "invite"]).arg(fixture.path("league.db")).arg("ann").output().unwrap();
    let token = String::from_utf8(invited.stdout).unwrap().trim().split('\t').nth(1).unwrap().to_owned();
    let mut worker = fixture.worker(&server.url(), "ann-s-machine");
    let mut run = league(&fixture, &server.url()).args(&["--intake", "--serve=127.0.0.1:0"]).start();
    fixture.until_said("league.db", "bob v1 plays");
    let said = fixture.said("league.db");
    let address = said.lines().find_map(|line| line.strip_prefix("http://")).unwrap().to_owned();
    let mut challenge = fixture.leyden("challenge");
    challenge.command.env("LEYDEN_TOKEN", token).args(["submit", "--challenge", "bob", "--to"]);
    challenge.args(&[&format!("http://{address}")]).start().ends(&fixture);
    assert!(fixture.said("challenge").contains("ann, challenge 1 of bob"), "{}", fixture.said("challenge"));
    assert_eq!(fixture.hosts("league.challenges/ann/1.db"), ["ann-s-machine", "ann-s-machine"]);
    run.signal(Signal::INT);
    run.ends_with(&fixture, 130);
    worker.leaves(&fixture);
}
