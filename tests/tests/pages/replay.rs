//! The page of a match: every key, every link, every game, and what others wrote stays text.

use std::fs;

use leyden_protocol::RulesName;
use leyden_tests::browser::{Browser, Page, file_url};
use serde_json::{Value, json};

use crate::replays::{HOSTILE, Written, interrupted, leyden, picture, played, seat_of};

const SENTENCE: &str = "document.getElementById('sentence').textContent";

fn open(browser: &Browser, written: &Written) -> Page {
    browser.open(&file_url(&written.page()))
}

/// Waits for the fragment of the address: it follows every step, at most ten times a second.
fn is_at(page: &mut Page, fragment: &str) {
    page.wait_until(&format!("location.hash === {}", json!(fragment)));
}

/// Presses a key and checks where that leads.
fn press(page: &mut Page, key: &str, fragment: &str) {
    page.key(key);
    is_at(page, fragment);
}

/// With every list that the script makes, in every view of the last moment.
#[test]
fn replay_in_german_shows_nothing_in_english() {
    let Some(browser) = Browser::start() else { return };
    let record = interrupted(played("leyden", 2, 6));
    let [english, german] = ["en", "de"].map(|language| {
        let written = Written::by_leyden(&record, &["--language", language]);
        let mut page = open(&browser, &written);
        assert_eq!(page.text("document.documentElement.lang"), language);
        let mut texts = page.texts();
        page.key("End");
        for _ in 0..3 {
            page.key("h");
            texts.extend(page.texts());
        }
        page.size(390, 844);
        assert!(!page.is_too_wide(), "{language}");
        page.screenshot(&picture(&format!("replay-{language}-390")));
        texts
    });
    let is_time = |text: &str| ["µs", "ms"].iter().any(|unit| text.ends_with(unit));
    let is_name = |text: &str| text.contains(HOSTILE) || text == "Leyden Arena" || is_time(text);
    let kept: Vec<&String> = english.intersection(&german).filter(|text| !is_name(text)).collect();
    assert!(kept.is_empty(), "{kept:?}");
    assert!(german.len() > 60, "{german:?}");
}

#[test]
fn every_key_does_what_the_page_says() {
    let Some(browser) = Browser::start() else { return };
    let record = interrupted(played("leyden", 2, 6));
    let written = Written::by_leyden(&record, &[]);
    let mut page = open(&browser, &written);
    let last = record["rounds"].as_array().unwrap().len() - 1;
    assert!(page.text(SENTENCE).contains("is dealt"));
    press(&mut page, "ArrowRight", "#r0.t0");
    assert!(page.text(SENTENCE).contains(HOSTILE), "{}", page.text(SENTENCE));
    press(&mut page, "ArrowRight", "#r0.t1");
    press(&mut page, "ArrowLeft", "#r0.t0");
    press(&mut page, "End", &format!("#r{last}.t5"));
    assert!(page.text(SENTENCE).contains("lost by a fault: illegal"), "{}", page.text(SENTENCE));
    press(&mut page, "[", &format!("#r{last}"));
    press(&mut page, "[", &format!("#r{}", last - 1));
    press(&mut page, "]", &format!("#r{last}"));
    press(&mut page, "Home", "#r0");
    page.key("f");
    page.wait_until("document.querySelector('#messages .alert') !== null");
    assert!(page.text_of("#messages .alert").contains("strike"), "{}", page.text_of("#messages .alert"));
    let strikes = page.eval("document.querySelectorAll('#turns .tag.bad').length").as_u64().unwrap();
    for _ in 1..strikes {
        page.key("f");
    }
    press(&mut page, "f", &format!("#r{last}.t5"));
    assert!(page.text_of("#messages").contains("Traceback"), "standard error stands beside the fault");

    let shows = |page: &mut Page| page.eval("document.getElementById('view').selectedIndex");
    for view in [1, 2, 0] {
        page.key("h");
        assert_eq!(shows(&mut page), json!(view));
    }
    let digits = "getComputedStyle(document.querySelector('.digits')).display";
    assert_eq!(page.eval(digits), "none");
    page.key("n");
    assert_ne!(page.eval(digits), "none");
    assert_eq!(page.eval("document.getElementById('numbers').getAttribute('aria-pressed')"), "true");
    page.key("c");
    page.wait_until(&format!("{SENTENCE}.includes('copied')"));
    page.key("?");
    assert_eq!(page.eval("document.getElementById('help').open"), json!(true));
    page.key("Escape");
    assert_eq!(page.eval("document.getElementById('help').open"), json!(false));

    page.eval("document.getElementById('speed').value = '2'; document.activeElement.blur(); null");
    press(&mut page, "Home", "#r0");
    page.key(" ");
    page.wait_until("Number(document.getElementById('slider').value) > 2");
    assert!(page.text_of("#play").contains("Pause"));
    page.key(" ");
    assert!(page.text_of("#play").contains("Play"));
    page.assert_quiet();
}

