//! Temporary folders. They are removed when dropped; those of a killed arena are removed when the next arena creates
//! its first folder under the same path.
//!
//! A folder `leyden-tmp-…` in the system's temporary folder contains a file [`LOCK`], which is locked before the folder
//! gets that name, and for as long as its arena lives. So a folder whose lock is free is left over, no matter what its
//! process number is. The lock file holds the device and inode number of its folder, so an unpacked copy of such a folder
//! is not removed.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read, Write};
#[cfg(target_os = "linux")]
use std::os::fd::AsRawFd;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

#[cfg(target_os = "linux")]
use rustix::fs::chmod;
#[cfg(not(target_os = "linux"))]
use rustix::fs::chmodat;
use rustix::fs::{
    AtFlags, CWD, Dir, FileType, FlockOperation, Mode, OFlags, fchmod, flock, openat, renameat, statat,
    unlinkat,
};
use rustix::io::Errno;
use tempfile::TempDir;

const PREFIX: &str = "leyden-tmp-";

/// The file that says whether a folder is still needed.
const LOCK: &str = ".leyden-lock";

/// The subfolder that is handed out.
const FILES: &str = "files";

/// A folder that is removed when it is dropped. Nobody else may write to it.
#[derive(Debug)]
pub struct Temporary {
    around: TempDir,
    _lock: File,
}

impl Temporary {
    /// Creates a new folder among the system's temporary files that only this user can read.
    pub fn private() -> io::Result<Self> {
        Self::make(&std::env::temp_dir(), 0o700)
    }

    /// Creates a folder that every user may read, as a bot must where root runs the arena.
    pub fn readable() -> io::Result<Self> {
        Self::readable_in(&std::env::temp_dir())
    }

    /// The same in a given folder.
    pub fn readable_in(parent: &Path) -> io::Result<Self> {
        Self::make(parent, 0o755)
    }

    fn make(parent: &Path, mode: u32) -> io::Result<Self> {
        static TIDY: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
        if TIDY.lock().is_ok_and(|mut tidy| tidy.insert(parent.to_owned())) {
            remove_left(parent);
        }
        parent.metadata()?;
        // The error omits the name of a folder that nobody chose.
        let around =
            tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent).map_err(|error| error.kind())?;
        let draft = around.path().join(".lock");
        let mut lock = File::create_new(&draft)?;
        lock.write_all(name_of(&around.path().metadata()?).as_bytes())?;
        flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
        fs::rename(&draft, around.path().join(LOCK))?;
        let temporary = Self { around, _lock: lock };
        fs::create_dir(temporary.path())?;
        for folder in [&temporary.path(), temporary.around.path()] {
            fs::set_permissions(folder, fs::Permissions::from_mode(mode))?;
        }
        Ok(temporary)
    }

    /// Whether a folder around such a folder may be called so.
    pub fn is_name(name: &OsStr) -> bool {
        name.as_encoded_bytes().starts_with(PREFIX.as_bytes())
    }

    /// Returns the folder, which is empty at first.
    pub fn path(&self) -> PathBuf {
        self.around.path().join(FILES)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = remove_closed(self.around.path());
    }
}

/// Removes a folder with all that is in it: also folders that a bot of this user has closed, or put into one another so often that
/// no path reaches the last, and going down to it would take all file descriptors. Of a link, also in place of the folder, the
/// link alone is removed. Call it when no process of the bot runs any more.
pub fn remove_closed(folder: &Path) -> io::Result<()> {
    if !folder.symlink_metadata()?.is_dir() {
        return fs::remove_file(folder);
    }
    let top = open_folder(CWD, folder.as_os_str())?;
    let mut number = 0_u64;
    loop {
        let (folders, files) = entries(&top)?;
        for file in files {
            // It goes last, because a temporary folder is known by it.
            if folders.is_empty() || file != LOCK {
                unlinkat(&top, file, AtFlags::empty())?;
            }
        }
        if folders.is_empty() {
            return fs::remove_dir(folder);
        }
        for name in folders {
            let inner = open_folder(&top, &name)?;
            let (folders, files) = entries(&inner)?;
            files.iter().try_for_each(|file| unlinkat(&inner, file, AtFlags::empty()))?;
            // What is deeper moves up.
            for deeper in folders {
                open_folder(&inner, &deeper)?; // the system writes its new parent into it
                while statat(&top, number.to_string(), AtFlags::SYMLINK_NOFOLLOW).is_ok() {
                    number += 1;
                }
                match renameat(&inner, &deeper, &top, number.to_string()) {
                    // A layer of a container's file system is not moved; no bot writes there.
                    Err(Errno::XDEV) => return fs::remove_dir_all(folder),
                    moved => moved?,
                }
            }
            unlinkat(&top, &name, AtFlags::REMOVEDIR)?;
        }
    }
}

