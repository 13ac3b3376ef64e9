//! Workers that may not play, or cannot play everything, and those that lie.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;

use leyden_tests::arena::program;
use rustix::process::Signal;
use serde_json::json;

use crate::fixture::{FAKE_BOT, Fixture, path_of};
use crate::foreign_client::{Said, Stranger};
use crate::process::NatsServer;

#[test]
fn worker_with_wrong_version_or_sandbox_is_rejected() {
    let (server, fixture) = (NatsServer::start(), Fixture::new());
    let choosy = |more: &[&str]| {
        let run = fixture.leyden("choosy.db").args(&["tournament", "builtin:careful", "builtin:greedy"]);
        let run = run.args(&["--seed", "choosy", "--sandbox", "restrict", "--target", "30", "--blocks", "3"]);
        run.args(&["--results", "choosy.db", "--nats", &server.url()]).args(more).start()
    };
    let mut run = choosy(&[]);
    let mut stranger = Stranger::hearing(&server.url(), "leyden.call.*");
    stranger.hears();
    let card = |version: &str, levels: &[&str]| {
        json!({
            "version": version, "slots": 64, "cores": 64, "speed": 1, "levels": levels,
            "interpreters": [], "playing": 0, "tournament": null, "load": 0.0,
        })
    };
    let ours = env!("CARGO_PKG_VERSION");
    for (name, v, card, why) in [
        ("old", 1, card("0.0.1", &["jail", "restrict", "none"]), "leyden 0.0.1"),
        ("open", 1, card(ours, &["none"]), "restrict does not hold there"),
        ("slow", 1, card(ours, &["restrict"]), "times as fast"),
        ("new", 2, json!({}), "another version of leyden"),
        ("odd", 1, json!({ "version": [] }), "another version of leyden"),
    ] {
        let hello = json!({
            "v": v, "name": name, "instance": name, "holds": [], "leaving": false, "card": card,
        });
        stranger.say(&format!("leyden.hello.{name}"), &hello.to_string());
        fixture.until_said("choosy.db", &format!("worker {name} is not used"));
        assert!(fixture.said("choosy.db").contains(why), "{why}: {}", fixture.said("choosy.db"));
    }
    run.signal(Signal::TERM);
    run.ends_with(&fixture, 130);
    // The speed of a busy machine is not the subject of this test.
    let mut good = fixture.worker(&server.url(), "good");
    choosy(&["--resume", "--equal-speed"]).ends(&fixture);
    assert!(fixture.hosts("choosy.db").iter().all(|worker| worker == "good"));
    good.leaves(&fixture);
}

#[test]
fn worker_without_an_interpreter_leaves_bots_to_others() {
    let (server, fixture) = (NatsServer::start(), Fixture::new());
    let bot = fixture.path("script");
    fs::create_dir(&bot).unwrap();
    fs::write(bot.join("bot.toml"), "name = \"script\"\ncommand = [\"python3\", \"bot.py\"]\n").unwrap();
    fs::write(bot.join("bot.py"), SCRIPT).unwrap();
    let tournament = |name: &str| {
        let program =
            fixture.leyden(name).args(&["tournament", "builtin:careful", "builtin:greedy", "script"]);
        let program = program.args(&["--seed", "scripts", "--sandbox", "none", "--target", "30"]);
        program.args(&["--turn", "1000s", "--startup", "1000s", "--blocks", "4", "--results", name])
    };
    tournament("alone.db").start().ends(&fixture);
    path_of(&fixture.path("bin"), &["sh"]);
    let mut poor = fixture.leyden("poor");
    poor.command.env("PATH", fixture.path("bin"));
    let poor = poor.args(&["worker", "--nats", &server.url(), "--name", "poor", "--jobs", "1"]);
    let mut poor = poor.start();
    let mut run = tournament("shared.db").args(&["--nats", &server.url(), "--equal-speed"]).start();
    fixture.until_said("shared.db", "no connected worker can play script");
    assert!(fixture.said("shared.db").contains("worker poor cannot play script"));
    let mut rich = fixture.worker(&server.url(), "rich");
    run.ends(&fixture);
    fixture.is_as_alone("shared.db", &fixture.exported("alone.db"));
    poor.leaves(&fixture);
    rich.leaves(&fixture);
}

