//! Grades kept in a file until all bots are graded, so that an interrupted grading can be resumed.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use leyden_arena::grade::Grades;
use leyden_arena::whole_file;

use crate::config::state_folder;
use crate::exit::CommandError;
use crate::out::{quoted, say};

/// The file that keeps grades while others are still to come.
pub(super) struct StoredGrades {
    path: PathBuf,
    exists: bool,
    has_failed: bool,
}

impl StoredGrades {
    /// Uses the resumed file, if it is one of these, or else a new one.
    pub(super) fn for_resumed(resumed: Option<&Path>) -> Self {
        let folder = state_folder();
        let today = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
        let name = format!("grades-{}-{}.json", &today[..10], std::process::id());
        let own = resumed.filter(|path| path.parent() == Some(&folder)).map(Path::to_owned);
        Self { exists: own.is_some(), path: own.unwrap_or(folder.join(name)), has_failed: false }
    }

    /// Writes all grades so far. If that fails, a note is printed once and grading continues.
    pub(super) fn keep(&mut self, grades: &Grades) {
        if self.has_failed {
            return;
        }
        match self.written(grades) {
            Ok(()) => self.exists = true,
            Err(error) => {
                self.has_failed = true;
                say(format_args!("note: cannot keep the grades so far in {}: {error}", self.path.display()));
            }
        }
    }

    fn written(&self, grades: &Grades) -> io::Result<()> {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        fs::create_dir_all(folder)?;
        whole_file::replace(&self.path, &serde_json::to_vec(grades)?)
    }

    /// Removes the file, once all bots have a grade and these are written.
    pub(super) fn remove(self) {
        if self.exists {
            let _ = fs::remove_file(self.path); // a leftover file does no harm
        }
    }

    /// Returns the command that resumes the grading, if something was kept.
    pub(super) fn resume_command(&self) -> Option<String> {
        (self.exists && !self.has_failed).then(|| {
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

/// Reads grades from a file: those kept so far, or a document of `--json`.
pub(super) fn read(path: &Path) -> Result<Grades, CommandError> {
    let text = fs::read_to_string(path).map_err(|error| CommandError::unreadable(path, &error))?;
    serde_json::from_str(&text).map_err(|error| {
        CommandError::usage(format!(
            "{} holds no grades to resume from; expected a document of `leyden grade --json`: {error}",
            path.display()
        ))
    })
}
