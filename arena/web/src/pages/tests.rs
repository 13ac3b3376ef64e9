//! What a bot, a file or a person wrote is text in every page.

mod languages;

use std::collections::BTreeSet;

use leyden_language::Language;

use super::*;
use crate::snapshot::{MatchView, SnapshotReader};
use leyden_arena::record::sample;
use leyden_arena::record::store::StoredPlan;

const HOSTILE: &str = "<img src=x onerror=alert(1)>";

/// Names, authors and languages that look like markup, and one that could end an attribute or a script.
fn hostile() -> StoredPlan {
    let mut stored_plan = sample::stored_plan(4, 1);
    for (i, bot) in stored_plan.bots.iter_mut().enumerate() {
        bot.name = format!("{HOSTILE}{i}");
        bot.author = Some("\"><script>alert(2)</script>".to_owned());
        bot.language = Some("' onload='alert(3)".to_owned());
    }
    "</script><script>alert(4)</script>\u{202e}evil".clone_into(&mut stored_plan.bots[3].name);
    stored_plan
}

/// Returns each page of a tournament with its name.
fn all_pages(stored_plan: &StoredPlan, is_over: bool) -> Vec<(String, String)> {
    let mut matches: Vec<_> = sample::faulted(stored_plan).collect();
    for (_, record) in &mut matches {
        record.notes.iter_mut().for_each(|note| note.note = leyden_protocol::Note::Text(HOSTILE.to_owned()));
        if let Some(fault) = &mut record.fault {
            fault.code = leyden_protocol::FaultCode::Illegal; // all of the same kind
            fault.details = leyden_model::FaultDetails {
                cause: Some(leyden_model::Cause::Other(HOSTILE.to_owned())),
                ..leyden_model::FaultDetails::from_text(HOSTILE)
            };
        }
        if let Some(stderr) = &mut record.stderr {
            stderr.iter_mut().for_each(|(_, text)| *text = format!("{HOSTILE}\n").repeat(400));
        }
    }
    matches.truncate(if is_over { matches.len() } else { matches.len() - 1 });
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("<b>cup.db");
    let writer = leyden_arena::record::store::Writer::create(&path, stored_plan).unwrap();
    for (key, record) in &matches {
        writer.add(key, record.clone()).unwrap();
    }
    writer.finish().unwrap();
    let mut reader = SnapshotReader::open(&path).unwrap();
    reader.refresh(|_| {}).unwrap();
    let snapshot = reader.snapshot(Some(2.5)).unwrap();
    assert_eq!(snapshot.progress.is_over, is_over);
    let replays: BTreeSet<String> = snapshot.matches.iter().map(|seen| seen.id.clone()).collect();
    let query = Query { text: HOSTILE.to_owned(), ..Query::default() };
    let mut all = Vec::new();
    for site in [
        Site::Server { delay: Delay::Pair, is_one_of_several: false, has_stage: false, has_replays: true },
        Site::Folder { replays, has_records: is_over },
    ] {
        let (_, record) = &matches[0];
        if !is_over {
            all.push((
                format!("single {site:.6?}"),
                single(&snapshot, &site, record, None, Language::English).unwrap(),
            ));
        }
        let mut add =
            |name: &str, page: maud::Markup| all.push((format!("{name} {site:.6?}"), page.into_string()));
        add("overview", overview(&snapshot, &site, Language::English));
        add("matches", matches::matches(&snapshot, &site, &query, Language::English));
        add("pairings", pairings(&snapshot, &site, Language::English));
        add("live", live(&snapshot, &site, Language::English));
        add("screen", screen(&snapshot, &site, Language::English));
        add("verify", verify(&snapshot, &site, Language::English));
        for index in 0..4 {
            add("bot", bot(&snapshot, &site, leyden_model::BotIndex(index), Language::English).unwrap());
        }
    }
    all
}

#[test]
fn foreign_text_is_never_markup() {
    for is_over in [false, true] {
        for (name, page) in all_pages(&hostile(), is_over) {
            for markup in ["<img", "<script>", "<b>cup", "alert(4)</script>", "\u{202e}"] {
                assert!(!page.contains(markup), "{markup} in {name}: {page}");
            }
            assert!(page.contains("&lt;b&gt;cup"), "{name}");
            assert!(
                ["verify", "live"].iter().any(|few| name.starts_with(few)) || page.contains("&lt;img src=x"),
                "{name}"
            );
        }
    }
}

#[test]
fn author_finds_all_details_without_repetitions() {
    let stored_plan = sample::stored_plan(4, 3);
    let of_bots =
        |is_over| all_pages(&stored_plan, is_over).into_iter().filter(|(name, _)| name.starts_with("bot"));
    let listed = |page: &str| page.matches("open at that turn").count();
    let causes = |page: &str| page.matches("likely cause: ").count();
    let over: Vec<String> = of_bots(true).map(|(_, page)| page).collect();
    assert!(over.iter().any(|page| listed(page) > 3), "a bot has more faults than are shown in full");
    assert!(over.iter().any(|page| page.contains("standard error, its end")));
    for page in &over {
        assert_eq!(causes(page), listed(page).min(3));
        assert!(page.matches("standard error, its end").count() <= causes(page));
        assert!(page.matches("onerror=alert").count() < 3 * 100 + 100, "the ends of texts");
    }
    assert!(of_bots(false).all(|(_, page)| causes(&page) == 0), "not before everything is played");
}

