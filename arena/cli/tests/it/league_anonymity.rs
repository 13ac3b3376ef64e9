//! A league that hides names: nothing that anybody but the organiser can request has a name.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::league::{LEAGUE, Running, hand_in, two_bots};
use crate::league_intake::{FILE, INTAKE, PATIENCE, address, bearer, get, invite, post};
use crate::program::{builtin, command, leyden, stderr};

const NAMES: [&str; 3] = ["annabel", "bobadil", "cyrano"];

/// What nobody but the author of the first bot may read: names of others, and what they wrote.
const OF_OTHERS: [&str; 4] = ["bobadil", "cyrano", "whispered", "robertson"];

fn has(text: &str, words: &[&str]) -> Vec<String> {
    let text = text.to_lowercase();
    words.iter().filter(|word| text.contains(**word)).map(|word| (*word).to_owned()).collect()
}

/// Asks until the answer has what is expected.
fn until(address: &str, path: &str, headers: &str, is_there: impl Fn(&str) -> bool) -> String {
    let until = Instant::now() + PATIENCE;
    loop {
        let answer = get(address, path, headers);
        if answer.code == 200 && is_there(&answer.body) {
            return answer.body;
        }
        assert!(Instant::now() < until, "{path}: {} {}", answer.code, answer.body);
        sleep(Duration::from_millis(100));
    }
}

/// The events up to the first table that is shown.
fn first_table(address: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    write!(stream, "GET /events HTTP/1.1\r\nHost: {address}\r\n\r\n").unwrap();
    let (mut heard, mut is_table) = (String::new(), false);
    for line in BufReader::new(stream).lines().map_while(Result::ok) {
        heard += &line;
        if is_table && line.starts_with("data:") {
            break;
        }
        is_table |= line == "event: table";
    }
    heard
}

fn two_more_names(at: &Path) {
    for old in ["ann", "bob"] {
        fs::remove_dir_all(at.join("bots").join(old)).unwrap();
    }
    for (name, plays) in NAMES.iter().zip(["careful", "greedy", "random"]) {
        let script = format!("echo {name} whispered >&2; exec {} bot {plays}", env!("CARGO_BIN_EXE_leyden"));
        hand_in(
            at,
            name,
            &format!(
                "name = \"{name}\"\nauthor = \"{name} Robertson\"\ncommand = [\"sh\", \"-c\", {script:?}]\n"
            ),
        );
    }
}

