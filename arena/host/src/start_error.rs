//! Why a bot was not started, and who is to blame.

use std::io;
use std::process::{Command, Stdio};

use rustix::io::Errno;

/// Why a bot was not started.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// Its folder or its command cannot be used: the bot's fault.
    #[error("{0}")]
    Bot(String),
    /// The system was short of a resource, or something of the arena's was missing. Never a bot's fault.
    #[error("{0}")]
    Host(String),
}

/// The errors that a system returns when it is short of a resource or has lost one. It also returns some of them for what
/// is written in a program: EIO, for one that is cut off where its segments are.
const HOSTS: [Errno; 11] = [
    Errno::AGAIN,
    Errno::NOMEM,
    Errno::MFILE,
    Errno::NFILE,
    Errno::NOSPC,
    Errno::DQUOT,
    Errno::IO,
    Errno::NODEV,
    Errno::SRCH,
    Errno::INTR,
    Errno::BUSY,
];

impl StartError {
    /// Runs a program of the bot's choice. The host is to blame if it is short of something for any program:
    /// `another_starts` says whether one of the system's starts at this moment.
    pub(crate) fn or_run<T>(
        mut run: impl FnMut() -> io::Result<T>,
        another_starts: impl Fn() -> bool,
    ) -> Result<T, Self> {
        let is_hosts =
            |error: &io::Error| Errno::from_io_error(error).is_some_and(|errno| HOSTS.contains(&errno));
        let first = match run() {
            Err(error) if is_hosts(&error) => error,
            started => return started.map_err(|error| Self::Bot(error.to_string())),
        };
        if !another_starts() {
            return Err(Self::Host(first.to_string()));
        }
        // The shortage may have passed since then.
        match run() {
            Err(error) if is_hosts(&error) && !another_starts() => Err(Self::Host(error.to_string())),
            started => started.map_err(|error| Self::Bot(error.to_string())),
        }
    }

    /// The system did not run a program of the arena's with the bot's arguments.
    pub(crate) fn for_bot_arguments(error: &io::Error) -> Self {
        let too_long = Errno::from_io_error(error) == Some(Errno::TOOBIG);
        if too_long || error.kind() == io::ErrorKind::InvalidInput {
            Self::Bot(format!("its command line cannot be used: {error}"))
        } else {
            Self::Host(error.to_string())
        }
    }

    /// An error that does not depend on which bot it was.
    pub(crate) fn host(what: &str, error: &io::Error) -> Self {
        Self::Host(format!("{what}: {error}"))
    }
}

impl From<StartError> for io::Error {
    fn from(error: StartError) -> Self {
        Self::other(error)
    }
}

/// Whether a program that is nobody's starts at this moment.
pub(crate) fn another_starts() -> bool {
    let mut program = Command::new("/bin/true");
    program.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    program.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_takes_blame_only_for_a_general_shortage() {
        let run = |errno: Errno, another: bool| {
            StartError::or_run(|| Err::<(), _>(errno.into()), || another).unwrap_err()
        };
        for errno in [Errno::AGAIN, Errno::NOMEM, Errno::MFILE, Errno::NODEV, Errno::IO] {
            assert!(matches!(run(errno, false), StartError::Host(_)), "{errno}");
            assert!(matches!(run(errno, true), StartError::Bot(_)), "{errno}");
        }
        for errno in [Errno::NOENT, Errno::ACCESS, Errno::NOEXEC, Errno::LOOP, Errno::ISDIR, Errno::TOOBIG] {
            assert!(matches!(run(errno, false), StartError::Bot(_)), "{errno}");
        }
    }

    #[test]
    fn shortage_that_passes_is_nobodys_fault() {
        let mut tries = 0;
        let run = || {
            tries += 1;
            if tries == 1 { Err(Errno::AGAIN.into()) } else { Ok(tries) }
        };
        assert_eq!(StartError::or_run(run, || true), Ok(2));
    }

    #[test]
    fn failed_arena_program_blames_bots_only_for_arguments() {
        let words = |error: &io::Error| StartError::for_bot_arguments(error);
        assert!(matches!(words(&Errno::TOOBIG.into()), StartError::Bot(_)));
        assert!(matches!(words(&io::ErrorKind::InvalidInput.into()), StartError::Bot(_)));
        for errno in [Errno::NOENT, Errno::ACCESS, Errno::AGAIN] {
            assert!(matches!(words(&errno.into()), StartError::Host(_)), "{errno}");
        }
    }
}
