//! Instructions for a decision, counted by callgrind: the same on a busy machine, and so held against a number.
//!
//! ```text
//! cargo bench -p leyden-referee --bench instructions                         counts, and compares with the number below
//! CARGO_INCREMENTAL=0 cargo test -p leyden-referee --bench instructions     the same, built as `tests/run` builds tests
//! ```
//!
//! The matches are those of `inside`, without a process or a system call. A match's start and end and its deals are counted, too,
//! and shared among its decisions; so is the bots' part, about a tenth, and SHA-256 for the
//! deals, a fifth, because valgrind does not know the processor's own.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

#[path = "../../cli/benches/measure/callgrind.rs"]
mod callgrind;
#[path = "../tests/match_in_memory/mod.rs"]
mod match_in_memory;

use std::error::Error;
use std::path::{Path, PathBuf};

use callgrind::{Counted, count};
use match_in_memory::{MatchInMemory, decisions};

type BenchResult<T> = Result<T, Box<dyn Error + Send + Sync>>;

const DECISION: Counted = Counted {
    name: "decision",
    sizes: [10, 60],
    expected: [14_330.0, 8_565.0],
    tolerance: 0.03,
    work: decide,
};

fn main() -> BenchResult<()> {
    count(&[DECISION], |_, _, _| Ok(PathBuf::new()))
}

/// Plays matches, and returns the number of decisions.
fn decide(matches: u32, _: &Path) -> BenchResult<u64> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    Ok(runtime.block_on(async {
        let mut table = MatchInMemory::new().await;
        let mut all = 0;
        for block in 0..matches {
            all += decisions(&*table.play(block).await);
        }
        all
    }))
}
