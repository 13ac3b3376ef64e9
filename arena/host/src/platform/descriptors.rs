//! Descriptors that a process is started with.

use std::os::fd::{BorrowedFd, FromRawFd, OwnedFd, RawFd};

/// Takes over a descriptor that was passed by its number on the command line.
pub(crate) fn take_inherited(fd: RawFd) -> OwnedFd {
    // SAFETY: called once, by a process that was started with this descriptor for this purpose and has opened no other.
    unsafe { OwnedFd::from_raw_fd(fd) }
}

/// Marks every descriptor from 3 on to be closed when another program is executed.
pub(crate) fn close_on_exec_from_3() {
    let Ok(open) = std::fs::read_dir("/dev/fd") else { return };
    for fd in open.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<RawFd>().ok()) {
        if fd >= 3 {
            // SAFETY: only used for this call; a descriptor that is already closed gives an error.
            let fd = unsafe { BorrowedFd::borrow_raw(fd) };
            let _ = rustix::io::fcntl_setfd(fd, rustix::io::FdFlags::CLOEXEC);
        }
    }
}
