//! A file that is written at the end of a run; whether it can be written is checked before anything is played.

use std::cell::Cell;
use std::fs::{self, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::exit::CommandError;
use leyden_arena::record::source::SQLITE;

/// A file that can be written. The check removes a new file at once, so that it is not mistaken for a result; an existing one stays
/// unchanged until it is overwritten.
pub(crate) struct OutFile {
    path: PathBuf,
    /// What it holds, such as "the grades".
    what: &'static str,
    is_new: bool,
    is_written: Cell<bool>,
    /// Whether it is left to another writer.
    is_left: Cell<bool>,
}

impl OutFile {
    pub(crate) fn at(path: &Path, what: &'static str) -> Result<Self, CommandError> {
        may_be_replaced(path, what)?;
        let unwritable = |error| unwritable(path, what, &error);
        let is_new = match OpenOptions::new().write(true).create_new(true).open(path) {
            Ok(_) => {
                fs::remove_file(path).map_err(unwritable)?;
                true
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                OpenOptions::new().append(true).open(path).map_err(unwritable)?;
                false
            }
            Err(error) => return Err(unwritable(error)),
        };
        Ok(Self {
            path: path.to_owned(),
            what,
            is_new,
            is_written: Cell::new(false),
            is_left: Cell::new(false),
        })
    }

    /// Refuses a file with content, which may have been edited since: it must not be overwritten by mistake.
    pub(crate) fn refuse_to_replace(&self, how: &str) -> Result<(), CommandError> {
        if self.is_new || head(&self.path, 1).is_empty() {
            return Ok(());
        }
        let (path, what) = (self.path.display(), self.what);
        Err(CommandError::usage(format!(
            "{path} already exists, and {what} would overwrite it: name another file, or {how}"
        )))
    }

    /// Refuses a file that leyden did not write before: a typo may have named a bot's source. `is_alike` recognises leyden's output
    /// by its head.
    pub(crate) fn refuse_others(&self, is_alike: impl Fn(&str) -> bool) -> Result<(), CommandError> {
        let head = head(&self.path, LONGEST_HEAD);
        if head.is_empty() || is_alike(&String::from_utf8_lossy(&head)) {
            return Ok(());
        }
        let (path, what) = (self.path.display(), self.what);
        Err(CommandError::usage(format!(
            "{path} holds something else, and {what} would overwrite it: name another file, or remove that one"
        )))
    }

    /// Writes a partial result beside the file. Returns where, in words.
    pub(crate) fn write_part(&self, text: &str) -> Result<String, CommandError> {
        let beside = self.part();
        may_be_replaced(&beside, self.what)?;
        fs::write(&beside, text).map_err(|error| unwritable(&beside, self.what, &error))?;
        let stays = if head(&self.path, 1).is_empty() {
            String::new()
        } else {
            format!(" ({} is unchanged)", self.path.display())
        };
        Ok(format!("{}{stays}", beside.display()))
    }

    /// Removes the partial result beside it, if there is one.
    pub(crate) fn remove_part(&self) {
        let _ = fs::remove_file(self.part()); // usually there is none
    }

    /// Returns the path of the partial result: `NAME.part.EXT`.
    fn part(&self) -> PathBuf {
        let mut name = self.path.file_stem().unwrap_or_default().to_owned();
        name.push(".part");
        if let Some(extension) = self.path.extension() {
            name.push(".");
            name.push(extension);
        }
        self.path.with_file_name(name)
    }

    /// Returns whether no file of this name existed.
    pub(crate) fn is_new(&self) -> bool {
        self.is_new
    }

    /// Writes the whole text.
    pub(crate) fn write(&self, text: &str) -> Result<(), CommandError> {
        may_be_replaced(&self.path, self.what)?;
        fs::write(&self.path, text).map_err(|error| unwritable(&self.path, self.what, &error))?;
        self.is_written.set(true);
        Ok(())
    }

    /// Writes a substitute if the file was not written, and returns whether the file holds something now. A file with content is
    /// overwritten only if its head `is_alike`.
    pub(crate) fn write_instead(
        &self,
        text: &str,
        is_alike: impl Fn(&[u8]) -> bool,
    ) -> Result<bool, CommandError> {
        if self.is_written.get() {
            return Ok(true);
        }
        let head = head(&self.path, LONGEST_HEAD);
        if self.is_left.get() || !head.is_empty() && !is_alike(&head) {
            return Ok(false);
        }
        self.write(text).map(|()| true)
    }

    /// Leaves the path to the results. Refuses if it leads to the same file.
    pub(crate) fn leave_to(&self, other: &Path) -> Result<(), CommandError> {
        let is_same = self.path == other || whole(&self.path).is_some_and(|path| Some(path) == whole(other));
        self.is_left.set(is_same);
        if is_same {
            let (path, what) = (self.path.display(), self.what);
            return Err(CommandError::usage(format!(
                "{path} cannot be both the results file and {what}: name two files"
            )));
        }
        Ok(())
    }
}

/// Returns a path without links and dots, for an existing file or a new one in an existing folder.
fn whole(path: &Path) -> Option<PathBuf> {
    let folder =
        || path.parent().map(|parent| if parent.as_os_str().is_empty() { Path::new(".") } else { parent });
    path.canonicalize().ok().or_else(|| Some(folder()?.canonicalize().ok()?.join(path.file_name()?)))
}

fn unwritable(path: &Path, what: &str, error: &io::Error) -> CommandError {
    CommandError::for_file(format_args!("cannot write {what} to {}: {error}", path.display()), error)
}

/// Refuses to overwrite a results file. A missing file, or any other, may be replaced.
fn may_be_replaced(path: &Path, what: &str) -> Result<(), CommandError> {
    if head(path, SQLITE.len() as u64) == SQLITE {
        return Err(CommandError::usage(format!(
            "{} is a results file: name another file for {what}",
            path.display()
        )));
    }
    Ok(())
}

/// How many bytes of a file show its kind.
const LONGEST_HEAD: u64 = 1024;

/// Returns the first bytes of a file, at most this many. Reads only regular files: a pipe would block.
fn head(path: &Path, most: u64) -> Vec<u8> {
    let mut head = Vec::new();
    if path.metadata().is_ok_and(|meta| meta.is_file()) {
        let read = fs::File::open(path).map(|file| file.take(most));
        let _ = read.and_then(|mut file| file.read_to_end(&mut head)); // an unreadable file is noticed when it is written
    }
    head
}