/// Draws while it can, and otherwise plays the first legal action.
const SCRIPT: &str = r#"
import json, sys
for line in sys.stdin:
    said = json.loads(line)
    if said["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": "1.0", "name": "script"}), flush=True)
    if said["type"] == "turn":
        print(json.dumps({"type": "action", "id": said["id"], "action": said["legal"][0]}), flush=True)
"#;

#[test]
fn worker_with_changed_files_does_not_play_them() {
    let (server, fixture) = (NatsServer::start(), Fixture::new());
    // The files of a command line stay here: a worker that has other files of these names must not play them.
    let script = fixture.path("script");
    fs::copy(FAKE_BOT, &script).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let line = format!("{} --blank-at-turn 9999", script.display());
    let mut run =
        fixture.leyden("changed.db").args(&["match", "builtin:careful", &line, "--sandbox", "none"]);
    run = run.args(&["--target", "10", "--results", "changed.db", "--nats", &server.url(), "--equal-speed"]);
    let _run = run.start();
    fixture.until_said("changed.db", "no worker is connected");
    fs::remove_file(&script).unwrap();
    fs::write(&script, "#!/bin/sh\n").unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let mut worker = fixture.worker(&server.url(), "poor");
    fixture.until_said("changed.db", "no connected worker can play");
    assert!(fixture.said("poor").contains("is not played here: the hash of "), "{}", fixture.said("poor"));
    worker.leaves(&fixture);
}

#[test]
fn bundle_changed_on_server_is_refused_and_restored() {
    let (server, fixture) = (NatsServer::start(), Fixture::new());
    let other = fixture.path("other");
    fs::create_dir(&other).unwrap();
    let leyden = program(FAKE_BOT);
    let manifest = format!("name = \"other\"\ncommand = [\"{}\", \"bot\", \"greedy\"]\n", leyden.display());
    fs::write(other.join("bot.toml"), manifest).unwrap();
    let other = [other.to_str().unwrap(), "--allow-builtins"];
    fixture.tournament(2, "alone.db").args(&other).start().ends(&fixture);
    let alone = fixture.exported("alone.db");
    let mut admin = Stranger::hearing(&server.url(), "leyden.bundles.>");
    let mut run = fixture.shared(2, "swapped.db", &server.url(), "30s").args(&other).start();
    // All bundles are there by then.
    fixture.until_said("swapped.db", "no worker is connected");
    let bundles = admin.all_heard();
    let name = |subject: &str| subject.split('.').nth(2).unwrap().to_owned();
    let names: BTreeSet<String> = bundles.iter().map(|piece| name(&piece.subject)).collect();
    let [one, another] = names.iter().collect::<Vec<_>>()[..] else { panic!("two bundles, not {names:?}") };
    // Each is a bot that could be played, under the name of the other.
    for Said { subject, payload } in &bundles {
        let name = name(subject);
        let swapped = subject.replace(&name, if name == *one { another } else { one });
        admin.stores(&swapped, payload);
    }
    let mut worker = fixture.worker(&server.url(), "ann");
    fixture.until_said("ann", "does not match");
    fixture.until_said("swapped.db", "it is restored");
    // A worker that could not play five times in a row is not used again.
    let mut late = fixture.worker(&server.url(), "late");
    run.ends(&fixture);
    fixture.is_as_alone("swapped.db", &alone);
    worker.leaves(&fixture);
    late.leaves(&fixture);
}

#[test]
fn forged_result_does_not_count() {
    let (server, fixture) = (NatsServer::start(), Fixture::held_up());
    let alone = fixture.alone_without_hold(6);
    let mut worker = fixture.worker(&server.url(), "ann");
    let mut forger = Stranger::hearing(&server.url(), "leyden.call.*");
    let mut run = fixture.shared(6, "forged.db", &server.url(), "1000s").start();
    let name = forger.hears();
    // The worker holds a batch until the forger has spoken in its name.
    fixture.until_held_up();
    let headers = "Leyden-Secret: 0123456789abcdef0123456789abcdef\r\nLeyden-Last: 1";
    for who in ["ann", "bob"] {
        for batch in 0..20 {
            forger.say_with(&format!("leyden.results.{name}.{who}.{batch}.9"), headers, "no result");
        }
    }
    fixture.until_said("forged.db", "a result sent as ann is ignored");
    fixture.until_said("forged.db", "a result sent as bob is ignored");
    fixture.let_go();
    run.ends(&fixture);
    fixture.is_as_alone("forged.db", &alone);
    worker.leaves(&fixture);
}
