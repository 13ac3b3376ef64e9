//! A handle to a process that never confuses it with another one that gets its number later.

use rustix::process::Pid;

/// A process by its number, and by a descriptor that still refers to it when the number is reused.
#[derive(Debug)]
pub(crate) struct ProcessHandle {
    pid: Pid,
    /// `None` on kernels before 5.3, and on systems without such descriptors.
    #[cfg(target_os = "linux")]
    descriptor: Option<std::os::fd::OwnedFd>,
}

impl ProcessHandle {
    /// Returns a handle to the process with this number; `None` if there is none.
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

    /// Returns what `ask` returns for the number, if the number still belonged to this process then.
    pub(crate) fn ask<T>(&self, question: impl FnOnce(Pid) -> Option<T>) -> Option<T> {
        question(self.pid).filter(|_| self.has_its_number())
    }

    /// Whether the process exists or waits to be reaped: until then no other process gets its number.
    fn has_its_number(&self) -> bool {
        #[cfg(target_os = "linux")]
        if let Some(descriptor) = &self.descriptor {
            use std::os::fd::AsRawFd;
            let nothing = std::ptr::null::<u8>();
            // SAFETY: signal 0 is not sent; it only checks whether one could be. Nothing is read or written.
            let answer =
                unsafe { libc::syscall(libc::SYS_pidfd_send_signal, descriptor.as_raw_fd(), 0, nothing, 0) };
            return answer == 0 || std::io::Error::last_os_error().raw_os_error() != Some(libc::ESRCH);
        }
        true
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    #[allow(clippy::print_stderr, reason = "a skipped test says so")]
    fn number_of_a_reaped_process_yields_no_answer() {
        let mut child = Command::new("sleep").arg("1000").spawn().unwrap();
        let held = ProcessHandle::take(Pid::from_child(&child)).unwrap();
        // The answer does not matter: by then the number may belong to another process.
        let anything = |pid: Pid| Some(pid);
        assert_eq!(held.ask(anything), Some(held.pid()));
        child.kill().unwrap();
        rustix::process::waitid(
            rustix::process::WaitId::Pid(held.pid()),
            rustix::process::WaitIdOptions::EXITED | rustix::process::WaitIdOptions::NOWAIT,
        )
        .unwrap();
        assert_eq!(held.ask(anything), Some(held.pid()), "until it is reaped the number is its own");
        child.wait().unwrap();
        if held.descriptor.is_none() {
            eprintln!("untested: numbers of reaped processes, on a kernel before 5.3");
            return;
        }
        assert_eq!(held.ask(anything), None);
    }

    #[test]
    fn missing_process_gives_no_handle() {
        // Higher than any process number.
        assert!(ProcessHandle::take(Pid::from_raw(i32::MAX).unwrap()).is_none());
    }
}
