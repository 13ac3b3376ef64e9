//! The decisions of recorded matches as arrays: observation, mask, action, result and points to come.
//!
//! [`Shards`] reads records one by one and collects the decisions of many; [`write()`] writes them into a folder, as `.npz`
//! files or Parquet. Memory does not grow with the number of matches.
#![forbid(unsafe_code)]

mod npz;
mod parquet_file;
mod shard;
mod writer;

pub use shard::{ReadError, SHARD_ROWS, Shard, Shards};
pub use writer::{Form, Summary, UnknownFormError, WriteError, write};
