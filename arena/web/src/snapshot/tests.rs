//! While a tournament is not over, everything shown follows from complete pairs, and from what a spectator may know of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use leyden_language::Language;
use leyden_model::{BotIndex, LeftOut, MatchKey, MatchRecord, MatchSeed};
use leyden_protocol::{RulesName, Set};
use tempfile::TempDir;

use super::*;
use crate::pages::{self, Query, Site};
use leyden_arena::format::{Competition, Format, Play, Seeding, Stage};
use leyden_arena::record::sample;
use leyden_arena::record::store::{Results, Resumable, StoredPlan, Writer};

/// Returns everything that a server or a folder shows of a file, as one text.
pub(crate) fn shown(path: &Path) -> String {
    shown_by(SnapshotReader::open(path).unwrap(), path)
}

fn shown_by(mut reader: SnapshotReader, path: &Path) -> String {
    reader.refresh(|_| {}).unwrap();
    let snapshot = reader.snapshot(None).unwrap();
    let mut all = String::new();
    for site in [
        Site::Server {
            delay: pages::Delay::Pair,
            is_one_of_several: false,
            has_stage: false,
            has_replays: true,
        },
        Site::Folder { replays: BTreeSet::new(), has_records: false },
    ] {
        all += &pages::overview(&snapshot, &site, Language::English).into_string();
        all += &pages::matches(&snapshot, &site, &Query::default(), Language::English).into_string();
        all += &pages::pairings(&snapshot, &site, Language::English).into_string();
        all += &pages::live(&snapshot, &site, Language::English).into_string();
        all += &pages::screen(&snapshot, &site, Language::English).into_string();
        all += &pages::verify(&snapshot, &site, Language::English).into_string();
        all += &pages::match_rows(&snapshot, &site, Language::English);
        for bot in 0..snapshot.bots.len() {
            all +=
                &pages::bot(&snapshot, &site, BotIndex(bot as u32), Language::English).unwrap().into_string();
        }
        for seen in &snapshot.matches {
            let record =
                Results::inspect(path, |results| results.record(&seen.key).unwrap().unwrap()).unwrap();
            all += &pages::single(&snapshot, &site, &record, None, Language::English).unwrap();
        }
    }
    all + &serde_json::to_string(&snapshot.standings).unwrap()
}

/// As standings count them: two for each two seats of a table.
#[test]
fn half_points_come_from_comparisons_of_seats() {
    for seats in [2, 3, 4] {
        let stored_plan = sample::stored_plan_of(RulesName::Matador, seats, Set::DoubleSix, seats, 2);
        let better = stored_plan.settings.rules().unwrap().better;
        for (key, record) in sample::matches(&stored_plan).chain(sample::faulted(&stored_plan)) {
            let mut points = BTreeMap::new();
            MatchView::from_record(&key, &record).add_half_points(better, &mut points);
            assert_eq!(points.values().sum::<u64>(), (seats * (seats - 1)) as u64, "{}", record.id);
            let Some(fault) = record.fault else { continue };
            let lost = points[&key.seating()[fault.seat]];
            assert_eq!(lost, 0, "{}", record.id);
        }
    }
}

/// Creates a file with these matches.
pub(crate) fn file(
    stored_plan: &StoredPlan,
    matches: &[(MatchKey, MatchRecord)],
) -> (TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cup.db");
    let writer = Writer::create(&path, stored_plan).unwrap();
    for (key, record) in matches {
        writer.add(key, record.clone()).unwrap();
    }
    writer.finish().unwrap();
    (folder, path)
}

/// Returns the match with everything changed that a spectator may not know: the order of undrawn tiles, the seed, and the messages
/// to authors.
pub(crate) fn otherwise(record: &MatchRecord) -> MatchRecord {
    let mut other = record.clone();
    let hand = usize::from(record.rules.rules().unwrap().hand);
    for round in &mut other.rounds {
        let draws = round
            .actions
            .iter()
            .filter(|entry| matches!(entry.event, leyden_protocol::HistoryAction::Draw(_)));
        let seen = hand * record.bots.seats().count() + draws.count();
        round.deck[seen..].reverse();
    }
    let seed = serde_json::to_value(record.seed).unwrap();
    let turned: String = seed.as_str().unwrap().chars().rev().collect();
    other.seed = serde_json::from_value::<MatchSeed>(turned.into()).unwrap();
    other
        .notes
        .iter_mut()
        .for_each(|note| note.note = leyden_protocol::Note::Text("another note".to_owned()));
    if let Some(fault) = &mut other.fault {
        fault.details = leyden_model::FaultDetails::from_text("another message");
    }
    if let Some(stderr) = &mut other.stderr {
        stderr.iter_mut().for_each(|(_, text)| "another trace".clone_into(text));
    }
    other.host = None;
    other
}

