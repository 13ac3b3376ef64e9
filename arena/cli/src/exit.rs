//! How the program ends: a code for scripts and a message for people.

mod errors;
mod outcomes;

use std::fmt::Display;
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// Why a command ended without success.
#[derive(Debug)]
pub(crate) struct CommandError {
    pub(crate) code: Code,
    pub(crate) message: String,
}

/// How a command ended. [`Code::number`] is the documented exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    Done,
    /// Standard output was closed by its reader, who has seen enough.
    OutputClosed,
    /// The answer is no.
    No,
    /// Usage or configuration, such as the name of a file that does not exist.
    Usage,
    /// A bot could not be found or built, or the old version lost most matches by faults.
    Missing,
    /// The gate ended without a decision.
    Undecided,
    /// The host failed, such as a disk or a permission; what was typed was right. Runs can be resumed.
    HostFailed,
    /// A defect of the arena, or of the system below it.
    Defect,
    /// Interrupted; can be resumed.
    Interrupted,
}

impl Code {
    /// Returns the number that scripts see.
    pub(crate) const fn number(self) -> u8 {
        match self {
            Self::Done | Self::OutputClosed => 0,
            Self::No => 1,
            Self::Usage => 2,
            Self::Missing => 3,
            Self::Undecided => 4,
            Self::HostFailed => 5,
            Self::Defect => 70,
            Self::Interrupted => 130,
        }
    }
}

impl From<Code> for ExitCode {
    fn from(code: Code) -> Self {
        Self::from(code.number())
    }
}

impl CommandError {
    /// Returns whether standard output was closed by its reader.
    pub(crate) fn is_closed_output(&self) -> bool {
        self.code == Code::OutputClosed
    }

    /// Returns what happened: the first line of the message. Those below it say more, and what to do.
    pub(crate) fn summary(&self) -> &str {
        self.message.lines().next().unwrap_or_default()
    }

    pub(crate) fn usage(message: impl Display) -> Self {
        Self { code: Code::Usage, message: message.to_string() }
    }

    pub(crate) fn missing(message: impl Display) -> Self {
        Self { code: Code::Missing, message: message.to_string() }
    }

    pub(crate) fn host_failed(message: impl Display) -> Self {
        Self { code: Code::HostFailed, message: message.to_string() }
    }

    pub(crate) fn interrupted(message: impl Display) -> Self {
        Self { code: Code::Interrupted, message: message.to_string() }
    }

    pub(crate) fn defect(message: impl Display) -> Self {
        Self { code: Code::Defect, message: message.to_string() }
    }
}

/// Returns the exit code for a named file that cannot be used: the name is wrong, or the host failed.
fn code_of(error: &io::Error) -> Code {
    use io::ErrorKind::{
        AlreadyExists, InvalidData, InvalidFilename, InvalidInput, IsADirectory, NotADirectory, NotFound,
    };
    match error.kind() {
        // A binary file where text is expected is the wrong file.
        NotFound | IsADirectory | NotADirectory | AlreadyExists | InvalidFilename | InvalidInput
        | InvalidData => Code::Usage,
        _ => Code::HostFailed, // the standard library may add kinds
    }
}

/// Returns the exit code for a process, thread, folder or random number that the system refused; an error without a code of the
/// operating system is a defect of the arena.
fn code_of_system(error: &io::Error) -> Code {
    use io::ErrorKind::{InvalidData, InvalidInput, Other, UnexpectedEof};
    let is_ours = matches!(error.kind(), Other | InvalidInput | InvalidData | UnexpectedEof);
    if error.raw_os_error().is_none() && is_ours { Code::Defect } else { Code::HostFailed }
}

impl CommandError {
    /// The system refused what every run needs, such as a process, a thread or a temporary folder.
    #[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
    pub(crate) fn from_system(error: io::Error) -> Self {
        Self { code: code_of_system(&error), message: error.to_string() }
    }

    /// No temporary folder could be created.
    #[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
    pub(crate) fn no_temporary(error: io::Error) -> Self {
        let folder = std::env::temp_dir();
        let message = format!(
            "cannot create a folder in {}, where temporary files go: {error}. Make room there, or set TMPDIR to another folder",
            folder.display()
        );
        Self { code: code_of_system(&error), message }
    }

    /// A file that was named cannot be read.
    pub(crate) fn unreadable(path: &Path, error: &io::Error) -> Self {
        Self { code: code_of(error), message: format!("cannot read {}: {error}", path.display()) }
    }

    /// A file that was named cannot be used; `message` says why.
    pub(crate) fn for_file(message: impl Display, error: &io::Error) -> Self {
        Self { code: code_of(error), message: message.to_string() }
    }
}

impl From<io::Error> for CommandError {
    /// Writing to standard output failed. A reader that closed it (`| head`) has seen enough; a full disk or a terminal that is
    /// gone is the host's failure.
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self { code: Code::OutputClosed, message: String::new() };
        }
        Self { code: code_of_system(&error), message: format!("cannot write to standard output: {error}") }
    }
}
