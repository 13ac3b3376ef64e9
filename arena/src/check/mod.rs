//! Checks whether a bot does what a tournament will ask of it: shows it positions of every kind, plays whole rounds, and
//! watches its time, its memory and how it leaves.
//!
//! Everything goes through the referee and its client: a fault here would be a fault in a match, with the same message.

mod case;
mod checking;
mod failures;
mod opponent;
mod positions;
mod questions;
mod repeats;
mod report;
mod request;
mod state;
mod summary;
mod tables;

pub use case::{Case, CaseError, CaseFile, GoodAnswers, PinError, cases_of, missing_cases, pin};
pub use checking::{check, check_cases};
pub use report::{CheckReport, Failure, Finding, FindingKind, FindingOutcome, TableRestriction};
pub use request::{CheckError, CheckRequest};
