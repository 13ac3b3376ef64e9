//! Access: passwords, permissions, secrets, encryption, and unsuitable servers.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_nats::{ConnectOptions, Event, HeaderMap};
use leyden_nats::{
    ConnectError, Connection, ConnectionOptions, Login, ToPlayer, WorkerName, list_workers,
    worker_permissions,
};

use crate::fixture::{WorkerBehaviour, options, run, work};
use crate::process::{NatsServer, PATIENCE};

fn login(url: &str, name: &str, password: &str) -> ConnectionOptions {
    ConnectionOptions {
        login: Login::User { name: name.to_owned(), password: password.to_owned() },
        ..options(url)
    }
}

/// A server with the users of the sample configuration: an organiser, and workers with minimal permissions.
fn guarded() -> NatsServer {
    let worker = |name: &str| {
        let permissions = worker_permissions(&name.parse::<WorkerName>().unwrap());
        format!("{{ user: {name}, password: {name}-secret, permissions: {permissions} }}")
    };
    NatsServer::with(&format!(
        "authorization {{ users: [ {{ user: organiser, password: secret }}, {}, {} ] }}",
        worker("ann"),
        worker("bob")
    ))
}

#[tokio::test]
async fn wrong_password_is_reported_at_once() {
    let server = guarded();
    for options in [login(&server.url(), "organiser", "wrong"), options(&server.url())] {
        let error = Connection::wait(&options, "organiser", &mut |_| {}).await.unwrap_err();
        assert!(matches!(error, ConnectError::Credentials { .. }), "{error}");
    }
}

#[tokio::test]
async fn workers_play_with_minimal_permissions() {
    static BOB_HAS_PLAYED: AtomicBool = AtomicBool::new(false);
    let server = guarded();
    let organiser = login(&server.url(), "organiser", "secret");
    let held = WorkerBehaviour { until: Some(&BOB_HAS_PLAYED), ..WorkerBehaviour::default() };
    let ann = work(&login(&server.url(), "ann", "ann-secret"), "ann", held).await;
    let bob = work(&login(&server.url(), "bob", "bob-secret"), "bob", WorkerBehaviour::default()).await;
    let party = run(&organiser, "guarded", 200).await;
    let connection = Connection::open(&organiser, "listing").await.unwrap();
    let bundle = leyden_nats::Bundles::new(&connection).put(b"a bot").await.unwrap();
    let both = async {
        loop {
            let roll = list_workers(&connection, Duration::from_secs(1)).await.unwrap();
            if roll.there.keys().map(WorkerName::as_str).eq(["ann", "bob"]) {
                break;
            }
        }
    };
    tokio::time::timeout(PATIENCE, both).await.expect("both answer");
    party.director.until("bob plays", |log| log.done.values().any(|(_, by)| by == "bob")).await;
    BOB_HAS_PLAYED.store(true, Ordering::SeqCst);
    party.end(200).await;
    let worker = Connection::open(&login(&server.url(), "ann", "ann-secret"), "ann").await.unwrap();
    let fetched = leyden_nats::Bundles::new(&worker).get(&bundle).await.unwrap();
    assert_eq!(fetched, b"a bot");
    // A worker that was killed is still listed.
    ann.kill();
    bob.leave().await;
    let killed = async {
        loop {
            let roll = list_workers(&connection, Duration::from_millis(500)).await.unwrap();
            if !roll.there.keys().any(|name| name.as_str() == "ann") {
                break roll;
            }
        }
    };
    let roll = tokio::time::timeout(PATIENCE, killed).await.expect("it no longer answers");
    assert!(roll.silent.keys().any(|name| name.as_str() == "ann"), "{roll:?}");
}

