//! A tournament watched while it is played: pages and events from a real server, seen with a real browser.
//!
//! Without Chromium the browser tests are reported as left out. Pictures of what they saw are in `target/tmp/pages`.

use std::fs;
use std::io::Read;
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use leyden_tests::arena::{Arena, Running};
use leyden_tests::browser::{Browser, Page, file_url};
use leyden_tests::http::{get, text};
use leyden_tests::{patience::Patience, program};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A generous limit for events that nothing announces; nothing is measured with it.
const PATIENCE: Duration = Duration::from_mins(10);

const BOTS: [&str; 4] =
    ["builtin:careful", "builtin:greedy", "builtin:random", "builtin:careful --blunder 30"];

/// Limits that no bot reaches, however busy the machine is.
const PATIENT: [&str; 8] = ["--turn", "100s", "--startup", "100s", "--seed", "x", "--results", "cup.db"];

/// Starts `leyden` with these words.
fn start(words: &[&str]) -> Running {
    Arena::new(&program("leyden"), words).start()
}

/// The address in the first line of an output, as soon as it is there.
fn address(running: &Running, output: &str) -> String {
    let mut patience = Patience::new(PATIENCE);
    loop {
        let said = running.output(output);
        if let Some((first, _)) = said.split_once('\n') {
            assert!(first.starts_with("http://127.0.0.1:"), "{said}");
            return first.to_owned();
        }
        assert!(patience.waits(), "no address: {said}{}", running.output("stderr"));
    }
}

/// A run that cannot end before `go` is called, because one of its bots waits for it.
struct HeldRun {
    running: Running,
    folder: TempDir,
}

impl HeldRun {
    /// A tournament whose bot waits before it starts.
    fn start(options: &[&str]) -> Self {
        let script = "until [ -e \"$0\" ]; do sleep 0.05; done; exec \"$1\" bot careful";
        Self::with(script, "tournament", &BOTS[..3], options)
    }

    /// The bot starts when `begin` is called, and stops when it receives such a line of the protocol for the given time.
    fn at(line: &str, time: usize, command: &str, others: &[&str], options: &[&str]) -> Self {
        let script = format!(
            "while IFS= read -r line; do case $line in *'\"type\":\"{line}\"'*) echo >> \"$0.seen\"; \
             until [ -e \"$0\" ] || {{ [ -e \"$0.begin\" ] && [ $(wc -l < \"$0.seen\") -lt {time} ]; }}; \
             do sleep 0.05; done;; esac; printf '%s\\n' \"$line\"; done | \"$1\" bot careful"
        );
        Self::with(&script, command, others, options)
    }

    fn with(script: &str, command: &str, others: &[&str], options: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (bot, go) = (folder.path().join("held"), folder.path().join("go"));
        fs::create_dir(&bot).unwrap();
        let words = json!(["sh", "-c", script, go, program("leyden")]);
        fs::write(bot.join("bot.toml"), format!("name = \"held\"\ncommand = {words}\n")).unwrap();
        let limits = ["--turn", "1000s", "--startup", "1000s", "--seed", "x", "--results", "cup.db"];
        let bots = [&[command, bot.to_str().unwrap()], others, &["--sandbox", "none"]].concat();
        Self { running: start(&[&bots[..], &limits, options].concat()), folder }
    }

    fn begin(&self) {
        fs::write(self.folder.path().join("go.begin"), "").unwrap();
    }

    fn go(&self) {
        fs::write(self.folder.path().join("go"), "").unwrap();
    }
}

fn tournament(options: &[&str]) -> Running {
    start(&[&["tournament"], &BOTS[..], &PATIENT, options].concat())
}

/// Waits until it has ended, and keeps its folder.
fn ended(mut running: Running) -> Running {
    let mut patience = Patience::new(PATIENCE);
    while running.child.try_wait().unwrap().is_none() {
        assert!(patience.waits(), "{}", running.output("stderr"));
    }
    running
}

/// A tournament that was played to its end.
fn finished(blocks: &str) -> Running {
    ended(tournament(&["--blocks", blocks, "--quiet"]))
}

/// A tournament that was interrupted after some pairs.
fn unfinished() -> Running {
    let running = tournament(&["--blocks", "5000", "--json", "--quiet"]);
    let mut patience = Patience::new(PATIENCE);
    // Some second legs: key and record of each say so.
    while running.output("stdout").matches("\"leg\":1").count() < 40 {
        assert!(patience.waits(), "{}", running.output("stderr"));
    }
    interrupt(&running);
    ended(running)
}

