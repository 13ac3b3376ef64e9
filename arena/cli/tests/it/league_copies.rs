//! Copies in a league: what its organiser, its pages and a report of it say.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::league::{LEAGUE, Running, hand_in, two_bots};
use crate::program::{builtin, leyden, printed};

/// Enough text of one's own to be compared.
const OWN: &str = "import json, sys\n\ndef weight(tile):\n    low, high = map(int, tile.split('-'))\n    return low + high\n\n\
    def choose(turn):\n    plays = [action for action in turn['legal'] if ':' in action]\n    best = None\n    for play in plays:\n\
    \x20       arm, rest = play.split(':')\n        if best is None or weight(rest) > weight(best.split(':')[1]):\n            best = play\n\
    \x20   if best is None and 'draw' in turn['legal']:\n        return 'draw'\n    while best is None:\n        best = turn['legal'][0]\n    return best\n";

/// Hands in a bot that plays as `plays` and has this source text.
fn with_source(at: &Path, name: &str, plays: &str, text: &str) {
    hand_in(at, name, &builtin(name, plays));
    fs::write(at.join("bots").join(name).join("bot.py"), text).unwrap();
}

fn said(at: &Path, words: &[&str]) -> String {
    printed(&leyden(at, words))
}

/// Plays until these have come, and then to an end.
fn plays(at: &Path, versions: &[&str]) {
    let mut league = Running::start(at, &[]);
    for version in versions {
        league.says(&format!("{version} plays"));
    }
    drop(league);
    said(at, &[&LEAGUE[..], &["--pairs", "2"]].concat());
}

#[test]
fn copies_count_once_in_league_listing_and_report() {
    let folder = two_bots();
    let at = folder.path();
    with_source(at, "ann", "random", OWN);
    with_source(at, "cy", "careful", &OWN.replace("weight", "heavy"));
    plays(at, &["ann v1", "bob v1", "cy v1"]);
    let ranks = || {
        let printed = said(at, &["league", "copies", "bots-league.db", "--json"]);
        serde_json::from_str::<Value>(&printed).unwrap()["versions"].as_array().unwrap().clone()
    };
    let computed = ranks();
    let like: Vec<&Value> = computed.iter().filter(|of| of["once"].is_null()).collect();
    assert!(like.len() == 1 && computed.len() == 3, "{computed:?}");
    let [copy, better] = ["name", "like"].map(|word| like[0][word].as_str().unwrap().to_owned());
    assert!(["ann v1", "cy v1"].contains(&copy.as_str()) && copy != better, "{computed:?}");

    // The league has compared them once, so nobody needs the sources again.
    fs::rename(at.join("bots-league.versions"), at.join("elsewhere")).unwrap();
    assert_eq!(ranks(), computed);
    fs::rename(at.join("elsewhere"), at.join("bots-league.versions")).unwrap();
    fs::remove_file(at.join("bots-league.copies.json")).unwrap();
    assert_eq!(ranks(), computed);

    // Starting again compares again.
    plays(at, &[]);
    let likes = ranks().iter().find(|of| of["once"].is_null()).map(|of| of["like"].clone()).unwrap();
    said(at, &["report", "bots-league.db", "--out", "report"]);
    let page = fs::read_to_string(at.join("report/index.html")).unwrap();
    assert!(page.contains(&format!("like <b>{}</b>", likes.as_str().unwrap())), "{page}");

    // A version that is no copy any more is none anywhere.
    with_source(at, "cy", "careful", "x = 1\n");
    plays(at, &["cy v2"]);
    assert!(ranks().iter().all(|of| of["like"].is_null()), "{:?}", ranks());
    said(at, &["report", "bots-league.db", "--out", "later"]);
    let page = fs::read_to_string(at.join("later/index.html")).unwrap();
    assert!(!page.contains("copies count once"), "{page}");
}