/// Opens a folder, which is no link, and lets this user read and change it.
fn open_folder(parent: impl AsFd, name: &OsStr) -> io::Result<OwnedFd> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let open = || openat(&parent, name, flags, Mode::empty());
    let folder = match open() {
        Err(Errno::ACCESS) => {
            #[cfg(target_os = "linux")]
            {
                let closed = openat(&parent, name, flags | OFlags::PATH, Mode::empty())?;
                chmod(format!("/proc/self/fd/{}", closed.as_raw_fd()), Mode::RWXU)?;
            }
            #[cfg(not(target_os = "linux"))]
            chmodat(&parent, name, Mode::RWXU, AtFlags::empty())?;
            open()?
        }
        folder => folder?,
    };
    let _ = fchmod(&folder, Mode::RWXU); // an empty one of another user can be removed
    Ok(folder)
}

/// The names of the folders in a folder, and those of everything else.
fn entries(folder: &OwnedFd) -> io::Result<(Vec<OsString>, Vec<OsString>)> {
    let (mut folders, mut files) = (Vec::new(), Vec::new());
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = OsStr::from_bytes(entry.file_name().to_bytes());
        if [".", ".."].contains(&&*name.to_string_lossy()) {
            continue;
        }
        let found = match statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
            Err(Errno::NOENT) => continue, // somebody else removes it as well
            found => found?,
        };
        let kind = FileType::from_raw_mode(found.st_mode);
        if kind == FileType::Directory { &mut folders } else { &mut files }.push(name.to_owned());
    }
    Ok((folders, files))
}

/// Removes folders that killed arenas of this user have left. Folders that cannot be removed stay.
fn remove_left(parent: &Path) {
    let user = rustix::process::geteuid().as_raw();
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let is_ours = entry.metadata().is_ok_and(|meta| meta.is_dir() && meta.uid() == user);
        if is_ours && entry.file_name().to_string_lossy().starts_with(PREFIX) && is_left(&entry.path()) {
            let _ = remove_closed(&entry.path());
        }
    }
}

/// Returns a name that no other folder of the machine has at this moment.
fn name_of(folder: &fs::Metadata) -> String {
    format!("{}:{}", folder.dev(), folder.ino())
}

/// Whether a folder was created here and is no longer needed.
fn is_left(folder: &Path) -> bool {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let lock = File::options().read(true).custom_flags(flags.bits() as i32).open(folder.join(LOCK));
    let Ok(lock) = lock else { return false };
    let mut said = String::new();
    let read = (&lock).take(64).read_to_string(&mut said);
    let is_its_own = read.is_ok() && folder.symlink_metadata().is_ok_and(|meta| name_of(&meta) == said);
    is_its_own && flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cleanup_removes_only_folders_of_dead_arenas() {
        let parent = tempfile::tempdir().unwrap();
        let parent = parent.path();
        let alive = Temporary::readable_in(parent).unwrap();
        fs::write(alive.path().join("file"), "x").unwrap();
        // As with SIGKILL: the lock disappears with the process, the folder stays.
        let dead = Temporary::readable_in(parent).unwrap();
        fs::write(dead.path().join("file"), "x").unwrap();
        let Temporary { around, _lock: lock } = &dead;
        let left = around.path().to_owned();
        flock(lock, FlockOperation::Unlock).unwrap();
        std::mem::forget(dead);
        // Someone has unpacked another arena's leftover, or imitated one.
        let others = ["leyden-tmp-results", "leyden-tmp-forged", "other"].map(|name| parent.join(name));
        for folder in &others {
            fs::create_dir(folder).unwrap();
        }
        for folder in &others[1..] {
            fs::copy(left.join(LOCK), folder.join(LOCK)).unwrap();
        }
        std::os::unix::fs::symlink(&left, parent.join("leyden-tmp-link")).unwrap();
        remove_left(parent);
        assert!(!left.exists());
        assert!(alive.path().join("file").exists());
        assert!(others.iter().all(|folder| folder.exists()));
        let path = alive.path();
        drop(alive);
        assert!(!path.parent().unwrap().exists());
    }

    #[test]
    fn temporary_folder_permissions_follow_its_constructor() {
        let (open, private) = (Temporary::readable().unwrap(), Temporary::private().unwrap());
        for (temporary, mode) in [(&open, 0o755), (&private, 0o700)] {
            for folder in [&temporary.path(), temporary.path().parent().unwrap()] {
                assert_eq!(folder.metadata().unwrap().permissions().mode() & 0o777, mode);
            }
        }
    }
}
