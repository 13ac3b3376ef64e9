//! `leyden play`: complete matches by people, typed through pipes and clicked in a real browser.
//!
//! Without Chromium the browser tests are reported as left out. Pictures of what they saw are in `target/tmp/play`.

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
const PATIENT: [&str; 4] = ["--turn", "100s", "--seed", "x"];

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
fn a_match_is_typed_to_its_end_and_stored_like_any_other() {
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
fn every_rule_set_and_number_of_seats_can_be_typed() {
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
fn the_end_of_input_resigns_and_stores_nothing() {
    for lines in ["", "1\n", "nonsense\n99\nN:0-0\n\u{1b}[2J\n?\nl\nh\n", "resign\n1\n", "1\nu\n1\n"] {
        let (ran, file, _kept) = typed(&["builtin:greedy"], lines);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert!(ran.stdout.contains("You resigned: nothing is stored"), "{lines:?}: {}", ran.stdout);
        assert!(!ran.stdout.contains('\u{1b}'), "{}", ran.stdout);
        assert!(!file.exists(), "{lines:?}");
    }
}

#[test]
fn a_step_back_leads_to_the_same_question_and_to_practice() {
    let (ran, file, _kept) = typed(&["builtin:careful"], &("1\n1\nu\n".to_owned() + &"1\n".repeat(5_000)));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("This was practice: nothing is stored.") && !file.exists(), "{}", ran.stdout);
    let questions: Vec<&str> = ran.stdout.split("Your move: ").collect();
    let position =
        |place: usize| questions[place].split_once("\n\n").map(|(_, position)| position.to_owned());
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
fn the_coach_speaks_when_it_is_asked() {
    let (ran, _, _kept) = typed(&["builtin:greedy"], "k\n");
    // Lines break between words, wherever the terminal ends.
    let words = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("deals that fit what you have seen"), "{}", ran.stdout);
    assert!(words.contains("% to win the match"), "{}", ran.stdout);
}

#[test]
fn what_cannot_be_played_is_reported_before_play_starts() {
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
fn only_the_page_itself_may_read_and_play() {
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
fn a_table_speaks_the_language_of_the_browser() {
    let Some(browser) = Browser::start() else { return };
    let (_running, address) = serve(&["builtin:greedy"]);
    let english = texts(&browser, &address, "en-GB", "en");
    let german = texts(&browser, &address, "de-AT, en;q=0.5", "de");
    let kept: Vec<&String> = english.intersection(&german).collect();
    assert!(kept.iter().all(|text| ["Leyden Arena", "greedy"].contains(&text.as_str())), "{kept:?}");
    assert!(german.len() > 60 && english.contains("Your turn."), "{german:?}");
    // What happened before is said again in the other language.
    assert!(german.iter().any(|text| text.starts_with("Runde 1 wird gegeben")), "{german:?}");
}

#[test]
fn a_table_in_the_terminal_speaks_the_requested_language() {
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

/// Pictures in every size and both themes.
fn pictures(page: &mut Page, name: &str) {
    for (width, height) in [(390, 844), (1_500, 930), (1_920, 1_080)] {
        for scheme in ["light", "dark"] {
            page.size(width, height);
            page.media("screen", &[("prefers-color-scheme", scheme)]);
            assert!(!page.is_too_wide(), "{name} at {width}");
            page.screenshot(&picture(&format!("{name}-{width}-{scheme}.png")));
        }
    }
    page.size(1_280, 900);
    page.media("screen", &[]);
}

/// Waits for a decision other than the last one. `None`: the match is over.
fn turn(page: &mut Page, answered: &str) -> Option<String> {
    let other = json!(answered);
    page.wait_until(&format!(
        "document.body.dataset.turn && document.body.dataset.turn !== {other} || document.querySelector('#result h2') !== null"
    ).replace("document.body.dataset.turn &&", "!!document.body.dataset.turn &&"));
    let turn = page.text("document.body.dataset.turn");
    (!turn.is_empty()).then_some(turn)
}

/// Decides by clicking: the first tile that fits, at the first end where it fits; or draws from the boneyard.
fn click(page: &mut Page, asked: &mut bool, drawn: &mut bool) {
    let can = |page: &mut Page, selector: &str| {
        page.eval(&format!("document.querySelector({}) !== null", json!(selector))) == json!(true)
    };
    if !*drawn && can(page, ".pile:not(:disabled)") {
        *drawn = true;
        return page.click(".pile");
    }
    if can(page, ".hand-tiles button:not(:disabled)") {
        page.click(".hand-tiles button:not(:disabled)");
        let turn = page.text("document.body.dataset.turn");
        let spot = "svg.wide .spot.offered, svg.round:not(.tall) .spot.offered";
        let place = if can(page, spot) { spot } else { ".choice:not([hidden])" };
        page.click(place);
        if page.text("document.querySelector('.which')?.innerText ?? ''").contains("how should it lie")
            && page.text("document.body.dataset.turn") == turn
        {
            *asked = true;
            page.click(".choice:not([hidden])");
        }
    } else if can(page, ".acts [data-act]") {
        page.click(".acts [data-act]");
    }
}

#[test]
fn a_whole_match_is_clicked_to_its_end() {
    let Some(browser) = Browser::start() else { return };
    let (running, address) = serve(&["--target", "60"]);
    let mut page = browser.open(&address);
    page.wait_until("!document.getElementById('lobby').hidden");
    pictures(&mut page, "lobby");
    page.click("[data-level='2']");
    let (mut answered, mut asked, mut drawn, mut decisions) = (String::new(), false, false, 0);
    while let Some(turn) = turn(&mut page, &answered) {
        if decisions == 4 {
            page.click("[data-say='coach']");
            page.wait_until("document.querySelector('#coach tbody') !== null");
            page.click(".hand-tiles button:not(:disabled)");
            pictures(&mut page, "turn");
            page.click("[data-say='coach']");
            page.wait_until("document.querySelector('#coach tbody') === null");
            page.key("Escape");
        }
        click(&mut page, &mut asked, &mut drawn);
        (answered, decisions) = (turn, decisions + 1);
        assert!(decisions < 2_000, "it has no end");
    }
    assert!(drawn && asked, "drawn {drawn}, asked how a matador lies {asked}, after {decisions} decisions");
    assert!(page.text_of("#result").contains("Final scores"), "{}", page.text_of("#result"));
    pictures(&mut page, "end");
    page.assert_quiet();
    let host = address.split('/').nth(2).unwrap();
    let foreign: Vec<String> = page.requests().into_iter().filter(|url| !url.contains(host)).collect();
    assert!(foreign.is_empty(), "{foreign:?}");
    let mut replay = browser.open(&format!("{address}replay.html"));
    assert!(replay.text("document.title").contains("person"));
    replay.assert_quiet();
    running.wait_for("stderr", "kept in", PATIENCE);
    page.click("[data-say='close']");
    let folder = running.folder.path().to_owned();
    let mut running = running;
    let mut patience = Patience::new(PATIENCE);
    while running.child.try_wait().unwrap().is_none() {
        assert!(patience.waits(), "{}", running.output("stderr"));
    }
    let file = fs::read_dir(folder.join("leyden")).unwrap().find_map(|entry| {
        let path = entry.unwrap().path();
        path.extension().is_some_and(|extension| extension == "db").then_some(path)
    });
    assert!(said("verify", &file.unwrap(), &[]).starts_with("1 match verified"));
}

#[test]
fn keys_alone_play_take_back_and_give_up() {
    let Some(browser) = Browser::start() else { return };
    let (running, address) = serve(&["builtin:greedy"]);
    let mut page = browser.open(&address);
    page.key("?");
    page.wait_until("document.getElementById('help').open");
    pictures(&mut page, "help");
    page.key("Escape");
    page.wait_until("!document.getElementById('help').open");
    let mut answered = String::new();
    for _ in 0..3 {
        let turn = turn(&mut page, &answered).expect("three decisions");
        let first =
            "[...document.querySelectorAll('.hand-tiles button')].findIndex((button) => !button.disabled)";
        let place = page.eval(first).as_i64().unwrap();
        if (0..9).contains(&place) {
            page.key(&(place + 1).to_string());
            assert_eq!(
                page.eval("document.querySelectorAll('.hand-tiles [aria-pressed=true]').length"),
                json!(1)
            );
            page.key("ArrowRight");
            page.key("Enter");
            page.key("i"); // a matador with its low half touching; nothing if it lies so already
        } else {
            page.key("d");
        }
        answered = turn;
    }
    turn(&mut page, &answered).expect("a fourth decision");
    page.key("k");
    page.wait_until("document.querySelector('#coach tbody') !== null");
    let hints = |on: bool| format!("document.querySelector('[data-say=hints]').ariaPressed === '{on}'");
    page.key("h");
    page.wait_until(&hints(false));
    page.key("h");
    page.wait_until(&hints(true));
    page.key("u");
    page.wait_until("document.getElementById('sure').open");
    agree(&mut page);
    page.wait_until("document.getElementById('status').innerText.includes('practice')");
    page.wait_until(&format!("document.body.dataset.turn === {}", json!(answered)));
    reach(&mut page, "[data-say='resign']");
    page.key("Enter");
    page.wait_until("document.getElementById('sure').open");
    agree(&mut page);
    page.wait_until("document.getElementById('result').innerText.includes('gave up')");
    page.assert_quiet();
    reach(&mut page, "[data-say='close']");
    page.key("Enter");
    let ran = running.finish(PATIENCE);
    ran.assert_clean();
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

/// Moves to an element as somebody without a mouse does.
fn reach(page: &mut Page, selector: &str) {
    let there = format!("document.activeElement === document.querySelector({})", json!(selector));
    for _ in 0..200 {
        if page.eval(&there) == json!(true) {
            return;
        }
        page.key("Tab");
    }
    panic!("{selector} cannot be reached");
}

/// Confirms a question.
fn agree(page: &mut Page) {
    reach(page, "#sure [value=yes]");
    page.key("Enter");
}

#[test]
fn bots_are_watched_in_the_browser() {
    let Some(browser) = Browser::start() else { return };
    let (running, address) = serve(&["builtin:greedy", "builtin:careful", "--watch"]);
    let mut page = browser.open(&address);
    let count = "document.querySelectorAll('svg.wide .tile').length";
    for tiles in 1..4 {
        page.wait_until("document.querySelector('[data-say=step]:not(:disabled)') !== null");
        let before = page.eval(count).as_i64().unwrap();
        page.key("ArrowRight");
        page.wait_until(&format!("{count} !== {before} || document.querySelectorAll('#log li').length > 6"));
        assert!(tiles < 4);
    }
    pictures(&mut page, "watch");
    page.assert_quiet();
    drop(running);
}

#[test]
fn a_hostile_name_is_text() {
    let Some(browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let bot = folder.path().join("bot");
    fs::create_dir(&bot).unwrap();
    let command = json!([program("leyden"), "bot", "greedy"]);
    fs::write(bot.join("bot.toml"), format!("name = {}\ncommand = {command}\n", json!(HOSTILE))).unwrap();
    let (running, address) = serve(&[bot.to_str().unwrap(), "--sandbox", "none"]);
    let mut page = browser.open(&address);
    turn(&mut page, "").expect("a decision");
    assert!(page.text_of("#others").contains(HOSTILE), "{}", page.text_of("#others"));
    assert_eq!(page.eval("document.querySelectorAll('img').length"), json!(0));
    page.assert_quiet();
    drop(running);
}

#[test]
fn axe_finds_nothing_serious() {
    let Some(browser) = Browser::start() else { return };
    let axe = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/axe/node_modules/axe-core/axe.min.js");
    let Ok(script) = fs::read_to_string(&axe) else {
        return left_out(
            "axe-core is not there, so the table was not checked with it; tests/run installs it",
        );
    };
    let (running, address) = serve(&["--target", "60"]);
    let mut page = browser.open(&address);
    let check = |page: &mut Page, what: &str| {
        for scheme in ["light", "dark"] {
            page.media("screen", &[("prefers-color-scheme", scheme)]);
            page.eval(&format!("{script}; null"));
            let found = page.text("axe.run().then(r => JSON.stringify(r.violations.filter(v => ['serious','critical'].includes(v.impact)).map(v => [v.id, v.nodes.map(n => n.html)])))");
            assert_eq!(found, "[]", "{what} {scheme}");
        }
    };
    page.wait_until("!document.getElementById('lobby').hidden");
    check(&mut page, "lobby");
    page.click("[data-level='2']");
    turn(&mut page, "").expect("a decision");
    page.click("[data-say='coach']");
    page.wait_until("document.querySelector('#coach tbody') !== null");
    check(&mut page, "turn");
    drop(running);
}
