//! Carries out a [`View`]: gives this process, in a mount namespace of its own, a new root with nothing but what the view says.
//!
//! Everything of the old root is opened first, as copies of mounts that are nowhere yet. Then the old root is gone, and only then are they put
//! where they belong: no path is resolved in both, so no link and no `..` leads from the new root to the old one.

use std::ffi::CStr;
use std::fs;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt, symlink};
use std::path::Path;

use rustix::fs::CWD;
use rustix::mount::{
    FsMountFlags, FsOpenFlags, MountAttrFlags, MountPropagationFlags, MoveMountFlags, OpenTreeFlags,
    UnmountFlags, fsconfig_create, fsconfig_set_string, fsmount, fsopen, mount_change, move_mount, open_tree,
    unmount,
};

use super::view::{SCRATCH, View, ViewEntry};
use crate::platform::mount_attributes;
use crate::start_error::StartError;

const READ_ONLY: MountAttrFlags = MountAttrFlags::MOUNT_ATTR_RDONLY;
const NO_PROGRAMS: MountAttrFlags = MountAttrFlags::MOUNT_ATTR_NOEXEC;

/// Neither programs that change the user nor device files.
const PLAIN: MountAttrFlags = MountAttrFlags::MOUNT_ATTR_NOSUID.union(MountAttrFlags::MOUNT_ATTR_NODEV);

/// The device files that programs expect.
const DEVICES: [&str; 6] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"];

const DEVICE_LINKS: [(&str, &str); 6] = [
    ("/proc/self/fd", "/dev/fd"),
    ("/proc/self/fd/0", "/dev/stdin"),
    ("/proc/self/fd/1", "/dev/stdout"),
    ("/proc/self/fd/2", "/dev/stderr"),
    ("/proc/kcore", "/dev/core"),
    ("pts/ptmx", "/dev/ptmx"),
];

/// A copy of a mount that is nowhere yet, and where it belongs.
struct Loose<'a> {
    mount: OwnedFd,
    at: &'a Path,
}

/// Gives this process the new root. `/proc` is writable until [`close_proc`].
pub(super) fn enter(view: &View) -> Result<(), StartError> {
    // From now on nothing that is mounted outside appears here, and nothing that is mounted here outside.
    let private = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    mount_change("/", private).map_err(failed("making all mounts private"))?;
    let size = view.scratch.to_string();
    let root = new("tmpfs", &[("mode", "0755")], PLAIN)?;
    // The kernel allows a new /proc only to who sees the whole of another one.
    let proc = Loose { mount: new("proc", &[], PLAIN | NO_PROGRAMS)?, at: Path::new("/proc") };
    let terminals = new(
        "devpts",
        &[("ptmxmode", "0666"), ("mode", "0620")],
        MountAttrFlags::MOUNT_ATTR_NOSUID | NO_PROGRAMS,
    )?;
    let terminals = Loose { mount: terminals, at: Path::new("/dev/pts") };
    let scratch = |at| {
        new("tmpfs", &[("mode", "1777"), ("size", &size)], PLAIN)
            .map(|mount| Loose { mount, at: Path::new(at) })
    };
    let scratch: Vec<Loose<'_>> = SCRATCH.into_iter().map(scratch).collect::<Result<_, _>>()?;
    let devices = DEVICES.iter().map(|device| {
        let closed = READ_ONLY | NO_PROGRAMS | MountAttrFlags::MOUNT_ATTR_NOSUID;
        copy(Path::new(device), closed)
    });
    let devices: Vec<Loose<'_>> = devices.collect::<Result<_, _>>()?;
    let (system, own) = (opened(&view.system)?, opened(&view.own)?);
    leave_for(&root)?;
    let umask = rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o022));
    put_all(&view.system, system)?;
    for mount in std::iter::once(proc).chain(devices).chain([terminals]) {
        mount.put()?;
    }
    for (to, at) in DEVICE_LINKS {
        symlink(to, at).map_err(|error| StartError::host(&format!("the link {at}"), &error))?;
    }
    for mount in scratch {
        mount.put()?;
    }
    put_all(&view.own, own)?;
    rustix::process::umask(umask);
    seal(c"/", READ_ONLY)
}

/// Makes `/proc` read-only.
pub(super) fn close_proc() -> Result<(), StartError> {
    seal(c"/proc", READ_ONLY)
}

