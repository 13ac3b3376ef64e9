//! Does a bot do what a tournament will ask of it? It is shown positions of every kind, plays whole rounds, and is watched
//! meanwhile: its time, its memory, how it leaves.
//!
//! Everything goes through the referee and its client: what is a fault here is one in a match, in the same words.

mod case;
mod checking;
mod failures;
mod opponent;
mod positions;
mod questions;
mod report;
mod request;
mod state;
mod summary;
mod tables;

pub use case::{BadCase, Case, CaseFile, GoodAnswers, NotPinned, cases_of, missing_cases, pin};
pub use checking::{check, check_cases};
pub use report::{CheckReport, Failure, Finding, FindingKind, FindingOutcome};
pub use request::{CheckError, CheckRequest};
