//! How the start of a bot went, as its supervisor sees it.

use rustix::process::Pid;

/// How the start of a bot went.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Startup {
    /// The bot runs. This is its first process, as the supervisor sees it; SIGTERM goes there.
    Running(Pid),
    /// Its program could not be run, with the system's reason. The bot's doing.
    NotStarted(String),
    /// The system did not let it be started, or its sandbox be set up, with what is known of why. Nothing of the bot was run.
    HostFailed(String),
}
