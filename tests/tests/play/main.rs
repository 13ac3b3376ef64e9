//! `leyden play`: complete matches by people, typed through pipes and clicked in a real browser.
//!
//! Without Chromium the browser tests are reported as left out. Pictures of what they saw are in `target/tmp/play`.

mod clicks;

use std::collections::BTreeSet;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use leyden_protocol::RulesName;
use leyden_tests::arena::{Arena, Ran, Running};
use leyden_tests::browser::{Browser, Page, left_out};
use leyden_tests::{patience::Patience, program};
use serde_json::{Value, json};

/// A generous limit for events that nothing announces; nothing is measured with it.
const PATIENCE: Duration = Duration::from_mins(10);

/// Limits that no bot reaches, however busy the machine is.
const PATIENT: [&str; 6] = ["--turn", "100s", "--startup", "100s", "--seed", "x"];

const HOSTILE: &str = "<img src=x onerror=alert(1)>";

fn leyden(words: &[&str]) -> Arena {
    Arena::new(&program("leyden"), words)
}

/// Plays in the terminal: these lines are typed, then the input ends.
fn typed(words: &[&str], lines: &str) -> (Ran, PathBuf, tempfile::TempDir) {
    let kept = tempfile::tempdir().unwrap();
    let file = kept.path().join("match.db");
    let input = kept.path().join("typed");
    fs::write(&input, lines).unwrap();
    let results = file.display().to_string();
    let mut arena = leyden(&[&["play", "--text", "--results", &results], words, &PATIENT].concat());
    arena.command().stdin(Stdio::from(fs::File::open(&input).unwrap()));
    let ran = arena.run(PATIENCE);
    ran.assert_clean();
    (ran, file, kept)
}

/// The output of another command on a file.
fn said(command: &str, file: &Path, more: &[&str]) -> String {
    let ran = leyden(&[&[command, file.to_str().unwrap()], more].concat()).run(PATIENCE);
    assert_eq!(ran.code, Some(0), "{command}: {}", ran.stderr);
    ran.stdout
}

#[test]
fn finished_typed_match_is_stored_like_any_other() {
    let (ran, file, kept) = typed(&["builtin:greedy"], &"1\n".repeat(5_000));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        ran.stdout.contains("the match. Final scores") && ran.stdout.contains("Kept in"),
        "{}",
        ran.stdout
    );
    assert!(said("verify", &file, &[]).starts_with("1 match verified"));
    let standings: Value = serde_json::from_str(&said("standings", &file, &["--json"])).unwrap();
    assert_eq!(standings["bots"].as_array().unwrap().len(), 2);
    assert_eq!((&standings["pairs"]["complete"], &standings["pairs"]["incomplete"]), (&json!(1), &json!(0)));
    assert!(said("replay", &file, &[]).contains("0 person"));
    let export = said("export", &file, &[]);
    let record: Value = serde_json::from_str(&export).unwrap();
    assert_eq!(record["bots"], json!(["person", "greedy"]));
    assert_eq!((&record["fault"], &record["end"]), (&Value::Null, &json!("target")));
    let exported = kept.path().join("export.jsonl");
    fs::write(&exported, &export).unwrap();
    assert!(said("verify", &exported, &[]).starts_with("1 match verified"));
    let site = kept.path().join("site");
    said("report", &file, &["--out", site.to_str().unwrap()]);
    let first = fs::read_to_string(site.join("index.html")).unwrap();
    assert!(first.contains("a single match") && first.contains("person"), "{first}");
    let page = kept.path().join("replay.html");
    said("replay", &file, &["--html", page.to_str().unwrap()]);
    assert!(fs::read_to_string(page).unwrap().contains("person"));

    // The same answers on the same seed give the same match.
    let (again, other, _kept) = typed(&["builtin:greedy"], &"1\n".repeat(5_000));
    assert_eq!(again.code, Some(0));
    let other: Value = serde_json::from_str(&said("export", &other, &[])).unwrap();
    assert_eq!(other["rounds"], record["rounds"]);
}

#[test]
fn terminal_plays_every_rule_set_and_four_seats() {
    let bots = ["builtin:greedy", "builtin:random", "builtin:careful"];
    let each = RulesName::ALL.map(|rules| (rules.as_str(), 2));
    for (rules, seats) in each.into_iter().chain([("matador", 4)]) {
        let words = [&bots[..seats - 1], &["--rules", rules, "--target", "40"]].concat();
        let (ran, file, _kept) = typed(&words, &"1\n".repeat(5_000));
        assert_eq!(ran.code, Some(0), "{rules}: {}", ran.stderr);
        assert!(said("verify", &file, &[]).starts_with("1 match verified"), "{rules}");
    }
}

