//! Work for many machines over NATS `JetStream`: batches of items out, results in, and each item counted once.
//!
//! Items, results and events are opaque: bytes with numbers and secrets. The coordinator holds the truth; the server only
//! carries messages and may forget them. [`Ledger`] decides which worker gets what and what happens to it, without a
//! connection or a clock; [`Coordinator`] and [`Worker`] are the two ends of the connection.

mod bundles;
mod connection;
mod coordinator;
mod ledger;
mod name;
mod receipts;
mod results;
mod secret;
mod streams;
mod subjects;
mod wire;
mod worker;
mod worker_list;

pub use bundles::{Bundle, BundleError, Bundles};
pub use connection::{ConnectError, Connection, ConnectionOptions, Login, OLDEST_SERVER};
pub use coordinator::{
    BatchOutcome, Coordinator, CoordinatorCommand, CoordinatorError, Director, WorkerProblem,
};
pub use ledger::{AdmissionError, Assignment, BatchPolicy, Ledger};
pub use name::{NameError, WorkerName};
pub use secret::Secret;
pub use subjects::worker_permissions;
pub use wire::WorkerHello;
pub use worker::{FromPlayer, ToPlayer, Worker, WorkerError};
pub use worker_list::{WorkerList, list_workers};
