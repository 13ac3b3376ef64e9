//! Bots of a league that may think for so long in a day: how they rest, and come back.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::league::{LEAGUE, Running, hand_in, two_bots};
use crate::league_intake::{FILE, INTAKE, PATIENCE, address, bearer, bot, get, invite, post, send};
use crate::program::{builtin, leyden, stderr, stdout};

/// Days are those of UTC: waits if one is about to end.
fn early_in_the_day() {
    let of_day = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() % 86_400;
    while of_day() > 86_400 - 600 {
        sleep(Duration::from_secs(1));
    }
}

/// The day of a league, as it is kept.
fn day(at: &Path) -> Value {
    serde_json::from_slice(&fs::read(at.join("bots-league.day.json")).unwrap()).unwrap()
}

/// Such as 2027-01-31.
fn today() -> String {
    humantime::format_rfc3339(SystemTime::now()).to_string().chars().take(10).collect()
}

/// Stores a day on which these bots have not thought at all, no matter what they have thought and will think in the league.
fn set_day(at: &Path, date: &str, idle: &[&str], resting: &Value) {
    let before: BTreeMap<&str, u64> = idle.iter().map(|bot| (*bot, 1 << 60)).collect();
    let day = json!({ "v": 1, "date": date, "before": before, "resting": resting });
    fs::write(at.join("bots-league.day.json"), day.to_string()).unwrap();
}

/// A league in which cy has just entered by the network, with the token of its author.
fn cy_enters(at: &Path) -> (String, Running<'_>) {
    let cy = invite(at, "cy");
    let mut league = Running::start(at, &INTAKE);
    assert_eq!(send(&address(at), &bearer(&cy), &bot("cy", "careful")).code, 202);
    league.says("cy v1 plays");
    (cy, league)
}

/// Waits until something is so.
pub(super) fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let patience = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < patience, "{what}");
        sleep(Duration::from_millis(50));
    }
}

#[test]
fn bot_beyond_its_cpu_limit_rests_until_tomorrow() {
    early_in_the_day();
    let folder = two_bots();
    let at = folder.path();
    let slow = builtin("cy", "strong\", \"--think\", \"10ms");
    hand_in(at, "cy", &slow);
    set_day(at, &today(), &["ann", "bob"], &json!({}));
    let words = ["--cpu-a-day", "4s"];
    let mut league = Running::start(at, &words);
    league.says("cy v1 plays");
    league.says("cy has used its time of this day (UTC) and rests");
    league.says("cy v1 has left");
    league.child.kill().unwrap();
    drop(league);
    let state = |bot: &str| {
        let lines = stdout(&leyden(at, &["league", "versions", "bots-league.db", bot]));
        lines.lines().last().unwrap_or_default().to_owned()
    };
    assert!(state("cy").ends_with("has left") && state("ann").ends_with("plays"), "{}", state("cy"));
    let played = leyden(at, &[&LEAGUE[..], &words, &["--pairs", "2"]].concat());
    assert_eq!(played.status.code(), Some(0), "{}", stderr(&played));
    assert!(state("cy").ends_with("has left"), "it still rests: {}", state("cy"));
    let last = ["tournament", "--league", "bots-league.db", "--allow-builtins", "--config", "slow.toml"];
    let ended = leyden(at, &[&last[..], &["--blocks", "1", "--results", "final.db"]].concat());
    assert!(stdout(&ended).contains("cy v1"), "who rests is in the final: {}", stderr(&ended));
    let verified = leyden(at, &["verify", "final.db", "--league", "bots-league.db"]);
    assert_eq!(verified.status.code(), Some(0), "{}", stdout(&verified));

    let cy = leyden(at, &["league", "invite", "bots-league.db", "cy"]);
    let token = stdout(&cy).trim().rsplit('\t').next().unwrap().to_owned();
    let resting = Running::start(at, &[&words[..], &INTAKE].concat());
    let address = address(at);
    let until = Instant::now() + Duration::from_mins(5);
    while !get(&address, "/author", &format!("Cookie: leyden-author={token}\r\n"))
        .body
        .contains("cy v1 has used up")
    {
        assert!(Instant::now() < until, "its author learns it");
        sleep(Duration::from_millis(50));
    }
    drop(resting);

    // The next day.
    let file = at.join("bots-league.day.json");
    let day: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    assert_eq!(day["resting"]["cy"], "cy v1", "{day}");
    let yesterday = day.to_string().replace(day["date"].as_str().unwrap(), "2020-01-01");
    fs::write(&file, yesterday).unwrap();
    let slow = fs::read_to_string(at.join("slow.toml")).unwrap();
    fs::write(at.join("other.toml"), slow.replace("target = 20", "target = 50")).unwrap();
    let other = ["league", "bots", "--allow-builtins", "--config", "other.toml"];
    let refused = leyden(at, &[&other[..], &words].concat());
    assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
    let verified = leyden(at, &["verify", "final.db", "--league", "bots-league.db"]);
    assert_eq!(verified.status.code(), Some(0), "it comes back all the same: {}", stdout(&verified));
    let mut next = Running::start(at, &words);
    next.says("cy v1 plays");
    drop(next);
    let verified = leyden(at, &["verify", "bots-league.db"]);
    assert_eq!(verified.status.code(), Some(0), "{}", stdout(&verified) + &stderr(&verified));
}

