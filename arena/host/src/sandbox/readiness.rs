//! Lets a child notify its supervisor that the bot is about to run, or why it will not.
//!
//! A socket pair for packets. The system reports which process wrote, by the number that the supervisor knows it by; a
//! process inside a namespace does not know that number itself.

use std::io::{self, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendFlags, SocketFlags, SocketType,
};
use rustix::process::Pid;

use super::startup::Startup;
use crate::start_error::StartError;

/// The supervisor's end.
#[derive(Debug)]
pub(crate) struct ReadinessListener {
    socket: OwnedFd,
    /// The bot's process, once it is about to run.
    ready: Option<Pid>,
}

/// The child's end. It closes when the bot's program is executed.
#[derive(Debug)]
pub(crate) struct Notifier(OwnedFd);

const READY: u8 = b'R';
const NOT_STARTED: u8 = b'P';
const HOST_FAILED: u8 = b'S';

/// Creates the two ends. A child inherits them; a program that is executed does not.
pub(crate) fn pair() -> io::Result<(ReadinessListener, Notifier)> {
    let (ours, theirs) =
        rustix::net::socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
    rustix::net::sockopt::set_socket_passcred(&ours, true)?;
    Ok((ReadinessListener { socket: ours, ready: None }, Notifier(theirs)))
}

impl ReadinessListener {
    /// Returns how the start went, if that is certain by now.
    pub(crate) fn outcome(&mut self) -> Option<Startup> {
        loop {
            match self.packet() {
                Ok((READY, _, Some(pid))) => self.ready = Some(pid),
                Ok((NOT_STARTED, reason, _)) => return Some(Startup::NotStarted(reason)),
                Ok((HOST_FAILED, reason, _)) => return Some(Startup::HostFailed(reason)),
                Err(Errno::AGAIN) => return None,
                // Closed: because the bot's program was executed, or because the child ended before that.
                _ => {
                    return Some(
                        self.ready.map_or_else(|| Startup::HostFailed(String::new()), Startup::Running),
                    );
                }
            }
        }
    }

    /// Reads a packet: its kind, 0 if the other end is closed, its reason, and who sent it.
    fn packet(&self) -> rustix::io::Result<(u8, String, Option<Pid>)> {
        let mut bytes = [0; 1024];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmCredentials(1))];
        let mut extra = RecvAncillaryBuffer::new(&mut space);
        let count = loop {
            let parts = &mut [IoSliceMut::new(&mut bytes)];
            match rustix::net::recvmsg(&self.socket, parts, &mut extra, RecvFlags::DONTWAIT) {
                Ok(message) => break message.bytes,
                Err(Errno::INTR) => {}
                Err(error) => return Err(error),
            }
        };
        let sender = extra.drain().find_map(|message| match message {
            RecvAncillaryMessage::ScmCredentials(sender) => Some(sender.pid),
            _ => None,
        });
        let (kind, reason) = bytes[..count].split_first().unwrap_or((&0, &[]));
        Ok((*kind, String::from_utf8_lossy(reason).into_owned(), sender))
    }
}

impl AsFd for ReadinessListener {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

impl AsFd for Notifier {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl Notifier {
    pub(crate) fn inherited(fd: OwnedFd) -> Self {
        Self(fd)
    }

    /// Reports that everything is in place; the program is executed next.
    pub(crate) fn ready(&self) -> io::Result<()> {
        self.send(READY, "")
    }

    /// Reports that the program could not be executed, or the sandbox not be set up.
    pub(crate) fn failed(&self, error: &StartError) {
        let (kind, reason) = match error {
            StartError::Bot(reason) => (NOT_STARTED, reason),
            StartError::Host(reason) => (HOST_FAILED, reason),
        };
        let _ = self.send(kind, reason); // without a supervisor there is nobody to report to
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
    fn supervisor_learns_how_it_went() {
        let (mut listener, notifier) = pair().unwrap();
        assert_eq!(listener.outcome(), None);
        notifier.ready().unwrap();
        assert_eq!(listener.outcome(), None);
        drop(notifier);
        assert_eq!(listener.outcome(), Some(Startup::Running(rustix::process::getpid())));

        let (mut listener, notifier) = pair().unwrap();
        notifier.ready().unwrap();
        notifier.failed(&StartError::Bot("no such file".to_owned()));
        assert_eq!(listener.outcome(), Some(Startup::NotStarted("no such file".to_owned())));

        let (mut listener, notifier) = pair().unwrap();
        drop(notifier);
        assert_eq!(listener.outcome(), Some(Startup::HostFailed(String::new())));
    }
}
