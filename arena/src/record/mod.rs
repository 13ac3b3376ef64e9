//! What is done with records: the results file they are stored in, and what is read back from it.

pub mod export;
mod recorder;
pub mod replay;
#[cfg(test)]
pub(crate) mod sample;
pub mod store;
pub mod verify;

pub use recorder::Recorder;

use leyden_model::MatchRecord;
use leyden_protocol::Better;
use leyden_stats::FinalScores;

/// What the statistics see of a match; `better` follows from its rules.
pub fn final_scores(record: &MatchRecord, better: Better) -> FinalScores {
    FinalScores { scores: record.scores, fault: record.fault.as_ref().map(|fault| fault.seat), better }
}
