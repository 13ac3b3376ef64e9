//! A file that something is going to be written into at the end: that it can be is found out before anything is played.

use std::cell::Cell;
use std::fs::{self, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::exit::CommandError;
use super::records::SQLITE;

/// A file that was tried. A new one is taken away again at once, so that it is nowhere taken for what it is not yet; one that was
/// there stays as it is until it is written over.
pub(crate) struct OutFile {
    path: PathBuf,
    /// What it is for, such as "the grades".
    what: &'static str,
    is_new: bool,
    is_written: Cell<bool>,
    /// Whether it is somebody else's.
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

    /// What somebody wrote into it before, a letter or a list that was worked on: not to be written over by mistake.
    pub(crate) fn refuse_to_replace(&self, how: &str) -> Result<(), CommandError> {
        if self.is_new || head(&self.path, 1).is_empty() {
            return Ok(());
        }
        let (path, what) = (self.path.display(), self.what);
        Err(CommandError::usage(format!(
            "{path} is there already, and {what} would be written over it: name another file, or {how}"
        )))
    }

    /// Refuses a file that holds anything but what was written into it before: a slip of the pen may have named the source of a
    /// bot. `is_alike` knows by its head what leyden wrote.
    pub(crate) fn refuse_others(&self, is_alike: impl Fn(&str) -> bool) -> Result<(), CommandError> {
        let head = head(&self.path, LONGEST_HEAD);
        if head.is_empty() || is_alike(&String::from_utf8_lossy(&head)) {
            return Ok(());
        }
        let (path, what) = (self.path.display(), self.what);
        Err(CommandError::usage(format!(
            "{path} holds something else, and {what} would be written over it: name another file, or take that one away"
        )))
    }

    /// Writes something that is not all it should be, beside the file. Returns where, in words.
    pub(crate) fn write_part(&self, text: &str) -> Result<String, CommandError> {
        let beside = self.part();
        may_be_replaced(&beside, self.what)?;
        fs::write(&beside, text).map_err(|error| unwritable(&beside, self.what, &error))?;
        let stays = if head(&self.path, 1).is_empty() {
            String::new()
        } else {
            format!(" ({} stays as it is)", self.path.display())
        };
        Ok(format!("{}{stays}", beside.display()))
    }

    /// Takes away the part that was written beside it before it was whole, if there is one.
    pub(crate) fn remove_part(&self) {
        let _ = fs::remove_file(self.part()); // mostly there is none
    }

    /// Where a part of it is written: `NAME.part.EXT`.
    fn part(&self) -> PathBuf {
        let mut name = self.path.file_stem().unwrap_or_default().to_owned();
        name.push(".part");
        if let Some(extension) = self.path.extension() {
            name.push(".");
            name.push(extension);
        }
        self.path.with_file_name(name)
    }

    /// Whether there was no file of this name.
    pub(crate) fn is_new(&self) -> bool {
        self.is_new
    }

    /// Writes all of it.
    pub(crate) fn write(&self, text: &str) -> Result<(), CommandError> {
        may_be_replaced(&self.path, self.what)?;
        fs::write(&self.path, text).map_err(|error| unwritable(&self.path, self.what, &error))?;
        self.is_written.set(true);
        Ok(())
    }

    /// Writes something else where nothing was written, and says whether there is something now. A file with content is written
    /// over only where its head `is_alike`.
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

    /// Refuses a path that leads to the same file, where something else is going to be kept: nothing is written here then.
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

/// A path without links and dots, whether there is a file of this name or only the folder for it.
fn whole(path: &Path) -> Option<PathBuf> {
    let folder =
        || path.parent().map(|parent| if parent.as_os_str().is_empty() { Path::new(".") } else { parent });
    path.canonicalize().ok().or_else(|| Some(folder()?.canonicalize().ok()?.join(path.file_name()?)))
}

fn unwritable(path: &Path, what: &str, error: &io::Error) -> CommandError {
    CommandError::of_file(format_args!("cannot write {what} to {}: {error}", path.display()), error)
}

/// Refuses to write over a results file. What is not there, or is anything else, may be replaced.
fn may_be_replaced(path: &Path, what: &str) -> Result<(), CommandError> {
    if head(path, SQLITE.len() as u64) == SQLITE {
        return Err(CommandError::usage(format!(
            "{} is a results file: name another file for {what}",
            path.display()
        )));
    }
    Ok(())
}

/// In so many bytes a file shows of what kind it is.
const LONGEST_HEAD: u64 = 1024;

/// The first bytes of a file, as many as there are. Nothing but a regular file is looked into: a pipe would be waited for.
fn head(path: &Path, most: u64) -> Vec<u8> {
    let mut head = Vec::new();
    if path.metadata().is_ok_and(|meta| meta.is_file()) {
        let read = fs::File::open(path).map(|file| file.take(most));
        let _ = read.and_then(|mut file| file.read_to_end(&mut head)); // what cannot be read is found out by writing
    }
    head
}
