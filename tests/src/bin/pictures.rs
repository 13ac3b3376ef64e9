//! Creates the pictures of the README with the program itself: `cargo build --workspace --bins && target/debug/pictures`.

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use leyden_tests::arena::{Arena, Running};
use leyden_tests::browser::{Browser, file_url};
use leyden_tests::patience::Patience;
use leyden_tests::program;

const PATIENCE: Duration = Duration::from_mins(10);

fn main() -> ExitCode {
    let Some(browser) = Browser::start() else { return ExitCode::FAILURE };
    let leyden = program("leyden");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../arena/pictures");
    std::fs::create_dir_all(&folder).expect("a folder for the pictures");
    live(&leyden, &browser, &folder.join("live.webp"));
    replay(&leyden, &browser, &folder.join("replay.webp"));
    ExitCode::SUCCESS
}

/// A tournament while it is being played.
fn live(leyden: &Path, browser: &Browser, picture: &Path) {
    let bots = ["montecarlo --playouts 20", "careful", "careful --blunder 25", "greedy", "random"];
    let bots = bots.map(|bot| format!("builtin:{bot}"));
    let mut words = vec![
        "tournament",
        "--seed",
        "picture",
        "--results",
        "spring-cup.db",
        "--blocks",
        "60",
        "--jobs",
        "1",
        "--serve",
    ];
    words.extend(bots.iter().map(String::as_str));
    let running: Running = Arena::new(leyden, &words).start();
    let mut patience = Patience::new(PATIENCE);
    let address = loop {
        match running.output("stdout").split_once('\n') {
            Some((first, _)) => break first.to_owned(),
            None => assert!(patience.waits(), "no address: {}", running.output("stderr")),
        }
    };
    let mut page = browser.page();
    page.size(1_500, 1_000);
    page.go(&address);
    page.wait_until(
        "Number(document.querySelector('#progress b').textContent.split(' of ')[0].replace(/\\D/g, '')) >= 100",
    );
    page.wait_until("document.querySelectorAll('.table .felt .tile').length > 16");
    page.screenshot(picture);
}

/// The middle of a match.
fn replay(leyden: &Path, browser: &Browser, picture: &Path) {
    let folder = tempfile::tempdir().expect("a folder for the match");
    let run = |words: &[&str]| {
        let status =
            Command::new(leyden).args(words).current_dir(folder.path()).stdout(Stdio::null()).status();
        assert!(status.is_ok_and(|status| status.success()), "{words:?}");
    };
    run(&[
        "match",
        "builtin:careful",
        "builtin:greedy",
        "--seed",
        "picture",
        "--results",
        "match.db",
        "--quiet",
    ]);
    let out = folder.path().join("match.html");
    let matches = Command::new(leyden).args(["export", "match.db"]).current_dir(folder.path()).output();
    let first: serde_json::Value = serde_json::from_slice(
        matches.expect("an export").stdout.split(|byte| *byte == b'\n').next().unwrap_or_default(),
    )
    .expect("a record");
    let id = first["match"].as_str().expect("an id");
    run(&["replay", "match.db", id, "--html", "match.html"]);
    let mut page = browser.page();
    page.size(1_500, 990);
    page.media("screen", &[("prefers-reduced-motion", "reduce")]);
    page.go(&format!("{}#r1.t22", file_url(&out)));
    page.wait_until("document.querySelectorAll('#table .tile').length > 5");
    page.screenshot(picture);
}