#[test]
fn incomplete_pair_is_not_shown() {
    for (rules, seats, set) in
        [(RulesName::Leyden, 2, Set::DoubleSix), (RulesName::Matador, 3, Set::DoubleSix)]
    {
        let stored_plan = sample::stored_plan_of(rules, seats, set, 4, 2);
        let all: Vec<_> = sample::faulted(&stored_plan).collect();
        let last_leg = seats as u32 - 1;
        let is_complete = |key: &MatchKey| key.block == 0;
        let complete: Vec<_> = all.iter().filter(|(key, _)| is_complete(key)).cloned().collect();
        // Other pairs have their other legs, or other matches in their place, or nothing.
        let begun: Vec<_> =
            all.iter().filter(|(key, _)| is_complete(key) || key.leg < last_leg).cloned().collect();
        let mut elsewise = begun.clone();
        for (key, record) in elsewise.iter_mut().filter(|(key, _)| !is_complete(key)) {
            let known = sample::record_template(&stored_plan).for_match(key);
            *record = sample::play(known, None);
            record.think_us = record.think_us.map(|times| times.iter().map(|us| us + 1_000_000).collect());
        }
        let expected = shown(&file(&stored_plan, &complete).1);
        for others in [&begun, &elsewise] {
            let (_folder, path) = file(&stored_plan, others);
            assert!(shown(&path) == expected, "{rules}: a match of an incomplete pair is seen");
        }
        // Proves that the test can fail: with all legs, more is shown.
        let (_folder, path) = file(&stored_plan, &all);
        assert!(shown(&path) != expected);
    }
}

/// All matches of a tournament, whose rounds may follow from its results; those from block 2 on may end by a fault after this many decisions.
pub(crate) fn competition(stored_plan: &StoredPlan, fault: Option<usize>) -> Vec<(MatchKey, MatchRecord)> {
    let mut all: Vec<(MatchKey, MatchRecord)> = Vec::new();
    loop {
        let mut schedule = stored_plan.schedule().unwrap();
        let ends: Vec<_> = all
            .iter()
            .map(|(key, record)| (*key, leyden_arena::record::final_scores(record, WinningScore::Lower)))
            .collect();
        schedule.replay(&ends).unwrap();
        let next: Vec<MatchKey> = schedule.iter(all.len() as u64..u64::MAX).collect();
        if next.is_empty() {
            return all;
        }
        for key in next {
            let fault = fault.filter(|_| key.block >= 2);
            all.push((key, sample::play(sample::record_template(stored_plan).for_match(&key), fault)));
        }
    }
}

/// A league whose second version is like the first, as it is kept beside its results file.
pub(crate) fn with_copies(stored_plan: &StoredPlan) -> (TempDir, std::path::PathBuf) {
    let (folder, path) = file(stored_plan, &competition(stored_plan, None));
    let names: Vec<&str> = stored_plan.bots.iter().map(|bot| bot.name.as_str()).collect();
    let versions: serde_json::Map<_, _> =
        names.iter().map(|name| ((*name).to_owned(), "hash".into())).collect();
    let copies = serde_json::json!({ "v": 1, "versions": versions, "groups": [names[..2]] });
    std::fs::write(path.with_extension("copies.json"), copies.to_string()).unwrap();
    (folder, path)
}

/// Hides the names in a league from now on.
pub(crate) fn hide_names(stored_plan: &StoredPlan, path: &Path) {
    let bots = stored_plan.bots.iter().map(|bot| bot.name.trim_end_matches(" v1").to_owned());
    let names: serde_json::Map<_, _> =
        bots.zip(10..).map(|(bot, number)| (bot, format!("bot-x{number}").into())).collect();
    std::fs::write(PublicNames::file(path), serde_json::to_vec(&names).unwrap()).unwrap();
}

/// A tournament of one stage.
fn staged(play: Play, bots: usize, blocks: u32) -> StoredPlan {
    let stage = Stage { play, blocks, advance: None, tie_breaks: Vec::new() };
    let seeds = (0..bots as u32).map(BotIndex).collect();
    let of = Competition { seeding: Seeding::List, seeds, presence: Vec::new(), stages: vec![stage] };
    StoredPlan { format: Format::Stages(of), ..sample::stored_plan(bots, 1) }
}

/// A league of that many versions, to its end.
pub(crate) fn league(bots: usize) -> StoredPlan {
    let mut plan = staged(Play::League { batches: Some(3) }, bots, 1);
    plan.bots.iter_mut().for_each(|bot| bot.name += " v1");
    plan
}

