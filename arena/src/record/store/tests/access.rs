//! Files that are not results files, or not the right ones; two arenas at once; readers beside the writer.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use leyden_format::{Competition, Format, Play, Seeding, Stage, TieBreak};
use leyden_model::BotIndex;
use leyden_protocol::FaultCode;
use rusqlite::Connection;

use super::*;
use crate::record::export;

fn refused(path: &Path) -> [String; 2] {
    let before = fs::read(path).ok();
    let read = Results::open(path).unwrap_err();
    let resumed = Writer::resume(path, &sample::stored_plan(2, 1)).unwrap_err();
    assert_eq!(fs::read(path).ok(), before, "nothing is written");
    [read.to_string(), resumed.to_string()]
}

#[test]
fn non_results_file_is_refused_with_the_reason() {
    let (folder, path) = fixture();
    for message in refused(&path) {
        assert!(message.starts_with("the results file /"), "{message}");
    }
    for message in refused(folder.path()) {
        assert!(message.contains("it is a folder"), "{message}");
    }
    fs::write(&path, "").unwrap();
    for message in refused(&path) {
        assert!(message.contains("is not a leyden results file: it is empty"), "{message}");
    }
    for text in ["{\"v\":1}\n", &"text that is longer than the header of a database file. ".repeat(99)] {
        fs::write(&path, text).unwrap();
        for message in refused(&path) {
            assert!(message.contains("it is not an SQLite file"), "{message}");
        }
    }
    fs::remove_file(&path).unwrap();
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE mine (a)").unwrap();
    for message in refused(&path) {
        assert!(message.contains("an SQLite file of another program"), "{message}");
    }
    assert_eq!(files(&folder), ["results.db"]);
}

#[test]
fn resumable_file_is_opened_once_for_reading() {
    let (folder, path) = fixture();
    let stored_plan = sample::stored_plan(3, 2);
    let played = written(&path, &stored_plan).len() as u64;
    let stored = Resumable::open(&path).unwrap();
    fs::rename(&path, folder.path().join("aside.db")).unwrap();
    for _ in 0..2 {
        assert!(stored.is_over().unwrap());
        stored.check(&stored_plan).unwrap();
        let changes = stored.changes_to(&sample::stored_plan(3, 5)).unwrap();
        assert_eq!(changes.iter().map(|change| change.after).collect::<Vec<_>>(), [played]);
        assert!(stored.matches_of(BotIndex(0)).unwrap() > 0);
    }
    fs::rename(folder.path().join("aside.db"), &path).unwrap();
    let (writer, _, done) = stored.resume(&stored_plan).unwrap();
    assert_eq!(done.count(), played);
    writer.finish().unwrap();
    assert_eq!(files(&folder), ["results.db"], "no log is left");
}

#[test]
fn file_exchanged_since_reading_is_not_written_to() {
    let (folder, path) = fixture();
    let stored_plan = sample::stored_plan(2, 3);
    written(&path, &stored_plan);
    let other = folder.path().join("other.db");
    written(&other, &sample::stored_plan(2, 1));
    let before = fs::read(&other).unwrap();
    let stored = Resumable::open(&path).unwrap();
    fs::rename(&other, &path).unwrap();
    let error = stored.resume(&stored_plan).err().unwrap();
    assert!(matches!(error, StoreError::Exchanged { .. }), "{error}");
    assert!(fs::read(&path).unwrap() == before);
}

#[test]
fn file_from_another_version_says_which() {
    for (by, schema) in [("0.1.0", 1), ("7.3.0", 7)] {
        let (_folder, path) = fixture();
        written(&path, &sample::stored_plan(2, 1));
        let file = Connection::open(&path).unwrap();
        let named = format!("UPDATE tournament SET value = '\"{by}\"' WHERE name = 'leyden'");
        assert_eq!(file.execute(&named, []).unwrap(), 1);
        file.pragma_update(None, "user_version", schema).unwrap();
        drop(file);
        for message in refused(&path) {
            let expected = format!(
                "results.db was written by leyden {by} with schema {schema}, this leyden reads schema 2: \
                 use that version for it"
            );
            assert!(message.ends_with(&expected), "{message}");
        }
    }
}

