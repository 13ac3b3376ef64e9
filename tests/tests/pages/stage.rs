//! An evening with an audience: an organiser with a phone, and a projector.

use std::path::PathBuf;
use std::time::Duration;

use leyden_tests::arena::{Arena, Running};
use leyden_tests::browser::{Browser, Page};
use leyden_tests::http::text;
use leyden_tests::{patience::Patience, program};
use serde_json::json;
use tempfile::TempDir;

use crate::replays::{leyden, picture};

/// A generous limit; nothing is measured with it.
const PATIENCE: Duration = Duration::from_mins(10);

const PROJECTOR: (u32, u32) = (1_920, 1_080);
const PHONE: (u32, u32) = (390, 844);

/// What cannot be read from the last row, and what reaches beyond the window.
const UNREADABLE: &str = "(() => {
    const has = (part) => [...part.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
    const seen = (part) => part.checkVisibility() && !part.closest('.visually-hidden, .symbols');
    const parts = [...document.querySelectorAll('main *')].filter((part) => has(part) && seen(part));
    const scale = (part) => part.getScreenCTM ? Math.hypot(part.getScreenCTM().a, part.getScreenCTM().b) : 1;
    const size = (part) => parseFloat(getComputedStyle(part).fontSize) * scale(part);
    const beyond = (part) => { const box = part.getBoundingClientRect(); return box.bottom > innerHeight + 1 || box.right > innerWidth + 1; };
    const small = parts.filter((part) => size(part) < 24 || beyond(part)).map((part) => `${size(part).toFixed(1)} ${part.textContent}`);
    const cut = [...document.querySelectorAll('main, #seats, #sentence, .seat, .tiles, .verdict, #screen')].filter(seen)
        .filter((part) => part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1);
    return [...small, ...cut.map((part) => `cut: ${part.id}${part.className}`)];
})()";

/// How much of the window the table fills.
const TABLE: &str = "(() => { const box = document.getElementById('table').getBoundingClientRect();
    return box.width * box.height / innerWidth / innerHeight; })()";

/// What is not above the fold: both hands, the table, the buttons.
const BELOW: &str = "[...document.querySelectorAll('.seat, #table, .transport')].filter((part) => {
    const box = part.getBoundingClientRect(); return box.top < 0 || box.bottom > innerHeight; }).map((part) => part.className || part.id)";

/// The final of four bots in a knockout.
fn cup() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("cup.db");
    let mut words =
        vec!["tournament", "--allow-builtins", "--format", "knockout", "--blocks", "2", "--seed", "a stage"];
    words.extend(["--turn", "100s", "--startup", "100s", "--target", "40", "--sandbox", "none", "--results"]);
    words.push(results.to_str().unwrap());
    words.extend(["builtin:greedy", "builtin:careful", "builtin:random", "builtin:ladder --level 2"]);
    let (code, stdout, stderr) = leyden(&words);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    (folder, results)
}

/// Serves a stage; returns its address and its token.
fn serve(results: &str) -> (Running, String, String) {
    let running = Arena::new(&program("leyden"), &["serve", results, "--stage"]).start();
    let mut patience = Patience::new(PATIENCE);
    loop {
        let (stdout, stderr) = (running.output("stdout"), running.output("stderr"));
        if let (Some((address, _)), Some((_, token))) =
            (stdout.split_once('\n'), stderr.split_once("with the token "))
        {
            let (address, token) = (address.to_owned(), token.trim().to_owned());
            assert!(!stdout.contains(&token), "it is printed once");
            text(&address, ""); // it has been read then
            return (running, address, token);
        }
        assert!(patience.waits(), "no address: {stdout}{stderr}");
    }
}

struct Evening {
    audience: Page,
    organiser: Page,
}

