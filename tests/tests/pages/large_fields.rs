//! Pages with many bots, and with malicious names: nothing is cut, nothing is covered, and what belongs on one screen fits.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use leyden_tests::arena::{Arena, Running};
use leyden_tests::browser::{Browser, Page, file_url};
use leyden_tests::http::text;
use leyden_tests::{patience::Patience, program};
use serde_json::{Value, json};

use crate::replays::{HOSTILE, leyden, picture};

/// A generous limit for events that nothing announces; nothing is measured with it.
const PATIENCE: Duration = Duration::from_mins(10);

const BOTS: usize = 30;

/// Limits that no bot reaches, however busy the machine is, and short matches.
const OPTIONS: [&str; 10] =
    ["--turn", "100s", "--startup", "100s", "--seed", "x", "--target", "20", "--sandbox", "none"];

/// Tables that have to be scrolled sideways.
const CUT: &str = "[...document.querySelectorAll('.scroll, .card')]
    .filter((box) => box.querySelector('table') && box.scrollWidth > box.clientWidth + 1)
    .map((box) => `${box.closest('[id]').id}: ${box.scrollWidth} in ${box.clientWidth}`)";

/// What a projector shows only in part: cards and lines that reach beyond the window, or beyond their list.
const BEYOND: &str = "(() => {
    const box = (part) => part.getBoundingClientRect();
    const parts = [...document.querySelectorAll('h1, .card, .standings tr, .table')].filter((part) => part.offsetParent);
    const beyond = parts.filter((part) => box(part).bottom > innerHeight || box(part).right > innerWidth);
    const list = document.querySelector('ul.finished');
    const lines = [...list.children].filter((line) => box(line).left < box(list).right - 1);
    const cut = lines.filter((line) => box(line).bottom > box(list).bottom + 1 || box(line).bottom > innerHeight);
    const small = [...document.querySelectorAll('.standings td:not(.note)')].filter((cell) => parseFloat(getComputedStyle(cell).fontSize) < 11);
    const faults = [...beyond, ...cut, ...small].map((part) => `${part.tagName} ${part.id} ${part.innerText}`);
    if (lines.length === 0) faults.push('no match is seen that has finished');
    if (document.documentElement.scrollHeight > innerHeight) faults.push(`${document.documentElement.scrollHeight} high`);
    return faults;
})()";

fn start(words: &[&str]) -> Running {
    Arena::new(&program("leyden"), words).start()
}

/// Serves a results file; returns the address.
fn serve(results: &Path) -> (Running, String) {
    let running = start(&["serve", results.to_str().unwrap()]);
    let mut patience = Patience::new(PATIENCE);
    loop {
        if let Some((first, _)) = running.output("stdout").split_once('\n') {
            let address = first.to_owned();
            text(&address, ""); // it has been read then
            return (running, address);
        }
        assert!(patience.waits(), "no address: {}", running.output("stderr"));
    }
}

