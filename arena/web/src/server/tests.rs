//! Tests a server that really listens, byte by byte.

mod stage;

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::*;
use crate::snapshot::tests::file;
use leyden_arena::record::sample;

/// How long to wait for an answer; nothing is measured with it.
const PATIENCE: Duration = Duration::from_mins(2);

/// A response.
struct Answer {
    code: u16,
    head: String,
    body: String,
}

fn connect(server: &Server) -> TcpStream {
    let stream = TcpStream::connect(server.address()).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.set_write_timeout(Some(PATIENCE)).unwrap();
    stream
}

/// Sends these bytes, and reads until the server closes the connection. A server that is still reading the file says so and is
/// asked again.
fn ask(server: &Server, request: &str) -> Answer {
    let start = Instant::now();
    loop {
        let mut stream = connect(server);
        stream.write_all(request.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let code: u16 = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        if code != 503 || start.elapsed() > PATIENCE {
            return Answer { code, head: head.to_ascii_lowercase(), body: body.to_owned() };
        }
    }
}

fn get(server: &Server, path: &str, headers: &str) -> Answer {
    ask(server, &format!("GET {path} HTTP/1.1\r\nConnection: close\r\n{headers}\r\n"))
}

fn host(server: &Server) -> String {
    format!("Host: {}\r\n", server.address())
}

/// Starts a server for a tournament of random matches; all of them are played, or all but one.
fn server(is_over: bool) -> (tempfile::TempDir, Server) {
    let stored_plan = sample::stored_plan(4, 2);
    let mut all: Vec<_> = sample::faulted(&stored_plan).collect();
    all.truncate(if is_over { all.len() } else { all.len() - 1 });
    let (folder, path) = file(&stored_plan, &all);
    (folder, Server::start(&ServerConfig::new(path), None).unwrap())
}

#[test]
fn pages_follow_browser_language_unless_server_sets_one() {
    let (folder, server) = server(true);
    let id = sample::matches(&sample::stored_plan(4, 2)).next().unwrap().1.id;
    let pages =
        ["index", "matches", "pairings", "live", "screen", "verify", "bots/0", &format!("matches/{id}")]
            .map(|name| format!("/{name}.html"));
    for (header, language, title) in [
        ("", "en", "Replay of match"),
        ("Accept-Language: it, fr;q=0.4, de-CH;q=0.7\r\n", "de", "Verlauf der Partie"),
        ("Accept-Language: fr-CA, en;q=0.9\r\n", "fr", "Déroulement de la partie"),
        ("Accept-Language: de;q=0, \"><script>;q=1\r\n", "en", "Replay of match"),
    ] {
        for path in &pages {
            let Answer { head, body, .. } = get(&server, path, &(host(&server) + header));
            assert!(body.contains(&format!("<html lang=\"{language}\">")), "{header} {path}: {body}");
            assert!(head.contains("vary: accept-language"), "{path}: {head}");
            assert!(body.contains(title) == path.contains(&id), "{header} {path}: {body}");
        }
    }
    let of_all =
        ServerConfig { language: Some(Language::French), ..ServerConfig::new(folder.path().join("cup.db")) };
    let server = Server::start(&of_all, None).unwrap();
    for path in &pages {
        let page = get(&server, path, &(host(&server) + "Accept-Language: de\r\n")).body;
        assert!(page.contains("<html lang=\"fr\">"), "{path}: {page}");
    }
}

#[test]
fn every_page_is_there_with_a_strict_policy() {
    for is_over in [false, true] {
        let (_folder, server) = server(is_over);
        let id = sample::matches(&sample::stored_plan(4, 2)).next().unwrap().1.id;
        let single = format!("/matches/{id}.html");
        let pages = [
            "/",
            "/index.html",
            "/matches.html",
            "/matches.html?q=bot-1&sort=upset&only=faults&page=2",
            "/pairings.html",
            "/live.html",
            "/screen.html",
            "/verify.html",
            "/bots/0.html",
            "/bots/3.html",
            &single,
            "/standings.json",
            "/standings.csv",
            "/assets/look.css",
            "/assets/pages.css",
            "/assets/pages.js",
            "/assets/icon.svg",
        ];
        for page in pages {
            let answer = get(&server, page, &host(&server));
            assert_eq!(answer.code, 200, "{page}: {}", answer.body);
            let policy = answer.head.split("content-security-policy: ").nth(1).unwrap();
            assert!(
                policy.starts_with("default-src 'none'") && policy.contains("script-src '"),
                "{page}: {policy}"
            );
            assert!(
                !answer.head.contains("unsafe") && answer.head.contains("nosniff"),
                "{page}: {}",
                answer.head
            );
            assert!(!answer.body.is_empty());
        }
        assert_eq!(get(&server, "/", &host(&server)).body.contains("a test"), is_over, "the seed");
        let json: serde_json::Value =
            serde_json::from_str(&get(&server, "/standings.json", &host(&server)).body).unwrap();
        assert_eq!(json["bots"].as_array().unwrap().len(), 4);
        assert_eq!(get(&server, "/standings.csv", &host(&server)).body.lines().count(), 5);
    }
}

#[test]
fn several_events_are_listed_in_separate_folders() {
    let stored_plan = sample::stored_plan(4, 2);
    let all: Vec<_> = sample::matches(&stored_plan).collect();
    let ((_one, over), (_other, begun)) = (file(&stored_plan, &all), file(&stored_plan, &all[..2]));
    let event = |results, title: &str| ServedEvent { results, title: Some(title.to_owned()) };
    let events = vec![event(over, "Spring <1>"), event(begun, "Autumn")];
    let server = Server::start(&ServerConfig { events, ..ServerConfig::new("") }, None).unwrap();
    for (page, expected) in [
        ("/1/", "Spring &lt;1&gt;"),
        ("/1/matches.html", "href=\"../\">Events"),
        ("/2/", "Autumn"),
        ("/2/bots/3.html", "href=\"../../\">Events"),
        ("/2/standings.csv", "bot-3"),
        ("/2/assets/pages.js", "EventSource"),
    ] {
        let answer = get(&server, page, &host(&server));
        assert!(answer.code == 200 && answer.body.contains(expected), "{page}: {}", answer.body);
    }
    let list = get(&server, "/", &host(&server));
    let (spring, autumn) =
        (list.body.find("href=\"1/\">Spring &lt;1&gt;"), list.body.find("href=\"2/\">Autumn"));
    assert!(spring < autumn && spring.is_some(), "{}", list.body);
    assert_eq!((list.body.matches("final").count(), list.body.matches("unfinished").count()), (1, 1));
    for page in ["/matches.html", "/3/", "/0/", "/1/secret.html"] {
        assert_eq!(get(&server, page, &host(&server)).code, 404, "{page}");
    }
    assert_eq!(get(&server, "/2/", "Host: evil.example\r\n").code, 403);
}

#[test]
fn other_sites_are_refused() {
    let (_folder, server) = server(true);
    let port = server.address().port();
    assert_eq!(get(&server, "/", &format!("Host: localhost:{port}\r\n")).code, 200);
    for foreign in ["evil.example", &format!("evil.example:{port}"), "localhost"] {
        for path in ["/", "/events", "/standings.json", "/assets/pages.js"] {
            assert_eq!(get(&server, path, &format!("Host: {foreign}\r\n")).code, 403, "{foreign}{path}");
        }
    }
    let own = host(&server);
    assert_eq!(get(&server, "/", &format!("{own}Origin: http://{}\r\n", server.address())).code, 200);
    for origin in ["http://evil.example", "null", "https://localhost"] {
        assert_eq!(get(&server, "/events", &format!("{own}Origin: {origin}\r\n")).code, 403, "{origin}");
    }
    assert_eq!(get(&server, "/", "").code, 400);
    let answer = get(&server, &format!("http://evil.example:{port}/"), &own);
    assert!(answer.code == 403 || answer.code == 400, "{}", answer.code);
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"] {
        let request = format!("{method} / HTTP/1.1\r\nConnection: close\r\n{own}Content-Length: 0\r\n\r\n");
        assert_eq!(ask(&server, &request).code, 405, "{method}");
    }
}

