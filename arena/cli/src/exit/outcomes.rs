//! The exit code of each outcome: what a command answers if nothing kept it from an answer.

use leyden_arena::check::CheckReport;
use leyden_arena::report::{GateAnswer, GateDocument, Verification};
use leyden_arena::rerun::Rerun;
use leyden_model::event::RunEnd;

use super::Code;

impl From<&GateDocument> for Code {
    /// A gate that is unfinished without having been interrupted has void pairs.
    fn from(gate: &GateDocument) -> Self {
        match gate.answer {
            GateAnswer::Accepted => Self::Done,
            GateAnswer::Rejected | GateAnswer::Faulted | GateAnswer::CaseFailed => Self::No,
            GateAnswer::NoOpponent => Self::Missing,
            GateAnswer::Undecided => Self::Undecided,
            GateAnswer::Unfinished if gate.interrupted.is_some() => Self::Interrupted,
            GateAnswer::Unfinished => Self::HostFailed,
        }
    }
}

impl From<&RunEnd> for Code {
    /// A run that is not complete without having been interrupted has void matches.
    fn from(run: &RunEnd) -> Self {
        match run {
            RunEnd { seed: Some(_), .. } => Self::Done,
            RunEnd { seed: None, interrupted: true, .. } => Self::Interrupted,
            RunEnd { seed: None, interrupted: false, .. } => Self::HostFailed,
        }
    }
}

impl From<&CheckReport> for Code {
    /// Any failure is a no, even if other records were skipped. What could not be asked must not pass for right.
    fn from(check: &CheckReport) -> Self {
        match (check.passed, &check.overload) {
            (false, _) => Self::No,
            (true, Some(_)) => Self::HostFailed,
            (true, None) => Self::Done,
        }
    }
}

impl From<&Rerun> for Code {
    fn from(rerun: &Rerun) -> Self {
        if rerun.is_good() { Self::Done } else { Self::No }
    }
}

impl Code {
    /// Returns the code of verified records, which may have to be complete.
    pub(crate) fn for_verified(records: &Verification, has_to_be_complete: bool) -> Self {
        let is_refused = has_to_be_complete && records.missing > 0;
        if records.verified && !is_refused { Self::Done } else { Self::No }
    }

    /// Returns the code of a grading in which the arena could not grade some bots.
    pub(crate) fn for_ungraded(is_interrupted: bool) -> Self {
        if is_interrupted { Self::Interrupted } else { Self::HostFailed }
    }
}

#[cfg(test)]
mod tests {
    use leyden_arena::check::{Finding, FindingKind, FindingOutcome};

    use super::*;

    #[test]
    fn overload_is_host_failure_unless_the_bot_fails() {
        let report = |passed, overload: Option<&str>| CheckReport {
            v: 1,
            bot: "bot".to_owned(),
            passed,
            overload: overload.map(str::to_owned),
            sandbox: "none".to_owned(),
            plays_only: None,
            findings: vec![Finding {
                kind: FindingKind::Position,
                name: "lead".to_owned(),
                outcome: if passed { FindingOutcome::Passed } else { FindingOutcome::Failed },
                seen: "seen".to_owned(),
                failure: None,
                took_us: None,
            }],
        };
        for (passed, overload, code) in [
            (true, None, Code::Done),
            (true, Some("busy"), Code::HostFailed),
            (false, None, Code::No),
            (false, Some("busy"), Code::No),
        ] {
            assert_eq!(Code::from(&report(passed, overload)), code, "{passed} {overload:?}");
        }
    }

    #[test]
    fn revealed_seed_means_done_otherwise_interrupted_or_failed() {
        let run = |seed: Option<&str>, interrupted| RunEnd {
            played: 1,
            voided: 1,
            disabled: Vec::new(),
            interrupted,
            seed: seed.map(str::to_owned),
        };
        assert_eq!(Code::from(&run(Some("s"), true)), Code::Done);
        assert_eq!(Code::from(&run(None, true)), Code::Interrupted);
        assert_eq!(Code::from(&run(None, false)), Code::HostFailed);
    }
}
