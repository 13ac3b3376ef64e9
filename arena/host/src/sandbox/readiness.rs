//! Lets a shim tell its supervisor that the bot is about to run, or why it will not.
//!
//! A socket pair for packets. The system reports which process wrote, by the number that the supervisor knows it by; a
//! process inside a namespace does not know that number itself.

use std::io::{self, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};

use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendFlags, SocketFlags, SocketType,
};
use rustix::process::Pid;

use super::startup::Startup;

/// The supervisor's end.
#[derive(Debug)]
pub(crate) struct ReadinessListener(OwnedFd);

/// The shim's end. It closes when the bot's program is executed.
#[derive(Debug)]
pub(crate) struct Notifier(OwnedFd);

const READY: u8 = b'R';
const NOT_STARTED: u8 = b'P';
const HOST_FAILED: u8 = b'S';

/// Creates the two ends. The next program that is executed inherits the notifier's.
pub(crate) fn pair() -> io::Result<(ReadinessListener, Notifier)> {
    let (ours, theirs) =
        rustix::net::socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
    rustix::net::sockopt::set_socket_passcred(&ours, true)?;
    rustix::io::fcntl_setfd(&theirs, rustix::io::FdFlags::empty())?;
    Ok((ReadinessListener(ours), Notifier(theirs)))
}

impl ReadinessListener {
    /// Waits until the bot runs, or until it is certain that it will not.
    pub(crate) fn wait(self) -> Startup {
        let mut running = None;
        loop {
            match self.packet() {
                Ok(Some((READY, _, Some(pid)))) => running = Some(pid),
                Ok(Some((NOT_STARTED, reason, _))) => return Startup::NotStarted(reason),
                Ok(Some((HOST_FAILED, reason, _))) => return Startup::HostFailed(reason),
                // Closed: because the bot's program was executed, or because the shim ended before that.
                _ => return running.map_or_else(|| Startup::HostFailed(String::new()), Startup::Running),
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

impl Notifier {
    pub(crate) fn inherited(fd: OwnedFd) -> Self {
        Self(fd)
    }

    pub(crate) fn number(&self) -> RawFd {
        self.0.as_raw_fd()
    }

    /// Reports that everything is in place; the program is executed next.
    pub(crate) fn ready(&self) -> io::Result<()> {
        self.send(READY, "")
    }

    /// Reports that the program could not be executed.
    pub(crate) fn not_started(&self, reason: &str) {
        let _ = self.send(NOT_STARTED, reason); // without a supervisor there is nobody to report to
    }

    /// Reports that the sandbox could not be set up.
    pub(crate) fn host_failed(&self, reason: &str) {
        let _ = self.send(HOST_FAILED, reason);
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
    fn the_supervisor_learns_how_it_went() {
        let (listener, notifier) = pair().unwrap();
        notifier.ready().unwrap();
        drop(notifier);
        assert_eq!(listener.wait(), Startup::Running(rustix::process::getpid()));

        let (listener, notifier) = pair().unwrap();
        notifier.ready().unwrap();
        notifier.not_started("no such file");
        assert_eq!(listener.wait(), Startup::NotStarted("no such file".to_owned()));

        let (listener, notifier) = pair().unwrap();
        drop(notifier);
        assert_eq!(listener.wait(), Startup::HostFailed(String::new()));
    }
}
