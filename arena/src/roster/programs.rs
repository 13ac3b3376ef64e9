//! Where the program of a command is. Runs nothing.

use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Where a program is: a path (relative to the folder) or a name on the search path.
pub(super) fn locate(program: &Path, folder: Option<&Path>) -> Option<PathBuf> {
    if program.components().count() > 1 {
        let path = folder.map_or_else(|| program.to_owned(), |folder| folder.join(program));
        return path.canonicalize().ok().filter(|path| runnable(path));
    }
    on_path(program, &std::env::var_os("PATH")?)
}

/// Whether a program of this name is found on the search path.
pub fn is_on_path(program: &str) -> bool {
    std::env::var_os("PATH").is_some_and(|search| on_path(Path::new(program), &search).is_some())
}

pub(super) fn on_path(program: &Path, search: &OsStr) -> Option<PathBuf> {
    std::env::split_paths(search).map(|place| place.join(program)).find(|path| runnable(path))
}

fn runnable(path: &Path) -> bool {
    path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}
