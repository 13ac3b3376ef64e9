//! Where the program of a command is. Runs nothing.

use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use leyden_host::why_unrunnable;

use super::plain_names::MANIFEST;

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

/// Why a program that is not found cannot be run, if it is there after all.
pub(super) fn why_not(program: &Path, folder: Option<&Path>) -> Option<String> {
    let path = folder.map_or_else(|| program.to_owned(), |folder| folder.join(program));
    if program.components().count() > 1 {
        return why_unrunnable(&path);
    }
    let lies_there = folder.is_some() && path.is_file();
    lies_there.then(|| {
        let name = program.display();
        format!("{name} lies in its folder, and a name alone is looked for on the search path: write ./{name} in its {MANIFEST}")
    })
}

/// Programs that run others' files, by the beginnings of their names.
const INTERPRETERS: [&str; 12] =
    ["python", "pypy", "node", "deno", "bun", "java", "ruby", "perl", "lua", "php", "sh", "bash"];

/// Whether two bots as they were typed are one command line without its quotes: an interpreter, and the file that it is to run.
pub(super) fn lacks_quotes(one: &str, two: &str) -> Option<(String, String)> {
    let (program, file) = (Path::new(one), Path::new(two));
    let is_name = program.components().count() == 1 && !program.exists() && locate(program, None).is_some();
    let runs_files = INTERPRETERS
        .iter()
        .any(|name| one.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.') == *name);
    let lacks = is_name && file.is_file() && (runs_files || !runnable(file));
    lacks.then(|| (one.to_owned(), two.to_owned()))
}

fn runnable(path: &Path) -> bool {
    path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}
