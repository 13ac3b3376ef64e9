//! Creates the file of this version that later versions must be able to read; `arena/tests/it/older_files.rs` reads it.

use leyden_protocol::{RulesName, Seat, Set};

use super::*;
use crate::record::export;

/// Not a test by itself: run once per version of the tables, as the README in `arena/tests/older` says.
#[test]
#[ignore = "makes a file that is committed"]
fn makes_a_file_of_this_version() {
    let Some(folder) = std::env::var_os("LEYDEN_OLDER").map(PathBuf::from) else { return };
    let name = format!("results-{}", schema::SCHEMA);
    let path = folder.join(&name).with_extension("db");
    let mut stored_plan = sample::stored_plan_of(RulesName::Leiden, 2, Set::DoubleSix, 3, 2);
    (stored_plan.settings.target, stored_plan.settings.strikes) = (20, 99);
    let writer = Writer::create(&path, &stored_plan).unwrap();
    let faulted = sample::faulted(&stored_plan).take(6);
    for (rank, (key, mut record)) in faulted.chain(sample::matches(&stored_plan).skip(6)).enumerate() {
        match rank {
            // Leg 1 of this pair was under way when the host was found to be overloaded.
            9 => writer.void(&key, "the host was overloaded", Some(record)).unwrap(),
            // A record that differs from what the rest of the file implies is kept whole.
            10 => {
                record.think_us[Seat::FIRST].clear();
                record.bots[Seat::FIRST].push_str(" of old");
                writer.add(&key, record).unwrap();
            }
            _ => writer.add(&key, record).unwrap(),
        }
    }
    writer.finish().unwrap();
    let file = rusqlite::Connection::open(&path).unwrap();
    file.execute("UPDATE tournament SET value = '\"6.0\"' WHERE name = 'kernel'", []).unwrap();
    file.execute_batch("PRAGMA page_size = 512; VACUUM").unwrap();
    drop(file);
    let mut text = Vec::new();
    export::write(&mut text, records(&path).into_iter().map(|(_, record)| Ok(record))).unwrap();
    std::fs::write(path.with_extension("jsonl"), text).unwrap();
}
