//! The cases in the folder of a gate's new version, which are asked before anything is played.

use std::time::Duration;

use leyden_arena::check::{CheckReport, FindingOutcome, check_cases, missing_cases};
use leyden_arena::halt::Halt;
use leyden_arena::report::GateDocument;
use leyden_arena::rerun::ReadyBot;
use leyden_arena::tournament::Tournament;

use super::report::{FAULTS, SUITE, VERDICT, print, rest, who};
use crate::cli::check::{self, Reproduction};
use crate::cli::exit::{Code, CommandError};
use crate::cli::options::{TournamentOptions, resource_limits};
use crate::cli::out::say;
use crate::cli::report::github::{self, Severity};
use crate::cli::report::grid::plain;
use crate::cli::report::junit::{CaseResult, JunitCase, ReportFile};
use crate::cli::report::text;

/// The results of the new version's cases. If one fails, the gate rejects before anything is played.
pub(super) struct CasesOutcome {
    whole: CheckReport,
    pub(super) cases: Vec<JunitCase>,
    told: String,
    /// Cases that only the old version has.
    pub(super) missing: Vec<String>,
}

impl CasesOutcome {
    /// Asks the new version the cases in its folder, and lists those that only the old version has.
    pub(super) fn ask(
        tournament: &Tournament,
        options: &TournamentOptions,
        halt: &Halt,
    ) -> Result<Self, CommandError> {
        let plan = tournament.plan();
        let (bot, launcher) = (plan.bots[0].clone(), plan.launcher.clone());
        let folders = [0, 1].map(|bot| plan.bots[bot].command.folder.as_deref());
        let missing = match folders {
            [Some(new), Some(old)] => missing_cases(old, new),
            _ => Vec::new(),
        };
        let limits = resource_limits(options.memory);
        let ready = ReadyBot { bot, launcher, level: plan.settings.sandbox, limits };
        let whole = check_cases(&ready, plan.settings.limits, halt)?;
        if let Some(message) = whole.overload.clone().filter(|_| whole.passed) {
            return Err(CommandError { code: Code::from(&whole), message });
        }
        let see = Reproduction { bot: options.bots.first().map_or("", String::as_str), ready: &ready };
        let (cases, told) = (check::junit_cases(&whole, &see), check::report_text(&whole, &see));
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
        Ok(Self { whole, cases, told, missing })
    }

    pub(super) fn passed(&self) -> bool {
        self.whole.passed
    }

    /// Returns what was found, if there was a case to ask.
    pub(super) fn report(&self) -> Option<CheckReport> {
        Some(&self.whole).filter(|report| !report.findings.is_empty()).cloned()
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
        let failed = self.whole.findings.iter().filter(|finding| finding.outcome == FindingOutcome::Failed);
        let why = failed.map(|finding| format!("\n{}: {}", finding.name, check::failed(finding)));
        github::annotate(Severity::Error, SUITE, &why.fold(verdict.clone(), |all, why| all + &why));
        github::summarise(&(github::heading(&verdict) + &github::fenced(&self.told)));
        let text = format!("{verdict}\n{}", self.told);
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
