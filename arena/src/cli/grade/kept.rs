//! What is graded so far, kept in a file until all are: whoever was interrupted, by whatever it was, goes on from there.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use leyden_arena::grade::Grades;

use crate::cli::config::state_folder;
use crate::cli::exit::CommandError;
use crate::cli::out::{quoted, say};

/// Where grades are kept while there are some to come.
pub(super) struct StoredGrades {
    path: PathBuf,
    is_there: bool,
    has_failed: bool,
}

impl StoredGrades {
    /// In the file that is gone on with, if it is one of these; else in a new one.
    pub(super) fn beside(resumed: Option<&Path>) -> Self {
        let folder = state_folder();
        let today = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
        let name = format!("grades-{}-{}.json", &today[..10], std::process::id());
        let own = resumed.filter(|path| path.parent() == Some(&folder)).map(Path::to_owned);
        Self { is_there: own.is_some(), path: own.unwrap_or(folder.join(name)), has_failed: false }
    }

    /// Keeps all that there are so far. That they cannot be kept is said once, and is no reason to give up.
    pub(super) fn keep(&mut self, grades: &Grades) {
        if self.has_failed {
            return;
        }
        match self.written(grades) {
            Ok(()) => self.is_there = true,
            Err(error) => {
                self.has_failed = true;
                say(format_args!("note: who is graded cannot be kept in {}: {error}", self.path.display()));
            }
        }
    }

    fn written(&self, grades: &Grades) -> io::Result<()> {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        fs::create_dir_all(folder)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(serde_json::to_string(grades)?.as_bytes())?;
        file.persist(&self.path)?;
        Ok(())
    }

    /// Takes the file away: all have a grade, and that is written.
    pub(super) fn remove(self) {
        if self.is_there {
            let _ = fs::remove_file(self.path); // nobody needs it, wherever it is
        }
    }

    /// What to type to go on, if something was kept.
    pub(super) fn how_to_go_on(&self) -> Option<String> {
        (self.is_there && !self.has_failed).then(|| {
            let mut words: Vec<OsString> = std::env::args_os().collect();
            if let Some(at) = words.iter().position(|word| word == RESUME) {
                words.drain(at..(at + 2).min(words.len()));
            }
            words.retain(|word| !word.as_encoded_bytes().starts_with(format!("{RESUME}=").as_bytes()));
            words.extend([RESUME.into(), self.path.clone().into()]);
            words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
        })
    }
}

const RESUME: &str = "--resume";

/// The grades in a file that were kept, or that somebody has as a document.
pub(super) fn read(path: &Path) -> Result<Grades, CommandError> {
    let text = fs::read_to_string(path).map_err(|error| CommandError::unreadable(path, &error))?;
    serde_json::from_str(&text).map_err(|error| {
        CommandError::usage(format!(
            "{} holds no grades to go on from, as `leyden grade --json` writes them: {error}",
            path.display()
        ))
    })
}
