//! Why a level is not available on this machine, and what to do.

#[cfg(target_os = "linux")]
use std::io;

/// Why a level is not available, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LevelError {
    pub(super) reason: String,
    pub(super) remedy: String,
}

impl LevelError {
    pub(super) fn new(reason: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { reason: reason.into(), remedy: remedy.into() }
    }

    /// The system refused something that it gives to everyone.
    #[cfg(target_os = "linux")]
    pub(super) fn system(what: &str, error: &io::Error) -> Self {
        Self::new(format!("{what}: {error}"), "find out what the system lacks")
    }
}