#[test]
fn file_of_another_edition_is_read_not_resumed() {
    let (_folder, path) = fixture();
    let stored_plan = sample::stored_plan(2, 1);
    let all = written(&path, &stored_plan);
    let file = Connection::open(&path).unwrap();
    for (name, value) in [("rules_edition", "1"), ("record_version", "7")] {
        file.execute("UPDATE tournament SET value = ? WHERE name = ?", [value, name]).unwrap();
    }
    drop(file);
    let read = records(&path);
    assert!(read.iter().all(|(_, record)| (record.v, record.rules_edition) == (7, 1)), "as the file says");
    let printed = Results::open(&path).unwrap().check_edition().unwrap_err().to_string();
    let expected = format!(
        "results.db holds matches by edition 1 of the rules, played by leyden {}; this leyden plays edition {}, by which",
        env!("CARGO_PKG_VERSION"),
        leyden_model::RULES_EDITION
    );
    assert!(printed.contains(&expected), "{printed}");
    assert_eq!(read.len(), all.len());
    let error = Writer::resume(&path, &stored_plan).unwrap_err().to_string();
    let expected = format!(
        "\n  edition of the rules: in the file 1, now {}\n  version of the records: in the file 7, now {}",
        leyden_model::RULES_EDITION,
        leyden_model::RECORD_VERSION
    );
    assert!(error.ends_with(&expected), "{error}");
    let begun =
        "results.db was begun by a leyden with other rules or records, and can only be resumed by that one:";
    assert!(error.contains(begun), "{error}");
}

#[test]
fn file_predating_a_fault_is_read_and_resumed() {
    let (_folder, path) = fixture();
    let stored_plan = sample::stored_plan(3, 2);
    let all: Vec<_> = sample::faulted(&stored_plan).collect();
    let (last, first) = all.split_last().unwrap();
    let writer = Writer::create(&path, &stored_plan).unwrap();
    for (key, record) in first {
        writer.add(key, record.clone()).unwrap();
    }
    writer.finish().unwrap();
    let file = Connection::open(&path).unwrap();
    file.execute_batch("DROP VIEW standings; ALTER TABLE bot_sums DROP COLUMN fault_ran").unwrap();
    drop(file);
    let results = Results::open(&path).unwrap();
    assert!(results.bot_sums().unwrap() == sums_of(&path));
    assert_eq!(results.audit().unwrap(), None);
    drop(results);
    let (writer, _) = Writer::resume(&path, &stored_plan).unwrap();
    let (key, mut record) = last.clone();
    record.fault.as_mut().unwrap().code = FaultCode::Ran;
    writer.add(&key, record).unwrap();
    writer.finish().unwrap();
    let results = Results::open(&path).unwrap();
    assert!(results.bot_sums().unwrap() == sums_of(&path));
    assert_eq!(results.audit().unwrap(), None);
}

#[test]
fn damaged_file_is_reported() {
    let (_folder, path) = fixture();
    written(&path, &sample::stored_plan(3, 8));
    let file = Connection::open(&path).unwrap();
    file.execute("UPDATE records SET body = substr(body, 1, 40) WHERE record = 5", []).unwrap();
    let results = Results::open(&path).unwrap();
    let read: Vec<_> = results.records().collect();
    assert_eq!(read.len(), 5, "reading ends after an error");
    let error = read.into_iter().find_map(Result::err).unwrap().to_string();
    assert!(error.contains("results.db is damaged: match "), "{error}");
    file.execute("DELETE FROM settings WHERE name = 'target'", []).unwrap();
    let error = Results::open(&path).unwrap_err().to_string();
    assert!(error.contains("is damaged: its settings: missing field `target`"), "{error}");
}

#[test]
fn existing_file_is_never_overwritten() {
    let (folder, path) = fixture();
    fs::write(&path, "mine").unwrap();
    let error = Writer::create(&path, &sample::stored_plan(2, 1)).unwrap_err();
    assert!(matches!(error, StoreError::Exists { .. }), "{error}");
    assert_eq!(fs::read(&path).unwrap(), b"mine");
    assert_eq!(files(&folder), ["results.db"]);
}

#[test]
fn failed_creation_leaves_no_file_behind() {
    let (folder, path) = fixture();
    let mut stored_plan = sample::stored_plan(3, 1);
    stored_plan.bots.truncate(1);
    assert!(matches!(Writer::create(&path, &stored_plan), Err(StoreError::Schedule(_))));
    stored_plan = sample::stored_plan(2, 1);
    stored_plan.bots[1].name = "bot-0".to_owned();
    assert!(matches!(Writer::create(&path, &stored_plan), Err(StoreError::SameName { .. })));
    assert_eq!(files(&folder), [""; 0]);
}