#[test]
fn address_never_leads_to_a_file() {
    let (folder, server) = server(true);
    std::fs::write(folder.path().join("secret.html"), "a secret").unwrap();
    let paths = [
        "/../secret.html",
        "/secret.html",
        "/bots/../../secret.html",
        "/bots/..%2f..%2fsecret.html",
        "/assets/../secret.html",
        "/assets/%2e%2e%2fsecret.html",
        "/assets//etc/passwd",
        "/matches/../cup.db",
        "/matches/%00.html",
        "/cup.db",
        "/bots/4.html",
        "/bots/-1.html",
        "/bots/99999999999.html",
        "/bots/x.html",
        "/matches/0000.html",
        "/matches/.html",
        "//etc/passwd",
        "/bots/%ff.html",
    ];
    for path in paths {
        let answer = get(&server, path, &host(&server));
        assert!(answer.code == 404 || answer.code == 400, "{path}: {}", answer.code);
        assert!(
            !answer.body.contains("a secret")
                && !answer.body.contains("SQLite")
                && !answer.body.contains("root:"),
            "{path}"
        );
    }
    let long = format!("/{}", "x".repeat(3_000));
    assert_eq!(get(&server, &long, &host(&server)).code, 414);
    let huge = format!("{}X: {}\r\n", host(&server), "x".repeat(1 << 20));
    let mut stream = connect(&server);
    // The server may close the connection before everything is sent.
    let _ = stream.write_all(format!("GET / HTTP/1.1\r\n{huge}\r\n").as_bytes());
    let mut answer = [0; 12];
    let refused =
        stream.read(&mut answer).map_or(true, |count| count == 0 || &answer[..12] == b"HTTP/1.1 431");
    assert!(refused, "{answer:?}");
}