#[test]
fn end_of_input_resigns_and_stores_nothing() {
    for lines in ["", "1\n", "nonsense\n99\nN:0-0\n\u{1b}[2J\n?\nl\nh\n", "resign\n1\n", "1\nu\n1\n"] {
        let (ran, file, _kept) = typed(&["builtin:greedy"], lines);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert!(ran.stdout.contains("You resigned: nothing is stored"), "{lines:?}: {}", ran.stdout);
        assert!(!ran.stdout.contains('\u{1b}'), "{}", ran.stdout);
        assert!(!file.exists(), "{lines:?}");
    }
}

#[test]
fn step_back_repeats_the_question_as_practice() {
    let (ran, file, _kept) = typed(&["builtin:careful"], &("1\n1\nu\n".to_owned() + &"1\n".repeat(5_000)));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("This was practice: nothing is stored.") && !file.exists(), "{}", ran.stdout);
    let questions: Vec<&str> = ran.stdout.split("Your move: ").collect();
    let position =
        |index: usize| questions[index].split_once("\n\n").map(|(_, position)| position.to_owned());
    assert!(questions[3].starts_with("Back to your last decision. This is practice now"), "{}", questions[3]);
    assert_eq!(position(3), position(1).map(|text| text.split("\n\n").last().unwrap().to_owned()));
}

#[test]
fn bots_are_watched_step_by_step() {
    let (ran, file, _kept) = typed(&["builtin:greedy", "builtin:careful", "--watch"], &"\n".repeat(5_000));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(said("verify", &file, &[]).starts_with("1 match verified"));
    let (few, file, _kept) = typed(&["builtin:greedy", "builtin:careful", "--watch"], "\n\n");
    let ran_actions = |text: &str| text.lines().filter(|line| line.contains(" plays ")).count();
    assert!(ran_actions(&few.stdout) < ran_actions(&ran.stdout) && !file.exists(), "{}", few.stdout);
}

#[test]
fn coach_speaks_when_it_is_asked() {
    let (ran, _, _kept) = typed(&["builtin:greedy"], "k\n");
    // Lines break between words, wherever the terminal ends.
    let words = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("deals that fit what you have seen"), "{}", ran.stdout);
    assert!(words.contains("% to win the match"), "{}", ran.stdout);
}

#[test]
fn unplayable_command_is_refused_with_the_reason() {
    for (words, why) in [
        (&["play", "--text", "no-such-bot"][..], "there is no bot"),
        (&["play", "--text", "builtin:greedy", "builtin:greedy"], "2 seats"),
        (&["play", "--text", "--level", "9"], "--level"),
        (&["play", "--text", "--level", "1", "builtin:greedy"], "cannot be used with"),
        (&["play", "--text", "--results", "no/such/folder.db"], "no/such/folder.db"),
    ] {
        let ran = leyden(words).run(PATIENCE);
        assert!(matches!(ran.code, Some(2 | 3)), "{words:?}: {:?}", ran.code);
        assert!(ran.stderr.contains(why), "{words:?}: {}", ran.stderr);
    }
}

// In the browser.

/// Serves a table; returns its address.
fn serve(words: &[&str]) -> (Running, String) {
    let running = leyden(&[&["play", "--no-open"], words, &PATIENT].concat()).start();
    let mut patience = Patience::new(PATIENCE);
    loop {
        let said = running.output("stdout");
        if let Some((first, _)) = said.split_once('\n') {
            assert!(first.starts_with("http://127.0.0.1:"), "{said}");
            let address = first.to_owned();
            return (running, address);
        }
        assert!(patience.waits(), "no address: {said}{}", running.output("stderr"));
    }
}

