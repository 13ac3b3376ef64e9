//! A process that is held on to, so that another one which gets its number later is not taken for it.

use rustix::process::Pid;

/// A process by its number, and by a descriptor that stays its own when the number becomes another's.
#[derive(Debug)]
pub(crate) struct Held {
    pid: Pid,
    /// `None` on kernels before 5.3, and where there are no such descriptors.
    #[cfg(target_os = "linux")]
    descriptor: Option<std::os::fd::OwnedFd>,
}

impl Held {
    /// Takes hold of whoever has this number now; `None` if nobody has.
    pub(crate) fn take(pid: Pid) -> Option<Self> {
        #[cfg(target_os = "linux")]
        {
            let descriptor = match rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()) {
                Ok(descriptor) => Some(descriptor),
                Err(rustix::io::Errno::SRCH) => return None,
                Err(_) => None,
            };
            Some(Self { pid, descriptor })
        }
        #[cfg(not(target_os = "linux"))]
        Some(Self { pid })
    }

    pub(crate) fn pid(&self) -> Pid {
        self.pid
    }

    /// What is to be known of the number, if it was still this process's when that was known.
    pub(crate) fn ask<T>(&self, question: impl FnOnce(Pid) -> Option<T>) -> Option<T> {
        question(self.pid).filter(|_| self.has_its_number())
    }

    /// Whether it is there or waits to be reaped: until then nobody else gets its number.
    fn has_its_number(&self) -> bool {
        #[cfg(target_os = "linux")]
        if let Some(descriptor) = &self.descriptor {
            use std::os::fd::AsRawFd;
            let nothing = std::ptr::null::<u8>();
            // SAFETY: signal 0 is none and asks only whether one could be sent; nothing is read or written.
            let answer =
                unsafe { libc::syscall(libc::SYS_pidfd_send_signal, descriptor.as_raw_fd(), 0, nothing, 0) };
            return answer == 0 || std::io::Error::last_os_error().raw_os_error() != Some(libc::ESRCH);
        }
        true
    }
}
