//! Reports as JUnit XML, for machines that show tests.

use std::path::Path;

use quick_junit::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestSuite};

use super::figures::Figures;
use crate::cli::exit::Stop;
use crate::cli::out_file::OutFile;

/// One test case.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) answer: Answer,
    /// What there is to read about it.
    pub(crate) text: String,
}

/// What came of a test case.
pub(crate) enum Answer {
    Passed,
    /// What was wrong: a word and a sentence.
    Failed(&'static str, String),
    /// Neither of both, in a sentence.
    Open(String),
}

impl Answer {
    /// What was wrong, if it did not pass.
    pub(crate) fn of(failure: Option<(&'static str, String)>) -> Self {
        failure.map_or(Self::Passed, |(kind, message)| Self::Failed(kind, message))
    }
}

/// A file that a report is going to be written to, tried before anything is played.
pub(crate) struct Target(OutFile);

impl Target {
    /// Tries the file, if one was named.
    pub(crate) fn of(path: Option<&Path>) -> Result<Option<Self>, Stop> {
        path.map(|path| OutFile::at(path, "the JUnit report").map(Self)).transpose()
    }

    /// Writes one suite of cases with the figures as its properties. Times of day are left out: the same results give the
    /// same file.
    pub(crate) fn write(&self, suite: &str, cases: Vec<Case>, figures: &Figures) -> Result<(), Stop> {
        self.0.write(&xml(suite, cases, figures)?)
    }
}

/// One suite of cases with the figures as its properties.
pub(crate) fn xml(suite: &str, cases: Vec<Case>, figures: &Figures) -> Result<String, Stop> {
    let mut tests = TestSuite::new(suite);
    for (name, value) in figures {
        tests.add_property(Property::new(*name, value.as_str()));
    }
    for case in cases {
        let status = match case.answer {
            Answer::Passed => TestCaseStatus::success(),
            Answer::Failed(kind, message) => {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                status.set_type(kind).set_message(message);
                status
            }
            Answer::Open(message) => {
                let mut status = TestCaseStatus::skipped();
                status.set_message(message);
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