#[test]
fn version_withdrawn_while_it_rests_stays_away() {
    early_in_the_day();
    let folder = two_bots();
    let at = folder.path();
    let (cy, league) = cy_enters(at);
    let of_cy = || {
        let printed = stdout(&leyden(at, &["league", "versions", FILE, "cy", "--json"]));
        serde_json::from_str::<Value>(&printed).unwrap()["versions"][0].clone()
    };
    until("cy has played", || of_cy()["pairs"].as_u64().unwrap() >= 10);
    drop(league);

    // Of the three, only cy has thought today.
    let rest = |date: &str, resting: &Value| set_day(at, date, &["ann", "bob"], resting);
    rest(&today(), &json!({}));
    let limited = [&INTAKE[..], &["--cpu-a-day", "1ms"]].concat();
    let mut league = Running::start(at, &limited);
    let mut address = address(at);
    league.says("cy has used its time of this day");
    league.says("cy v1 has left");
    let held = leyden(at, &["withdraw", FILE, "cy v1"]);
    assert_eq!(held.status.code(), Some(2), "somebody plays: {}", stdout(&held));
    assert_eq!(post(&address, "/withdraw", &bearer(&cy), b"").code, 202);
    until("it rests no more", || day(at)["resting"] == json!({}));
    assert_eq!(post(&address, "/bring-back", &bearer(&cy), b"").code, 202);
    until("it rests again", || day(at)["resting"] == json!({ "cy": "cy v1" }));
    until("it is back", || post(&address, "/withdraw", &bearer(&cy), b"").code == 202);
    league.child.kill().unwrap();
    drop(league);
    assert!(!fs::read_to_string(at.join("said")).unwrap().contains("cy v1 plays\n"), "its day is used up");

    // The next day, as if the kill had come before any decision was applied.
    rest("2020-01-01", &json!({ "cy": "cy v1" }));
    let mut next = Running::start(at, &limited[..2]);
    next.says("ann is ann v1");
    address = self::address(at);
    assert!(
        get(&address, "/author", &format!("Cookie: leyden-author={cy}\r\n"))
            .body
            .contains("Bring back cy v1")
    );
    assert!(!fs::read_to_string(at.join("said")).unwrap().contains("cy v1 plays\n"));
    assert_eq!(post(&address, "/bring-back", &bearer(&cy), b"").code, 202);
    next.says("cy v1 plays");
    drop(next);

    // An organiser withdraws it, too.
    rest(&today(), &json!({}));
    let mut last = Running::start(at, &limited);
    last.says("cy v1 has left");
    drop(last);
    assert_eq!(day(at)["resting"], json!({ "cy": "cy v1" }));
    let withdrawn = leyden(at, &["withdraw", FILE, "cy v1"]);
    assert_eq!(withdrawn.status.code(), Some(0), "{}", stderr(&withdrawn));
    assert!(
        stderr(&withdrawn).contains("cy v1 has left before, and does not come back"),
        "{}",
        stderr(&withdrawn)
    );
    assert_eq!(day(at)["resting"], json!({}));
    let again = leyden(at, &["withdraw", FILE, "cy v1"]);
    assert!(stderr(&again).contains("cy v1 has left before"), "{}", stderr(&again));
    let ended = leyden(at, &[&LEAGUE[..], &["--pairs", "2"]].concat());
    assert_eq!(ended.status.code(), Some(0), "{}", stderr(&ended));
    assert_eq!(of_cy()["there"], json!(false));
    let verified = leyden(at, &["verify", FILE]);
    assert_eq!(verified.status.code(), Some(0), "{}", stdout(&verified) + &stderr(&verified));
}

#[test]
fn challenge_uses_only_its_authors_cpu_time() {
    early_in_the_day();
    let folder = two_bots();
    let at = folder.path();
    let (cy, league) = cy_enters(at);
    drop(league);

    set_day(at, &today(), &["ann", "bob", "cy"], &json!({}));
    let limited = [&INTAKE[..], &["--cpu-a-day", "1ms"]].concat();
    let mut league = Running::start(at, &limited);
    league.says("cy.zip is cy v1");
    let address = address(at);
    let ask = || post(&address, "/challenge", &bearer(&cy), b"opponent=bob");
    assert_eq!(ask().code, 202, "matches of the league have used nothing");
    league.says("cy has used its time of this day (UTC) and rests");
    league.says("cy v1 has left");
    let refused = ask();
    assert!(refused.code == 409 && refused.body.contains("used up its time"), "{}", refused.body);
    let page = get(&address, "/author", &format!("Cookie: leyden-author={cy}\r\n")).body;
    assert!(!page.contains("name=\"opponent\"") && page.contains("/author/challenges/1/"), "{page}");
    assert_eq!(day(at)["resting"], json!({ "cy": "cy v1" }), "bob goes on");
    league.child.kill().unwrap();
    drop(league);

    // What was used is known after a kill, too, even if it is not known any more who rests.
    set_day(at, "2020-01-01", &[], &json!({ "cy": "cy v1" }));
    let _again = Running::start(at, &limited);
    until("the day begins", || day(at)["date"] == *today());
    assert_eq!(day(at)["resting"]["cy"], "cy v1");
}
