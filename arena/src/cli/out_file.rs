//! A file that something is going to be written into at the end: that it can be is found out before anything is played.

use std::cell::Cell;
use std::fs::{self, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::exit::Stop;
use super::records::SQLITE;

/// A file that was tried. A new one is taken away again where nothing comes to be written; one that was there stays as it is
/// until then.
pub(crate) struct OutFile {
    path: PathBuf,
    /// What it is for, such as "the grades".
    what: &'static str,
    is_new: bool,
    is_written: Cell<bool>,
}

impl OutFile {
    pub(crate) fn at(path: &Path, what: &'static str) -> Result<Self, Stop> {
        may_be_replaced(path, what)?;
        let unwritable = |error| unwritable(path, what, &error);
        let is_new = match OpenOptions::new().write(true).create_new(true).open(path) {
            Ok(_) => true,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                OpenOptions::new().append(true).open(path).map_err(unwritable)?;
                false
            }
            Err(error) => return Err(unwritable(error)),
        };
        Ok(Self { path: path.to_owned(), what, is_new, is_written: Cell::new(false) })
    }

    /// Whether there was no file of this name.
    pub(crate) fn is_new(&self) -> bool {
        self.is_new
    }

    /// Writes all of it.
    pub(crate) fn write(&self, text: &str) -> Result<(), Stop> {
        may_be_replaced(&self.path, self.what)?;
        fs::write(&self.path, text).map_err(|error| unwritable(&self.path, self.what, &error))?;
        self.is_written.set(true);
        Ok(())
    }
}

impl Drop for OutFile {
    fn drop(&mut self) {
        // Only what is still as it was made: somebody else may have written there meanwhile.
        let is_empty = || self.path.metadata().is_ok_and(|meta| meta.len() == 0);
        if self.is_new && !self.is_written.get() && is_empty() {
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn unwritable(path: &Path, what: &str, error: &io::Error) -> Stop {
    Stop::unwritable(format_args!("cannot write {what} to {}: {error}", path.display()), error)
}

/// Refuses to write over a results file. What is not there, or is anything else, may be replaced.
fn may_be_replaced(path: &Path, what: &str) -> Result<(), Stop> {
    let mut head = Vec::new();
    // Nothing but a regular file is looked into: a pipe would be waited for.
    if path.metadata().is_ok_and(|meta| meta.is_file()) {
        let read = fs::File::open(path).map(|file| file.take(SQLITE.len() as u64));
        let _ = read.and_then(|mut file| file.read_to_end(&mut head)); // what cannot be read is found out by writing
    }
    if head == SQLITE {
        return Err(Stop::usage(format!(
            "{} is a results file: name another file for {what}",
            path.display()
        )));
    }
    Ok(())
}
