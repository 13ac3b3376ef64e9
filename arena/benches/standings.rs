//! How long `leyden standings` takes over a million matches: many bots with few blocks, and few bots with many.
//!
//! `cargo bench -p leyden-arena --bench standings` measures; with `-- FOLDER` the results files stay there, with
//! `-- --test` it only runs once on little.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod measure;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use leyden_arena::record::store::{Known, Setup, Writer};
use leyden_model::{MatchKey, MatchRecord};
use leyden_protocol::{PerSeat, Seat, Seats};
use measure::Outcome;

fn main() -> Outcome<()> {
    let sizes: &[(usize, u32)] =
        if measure::is_smoke() { &[(20, 2)] } else { &[(1_000, 1), (100, 101), (32, 1_008)] };
    let temporary = tempfile::tempdir()?;
    let named = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let folder = named.map_or_else(|| temporary.path().to_owned(), PathBuf::from);
    for (bots, blocks) in sizes {
        let path = folder.join(format!("{bots}.db"));
        let matches = fill(&path, *bots, *blocks)?;
        println!("{bots} bots, {blocks} blocks, {matches} matches, {} MB", fs::metadata(&path)?.len() >> 20);
        for form in ["--csv", "--json"] {
            let begin = Instant::now();
            let mut leyden = Command::new(env!("CARGO_BIN_EXE_leyden"));
            let status = leyden.arg("standings").arg(&path).arg(form).stdout(Stdio::null()).status()?;
            println!("  standings {form}: {:.2?}", begin.elapsed());
            if !status.success() {
                return Err("leyden standings failed".into());
            }
        }
    }
    Ok(())
}

/// A results file of matches without rounds; the bots are the stronger the later they come.
fn fill(path: &Path, bots: usize, blocks: u32) -> Outcome<u64> {
    let setup = Setup {
        left_out: Vec::new(),
        settings: measure::settings(),
        seed: "many".to_owned(),
        bots: measure::nobodies(bots),
        blocks,
        format: leyden_arena::format::Format::RoundRobin,
        gate: None,
    };
    let (schedule, known) = (setup.schedule()?, Known::new(&setup));
    let writer = Writer::create(path, &setup)?;
    let mut luck = 1_u64;
    for key in schedule.iter(0..schedule.matches()) {
        luck = luck.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        writer.add(&key, record(known.of(&key), &key, bots as u32, (luck >> 40) as u32))?;
    }
    writer.finish()?;
    Ok(schedule.matches())
}

fn record(blank: MatchRecord, key: &MatchKey, bots: u32, dice: u32) -> MatchRecord {
    let seating = key.seating();
    let [one, two] = [0, 1].map(|seat| seating.as_slice()[seat].0);
    let first_wins = dice % (4 * bots) < 2 * bots + one - two.min(one);
    let scores = if first_wins { vec![40 + dice % 50, 100 + dice % 7] } else { vec![103, dice % 100] };
    MatchRecord {
        scores: PerSeat::from_list(scores).unwrap_or_else(|| PerSeat::default_for(Seats::TWO)),
        winner: if first_wins { Some(Seat::FIRST) } else { Seat::new(1) },
        ..blank
    }
}
