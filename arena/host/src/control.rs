//! The messages between the arena and a supervisor over their control socket. Both sides are the same program, so there
//! are no versions.

use std::{fmt, io};

use rustix::process::Pid;
use tokio::net::UnixStream;

/// A byte from the arena: ask the bot to exit, with SIGTERM.
pub(crate) const TERMINATE: u8 = b'T';

/// A byte from the arena: it no longer signals the bot's process group. Until then the supervisor leaves the bot's
/// first process unreaped, so that no other process group gets its number.
pub(crate) const RELEASE: u8 = b'R';

/// Creates the socket pair between arena and supervisor: our end, and the end that the supervisor inherits. A
/// supervisor closes every other inherited descriptor on exec, so one that another thread starts at the same time does
/// not hold our end open.
pub(crate) fn control_sockets() -> io::Result<(UnixStream, std::os::unix::net::UnixStream)> {
    let (ours, theirs) = std::os::unix::net::UnixStream::pair()?;
    ours.set_nonblocking(true)?;
    rustix::io::fcntl_setfd(&theirs, rustix::io::FdFlags::empty())?;
    Ok((UnixStream::from_std(ours)?, theirs))
}

/// How a bot's process ended, or why it never started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExitStatus {
    /// Its program could not be run; the system's reason.
    NotStarted(String),
    /// The system could not start it or set up its sandbox; what is known of the reason. Never the bot's fault.
    HostFailed(String),
    Code(i32),
    Signal(i32),
}

/// A line from the supervisor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SupervisorReport {
    /// The bot's process group.
    Group(Pid),
    Ended(ExitStatus),
}

impl fmt::Display for SupervisorReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Group(group) => write!(f, "group {}", group.as_raw_nonzero()),
            Self::Ended(ExitStatus::NotStarted(reason)) => write!(f, "not-started {}", on_one_line(reason)),
            Self::Ended(ExitStatus::HostFailed(reason)) => write!(f, "host-failed {}", on_one_line(reason)),
            Self::Ended(ExitStatus::Code(code)) => write!(f, "code {code}"),
            Self::Ended(ExitStatus::Signal(signal)) => write!(f, "signal {signal}"),
        }
    }
}

fn on_one_line(reason: &str) -> String {
    reason.replace('\n', " ")
}

impl SupervisorReport {
    /// Parses a line without its line feed; `None` if a supervisor does not write such lines.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let (kind, rest) = line.split_once(' ')?;
        Some(match kind {
            "group" => Self::Group(Pid::from_raw(rest.parse().ok()?)?),
            "not-started" => Self::Ended(ExitStatus::NotStarted(rest.to_owned())),
            "host-failed" => Self::Ended(ExitStatus::HostFailed(rest.to_owned())),
            "code" => Self::Ended(ExitStatus::Code(rest.parse().ok()?)),
            "signal" => Self::Ended(ExitStatus::Signal(rest.parse().ok()?)),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_read_as_written() {
        let reports = [
            SupervisorReport::Group(rustix::process::getpid()),
            SupervisorReport::Ended(ExitStatus::NotStarted("no such file".to_owned())),
            SupervisorReport::Ended(ExitStatus::HostFailed(String::new())),
            SupervisorReport::Ended(ExitStatus::Code(-1)),
            SupervisorReport::Ended(ExitStatus::Signal(9)),
        ];
        for report in reports {
            assert_eq!(SupervisorReport::parse(&report.to_string()), Some(report));
        }
        let two_lines = SupervisorReport::Ended(ExitStatus::NotStarted("one\ntwo".to_owned()));
        assert_eq!(two_lines.to_string(), "not-started one two");
    }

    #[test]
    fn other_lines_are_no_reports() {
        for line in ["", "group", "group 0", "group x", "code", "code x", "signal 9 9", "hello world"] {
            assert_eq!(SupervisorReport::parse(line), None, "{line}");
        }
    }
}
