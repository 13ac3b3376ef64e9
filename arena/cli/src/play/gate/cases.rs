//! The cases in the folder of a gate's new version, which were asked before anything is played.

use std::time::Duration;

use leyden_arena::check::FindingOutcome;
use leyden_arena::gate::GateCases;
use leyden_arena::report::GateDocument;

use super::report::{FAULTS, SUITE, VERDICT, print, rest, who};
use crate::authors::check::{self, Reproduction};
use crate::exit::{Code, CommandError};
use crate::out::say;
use crate::report::github::{self, Severity};
use crate::report::grid::plain;
use crate::report::junit::{CaseResult, JunitCase, ReportFile};
use crate::report::text;

/// The results of the new version's cases, in words. If one fails, the gate rejects before anything is played.
pub(super) struct CasesOutcome {
    pub(super) cases: Vec<JunitCase>,
    text_report: String,
    /// The cases that fail, each with the reason.
    failures: Vec<String>,
    /// Cases that only the old version has.
    missing: Vec<String>,
}

impl CasesOutcome {
    /// `typed` is the new version as it was named.
    pub(super) fn new(GateCases { asked, report, missing }: &GateCases, typed: &str) -> Self {
        let see = Reproduction { bot: typed, ready: asked };
        let (cases, text_report) = (check::junit_cases(report, &see), check::report_text(report, &see));
        let cases = cases.into_iter().map(|case| JunitCase {
            name: case.name.strip_prefix("case-").map_or(case.name.clone(), |name| format!("case {name}")),
            took: Some(case.took.unwrap_or_default()), // zero if it could not be asked
            ..case
        });
        let gone = missing.iter().map(|name| JunitCase {
            name: format!("case {}", plain(name)),
            answer: CaseResult::Open("the old version has this case, the new one does not".to_owned()),
            text: String::new(),
            took: Some(Duration::ZERO),
        });
        let cases = cases.chain(gone).collect();
        let failed = report.findings.iter().filter(|finding| finding.outcome == FindingOutcome::Failed);
        let failures = failed.map(|finding| format!("{}: {}", finding.name, finding.problem()));
        Self { cases, text_report, failures: failures.collect(), missing: missing.clone() }
    }

    /// Warns about missing cases: deleting a case that fails does not fix the bot.
    pub(super) fn annotate_missing(&self) {
        if let [first, others @ ..] = &self.missing[..] {
            let names = others.iter().fold(plain(first), |names, name| names + ", " + &plain(name));
            let is = if others.is_empty() { "a case" } else { "cases" };
            let sentence = format!("the old version has {is} that the new one does not have: {names}");
            say(format_args!("warning: {sentence}"));
            github::annotate(Severity::Warning, SUITE, &sentence);
        }
    }

    /// Reports the rejection to people, programs and CI.
    pub(super) fn reject(
        self,
        document: &GateDocument,
        json: bool,
        junit: Option<&ReportFile>,
        took: Duration,
    ) -> Result<Code, CommandError> {
        let verdict = text::verdict(document);
        let why = self.failures.iter().fold(verdict.clone(), |all, why| all + "\n" + why);
        github::annotate(Severity::Error, SUITE, &why);
        github::summarise(&(github::heading(&verdict) + &github::fenced(&self.text_report)));
        let text = format!("{verdict}\n{}", self.text_report);
        if let Some(junit) = junit {
            let answer = CaseResult::Failed("case", verdict);
            let whole = JunitCase {
                name: VERDICT.to_owned(),
                answer,
                text: text.clone(),
                took: Some(rest(took, &self.cases)),
            };
            let faults = FAULTS.map(|name| JunitCase {
                name: name.to_owned(),
                answer: CaseResult::Open("nothing was played, because a case fails".to_owned()),
                text: String::new(),
                took: Some(Duration::ZERO),
            });
            let cases = [whole].into_iter().chain(faults).chain(self.cases);
            junit.write(SUITE, cases.collect(), &who(document))?;
        }
        print(document, json, &text)?;
        Ok(Code::from(document))
    }
}
