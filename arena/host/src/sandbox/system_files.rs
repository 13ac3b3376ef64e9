//! The system's files that every bot may read: the folders of programs and libraries, and the few files of `/etc` that
//! interpreters need.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// The folders of programs and libraries. Everything there is readable by everyone on any system.
pub(super) const FOLDERS: [&str; 8] =
    ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/lib32", "/libx32", "/libexec"];

/// The search path inside a sandbox, for a program that is given by its name alone.
pub const SEARCH: &str = "/usr/local/bin:/usr/bin:/bin";

/// The few files and folders of `/etc` that loaders and interpreters read. None contains a secret.
const ETC: [&str; 7] =
    ["alternatives", "ld.so.cache", "localtime", "nsswitch.conf", "perl", "ssl/openssl.cnf", "timezone"];

/// Interpreters keep their settings in folders that have their version in the name.
const ETC_BEGINNINGS: [&str; 2] = ["java", "python3"];

/// Returns the readable part of `/etc` on this machine.
pub(super) fn etc() -> Vec<PathBuf> {
    let etc = Path::new("/etc");
    let begins = |name: &OsStr| {
        ETC_BEGINNINGS.iter().any(|start| name.as_encoded_bytes().starts_with(start.as_bytes()))
    };
    let versioned = fs::read_dir(etc).into_iter().flatten().flatten();
    let versioned =
        versioned.map(|entry| entry.file_name()).filter(|name| begins(name)).map(|name| etc.join(name));
    ETC.iter().map(|name| etc.join(name)).filter(|path| path.exists()).chain(versioned).collect()
}

/// Whether a bot may read this path in any sandbox, without asking.
pub fn is_part(path: &Path) -> bool {
    FOLDERS.iter().any(|folder| path.starts_with(folder))
}
