//! Waiting for processes and descriptors until a deadline, without polling where the system can notify.

use std::io;
use std::os::fd::BorrowedFd;
#[cfg(target_os = "linux")]
use std::os::fd::{AsFd, FromRawFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};
use rustix::process::{Pid, WaitId, WaitIdOptions, WaitOptions, waitid, waitpid};

/// Waits until a child has ended, whether it is reaped or not, or until the deadline. A process that does not exist has
/// ended.
pub(crate) fn wait_for_end(child: Pid, deadline: Instant) {
    #[cfg(target_os = "linux")]
    match rustix::process::pidfd_open(child, rustix::process::PidfdFlags::empty()) {
        Ok(descriptor) => {
            let mut waited_for = [PollFd::new(&descriptor, PollFlags::IN)];
            return poll_until(&mut waited_for, deadline);
        }
        Err(rustix::io::Errno::SRCH) => return,
        Err(_) => {} // kernels before 5.3 have no such descriptors
    }
    // The system does not notify us, so we poll. WNOWAIT leaves a zombie in place; a process that is not our child is
    // an error.
    let ended = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    while matches!(waitid(WaitId::Pid(child), ended), Ok(None)) && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Whether a process has ended with all its threads, reaped or not; false if the system does not report it.
pub(crate) fn has_ended(process: Pid) -> bool {
    #[cfg(target_os = "linux")]
    return match rustix::process::pidfd_open(process, rustix::process::PidfdFlags::empty()) {
        Ok(descriptor) => {
            let at_once = rustix::event::Timespec { tv_sec: 0, tv_nsec: 0 };
            rustix::event::poll(&mut [PollFd::new(&descriptor, PollFlags::IN)], Some(&at_once)) == Ok(1)
        }
        Err(error) => error == rustix::io::Errno::SRCH,
    };
    #[cfg(not(target_os = "linux"))]
    return {
        let _ = process;
        false
    };
}

/// Waits for the end of a child until the deadline, and reaps it. Returns true if it has ended; a process that is not
/// our child counts as ended.
pub(crate) fn reap(child: Pid, deadline: Instant) -> bool {
    wait_for_end(child, deadline);
    !matches!(waitpid(Some(child), WaitOptions::NOHANG), Ok(None))
}

/// Waits until something happens to one of the descriptors, or until the deadline.
pub(crate) fn poll_until(waited_for: &mut [PollFd<'_>], deadline: Instant) {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let Ok(left) = rustix::event::Timespec::try_from(left) else { return };
        if rustix::event::poll(waited_for, Some(&left)) != Err(rustix::io::Errno::INTR) {
            return;
        }
    }
}

/// How long to wait at most where the system does not notify us of children that end.
#[cfg(not(target_os = "linux"))]
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Notifies a process with one thread of children that end, but not of those that are stopped or continued: a bot that is stopped
/// and continued at each of its turns would wake it each time.
#[derive(Debug)]
pub(crate) struct ChildSignals {
    #[cfg(target_os = "linux")]
    signals: OwnedFd,
}

impl ChildSignals {
    /// From now on the signal is blocked, and kept to be read. What the standard library executes has it unblocked again.
    pub(crate) fn block() -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        // SAFETY: plain structures on the stack, valid when zeroed and then filled in by the calls made for that. No handler is
        // set. The descriptor is new, and nobody else's.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = libc::SIG_DFL;
            action.sa_flags = libc::SA_NOCLDSTOP;
            libc::sigaction(libc::SIGCHLD, &raw const action, std::ptr::null_mut());
            let mut signals: libc::sigset_t = std::mem::zeroed();
            libc::sigemptyset(&raw mut signals);
            libc::sigaddset(&raw mut signals, libc::SIGCHLD);
            libc::pthread_sigmask(libc::SIG_BLOCK, &raw const signals, std::ptr::null_mut());
            let fd = libc::signalfd(-1, &raw const signals, libc::SFD_NONBLOCK | libc::SFD_CLOEXEC);
            if fd < 0 {
                return Err(io::Error::last_os_error());
            }
            Ok(Self { signals: OwnedFd::from_raw_fd(fd) })
        }
        #[cfg(not(target_os = "linux"))]
        Ok(Self {})
    }

    /// Waits until a child has ended since the last [`take`](Self::take), or something can be read from one of the descriptors. May return
    /// spuriously.
    pub(crate) fn wait_for_one_or<'a>(&'a self, descriptors: impl Iterator<Item = BorrowedFd<'a>>) {
        let of = |fd| PollFd::from_borrowed_fd(fd, PollFlags::IN);
        #[cfg(target_os = "linux")]
        {
            let mut waited_for: Vec<PollFd<'_>> = descriptors.chain([self.signals.as_fd()]).map(of).collect();
            let _ = rustix::event::poll(&mut waited_for, None);
        }
        #[cfg(not(target_os = "linux"))]
        poll_until(&mut descriptors.map(of).collect::<Vec<_>>(), Instant::now() + POLL_INTERVAL);
    }

    /// Whether a child may have ended since the last call.
    pub(crate) fn take(&self) -> bool {
        #[cfg(target_os = "linux")]
        return rustix::io::read(&self.signals, &mut [0; size_of::<libc::signalfd_siginfo>()]).is_ok();
        #[cfg(not(target_os = "linux"))]
        true
    }
}
