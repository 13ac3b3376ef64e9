//! Why jobs cannot be played elsewhere.

use std::io;

use leyden_arena::roster::SendBotError;
use leyden_nats::{BundleError, ConnectError, CoordinatorError};

/// Why jobs cannot be played elsewhere.
#[derive(Debug, thiserror::Error)]
pub enum RemoteError {
    #[error(transparent)]
    Connection(#[from] ConnectError),
    #[error(transparent)]
    Coordinator(#[from] CoordinatorError),
    #[error("{0}; leave it out, or play without --nats")]
    Travel(#[from] SendBotError),
    #[error(transparent)]
    Bundle(#[from] BundleError),
    #[error("the system could not start a thread or connection: {0}")]
    System(#[from] io::Error),
}

impl RemoteError {
    /// Whether trying again later may help, without anybody changing anything but the server.
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Connection(error) | Self::Coordinator(CoordinatorError::Connection(error)) => {
                error.may_pass()
            }
            Self::Coordinator(_) | Self::Bundle(_) | Self::System(_) => true,
            Self::Travel(_) => false,
        }
    }
}
