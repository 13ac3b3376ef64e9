//! How the start of a bot went, as its supervisor sees it.

use rustix::process::Pid;

/// How the start of a bot went.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Startup {
    /// The bot runs. This is its first process, as the supervisor sees it; SIGTERM is sent to it.
    Running(Pid),
    /// Its program could not be run; the system's reason. The bot's fault.
    NotStarted(String),
    /// The system could not start it or set up its sandbox; what is known of the reason. None of the bot's code was
    /// run.
    HostFailed(String),
}