#[test]
fn second_writer_is_refused_while_the_first_writes() {
    let (_folder, path) = fixture();
    let stored_plan = sample::stored_plan(2, 1);
    let writer = Writer::create(&path, &stored_plan).unwrap();
    for error in
        [Writer::resume(&path, &stored_plan).unwrap_err(), Writer::create(&path, &stored_plan).unwrap_err()]
    {
        assert!(matches!(error, StoreError::InUse { .. }), "{error}");
        assert!(error.to_string().contains(&format!("(process {})", std::process::id())), "{error}");
    }
    writer.finish().unwrap();
    Writer::resume(&path, &stored_plan).unwrap();
}

#[test]
fn another_tournament_is_refused_with_every_difference() {
    let (_folder, path) = fixture();
    let stored_plan = sample::stored_plan(3, 2);
    written(&path, &stored_plan);
    let before = fs::read(&path).unwrap();
    let mut other = stored_plan.clone();
    other.settings.strikes = 3;
    other.bots[1].hash = "changed".to_owned();
    let error = Writer::resume(&path, &other).unwrap_err().to_string();
    assert!(
        error.contains(
            "\n  strikes: in the file 0, now 3\n  content of bot-1: its files are not those that played (SHA-256 hash-1… in the file, now changed…)"
        ),
        "{error}"
    );
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn more_blocks_and_bots_are_taken_in() {
    let (_folder, path) = fixture();
    let old = written(&path, &sample::stored_plan(3, 2));
    let stored_plan = sample::stored_plan(4, 3);
    let (writer, done) = Writer::resume(&path, &stored_plan).unwrap();
    let all: Vec<_> = sample::matches(&stored_plan).collect();
    assert_eq!((done.count(), done.matches()), (12, 36));
    for (key, _) in &old {
        assert!(done.contains(stored_plan.schedule().unwrap().rank(key).unwrap()));
    }
    for rank in done.missing() {
        let (key, record) = &all[rank as usize];
        writer.add(key, record.clone()).unwrap();
    }
    writer.finish().unwrap();
    assert!(records(&path) == all);
    let results = Results::open(&path).unwrap();
    let changes = results.stored_plan().changes.clone();
    assert_eq!(changes.len(), 2, "a bot and a block: {changes:?}");
    assert_eq!(results.stored_plan(), &StoredPlan { changes, ..stored_plan });
    assert!(results.bot_sums().unwrap() == sums_of(&path));
}

#[test]
fn readers_read_beside_the_writer() {
    let (_folder, path) = fixture();
    let stored_plan = sample::stored_plan(3, 20);
    let writer = Writer::create(&path, &stored_plan).unwrap();
    let results = Results::open(&path).unwrap();
    assert_eq!(results.records().count(), 0);
    let all: Vec<_> = sample::matches(&stored_plan).collect();
    for (key, record) in &all {
        writer.add(key, record.clone()).unwrap();
    }
    while results.count().unwrap() < all.len() as u64 {
        let read: Vec<_> = results.records().collect::<Result<_, _>>().unwrap();
        assert!(read.iter().all(|one| all.contains(one)));
    }
    // The reader keeps the log from being removed: the writer still ends, and the reader continues.
    writer.finish().unwrap();
    assert_eq!(results.records().collect::<Result<Vec<_>, _>>().unwrap(), all);
}

#[test]
fn bots_added_since_opening_are_left_out() {
    let (_folder, path) = fixture();
    let old = written(&path, &sample::stored_plan(3, 2));
    let stored_plan = sample::stored_plan(4, 3);
    let stream = Results::open(&path).unwrap();
    let (writer, _) = Writer::resume(&path, &stored_plan).unwrap();
    let results = Results::open(&path).unwrap();
    let moment = results.moment().unwrap();
    assert!(moment.is_some() && results.count().unwrap() == old.len() as u64);
    let new: Vec<_> = sample::matches(&stored_plan).filter(|one| !old.contains(one)).collect();
    for (key, record) in &new {
        writer.add(key, record.clone()).unwrap();
    }
    let all = old.len() + new.len();
    while Results::open(&path).unwrap().count().unwrap() < all as u64 {}

    let keys =
        |results: &Results| -> Vec<MatchKey> { results.records().map(|stored| stored.unwrap().0).collect() };
    let known: Vec<_> = old.iter().map(|(key, _)| *key).collect();
    assert_eq!((keys(&results), results.count().unwrap()), (known.clone(), old.len() as u64));
    assert_eq!(Results::inspect(&path, |results| results.audit().unwrap()).unwrap(), None);
    drop(moment);
    assert_eq!((keys(&results).len(), results.count().unwrap()), (all, all as u64));
    assert_eq!((keys(&stream), stream.count().unwrap()), (known.clone(), all as u64));
    assert_eq!((stream.stored_plan().bots.len(), stream.bot_sums().unwrap().len()), (3, 3));
    let pairs: Vec<_> = Pairs::from_results(&stream).map(|pair| pair.unwrap().legs().len()).collect();
    assert_eq!(pairs, vec![2; old.len() / 2]);
    let since: Vec<_> = stream.stored_since(0).unwrap().into_iter().map(|(_, key)| key).collect();
    assert_eq!(since.len(), old.len());
    assert!(matches!(stream.find(&new[0].1.id), Err(FindError::None(_))));
    drop((results, stream));
    writer.finish().unwrap();
}

#[test]
fn reading_ends_if_bots_are_withdrawn() {
    let (_folder, path) = fixture();
    let all = written(&path, &sample::stored_plan(3, 40));
    let results = Results::open(&path).unwrap();
    let mut records = results.records();
    assert_eq!(records.next().unwrap().unwrap(), all[0]);
    Resumable::open(&path).unwrap().withdraw(&["bot-0".to_owned()]).unwrap();
    let read: Result<Vec<_>, _> = records.collect();
    assert!(matches!(read, Err(StoreError::Removed { .. })));
    assert!(matches!(Pairs::from_results(&results).next(), Some(Err(StoreError::Removed { .. }))));
    let left = Results::open(&path).unwrap();
    assert!(left.records().all(|stored| stored.is_ok()));
}

#[test]
fn rounds_begun_since_are_left_out() {
    let (_folder, path) = fixture();
    let tie_breaks = TieBreak::ALL.to_vec();
    let swiss = Stage { play: Play::Swiss { rounds: 3 }, blocks: 1, advance: None, tie_breaks };
    let (seeds, stages) = ((0..4).map(BotIndex).collect(), vec![swiss]);
    let competition = Competition { seeding: Seeding::List, seeds, presence: Vec::new(), stages };
    let stored_plan = StoredPlan { format: Format::Stages(competition), ..sample::stored_plan(4, 1) };
    let mut schedule = stored_plan.schedule().unwrap();
    let writer = Writer::create(&path, &stored_plan).unwrap();
    let mut all = 0;
    let mut play_round = || {
        let round = schedule.rounds().last().unwrap().clone();
        for key in (0..round.matches()).map(|rank| round.nth(rank).unwrap()) {
            let record = sample::play(sample::record_template(&stored_plan).for_match(&key), None);
            let better = record.rules.rules().unwrap().better;
            schedule.count(&key, &crate::record::final_scores(&record, better));
            writer.add(&key, record).unwrap();
            all += 1;
        }
        schedule.next_round().unwrap();
        while Results::open(&path).unwrap().count().unwrap() < all {}
    };
    play_round();
    let results = Results::open(&path).unwrap();
    assert_eq!(results.schedule().unwrap().rounds().len(), 2);
    play_round();
    play_round();
    let mut lines = Vec::new();
    export::write_results(&mut lines, &Results::open(&path).unwrap(), |_| true).unwrap();
    let exported: Vec<_> = export::read(&lines[..]).map(|line| line.unwrap().stage).collect();
    assert!(exported.len() as u64 == all && exported.iter().all(Option::is_some));
    let read: Vec<u32> = results.records().map(|stored| stored.unwrap().0.block).collect();
    assert_eq!(read.len() as u64, all / 3 * 2);
    assert_eq!(results.schedule().unwrap().rounds().len(), 3);
    assert_eq!(results.records().count() as u64, all);
    drop(results);
    writer.finish().unwrap();
}

#[test]
fn log_is_found_under_a_linked_path() {
    let (folder, path) = fixture();
    let writer = Writer::create(&path, &sample::stored_plan(2, 1)).unwrap();
    let link = tempfile::tempdir().unwrap();
    let link = link.path().join("cup.db");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    assert_eq!(log_of(&link).file_name(), Some("results.db-wal".as_ref()));
    assert!(log_of(&link).exists() && Results::open(&link).unwrap().moment().unwrap().is_some());
    writer.finish().unwrap();
    assert_eq!(files(&folder), ["results.db"]);
}

#[test]
fn log_of_another_file_is_not_adopted() {
    let (folder, path) = fixture();
    let stored_plan = sample::stored_plan(2, 1);
    fs::write(log_of(&path), "what was written to another file").unwrap();
    for refused in [Writer::create(&path, &stored_plan).map(drop), try_to_create(&path)] {
        let error = refused.unwrap_err();
        assert!(matches!(&error, StoreError::OtherLog { log } if *log == log_of(&path)), "{error}");
    }
    remove(&path).unwrap();
    assert!(files(&folder).is_empty());
    Writer::create(&path, &stored_plan).unwrap();
}

#[test]
fn tournament_is_read_whole_while_it_is_extended() {
    let (_folder, path) = fixture();
    written(&path, &sample::stored_plan(2, 1));
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let reader = scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                let bots = Results::open(&path).unwrap().stored_plan().bots.len();
                assert!((2..=20).contains(&bots));
            }
        });
        for bots in 3..=20 {
            Writer::resume(&path, &sample::stored_plan(bots, 1)).unwrap().0.finish().unwrap();
        }
        is_over.store(true, Ordering::Relaxed);
        reader.join().unwrap();
    });
}