/// Sends a request; returns the complete answer.
fn ask(address: &str, request: &str, path: &str, headers: &str, body: &str) -> String {
    let host = address.trim_start_matches("http://").split('/').next().unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let headers = headers.replace("HOST", host);
    let length = body.len();
    write!(
        stream,
        "{request} {path} HTTP/1.1\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
    .unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

#[test]
fn page_itself_alone_may_read_and_play() {
    let (running, address) = serve(&["builtin:greedy"]);
    let path = format!("/{}/", address.trim_end_matches('/').rsplit('/').next().unwrap());
    let own = "Host: HOST\r\nOrigin: http://HOST\r\nContent-Type: application/json\r\n";
    let get = |path: &str, headers: &str| ask(&address, "GET", path, headers, "");
    let page = get(&path, "Host: HOST\r\n");
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("script-src 'self'"), "{page}");
    assert!(!page.contains("unsafe-inline"));
    for (path, headers, code) in [
        ("/", "Host: HOST\r\n", 404),
        ("/events", "Host: HOST\r\n", 404),
        ("/00000000000000000000000000000000/", "Host: HOST\r\n", 404),
        ("/00000000000000000000000000000000/events", "Host: HOST\r\n", 404),
        (&path[..path.len() - 2], "Host: HOST\r\n", 404),
        (&path, "Host: evil.example\r\n", 403),
        (&path, "Host: HOST\r\nOrigin: http://evil.example\r\n", 403),
        (&format!("{path}replay.html"), "Host: HOST\r\n", 404),
        (&format!("{path}../../etc/passwd"), "Host: HOST\r\n", 404),
        ("/assets/../play.js", "Host: HOST\r\n", 404),
        ("/assets/", "Host: HOST\r\n", 404),
    ] {
        let answer = get(path, headers);
        assert!(answer.starts_with(&format!("HTTP/1.1 {code}")), "{path} {headers}: {answer}");
    }
    let resign = "{\"say\":\"resign\"}";
    let say = format!("{path}say");
    for (headers, body, code) in [
        ("Host: HOST\r\nOrigin: http://HOST\r\nContent-Type: text/plain\r\n", resign, 403),
        ("Host: HOST\r\nContent-Type: application/json\r\n", resign, 403),
        ("Host: HOST\r\nOrigin: null\r\nContent-Type: application/json\r\n", resign, 403),
        (own, "{\"say\":\"nothing\"}", 400),
        (own, &"x".repeat(5_000), 413),
        (own, "{\"say\":\"act\",\"turn\":1,\"action\":\"fly\"}", 400),
    ] {
        let answer = ask(&address, "POST", &say, headers, body);
        assert!(answer.starts_with(&format!("HTTP/1.1 {code}")), "{headers}{body}: {answer}");
    }
    let wrong = ask(&address, "POST", "/00000000000000000000000000000000/say", own, resign);
    assert!(wrong.starts_with("HTTP/1.1 404"), "{wrong}");
    assert!(!running.output("stderr").contains("resigned"), "{}", running.output("stderr"));
    assert!(ask(&address, "POST", &say, own, resign).starts_with("HTTP/1.1 204"));
    running.wait_for("stderr", "you resigned: nothing is stored", PATIENCE);
    assert!(ask(&address, "POST", &say, own, "{\"say\":\"close\"}").starts_with("HTTP/1.1 204"));
    let ran = running.finish(PATIENCE);
    ran.assert_clean();
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

/// The texts of the table's page, in the language that a browser asks for; and of what the script shows.
fn texts(browser: &Browser, address: &str, languages: &str, tag: &str) -> BTreeSet<String> {
    let mut page = browser.page();
    page.speak(languages);
    page.go(address);
    assert_eq!(page.text("document.documentElement.lang"), tag);
    let scores = "(document.querySelector('#scores h2')?.textContent ?? '')";
    page.wait_until(&format!("{scores}.startsWith({})", json!(if tag == "de" { "Runde" } else { "Round" })));
    page.wait_until("document.querySelector('.which') !== null");
    page.size(390, 844);
    assert!(!page.is_too_wide(), "{tag}");
    page.screenshot(&picture(&format!("language-{tag}.png")));
    page.texts()
}

#[test]
fn table_speaks_the_language_of_the_browser() {
    let Some(browser) = Browser::start() else { return };
    let (_running, address) = serve(&["builtin:greedy"]);
    let english = texts(&browser, &address, "en-GB", "en");
    let german = texts(&browser, &address, "de-AT, en;q=0.5", "de");
    let kept: Vec<&String> = english.intersection(&german).collect();
    assert!(kept.iter().all(|text| ["Leyden Arena", "greedy"].contains(&text.as_str())), "{kept:?}");
    assert!(german.len() > 60 && english.contains("Your turn."), "{german:?}");
    // The page repeats what happened before in the other language.
    assert!(german.iter().any(|text| text.starts_with("Runde 1 wird gegeben")), "{german:?}");
}

#[test]
fn terminal_table_speaks_the_requested_language() {
    let (ran, _, _kept) = typed(&["builtin:greedy", "--language", "fr"], "1\nk\n?\n");
    let words = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for said in [
        "Tu joues contre greedy : leyden avec double-six",
        "Ta main :",
        "de gagner la partie",
        "Tu as abandonné",
    ] {
        assert!(words.replace('\u{202f}', " ").contains(said), "{said}: {words}");
    }
    assert!(!words.contains("Your "), "{words}");
}

#[test]
fn ctrl_c_in_a_match_stores_nothing() {
    let (running, _) = serve(&["builtin:greedy"]);
    let pid = rustix::process::Pid::from_child(&running.child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let folder = running.folder.path().to_owned();
    let mut running = running;
    let mut patience = Patience::new(PATIENCE);
    let status = loop {
        if let Some(status) = running.child.try_wait().unwrap() {
            break status;
        }
        assert!(patience.waits(), "{}", running.output("stderr"));
    };
    assert_eq!(status.code(), Some(130), "{}", running.output("stderr"));
    assert!(running.output("stderr").contains("nothing is stored"));
    assert!(!folder.join("leyden").exists());
}

/// Where pictures are kept.
fn picture(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("play");
    fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}
