//! Changing what may be done through a mount, by a descriptor of it or by its path, with all mounts below it if requested.

use std::ffi::CStr;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};

use rustix::mount::MountAttrFlags;

/// `struct mount_attr` of the kernel, in its first version.
#[repr(C)]
struct MountAttributes {
    set: u64,
    clear: u64,
    propagation: u64,
    user_namespace: u64,
}

/// Adds attributes to the mount that a descriptor refers to, and to all below it.
pub(crate) fn add_to_all(mount: BorrowedFd<'_>, attributes: MountAttrFlags) -> io::Result<()> {
    let flags = libc::AT_EMPTY_PATH | AT_RECURSIVE;
    add(mount.as_raw_fd(), c"", flags, attributes)
}

/// Adds attributes to the mount at an absolute path, and to none below it.
pub(crate) fn add_to(mount: &CStr, attributes: MountAttrFlags) -> io::Result<()> {
    add(libc::AT_FDCWD, mount, libc::AT_SYMLINK_NOFOLLOW, attributes)
}

const AT_RECURSIVE: libc::c_int = 0x8000;

fn add(at: libc::c_int, path: &CStr, flags: libc::c_int, attributes: MountAttrFlags) -> io::Result<()> {
    let change =
        MountAttributes { set: attributes.bits().into(), clear: 0, propagation: 0, user_namespace: 0 };
    // SAFETY: reads a C string and the structure of this size.
    let done = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            at,
            path.as_ptr(),
            flags,
            &raw const change,
            size_of::<MountAttributes>(),
        )
    };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
