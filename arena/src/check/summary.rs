//! Puts the findings in reading order.

use leyden_host::ShutdownStep;
use leyden_host::sandbox::SandboxLevel;
use leyden_model::words::counted;

use super::case::CASE;
use super::failures::{stays, words};
use super::positions::PositionKind;
use super::report::{CheckReport, Finding, FindingKind, FindingOutcome};
use super::request::CheckError;
use super::state::{Checking, IDLE, KEPT_STATE, SAME_SEED, SUMS, WHOLE_MATCH};
use super::tables::CheckTable;

impl Checking<'_> {
    /// The report, with all findings in reading order.
    pub(super) fn report(mut self, all: &[CheckTable]) -> Result<CheckReport, CheckError> {
        self.since = None;
        let played = std::mem::take(&mut self.findings);
        let of = |kind: FindingKind| move |finding: &Finding| finding.kind == kind;
        let (cases, matches): (Vec<_>, Vec<_>) = played.into_iter().partition(of(FindingKind::Case));
        let (games, others): (Vec<_>, Vec<_>) = matches.into_iter().partition(of(FindingKind::Game));
        self.startup();
        self.findings.extend(cases);
        self.positions();
        self.findings.extend(games);
        for name in all.iter().map(CheckTable::game).chain([WHOLE_MATCH.to_owned()]) {
            if self.is_requested(&name) && self.findings.iter().all(|finding| finding.name != name) {
                self.find(FindingKind::Game, &name, FindingOutcome::Skipped, self.why_skipped());
            }
        }
        self.findings.extend(others);
        self.sums();
        // Little is known about all processes of a bot that fails early. The last name applies to some bots only.
        for name in &SUMS[..4] {
            if self.lost > 0
                && self.is_requested(name)
                && self.findings.iter().all(|finding| finding.name != *name)
            {
                self.find(FindingKind::Conduct, name, FindingOutcome::Skipped, self.why_skipped());
            }
        }
        if self.findings.is_empty() && self.overload.is_none() {
            if self.request.beginning() == Some(CASE) {
                return Err(CheckError::NoCases);
            }
            let mut names: Vec<String> =
                ["start", "unknown-words", SAME_SEED, KEPT_STATE].map(str::to_owned).into();
            names.extend(PositionKind::ALL.map(|kind| kind.name().to_owned()));
            names.extend(SUMS.map(str::to_owned));
            names.extend(all.iter().map(CheckTable::game));
            names.push(WHOLE_MATCH.to_owned());
            return Err(CheckError::NoSuchName(self.request.only.clone().unwrap_or_default(), names));
        }
        Ok(self.into_report())
    }

    fn startup(&mut self) {
        if let Some(failure) = self.start.take() {
            self.fail(FindingKind::Start, "start", failure);
        } else if self.is_requested("start") && self.tables > 0 {
            let seen = format!("ready after {} at most", words(self.slowest_start));
            self.find(FindingKind::Start, "start", FindingOutcome::Passed, seen);
        }
    }

    fn positions(&mut self) {
        for (kind, (passed, failed)) in std::mem::take(&mut self.kinds) {
            if let Some(failure) = failed {
                self.fail(FindingKind::Position, kind.name(), failure);
            } else if passed.is_empty() {
                self.find(FindingKind::Position, kind.name(), FindingOutcome::Skipped, self.why_skipped());
            } else {
                let seen = match &passed[..] {
                    few @ ([_] | [_, _] | [_, _, _]) => format!("{}: {}", kind.what(), few.join(", ")),
                    many => format!("{}: at {} tables", kind.what(), many.len()),
                };
                self.find(FindingKind::Position, kind.name(), FindingOutcome::Passed, seen);
            }
        }
    }

    /// The findings about all processes together.
    fn sums(&mut self) {
        if let Some((slowest, name)) = self.slowest.take().filter(|_| self.is_requested(SUMS[0])) {
            let limit = self.request.limits.turn();
            let seen = format!(
                "{} of {} for the slowest of {} ({name})",
                words(slowest),
                words(limit),
                counted(self.answers, "answer", "answers")
            );
            if slowest > limit * 4 / 5 {
                let seen = format!("{seen}: this would time out on a busier machine, so answer sooner");
                self.find(FindingKind::Conduct, SUMS[0], FindingOutcome::Noted, seen);
            } else {
                self.find(FindingKind::Conduct, SUMS[0], FindingOutcome::Passed, seen);
            }
        }
        if self.is_requested(SUMS[1]) && !self.left.is_empty() {
            let left = std::mem::take(&mut self.left);
            // A busy machine can keep one process from leaving in time, but hardly all of them.
            let after =
                |how: ShutdownStep| left.iter().filter(|(step, _)| *step == how).map(|(_, took)| *took).min();
            if let Some(took) = after(ShutdownStep::InputClosed) {
                let seen = format!("leaves {} after its input ends", words(took));
                self.find(FindingKind::Conduct, SUMS[1], FindingOutcome::Passed, seen);
            } else {
                let asked = after(ShutdownStep::Terminated).is_some();
                self.fail(FindingKind::Conduct, SUMS[1], stays(asked));
            }
        }
        if let Some(memory) = self.memory.filter(|_| self.is_requested(SUMS[2])) {
            let most = self.ready.limits.memory;
            let seen = format!("{} MB of {} MB", memory >> 20, most >> 20);
            let is_much = memory > most / 4 * 3;
            self.find(
                FindingKind::Conduct,
                SUMS[2],
                if is_much { FindingOutcome::Noted } else { FindingOutcome::Passed },
                seen,
            );
        }
        if let Some(used) = self.idle.filter(|_| self.is_requested(SUMS[3])) {
            if used > IDLE / 4 {
                let seen = format!(
                    "computes while it is not its turn ({} of {}): it would be stopped, unless the organiser allows it",
                    words(used),
                    words(IDLE)
                );
                self.find(FindingKind::Conduct, SUMS[3], FindingOutcome::Noted, seen);
            } else {
                self.find(
                    FindingKind::Conduct,
                    SUMS[3],
                    FindingOutcome::Passed,
                    "rests while it is not its turn",
                );
            }
        }
        let folder = self.ready.bot.shown_folder().filter(|_| self.ready.level != SandboxLevel::None);
        if let Some(folder) = folder.filter(|_| self.is_requested(SUMS[4])) {
            let seen = format!(
                "sees everything in {}; in a match against another bot from there it only sees the files that its command line \
                 names: a bot of several files is safe in its own folder (leyden new creates one)",
                folder.display()
            );
            self.find(FindingKind::Conduct, SUMS[4], FindingOutcome::Noted, seen);
        }
    }
}
