//! The stage: who may command it, in which order, and that nothing else of this server shows what it has not revealed.

use super::*;

/// A request of the organiser's page.
fn say(server: &Server, token: &str, command: &str) -> Answer {
    let body = format!("{{\"token\":\"{token}\",\"listed\":null,\"command\":{command}}}");
    let own = format!("Origin: http://{}\r\nContent-Type: application/json\r\n", server.address());
    post(server, &own, &body)
}

fn post(server: &Server, headers: &str, body: &str) -> Answer {
    let (host, length) = (host(server), body.len());
    let head = format!("POST /stage/control HTTP/1.1\r\nConnection: close\r\n{host}{headers}");
    ask(server, &format!("{head}Content-Length: {length}\r\n\r\n{body}"))
}

/// Waits until a page of the server has, or has not, a text: it reads the results again when something was revealed.
fn wait_for(server: &Server, page: &str, text: &str, is_there: bool) {
    let start = Instant::now();
    while get(server, page, &host(server)).body.contains(text) != is_there {
        assert!(start.elapsed() < PATIENCE, "{page}: {text:?} is there: {}", !is_there);
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn staged() -> (tempfile::TempDir, PathBuf, Server) {
    let stored_plan = sample::stored_plan(4, 2);
    let (folder, path) = file(&stored_plan, &sample::matches(&stored_plan).collect::<Vec<_>>());
    let server = Server::start(&ServerConfig { stage: true, ..ServerConfig::new(&path) }, None).unwrap();
    (folder, path, server)
}

#[test]
fn commands_need_the_organisers_page_and_token() {
    let (_folder, _path, server) = staged();
    let token = server.stage_token().unwrap().to_owned();
    assert_eq!(token.len(), 32);
    let body = format!("{{\"token\":\"{token}\",\"listed\":null,\"command\":{{\"say\":\"standings\"}}}}");
    let json = "Content-Type: application/json\r\n";
    let own = format!("Origin: http://{}\r\n", server.address());
    for (headers, body, code) in [
        (format!("{own}{json}"), body.clone(), 200),
        (json.to_owned(), body.clone(), 403),
        (own.clone(), body.clone(), 403),
        (format!("{own}Content-Type: text/plain\r\n"), body.clone(), 403),
        (format!("Origin: http://evil.example\r\n{json}"), body.clone(), 403),
        (format!("Origin: null\r\n{json}"), body.clone(), 403),
        (format!("{own}{json}"), body.replace(&token, ""), 403),
        (format!("{own}{json}"), body.replace(&token, &token[1..]), 403),
        (format!("{own}{json}"), body.replace(&token, &token.replace(|c| c != '0', "0")), 403),
        (format!("{own}{json}"), body.replace("standings", "nonsense"), 400),
        (format!("{own}{json}"), "x".repeat(2_000), 413),
    ] {
        let answer = post(&server, &headers, &body);
        assert_eq!(answer.code, code, "{headers}{body:.200}: {}", answer.body);
        assert!(code == 200 || !answer.body.contains("bot-"), "{}", answer.body);
    }
    let control = get(&server, "/stage/control", &host(&server));
    assert!(control.code == 200 && !control.body.contains(&token), "the page itself holds no secret");
    assert!(!control.body.contains("data-command"), "{}", control.body);
    for path in ["/stage", "/stage/events", "/matches.html"] {
        let request = format!(
            "POST {path} HTTP/1.1\r\nConnection: close\r\n{}Content-Length: 0\r\n\r\n",
            host(&server)
        );
        assert_eq!(ask(&server, &request).code, 405, "{path}");
    }
    assert_eq!(get(&server, "/stage", "Host: evil.example\r\n").code, 403);
    // Without a stage there is none of it.
    let (_folder, plain) = super::server(true);
    assert_eq!(get(&plain, "/stage", &host(&plain)).code, 404);
    assert_eq!(say(&plain, &token, "{\"say\":\"look\"}").code, 413, "no body is read");
}

#[test]
fn rounds_are_revealed_in_order_and_kept() {
    let (_folder, path, server) = staged();
    let token = server.stage_token().unwrap().to_owned();
    let reveal = |server: &Server, token: &str, block: u32| {
        say(server, token, &format!("{{\"say\":\"reveal\",\"block\":{block}}}")).code
    };
    assert!(!get(&server, "/matches.html", &host(&server)).body.contains("class=\"seats\""));
    assert_eq!(say(&server, &token, "{\"say\":\"winner\"}").code, 409);
    assert_eq!(say(&server, &token, "{\"say\":\"play\"}").code, 409);
    assert_eq!(reveal(&server, &token, 1), 409, "block 0 comes first");
    assert_eq!((reveal(&server, &token, 0), reveal(&server, &token, 0)), (200, 409));
    wait_for(&server, "/standings.json", "\"played\": 12", true);
    assert!(!get(&server, "/", &host(&server)).body.contains("a test"), "the seed reveals what follows");
    drop(server);
    // It goes on where it was.
    let server = Server::start(&ServerConfig { stage: true, ..ServerConfig::new(&path) }, None).unwrap();
    assert_ne!(server.stage_token(), Some(token.as_str()));
    let token = server.stage_token().unwrap().to_owned();
    wait_for(&server, "/standings.json", "\"played\": 12", true);
    assert_eq!((reveal(&server, &token, 0), reveal(&server, &token, 1)), (409, 200));
    wait_for(&server, "/standings.json", "\"played\": 24", true);
    wait_for(&server, "/", "a test", true);
    assert_eq!(say(&server, &token, "{\"say\":\"winner\"}").code, 200);
    wait_for(&server, "/stage", "The winner is", true);
    assert_eq!(reveal(&server, &token, 2), 409);
}

#[test]
fn staged_match_is_shown_but_not_revealed_elsewhere() {
    let (_folder, _path, server) = staged();
    let token = server.stage_token().unwrap().to_owned();
    let (_, record) = sample::matches(&sample::stored_plan(4, 2)).next().unwrap();
    let page = format!("/matches/{}.html", record.id);
    let shown = say(&server, &token, &format!("{{\"say\":\"match\",\"id\":\"{}\"}}", record.id));
    assert_eq!(shown.code, 200, "{}", shown.body);
    wait_for(&server, "/stage", "Round 1 is dealt", true);
    let stage = get(&server, "/stage", &host(&server)).body;
    assert!(!stage.contains(&record.id) && !stage.contains("verdict"), "{stage}");
    assert_eq!(say(&server, &token, "{\"say\":\"moment\",\"at\":1}").code, 200);
    wait_for(&server, "/stage", " leads ", true);
    assert_eq!(get(&server, &page, &host(&server)).code, 404);
    let last = shown.body.split("moment 0 of ").nth(1).and_then(|rest| rest.split([',', '<']).next());
    let last: usize = last.and_then(|last| last.parse().ok()).unwrap_or_else(|| panic!("{}", shown.body));
    assert_eq!(say(&server, &token, &format!("{{\"say\":\"moment\",\"at\":{}}}", last + 1)).code, 409);
    assert_eq!(say(&server, &token, &format!("{{\"say\":\"moment\",\"at\":{last}}}")).code, 200);
    wait_for(&server, "/stage", "verdict", true);
    // The other leg has the same deal and is not revealed, so nothing of the pair is seen elsewhere.
    assert_eq!(get(&server, &page, &host(&server)).code, 404);
}

#[test]
fn stage_shows_one_file_and_its_own() {
    let (_folder, path, server) = staged();
    drop(server);
    let event = || ServedEvent { results: path.clone(), title: None };
    let several = ServerConfig { events: vec![event(), event()], stage: true, ..ServerConfig::new("") };
    assert!(matches!(Server::start(&several, None), Err(ServeError::SeveralOnStage(2))));
    let kept = path.with_file_name("cup.db.stage.json");
    let text = std::fs::read_to_string(&kept).unwrap();
    let id = SnapshotReader::open(&path).unwrap().tournament();
    std::fs::write(&kept, text.replace(&id, "0123456789abcdef")).unwrap();
    let config = ServerConfig { stage: true, ..ServerConfig::new(&path) };
    assert!(matches!(Server::start(&config, None), Err(ServeError::Stage(StageFileError::OfAnother(_)))));
}
