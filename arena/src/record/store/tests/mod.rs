//! The results file as a whole.

mod access;
mod crash;
mod hostile_files;
mod older_files;
mod scale;
mod write;

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::*;
use crate::record::sample;
use leyden_model::MatchKey;
use leyden_model::MatchRecord;
use leyden_model::{ChangeKind, TournamentChange};

/// A folder for one test, and the path of a results file in it.
fn fixture() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.db");
    (folder, path)
}

/// A finished tournament of random matches.
fn written(path: &Path, stored_plan: &StoredPlan) -> Vec<(MatchKey, MatchRecord)> {
    let all: Vec<_> = sample::matches(stored_plan).collect();
    let writer = Writer::create(path, stored_plan).unwrap();
    for (key, record) in &all {
        writer.add(key, record.clone()).unwrap();
    }
    writer.finish().unwrap();
    all
}

fn records(path: &Path) -> Vec<(MatchKey, MatchRecord)> {
    Results::open(path).unwrap().records().collect::<Result<_, _>>().unwrap()
}

/// Sums counted from the records of a file, to compare with the stored ones.
fn sums_of(path: &Path) -> Vec<(leyden_model::BotIndex, BotSums)> {
    let results = Results::open(path).unwrap();
    let mut all = std::collections::BTreeMap::new();
    for (key, record) in records(path) {
        for (seat, bot) in key.seating().iter() {
            let sums: &mut BotSums = all.entry(*bot).or_default();
            sums.count(&record, results.better(), seat, Sign::Plus);
        }
    }
    all.into_iter().collect()
}

fn files(folder: &TempDir) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