impl Evening {
    /// Opens both pages: the audience's on a projector, and the organiser's, with the token, on a phone.
    fn begin(browsers: &[Browser; 2], address: &str, token: &str) -> Self {
        let [mut audience, mut organiser] = browsers.each_ref().map(Browser::page);
        audience.size(PROJECTOR.0, PROJECTOR.1);
        audience.go(&format!("{address}stage"));
        organiser.size(PHONE.0, PHONE.1);
        organiser.go(&format!("{address}stage/control"));
        assert_eq!(organiser.text_of("#desk"), "", "nothing without the token");
        organiser.eval(&format!("document.getElementById('token').value = {}", json!(token)));
        organiser.eval("document.querySelector('#key button').click()");
        Self { audience, organiser }
    }

    /// Presses a button of the organiser's page.
    fn press(&mut self, command: &str) {
        let selector = format!("#desk button[data-command*='{command}']:not(:disabled)");
        self.organiser.wait_until(&format!("document.querySelector({}) !== null", json!(selector)));
        self.organiser.eval(&format!("document.querySelector({}).click()", json!(selector)));
    }

    /// Waits until the audience sees something that contains a text.
    fn sees(&mut self, selector: &str, text: &str) {
        let (selector, text) = (json!(selector), json!(text));
        self.audience.wait_until(&format!(
            "[...document.querySelectorAll({selector})].some((part) => part.textContent.includes({text}))"
        ));
    }

    /// Takes a picture of both pages, and checks that everything can be read.
    fn look(&mut self, name: &str) {
        self.audience.screenshot(&picture(&format!("stage-{name}")));
        self.organiser.screenshot(&picture(&format!("stage-{name}-organiser")));
        assert_eq!(self.audience.eval(UNREADABLE), json!([]), "{name}");
        assert!(!self.organiser.is_too_wide(), "{name}");
        for page in [&mut self.audience, &mut self.organiser] {
            if let Some(found) = page.violations() {
                assert!(found.is_empty(), "{name}: {found:#?}");
            }
        }
    }

    /// Goes to a moment: a button of another one is changed, because there is none for each.
    fn go(&mut self, at: u64) {
        let button = "document.querySelector(\"[data-command*='moment']:not(:disabled)\")";
        self.organiser.wait_until(&format!("{button} !== null"));
        let command = json!(json!({ "say": "moment", "at": at }).to_string());
        self.organiser.eval(&format!(
            "(() => {{ const go = {button}; go.dataset.command = {command}; go.click(); }})()"
        ));
        self.is_at(at);
    }

    /// Waits until the organiser's page is at a moment.
    fn is_at(&mut self, at: u64) {
        let now =
            format!("document.querySelector('.transport .muted').textContent.includes('moment {at} of')");
        self.organiser.wait_until(&now);
    }

    /// Waits until the audience sees another sentence than now, which something leads to.
    fn sees_another_sentence(&mut self, led_to: impl FnOnce(&mut Self)) {
        let before = self.audience.text_of("#sentence");
        led_to(self);
        let other = format!("document.getElementById('sentence').innerText !== {}", json!(before));
        self.audience.wait_until(&other);
    }

    /// The picture of the audience's page on a phone.
    fn on_a_phone(&mut self, name: &str) {
        self.audience.size(PHONE.0, PHONE.1);
        self.audience.screenshot(&picture(&format!("stage-{name}-phone")));
        assert!(!self.audience.is_too_wide(), "{name}");
        assert_eq!(self.audience.eval(BELOW), json!([]), "{name}");
        self.audience.size(PROJECTOR.0, PROJECTOR.1);
    }

