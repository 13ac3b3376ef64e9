//! Options, logins and permissions.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use leyden_tests::arena::program;

use crate::fixture::{FAKE_BOT, Fixture, Program};
use crate::process::NatsServer;

/// The folder of files that users copy.
const DEPLOY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../arena/nats/deploy");

/// The page that users copy from.
const CONFIGURATION: &str = include_str!("../../../arena/nats/deploy/nats-server.conf");

fn refused(arguments: &[&str]) -> String {
    let out = Command::new(program(FAKE_BOT)).args(arguments).output().unwrap();
    assert_eq!(out.status.code(), Some(2), "{arguments:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stderr).unwrap()
}

fn login(fixture: &Fixture, name: &str, text: &str, mode: u32) -> PathBuf {
    let path = fixture.path(name);
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    path
}

#[test]
fn mistyped_options_are_reported() {
    let fixture = Fixture::new();
    assert!(
        refused(&["worker", "--nats", "nats://ann:secret@localhost"]).contains("must not hold a password")
    );
    assert!(refused(&["workers", "--nats", "nats://a:port"]).contains("is not the address"));
    assert!(refused(&["worker", "--nats", "nats://localhost", "--name", "a.b"]).contains("--name"));
    assert!(
        refused(&["tournament", "builtin:careful", "builtin:greedy", "--lease", "2s"]).contains("--nats")
    );
    let path = login(&fixture, "login", "ann:secret", 0o644).display().to_string();
    assert!(refused(&["workers", "--nats", "nats://localhost", "--nats-login", &path]).contains("chmod 600"));
}

#[test]
fn login_from_systemd_is_used() {
    let fixture = Fixture::new();
    // It appears to be readable by a group that has no other member.
    let path = login(&fixture, "login", "ann:secret", 0o440);
    let asks = |credentials: &Path| {
        let mut leyden = Command::new(program(FAKE_BOT));
        leyden.args(["workers", "--nats", "nats://127.0.0.1:1", "--nats-login"]).arg(&path);
        let out = leyden.env("CREDENTIALS_DIRECTORY", credentials).output().unwrap();
        (out.status.code(), String::from_utf8(out.stderr).unwrap())
    };
    let (code, said) = asks(path.parent().unwrap());
    assert_eq!(code, Some(5), "{said}");
    assert!(said.contains("cannot reach a NATS server"), "{said}");
    let (code, said) = asks(Path::new("/somewhere-else"));
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("chmod 600"), "{said}");
}

#[test]
fn bot_inherits_no_login() {
    let fixture = Fixture::new();
    let seen = fixture.path("environment");
    let script = format!("env > {}; exec ./play", seen.display());
    let manifest = format!("name = \"traveller\"\ncommand = [\"sh\", \"-c\", \"{script}\"]\n");
    fs::write(fixture.path("traveller").join("bot.toml"), manifest).unwrap();
    let users = CONFIGURATION.find("authorization").map(|start| &CONFIGURATION[start..]).unwrap();
    let server = NatsServer::with(users);
    let mut run = fixture.shared(1, "login.db", &server.url(), "30s").args(&["--jobs", "1"]);
    run.command.env("LEYDEN_NATS_LOGIN", "organiser:choose another");
    run.start().ends(&fixture);
    let seen = fs::read_to_string(seen).unwrap();
    assert!(seen.contains("PATH=") && !seen.contains("choose another"), "{seen}");
}

#[test]
fn sample_configuration_lets_only_named_workers_play() {
    let fixture = Fixture::new();
    let alone = fixture.alone(6);
    let users = CONFIGURATION.find("authorization").map(|start| &CONFIGURATION[start..]).unwrap();
    let server = NatsServer::with(users);
    let file = |name: &str, text: &str| login(&fixture, name, text, 0o600).display().to_string();
    let node = file("node-login", "node-1:choose another, too\n");
    let organiser = file("organiser-login", "organiser:choose another\n");
    let wrong = file("wrong-login", "node-1:guessed\n");
    let url = server.url();
    for stranger in [&["--nats-login", &wrong][..], &[]] {
        let arguments = [&["workers", "--nats", &url][..], stranger].concat();
        assert!(refused(&arguments).contains("does not accept these credentials"));
    }
    let mut worker = under_slurm(&fixture, &url, Path::new(&node)).start();
    let run = fixture.shared(6, "guarded.db", &server.url(), "30s").args(&["--nats-login", &organiser]);
    run.start().ends(&fixture);
    fixture.is_as_alone("guarded.db", &alone);
    assert!(fixture.hosts("guarded.db").iter().all(|worker| worker == "node-1"));
    worker.leaves(&fixture);
}

/// The script for Slurm as task 1 of its array, where `srun` just runs its arguments. Its login name is the worker's name.
fn under_slurm(fixture: &Fixture, url: &str, login: &Path) -> Program {
    let (programs, logins) = (fixture.path("programs"), fixture.path(".config/leyden"));
    for folder in [&programs, &logins] {
        fs::create_dir_all(folder).unwrap();
    }
    fs::rename(login, logins.join("node-1")).unwrap();
    fs::write(programs.join("srun"), "#!/bin/sh\nexec \"$@\"\n").unwrap();
    fs::set_permissions(programs.join("srun"), fs::Permissions::from_mode(0o755)).unwrap();
    symlink(program(FAKE_BOT), programs.join("leyden")).unwrap();
    let mut script = fixture.run("sh", "node-1");
    script.command.env("PATH", format!("{}:/usr/bin:/bin", programs.display()));
    script
        .command
        .env("HOME", fixture.path(""))
        .env("SLURM_ARRAY_TASK_ID", "1")
        .env("SLURM_CPUS_PER_TASK", "1");
    script.args(&[&format!("{DEPLOY}/workers.slurm"), url])
}

#[test]
fn sample_unit_is_valid_for_systemd() {
    let fixture = Fixture::new();
    let unit = fs::read_to_string(format!("{DEPLOY}/leyden-worker.service")).unwrap();
    // The login is looked for where the unit says.
    let unit = unit.replace("/usr/local/bin/leyden", &program(FAKE_BOT).display().to_string());
    let path = fixture.path("leyden-worker.service");
    fs::write(&path, unit).unwrap();
    let Ok(out) = Command::new("systemd-analyze").arg("verify").arg(&path).output() else {
        return eprintln!("skipped: systemd-analyze is not installed");
    };
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success() && !said.contains("leyden-worker"), "{said}");
}
