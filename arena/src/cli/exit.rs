//! How the program ends: a code for scripts and a message for people.

mod errors;

use std::fmt::Display;
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// Why a command ends other than well.
#[derive(Debug)]
pub(crate) struct CommandError {
    pub(crate) code: Code,
    pub(crate) message: String,
}

/// The documented exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    Done = 0,
    /// The answer is no.
    No = 1,
    /// Usage or configuration, such as the name of a file that is not there.
    Usage = 2,
    /// A bot could not be found or built, or was no opponent for want of playing.
    Missing = 3,
    /// The gate came to its end without a decision.
    Undecided = 4,
    /// The host failed, such as a disk or a permission: through no fault of what was typed. Runs can be resumed.
    HostFailed = 5,
    /// A defect of the arena, or of the system below it.
    Defect = 70,
    /// Interrupted; can be resumed.
    Interrupted = 130,
}

impl From<Code> for ExitCode {
    fn from(code: Code) -> Self {
        Self::from(code as u8)
    }
}

impl CommandError {
    /// Whether somebody closed standard output, who has seen enough.
    pub(crate) fn is_closed_output(&self) -> bool {
        self.code == Code::Done && self.message.is_empty()
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

/// Whose fault it is that a file of this name cannot be used: whoever named it, or the host.
fn code_of(error: &io::Error) -> Code {
    use io::ErrorKind::{
        AlreadyExists, InvalidData, InvalidFilename, InvalidInput, IsADirectory, NotADirectory, NotFound,
    };
    match error.kind() {
        // What is no text, where one is expected, is another file than was meant.
        NotFound | IsADirectory | NotADirectory | AlreadyExists | InvalidFilename | InvalidInput
        | InvalidData => Code::Usage,
        _ => Code::HostFailed,
    }
}

/// Whose fault it is that the system gave no process, thread, folder or random number: what did not come from the system came from us.
fn code_of_system(error: &io::Error) -> Code {
    use io::ErrorKind::{InvalidData, InvalidInput, Other, UnexpectedEof};
    let is_ours = matches!(error.kind(), Other | InvalidInput | InvalidData | UnexpectedEof);
    if error.raw_os_error().is_none() && is_ours { Code::Defect } else { Code::HostFailed }
}

impl CommandError {
    /// The system refused what every run needs, such as a process, a thread or a temporary folder.
    #[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
    pub(crate) fn of_system(error: io::Error) -> Self {
        Self { code: code_of_system(&error), message: error.to_string() }
    }

    /// There is no temporary folder.
    #[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
    pub(crate) fn no_temporary(error: io::Error) -> Self {
        let place = std::env::temp_dir();
        let message = format!(
            "no folder can be made in {}, where temporary files go: {error}. Make room there, or have TMPDIR name another folder",
            place.display()
        );
        Self { code: code_of_system(&error), message }
    }

    /// A file that was named cannot be read.
    pub(crate) fn unreadable(path: &Path, error: &io::Error) -> Self {
        Self { code: code_of(error), message: format!("cannot read {}: {error}", path.display()) }
    }

    /// A file that was named cannot be used, in these words.
    pub(crate) fn of_file(message: impl Display, error: &io::Error) -> Self {
        Self { code: code_of(error), message: message.to_string() }
    }
}

impl From<io::Error> for CommandError {
    /// Writing to standard output failed. Whoever closed it (`| head`) has seen enough; a full disk or a terminal that is gone
    /// is the host's failure.
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self { code: Code::Done, message: String::new() };
        }
        Self { code: code_of_system(&error), message: format!("cannot write to standard output: {error}") }
    }
}