/// A connection that sends requests and never reads is closed, while others are answered.
#[test]
fn client_that_does_not_read_is_dropped() {
    let (_folder, server) = server(true);
    let mut greedy = connect(&server);
    let request = format!("GET /standings.json HTTP/1.1\r\n{}\r\n", host(&server));
    let asking = std::thread::spawn(move || {
        // Once the server can no longer write, it only has to time out.
        loop {
            if let Err(error) = greedy.write_all(request.as_bytes()) {
                return error.kind();
            }
        }
    });
    assert_eq!(get(&server, "/", &host(&server)).code, 200);
    let ended = asking.join().unwrap();
    assert!(matches!(ended, ErrorKind::ConnectionReset | ErrorKind::BrokenPipe), "not dropped: {ended}");
    assert_eq!(get(&server, "/", &host(&server)).code, 200);
}

#[test]
fn excess_connections_are_closed_and_others_answered() {
    let (_folder, server) = server(true);
    assert_eq!(get(&server, "/", &host(&server)).code, 200); // now the file is read
    let first = connect(&server);
    let many: Vec<TcpStream> = (0..300).filter_map(|_| TcpStream::connect(server.address()).ok()).collect();
    let closed = |mut stream: &TcpStream| {
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        matches!(stream.read(&mut [0]), Ok(0) | Err(_))
    };
    assert!(closed(many.last().unwrap()));
    let mut patient = first;
    patient
        .write_all(format!("GET / HTTP/1.1\r\nConnection: close\r\n{}\r\n", host(&server)).as_bytes())
        .unwrap();
    let mut text = String::new();
    patient.read_to_string(&mut text).unwrap();
    assert!(text.starts_with("HTTP/1.1 200"), "{text:.100}");
}