#[test]
fn file_is_inspected_under_any_path() {
    let (folder, _) = fixture();
    let path = folder.path().join("50 % ?#.db");
    let all = written(&path, &sample::stored_plan(2, 1));
    for path in [&path, &Path::new("//").join(path.strip_prefix("/").unwrap())] {
        let count = Results::inspect(path, |results| results.count().unwrap());
        assert_eq!(count.unwrap(), all.len() as u64);
    }
}

#[test]
fn file_is_read_where_writing_is_forbidden() {
    let (folder, path) = fixture();
    let all = written(&path, &sample::stored_plan(2, 2));
    // As if a reader had kept the writer from turning the log off.
    Connection::open(&path)
        .unwrap()
        .pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))
        .unwrap();
    fs::set_permissions(&folder, Permissions::from_mode(0o555)).unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o444)).unwrap();
    let read = Results::open(&path).map(|results| results.records().collect::<Result<Vec<_>, _>>().unwrap());
    let writable = fs::write(folder.path().join("probe"), "").is_ok(); // root may: tests/command_line.rs asks again as somebody else
    let resumed = Writer::resume(&path, &sample::stored_plan(2, 2));
    let created = Writer::create(&folder.path().join("new.db"), &sample::stored_plan(2, 2));
    fs::set_permissions(&folder, Permissions::from_mode(0o755)).unwrap();
    assert_eq!(read.unwrap(), all);
    if !writable {
        for error in [resumed.unwrap_err(), created.unwrap_err()] {
            assert!(matches!(error, StoreError::Io { .. }), "{error}");
            assert!(error.to_string().contains("Permission denied"), "{error}");
        }
    }
}