/// Like Ctrl-C.
fn interrupt(running: &Running) {
    let pid = rustix::process::Pid::from_child(&running.child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
}

/// Serves a results file; returns once it has been read.
fn serve(running: &Running) -> Running {
    let served = start(&["serve", running.folder.path().join("cup.db").to_str().unwrap()]);
    text(&address(&served, "stdout"), "");
    served
}

#[test]
fn live_tournament_is_followed_to_its_end() {
    let held = HeldRun::start(&["--blocks", "4", "--serve"]);
    let address = address(&held.running, "stdout");
    let mut events = get(&address, "events");
    let (mut heard, mut chunk) = (String::new(), [0; 8_192]);
    let mut pages = 0;
    while !heard.contains("event: over") {
        let count = events.read(&mut chunk).unwrap();
        assert!(count > 0, "the events end without their last one: {heard}");
        heard += &String::from_utf8_lossy(&chunk[..count]);
        // A client that has an answer receives everything from there on.
        if heard.contains("\r\n\r\n") {
            held.go();
        }
        if pages < 3 {
            let page = text(&address, "");
            assert!(page.starts_with("HTTP/1.1 200") && page.contains("Standings"), "{page}");
            pages += 1;
        }
    }
    drop(events);
    // The pages stay when everything is played, and Ctrl-C ends them.
    held.running.wait_for("stderr", "the pages stay at", PATIENCE);
    assert!(text(&address, "").contains("48 of 48 matches"));
    interrupt(&held.running);
    let ran = held.running.finish(PATIENCE);
    ran.assert_clean();
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.starts_with("http://127.0.0.1:") && ran.stdout.contains("careful"), "{}", ran.stdout);
    let progress: Vec<Value> = heard
        .split("event: progress\ndata: ")
        .skip(1)
        .filter_map(|rest| serde_json::from_str(rest.lines().next()?).ok())
        .collect();
    let done: Vec<u64> = progress.iter().map(|event| event["done"].as_u64().unwrap()).collect();
    assert!(done.is_sorted() && done.iter().all(|done| done % 2 == 0), "{done:?}");
    assert_eq!(
        (done.last(), progress.last().map(|event| &event["is_over"])),
        (Some(&48), Some(&Value::Bool(true)))
    );
}

#[test]
fn address_is_kept_out_of_json_output() {
    let held = HeldRun::start(&["--blocks", "1", "--serve", "--json", "--quiet"]);
    let address = address(&held.running, "stderr");
    assert!(text(&address, "standings.json").contains("\"bots\""));
    held.go();
    let ran = held.running.finish(PATIENCE);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.lines().all(|line| line.starts_with('{')), "{}", ran.stdout);
}

#[test]
fn matches_and_gates_serve_and_delay_requires_serving() {
    for words in [
        &[
            "match",
            "builtin:careful",
            "builtin:random",
            "--blocks",
            "3",
            "--serve",
            "--until-played",
            "--delay",
            "none",
        ][..],
        &["gate", "builtin:careful", "builtin:random", "--elo0", "0", "--elo1", "200", "--serve"],
    ] {
        let running =
            start(&[words, &["--turn", "100s", "--startup", "100s", "--seed", "x", "--quiet"]].concat());
        let address = address(&running, "stdout");
        let _page = TcpStream::connect(address.trim_start_matches("http://").trim_end_matches('/'));
        let ran = running.finish(PATIENCE);
        ran.assert_clean();
        assert_eq!(ran.code, Some(0), "{words:?}: {}", ran.stderr);
    }
    let refused = start(&["match", "builtin:careful", "builtin:random", "--delay", "none"]).finish(PATIENCE);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("--serve"), "{}", refused.stderr);
}

/// Where pictures are kept.
fn pictures() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pages");
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Looks at pages in every size and both themes.
fn look_at_all(page: &mut Page, pages: &[(&str, String)]) {
    let pictures = pictures();
    for (name, url) in pages {
        for (width, height) in [(390, 844), (1_500, 1_390), (1_920, 1_080)] {
            for scheme in ["light", "dark"] {
                page.size(width, height);
                page.media("screen", &[("prefers-color-scheme", scheme)]);
                page.go(url);
                page.wait_until("document.readyState === 'complete'");
                assert!(!page.is_too_wide(), "{name} at {width}");
                page.screenshot(&pictures.join(format!("{name}-{width}-{scheme}.png")));
                assert_eq!(page.violations().unwrap_or_default(), [""; 0], "{name} at {width}, {scheme}");
            }
        }
    }
    page.assert_quiet();
}

