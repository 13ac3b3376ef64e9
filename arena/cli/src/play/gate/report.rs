//! The outcome of a gate, reported to people, programs and CI.

use std::path::Path;
use std::time::Duration;

use leyden_arena::report::{Faults, GateAnswer, GateDocument};
use leyden_model::DisabledBot;

use crate::exit::CommandError;
use crate::out::{self, print_document, say};
use crate::play::final_report;
use crate::play::junit_fallback::GATE;
use crate::report::faults;
use crate::report::figures::Figures;
use crate::report::github::{self, Severity};
use crate::report::grid::plain;
use crate::report::junit::{CaseResult, JunitCase, ReportFile};
use crate::report::text;

/// The suite of a gate's JUnit report, and its cases. The names are the same in every run, for all folders and commits:
/// services track a case's history by its name.
pub(super) const SUITE: &str = GATE[0];
pub(super) const VERDICT: &str = GATE[1];
pub(super) const FAULTS: [&str; 2] = ["faults of the candidate", "faults of the opponent"];

/// What is reported at the end.
pub(super) struct GateSummary<'a> {
    pub(super) document: &'a GateDocument,
    pub(super) faults: &'a Faults,
    pub(super) kept: Option<&'a Path>,
    pub(super) disabled: &'a [DisabledBot],
    /// The commit that the new version is based on, if the old one is taken from git.
    pub(super) candidate: Option<&'a str>,
    /// The cases in the new version's folder.
    pub(super) pinned: &'a [JunitCase],
    /// Why the gate is unfinished, if it is.
    pub(super) unfinished: Option<&'a CommandError>,
    pub(super) took: Duration,
}

impl GateSummary<'_> {
    /// Reports to people, programs and CI. A closed standard output does not change the answer.
    pub(super) fn print(&self, json: bool, junit: Option<&ReportFile>) -> Result<(), CommandError> {
        let Self { document, faults, kept, disabled, .. } = *self;
        let text = text::gate(document) + &text::disabled(disabled);
        let (verdict, mut figures) = (text::verdict(document), text::gate_figures(document));
        figures.extend(self.candidate.map(|commit| ("commit of the candidate", plain(commit))));
        let score = text::score(document).map_or_else(String::new, |score| format!("; {score}"));
        self.annotate(&format!("{verdict}{score}"));
        let faulted = faults::paragraphs(faults, kept);
        let faulted = if faulted.is_empty() { faulted } else { github::fenced(&faulted) };
        github::summarise(&(github::figures_markdown(&verdict, &figures) + &faulted));
        if let Some(junit) = junit {
            junit.write(SUITE, self.cases(&verdict, &text), &[who(document), figures].concat())?;
        }
        if json && !matches!(document.answer, GateAnswer::Accepted | GateAnswer::Unfinished) {
            // The log has no other sign of it.
            say(format_args!("{verdict}{score}"));
        }
        print(document, json, &text)
    }

    /// Writes one annotation for the answer, with the faults that caused it. Why a gate is unfinished is reported when the program
    /// ends.
    fn annotate(&self, verdict: &str) {
        let Self { document, faults, kept, .. } = *self;
        let (level, at_fault) = match document.answer {
            GateAnswer::Accepted => (Severity::Notice, None),
            GateAnswer::Rejected | GateAnswer::CaseFailed => (Severity::Error, None),
            GateAnswer::Faulted => (Severity::Error, Some(0)),
            GateAnswer::NoOpponent => (Severity::Error, Some(1)),
            GateAnswer::Undecided => (Severity::Warning, None),
            GateAnswer::Unfinished => return,
        };
        let at_fault = at_fault.map(|bot: usize| document.bots[bot].side.name.as_str());
        let (why, others): (Vec<_>, Vec<_>) =
            faults::sentences(faults, kept).partition(|(bot, _)| Some(*bot) == at_fault);
        let why = why.iter().map(|(_, sentence)| format!("\n{sentence}"));
        github::annotate(level, SUITE, &why.fold(verdict.to_owned(), |all, why| all + &why));
        for (bot, sentence) in others {
            github::annotate(Severity::Notice, &format!("{bot} faulted"), &sentence);
        }
    }

    fn cases(&self, verdict: &str, text: &str) -> Vec<JunitCase> {
        let Self { document, faults, kept, took, .. } = *self;
        let failed = |kind| CaseResult::Failed(kind, verdict.to_owned());
        let answer = match document.answer {
            GateAnswer::Accepted => CaseResult::Passed,
            GateAnswer::Rejected => failed("rejected"),
            GateAnswer::Faulted => failed("faulted"),
            GateAnswer::CaseFailed => failed("case"),
            GateAnswer::NoOpponent => CaseResult::Error("no opponent", verdict.to_owned()),
            GateAnswer::Undecided => CaseResult::Open(verdict.to_owned()),
            GateAnswer::Unfinished => {
                let why = self.unfinished.map_or("", CommandError::summary);
                CaseResult::Error("unfinished", format!("{verdict}: {why}"))
            }
        };
        let took = Some(rest(took, self.pinned));
        let verdict = JunitCase { name: VERDICT.to_owned(), answer, text: text.to_owned(), took };
        // Faults of the old version are reported, and never fail the gate.
        let most = [document.max_faults, None];
        let bots = (0..2).map(|bot| {
            let side = &document.bots[bot].side;
            let of = (side.name.as_str(), &side.results);
            let case = final_report::faults_case(FAULTS[bot].to_owned(), of, (faults, kept), most[bot]);
            JunitCase { took: Some(Duration::ZERO), ..case }
        });
        let pinned = self.pinned.iter().cloned();
        [verdict].into_iter().chain(bots).chain(pinned).collect()
    }
}

/// Names the two bots.
pub(super) fn who(document: &GateDocument) -> Figures {
    let [new, old] = document.sides().map(|side| plain(&side.name));
    vec![("candidate", new), ("opponent", old)]
}

/// Prints the document or the text. A closed standard output does not change the answer.
pub(super) fn print(document: &GateDocument, json: bool, text: &str) -> Result<(), CommandError> {
    let printed = if json { print_document(document) } else { out::print(text).map(drop) };
    printed.or_else(|stop| if stop.is_closed_output() { Ok(()) } else { Err(stop) })
}

/// Returns the time left for the verdict, so that the times of all cases of a report add up to the whole.
pub(super) fn rest(took: Duration, cases: &[JunitCase]) -> Duration {
    let asked: Duration = cases.iter().filter_map(|case| case.took).sum();
    took.saturating_sub(asked)
}
