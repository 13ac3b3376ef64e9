//! The messages between the arena and a supervisor over their control socket. Both sides are the same program, so there
//! are no versions.

use std::ffi::{OsStr, OsString};
use std::io::{self, IoSlice, IoSliceMut, Read};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::time::{Duration, Instant};
use std::{fmt, iter};

use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags,
};
use rustix::process::Pid;
use tokio::net::UnixStream;

use crate::platform::wait;

/// The pipes of a bot: its standard input, output and error.
pub(crate) type BotPipes = [OwnedFd; 3];

/// A byte from the arena: ask the bot to exit, with SIGTERM.
pub(crate) const TERMINATE: u8 = b'T';

/// A byte from the arena: it no longer signals the bot's process group. Until then the supervisor leaves the bot's
/// first process unreaped, so that no other process group gets its number.
pub(crate) const RELEASE: u8 = b'R';

/// A byte from the arena: report whether the bot runs. One that has ended is reported anyway, once that is certain.
pub(crate) const STATUS: u8 = b'S';

/// A byte from the arena to an idle supervisor: start another bot. With it come the bot's pipes; after it the length of the
/// arguments as four bytes, the lowest first, and the arguments, each with a NUL byte at its end.
const LAUNCH: u8 = b'L';

/// How long an idle supervisor may take to read what to start.
const LAUNCH_TIMEOUT: Duration = Duration::from_secs(1);

/// Has an idle supervisor start a bot. After an error it cannot be used any more.
pub(crate) fn send_launch<'a>(
    control: BorrowedFd<'_>,
    words: impl Iterator<Item = &'a OsStr>,
    pipes: &BotPipes,
) -> io::Result<()> {
    let words: Vec<u8> = words.flat_map(|word| word.as_bytes().iter().copied().chain([0])).collect();
    let length = u32::try_from(words.len()).map_err(io::Error::other)?;
    let bytes: Vec<u8> = iter::once(LAUNCH).chain(length.to_le_bytes()).chain(words).collect();
    let pipes = pipes.each_ref().map(AsFd::as_fd);
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut with_it = SendAncillaryBuffer::new(&mut space);
    with_it.push(SendAncillaryMessage::ScmRights(&pipes));
    let deadline = Instant::now() + LAUNCH_TIMEOUT;
    let mut left = &bytes[..];
    while !left.is_empty() {
        match rustix::net::sendmsg(control, &[IoSlice::new(left)], &mut with_it, SendFlags::NOSIGNAL) {
            Ok(count) => {
                left = &left[count..];
                with_it.clear();
            }
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) if Instant::now() < deadline => {
                wait::poll_until(&mut [PollFd::new(&control, PollFlags::OUT)], deadline);
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Waits for what to start next: its arguments and its pipes. `None` if the arena's end is closed. Requests that came too late for the
/// bot before are passed over.
pub(crate) fn next_launch(control: &std::os::unix::net::UnixStream) -> Option<(Vec<OsString>, BotPipes)> {
    loop {
        let (byte, with_it) = receive_byte(control.as_fd())?;
        if byte == LAUNCH {
            let pipes = BotPipes::try_from(with_it).ok()?;
            let (mut control, mut length) = (control, [0; 4]);
            control.read_exact(&mut length).ok()?;
            let mut words = vec![0; u32::from_le_bytes(length) as usize];
            control.read_exact(&mut words).ok()?;
            let words = words.strip_suffix(&[0])?.split(|&byte| byte == 0);
            return Some((words.map(|word| OsStr::from_bytes(word).to_owned()).collect(), pipes));
        }
    }
}

/// Reads one byte and the descriptors that came with it; `None` at the end.
fn receive_byte(control: BorrowedFd<'_>) -> Option<(u8, Vec<OwnedFd>)> {
    let mut byte = [0];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut with_it = RecvAncillaryBuffer::new(&mut space);
    loop {
        let into = &mut [IoSliceMut::new(&mut byte)];
        match rustix::net::recvmsg(control, into, &mut with_it, RecvFlags::empty()) {
            Ok(message) if message.bytes == 1 => break,
            Err(Errno::INTR) => {}
            _ => return None,
        }
    }
    let mut received = Vec::new();
    for message in with_it.drain() {
        if let RecvAncillaryMessage::ScmRights(descriptors) = message {
            received.extend(descriptors);
        }
    }
    // This process has one thread, so nothing is executed in between.
    let kept = received.iter().all(|fd| rustix::io::fcntl_setfd(fd, rustix::io::FdFlags::CLOEXEC).is_ok());
    kept.then_some((byte[0], received))
}

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
    /// It exited with this code.
    Code(i32),
    /// This signal ended it.
    Signal(i32),
}

/// A line from the supervisor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SupervisorReport {
    /// The bot's process group.
    Group(Pid),
    /// The bot runs, which the arena has asked.
    Running,
    Ended(ExitStatus),
    /// Nothing of the bot is left: another one can be started.
    Idle,
}

impl fmt::Display for SupervisorReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Group(group) => write!(f, "group {}", group.as_raw_nonzero()),
            Self::Running => f.write_str("running -"),
            Self::Idle => f.write_str("idle -"),
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
            "running" => Self::Running,
            "idle" => Self::Idle,
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
            SupervisorReport::Running,
            SupervisorReport::Ended(ExitStatus::NotStarted("no such file".to_owned())),
            SupervisorReport::Ended(ExitStatus::HostFailed(String::new())),
            SupervisorReport::Ended(ExitStatus::Code(-1)),
            SupervisorReport::Ended(ExitStatus::Signal(9)),
            SupervisorReport::Idle,
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

    #[test]
    fn next_launch_arrives_with_its_pipes() {
        let (ours, theirs) = std::os::unix::net::UnixStream::pair().unwrap();
        ours.set_nonblocking(true).unwrap();
        let pipes = || [0, 1, 2].map(|_| io::pipe().unwrap());
        let [(_, input), (_, output), (mut written, error)] = pipes();
        let long = OsString::from("x".repeat(1 << 20)); // more than the socket holds
        let words = [OsStr::new("none"), OsStr::from_bytes(b"\xff --"), OsStr::new(""), &long];
        let supervisor = std::thread::spawn(move || (next_launch(&theirs), theirs));
        rustix::io::write(&ours, &[TERMINATE]).unwrap(); // too late for the bot before
        send_launch(ours.as_fd(), words.into_iter(), &[input.into(), output.into(), error.into()]).unwrap();
        let (next, theirs) = supervisor.join().unwrap();
        let (read, [_, _, error]) = next.unwrap();
        assert_eq!(read, words);
        rustix::io::write(&error, b"!").unwrap();
        let mut byte = [0];
        written.read_exact(&mut byte).unwrap();
        assert_eq!(byte, *b"!");
        drop(ours);
        assert!(next_launch(&theirs).is_none());
    }

    #[test]
    fn launch_fails_when_the_supervisor_does_not_read() {
        let (ours, _theirs) = std::os::unix::net::UnixStream::pair().unwrap();
        ours.set_nonblocking(true).unwrap();
        let pipes = [0, 1, 2].map(|_| OwnedFd::from(io::pipe().unwrap().0));
        let long = OsString::from("x".repeat(1 << 20));
        assert!(send_launch(ours.as_fd(), [long.as_os_str()].into_iter(), &pipes).is_err());
    }
}
