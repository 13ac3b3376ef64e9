//! What is done with records: the results file they are stored in, and what is read back from it.

pub mod export;
mod recorder;
pub mod replay;
#[cfg(test)]
pub(crate) mod sample;
pub mod store;
#[cfg(test)]
pub(crate) mod tests;
pub mod verify;

pub use recorder::Recorder;

use leyden_model::MatchRecord;
use leyden_protocol::WinningScore;
use leyden_stats::FinalScores;

/// What the statistics see of a match; `better` follows from its rules.
pub fn final_scores(record: &MatchRecord, better: WinningScore) -> FinalScores {
    FinalScores { scores: record.scores, fault: record.fault.as_ref().map(|fault| fault.seat), better }
}

/// Who reads a record of another version.
const fn reader(version: u64) -> &'static str {
    match version {
        // Its rounds went on where no tile that was left fitted.
        1 => "leyden 0.1, which wrote it",
        _ => "the leyden that wrote it, or a later one",
    }
}
