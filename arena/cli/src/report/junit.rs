//! Reports as JUnit XML, for tools that show test results. The only place that makes foreign text, such as names and bot output,
//! safe for XML.

use std::path::Path;
use std::time::Duration;

use leyden_protocol::is_hidden;
use quick_junit::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestSuite};

use super::figures::Figures;
use crate::exit::{Code, CommandError};
use crate::out_file::OutFile;

/// One test case.
#[derive(Clone)]
pub(crate) struct JunitCase {
    pub(crate) name: String,
    pub(crate) answer: CaseResult,
    /// The details: for a failed case, services show them with the failure.
    pub(crate) text: String,
    /// How long it took, if that is reported.
    pub(crate) took: Option<Duration>,
}

/// The outcome of a test case.
#[derive(Clone)]
pub(crate) enum CaseResult {
    Passed,
    /// What was wrong: a word and a sentence.
    Failed(&'static str, String),
    /// Neither passed nor failed, in a sentence.
    Open(String),
    /// It could not be tried: a word and a sentence.
    Error(&'static str, String),
}

impl CaseResult {
    /// Failed with a kind and a message, or passed without.
    pub(crate) fn from_failure(failure: Option<(&'static str, String)>) -> Self {
        failure.map_or(Self::Passed, |(kind, message)| Self::Failed(kind, message))
    }
}

/// A file for a report, checked before anything is played.
pub(crate) struct ReportFile(OutFile);

impl ReportFile {
    /// Checks the file, if one was named. An existing file must be a report of this kind.
    pub(crate) fn open(path: Option<&Path>) -> Result<Option<Self>, CommandError> {
        let target = path.map(|path| OutFile::at(path, "the JUnit report").map(Self)).transpose()?;
        if let Some(Self(file)) = &target {
            file.refuse_others(is_report)?;
        }
        Ok(target)
    }

    /// Writes one suite of cases with the figures as its properties. Timestamps are left out: the same results give the same file.
    pub(crate) fn write(
        &self,
        suite: &str,
        cases: Vec<JunitCase>,
        figures: &Figures,
    ) -> Result<(), CommandError> {
        self.0.write(&xml(suite, cases, figures)?)
    }

    /// Writes why there is no answer, unless a report was written: one case of this name, an error. Returns whether there is a
    /// report now: a file that is neither empty nor a report of this kind is left unchanged, because it may have been named by
    /// mistake.
    pub(crate) fn write_why_not(
        &self,
        [suite, name]: [&str; 2],
        stop: &CommandError,
        took: Duration,
    ) -> Result<bool, CommandError> {
        let kind = match stop.code {
            Code::Missing => "missing",
            Code::HostFailed => "host",
            Code::Defect => "defect",
            Code::Interrupted => "interrupted",
            Code::Done | Code::OutputClosed | Code::No | Code::Usage | Code::Undecided => "usage",
        };
        let case = JunitCase {
            name: name.to_owned(),
            answer: CaseResult::Error(kind, stop.summary().to_owned()),
            text: stop.message.clone(),
            took: Some(took),
        };
        self.0.write_instead(&xml(suite, vec![case], &Figures::new())?, |head| {
            is_report(&String::from_utf8_lossy(head))
        })
    }

    /// Leaves the path to the results. Refuses if it leads to the same file.
    pub(crate) fn leave_to(&self, results: &Path) -> Result<(), CommandError> {
        self.0.leave_to(results)
    }
}

/// Returns whether a file that begins like this is a JUnit report.
fn is_report(head: &str) -> bool {
    head.contains("<testsuite")
}

/// Returns one suite of cases with the figures as its properties.
pub(crate) fn xml(suite: &str, cases: Vec<JunitCase>, figures: &Figures) -> Result<String, CommandError> {
    let mut tests = TestSuite::new(suite);
    for (name, value) in figures {
        tests.add_property(Property::new(*name, safe(value)));
    }
    let all: Vec<Duration> = cases.iter().filter_map(|case| case.took).collect();
    if !all.is_empty() {
        tests.set_time(all.iter().sum());
    }
    for case in cases {
        let shown = safe(&case.text);
        let (status, output) = match case.answer {
            CaseResult::Passed => (TestCaseStatus::success(), Some(shown)),
            CaseResult::Failed(kind, message) => {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                status.set_type(kind).set_message(safe(&message)).set_description(shown);
                (status, None)
            }
            CaseResult::Error(kind, message) => {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
                status.set_type(kind).set_message(safe(&message)).set_description(shown);
                (status, None)
            }
            CaseResult::Open(message) => {
                let mut status = TestCaseStatus::skipped();
                status.set_message(safe(&message));
                (status, Some(shown))
            }
        };
        let mut test = TestCase::new(safe(&case.name), status);
        test.set_classname(suite);
        if let Some(output) = output.filter(|output| !output.is_empty()) {
            test.set_system_out(output);
        }
        if let Some(took) = case.took {
            test.set_time(took);
        }
        tests.add_test_case(test);
    }
    let mut report = Report::new("leyden");
    report.add_test_suite(tests);
    report.to_string().map_err(CommandError::defect)
}

/// Returns a text that XML can hold and in which nothing changes the text direction: line breaks stay, and characters that are
/// hidden or not allowed in XML 1.0 become replacement characters. That leaves nothing for quick-junit to remove: it would also
/// remove tabs, and everything behind an unfinished escape sequence.
fn safe(text: &str) -> String {
    let is_kept = |c: char| c == '\n' || !is_hidden(c) && !matches!(c, '\u{fffe}' | '\u{ffff}');
    let text = text.replace('\t', "    ");
    text.chars().map(|c| if is_kept(c) { c } else { char::REPLACEMENT_CHARACTER }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The production `Char` of XML 1.0; a strict reader refuses a document with any other character.
    fn is_of_xml(c: char) -> bool {
        matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..='\u{10ffff}')
    }

    /// Decodes the escapes of XML.
    fn read(xml: &str) -> String {
        let named = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
        named.iter().fold(xml.to_owned(), |text, (escape, meant)| text.replace(escape, meant))
    }

    #[test]
    fn hostile_text_stays_valid_xml_and_readable() {
        // Every character that is forbidden, hidden or starts an escape, each followed by something that must stay.
        let hostile: Vec<String> = (0..=0x11_0000)
            .filter_map(char::from_u32)
            .filter(|&c| is_hidden(c) || !is_of_xml(c) || "<>&\"']".contains(c))
            .filter(|c| !"\n\t".contains(*c))
            .map(|c| format!("{c}[31m;"))
            .collect();
        let hostile = hostile.concat();
        for forbidden in ['\0', '\u{1b}', '\u{9b}', '\u{202e}', '\u{2066}', '\u{fffe}', '\u{ffff}'] {
            assert!(hostile.contains(forbidden), "{forbidden:?}");
        }
        // An unfinished operating system command, after which a terminal shows nothing.
        let hostile = format!("first {hostile} \u{1b}]0; ]]> last");
        let case = |answer| JunitCase {
            name: hostile.clone(),
            answer,
            text: format!("| {hostile}\n\t| {hostile}"),
            took: None,
        };
        let cases = vec![
            case(CaseResult::Passed),
            case(CaseResult::Failed("failed", hostile.clone())),
            case(CaseResult::Open(hostile.clone())),
            case(CaseResult::Error("usage", hostile.clone())),
        ];
        let Ok(xml) = xml("leyden test", cases, &vec![("score", hostile.clone())]) else {
            panic!("no report")
        };
        let wrong: Vec<char> =
            xml.chars().filter(|&c| !is_of_xml(c) || is_hidden(c) && !"\n\t".contains(c)).collect();
        assert!(wrong.is_empty(), "{wrong:?}");
        assert!(!xml.contains("&#"), "no character comes in by its number: {xml}");
        let shown = safe(&hostile);
        assert_eq!(shown.matches("[31m;").count(), hostile.matches("[31m;").count());
        // Four names, three messages, a property, and each text twice.
        assert_eq!(read(&xml).matches(&shown).count(), 4 + 3 + 1 + 8, "{xml}");
        assert!(read(&xml).contains(&format!("| {shown}\n    | {shown}")), "lines stay lines: {xml}");
    }

    #[test]
    fn case_text_appears_inside_failure_or_error_element() {
        let case =
            |answer| JunitCase { name: "one".to_owned(), answer, text: "a\n  b".to_owned(), took: None };
        let written = |answer| {
            let Ok(xml) = xml("leyden test", vec![case(answer)], &Vec::new()) else { panic!("no report") };
            xml
        };
        let failed = written(CaseResult::Failed("fault", "why".to_owned()));
        assert!(failed.contains(">a\n  b</failure>") && !failed.contains("system-out"), "{failed}");
        let error = written(CaseResult::Error("usage", "why".to_owned()));
        assert!(error.contains(">a\n  b</error>"), "{error}");
        let passed = written(CaseResult::Passed);
        assert!(passed.contains("<system-out>a\n  b</system-out>"), "{passed}");
    }

    #[test]
    fn missing_answer_is_summarised_and_quoted_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("gate.xml");
        let report = ReportFile::open(Some(&path)).unwrap().unwrap();
        let stop = CommandError::missing("no such bot\nNothing was played.");
        assert!(report.write_why_not(["leyden gate", "verdict"], &stop, Duration::ZERO).unwrap());
        let xml = std::fs::read_to_string(&path).unwrap();
        assert!(xml.contains("type=\"missing\"") && xml.contains("message=\"no such bot\""), "{xml}");
        assert!(xml.contains(">no such bot\nNothing was played.</error>"), "{xml}");
    }
}
