//! Why a bot was not started, and who is to blame.

use std::io;

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

/// The errors that a system returns when it is short of a resource or has lost one, whatever program is to be run.
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
    /// The system did not run a program of the bot's choice.
    pub(crate) fn of_bots_program(error: &io::Error) -> Self {
        let is_hosts = Errno::from_io_error(error).is_some_and(|errno| HOSTS.contains(&errno));
        if is_hosts { Self::Host(error.to_string()) } else { Self::Bot(error.to_string()) }
    }

    /// The system did not run a program of the arena's with the bot's arguments.
    pub(crate) fn of_bots_words(error: &io::Error) -> Self {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_is_short_of_is_no_fault_of_a_bot() {
        let program = |errno: Errno| StartError::of_bots_program(&errno.into());
        for errno in [Errno::AGAIN, Errno::NOMEM, Errno::MFILE, Errno::NODEV] {
            assert!(matches!(program(errno), StartError::Host(_)), "{errno}");
        }
        for errno in [Errno::NOENT, Errno::ACCESS, Errno::NOEXEC, Errno::LOOP, Errno::ISDIR, Errno::TOOBIG] {
            assert!(matches!(program(errno), StartError::Bot(_)), "{errno}");
        }
    }

    #[test]
    fn of_the_arenas_own_programs_only_the_words_are_the_bots() {
        let words = |error: &io::Error| StartError::of_bots_words(error);
        assert!(matches!(words(&Errno::TOOBIG.into()), StartError::Bot(_)));
        assert!(matches!(words(&io::ErrorKind::InvalidInput.into()), StartError::Bot(_)));
        for errno in [Errno::NOENT, Errno::ACCESS, Errno::AGAIN] {
            assert!(matches!(words(&errno.into()), StartError::Host(_)), "{errno}");
        }
    }
}
