//! Ensures that only one arena writes to a results file at a time.
//!
//! The lock is an advisory `flock` on a sidecar, `<file>-lock`, rather than on the results file itself: SQLite keeps POSIX
//! locks on that one. Some systems treat them as the same as `flock`, and a process loses them as soon as it closes *any*
//! descriptor of the file. The kernel releases the lock when its holder dies, however it dies.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::process::{Pid, test_kill_process};

use super::error::StoreError;

/// Held while an arena writes to a results file; released, and the sidecar removed, when dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    /// Takes the lock of a results file, which need not exist yet; the error says who holds it.
    pub(crate) fn take(results: &Path) -> Result<Self, StoreError> {
        let path =
            sidecar(results).map_err(|source| StoreError::io(results, "find the folder of", source))?;
        loop {
            let failed = |source| StoreError::io(&path, "create the lock", source);
            let mut file = OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .mode(0o600)
                // The name may lead to something that is not ours to write to, and opening a pipe must not block.
                .custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32)
                .open(&path)
                .map_err(failed)?;
            if !file.metadata().is_ok_and(|meta| meta.is_file()) {
                return Err(failed(io::Error::other(
                    "its name is taken by something that is not a regular file",
                )));
            }
            match flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => {}
                Err(rustix::io::Errno::WOULDBLOCK) => {
                    return Err(StoreError::InUse { path: results.to_owned(), holder: holder(&mut file) });
                }
                Err(error) => return Err(failed(error.into())),
            }
            // A former holder may have removed the name between our opening and locking: then this lock guards nothing.
            if names(&path, &file).map_err(failed)? {
                write_holder(&mut file).map_err(failed)?;
                return Ok(Self { path, _file: file });
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Removed while still held, so that nobody else's lock is removed. A leftover file is harmless.
        let _ = fs::remove_file(&self.path);
    }
}

/// Whether somebody writes to a results file now: whether the holder of its lock is alive. Takes no lock itself.
pub fn is_being_written(results: &Path) -> bool {
    let Ok(path) = sidecar(results) else { return false };
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32;
    let Ok(mut file) = OpenOptions::new().read(true).custom_flags(flags).open(path) else { return false };
    let holder = holder(&mut file).and_then(|pid| Pid::from_raw(i32::try_from(pid).ok()?));
    // Another user's process may not be signalled, but it is there.
    holder.is_some_and(|pid| !matches!(test_kill_process(pid), Err(rustix::io::Errno::SRCH)))
}

/// The sidecar of the file that a path leads to, with links resolved.
fn sidecar(results: &Path) -> io::Result<PathBuf> {
    let real = match results.canonicalize() {
        Ok(real) => real,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let folder = results.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new(".")).canonicalize()?;
            folder.join(results.file_name().ok_or(io::ErrorKind::InvalidInput)?)
        }
        Err(error) => return Err(error),
    };
    let mut name = OsString::from(real);
    name.push("-lock");
    Ok(name.into())
}

fn names(path: &Path, file: &File) -> io::Result<bool> {
    let held = file.metadata()?;
    match fs::symlink_metadata(path) {
        Ok(named) => Ok((named.dev(), named.ino()) == (held.dev(), held.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

fn write_holder(file: &mut File) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "{}", std::process::id())
}

fn holder(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.take(20).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn lock_symlink_is_refused_without_touching_its_target() {
        let folder = tempfile::tempdir().unwrap();
        let notes = folder.path().join("notes");
        fs::write(&notes, "mine").unwrap();
        let results = folder.path().join("r.db");
        std::os::unix::fs::symlink(&notes, folder.path().join("r.db-lock")).unwrap();
        let error = Lock::take(&results).unwrap_err();
        assert!(matches!(error, StoreError::Io { .. }), "{error}");
        assert_eq!(fs::read_to_string(&notes).unwrap(), "mine");
        assert!(folder.path().join("r.db-lock").is_symlink(), "not ours to remove");
    }

    use super::*;

    #[test]
    fn second_lock_is_refused_until_the_first_drops() {
        let folder = tempfile::tempdir().unwrap();
        let results = folder.path().join("r.db");
        let first = Lock::take(&results).unwrap();
        let refused = Lock::take(&results).unwrap_err();
        assert!(matches!(refused, StoreError::InUse { holder: Some(pid), .. } if pid == std::process::id()));
        assert!(is_being_written(&results));
        drop(first);
        assert!(!is_being_written(&results));
        assert!(fs::read_dir(&folder).unwrap().next().is_none(), "nothing is left behind");
        Lock::take(&results).unwrap();
    }

    #[test]
    fn link_to_the_file_shares_its_lock() {
        let folder = tempfile::tempdir().unwrap();
        let results = folder.path().join("r.db");
        fs::write(&results, "").unwrap();
        let link = folder.path().join("link.db");
        std::os::unix::fs::symlink(&results, &link).unwrap();
        let _first = Lock::take(&results).unwrap();
        assert!(matches!(Lock::take(&link), Err(StoreError::InUse { .. })));
    }

    #[test]
    fn lock_of_a_dead_holder_blocks_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let results = folder.path().join("r.db");
        // No system has a process with this number.
        fs::write(folder.path().join("r.db-lock"), "2147483647\n").unwrap();
        assert!(!is_being_written(&results));
        Lock::take(&results).unwrap();
    }

    #[test]
    fn missing_folder_is_reported() {
        let error = Lock::take(Path::new("/no/such/folder/r.db")).unwrap_err();
        assert!(error.to_string().contains("/no/such/folder/r.db"), "{error}");
    }
}