/// The first events of a listener: the tables as they are, then moves.
#[test]
fn events_show_complete_pairs_at_their_own_pace() {
    let (_folder, server) = server(false);
    let mut stream = connect(&server);
    stream.write_all(format!("GET /events HTTP/1.1\r\n{}\r\n", host(&server)).as_bytes()).unwrap();
    let mut text = String::new();
    let mut chunk = [0; 4_096];
    while text.matches("event: move").count() < 20 {
        let count = stream.read(&mut chunk).unwrap();
        assert!(count > 0, "{text}");
        text += &String::from_utf8_lossy(&chunk[..count]);
    }
    assert!(text.contains("event: table") && text.contains("\"type\":\"dealt\""), "{text}");
    for secret in ["undealt", "seed", "deck", "\"note\"", "stderr", "\"message\""] {
        assert!(!text.contains(secret), "{secret}");
    }
}

/// Pairs that differ only in what a spectator may not know give the same events.
#[test]
fn events_reveal_nothing_hidden_from_spectators() {
    let stored_plan = sample::stored_plan(3, 1);
    let table_at = |turned: bool| {
        let mut pair: Vec<_> = sample::faulted(&stored_plan).skip(2).take(2).collect();
        if turned {
            for (_, record) in &mut pair {
                *record = crate::snapshot::tests::otherwise(record);
            }
        }
        let feed = Feed::new();
        let mut listener = feed.listen().unwrap();
        let mut all = Vec::new();
        table::run_through(pair, &feed, || {
            while let Ok(message) = listener.messages.try_recv() {
                all.push(format!("{} {}", message.event, message.text));
            }
        });
        all
    };
    let all = table_at(false);
    assert!(all.len() > 50, "{all:?}");
    assert_eq!(all, table_at(true));
}

/// An action of a complete pair is shown as long as asked, on a clock that the test moves.
#[tokio::test(flavor = "current_thread", start_paused = true)]
async fn tables_wait_as_long_as_asked() {
    let stored_plan = sample::stored_plan(2, 1);
    let pair: Vec<_> = sample::matches(&stored_plan).take(2).collect();
    let mut shown = Vec::new();
    for seconds in [1, 4] {
        let feed = Feed::new();
        let mut listener = feed.listen().unwrap();
        feed.offer(&pair);
        let pace = Duration::from_secs(seconds);
        let minute = Duration::from_secs(40);
        let over = tokio::time::timeout(minute, table::play(&feed, pace)).await;
        assert!(over.is_err(), "it plays until the server ends");
        let moves = std::iter::from_fn(|| listener.messages.try_recv().ok());
        shown.push(moves.filter(|message| message.text.contains("\"type\":\"acted\"")).count());
    }
    let [quick, slow] = shown[..] else { panic!("two") };
    assert!(slow > 3 && quick > 3 * slow && quick <= 4 * slow + 4, "{shown:?}");
}

/// A viewer that is too slow is dropped: it connects again, and gets the current state.
#[test]
fn slow_listener_is_dropped() {
    let feed = Feed::new();
    let mut slow = feed.listen().unwrap();
    for number in 0..2_000 {
        feed.publish(feed::FeedMessage::new("move", &number));
    }
    assert!(
        slow.messages
            .try_recv()
            .is_err_and(|error| error != tokio::sync::broadcast::error::TryRecvError::Empty)
    );
    drop(slow);
    assert_eq!(feed.listeners(), 0);
    let all: Vec<_> = std::iter::from_fn(|| feed.listen()).collect();
    assert_eq!(all.len(), feed::LISTENERS);
}

#[test]
fn listener_after_the_end_receives_over_event() {
    let feed = Feed::new();
    assert!(feed.listen().unwrap().first.is_empty());
    feed.publish_end();
    let first: Vec<_> = feed.listen().unwrap().first.iter().map(|message| message.event).collect();
    assert_eq!(first, ["over"]);
}
