//! The results file: one SQLite file per tournament, written by one arena at a time, readable by anyone.
//!
//! [`Writer::create`] or [`Writer::resume`] opens it for a run; [`Results::open`] reads it, even while it is being written.
//! `README.md` beside this folder describes the tables, the format of a record, and what a power cut can cost.

mod audit;
mod bot_folders;
mod bytes;
mod difference;
mod error;
mod file;
mod lock;
mod luck;
mod pack;
mod pairs;
mod queue;
mod record_template;
mod removal;
mod results;
mod resumable;
mod rows;
mod schema;
mod shape;
mod stored_plan;
mod sums;
mod tally;
#[cfg(test)]
mod tests;
mod thinking_times;
mod withdraw;
mod writer;

pub use audit::Mismatch;
pub use bytes::TruncatedError;
pub use difference::{Advice, PlanDifference, PlanPart};
pub use error::StoreError;
pub(crate) use error::without_path;
pub use file::log_of;
pub(crate) use file::{remove, try_to_create};
pub(crate) use lock::Lock;
pub use lock::is_being_written;
pub use luck::keep_luck;
pub use pack::BodyError;
pub use pairs::{PairLegs, Pairs};
pub use record_template::RecordTemplate;
pub use results::{FindError, Records, Results, VoidMatch};
pub use resumable::Resumable;
pub use stored_plan::StoredPlan;
pub use tally::BotSums;
#[cfg(test)]
use tally::Sign;
pub use thinking_times::ThinkingTimes;
pub use withdraw::WithdrawError;
pub use writer::{Writer, WriterStoppedError};

pub use crate::run::GateTerms;
pub use leyden_format::DoneMatches;
pub use leyden_model::BotEntry;