#[test]
fn spectators_page_says_how_a_match_ended() {
    let pages = all_pages(&sample::stored_plan(4, 1), false);
    let (_, page) = pages.iter().find(|(name, _)| name.starts_with("single")).unwrap();
    let (_, end) = page.split_once(" id=\"end\">").unwrap();
    let (end, _) = end.split_once("</section>").unwrap();
    assert!(end.contains("✖</span> bot-") && end.contains(" lost by a fault: illegal. bot-"), "{end}");
    assert!(end.contains(" wins the match. Final scores: bot-"), "{end}");
    assert!(page.contains(" — cut short</span>"), "{page}");
}

/// The server's policy allows neither.
#[test]
fn pages_contain_no_inline_style_or_script() {
    for (name, page) in all_pages(&sample::stored_plan(4, 1), true) {
        assert!(!page.contains(" style=") && !page.contains("<style"), "{name}");
        assert!(!page.contains(" onclick=") && !page.contains("javascript:"), "{name}");
        for script in page.split("<script").skip(1) {
            assert!(script.starts_with(" src=\""), "{name}: {script:.80}");
        }
        assert!(page.starts_with("<!DOCTYPE html>") && page.contains("<html lang=\"en\">"), "{name}");
    }
}

/// Every address in a page is relative: it works wherever the pages are published.
#[test]
fn links_lead_to_pages_that_are_there() {
    let pages = all_pages(&sample::stored_plan(4, 1), true);
    for (name, page) in &pages {
        let root = if name.starts_with("bot") || name.starts_with("single") { "../" } else { "" };
        for link in page.split(" href=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            if link.starts_with('#') {
                continue;
            }
            let inside = link.strip_prefix(root).unwrap_or_else(|| panic!("{link} in {name}"));
            let file = inside.split(['#', '?']).next().unwrap();
            let is_known = ["assets/", "bots/", "matches/"].iter().any(|folder| file.starts_with(folder))
                || [
                    "index.html",
                    "matches.html",
                    "pairings.html",
                    "live.html",
                    "screen.html",
                    "verify.html",
                    "standings.json",
                    "standings.csv",
                    "matches.csv",
                    "records.jsonl.gz",
                ]
                .contains(&file);
            assert!(is_known && !file.contains(".."), "{link} in {name}");
        }
    }
}

#[test]
fn requests_find_the_right_matches() {
    let stored_plan = sample::stored_plan(4, 2);
    let clean = sample::matches(&stored_plan).skip(20);
    let mut all: Vec<_> = sample::faulted(&stored_plan).take(20).chain(clean).collect();
    let (_, drawn) = all.last_mut().unwrap();
    (drawn.winner, drawn.scores) = (None, drawn.scores.map(|_| 100));
    let (_folder, path) = crate::snapshot::tests::file(&stored_plan, &all);
    let mut reader = SnapshotReader::open(&path).unwrap();
    reader.refresh(|_| {}).unwrap();
    let snapshot = reader.snapshot(None).unwrap();
    let find = |asked: &[(&str, &str)]| {
        let mut query = Query::default();
        for (name, value) in asked {
            query.set(name, value);
        }
        query.find(&snapshot)
    };
    assert_eq!(find(&[]).len(), 24);
    assert_eq!(find(&[("q", "BOT-2")]).len(), 12);
    assert_eq!(find(&[("bot", "1"), ("rival", "2")]).len(), 4);
    assert_eq!(find(&[("q", "nobody")]).len(), 0);
    let id = &all[5].1.id;
    assert_eq!(find(&[("q", &id[..10])]).iter().map(|seen| &seen.id).collect::<Vec<_>>(), [id]);
    let faults = all.iter().filter(|(_, record)| record.fault.is_some()).count();
    assert_eq!(find(&[("only", "faults")]).len(), faults);
    let longest = find(&[("sort", "longest")]);
    assert!(longest.is_sorted_by(|one, other| one.actions >= other.actions));
    let margin = |seen: &&MatchView| seen.final_scores(snapshot.better).winning_margin();
    let closest: Vec<_> = find(&[("sort", "closest")]).iter().filter_map(margin).collect();
    assert!(closest.is_sorted());
    assert!(closest[0] == 0 && closest.len() >= 4, "nothing is closer than a draw: {closest:?}");
    // Invalid parameters are ignored.
    let odd = [
        ("sort", "x"),
        ("only", "y"),
        ("page", "0"),
        ("bot", "-1"),
        ("page", "99999999999999999999"),
        ("z", "1"),
    ];
    assert_eq!(find(&odd).len(), 24);
}

#[test]
fn rate_and_remaining_time_show_until_the_end() {
    for is_over in [false, true] {
        let pages = all_pages(&hostile(), is_over);
        let overviews: Vec<&str> =
            pages.iter().filter(|(name, _)| name.starts_with("overview")).map(|(_, page)| &**page).collect();
        assert_eq!(overviews.len(), 2);
        for page in overviews {
            assert_eq!(page.contains(" · 2.5 matches/s · about "), !is_over, "{page}");
        }
    }
    let progress = crate::snapshot::Progress {
        done: 40,
        planned: 100,
        is_endless: false,
        is_over: false,
        is_playing: true,
        rate: Some(2.5),
    };
    assert_eq!(progress.seconds_left(), Some(24.0));
    for unknown in [None, Some(0.0)] {
        assert_eq!(crate::snapshot::Progress { rate: unknown, ..progress }.seconds_left(), None);
    }
    assert_eq!(crate::snapshot::Progress { is_endless: true, ..progress }.seconds_left(), None);
}
