//! Old results stay readable: a results file of each version, see `arena/tests/older`.

use std::fs;
use std::path::{Path, PathBuf};

use leyden_arena::record::export;
use leyden_arena::record::store::{Results, StoreError, Writer};
use leyden_arena::record::verify::Verifier;
use leyden_arena::report::{BotOrder, Standings, TournamentTally};

/// A copy, so that nothing is left next to the file.
fn older(name: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/older").join(name), &path).unwrap();
    (folder, path)
}

#[test]
fn results_of_version_2_are_read() {
    let (_folder, path) = older("results-2.db");
    let results = Results::open(&path).unwrap();
    let mut text = Vec::new();
    let records = results.records().map(|stored| stored.map(|(_, record)| record));
    export::write(&mut text, records).unwrap();
    let expected = include_str!("../older/results-2.jsonl");
    assert!(text == expected.as_bytes(), "the export is not what it was");

    let standings =
        Standings::from_tally(&TournamentTally::from_results(&results, BotOrder::ByName).unwrap(), true)
            .unwrap();
    assert_eq!((standings.matches.played, standings.matches.planned), (10, Some(12)));
    // The second block counts without its void pair.
    assert_eq!((standings.blocks.complete, standings.pairs.complete, standings.pairs.voided), (2, 5, 1));
    let strikes: u64 = standings.bots.iter().map(|bot| bot.results.strikes).sum();
    let faults: u64 = standings.bots.iter().flat_map(|bot| bot.results.faults.values()).sum();
    assert!(strikes > 0 && faults > 0, "{strikes} strikes, {faults} faults");
    let voided = results.voided().unwrap();
    assert_eq!(voided.len(), 2, "{voided:?}");
    assert!(voided.iter().all(|voided| voided.reason == "the host was overloaded"));

    // All except the one record that was edited.
    let mut verifier = Verifier::for_plan(results.stored_plan(), results.schedule().unwrap());
    let wrong: Vec<String> = results
        .records()
        .filter_map(|stored| verifier.check(&stored.unwrap().1).err())
        .map(|error| error.to_string())
        .collect();
    assert!(matches!(&wrong[..], [one] if one.contains("think_us")), "{wrong:?}");
    assert_eq!(verifier.matches(), 9);
}

#[test]
fn tournament_of_version_2_resumes() {
    let (_folder, path) = older("results-2.db");
    let stored_plan = Results::open(&path).unwrap().stored_plan().clone();
    let (writer, done) = Writer::resume(&path, &stored_plan).unwrap();
    assert_eq!((done.count(), done.matches()), (10, 12));
    writer.finish().unwrap();
}

#[test]
fn version_1_results_are_refused_naming_older_leyden() {
    let (_folder, path) = older("results-1.db");
    let error = Results::open(&path).unwrap_err();
    assert!(matches!(error, StoreError::OtherVersion { found: 1, .. }), "{error}");
    let expected = "results-1.db was written by leyden 0.1.0 with schema 1, this leyden reads schema 2: use that version for it";
    assert!(error.to_string().ends_with(expected), "{error}");
}