/// Whether the server refuses this to a worker.
async fn refused(server: &NatsServer, attempt: &str, subscribes: bool) -> bool {
    let said = Arc::new(Mutex::new(String::new()));
    let hears = Arc::clone(&said);
    let client = ConnectOptions::with_user_and_password("ann".to_owned(), "ann-secret".to_owned())
        .event_callback(move |event| {
            if let Event::ServerError(error) = event {
                hears.lock().unwrap().push_str(&error.to_string().to_lowercase());
            }
            async {}
        })
        .connect(server.url())
        .await
        .unwrap();
    let _subscription = if subscribes {
        Some(client.subscribe(attempt.to_owned()).await.unwrap())
    } else {
        client.publish(attempt.to_owned(), "x".into()).await.unwrap();
        None
    };
    // Nobody may do this. The server answers in order, so its answer to the first attempt has arrived before.
    client.publish(FORBIDDEN, "x".into()).await.unwrap();
    let answered = async {
        while !said.lock().unwrap().contains(&violation("publish", FORBIDDEN)) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let answered = tokio::time::timeout(PATIENCE, answered).await;
    let said = said.lock().unwrap();
    assert!(answered.is_ok(), "the server does not answer: {said}");
    assert!(said.matches("permissions violation").count() <= 2, "{said}");
    said.contains(&violation(if subscribes { "subscription" } else { "publish" }, attempt))
}

/// A subject that no worker may publish to.
const FORBIDDEN: &str = "forbidden.to.everybody";

/// The server's refusal, in lower case.
fn violation(what: &str, subject: &str) -> String {
    format!("permissions violation for {what} to \"{}\"", subject.to_lowercase())
}

#[tokio::test]
async fn worker_cannot_reach_the_subjects_of_others() {
    let server = guarded();
    let organiser = login(&server.url(), "organiser", "secret");
    let party = run(&organiser, "private", 0).await;
    for subject in [
        "leyden.jobs.>",
        "leyden.jobs.*.bob.*",
        "leyden.results.>",
        "leyden.hello.*",
        "leyden.to.bob",
        "leyden.events.>",
        "_INBOX_bob.>",
        "_INBOX_organiser.>",
        "_INBOX.>",
        ">",
        "$JS.>",
    ] {
        assert!(refused(&server, subject, true).await, "listening to {subject}");
    }
    for subject in [
        "leyden.jobs.private.ann.1",
        "leyden.results.private.bob.1.0",
        "leyden.events.private.bob.1",
        "leyden.hello.bob",
        "leyden.call.private",
        "leyden.to.bob",
        "leyden.bundles.x.0",
        "$JS.API.STREAM.INFO.LEYDEN_JOBS",
        "$JS.API.STREAM.MSG.GET.LEYDEN_JOBS",
        "$JS.API.DIRECT.GET.LEYDEN_BUNDLES",
        "$JS.API.STREAM.NAMES",
        "$JS.API.STREAM.PURGE.LEYDEN_RESULTS",
        "$JS.API.CONSUMER.CREATE.LEYDEN_JOBS.x",
        "$JS.API.CONSUMER.MSG.NEXT.LEYDEN_JOBS.bob",
        "$JS.ACK.LEYDEN_JOBS.bob.1.1.1.1.0",
    ] {
        assert!(refused(&server, subject, false).await, "sending to {subject}");
    }
    for subject in ["leyden.to.ann", "leyden.call.*", "_INBOX_ann.>"] {
        assert!(!refused(&server, subject, true).await, "its own {subject}");
    }
    party.end(0).await;
}

#[tokio::test]
async fn result_without_the_secret_is_refused() {
    static IS_STOPPED: AtomicBool = AtomicBool::new(false);
    let server = NatsServer::start();
    let options = options(&server.url());
    let forger = async_nats::jetstream::new(async_nats::connect(server.url()).await.unwrap());
    let ann =
        work(&options, "ann", WorkerBehaviour { until: Some(&IS_STOPPED), ..WorkerBehaviour::default() })
            .await;
    let party = run(&options, "forged", 4).await;
    party.director.until("something is started", |log| log.events > 0).await;
    for worker in ["ann", "bob"] {
        for batch in 0..4 {
            let mut headers = HeaderMap::new();
            headers.insert("Leyden-Secret", "0123456789abcdef0123456789abcdef");
            headers.insert("Leyden-Last", "1");
            let subject = format!("leyden.results.forged.{worker}.{batch}.7");
            let payload = br#"{"done":[0,1,2,3]}"#;
            forger.publish_with_headers(subject, headers, payload[..].into()).await.unwrap().await.unwrap();
        }
    }
    for reason in ["does not carry the secret", "given to another worker"] {
        let is_said = |said: &String| said.contains(reason);
        party.director.until(reason, |log| log.notices.iter().any(is_said)).await;
    }
    assert!(party.director.log().done.is_empty(), "{:?}", party.director.log());
    IS_STOPPED.store(true, Ordering::SeqCst);
    party.end(4).await;
    ann.leave().await;
}

#[tokio::test]
async fn worker_yields_to_a_newer_namesake() {
    static IS_STOPPED: AtomicBool = AtomicBool::new(false);
    let server = NatsServer::start();
    let options = options(&server.url());
    let held = WorkerBehaviour { until: Some(&IS_STOPPED), ..WorkerBehaviour::default() };
    let first = work(&options, "twin", held).await;
    let party = run(&options, "twins", 60).await;
    party.director.until("the first plays", |log| log.events > 0).await;
    let second = work(&options, "twin", held).await;
    let is_notified = |message: &ToPlayer| matches!(message, ToPlayer::Notice(said) if said.contains("another worker is called twin"));
    first.until("it gets a notice", is_notified).await;
    IS_STOPPED.store(true, Ordering::SeqCst);
    party.end(60).await;
    second.leave().await;
    first.leave().await;
}

/// A server that announces itself with `info` and then only answers pings.
fn pretender(info: &str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("nats://{}", listener.local_addr().unwrap());
    let info = format!("INFO {info}\r\n");
    std::thread::spawn(move || {
        let Ok((mut stream, _)) = listener.accept() else { return };
        stream.write_all(info.as_bytes()).unwrap();
        let lines = BufReader::new(stream.try_clone().unwrap()).lines();
        for line in lines.map_while(Result::ok) {
            if line.starts_with("PING") && stream.write_all(b"PONG\r\n").is_err() {
                return;
            }
        }
    });
    url
}

#[tokio::test]
async fn unsuitable_server_is_reported_at_once() {
    let info = |version: &str, jetstream: bool| {
        format!(
            r#"{{"server_id":"x","server_name":"x","version":"{version}","go":"go1","host":"h","port":1,"headers":true,"max_payload":1048576,"proto":1,"client_id":1,"client_ip":"","auth_required":false,"tls_required":false,"nonce":"","connect_urls":[],"ldm":false,"jetstream":{jetstream}}}"#
        )
    };
    let open = async |info: String| {
        let options = options(&pretender(&info));
        tokio::time::timeout(PATIENCE, Connection::open(&options, "x")).await.unwrap()
    };
    for version in ["2.10.22", "2.9.25", "1.4.0"] {
        let error = open(info(version, true)).await.unwrap_err();
        assert!(matches!(&error, ConnectError::Old { found, .. } if found == version), "{error}");
        assert!(error.to_string().contains("2.10.23 or newer"), "{error}");
    }
    let error = open(info("2.12.0", false)).await.unwrap_err();
    assert!(matches!(error, ConnectError::NoJetStream { .. }), "{error}");
    open(info("2.10.23", true)).await.unwrap();
}

#[tokio::test]
async fn certificate_must_come_from_a_trusted_authority() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let made = Command::new("openssl")
        .args([
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-days",
            "2",
        ])
        .args(["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"])
        .args(["-addext", "basicConstraints=critical,CA:FALSE"])
        .arg("-keyout")
        .arg(file("key.pem"))
        .arg("-out")
        .arg(file("cert.pem"))
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let server = NatsServer::with(&format!(
        "tls {{ cert_file: \"{}\", key_file: \"{}\" }}",
        file("cert.pem").display(),
        file("key.pem").display()
    ));
    let url = server.url().replace("nats://", "tls://");
    let trusting = ConnectionOptions { authorities: Some(file("cert.pem")), ..options(&url) };
    let worker = work(&trusting, "ann", WorkerBehaviour::default()).await;
    run(&trusting, "secure", 20).await.end(20).await;
    worker.leave().await;
    let error = Connection::open(&options(&url), "ann").await.unwrap_err();
    assert!(!error.may_pass(), "{error:?}");
    assert!(fs::read_dir(server.folder()).unwrap().count() > 0);
}

#[test]
fn sample_configuration_grants_a_worker_its_permissions() {
    let copied = include_str!("../../deploy/nats-server.conf");
    let permissions = worker_permissions(&"node-1".parse().unwrap());
    assert!(copied.contains(&permissions), "{permissions}");
    assert!(copied.contains("sync_interval: always"));
}
