//! The findings of a check, as values.

use leyden_model::{Cause, FaultDetails};
use leyden_protocol::{FaultCode, RulesName, Seats};
use schemars::JsonSchema;
use serde::Serialize;

/// The output of `leyden check --json`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(title = "A check")]
pub struct CheckReport {
    /// The version of this format: 1.
    pub v: u32,
    pub bot: String,
    /// Whether nothing failed.
    pub passed: bool,
    /// Why part of the check was left out, if the machine was too busy; `passed` says nothing about that part.
    pub overload: Option<String>,
    /// The sandbox around the bot.
    pub sandbox: String,
    /// The tables to which its `bot.toml` could keep it, if it did well at them and failed only at others.
    pub plays_only: Option<TableRestriction>,
    pub findings: Vec<Finding>,
}

/// What could keep a bot from the tables at which it failed, if it did well at others: it may not be meant for them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TableRestriction {
    /// The names of the tables where it failed.
    pub fails_at: Vec<String>,
    /// What `rules` of its `bot.toml` would be; empty if `seats` tells the tables apart.
    pub rules: Vec<RulesName>,
    /// What `seats` of its `bot.toml` would be; empty if `rules` tells the tables apart.
    pub seats: Vec<Seats>,
}

impl TableRestriction {
    /// The line for the bot's `bot.toml`.
    pub fn line(&self) -> String {
        let rules: Vec<String> = self.rules.iter().map(|name| format!("\"{name}\"")).collect();
        let seats: Vec<String> = self.seats.iter().map(ToString::to_string).collect();
        match &rules[..] {
            [] => format!("seats = [{}]", seats.join(", ")),
            rules => format!("rules = [{}]", rules.join(", ")),
        }
    }
}

/// One thing that was checked.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Finding {
    pub kind: FindingKind,
    /// Its name, as `--only` takes it.
    pub name: String,
    pub outcome: FindingOutcome,
    /// What was seen, in a few words.
    #[serde(rename = "told")]
    pub seen: String,
    /// What was wrong, if it failed.
    pub failure: Option<Failure>,
    /// How long it took, if it was checked by itself: a case or a match.
    pub took_us: Option<u64>,
}

impl Finding {
    /// The same without what the bot wrote to standard error.
    pub fn problem_without_stderr(&self) -> String {
        let details = self.failure.as_ref().map(|failure| failure.details.clone().without_stderr());
        details.map_or_else(|| self.seen.clone(), |details| details.to_string())
    }

    /// Returns what was wrong, or what was seen if nothing was.
    pub fn problem(&self) -> String {
        self.failure.as_ref().map_or_else(|| self.seen.clone(), |failure| failure.details.to_string())
    }
}

/// The kinds of things that are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// Starting, and the handshake.
    Start,
    /// A case of the bot's own folder.
    Case,
    /// Positions of one kind.
    Position,
    /// A match: to a low target, or to the usual one.
    Game,
    /// Fields and types of lines that no protocol has yet.
    Words,
    /// One match, played again by a new process, and after others.
    SameSeed,
    /// Time, memory, rest and leaving, over the whole check.
    Conduct,
}

/// The outcome of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FindingOutcome {
    Passed,
    Failed,
    /// Not a failure, but worth knowing.
    Noted,
    /// Not checked; `told` says why.
    Skipped,
}

/// What was wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Failure {
    /// The fault this would be in a match; null if none.
    pub code: Option<FaultCode>,
    /// What was expected, what came, and what to do.
    #[serde(rename = "message", serialize_with = "FaultDetails::as_text")]
    #[schemars(with = "String")]
    pub details: FaultDetails,
    /// The rule that was broken, and where it is written.
    pub rule: String,
    /// The table where it happened.
    pub table: String,
    /// The lines that the bot was sent; it failed at the last one.
    pub lines: Vec<String>,
    /// How often the same failure happened elsewhere.
    pub again: u32,
}

impl Failure {
    /// Whether both have the same cause: the likely cause, or without one what was expected and what came; and for a
    /// bot that exited, its last line on standard error.
    fn has_cause_of(&self, other: &Self) -> bool {
        let [details, others] = [&self.details, &other.details];
        let is_likely = match (&details.cause, &others.cause) {
            // They may be about different turns.
            (Some(Cause::OldId(_)), Some(Cause::OldId(_)))
            | (Some(Cause::HalvesSwapped(_)), Some(Cause::HalvesSwapped(_))) => true,
            (None, None) => details.what == others.what,
            (cause, other) => cause == other,
        };
        let has_ended = matches!(self.code, Some(FaultCode::Exited | FaultCode::Handshake));
        is_likely && self.code == other.code && (!has_ended || details.last_line() == others.last_line())
    }
}

impl CheckReport {
    /// Creates the report. Each cause is described once; further failures with it are counted there and only refer to it.
    pub(super) fn new(
        bot: String,
        sandbox: String,
        mut findings: Vec<Finding>,
        plays_only: Option<TableRestriction>,
        overload: Option<String>,
    ) -> Self {
        let passed = findings.iter().all(|finding| finding.outcome != FindingOutcome::Failed);
        for index in 0..findings.len() {
            let (before, from_here) = findings.split_at_mut(index);
            let finding = &mut from_here[0];
            let Some(failure) = &finding.failure else { continue };
            let is_same = |first: &&mut Finding| {
                first.failure.as_ref().is_some_and(|first| first.has_cause_of(failure))
            };
            if let Some(Finding { name, failure: Some(first), .. }) = before.iter_mut().find(is_same) {
                first.again += 1;
                finding.seen = format!("the same as {name}");
                finding.failure = None;
            }
        }
        Self { v: 1, bot, passed, overload, sandbox, plays_only, findings }
    }
}

#[cfg(test)]
mod tests {
    use leyden_model::{AwaitedAnswer, Deviation, EndCause};

    use super::*;

    fn failed(name: &str, cause: Cause) -> Finding {
        let what = Deviation::Closed { awaited: AwaitedAnswer::Hello };
        let failure = Failure {
            code: Some(FaultCode::Exited),
            details: FaultDetails { cause: Some(cause), ..FaultDetails::new(what) },
            rule: String::new(),
            table: String::new(),
            lines: Vec::new(),
            again: 0,
        };
        Finding {
            kind: FindingKind::Position,
            name: name.to_owned(),
            outcome: FindingOutcome::Failed,
            seen: String::new(),
            failure: Some(failure),
            took_us: None,
        }
    }

    #[test]
    fn failures_of_one_cause_are_described_once() {
        let findings = vec![
            failed("exception", Cause::Ended(EndCause::Exception)),
            failed("abort", Cause::Ended(EndCause::Aborted)),
            failed("exception-again", Cause::Ended(EndCause::Exception)),
            failed("old-id", Cause::OldId(1)),
            failed("older-id", Cause::OldId(2)),
        ];
        let report = CheckReport::new(String::new(), String::new(), findings, None, None);
        let seen: Vec<&str> = report.findings.iter().map(|finding| &*finding.seen).collect();
        assert_eq!(seen, ["", "", "the same as exception", "", "the same as old-id"]);
        let again = |finding: &Finding| finding.failure.as_ref().map(|failure| failure.again);
        let again: Vec<_> = report.findings.iter().map(again).collect();
        assert_eq!(again, [Some(1), Some(0), None, Some(1), None]);
    }
}