#[test]
fn league_copies_are_named_unless_names_are_hidden() {
    let plan = league(4);
    let names: Vec<&str> = plan.bots.iter().map(|bot| bot.name.as_str()).collect();
    let (_folder, path) = with_copies(&plan);
    let page = || {
        let mut reader = SnapshotReader::open(&path).unwrap();
        reader.refresh(|_| {}).unwrap();
        let snapshot = reader.snapshot(None).unwrap();
        let nameless = reader.nameless(None, Language::English).unwrap();
        assert_eq!(nameless.copies, [], "who has copied from whom may be known");
        let site = Site::Folder { replays: BTreeSet::new(), has_records: false };
        let standings: Vec<usize> = snapshot.ranking.iter().map(|bot| bot.index()).collect();
        (pages::overview(&snapshot, &site, Language::English).into_string(), standings, snapshot.copies)
    };
    let (shown, order, copies) = page();
    let [one, other] = [0, 1].map(|bot| order.iter().position(|each| *each == bot).unwrap());
    let (better, copy) = if one < other { (0, 1) } else { (1, 0) };
    assert!(
        shown.contains("If copies count once, ") && shown.contains(&format!("like <b>{}</b>", names[better])),
        "{shown}"
    );
    let counted = copies.iter().find(|of| of.bot.index() == copy).unwrap();
    assert_eq!((counted.rank, counted.like), (None, Some(BotIndex(better as u32))));
    let mut ranks: Vec<usize> = copies.iter().filter_map(|of| of.rank).collect();
    ranks.sort_unstable();
    assert_eq!(ranks, [1, 2, 3]);

    hide_names(&plan, &path);
    let (hidden, ..) = page();
    assert!(hidden.contains("like a better one") && !hidden.contains("like <b>"), "{hidden}");
    assert!(names.iter().all(|name| !hidden.contains(name)), "{hidden}");

    for (beside, why) in [("rubbish", "it is damaged"), ("{\"v\": 2}", "it is of another version")] {
        std::fs::write(path.with_extension("copies.json"), beside).unwrap();
        assert!(!page().0.contains("copies count once"), "{why}");
    }
}

#[test]
fn unrevealed_matches_of_a_stage_stay_hidden() {
    for format in [Format::RoundRobin, staged(Play::Swiss { rounds: 2 }, 4, 2).format] {
        let stored_plan = StoredPlan { format, ..sample::stored_plan(4, 3) };
        let whole = competition(&stored_plan, None);
        let other = competition(&stored_plan, Some(9));
        let only: Vec<_> = whole.iter().filter(|(key, _)| key.block < 2).cloned().collect();
        let files = [&whole, &other, &only].map(|matches| file(&stored_plan, matches));
        let one_more = whole.iter().find(|(key, _)| key.block == 2).unwrap().0.pair();
        let text = |path: &Path, revealed: &RevealedMatches| {
            let mut reader = SnapshotReader::open(path).unwrap();
            assert!(reader.reveal(revealed).unwrap() && !reader.reveal(revealed).unwrap());
            shown_by(reader, path)
        };
        let [seen, same, least] = files
            .each_ref()
            .map(|(_, path)| text(path, &RevealedMatches { blocks: 2, ..RevealedMatches::default() }));
        assert!(
            seen == same && seen == least,
            "{:?}: something is seen that is not revealed",
            stored_plan.format
        );
        // A leg by itself reveals nothing elsewhere, because its deal comes again; all legs do.
        let legs: Vec<MatchKey> = one_more.legs().collect();
        let with = |legs: &[MatchKey]| RevealedMatches { blocks: 2, matches: legs.iter().copied().collect() };
        assert!(text(&files[0].1, &with(&legs[..1])) == seen);
        assert!(text(&files[0].1, &with(&legs)) != seen);
        // Once everything is revealed, nothing is missing.
        let over = |reveals: bool| {
            let mut reader = SnapshotReader::open(&files[0].1).unwrap();
            let all = RevealedMatches { blocks: u32::MAX, ..RevealedMatches::default() };
            assert!(!reveals || reader.reveal(&all).unwrap());
            reader.refresh(|_| {}).unwrap();
            let snapshot = reader.snapshot(None).unwrap();
            (serde_json::to_string(&snapshot.standings).unwrap(), snapshot.progress, snapshot.seed)
        };
        assert!(over(true) == over(false));
    }
}

