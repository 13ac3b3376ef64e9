//! Reports as JUnit XML, for machines that show tests.

use std::cell::Cell;
use std::fs::{self, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use quick_junit::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestSuite};

use super::figures::Figures;
use crate::cli::exit::Stop;
use crate::cli::records::SQLITE;

/// One test case.
pub(crate) struct Case {
    pub(crate) name: String,
    /// What was wrong, if it did not pass: a word and a sentence.
    pub(crate) failure: Option<(&'static str, String)>,
    /// What there is to read about it.
    pub(crate) text: String,
}

/// A file that a report is going to be written to. That it can be is tried before anything is played; a new one is taken away
/// again where nothing comes to be written.
pub(crate) struct Target {
    path: PathBuf,
    is_new: bool,
    is_written: Cell<bool>,
}

impl Target {
    /// Tries the file, if one was named.
    pub(crate) fn of(path: Option<&Path>) -> Result<Option<Self>, Stop> {
        path.map(Self::at).transpose()
    }

    fn at(path: &Path) -> Result<Self, Stop> {
        may_be_replaced(path)?;
        let is_new = match OpenOptions::new().write(true).create_new(true).open(path) {
            Ok(_) => true,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                OpenOptions::new().append(true).open(path).map_err(|error| unwritable(path, &error))?;
                false
            }
            Err(error) => return Err(unwritable(path, &error)),
        };
        Ok(Self { path: path.to_owned(), is_new, is_written: Cell::new(false) })
    }

    /// Writes one suite of cases with the figures as its properties. Times of day are left out: the same results give the
    /// same file.
    pub(crate) fn write(&self, suite: &str, cases: Vec<Case>, figures: &Figures) -> Result<(), Stop> {
        let text = xml(suite, cases, figures)?;
        may_be_replaced(&self.path)?;
        fs::write(&self.path, text).map_err(|error| unwritable(&self.path, &error))?;
        self.is_written.set(true);
        Ok(())
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        if self.is_new && !self.is_written.get() {
            let _ = fs::remove_file(&self.path); // what stays behind is empty
        }
    }
}

fn unwritable(path: &Path, error: &io::Error) -> Stop {
    Stop::usage(format!("cannot write the JUnit report {}: {error}", path.display()))
}

/// Refuses to write over a results file. What is not there, or is anything else, may be replaced.
fn may_be_replaced(path: &Path) -> Result<(), Stop> {
    let mut head = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(SQLITE.len() as u64).read_to_end(&mut head));
    if read.is_ok() && head == SQLITE {
        let message = format!("{} is a results file: name another file for the JUnit report", path.display());
        return Err(Stop::usage(message));
    }
    Ok(())
}

/// One suite of cases with the figures as its properties.
pub(crate) fn xml(suite: &str, cases: Vec<Case>, figures: &Figures) -> Result<String, Stop> {
    let mut tests = TestSuite::new(suite);
    for (name, value) in figures {
        tests.add_property(Property::new(*name, value.as_str()));
    }
    for case in cases {
        let status = match &case.failure {
            None => TestCaseStatus::success(),
            Some((kind, message)) => {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                status.set_type(*kind).set_message(message.as_str());
                status
            }
        };
        let mut test = TestCase::new(case.name, status);
        test.set_classname(suite).set_system_out(case.text);
        tests.add_test_case(test);
    }
    let mut report = Report::new("leyden");
    report.add_test_suite(tests);
    report.to_string().map_err(Stop::defect)
}
