//! Playing on other machines: a run whose jobs go to workers over a NATS server, and the worker that plays them.
//!
//! What travels is said in `batch`; `director` gives jobs to workers and takes their reports, `executor` is that as a run sees
//! it, and `worker` plays on this machine for runs elsewhere. Nothing here decides what is played or what counts.

mod batch;
mod card;
mod director;
mod executor;
mod outlier;
mod speed;
mod worker;

pub use card::WorkerCard;
pub use executor::{Remote, RemoteError, RemoteOptions};
pub use worker::{LeaveHandle, WorkError, WorkerOptions, work};
