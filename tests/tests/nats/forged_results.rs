//! A worker that reports what the bots did not do.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use crate::fixture::{FAKE_BOT, Fixture, Running};
use crate::process::NatsServer;

/// A folder in which the program that the bot's manifest names plays, once released, like the fake bot with these
/// switches.
fn player(fixture: &Fixture, folder: &str, switches: &str) -> PathBuf {
    let folder = fixture.path(folder);
    fs::create_dir(&folder).unwrap();
    let program = folder.join("player-of-leyden-test");
    let go = fixture.path("go");
    let wait = format!("until [ -e {} ]; do sleep 0.05; done", go.display());
    fs::write(&program, format!("#!/bin/sh\n{wait}\nexec {FAKE_BOT} {switches}\n")).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

/// The programs of that folder, before all others.
fn with_player(folder: &std::path::Path) -> String {
    format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default())
}

fn worker(fixture: &Fixture, url: &str, name: &str, player: &std::path::Path) -> Running {
    let mut worker = fixture.leyden(name);
    worker.command.args(["worker", "--nats", url, "--name", name, "--jobs", "1"]);
    worker.command.env("PATH", with_player(player));
    worker.start()
}

#[test]
fn worker_whose_records_differ_is_named() {
    let (server, fixture) = (NatsServer::start(), Fixture::new());
    let manifest = "name = \"traveller\"\ncommand = [\"player-of-leyden-test\"]\n";
    fs::write(fixture.path("traveller").join("bot.toml"), manifest).unwrap();
    let (honest, contrary) = (player(&fixture, "honest", ""), player(&fixture, "contrary", "--contrary"));
    for (results, second, is_named) in [("alike.db", &honest, false), ("forged.db", &contrary, true)] {
        let mut first = worker(&fixture, &server.url(), "first", &honest);
        let mut other = worker(&fixture, &server.url(), "second", second);
        let mut run = fixture.shared(40, results, &server.url(), "30s");
        run.command.env("PATH", with_player(&honest));
        let mut run = run.start();
        first.until_it_plays(&fixture);
        other.until_it_plays(&fixture);
        fixture.let_go();
        run.ends(&fixture);
        fs::remove_file(fixture.path("go")).unwrap();
        first.leaves(&fixture);
        other.leaves(&fixture);
        let (said, hosts) = (fixture.said(results), fixture.hosts(results));
        assert!(["first", "second"].iter().all(|name| hosts.iter().any(|host| host == name)), "{said}");
        let names = |worker: &str| said.contains(&format!("warning: worker {worker} reported match"));
        assert_eq!((names("first"), names("second")), (false, is_named), "{said}");
        if is_named {
            assert!(said.contains("traveller answers differently"), "{said}");
            assert!(said.contains("do not trust what second has played"), "{said}");
        }
    }
}
