//! A decision allocates nothing: what it needs is kept from one to the next.

mod match_in_memory;

use allocation_counter::measure;
use match_in_memory::{MatchInMemory, decisions};

#[test]
fn decision_allocates_nothing() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let mut table = runtime.block_on(MatchInMemory::new());
    runtime.block_on(table.play(0)); // buffers that are kept grow once
    let mut counts: Vec<(u64, u64, u64)> = Vec::new();
    for block in 1..30 {
        let mut record = None;
        let allocated = measure(|| record = Some(runtime.block_on(table.play(block))));
        let record = record.unwrap();
        counts.push((decisions(&record), record.rounds.len() as u64, allocated.count_total));
    }
    // What is allocated belongs to a match or to a round.
    for (decisions, rounds, allocations) in counts {
        assert!(
            allocations <= MATCH + ROUND * rounds,
            "{allocations} allocations in a match of {decisions} decisions and {rounds} rounds"
        );
        assert!(decisions > 10 * rounds, "{decisions} decisions in {rounds} rounds show nothing");
    }
}

/// The record and its header, the rules' buffers, the names and the id of the match.
const MATCH: u64 = 40;

/// The deck and the actions of a round, in the record.
const ROUND: u64 = 4;
