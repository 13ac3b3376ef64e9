//! Files that have been tampered with: false values are found, and malicious files are rejected with a clear message, in
//! little time and memory.

use std::fs;

use miniz_oxide::deflate::compress_to_vec_zlib;
use proptest::prelude::*;
use rusqlite::Connection;

use super::*;

/// A tournament of three bots, changed by these statements.
fn changed(path: &Path, statements: &str) {
    written(path, &sample::stored_plan(3, 2));
    Connection::open(path).unwrap().execute_batch(statements).unwrap();
}

/// Reads everything that is ever read from a file; returns the first error.
fn read_all(path: &Path) -> Result<(), StoreError> {
    let results = Results::open(path)?;
    results.count()?;
    results.done()?;
    results.bot_sums()?;
    results.voided()?;
    results.stored_since(0)?;
    results.each_fault(|_, _, _| {})?;
    Pairs::from_results(&results).try_for_each(|pair| pair.map(drop))?;
    results.records().try_for_each(|record| record.map(drop))?;
    results.audit().map(drop)
}

#[test]
fn audit_finds_what_contradicts_the_records() {
    let first = "WHERE record = (SELECT min(record) FROM matches)";
    let control = (String::new(), "");
    let lies = [
        (
            "UPDATE bot_sums SET won = won + 1, lost = lost - 1 WHERE bot = 0 AND lost > 0".to_owned(),
            "bot-0: the column won",
        ),
        (
            "UPDATE bot_sums SET points_for = points_for + 5 WHERE bot = 1".to_owned(),
            "bot-1: the column points_for",
        ),
        ("UPDATE bot_sums SET margin = margin - 1 WHERE bot = 2".to_owned(), "bot-2: the column margin"),
        ("UPDATE bot_sums SET fault_timeout = 1 WHERE bot = 2".to_owned(), "bot-2: the column fault_timeout"),
        ("UPDATE bot_sums SET thinking = x'0001' WHERE bot = 2".to_owned(), "bot-2: the column thinking"),
        ("DELETE FROM bot_sums WHERE bot = 1".to_owned(), "bot-1: the column matches"),
        (format!("UPDATE matches SET winner = iif(winner = 1, 0, 1) {first}"), "the column winner"),
        (format!("UPDATE matches SET score0 = score0 + 1 {first}"), "the column score0"),
        (format!("UPDATE matches SET ending = 'round_limit' {first}"), "the column ending"),
        (format!("UPDATE matches SET fault = 'timeout', fault_seat = 0 {first}"), "the column fault"),
        (format!("UPDATE matches SET rounds = rounds + 1 {first}"), "the column rounds"),
        (format!("UPDATE matches SET id = 'ffff' {first}"), "the column id"),
        (format!("DELETE FROM records {first}"), "its record"),
        (format!("DELETE FROM matches {first}"), "the column matches"),
    ];
    for (lie, found) in [control].into_iter().chain(lies) {
        let (_folder, path) = fixture();
        changed(&path, &lie);
        let mismatch = Results::open(&path).unwrap().audit().unwrap();
        match mismatch {
            None => assert_eq!(found, "", "{lie}"),
            Some(mismatch) => {
                assert!(!found.is_empty() && mismatch.to_string().contains(found), "{lie}: {mismatch}");
            }
        }
    }
}

#[test]
fn impossible_values_are_rejected() {
    let cases = [
        ("UPDATE bot_sums SET bot = 4000000000 WHERE bot = 0", "impossible sums"),
        ("UPDATE bot_sums SET won = -1 WHERE bot = 0", "impossible sums"),
        ("UPDATE bot_sums SET matches = 9223372036854775807, won = 9223372036854775807 WHERE bot = 0", ""),
        ("UPDATE matches SET player1 = 77 WHERE record = 1", "impossible"),
        ("UPDATE matches SET block = 4000000000 WHERE record = 1", "impossible"),
        ("UPDATE matches SET score0 = -1 WHERE record = 1", ""),
        ("UPDATE matches SET leg = 7 WHERE record = 1", "impossible"),
        ("UPDATE bots SET bot = bot + 1000000", "numbered"),
        ("UPDATE bots SET name = printf('%.*c', 70000, 'x') WHERE bot = 0", ""),
        ("UPDATE tournament SET value = '\"' || printf('%.*c', 2000000, 'x') || '\"' WHERE name = 'seed'", "no seed"),
        ("UPDATE records SET body = zeroblob(100000000) WHERE record = 1", ""),
        ("UPDATE records SET body = x'07' WHERE record = 1", "form 7"),
        (
            "INSERT INTO bots WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
                SELECT i, 'b' || i, '[]', 'h', NULL, NULL, NULL FROM n",
            "too many: a tournament may have at most",
        ),
        (
            "DROP TABLE bot_sums; CREATE VIEW bot_sums AS WITH RECURSIVE n(bot) AS (SELECT 0 UNION ALL SELECT bot FROM n)
                SELECT * FROM n",
            "not a plain table",
        ),
        (
            "DROP TABLE records; CREATE TABLE records (record INTEGER PRIMARY KEY, body BLOB AS (zeroblob(1000000000)));
                INSERT INTO records (record) VALUES (1)",
            "not a plain table",
        ),
        ("DROP TABLE settings", "no table settings"),
    ];
    for (statements, says) in cases {
        let (_folder, path) = fixture();
        changed(&path, statements);
        let error = read_all(&path).expect_err(statements).to_string();
        assert!(error.contains(says), "{statements}: {error}");
    }
}

#[test]
fn stored_trigger_does_not_run_on_writing() {
    let (_folder, path) = fixture();
    let stored_plan = sample::stored_plan(3, 2);
    let all: Vec<_> = sample::matches(&stored_plan).collect();
    let writer = Writer::create(&path, &stored_plan).unwrap();
    writer.add(&all[0].0, all[0].1.clone()).unwrap();
    writer.finish().unwrap();
    let trap = "CREATE TRIGGER trap AFTER INSERT ON matches BEGIN UPDATE matches SET score0 = 0; END";
    Connection::open(&path).unwrap().execute_batch(trap).unwrap();
    let (writer, _) = Writer::resume(&path, &stored_plan).unwrap();
    writer.add(&all[1].0, all[1].1.clone()).unwrap();
    writer.finish().unwrap();
    assert_eq!(Results::open(&path).unwrap().audit().unwrap(), None);
}

#[test]
fn record_that_unpacks_without_end_is_refused() {
    let bomb = [&[0][..], &compress_to_vec_zlib(&vec![b' '; 100 << 20], 6)].concat();
    assert!(bomb.len() < 1 << 20);
    let (_folder, path) = fixture();
    changed(&path, "");
    let file = Connection::open(&path).unwrap();
    file.execute("UPDATE records SET body = ? WHERE record = 1", [bomb]).unwrap();
    let error = read_all(&path).unwrap_err().to_string();
    assert!(error.contains("decompress"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// Bytes of a results file changed at random offsets: the file is read or rejected, and nothing else happens.
    #[test]
    fn damaged_file_is_read_or_refused(
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..40)
    ) {
        let (_folder, path) = fixture();
        written(&path, &sample::stored_plan(2, 1));
        let mut bytes = fs::read(&path).unwrap();
        for (index, value) in damage {
            let index = index.index(bytes.len());
            bytes[index] = value;
        }
        fs::write(&path, bytes).unwrap();
        let _ = read_all(&path);
    }
}