#[test]
fn browser_sees_a_live_tournament_to_its_end() {
    let Some(browser) = Browser::start() else { return };
    // The page is opened before the first match, and examined in the middle: leg 0 of the eight pairs is played first.
    let options = ["--blocks", "8", "--jobs", "1", "--serve", "--until-played"];
    let held = HeldRun::at("match_start", 12, "tournament", &["builtin:greedy"], &options);
    let address = address(&held.running, "stdout");
    text(&address, "");
    let mut page = browser.page();
    page.size(1_500, 1_390);
    page.go(&address);
    page.wait_until("document.querySelector('.state')?.textContent.trim().startsWith('Live')");
    held.begin();
    page.wait_until("document.querySelectorAll('.table .felt .tile').length > 3");
    page.screenshot(&pictures().join("live.png"));
    held.go();
    page.wait_until("document.querySelector('.state').textContent.trim() === 'final'");
    assert!(page.text_of("#progress").contains("16 of 16 matches"), "{}", page.text_of("#progress"));
    assert_eq!(page.eval("document.querySelector('#now')"), Value::Null);
    // What arrived while the page was open is on it once.
    let ids = "[...document.querySelectorAll('main [id]')].map((part) => part.id)";
    assert_eq!(page.eval(&format!("{ids}.length === new Set({ids}).size && {ids}.includes('leader')")), true);
    assert!(page.requests().iter().all(|url| url.starts_with(&address)), "{:?}", page.requests());
    page.assert_quiet();
    assert_eq!(held.running.finish(PATIENCE).code, Some(0));
}

/// A copy of the page that was requested earlier than another, but arrives later, must not remain in the end.
#[test]
fn browser_shows_no_older_state_once_final() {
    let Some(browser) = Browser::start() else { return };
    let held = HeldRun::start(&["--blocks", "1", "--serve", "--until-played"]);
    let address = address(&held.running, "stdout");
    text(&address, "");
    let mut page = browser.open(&address);
    page.wait_until("document.querySelector('.state')?.textContent.trim().startsWith('Live')");
    // Copies are numbered, and held back until all are released, the last one first.
    page.eval(
        "(() => {
            const waiting = [];
            window.copies = 0;
            window.letGo = null;
            window.fetch = async () => {
                const copy = ++window.copies;
                if (!window.letGo?.done) await new Promise((go) => waiting.unshift(go));
                return new Response(`<p id='state' class='state'>copy ${copy}</p>`);
            };
            window.letGo = async () => {
                window.letGo.done = true;
                for (const go of waiting) { go(); await new Promise((done) => setTimeout(done, 50)); }
            };
            const events = new EventSource(document.body.dataset.events);
            events.addEventListener('over', () => { window.isOver = true; events.close(); });
            return new Promise((done) => { events.onopen = () => done(null); });
        })()",
    );
    held.go();
    page.wait_until("window.isOver === true && window.copies > 0");
    page.eval("window.letGo()");
    let last = "document.querySelector('.state').textContent === `copy ${window.copies}`";
    page.wait_until(last);
    page.eval("new Promise((done) => setTimeout(done, 500))");
    page.wait_until(last);
    assert_eq!(held.running.finish(PATIENCE).code, Some(0));
}

/// The first leg of a pair is visible while it is played.
#[test]
fn browser_sees_undelayed_table_before_pair_ends() {
    let Some(browser) = Browser::start() else { return };
    let options = ["--serve", "--delay", "none"];
    let held = HeldRun::at("turn", 5, "match", &["builtin:greedy"], &options);
    held.begin();
    let address = address(&held.running, "stdout");
    text(&address, "");
    let mut page = browser.page();
    page.go(&address);
    page.wait_until("document.querySelectorAll('.table .felt .tile').length > 3");
    assert!(page.text_of("#progress").starts_with("0 "), "{}", page.text_of("#progress"));
    page.assert_quiet();
    interrupt(&held.running);
    assert_eq!(held.running.finish(PATIENCE).code, Some(130));
}

#[test]
fn browser_shows_an_unfinished_tournament() {
    let Some(browser) = Browser::start() else { return };
    let running = unfinished();
    let served = serve(&running);
    let address = address(&served, "stdout");
    let mut page = browser.page();
    let at = |path: &str| format!("{address}{path}");
    look_at_all(
        &mut page,
        &[
            ("unfinished-standings", at("")),
            ("unfinished-tables", at("live.html")),
            ("unfinished-screen", at("screen.html")),
            ("unfinished-bot", at("bots/1.html")),
        ],
    );
    page.go(&at("live.html"));
    page.wait_until("document.querySelectorAll('.table .felt .tile').length > 20");
    page.screenshot(&pictures().join("tables.png"));
    page.go(&at("matches.html"));
    page.click(".matches tbody a.replay");
    page.wait_until("document.querySelector('.deal .felt .tile') !== null");
    look_at_all(&mut page, &[("unfinished-match", page_address(&mut browser.page(), &at("matches.html")))]);
    page.assert_quiet();
}

/// Where the first match of a list leads.
fn page_address(page: &mut Page, list: &str) -> String {
    page.go(list);
    page.text("document.querySelector('.matches tbody a.replay').href")
}