#[test]
fn link_leads_to_its_moment() {
    let Some(browser) = Browser::start() else { return };
    let written = Written::by_leyden(&played("leyden", 2, 6), &[]);
    let url = file_url(&written.page());
    let mut page = browser.open(&format!("{url}#r1.t3"));
    assert_eq!(page.eval("document.getElementById('slider').value"), "4");
    assert_eq!(page.text("document.querySelector('#deals [aria-current]').title"), "Round 2");
    page.eval("location.hash = '#r0.t2'; null");
    page.wait_until("document.getElementById('slider').value === '3'");
    // A pending write of the address comes between a change of the address and its event.
    page.eval("location.hash = '#r0.t5'; history.replaceState(null, '', '#r0.t2'); null");
    page.wait_until("document.getElementById('slider').value === '6'");
    is_at(&mut page, "#r0.t5");
    page.go(&format!("{url}#r999.t999"));
    page.wait_until("document.querySelector('#turns li:last-child [aria-current]') !== null");
    page.click("#back");
    page.click("#deals li:nth-child(2) button");
    is_at(&mut page, "#r1");
    page.click("#turns li:nth-child(3) button");
    is_at(&mut page, "#r1.t1");
    page.click("[data-tab=match]");
    assert!(page.text_of("#match").contains("boneyard"));
    page.assert_quiet();
}

/// Steps through everything in every view; each moment shows the right tiles.
fn step_through(page: &mut Page) -> Value {
    page.eval(
        "(() => {
            const facts = JSON.parse(document.getElementById('facts').textContent);
            let moments = 0;
            const key = (key) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
            for (const view of facts.views) {
                key('Home');
                for (const deal of view.deals) {
                    for (const step of deal.steps) {
                        const tiles = document.querySelectorAll('#table .tile').length;
                        if (tiles !== step.laid) return `${tiles} tiles, not ${step.laid}: ${step.text}`;
                        if (document.getElementById('sentence').textContent !== step.text) return step.text;
                        const hands = document.querySelectorAll('.hand').length;
                        if (hands !== facts.names.length) return `${hands} hands`;
                        moments += 1;
                        key('ArrowRight');
                    }
                }
                key('h');
            }
            return moments;
        })()",
    )
}

#[test]
fn every_game_is_stepped_to_its_end() {
    let Some(browser) = Browser::start() else { return };
    let games = RulesName::ALL.map(|rules| (rules.as_str(), 2, 6));
    for (rules, seats, set) in games.into_iter().chain([("matador", 4, 6), ("matador", 8, 12)]) {
        let written = Written::by_leyden(&played(rules, seats, set), &[]);
        let mut page = open(&browser, &written);
        page.size(1_500, 990);
        let moments = step_through(&mut page);
        assert!(moments.as_u64().is_some_and(|moments| moments > 50), "{rules}, {seats} seats: {moments}");
        page.key("]");
        page.key("End");
        page.screenshot(&picture(&format!("{rules}-{seats}-seats")));
        page.assert_quiet();
        assert_eq!(page.requests().len(), 1, "{:?}", page.requests());
    }
}

#[test]
fn page_fits_every_screen() {
    let Some(browser) = Browser::start() else { return };
    for (name, record) in [("two", played("leyden", 2, 6)), ("eight", played("matador", 8, 12))] {
        let written = Written::by_leyden(&record, &[]);
        let mut page = browser.open(&format!("{}#r1.t12", file_url(&written.page())));
        for scheme in ["light", "dark"] {
            page.media("screen", &[("prefers-color-scheme", scheme)]);
            let background = page.text("getComputedStyle(document.documentElement).backgroundColor");
            assert_eq!(background == "rgb(17, 21, 23)", scheme == "dark", "{background}");
            for (width, height) in [(390, 844), (768, 1_024), (1_500, 990), (1_920, 1_080)] {
                page.size(width, height);
                assert!(!page.is_too_wide(), "{name} at {width}");
                page.screenshot(&picture(&format!("{name}-{scheme}-{width}")));
            }
        }
        page.click("#theme");
        assert_eq!(page.text("document.documentElement.dataset.theme"), "light");
        page.media("screen", &[("prefers-reduced-motion", "reduce")]);
        let animation = page
            .text("getComputedStyle(document.querySelector('.tile.last') ?? document.body).animationName");
        assert_eq!(animation, "none");
        page.media("print", &[]);
        page.screenshot(&picture(&format!("{name}-print")));
        assert_eq!(page.text("getComputedStyle(document.querySelector('.controls')).display"), "none");
        page.assert_quiet();
    }
}

#[test]
fn hostile_markup_is_shown_as_plain_text() {
    let Some(browser) = Browser::start() else { return };
    let written = Written::by_leyden(&interrupted(played("leyden", 2, 6)), &[]);
    let mut page = open(&browser, &written);
    assert!(step_through(&mut page).is_u64());
    page.key("End");
    for part in ["#log", "#match", "#messages", ".scoreboard", "#own", "#others"] {
        page.eval("document.querySelectorAll('[hidden]').forEach((part) => { part.hidden = false; }); null");
        assert!(page.text_of(part).contains(HOSTILE), "{part}: {}", page.text_of(part));
    }
    assert_eq!(page.eval("document.querySelectorAll('img, [onerror]').length"), json!(0));
    assert!(page.text("document.title").contains(HOSTILE));
    page.assert_quiet();
    assert_eq!(page.requests().len(), 1, "{:?}", page.requests());
}

