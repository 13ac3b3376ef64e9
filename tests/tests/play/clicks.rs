//! Matches played and watched in a real browser.

use super::*;

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
        let selector = if can(page, spot) { spot } else { ".choice:not([hidden])" };
        page.click(selector);
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
fn whole_match_is_clicked_to_its_end() {
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
        let index = page.eval(first).as_i64().unwrap();
        if (0..9).contains(&index) {
            page.key(&(index + 1).to_string());
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
    for _ in 0..3 {
        page.wait_until("document.querySelector('[data-say=step]:not(:disabled)') !== null");
        let before = page.eval(count).as_i64().unwrap();
        page.key("ArrowRight");
        page.wait_until(&format!("{count} !== {before} || document.querySelectorAll('#log li').length > 6"));
    }
    pictures(&mut page, "watch");
    page.assert_quiet();
    drop(running);
}

#[test]
fn hostile_name_is_text() {
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