#[test]
fn secrets_stay_hidden_from_spectators_until_the_end() {
    let mut stored_plan = sample::stored_plan(3, 2);
    let (entry, reason) = ("/home/teacher/handed-in/alice".to_owned(), "bot.c:3: no such line".to_owned());
    let printed = vec!["see /home/teacher/handed-in/log".to_owned()];
    stored_plan.left_out = vec![LeftOut { entry, reason, printed }];
    let all: Vec<_> = sample::faulted(&stored_plan).collect();
    let (last, rest) = all.split_last().unwrap();
    let turned: Vec<_> = rest.iter().map(|(key, record)| (*key, otherwise(record))).collect();
    let (_one, before) = file(&stored_plan, rest);
    let (_other, after) = file(&stored_plan, &turned);
    let text = shown(&before);
    assert!(text == shown(&after), "something that a spectator may not know is seen");
    let secrets =
        [&*stored_plan.seed, "no such tile", "decision 1", "expected an action", "bot.c:3", "see log"];
    for secret in secrets {
        assert!(!text.contains(secret), "{secret:?} is seen");
    }
    assert!(text.contains("alice"), "the page names the bot that is left out");
    // Once it is over, everything is shown.
    let (_folder, path) = file(&stored_plan, &all);
    let text = shown(&path);
    for secret in secrets {
        assert!(text.contains(secret), "{secret:?} is hidden");
    }
    assert!(!text.contains("teacher"), "the organiser's folders are nobody's business");
    assert!(last.1.fault.is_some());
}

#[test]
fn pages_follow_a_file_that_is_written() {
    let stored_plan = sample::stored_plan(3, 2);
    let all: Vec<_> = sample::matches(&stored_plan).collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cup.db");
    let writer = Writer::create(&path, &stored_plan).unwrap();
    let mut reader = SnapshotReader::open(&path).unwrap();
    let mut pairs = 0;
    for (number, (key, record)) in all.iter().enumerate() {
        writer.add(key, record.clone()).unwrap();
        let stored = number as u64 + 1;
        while Results::inspect(&path, |results| results.count().unwrap()).unwrap() < stored {
            std::thread::yield_now(); // the writer collects matches for 50 ms
        }
        reader.refresh(|_| pairs += 1).unwrap();
        assert_eq!(reader.matches(), stored / 2 * 2);
        assert_eq!(reader.snapshot(None).unwrap().matches.len() as u64, stored / 2 * 2);
        assert_eq!(reader.is_over(), stored == all.len() as u64);
    }
    assert_eq!(pairs, all.len() / 2);
    writer.finish().unwrap();
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "something is left beside the file");
}

/// How the tournament stands, and how many matches are planned.
fn standing(reader: &SnapshotReader) -> (String, u64) {
    let snapshot = reader.snapshot(None).unwrap();
    (serde_json::to_string(&snapshot.standings).unwrap(), snapshot.progress.planned)
}

fn refreshed(path: &Path) -> SnapshotReader {
    let mut reader = SnapshotReader::open(path).unwrap();
    reader.refresh(|_| {}).unwrap();
    reader
}

#[test]
fn refresh_reads_each_match_of_later_rounds_once() {
    for plan in [staged(Play::Swiss { rounds: 2 }, 4, 2), league(4)] {
        let all = competition(&plan, None);
        let (_folder, path) = file(&plan, &[]);
        let writer = Writer::resume(&path, &plan).unwrap().0;
        let mut reader = refreshed(&path);
        for (pair, legs) in (1..).zip(all.chunks(2)) {
            for (key, record) in legs {
                writer.add(key, record.clone()).unwrap();
            }
            while stored_count(&path) < 2 * pair {
                std::thread::yield_now();
            }
            let mut pairs = 0;
            reader.refresh(|_| pairs += 1).unwrap();
            assert_eq!((pairs, reader.matches()), (1, 2 * pair));
            // Reading one of these matches again would fail.
            let damage = "UPDATE matches SET score0 = 'damaged'; UPDATE records SET body = x'07'";
            rusqlite::Connection::open(&path).unwrap().execute_batch(damage).unwrap();
        }
        assert!(Results::inspect(&path, |results| results.schedule().is_err()).unwrap());
        assert!(reader.is_over() && standing(&reader) == standing(&refreshed(&file(&plan, &all).1)));
        writer.finish().unwrap();
    }
}

#[test]
fn removed_matches_begin_the_pages_anew() {
    let plan = staged(Play::Swiss { rounds: 2 }, 4, 2);
    let (_folder, path) = file(&plan, &competition(&plan, None));
    let mut reader = refreshed(&path);
    assert_eq!((reader.matches(), reader.is_over()), (16, true));
    let mut now = plan;
    now.bots[2].hash = "changed".to_owned();
    let resumable = Resumable::open(&path).unwrap().replacing(vec![BotIndex(2)]);
    resumable.resume(&now).unwrap().0.finish().unwrap();
    reader.refresh(|_| {}).unwrap();
    // What is left are the pairs of the two others in round 1.
    assert_eq!((reader.matches(), standing(&reader).1), (4, 8));
    assert!(standing(&reader) == standing(&refreshed(&path)));
}