#[test]
fn seats_page_shows_one_view() {
    let Some(browser) = Browser::start() else { return };
    let written = Written::by_leyden(&played("leyden", 2, 6), &["--seat", "1"]);
    let mut page = open(&browser, &written);
    assert!(step_through(&mut page).is_u64());
    assert_eq!(page.eval("document.getElementById('view')"), Value::Null);
    page.key("Home");
    page.key("ArrowRight");
    assert_eq!(page.eval("document.querySelectorAll('#others .tile:not(.back)').length"), json!(0));
    assert!(page.eval("document.querySelectorAll('#others .back').length").as_u64().unwrap() > 4);
    assert!(page.eval("document.querySelectorAll('#own .tile:not(.back)').length").as_u64().unwrap() > 4);
    page.assert_quiet();
}

/// axe-core finds nothing serious; if it is not installed, the test says so.
#[test]
fn page_is_accessible() {
    let Some(browser) = Browser::start() else { return };
    let written = Written::by_leyden(&interrupted(played("leyden", 2, 6)), &[]);
    for (scheme, width) in [("light", 1_500), ("dark", 1_500), ("light", 390)] {
        let mut page = open(&browser, &written);
        page.media("screen", &[("prefers-color-scheme", scheme), ("prefers-reduced-motion", "reduce")]);
        page.size(width, 990);
        for key in ["ArrowRight", "End", "?"] {
            page.key(key);
            let Some(found) = page.violations() else { return };
            assert_eq!(found, [""; 0], "{scheme}, {width}, after {key}");
        }
    }
}

#[test]
fn one_of_several_matches_must_be_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let record = played("leyden", 2, 6);
    let export = folder.path().join("export.jsonl");
    let mut other = record.clone();
    other["match"] = json!("0123456789abcdef");
    fs::write(&export, format!("{record}\n{other}\n")).unwrap();
    let (export, page) = (export.to_str().unwrap(), folder.path().join("page.html"));
    let out = page.to_str().unwrap();
    let (code, _, said) = leyden(&["replay", export, "--html", out]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("holds 2 matches: name one") && said.contains("0123456789abcdef"), "{said}");
    assert!(!page.exists());
    let (code, _, said) = leyden(&["replay", export, "0123", "--html", export]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("write the page to another file"), "{said}");
    let (code, _, said) = leyden(&["replay", export, "0123", "--html", out]);
    assert_eq!(code, Some(0), "{said}");
    assert!(page.exists());
}

#[test]
fn analysed_match_shows_odds_blunders_and_alternatives() {
    let Some(browser) = Browser::start() else { return };
    let written = Written::by_leyden(&played("leyden", 2, 6), &[]);
    let mut page = open(&browser, &written);
    assert_eq!(page.eval("document.getElementById('odds').hidden"), json!(false));
    let marks =
        page.eval("document.querySelectorAll('#odds .swing, #odds .blunder').length").as_u64().unwrap();
    assert!(marks > 0);
    page.key("w");
    page.wait_until("location.hash !== '' && location.hash !== '#r0'");
    page.eval("[...document.querySelectorAll('#turns button')].find((row) => row.textContent.includes('blunder'))?.click(); null");
    page.wait_until("document.querySelector('#messages .else .taken') !== null");
    assert!(page.text_of("#messages").contains("gave away"), "{}", page.text_of("#messages"));
    // A view that a seat's own replay has, too: its own chance.
    page.key("h");
    page.wait_until("document.querySelector('#odds .label').textContent.includes('wins with')");
    page.assert_quiet();
}

#[test]
fn numbers_of_notes_are_charted_and_marks_drawn() {
    let Some(browser) = Browser::start() else { return };
    let mut record = played("leyden", 2, 6);
    let actions = record["rounds"][0]["actions"].as_array().unwrap().iter().enumerate();
    let notes = actions.map(|(action, entry)| {
        let note = json!({
            "text": HOSTILE, "numbers": { "value": action }, "tags": ["opening"],
            "marks": { "N": HOSTILE[..20], "E": HOSTILE[..20] },
        });
        json!({ "seat": seat_of(entry), "round": 0, "action": action, "text": note })
    });
    record["notes"] = notes.collect::<Vec<_>>().into();
    let written = Written::by_leyden(&record, &[]);
    let mut page = open(&browser, &written);
    assert_eq!(page.eval("document.getElementById('charts').hidden"), json!(false));
    // A forced action has no note.
    let is_noted = "document.querySelector('#table .noted') !== null";
    for _ in record["notes"].as_array().unwrap() {
        if page.eval(is_noted) == json!(true) {
            break;
        }
        page.key("ArrowRight");
    }
    assert_eq!(page.text("document.querySelector('#table .noted').textContent"), HOSTILE[..20]);
    assert!(page.text_of("#charts .chart").contains("value "), "{}", page.text_of("#charts .chart"));
    assert!(page.text_of("#messages").contains("· #opening"), "{}", page.text_of("#messages"));
    page.assert_quiet();
}