#[test]
fn seed_is_for_the_owners_eyes() {
    let (_folder, path) = fixture();
    written(&path, &sample::stored_plan(2, 1));
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn match_is_found_by_a_unique_id_prefix() {
    let (_folder, path) = fixture();
    let all = written(&path, &sample::stored_plan(4, 10));
    let results = Results::open(&path).unwrap();
    for (key, record) in &all {
        assert_eq!(results.find(&record.id).unwrap(), (*key, record.clone()));
        assert_eq!(results.record(key).unwrap().as_ref(), Some(record));
    }
    let error = results.find("").unwrap_err();
    assert!(matches!(error, FindError::Several { .. }), "{error}");
    for none in ["x", "no such id", "%"] {
        assert!(matches!(results.find(none), Err(FindError::None(_))));
    }
    let unique = (1..16).find_map(|n| results.find(&all[7].1.id[..n]).ok()).unwrap();
    assert_eq!(unique.0, all[7].0);
}

#[test]
fn copy_is_whole_while_the_file_is_written() {
    let (folder, path) = fixture();
    let stored_plan = sample::stored_plan(2, 3);
    let writer = Writer::create(&path, &stored_plan).unwrap();
    let (key, record) = sample::matches(&stored_plan).next().unwrap();
    writer.add(&key, record.clone()).unwrap();
    let results = Results::open(&path).unwrap();
    while results.count().unwrap() == 0 {}
    let copy = folder.path().join("copy.db");
    let into = copy.to_str().unwrap();
    Connection::open(&path).unwrap().execute("VACUUM INTO ?", [into]).unwrap();
    drop(results); // the writer waits for readers
    drop(writer);
    assert_eq!(records(&copy), [(key, record)]);
    Writer::resume(&copy, &stored_plan).unwrap();
}