    /// Steps through the closest match, with all hands and as a seat saw it, and plays it.
    fn shows_the_closest_match(&mut self) {
        self.press("closest");
        self.sees("#sentence", "Round 1 is dealt.");
        self.organiser.wait_until("document.querySelector('.transport') !== null");
        for at in 1..=6 {
            self.sees_another_sentence(|evening| {
                let step = "[...document.querySelectorAll('.transport button')].find((button) => button.textContent === 'Step →')";
                evening.organiser.eval(&format!("{step}.click()"));
                evening.is_at(at);
            });
        }
        let open = "document.querySelectorAll('.seat .tile:not(.back)').length > 8";
        assert_eq!(self.audience.eval(open), json!(true));
        self.sees("#odds", "%");
        self.look("match");
        assert!(self.audience.eval(TABLE).as_f64().unwrap() > 0.5, "the table fills the screen");
        self.organiser.eval("scrollTo(0, 0)");
        assert_eq!(self.organiser.eval(BELOW), json!([]), "hands, table and buttons are above the fold");
        self.press("\"seat\":1");
        self.sees("#caption", "saw it");
        self.audience.wait_until("document.querySelectorAll('.seat .tile.back').length > 0");
        self.press("\"seat\":null");
        self.press("\"ms\":500");
        self.sees_another_sentence(|evening| evening.press("\"play\""));
        self.press("pause");
        self.organiser.wait_until("document.querySelector(\"[data-command*='\\\"play\\\"']\") !== null");
    }

    /// Looks at moments late in the rounds, when the table is full, and at the end.
    fn shows_the_end_of_a_match(&mut self) {
        let last = "Number(document.querySelector('.transport .muted').textContent.match(/of (\\d+)/)[1])";
        let last = self.organiser.eval(last).as_u64().unwrap();
        for at in (1..8).map(|part| last * part / 8) {
            self.go(at);
            // Both pages hear of it; this one when it answers a request that was sent later.
            self.audience.eval("fetch('stage').then((answer) => answer.text()).then(() => null)");
            assert_eq!(self.audience.eval(UNREADABLE), json!([]), "moment {at}");
        }
        self.on_a_phone("match");
        self.go(last);
        self.sees(".verdict", "wins the match");
        self.look("verdict");
        self.on_a_phone("verdict");
    }

    /// Reveals the next round, and waits until the one after it can be revealed, or all are.
    fn reveal(&mut self) {
        let next =
            "(document.querySelector(\"#desk button[data-command*='reveal']\")?.dataset.command ?? null)";
        self.organiser.wait_until(&format!("{next} !== null"));
        let command = self.organiser.eval(next);
        self.press("reveal");
        self.organiser.wait_until(&format!("{next} !== {command}"));
    }

    /// Reveals all that is left: further pairs of a level final are a round of their own.
    fn reveals_everything(&mut self) {
        let is_left = "document.querySelector(\"#desk button[data-command*='reveal']\") !== null";
        while self.organiser.eval(is_left) == json!(true) {
            self.reveal();
        }
        self.organiser.wait_until("!document.querySelector(\"[data-command*='winner']\").disabled");
    }
}

#[test]
fn organiser_shows_a_match_and_reveals_the_winner() {
    // Of two pages of one browser, one is in the background.
    let (Some(one), Some(other)) = (Browser::start(), Browser::start()) else { return };
    let (_folder, results) = cup();
    let (_serving, address, token) = serve(results.to_str().unwrap());
    let browsers = [one, other];
    let mut evening = Evening::begin(&browsers, &address, &token);
    evening.sees("#screen", "cup");
    evening.look("title");
    evening.shows_the_closest_match();
    let page = text(&address, "standings.json");
    assert!(page.contains("\"played\": 0"), "nothing is revealed: {page}");
    evening.shows_the_end_of_a_match();

    evening.reveal();
    evening.audience.wait_until("document.querySelector('.bracket .won') !== null");
    evening.look("bracket");
    evening.press("countdown");
    evening.sees(".clock", ":");
    evening.look("countdown");
    evening.reveals_everything();
    evening.press("winner");
    evening.audience.wait_until("document.querySelector('.champion') !== null");
    evening.look("winner");
    let first = evening.audience.text_of(".champion");
    assert!(text(&address, "standings.json").contains(&first), "{first}");
    evening.sees("#screen", "Ahead for good since match");
    evening.on_a_phone("winner");
    for page in [&mut evening.audience, &mut evening.organiser] {
        page.assert_quiet();
    }
}