/// A tournament of many bots that was interrupted.
fn crowd() -> (Running, PathBuf) {
    let bots: Vec<String> = (1..=BOTS).map(|bot| format!("builtin:careful --blunder {bot}")).collect();
    let mut words = vec![
        "tournament",
        "--allow-builtins",
        "--blocks",
        "50",
        "--json",
        "--quiet",
        "--results",
        "crowd.db",
    ];
    words.extend(OPTIONS);
    words.extend(bots.iter().map(String::as_str));
    let mut running = start(&words);
    let mut patience = Patience::new(PATIENCE);
    // Thirty second legs: key and record of each say so.
    while running.output("stdout").matches("\"leg\":1").count() < 60 {
        assert!(patience.waits(), "{}", running.output("stderr"));
    }
    let pid = rustix::process::Pid::from_child(&running.child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    while running.child.try_wait().unwrap().is_none() {
        assert!(patience.waits(), "{}", running.output("stderr"));
    }
    let results = running.folder.path().join("crowd.db");
    (running, results)
}

/// Examines a page in a size and both themes.
fn look(page: &mut Page, (name, url): (&str, &str), (width, height): (u32, u32)) {
    for scheme in ["light", "dark"] {
        page.size(width, height);
        page.media("screen", &[("prefers-color-scheme", scheme)]);
        page.go(url);
        page.wait_until("document.readyState === 'complete'");
        page.screenshot(&picture(&format!("{name}-{width}-{scheme}")));
        assert!(!page.is_too_wide(), "{name} at {width}");
        assert_eq!(page.eval(CUT), json!([]), "{name} at {width}, {scheme}");
        assert_eq!(page.eval("document.querySelectorAll('img, [onerror]').length"), json!(0));
    }
}

#[test]
fn projector_shows_every_bot_in_turn_without_cuts() {
    let Some(browser) = Browser::start() else { return };
    let (_played, results) = crowd();
    let (_serving, address) = serve(&results);
    let mut page = browser.page();
    for (width, height) in [(1_280, 720), (1_024, 768), (3_840, 2_160), (1_920, 1_080)] {
        page.size(width, height);
        page.go(&format!("{address}screen.html"));
        page.wait_until("document.querySelectorAll('.table').length === 4 && document.querySelectorAll('.table .felt .tile').length > 20");
        page.screenshot(&picture(&format!("crowd-screen-{width}")));
        assert_eq!(page.eval(BEYOND), json!([]), "{width} by {height}");
    }
    let seen = "[...document.querySelectorAll('.part:not([hidden]) .bot')].map((cell) => cell.innerText)";
    let mut all: Vec<Value> = Vec::new();
    for part in 0..2 {
        let first = json!(part * 15 + 1);
        // The parts take turns, so everything about one is read in one moment.
        page.wait_until(&format!(
            "document.querySelector('.part:not([hidden]) .note').innerText.startsWith('{first}–') \
             && (window.looked = [{BEYOND}, {seen}], true)"
        ));
        assert_eq!(page.eval("looked[0]"), json!([]), "part {part}");
        all.extend(page.eval("looked[1]").as_array().unwrap().iter().cloned());
    }
    all.sort_by_key(Value::to_string);
    all.dedup();
    assert_eq!(all.len(), BOTS, "{all:?}");
    page.assert_quiet();
}

#[test]
fn table_of_many_bots_is_not_cut() {
    let Some(browser) = Browser::start() else { return };
    let (played, results) = crowd();
    let (_serving, address) = serve(&results);
    let site = played.folder.path().join("site");
    let (code, _, said) = leyden(&["report", results.to_str().unwrap(), "--out", site.to_str().unwrap()]);
    assert_eq!(code, Some(0), "{said}");
    let mut page = browser.page();
    for file in ["index.html", "matches.html", "pairings.html", "bots/0.html"] {
        let name = file.replace(['/', '.'], "-");
        for (width, height) in [(390, 844), (1_200, 900), (1_366, 768), (1_920, 1_080)] {
            look(&mut page, (&format!("crowd-{name}"), &format!("{address}{file}")), (width, height));
        }
        look(&mut page, (&format!("crowd-report-{name}"), &file_url(&site.join(file))), (1_200, 900));
    }
    page.assert_quiet();
}

/// Names that are markup, change the writing direction, are very long, or are written right to left.
fn names() -> [String; 6] {
    [
        HOSTILE.to_owned(),
        "\u{202e}evil\u{202d} bidi".to_owned(),
        "x".repeat(100),
        "W".repeat(100),
        "a b ".repeat(24) + "a",
        "שחקן".to_owned(),
    ]
}

/// Bots with these names, as folders.
fn named(folder: &Path) -> Vec<String> {
    let command = json!([program("leyden"), "bot", "random"]);
    let bot = |(index, name): (usize, &String)| {
        let path = folder.join(format!("bot-{index}"));
        fs::create_dir(&path).unwrap();
        fs::write(path.join("bot.toml"), format!("name = {}\ncommand = {command}\n", json!(name))).unwrap();
        path.to_str().unwrap().to_owned()
    };
    names().iter().enumerate().map(bot).collect()
}

/// The number of names at a table that take more than two lines.
const LONG_NAMES: &str = "[...document.querySelectorAll('.player .name, .hand .name')].filter((name) => {
    const line = parseFloat(getComputedStyle(name).lineHeight) || 1.6 * parseFloat(getComputedStyle(name).fontSize);
    return name.getBoundingClientRect().height > 2.2 * line;
}).length";