fn failed(what: &'static str) -> impl Fn(rustix::io::Errno) -> StartError {
    move |errno| StartError::host(what, &errno.into())
}

fn seal(at: &CStr, attributes: MountAttrFlags) -> Result<(), StartError> {
    mount_attributes::add_to(at, attributes)
        .map_err(|error| StartError::host(&format!("making {} read-only", at.to_string_lossy()), &error))
}

/// Creates a file system that is mounted nowhere yet.
fn new(kind: &str, options: &[(&str, &str)], attributes: MountAttrFlags) -> Result<OwnedFd, StartError> {
    let created = || {
        let context = fsopen(kind, FsOpenFlags::FSOPEN_CLOEXEC)?;
        for (key, value) in options {
            fsconfig_set_string(context.as_fd(), *key, *value)?;
        }
        fsconfig_create(context.as_fd())?;
        fsmount(context.as_fd(), FsMountFlags::FSMOUNT_CLOEXEC, attributes)
    };
    created().map_err(|errno| StartError::host(&format!("mounting a new {kind}"), &errno.into()))
}

/// Copies the mount at a path of the old root, with all below it.
fn copy(path: &Path, attributes: MountAttrFlags) -> Result<Loose<'_>, StartError> {
    let flags =
        OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC | OpenTreeFlags::AT_RECURSIVE;
    let copied = open_tree(CWD, path, flags).map_err(io::Error::from);
    let copied = copied.and_then(|mount| {
        mount_attributes::add_to_all(mount.as_fd(), attributes)?;
        Ok(Loose { mount, at: path })
    });
    copied.map_err(|error| StartError::host(&format!("showing {}", path.display()), &error))
}

/// The copies for the shown among these entries, in their order.
fn opened(entries: &[ViewEntry]) -> Result<Vec<Loose<'_>>, StartError> {
    let shown = entries.iter().filter_map(|entry| match entry {
        ViewEntry::Shown { path, writable: true } => Some(copy(path, PLAIN)),
        ViewEntry::Shown { path, writable: false } => Some(copy(path, PLAIN | READ_ONLY)),
        ViewEntry::Folder(_) | ViewEntry::Link { .. } => None,
    });
    shown.collect()
}

/// Makes an empty file system the root, and lets the old root go.
fn leave_for(root: &OwnedFd) -> Result<(), StartError> {
    // Where it is mounted matters for a moment only; this folder is everywhere.
    move_mount(root, "", CWD, "/proc", MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH)
        .map_err(failed("mounting a root"))?;
    rustix::process::fchdir(root).map_err(failed("entering the new root"))?;
    rustix::process::pivot_root(".", ".").map_err(failed("changing the root"))?;
    // The old root now lies on the new one.
    unmount(".", UnmountFlags::DETACH).map_err(failed("leaving the old root"))?;
    rustix::process::chdir("/").map_err(failed("entering the new root"))
}

fn put_all(entries: &[ViewEntry], copies: Vec<Loose<'_>>) -> Result<(), StartError> {
    let mut copies = copies.into_iter();
    for entry in entries {
        match entry {
            ViewEntry::Folder(path) => folders(path).map_err(|error| not_placed(path, &error))?,
            ViewEntry::Link { at, to } => symlink(to, at).map_err(|error| not_placed(at, &error))?,
            ViewEntry::Shown { .. } => copies.next().map_or(Ok(()), Loose::put)?,
        }
    }
    Ok(())
}

fn not_placed(path: &Path, error: &io::Error) -> StartError {
    StartError::host(&format!("showing {}", path.display()), error)
}

impl Loose<'_> {
    /// Mounts it where it belongs, and creates what that takes.
    fn put(self) -> Result<(), StartError> {
        let put = || {
            folders(self.at.parent().unwrap_or(self.at))?;
            if is_folder(&self.mount)? {
                folders(self.at)?;
            } else if !self.at.exists() {
                fs::File::create(self.at)?.set_permissions(fs::Permissions::from_mode(0o444))?;
            }
            Ok(move_mount(&self.mount, "", CWD, self.at, MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH)?)
        };
        put().map_err(|error: io::Error| not_placed(self.at, &error))
    }
}

fn is_folder(mount: &OwnedFd) -> io::Result<bool> {
    let found = rustix::fs::fstat(mount)?;
    Ok(rustix::fs::FileType::from_raw_mode(found.st_mode).is_dir())
}

/// Creates a folder and those on the way to it, for all users.
fn folders(path: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o755).create(path)
}