#[test]
fn match_without_the_round_before_is_damage() {
    let plan = staged(Play::Swiss { rounds: 2 }, 4, 2);
    let (_folder, path) = file(&plan, &competition(&plan, None)[2..]);
    let error = SnapshotReader::open(&path).unwrap().refresh(|_| {}).unwrap_err().to_string();
    assert!(error.ends_with("is damaged: an impossible table"), "{error}");
}

/// If it counted, the tournament could seem over, and its seed would be shown.
#[test]
fn impossible_table_of_a_later_round_is_damage() {
    let plan = staged(Play::Swiss { rounds: 2 }, 4, 2);
    let all = competition(&plan, None);
    let first_round: Vec<_> = all.iter().filter(|(key, _)| key.block < 2).cloned().collect();
    for legs in ["leg = 0", "leg < 2"] {
        let (_damaged, damaged) = file(&plan, &all);
        let change = "UPDATE matches SET player1 = player1 % 3 + 1 WHERE block = 2 AND player0 = 0 AND";
        let database = rusqlite::Connection::open(&damaged).unwrap();
        database.execute_batch(&format!("{change} {legs}")).unwrap();
        database.close().unwrap();
        let (_folder, path) = file(&plan, &first_round);
        let following = refreshed(&path);
        std::fs::copy(&damaged, &path).unwrap();
        let afresh = SnapshotReader::open(&path).unwrap();
        let mut revealed = SnapshotReader::open(&path).unwrap();
        assert!(
            revealed.reveal(&RevealedMatches { blocks: u32::MAX, ..RevealedMatches::default() }).unwrap()
        );
        for mut reader in [following, afresh, revealed] {
            for _ in 0..2 {
                let error = reader.refresh(|_| {}).unwrap_err().to_string();
                assert!(error.ends_with("is damaged: an impossible table"), "{legs}: {error}");
            }
        }
    }
}

/// A void pair is played again: an earlier leg never counts for one that is still to be played.
#[test]
fn leg_of_a_void_pair_completes_nothing() {
    let stored_plan = sample::stored_plan(3, 1);
    let all: Vec<_> = sample::matches(&stored_plan).collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cup.db");
    let writer = Writer::create(&path, &stored_plan).unwrap();
    let mut reader = SnapshotReader::open(&path).unwrap();
    writer.add(&all[0].0, all[0].1.clone()).unwrap();
    while stored_count(&path) < 1 {
        std::thread::yield_now();
    }
    reader.refresh(|_| {}).unwrap();
    writer.void(&all[1].0, "a test", None).unwrap();
    writer.finish().unwrap();
    let writer = Writer::resume(&path, &stored_plan).unwrap().0;
    writer.add(&all[1].0, all[1].1.clone()).unwrap();
    while stored_count(&path) < 1 {
        std::thread::yield_now();
    }
    reader.refresh(|_| panic!("a pair with a leg missing")).unwrap();
    writer.add(&all[0].0, all[0].1.clone()).unwrap();
    writer.finish().unwrap();
    let mut pairs = 0;
    reader.refresh(|_| pairs += 1).unwrap();
    assert_eq!((pairs, reader.matches()), (1, 2));
}

fn stored_count(path: &Path) -> u64 {
    Results::inspect(path, |results| results.count().unwrap()).unwrap()
}

/// Includes a file whose writer was killed and whose log was removed: SQLite would create its lock files again.
#[test]
fn reading_leaves_nothing_behind_and_changes_nothing() {
    let stored_plan = sample::stored_plan(3, 1);
    let all: Vec<_> = sample::matches(&stored_plan).collect();
    let (folder, path) = file(&stored_plan, &all);
    let log = rusqlite::Connection::open(&path).unwrap();
    log.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(())).unwrap();
    drop(log);
    let before = (std::fs::read(&path).unwrap(), std::fs::metadata(&path).unwrap().modified().unwrap());
    assert_eq!(before.0[18], 2, "the file says that it has a log");
    let text = shown(&path);
    assert!(text.contains("bot-0"));
    let after = (std::fs::read(&path).unwrap(), std::fs::metadata(&path).unwrap().modified().unwrap());
    assert!(before == after, "the file was written to");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "something is left beside the file");
}