#[test]
fn league_that_hides_names_shows_none() {
    let folder = two_bots();
    let at = folder.path();
    two_more_names(at);
    let token = invite(at, "annabel");
    let options = [&INTAKE[..], &["--pseudonyms", "--hide-stderr"]].concat();
    let mut league = Running::start(at, &options);
    for name in NAMES {
        league.says(&format!("{name} v1 plays"));
    }
    let address = address(at);
    let matches = until(&address, "/matches.html", "", |page| page.contains("class=\"replay\""));
    let replay = matches.split_once("href=\"matches/").unwrap().1.split('"').next().unwrap();
    let id = replay.split('.').next().unwrap();

    let mut public: Vec<String> = ["", "pairings.html", "live.html", "verify.html", "screen.html"]
        .iter()
        .chain(&["standings.json", "standings.csv", "bots/0.html", "bots/1.html", "bots/2.html", "hand-in"])
        .map(|path| format!("/{path}"))
        .collect();
    public.extend([format!("/matches/{id}.html"), "/bots/9.html".to_owned(), "/author".to_owned()]);
    public.extend(["/challenge", "/author/records"].map(str::to_owned));
    for path in public {
        let answer = get(&address, &path, "");
        let found = has(&(answer.head + &answer.body), &[&NAMES[..], &OF_OTHERS].concat());
        assert!(found.is_empty(), "{path} has {found:?}: {}", answer.body);
    }
    let searched = get(&address, "/matches.html?q=bobadil", "").body;
    assert!(!searched.contains("class=\"replay\""), "a hidden name finds nothing: {searched}");
    let table = first_table(&address);
    assert!(table.contains("bot-") && has(&table, &OF_OTHERS).is_empty(), "{table}");
    assert!(!table.contains("annabel"), "{table}");

    // An author sees their own bot's name, and no other.
    let cookie = format!("Cookie: leyden-author={token}\r\n");
    let own = until(&address, "/author", &cookie, |page| page.contains("/author/matches/"));
    assert!(own.contains("annabel") && own.contains("your bot is called bot-"), "{own}");
    let names: Value =
        serde_json::from_slice(&fs::read(at.join("bots-league.pseudonyms.json")).unwrap()).unwrap();
    let rival = names["bobadil"].as_str().unwrap();
    let ask = |opponent: &str| {
        post(&address, "/challenge", &bearer(&token), format!("opponent={opponent}").as_bytes())
    };
    for unknown in ["cyrano", "annabel", names["annabel"].as_str().unwrap(), "nobody"] {
        let refused = ask(unknown);
        assert_eq!(refused.code, 422, "{unknown}: {}", refused.body);
        assert!(refused.body.contains(rival) && !refused.body.contains("bobadil"), "{}", refused.body);
    }
    let asked = ask(rival);
    assert_eq!(asked.code, 202, "{}", asked.body);
    let json = bearer(&token) + "Accept: application/json\r\n";
    let challenged = until(&address, "/challenge", &json, |body| body.contains("\"played\""));
    let challenge = challenged.split("\"id\": \"").nth(1).unwrap().split('"').next().unwrap();
    let id = own.split("/author/matches/").nth(1).unwrap().split('.').next().unwrap().to_owned();
    let mut of_author = vec![asked.body, own, challenged.clone()];
    for path in [
        format!("/author/matches/{id}.html"),
        format!("/author/challenges/1/{challenge}.html"),
        "/author/records".into(),
    ] {
        let answer = get(&address, &path, &cookie);
        assert_eq!(answer.code, 200, "{path}");
        of_author.push(answer.body);
    }
    of_author.push(get(&address, "/author", &cookie).body);
    for text in of_author {
        let found = has(&text, &OF_OTHERS);
        assert!(found.is_empty(), "{found:?}: {text}");
    }

    // It stays so with another command, and for those who come later.
    hand_in(at, "cyrano", &builtin("cyrano", "careful"));
    league.says("cyrano v2 plays");
    drop(league);
    let mut again = Running::start(at, &INTAKE);
    again.says("names are hidden on pages");
    again.says("annabel v1");
    drop(again);
    let mut serve = command(at, &["serve", FILE]);
    let mut serve = serve.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(serve.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().trim_start_matches("http://").trim_end_matches('/').to_owned();
    let page = until(&address, "/", "", |page| page.contains("v2"));
    let _ = serve.kill();
    let _ = serve.wait();
    assert!(has(&page, &[&NAMES[..], &OF_OTHERS].concat()).is_empty(), "{page}");
    let staged = leyden(at, &["serve", FILE, "--stage"]);
    assert!(stderr(&staged).contains("names of this league are hidden"), "{}", stderr(&staged));
    let slow = fs::read_to_string(at.join("slow.toml")).unwrap();
    fs::write(at.join("slow.toml"), slow + "names = true\n").unwrap();
    let refused = leyden(at, &LEAGUE);
    assert!(refused.status.code() == Some(2) && stderr(&refused).contains("--names"), "{}", stderr(&refused));

    // The organiser may edit the file, and mistype.
    fs::write(at.join("bots-league.pseudonyms.json"), "{").unwrap();
    for words in [&LEAGUE[..], &["serve", FILE, "--stage"]] {
        let refused = leyden(at, words);
        let said = stderr(&refused);
        assert!(
            refused.status.code() == Some(2) && said.contains("pseudonyms.json is damaged"),
            "{words:?}: {said}"
        );
        assert!(!said.contains("remove"), "names would be shown: {said}");
    }
}

#[test]
fn stderr_is_shown_to_its_author_or_nobody() {
    for hides in [false, true] {
        let folder = two_bots();
        let at = folder.path();
        let slow = fs::read_to_string(at.join("slow.toml")).unwrap();
        fs::write(at.join("slow.toml"), slow + "fresh = true\n").unwrap();
        let (leyden, go) = (env!("CARGO_BIN_EXE_leyden"), at.join("go"));
        // It faults once.
        let script = format!("echo whispered >&2; rm {} 2>&- || exec {leyden} bot careful", go.display());
        hand_in(at, "ann", &format!("name = \"ann\"\ncommand = [\"sh\", \"-c\", {script:?}]\n"));
        let [ann, cy] = ["ann", "cy"].map(|name| invite(at, name));
        let more: &[&str] = if hides { &["--hide-stderr"] } else { &[] };
        let mut league = Running::start(at, &[&INTAKE[..], more].concat());
        league.says("ann v1 plays");
        let address = address(at);

        let form = "--line\r\nContent-Disposition: form-data; name=\"entry\"; filename=\"mine.sh\"\r\n\r\n\
                    echo whispered >&2; exit 1\n\r\n--line--\r\n";
        let headers = bearer(&cy) + "Content-Type: multipart/form-data; boundary=line\r\n";
        assert_eq!(post(&address, "/hand-in", &headers, form.as_bytes()).code, 202);
        let refused = until(&address, "/hand-in", &bearer(&cy), |body| body.contains("refused"));
        assert_eq!(refused.contains("whispered"), !hides, "{refused}");

        fs::write(go, "").unwrap();
        let cookie = format!("Cookie: leyden-author={ann}\r\n");
        let faults = until(&address, "/author", &cookie, |page| page.contains("id=\"faults\""));
        assert_eq!(faults.contains("whispered"), !hides, "{faults}");
        let public = get(&address, "/bots/0.html", "").body + &get(&address, "/bots/1.html", "").body;
        assert!(!public.contains("whispered"), "{public}");
    }
}
