//! Finds the program of a command. Runs no programs.

use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use leyden_host::{BotCommand, why_unrunnable};

use super::content::is_executable;
use super::plain_names::MANIFEST;
use super::single_file_hint::{self, is_interpreter};

/// Finds a program by a path, relative to the folder, or by a name on the search path.
pub(super) fn locate(program: &Path, folder: Option<&Path>) -> Option<PathBuf> {
    if program.components().count() > 1 {
        let path = folder.map_or_else(|| program.to_owned(), |folder| folder.join(program));
        return path.canonicalize().ok().filter(|path| is_runnable(path));
    }
    on_path(program, &std::env::var_os("PATH")?)
}

/// Whether a program of this name is on the search path.
pub fn is_on_path(program: &str) -> bool {
    std::env::var_os("PATH").is_some_and(|search| on_path(Path::new(program), &search).is_some())
}

pub(super) fn on_path(program: &Path, search: &OsStr) -> Option<PathBuf> {
    std::env::split_paths(search).map(|folder| folder.join(program)).find(|path| is_runnable(path))
}

/// Says why a program that exists cannot be run, if that is so.
pub(super) fn why_not(program: &Path, folder: Option<&Path>) -> Option<String> {
    let path = folder.map_or_else(|| program.to_owned(), |folder| folder.join(program));
    if program.components().count() > 1 {
        let shown = |path: &Path| path.display().to_string();
        return why_unrunnable(&path, &shown).map(|why| why.to_string());
    }
    let lies_there = folder.is_some() && path.is_file();
    lies_there.then(|| {
        let name = program.display();
        format!("{name} is in its folder, but a bare name is looked up on the search path: write ./{name} in its {MANIFEST}")
    })
}

/// Says what to do if the program of a command is missing.
pub(super) fn remedy(command: &BotCommand) -> String {
    if command.folder.is_none() {
        return "install it, or correct the command line".to_owned();
    }
    let words = shlex::split(&command.program.to_string_lossy()).filter(|words| words.len() > 1);
    match words.filter(|_| command.arguments.is_empty()) {
        Some(words) => {
            format!("put each word in its own quotes: write command = {words:?} in its {MANIFEST}")
        }
        None => match single_file_hint::build_line(&command.program, command.folder.as_deref()) {
            Some(line) => format!("its source text has to be compiled: write {line} in its {MANIFEST}"),
            None => format!("install it, or correct the command in its {MANIFEST}"),
        },
    }
}

/// Says why an interpreter, under the name `called`, cannot find the script that a command names, if that is so.
pub(super) fn lacks_script(called: &str, command: &BotCommand) -> Option<String> {
    let script = Path::new(command.arguments.first()?);
    let folder = command.folder.as_deref();
    let path = folder.map_or_else(|| script.to_owned(), |folder| folder.join(script));
    if !is_interpreter(Path::new(called)) || !single_file_hint::is_script(script) || path.exists() {
        return None;
    }
    let shown = script.display();
    let Some(folder) = folder else {
        return Some(format!("there is no file {shown} here, where its command line runs"));
    };
    let name = script.file_name()?;
    let meant = folder.join(name).is_file().then(|| format!("; write {:?}", name.to_string_lossy()));
    Some(format!(
        "commands run in the bot's own folder, and there is no {shown} in it{}",
        meant.unwrap_or_default()
    ))
}

/// Whether two words that were typed are one command line without quotes: an interpreter and the file to run.
pub(super) fn lacks_quotes(one: &str, two: &str) -> Option<(String, String)> {
    let (program, file) = (Path::new(one), Path::new(two));
    let is_name = program.components().count() == 1 && !program.exists() && locate(program, None).is_some();
    let lacks = is_name && file.is_file() && (is_interpreter(program) || !is_runnable(file));
    lacks.then(|| (one.to_owned(), two.to_owned()))
}

/// Whether a path is that of a file which is marked as executable.
pub(super) fn is_runnable(path: &Path) -> bool {
    path.metadata().is_ok_and(|meta| meta.is_file() && is_executable(meta.permissions().mode()))
}
