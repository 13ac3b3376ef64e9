//! A league that receives bots over the network: from authors, from strangers, and from those who mean harm.

use std::fs;
use std::io::{Cursor, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;
use ureq::Agent;
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::league::{Running, hand_in, two_bots};
use crate::program::{builtin, command, leyden, stderr, stdout};

pub(super) const FILE: &str = "bots-league.db";
pub(super) const INTAKE: [&str; 2] = ["--serve=0", "--intake"];
pub(super) const PATIENCE: Duration = Duration::from_mins(5);

/// A folder for a league in which nobody has handed in anything.
pub(super) fn empty() -> TempDir {
    let folder = two_bots();
    fs::remove_dir_all(folder.path().join("bots")).unwrap();
    fs::create_dir(folder.path().join("bots")).unwrap();
    folder
}

pub(super) fn invite(at: &Path, name: &str) -> String {
    let invited = leyden(at, &["league", "invite", FILE, name]);
    assert_eq!(invited.status.code(), Some(0), "{}", stderr(&invited));
    stdout(&invited).trim().strip_prefix(&format!("{name}\t")).unwrap().to_owned()
}

/// The address at which a league listens.
pub(super) fn address(at: &Path) -> String {
    let until = Instant::now() + PATIENCE;
    loop {
        let shown = fs::read_to_string(at.join("shown")).unwrap_or_default();
        if let Some(address) = shown.strip_prefix("http://").and_then(|rest| rest.split('/').next()) {
            return address.to_owned();
        }
        assert!(Instant::now() < until, "no address");
        sleep(Duration::from_millis(20));
    }
}

pub(super) struct Answer {
    pub(super) code: u16,
    pub(super) head: String,
    pub(super) body: String,
}

fn connect(address: &str) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream
}

fn answer(mut stream: TcpStream) -> Answer {
    let mut bytes = Vec::new();
    // A server that has refused a body may reset the connection after its answer.
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let code = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
    Answer { code, head: head.to_ascii_lowercase(), body: body.to_owned() }
}

fn head(address: &str, line: &str, headers: &str) -> String {
    format!("{line} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{headers}")
}

pub(super) fn get(address: &str, path: &str, headers: &str) -> Answer {
    let mut stream = connect(address);
    stream.write_all((head(address, &format!("GET {path}"), headers) + "\r\n").as_bytes()).unwrap();
    answer(stream)
}

pub(super) fn post(address: &str, path: &str, headers: &str, body: &[u8]) -> Answer {
    let mut stream = connect(address);
    let length = format!("Content-Length: {}\r\n\r\n", body.len());
    stream.write_all((head(address, &format!("POST {path}"), headers) + &length).as_bytes()).unwrap();
    let _ = stream.write_all(body);
    answer(stream)
}

pub(super) fn bearer(token: &str) -> String {
    format!("Authorization: Bearer {token}\r\n")
}

/// Sends an archive as a form does.
pub(super) fn send(address: &str, headers: &str, archive: &[u8]) -> Answer {
    let mut body = b"--line\r\nContent-Disposition: form-data; name=\"entry\"; filename=\"bot.zip\"\r\n\
        Content-Type: application/zip\r\n\r\n"
        .to_vec();
    body.extend(archive);
    body.extend(b"\r\n--line--\r\n");
    post(
        address,
        "/hand-in",
        &(headers.to_owned() + "Content-Type: multipart/form-data; boundary=line\r\n"),
        &body,
    )
}

