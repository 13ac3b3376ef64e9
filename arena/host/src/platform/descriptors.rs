//! Descriptors inherited by a process.

use std::io;
use std::os::fd::{BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::path::Path;

/// Takes over a descriptor whose number was passed on the command line.
pub(crate) fn take_inherited(fd: RawFd) -> OwnedFd {
    // SAFETY: called once, by a process that was started with this descriptor for this purpose and has opened no other.
    unsafe { OwnedFd::from_raw_fd(fd) }
}

/// Marks every descriptor from 3 on to be closed when another program is executed. Fails if one may have been missed.
pub(crate) fn close_on_exec_from_3() -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        const CLOSE_ON_EXEC: libc::c_uint = 4;
        // SAFETY: takes numbers; with this flag nothing is closed now.
        let marked =
            unsafe { libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, CLOSE_ON_EXEC) } == 0;
        let error = io::Error::last_os_error();
        // Kernels before 5.11 lack this call or this flag.
        if marked || !matches!(error.raw_os_error(), Some(libc::ENOSYS | libc::EINVAL)) {
            return if marked { Ok(()) } else { Err(error) };
        }
    }
    mark_each(Path::new("/dev/fd"))
}

/// Closes every descriptor from this number on.
#[cfg(target_os = "linux")]
pub(crate) fn close_from(first: RawFd) -> io::Result<()> {
    // SAFETY: takes numbers. Only for a child that goes on with its parent's code: what owned these descriptors is the parent's, and the
    // child never drops it.
    let closed = unsafe { libc::syscall(libc::SYS_close_range, first, libc::c_uint::MAX, 0) };
    if closed == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Makes a descriptor the one with this number, which stays open when another program is executed.
#[cfg(target_os = "linux")]
pub(crate) fn put(descriptor: &impl std::os::fd::AsFd, number: RawFd) -> io::Result<OwnedFd> {
    use std::os::fd::AsRawFd;
    // SAFETY: takes numbers. Only for a child that goes on with its parent's code: what owned that number is the parent's, and the child never
    // drops it. From here on nobody else owns it.
    let put = unsafe { libc::dup2(descriptor.as_fd().as_raw_fd(), number) };
    if put < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: as above.
    Ok(unsafe { OwnedFd::from_raw_fd(number) })
}

/// The same one by one, for the open descriptors that the system lists in this folder.
fn mark_each(list: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(list)? {
        let name = entry?.file_name();
        let fd = name.to_str().and_then(|name| name.parse::<RawFd>().ok());
        let fd = fd.ok_or_else(|| io::Error::other("the name of an open descriptor is not a number"))?;
        if fd >= 3 {
            // SAFETY: only used for this call; a descriptor that is already closed gives an error.
            let fd = unsafe { BorrowedFd::borrow_raw(fd) };
            match rustix::io::fcntl_setfd(fd, rustix::io::FdFlags::CLOEXEC) {
                Ok(()) | Err(rustix::io::Errno::BADF) => {} // the list's own descriptor is closed by now
                Err(error) => return Err(error.into()),
            }
        }
    }
    Ok(())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs::File;
    use std::os::fd::AsFd;

    use super::*;

    #[test]
    fn both_ways_mark_every_descriptor() {
        for mark in [close_on_exec_from_3, || mark_each(Path::new("/dev/fd"))] {
            let file = File::open("/dev/null").unwrap();
            rustix::io::fcntl_setfd(&file, rustix::io::FdFlags::empty()).unwrap();
            mark().unwrap();
            let flags = rustix::io::fcntl_getfd(file.as_fd()).unwrap();
            assert!(flags.contains(rustix::io::FdFlags::CLOEXEC));
        }
    }
    #[test]
    fn unreadable_descriptor_list_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        assert!(mark_each(&folder.path().join("gone")).is_err());
        File::create(folder.path().join("no-number")).unwrap();
        assert!(mark_each(&folder.path().join("no-number")).is_err(), "not a folder");
        assert!(mark_each(folder.path()).is_err(), "not a list of descriptors");
    }
}