#[test]
fn hostile_names_leave_their_surroundings_unchanged() {
    let Some(browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (bots, results) = (named(folder.path()), folder.path().join("named.db"));
    let results_word = results.to_str().unwrap();
    let mut words = vec!["tournament", "--allow-builtins", "--quiet", "--results", results_word];
    words.extend(OPTIONS);
    words.extend(bots.iter().map(String::as_str));
    let (code, _, said) = leyden(&words);
    assert_eq!(code, Some(0), "{said}");
    let (_serving, address) = serve(&results);
    let mut page = browser.page();
    let sizes = [(390, 844), (1_200, 900), (1_920, 1_080)];
    for file in
        ["", "matches.html", "pairings.html", "bots/2.html", "bots/3.html", "verify.html", "live.html"]
    {
        for size in sizes {
            let name = format!("named-{}", file.replace(['/', '.'], "-"));
            look(&mut page, (&name, &format!("{address}{file}")), size);
        }
    }
    assert!(page.text("document.title").contains("Tables"));
    for size in [(1_280, 720), (1_920, 1_080)] {
        look(&mut page, ("named-screen", &format!("{address}screen.html")), size);
        assert_eq!(page.eval(BEYOND), json!([]), "{size:?}");
    }
    page.go(&address);
    page.size(1_920, 1_080);
    for name in names().iter().filter(|name| !name.contains('\u{202e}')) {
        assert!(
            page.eval(&format!(
                "[...document.querySelectorAll('.standings .bot a')].some((link) => link.textContent === {})",
                json!(name)
            )) == json!(true),
            "{name}"
        );
    }
    page.assert_quiet();

    let (_, export, _) = leyden(&["export", results_word]);
    let records: Vec<Value> = export.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (wide, long) = (json!("W".repeat(100)), json!("x".repeat(100)));
    let longest = records.iter().find(|record| {
        record["bots"].as_array().unwrap().contains(&wide)
            && record["bots"].as_array().unwrap().contains(&long)
    });
    let id = longest.expect("each meets each")["match"].as_str().unwrap();
    let file = folder.path().join("replay.html");
    let (code, _, said) = leyden(&["replay", results_word, id, "--html", file.to_str().unwrap()]);
    assert_eq!(code, Some(0), "{said}");
    for size in sizes {
        look(&mut page, ("named-replay", &format!("{}#r0.t3", file_url(&file))), size);
        assert_eq!(page.eval(LONG_NAMES), json!(0), "{size:?}");
    }
    page.assert_quiet();
}

#[test]
fn name_changes_no_table_to_play_at() {
    let Some(browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let bots = named(folder.path());
    let mut words =
        vec!["play", "--no-open", "--rules", "matador", "--seats", "4", "--turn", "100s", "--seed", "x"];
    words.extend(["--sandbox", "none"]);
    words.extend([&bots[0], &bots[2], &bots[3]].map(String::as_str));
    let running = start(&words);
    let mut patience = Patience::new(PATIENCE);
    let address = loop {
        if let Some((first, _)) = running.output("stdout").split_once('\n') {
            break first.to_owned();
        }
        assert!(patience.waits(), "no address: {}", running.output("stderr"));
    };
    let mut page = browser.open(&address);
    page.wait_until("document.querySelectorAll('.player').length === 3");
    for (width, height) in [(390, 844), (1_200, 900), (1_920, 1_080)] {
        for scheme in ["light", "dark"] {
            page.size(width, height);
            page.media("screen", &[("prefers-color-scheme", scheme)]);
            page.screenshot(&picture(&format!("named-play-{width}-{scheme}")));
            assert!(!page.is_too_wide(), "at {width}");
            assert_eq!(page.eval(LONG_NAMES), json!(0), "at {width}");
        }
    }
    assert_eq!(page.eval("document.querySelectorAll('img, [onerror]').length"), json!(0));
    page.assert_quiet();
    drop(running);
}
