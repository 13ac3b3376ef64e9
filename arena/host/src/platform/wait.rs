//! Waiting for processes and descriptors until a deadline, without polling where the system can notify.

use std::time::{Duration, Instant};

use rustix::event::PollFd;
use rustix::process::{Pid, WaitId, WaitIdOptions, WaitOptions, waitid, waitpid};

/// Waits until a child has ended, whether it is reaped or not, or until the deadline. A process that does not exist has
/// ended.
pub(crate) fn wait_for_end(child: Pid, deadline: Instant) {
    #[cfg(target_os = "linux")]
    match rustix::process::pidfd_open(child, rustix::process::PidfdFlags::empty()) {
        Ok(descriptor) => {
            let mut waited_for = [PollFd::new(&descriptor, rustix::event::PollFlags::IN)];
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

/// After this call, [`wait_for_child_signal`] returns when a child has ended, but not when one was stopped or
/// continued, which would wake `wait` as well. Must be called before other threads are started.
pub(crate) fn block_child_signals() {
    #[cfg(target_os = "linux")]
    // SAFETY: plain structures on the stack, valid when zeroed and then filled in by the calls made for that.
    // No handler is set: the signal is blocked and taken by `sigwaitinfo`.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = libc::SIG_DFL;
        action.sa_flags = libc::SA_NOCLDSTOP;
        libc::sigaction(libc::SIGCHLD, &raw const action, std::ptr::null_mut());
        let signals = child_signals();
        libc::pthread_sigmask(libc::SIG_BLOCK, &raw const signals, std::ptr::null_mut());
    }
}

/// Waits until a child has ended since the last call, or since [`block_child_signals`]. May return spuriously.
pub(crate) fn wait_for_child_signal() {
    #[cfg(target_os = "linux")]
    // SAFETY: the set is on the stack; nothing is written.
    unsafe {
        let signals = child_signals();
        libc::sigwaitinfo(&raw const signals, std::ptr::null_mut());
    }
    #[cfg(not(target_os = "linux"))]
    let _ = waitid(WaitId::All, WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
}

#[cfg(target_os = "linux")]
fn child_signals() -> libc::sigset_t {
    // SAFETY: the set is on the stack and emptied before it is used.
    unsafe {
        let mut signals: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut signals);
        libc::sigaddset(&raw mut signals, libc::SIGCHLD);
        signals
    }
}
