//! How a shim tells its stage that the bot is about to run, or why it is not.
//!
//! A socket pair of packets. The stage learns from the system which process wrote, as it sees it: from inside a process
//! namespace nobody could tell it otherwise.

use std::io::{self, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};

use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendFlags, SocketFlags, SocketType,
};
use rustix::process::Pid;

/// What a stage hears of its shim.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    /// Everything is in place and the bot runs. The process is the bot's first, as the stage sees it.
    Running(Pid),
    /// The bot's program could not be run, with the system's reason.
    NotStarted(String),
    /// The sandbox could not be made, so nothing was run.
    NoSandbox(String),
}

/// The stage's end.
#[derive(Debug)]
pub(crate) struct Listener(OwnedFd);

/// The shim's end. It closes when the bot's program is executed.
#[derive(Debug)]
pub(crate) struct Reporter(OwnedFd);

const READY: u8 = b'R';
const NOT_STARTED: u8 = b'P';
const NO_SANDBOX: u8 = b'S';

/// The two ends. The reporter's is inherited by the program that is executed next.
pub(crate) fn pair() -> io::Result<(Listener, Reporter)> {
    let (ours, theirs) =
        rustix::net::socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
    rustix::net::sockopt::set_socket_passcred(&ours, true)?;
    rustix::io::fcntl_setfd(&theirs, rustix::io::FdFlags::empty())?;
    Ok((Listener(ours), Reporter(theirs)))
}

impl Listener {
    /// Waits until the bot runs or it is certain that it will not.
    pub(crate) fn wait(self) -> Heard {
        let mut running = None;
        loop {
            match self.packet() {
                Ok(Some((READY, _, Some(pid)))) => running = Some(pid),
                Ok(Some((NOT_STARTED, reason, _))) => return Heard::NotStarted(reason),
                Ok(Some((NO_SANDBOX, reason, _))) => return Heard::NoSandbox(reason),
                // Closed: by the bot's execution, or by the end of a process that never came so far.
                _ => return running.map_or_else(|| Heard::NoSandbox(String::new()), Heard::Running),
            }
        }
    }

    fn packet(&self) -> io::Result<Option<(u8, String, Option<Pid>)>> {
        let mut bytes = [0; 1024];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmCredentials(1))];
        let mut extra = RecvAncillaryBuffer::new(&mut space);
        let count = loop {
            let parts = &mut [IoSliceMut::new(&mut bytes)];
            match rustix::net::recvmsg(&self.0, parts, &mut extra, RecvFlags::empty()) {
                Ok(message) => break message.bytes,
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        };
        let sender = extra.drain().find_map(|message| match message {
            RecvAncillaryMessage::ScmCredentials(sender) => Some(sender.pid),
            _ => None,
        });
        let Some((&kind, reason)) = bytes[..count].split_first() else { return Ok(None) };
        Ok(Some((kind, String::from_utf8_lossy(reason).into_owned(), sender)))
    }
}

impl Reporter {
    pub(crate) fn inherited(fd: OwnedFd) -> Self {
        Self(fd)
    }

    pub(crate) fn number(&self) -> RawFd {
        self.0.as_raw_fd()
    }

    /// Everything is in place; the program is executed next.
    pub(crate) fn ready(&self) -> io::Result<()> {
        self.send(READY, "")
    }

    /// The program could not be executed.
    pub(crate) fn not_started(&self, reason: &str) {
        let _ = self.send(NOT_STARTED, reason); // without a stage there is nobody to tell
    }

    /// The sandbox could not be made.
    pub(crate) fn no_sandbox(&self, reason: &str) {
        let _ = self.send(NO_SANDBOX, reason);
    }

    fn send(&self, kind: u8, reason: &str) -> io::Result<()> {
        let mut packet = vec![kind];
        packet.extend(reason.bytes().take(1000));
        rustix::net::send(&self.0, &packet, SendFlags::NOSIGNAL)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_hears_how_it_went() {
        let (listener, reporter) = pair().unwrap();
        reporter.ready().unwrap();
        drop(reporter);
        assert_eq!(listener.wait(), Heard::Running(rustix::process::getpid()));

        let (listener, reporter) = pair().unwrap();
        reporter.ready().unwrap();
        reporter.not_started("no such file");
        assert_eq!(listener.wait(), Heard::NotStarted("no such file".to_owned()));

        let (listener, reporter) = pair().unwrap();
        drop(reporter);
        assert_eq!(listener.wait(), Heard::NoSandbox(String::new()));
    }
}
