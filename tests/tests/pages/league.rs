//! An author of a league, with a phone: hands in, mends what was refused, and sees what the bot has played.

use std::fs;
use std::path::Path;
use std::time::Duration;

use leyden_arena::roster::find_entry;
use leyden_tests::arena::Arena;
use leyden_tests::browser::{Browser, Page};
use leyden_tests::{patience::Patience, program};
use serde_json::{Value, json};

use crate::replays::{leyden, picture};

/// A generous limit; nothing is measured with it.
const PATIENCE: Duration = Duration::from_mins(10);

/// Writes a bot into a folder.
fn write(folder: &Path, command: &str) {
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("bot.toml"), format!("name = \"mine\"\ncommand = {command}\n")).unwrap();
}

/// Chooses a file and hands it in.
fn hand_in(page: &mut Page, file: &Path) {
    let document = page.call("DOM.getDocument", json!({}));
    let of = json!({ "nodeId": document["root"]["nodeId"], "selector": "#entry" });
    let input = page.call("DOM.querySelector", of);
    page.call("DOM.setFileInputFiles", json!({ "nodeId": input["nodeId"], "files": [file] }));
    page.click("#hand-in button");
}

#[test]
fn author_hands_in_from_a_browser() {
    let Some(browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let [bots, results, config] = ["bots", "cup.db", "cup.toml"].map(|name| at.join(name));
    fs::write(&config, "turn = \"100s\"\nstartup = \"100s\"\nsandbox = \"none\"\ntarget = 20\n").unwrap();
    write(&bots.join("bob"), "[\"leyden\", \"bot\", \"greedy\"]");
    write(&bots.join("cy"), "[\"leyden\", \"bot\", \"careful\"]");
    let [bots, file, config] = [&bots, &results, &config].map(|path| path.to_str().unwrap());
    let (code, invited, stderr) = leyden(&["league", "invite", file, "ann"]);
    assert_eq!(code, Some(0), "{stderr}");
    let token = invited.trim().strip_prefix("ann\t").unwrap();
    let words = ["league", bots, "--results", file, "--config", config, "--allow-builtins", "--jobs=1"];
    let words = [&words[..], &["--serve=0", "--intake"]].concat();
    let running = Arena::new(&program("leyden"), &words).start();
    running.wait_for("stdout", "\n", PATIENCE);
    let address = running.output("stdout").trim().to_owned();

    let mut page = browser.open("about:blank");
    page.size(390, 844);
    // Another page takes its place before it has loaded.
    page.call("Page.navigate", json!({ "url": format!("{address}author#{token}") }));
    page.wait_until("document.querySelector('#hand-in') !== null");
    assert_eq!(page.eval("location.href"), format!("{address}author"), "the token is not in the address");
    let archive = at.join("work.zip");
    let packed = |command: &str| {
        write(&at.join("work"), command);
        let bot = find_entry(&at.join("work"), Path::new("/leyden"), u64::MAX).bots.remove(0);
        fs::write(&archive, bot.pack().unwrap().1.unwrap()).unwrap();
    };
    packed("[\"false\"]");
    hand_in(&mut page, &archive);
    page.wait_until("document.querySelector('#handed-in .tag.bad') !== null");
    assert!(page.text_of("#handed-in").contains("the bot closed its standard output"));
    packed("[\"leyden\", \"bot\", \"random\"]");
    hand_in(&mut page, &archive);
    page.wait_until("document.querySelector('#handed-in .tag.good') !== null");
    assert!(page.text_of("#handed-in").contains("plays as ann v1"));
    let mut patience = Patience::new(PATIENCE);
    while page.eval("document.querySelector('#list .replay') === null") == json!(true) {
        assert!(patience.waits(), "a match is played: {}", running.output("stderr"));
        page.go(&format!("{address}author"));
    }
    page.click("#list .replay");
    page.wait_until("location.pathname.startsWith('/author/matches/') && document.readyState === 'complete'");
    let shown = page.text("document.body.textContent");
    assert!(shown.contains("ann v1"), "{shown}");
    page.go(&format!("{address}author"));
    // It finds its place among the others, and has its interval.
    assert!(page.text_of("#versions").contains("ann v1"));

    let lost = "#challenge a.replay:has(.tag.bad)";
    let is_lost = format!("document.querySelector('{lost}') !== null");
    while page.eval(&is_lost) == json!(false) {
        assert!(patience.waits(), "a challenge is lost: {}", running.output("stderr"));
        if page.eval("document.querySelector('#opponent') !== null") == json!(true) {
            page.eval("document.querySelector('#opponent').value = 'cy'");
            page.click("#challenge button");
        }
        page.wait_until("document.querySelector('#challenge .replay') !== null");
        page.go(&format!("{address}author"));
    }
    for (width, name) in [(390, "author-phone"), (1_280, "author")] {
        page.size(width, 900);
        for scheme in ["dark", "light"] {
            page.media("screen", &[("prefers-color-scheme", scheme)]);
            assert!(!page.is_too_wide(), "{width}");
            page.screenshot(&picture(&format!("{name}-{scheme}")));
            assert_eq!(page.violations().unwrap_or_default(), Vec::<String>::new(), "{name} {scheme}");
        }
    }
    page.click(lost);
    page.wait_until(
        "location.pathname.startsWith('/author/challenges/') && document.readyState === 'complete'",
    );
    let shown = page.text("document.body.textContent");
    assert!(shown.contains("ann v1") && shown.contains("cy v1"), "{shown}");
    page.go(&format!("{address}author"));
    page.click("#leave button");
    page.wait_until("document.querySelector('#key') !== null");
    assert!(page.requests().iter().all(|request| !request.contains(token)), "{:?}", page.requests());
    page.assert_quiet();
    drop(running);

    // The organiser freezes: what is handed in waits, and the order is that of the versions that were there.
    let frozen = [&words[..], &["--freeze", "2020-01-01T00:00:00Z"]].concat();
    let frozen = Arena::new(&program("leyden"), &frozen).start();
    frozen.wait_for("stdout", "\n", PATIENCE);
    let address = frozen.output("stdout").trim().to_owned();
    let mut page = browser.open("about:blank");
    page.call("Page.navigate", json!({ "url": format!("{address}author#{token}") }));
    page.wait_until("document.querySelector('#hand-in') !== null");
    packed("[\"leyden\", \"bot\", \"careful\", \"--blunder\", \"9\"]");
    hand_in(&mut page, &archive);
    page.wait_until("document.querySelector('#handed-in .tag.warn') !== null");
    assert!(page.text_of("#handed-in").contains("the league is frozen"));
    page.go(&address);
    page.wait_until("document.querySelectorAll('#standings tbody tr').length >= 3");
    let order = page.text_of("#standings tbody");
    for version in ["ann v1", "bob v1", "cy v1"] {
        assert!(order.contains(version), "{order}");
    }
    assert!(!order.contains("ann v2"), "{order}");
    drop(frozen);
    in_the_order_of_the_file(&mut page, file);
}

/// Once a league has ended, its page lists the versions in the order of its results file.
fn in_the_order_of_the_file(page: &mut Page, file: &str) {
    let json = |words: &[&str]| {
        let (code, printed, stderr) = leyden(words);
        assert_eq!(code, Some(0), "{stderr}");
        serde_json::from_str::<Value>(&printed).unwrap()
    };
    let name = |bot: &Value| bot["name"].as_str().unwrap().to_owned();
    let standings = json(&["standings", file, "--json"]);
    let order: Vec<String> = standings["bots"].as_array().unwrap().iter().map(name).collect();
    // The ratings say the same.
    let versions = json(&["league", "versions", file, "--json"]);
    let mut rated = versions["versions"].as_array().unwrap().clone();
    rated.sort_by(|one, other| other["elo"].as_f64().unwrap().total_cmp(&one["elo"].as_f64().unwrap()));
    assert_eq!(rated.iter().map(name).collect::<Vec<_>>(), order);

    let serving = Arena::new(&program("leyden"), &["serve", file]).start();
    serving.wait_for("stdout", "\n", PATIENCE);
    page.go(serving.output("stdout").trim());
    let rows = "[...document.querySelectorAll('#standings tbody tr')]";
    page.wait_until(&format!("{rows}.length >= {}", order.len()));
    let shown = page.eval(&format!("{rows}.map(row => row.querySelector('.bot-link').textContent.trim())"));
    assert_eq!(shown, json!(order));
}
