//! How the program ends: a code for scripts and a message for people.

use std::fmt::Display;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use leyden_arena::record::store::StoreError;
use leyden_arena::report::ReportError;
use leyden_arena::run::{NoSeed, PlanError, RunError};
use leyden_arena::tournament::{OpenError, PlayError};
use rusqlite::ErrorCode;

/// Why a command ends other than well.
#[derive(Debug)]
pub(crate) struct Stop {
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

impl Stop {
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

    pub(crate) fn defect(message: impl Display) -> Self {
        Self { code: Code::Defect, message: message.to_string() }
    }
}

impl From<ReportError> for Stop {
    fn from(error: ReportError) -> Self {
        match error {
            ReportError::Defect(defect) => Self::defect(defect),
            ReportError::Store(error) => error.into(),
            _ => Self::usage(error),
        }
    }
}

impl From<PlanError> for Stop {
    fn from(error: PlanError) -> Self {
        match error {
            PlanError::Missing { .. } | PlanError::NotABot(_) => Self::missing(error),
            PlanError::Interrupted(_) => Self { code: Code::Interrupted, message: error.to_string() },
            PlanError::NotCopied(_) => Self { code: Code::HostFailed, message: error.to_string() },
            PlanError::Seed(NoSeed::Random(ref source)) => {
                Self { code: code_of_system(source), message: error.to_string() }
            }
            _ => Self::usage(error),
        }
    }
}

impl From<OpenError> for Stop {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Plan(error) => error.into(),
            OpenError::Store(error) => error.into(),
            OpenError::Folder { ref source, .. } => {
                Self { code: code_of(source), message: error.to_string() }
            }
            OpenError::Schedule(_) | OpenError::SeedKnown { .. } => Self::usage(error),
            OpenError::NoName => Self::defect(error),
        }
    }
}

impl From<StoreError> for Stop {
    /// A file that is not there, or is none of ours, is a wrong name. What the system refuses is the host's failure.
    fn from(error: StoreError) -> Self {
        let code = match &error {
            StoreError::Full { .. } => Code::HostFailed,
            StoreError::Io { source, .. } => code_of(source),
            StoreError::Sqlite { source, .. } => match source.sqlite_error_code() {
                Some(
                    ErrorCode::CannotOpen
                    | ErrorCode::PermissionDenied
                    | ErrorCode::ReadOnly
                    | ErrorCode::SystemIoFailure
                    | ErrorCode::OutOfMemory,
                ) => Code::HostFailed,
                _ => Code::Usage,
            },
            StoreError::Misplaced { .. } | StoreError::Panicked => Code::Defect,
            _ => Code::Usage,
        };
        Self { code, message: error.to_string() }
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

impl Stop {
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

impl From<PlayError> for Stop {
    /// What is not a bot's doing is the arena's, or the system's.
    fn from(error: PlayError) -> Self {
        match error {
            PlayError::Run(RunError::Host { .. }) => {
                Self { code: Code::HostFailed, message: error.to_string() }
            }
            PlayError::Store(store) if store.is_hosts() => {
                Self { code: Code::HostFailed, message: store.to_string() }
            }
            _ => Self::defect(error),
        }
    }
}

impl From<RunError> for Stop {
    fn from(error: RunError) -> Self {
        PlayError::from(error).into()
    }
}

impl From<io::Error> for Stop {
    /// Writing to standard output failed. Whoever closed it (`| head`) has seen enough; a full disk or a terminal that is gone
    /// is the host's failure.
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self { code: Code::Done, message: String::new() };
        }
        Self { code: code_of_system(&error), message: format!("cannot write to standard output: {error}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_names_a_file_answers_for_its_name_and_the_host_for_the_rest() {
        let io =
            |kind: io::ErrorKind| StoreError::Io { path: "r.db".into(), doing: "read", source: kind.into() };
        let missing = || StoreError::Missing { path: "r.db".into() };
        let none = || StoreError::NotResults { path: "r.db".into(), why: "it is a letter".to_owned() };
        for (error, code) in [
            (missing(), Code::Usage),
            (none(), Code::Usage),
            (io(io::ErrorKind::IsADirectory), Code::Usage),
            (io(io::ErrorKind::PermissionDenied), Code::HostFailed),
            (io(io::ErrorKind::QuotaExceeded), Code::HostFailed),
        ] {
            let told = format!("{error:?}");
            assert_eq!(Stop::from(ReportError::from(error)).code, code, "{told}");
        }
        let denied = io::Error::from(io::ErrorKind::PermissionDenied);
        assert_eq!(Stop::unreadable(Path::new("r.db"), &denied).code, Code::HostFailed);
        let folder = OpenError::Folder { folder: "r".into(), source: denied };
        assert_eq!(Stop::from(folder).code, Code::HostFailed);
    }

    #[test]
    fn a_full_disk_is_no_defect() {
        let full = || StoreError::Full { path: "r.db".into() };
        assert_eq!(Stop::from(PlayError::from(full())).code, Code::HostFailed);
        assert_eq!(Stop::from(OpenError::from(full())).code, Code::HostFailed);
        assert_eq!(Stop::from(PlayError::from(StoreError::Panicked)).code, Code::Defect);
    }
}
