//! Records: the results file that stores them, and everything that is read back from it.

pub mod export;
mod recorder;
#[cfg(any(test, feature = "samples"))]
pub mod sample;
pub mod source;
pub mod store;
#[cfg(test)]
mod tests;
pub mod verify;

pub use recorder::Recorder;

use leyden_model::MatchRecord;
use leyden_protocol::WinningScore;
use leyden_stats::FinalScores;

/// The part of a match that statistics use; `better` follows from its rules.
pub fn final_scores(record: &MatchRecord, better: WinningScore) -> FinalScores {
    FinalScores { scores: record.scores, fault: record.fault.as_ref().map(|fault| fault.seat), better }
}

/// Which program can read a record of another version.
const fn reader(version: u64) -> &'static str {
    match version {
        // Version 1 went on with rounds in which no remaining tile fitted.
        1 => "leyden 0.1, which wrote it",
        _ => "the leyden that wrote it, or a later one",
    }
}
