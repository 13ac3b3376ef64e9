//! Reports as JUnit XML, for machines that show tests.

use std::fs;
use std::io::Read;
use std::path::Path;

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

/// Refuses to write over a results file. What is not there, or is anything else, may be replaced.
pub(crate) fn may_be_replaced(path: &Path) -> Result<(), Stop> {
    let mut head = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(SQLITE.len() as u64).read_to_end(&mut head));
    if read.is_ok() && head == SQLITE {
        let message = format!("{} is a results file: name another file for the JUnit report", path.display());
        return Err(Stop::usage(message));
    }
    Ok(())
}

/// Writes one suite of cases with the figures as its properties. Times of day are left out: the same results give the same
/// file.
pub(crate) fn write(path: &Path, suite: &str, cases: Vec<Case>, figures: &Figures) -> Result<(), Stop> {
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
    let text = report.to_string().map_err(Stop::defect)?;
    may_be_replaced(path)?;
    fs::write(path, text)
        .map_err(|error| Stop::usage(format!("cannot write the JUnit report {}: {error}", path.display())))
}
