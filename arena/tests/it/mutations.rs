//! Random changes to untrusted input: it is read or refused with a message, and nothing panics. Similar tests are next to
//! what they test: a configuration in the program, a packed record in `record/store/pack.rs`, and a bot's line, with the
//! whole grammar, in the tests of `leyden-protocol`.

use std::fs;
use std::io::Cursor;
use std::path::Path;

use crate::mutation::{changed, changes, corpus};
use leyden_arena::record::export;
use leyden_arena::record::store::Results;
use leyden_arena::record::verify::Verifier;
use leyden_arena::report::{BotOrder, TournamentTally};
use leyden_arena::roster;
use leyden_protocol::{BotLine, read_answer};
use proptest::prelude::*;
use proptest::sample::Index;

fn read_manifest(bytes: &[u8]) -> bool {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("bot.toml"), bytes).expect("a file");
    let found = roster::find(&[folder.path().display().to_string()], Path::new("/leyden"));
    found.is_ok_and(|found| !found.bots.is_empty())
}

/// The number of records that are read from an export, and of those that are right.
fn read_export(bytes: &[u8]) -> (usize, usize) {
    let mut verifier = Verifier::new();
    let records: Vec<_> = export::read(Cursor::new(bytes)).map_while(Result::ok).collect();
    let right = records.iter().filter(|record| verifier.check(record).is_ok()).count();
    (records.len(), right)
}

/// The number of records of a results file, if all that is ever read from one can be read.
fn read_results(bytes: &[u8]) -> Option<u64> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("results.db");
    fs::write(&path, bytes).expect("a file");
    let results = Results::open(&path).ok()?;
    let records = results.records().collect::<Result<Vec<_>, _>>().ok()?;
    let _ = results.voided().ok()?;
    let _ = TournamentTally::from_results(&results, BotOrder::ByName).ok()?;
    let _ = results.audit().ok()?;
    Some(records.len() as u64)
}

#[test]
fn valid_files_are_read() {
    for results in corpus("results") {
        assert!(read_results(&results).is_some_and(|records| records > 0));
    }
    for line in corpus("line") {
        let read = read_answer(line.trim_ascii_end());
        assert!(matches!(read, Ok(BotLine::Ready { .. } | BotLine::Action { .. })), "{read:?}");
    }

    assert_eq!(corpus("manifest").iter().filter(|bytes| read_manifest(bytes)).count(), 1);
    for export in corpus("export") {
        let (read, right) = read_export(&export);
        assert!(read > 0 && read == right, "{right} of {read}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn manifest_is_read_or_refused(seed in any::<Index>(), changes in changes()) {
        let corpus = corpus("manifest");
        read_manifest(&changed(&corpus[seed.index(corpus.len())], &changes));
    }

    #[test]
    fn line_is_read_or_refused(seed in any::<Index>(), changes in changes()) {
        let corpus = corpus("line");
        let line = changed(&corpus[seed.index(corpus.len())], &changes);
        if let Err(malformed) = read_answer(&line) {
            prop_assert!(malformed.column() <= line.len() + 1);
            prop_assert!(!malformed.to_string().contains(char::is_control), "{}", malformed);
        }
    }

    #[test]
    fn export_is_read_and_verified_or_refused(seed in any::<Index>(), changes in changes()) {
        let corpus = corpus("export");
        read_export(&changed(&corpus[seed.index(corpus.len())], &changes));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn results_file_is_read_or_refused(seed in any::<Index>(), changes in changes()) {
        let corpus = corpus("results");
        read_results(&changed(&corpus[seed.index(corpus.len())], &changes));
    }
}
