//! `leyden dataset`: the decisions of a results file and of its export are the same data set.

use std::fs;

use crate::program::{PATIENT, leyden, said};
use serde_json::Value;

#[test]
fn results_file_and_export_yield_the_same_arrays() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let play = ["match", "builtin:greedy", "builtin:careful", "--blocks", "3", "--results", "r.db"];
    said(at, &[&play[..], &PATIENT].concat(), 0);
    let told_of = said(at, &["dataset", "r.db", "--out", "one"], 0);
    assert!(told_of.contains(" decisions of 6 matches to one, in 1 file\n"), "{told_of}");
    fs::write(at.join("r.jsonl"), leyden(at, &["export", "r.db"]).stdout).unwrap();
    said(at, &["dataset", "r.jsonl", "--out", "other"], 0);
    let read = |name: &str| fs::read(at.join(name)).unwrap();
    assert!(read("one/decisions-00000.npz") == read("other/decisions-00000.npz"));
    let about: Value = serde_json::from_slice(&read("one/about.json")).unwrap();
    assert_eq!((about["matches"].as_u64(), about["size"].as_u64()), (Some(6), Some(136)));

    said(at, &["dataset", "r.db", "--out", "table", "--form", "parquet"], 0);
    assert!(read("table/decisions-00000.parquet").starts_with(b"PAR1"));
}

#[test]
fn refused_dataset_leaves_no_files_behind() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("bad.jsonl"), "{}\n").unwrap();
    let refused = said(at, &["dataset", "bad.jsonl", "--out", "set"], 2);
    assert!(refused.contains("bad.jsonl: line 1: "), "{refused}");
    fs::create_dir(at.join("there")).unwrap();
    let refused = said(at, &["dataset", "bad.jsonl", "--out", "there"], 2);
    assert!(refused.contains("there exists already: name a new folder"), "{refused}");
    assert_eq!(fs::read_dir(at).unwrap().count(), 2);
}