pub(super) fn zip(files: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(content.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

pub(super) fn bot(name: &str, bot: &str) -> Vec<u8> {
    zip(&[("bot/bot.toml", &builtin(name, bot))])
}

/// Waits until the latest of an author is judged, and returns its outcome.
pub(super) fn judged(address: &str, token: &str) -> Value {
    let until = Instant::now() + PATIENCE;
    loop {
        let asked = get(address, "/hand-in", &(bearer(token) + "Accept: application/json\r\n"));
        let all: Value = serde_json::from_str(&asked.body).unwrap();
        let outcome = &all["handed_in"][0]["outcome"];
        if outcome["state"] != "received" {
            return outcome.clone();
        }
        assert!(Instant::now() < until, "{all}");
        sleep(Duration::from_millis(50));
    }
}

/// What lies in the folder of a league, with hidden files.
fn entries(at: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(at.join("bots"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn authors_hand_in_bots_and_see_the_outcome() {
    let folder = empty();
    let at = folder.path();
    let (ann, bob) = (invite(at, "ann"), invite(at, "bob"));
    let mut league = Running::start(at, &INTAKE);
    let address = address(at);
    assert_eq!(get(&address, "/hand-in", &bearer(&ann)).body, "nothing was handed in yet\n");
    assert!(get(&address, "/author", "").body.contains("The token that the organiser has sent you"));

    hand_in(at, "work", &builtin("work", "random"));
    fs::rename(at.join("bots/work"), at.join("work")).unwrap();
    let url = format!("http://{address}/");
    let submit = |token: &str| {
        let mut submit = command(at, &["submit", "work", "--to", &url]);
        submit.env("LEYDEN_TOKEN", token).output().unwrap()
    };
    let handed_in = submit(&ann);
    assert_eq!(handed_in.status.code(), Some(0), "{}", stderr(&handed_in));
    let said = stdout(&handed_in);
    assert!(said.contains("ann, hand-in 1") && said.contains("plays as ann v1"), "{said}");
    let received = send(&address, &bearer(&bob), &bot("bob", "greedy"));
    assert_eq!(received.code, 202, "{}", received.body);
    assert!(received.body.contains("bob, hand-in 1") && received.body.contains("see /hand-in/1"));
    assert_eq!(judged(&address, &bob)["version"], "bob v1");
    league.says("bob v1 plays");

    fs::write(at.join("work/bot.toml"), "name = \"ann\"\ncommand = [\"false\"]\n").unwrap();
    let refused = submit(&ann);
    assert_eq!(refused.status.code(), Some(1), "{}", stderr(&refused));
    assert!(
        stdout(&refused).contains("is refused, and the previous version plays on"),
        "{}",
        stdout(&refused)
    );
    fs::write(at.join("work/bot.toml"), builtin("bob", "greedy")).unwrap();
    assert!(stdout(&submit(&ann)).contains("has the same files as another bot"));
    fs::write(at.join("work/bot.toml"), builtin("ann", "careful")).unwrap();
    assert!(stdout(&submit(&ann)).contains("plays as ann v2"));
    league.says("ann v2 plays");
    let stranger = submit("0123");
    assert_eq!(stranger.status.code(), Some(2), "{}", stderr(&stranger));

    let until = Instant::now() + PATIENCE;
    let own = loop {
        let cookie = format!("Cookie: other=1; leyden-author={ann}\r\n");
        let page = get(&address, "/author", &cookie);
        assert_eq!(page.code, 200, "{}", page.body);
        if page.body.contains("Your latest") {
            break page;
        }
        assert!(Instant::now() < until, "{}", page.body);
        sleep(Duration::from_millis(100));
    };
    assert!(own.head.contains("cache-control: no-store"), "{}", own.head);
    assert!(own.body.contains("ann v1") && own.body.contains("plays as ann v2"), "{}", own.body);
    assert!(!own.body.contains("bob, hand-in") && !own.body.contains(&ann), "{}", own.body);
    assert_eq!(get(&address, "/", "").code, 200);
    // The pages follow the results in steps.
    loop {
        let public = get(&address, "/bots/0.html", "").body;
        if public.contains("id=\"versions\"") && public.contains("ann v2") {
            break;
        }
        assert!(Instant::now() < until, "{public}");
        sleep(Duration::from_millis(100));
    }
    let german = format!("Cookie: leyden-author={ann}\r\nAccept-Language: de\r\n");
    assert!(get(&address, "/author", &german).body.contains("Eine neue Version abgeben"));
    let (_, replay) = own.body.split_once("/author/matches/").unwrap();
    let replay = format!("/author/matches/{}", &replay[..replay.find('"').unwrap()]);
    let cy = invite(at, "cy");
    assert_eq!(get(&address, &replay, &bearer(&ann)).code, 200);
    assert_eq!(get(&address, &replay, &bearer(&cy)).code, 404, "cy has not played it");
    assert_eq!(get(&address, &replay, "").code, 401);
    drop(league);

    let mut again = Running::start(at, &INTAKE);
    again.says("ann.zip is ann v2");
    let address = self::address(at);
    assert_eq!(judged(&address, &ann)["version"], "ann v2");
    let listed = get(&address, "/hand-in", &bearer(&ann)).body;
    assert_eq!(listed.lines().filter(|line| line.starts_with("ann, hand-in")).count(), 4, "{listed}");
}

#[test]
fn intake_refuses_strangers_and_requests_from_other_sites() {
    let folder = empty();
    let at = folder.path();
    let token = invite(at, "ann");
    let _league = Running::start(at, &INTAKE);
    let address = address(at);
    let archive = bot("ann", "random");
    for headers in [
        String::new(),
        bearer("0123456789abcdef0123456789abcdef"),
        bearer(""),
        format!("Authorization: Basic {token}\r\n"),
        "Cookie: leyden-author=0123\r\nOrigin: http://x\r\n"
            .replace("http://x", &format!("http://{address}")),
    ] {
        let refused = send(&address, &headers, &archive);
        assert_eq!(refused.code, 401, "{headers}: {}", refused.body);
    }
    assert_eq!(get(&address, &format!("/hand-in?token={token}"), "").code, 401);
    let cookie = format!("Cookie: leyden-author={token}\r\n");
    assert_eq!(send(&address, &cookie, &archive).code, 403, "no page of this server sends no origin");
    for headers in [&cookie, &bearer(&token)] {
        let foreign = send(&address, &format!("{headers}Origin: http://evil.example\r\n"), &archive);
        assert_eq!(foreign.code, 403, "{}", foreign.body);
    }
    assert_eq!(post(&address, "/author/enter", "", b"token=x").code, 403);
    let own = format!("Origin: http://{address}\r\n");
    assert_eq!(post(&address, "/author/enter", &own, b"token=x").code, 401);
    assert_eq!(post(&address, "/author/enter", &own, &[b'x'; 4_096]).code, 413);
    assert_eq!(post(&address, "/index.html", &own, b"").code, 405);
    assert!(entries(at).is_empty(), "{:?}", entries(at));

    let entered = post(&address, "/author/enter", &own, format!("token={token}").as_bytes());
    assert_eq!(entered.code, 303, "{}", entered.body);
    assert!(entered.head.contains("httponly; samesite=strict"), "{}", entered.head);
    assert_eq!(send(&address, &(cookie + &own), &archive).code, 303);
    assert_eq!(judged(&address, &token)["version"], "ann v1");
    let renewed = invite(at, "ann");
    assert_eq!(get(&address, "/hand-in", &bearer(&token)).code, 401);
    assert_eq!(get(&address, "/hand-in", &bearer(&renewed)).code, 200);
}

#[test]
fn intake_refuses_harmful_uploads_and_removes_their_drafts() {
    let folder = empty();
    let at = folder.path();
    let token = invite(at, "eve");
    let mut league = Running::start(at, &INTAKE);
    let address = address(at);
    let say = bearer(&token);
    let mut links = ZipWriter::new(Cursor::new(Vec::new()));
    links.add_symlink("bot.toml", "/etc/passwd", SimpleFileOptions::default()).unwrap();
    let links = links.finish().unwrap().into_inner();
    let bomb = zip(&[("bot.toml", &builtin("eve", "random")), ("zeros", &"0".repeat(80_000_000))]);
    for (archive, why) in [
        (bomb, "unpacks to more than"),
        (zip(&[("../../escaped", "x")]), "leads out of"),
        (links, "is a link"),
        (zip(&[("notes.txt", "x")]), "it contains no bot"),
        (b"PK\x03\x04 but no more".to_vec(), "not a zip archive"),
    ] {
        let received = send(&address, &say, &archive);
        assert_eq!(received.code, 202, "{why}: {}", received.body);
        let outcome = judged(&address, &token);
        let said = outcome["why"].as_str().unwrap_or_default();
        assert!(outcome["state"] == "refused" && said.contains(why), "{why}: {outcome}");
        assert!(!said.contains("/tmp"), "{said}");
    }
    assert!(!at.join("escaped").exists() && !at.join("bots/escaped").exists());

    assert_eq!(send(&address, &say, b"no archive").code, 422);
    assert_eq!(send(&address, &say, b"").code, 422);
    assert_eq!(post(&address, "/hand-in", &say, &vec![b'P'; 34 << 20]).code, 413);
    let mut chunked = connect(&address);
    let chunks = head(&address, "POST /hand-in", &say) + "Transfer-Encoding: chunked\r\n\r\n";
    chunked.write_all(chunks.as_bytes()).unwrap();
    let chunk = [b"100000\r\n".to_vec(), vec![b'P'; 1 << 20], b"\r\n".to_vec()].concat();
    while chunked.write_all(&chunk).is_ok() {}
    assert!(matches!(answer(chunked).code, 413 | 0), "a reset may overtake the answer");
    let form = say.clone() + "Content-Type: multipart/form-data; boundary=line\r\n";
    let other = b"--line\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\nx\r\n--line--\r\n";
    assert_eq!(post(&address, "/hand-in", &form, other).code, 400);
    // A form whose end does not come, though the connection says that it is complete.
    let half = b"--line\r\nContent-Disposition: form-data; name=\"entry\"\r\n\r\nPK";
    assert_eq!(post(&address, "/hand-in", &form, half).code, 400);
    let mut cut = connect(&address);
    let promised = head(&address, "POST /hand-in", &say) + "Content-Length: 30000000\r\n\r\nPK\x03\x04";
    cut.write_all(promised.as_bytes()).unwrap();
    // The rest comes as fast as it has to, and never all of it.
    let mut rest = cut.try_clone().unwrap();
    std::thread::spawn(move || {
        while rest.write_all(&[0; 8 << 10]).is_ok() {
            sleep(Duration::from_millis(500));
        }
    });
    let until = Instant::now() + PATIENCE;
    while !entries(at).iter().any(|name| name.starts_with(".leyden-hand-in")) {
        assert!(Instant::now() < until, "it is received: {:?}", entries(at));
        sleep(Duration::from_millis(10));
    }
    // A second league takes nothing of that away.
    let second = leyden(at, &["league", "bots", "--config", "slow.toml", "--serve=0", "--intake"]);
    assert!(stderr(&second).contains("bots-league.versions"), "{}", stderr(&second));
    assert!(entries(at).iter().any(|name| name.starts_with(".leyden-hand-in")), "{:?}", entries(at));
    cut.shutdown(Shutdown::Both).unwrap();
    while entries(at) != ["eve.zip"] {
        assert!(Instant::now() < until, "{:?}", entries(at));
        sleep(Duration::from_millis(10));
    }
    let listed = get(&address, "/hand-in", &say).body;
    assert_eq!(listed.lines().filter(|line| line.starts_with("eve, hand-in")).count(), 5, "{listed}");

    // A kill in the middle leaves a draft, which the next start removes.
    let mut killed = connect(&address);
    killed.write_all(promised.as_bytes()).unwrap();
    while !entries(at).iter().any(|name| name.starts_with(".leyden-hand-in")) {
        assert!(Instant::now() < until, "{:?}", entries(at));
        sleep(Duration::from_millis(10));
    }
    league.child.kill().unwrap();
    drop(league);
    let _again = Running::start(at, &INTAKE);
    self::address(at);
    assert_eq!(entries(at), ["eve.zip"]);
}

#[test]
fn intake_judges_the_later_of_two_simultaneous_archives() {
    let folder = empty();
    let at = folder.path();
    let token = invite(at, "ann");
    let mut league = Running::start(at, &INTAKE);
    let address = address(at);
    let codes: Vec<u16> = std::thread::scope(|scope| {
        let both = ["random", "greedy"].map(|name| {
            let (address, say) = (&address, bearer(&token));
            scope.spawn(move || send(address, &say, &bot("ann", name)).code)
        });
        both.map(|one| one.join().unwrap()).to_vec()
    });
    assert_eq!(codes, [202, 202]);
    let outcome = judged(&address, &token);
    assert!(outcome["state"] == "accepted" || outcome["state"] == "known", "{outcome}");
    let all = get(&address, "/hand-in", &(bearer(&token) + "Accept: application/json\r\n"));
    let all: Value = serde_json::from_str(&all.body).unwrap();
    let kept = fs::read(at.join("bots/ann.zip")).unwrap();
    let digest = leyden_model::hex(&<sha2::Sha256 as sha2::Digest>::digest(&kept));
    assert_eq!(all["handed_in"][0]["sha256"], digest, "{all}");
    assert_ne!(all["handed_in"][1]["outcome"]["state"], "received", "{all}");

    // What was answered is not lost by a kill.
    assert_eq!(send(&address, &bearer(&token), &bot("ann", "careful")).code, 202);
    league.child.kill().unwrap();
    drop(league);
    let _again = Running::start(at, &INTAKE);
    let address = self::address(at);
    assert_eq!(judged(&address, &token)["state"], "accepted");

    // What the organiser has put there is the organiser's.
    let bob = invite(at, "bob");
    hand_in(at, "bob", &builtin("bob", "random"));
    let conflict = send(&address, &bearer(&bob), &bot("bob", "greedy"));
    assert_eq!(conflict.code, 409, "{}", conflict.body);
    for _ in 0..20 {
        let _ = send(&address, &bearer(&token), &bot("ann", "random"));
    }
    let many = send(&address, &bearer(&token), &bot("ann", "random"));
    assert!(many.code == 429 && many.head.contains("retry-after"), "{}", many.body);
}

#[test]
fn league_speaks_tls() {
    let folder = empty();
    let at = folder.path();
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/tests/tls");
    let file = |name: &str| files.join(name).display().to_string();
    let [certificate, key] = ["certificate.pem", "key.pem"].map(file);
    let refused = |options: &[&str]| {
        let output = leyden(at, &[&["league", "bots", "--intake", "--serve=0"], options].concat());
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(!at.join("bots-league.versions").exists(), "nothing has begun");
        stderr(&output)
    };
    let other = file("other-key.pem");
    let said = refused(&["--tls-cert", &certificate, "--tls-key", &other]);
    assert!(said.contains("cannot be used together"), "{said}");
    assert!(refused(&["--tls-cert", &key, "--tls-key", &key]).contains("has no certificate"));
    assert!(refused(&["--tls-cert", "none.pem", "--tls-key", &key]).contains("cannot read none.pem"));
    assert!(refused(&["--tls-cert", &certificate]).contains("--tls-key"));

    let token = invite(at, "ann");
    let mut league =
        Running::start(at, &[&INTAKE[..], &["--tls-cert", &certificate, "--tls-key", &key]].concat());
    league.says("authors: https://");
    let shown = fs::read_to_string(at.join("shown")).unwrap();
    let url = shown.trim().to_owned();
    let address = url.strip_prefix("https://").unwrap().trim_end_matches('/');
    // Clients that do not speak TLS, or say nothing, keep nobody out.
    let plain = get(address, "/", "");
    assert_eq!(plain.code, 0, "{}", plain.body);
    let _silent: Vec<TcpStream> = (0..20).map(|_| connect(address)).collect();

    hand_in(at, "work", &builtin("work", "random"));
    fs::rename(at.join("bots/work"), at.join("work")).unwrap();
    let submit = |more: &[&str]| {
        let mut submit = command(at, &[&["submit", "work", "--to", &url], more].concat());
        submit.env("LEYDEN_TOKEN", &token).output().unwrap()
    };
    let unknown = submit(&[]);
    assert_ne!(unknown.status.code(), Some(0));
    assert!(stderr(&unknown).contains("name it with --ca"), "{}", stderr(&unknown));
    let handed_in = submit(&["--ca", &certificate]);
    assert_eq!(handed_in.status.code(), Some(0), "{}", stderr(&handed_in));
    assert!(stdout(&handed_in).contains("plays as ann v1"), "{}", stdout(&handed_in));

    let certificates = leyden_web::server::certificates(Path::new(&certificate)).unwrap();
    let trusted: Vec<_> = certificates.iter().map(|one| Certificate::from_der(one).to_owned()).collect();
    let tls = TlsConfig::builder()
        .root_certs(RootCerts::new_with_certs(&trusted))
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .build();
    let agent: Agent = Agent::config_builder().tls_config(tls).max_redirects(0).build().into();
    let entered = agent
        .post(format!("{url}author/enter"))
        .header("Origin", url.trim_end_matches('/'))
        .send(format!("token={token}"))
        .unwrap();
    let cookie = entered.headers()["set-cookie"].to_str().unwrap();
    assert!(cookie.ends_with("; HttpOnly; SameSite=Strict; Path=/; Secure"), "{cookie}");
    let page = agent.get(format!("{url}author")).call().unwrap().body_mut().read_to_string().unwrap();
    assert!(page.contains("The token that the organiser has sent you"), "{page}");
}

#[test]
fn hand_in_waits_while_host_cannot_unpack_it() {
    let folder = two_bots();
    let at = folder.path();
    let cy = invite(at, "cy");
    let temporary = at.join("temporary");
    let mut league = Running::start_with(at, &INTAKE, &temporary);
    let address = address(at);
    assert_eq!(send(&address, &bearer(&cy), &bot("cy", "careful")).code, 202);
    let outcome = judged(&address, &cy);
    assert_eq!(outcome["state"], "waits", "{outcome}");
    assert!(outcome["why"].as_str().unwrap().starts_with("it cannot be unpacked: "), "{outcome}");
    fs::create_dir(temporary).unwrap();
    league.says("cy v1 plays");
}
