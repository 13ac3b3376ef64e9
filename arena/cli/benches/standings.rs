//! The time that `leyden standings` takes for a million matches: many bots with few blocks, and few bots with many.
//!
//! `cargo bench -p leyden --bench standings` measures; with `-- FOLDER` the results files stay there, with `-- --test`
//! it runs once with little work.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod measure;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

use measure::BenchResult;

fn main() -> BenchResult<()> {
    let sizes: &[(usize, u32)] =
        if measure::is_smoke() { &[(20, 2)] } else { &[(1_000, 1), (100, 101), (32, 1_008)] };
    let temporary = tempfile::tempdir()?;
    let named = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let folder = named.map_or_else(|| temporary.path().to_owned(), PathBuf::from);
    for (bots, blocks) in sizes {
        let path = folder.join(format!("{bots}.db"));
        let matches = measure::fill(&path, *bots, *blocks)?;
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