#[test]
fn browser_navigates_a_finished_tournament() {
    let Some(browser) = Browser::start() else { return };
    let running = finished("4");
    let served = serve(&running);
    let address = address(&served, "stdout");
    let mut page = browser.page();
    let at = |path: &str| format!("{address}{path}");
    look_at_all(
        &mut page,
        &[
            ("standings", at("")),
            ("matches", at("matches.html")),
            ("pairings", at("pairings.html")),
            ("verify", at("verify.html")),
            ("screen", at("screen.html")),
            ("bot", at("bots/0.html")),
        ],
    );
    page.size(1_280, 900);
    page.go(&address);
    page.click("button.theme");
    assert_eq!(page.eval("document.documentElement.dataset.theme !== undefined"), Value::Bool(true));
    page.click(".standings tbody a");
    page.wait_until("document.querySelector('#against') !== null");
    page.go(&at("matches.html?q=random&sort=closest"));
    assert_eq!(page.eval("document.querySelectorAll('.matches tbody tr').length"), Value::from(24));
    page.click(".matches tbody a.replay");
    page.wait_until("document.querySelector('main.replay') !== null");
    page.assert_quiet();
    let beside = fs::read_dir(running.folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(
        beside.filter(|name| name.to_string_lossy().starts_with("cup")).count(),
        1,
        "something is left"
    );
}

#[test]
fn published_folder_works_without_a_server() {
    let Some(browser) = Browser::start() else { return };
    let running = finished("4");
    let folder = running.folder.path().to_owned();
    let mut publish = Arena::new(&program("leyden"), &["report", "cup.db", "--out", "site"]);
    publish.command().current_dir(&folder);
    let ran = publish.run(PATIENCE);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "site/index.html\n"), "{}", ran.stderr);
    let site = folder.join("site");
    let mut page = browser.page();
    let at = |path: &str| file_url(&site.join(path));
    look_at_all(
        &mut page,
        &[
            ("report-standings", at("index.html")),
            ("report-matches", at("matches.html")),
            ("report-pairings", at("pairings.html")),
            ("report-verify", at("verify.html")),
            ("report-bot", at("bots/0.html")),
        ],
    );
    page.size(1_280, 900);
    page.go(&at("matches.html"));
    page.wait_until("!document.querySelector('#find').hidden");
    assert_eq!(page.text_of("#list .note"), "48 matches");
    // The script writes the rows that the page has without scripts.
    let written = json!(fs::read_to_string(site.join("matches.html")).unwrap());
    let rows = |of: &str| {
        let cells = "[...row.cells].map((cell) => [cell.className, cell.textContent.trim()])";
        format!("JSON.stringify([...{of}.querySelectorAll('#list tbody tr')].map((row) => {cells}))")
    };
    let of_file = format!("new DOMParser().parseFromString({written}, 'text/html')");
    assert_eq!(page.text(&rows("document")), page.text(&rows(&of_file)));
    page.eval("(() => { const q = document.querySelector('#find input'); q.value = 'random'; q.dispatchEvent(new Event('input', { bubbles: true })); })()");
    assert_eq!(page.text_of("#list .note"), "24 matches");
    page.click(".matches tbody a[href^='matches/']");
    page.wait_until("document.querySelector('main.replay') !== null");
    assert!(page.requests().iter().all(|url| url.starts_with("file://")), "{:?}", page.requests());
    page.assert_quiet();
}

#[test]
fn serve_opens_browser_and_warns_when_bound_publicly() {
    let played = finished("1");
    let folder = played.folder.path();
    let opened = folder.join("opened");
    let script = format!("#!/bin/sh\necho $$ > '{0}.pid'\necho \"$1\" > '{0}'\n", opened.display());
    fs::create_dir(folder.join("bin")).unwrap();
    fs::write(folder.join("bin/xdg-open"), script).unwrap();
    fs::set_permissions(folder.join("bin/xdg-open"), fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", folder.join("bin").display(), std::env::var("PATH").unwrap());
    let results = folder.join("cup.db").display().to_string();
    let mut arena = Arena::new(&program("leyden"), &["serve", &results, "--open", "--bind", "0.0.0.0"]);
    arena.command().env("PATH", path);
    let serving = arena.start();
    serving.wait_for("stderr", "other machines can see these pages", PATIENCE);
    let mut patience = Patience::new(PATIENCE);
    let at = loop {
        let at = fs::read_to_string(&opened).unwrap_or_default();
        if at.ends_with('\n') {
            break at;
        }
        assert!(patience.waits(), "no browser was started: {}", serving.output("stderr"));
    };
    assert_eq!(serving.output("stdout"), at);
    let pid = fs::read_to_string(folder.join("opened.pid")).unwrap();
    let process = Path::new("/proc").join(pid.trim());
    while process.exists() {
        assert!(patience.waits(), "the browser's process stays a zombie");
    }
    drop(serving);

    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let refused = start(&["serve", &results, "--port", &port]).finish(PATIENCE);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(refused.stderr.contains(&port), "{}", refused.stderr);
}
