//! Playing on other machines: a run that sends its jobs to workers over a NATS server, and the worker that plays them.
//!
//! `batch` defines the messages, `carried` packs bots, `director` assigns jobs to workers and takes their reports, `executor` offers
//! this to a run, and `worker` plays on this machine for runs elsewhere. Nothing here decides what is played or what counts.

mod batch;
mod bundle_cache;
mod card;
mod director;
mod error;
mod executor;
mod outlier;
mod speed;
mod worker;

pub use bundle_cache::BundleCache;
pub use card::WorkerCard;
pub use error::RemoteError;
pub use executor::{Remote, RemoteOptions};
pub use worker::{LeaveHandle, WorkError, WorkerOptions, work};
