//! What a check found, as values.

use std::collections::BTreeMap;

use leyden_protocol::FaultCode;
use schemars::JsonSchema;
use serde::Serialize;

/// What the line of a failure's message begins with that says what is likely.
pub(super) const LIKELY: &str = "likely cause:";

/// What `leyden check --json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(title = "A check")]
pub struct CheckReport {
    /// The version of this form: 1.
    pub v: u32,
    pub bot: String,
    /// Whether nothing failed.
    pub passed: bool,
    /// Why not everything was looked at, if the machine was too busy for that: then `passed` says nothing of the rest.
    pub overload: Option<String>,
    /// The sandbox around the bot.
    pub sandbox: String,
    pub findings: Vec<Finding>,
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Finding {
    pub kind: FindingKind,
    /// Its name: what `--only` takes.
    pub name: String,
    pub outcome: FindingOutcome,
    /// What was seen, in a few words.
    pub told: String,
    /// What was wrong, if it failed.
    pub failure: Option<Failure>,
    /// How long it took, where it was looked at by itself: a case or a match.
    pub took_us: Option<u64>,
}

/// What sort of thing was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// Starting, and the handshake.
    Start,
    /// A case of the bot's own folder.
    Case,
    /// Positions of one kind.
    Position,
    /// A match: to a low target, and one to the usual target.
    Game,
    /// Fields and types of lines that no protocol has yet.
    Words,
    /// One match, played twice.
    SameSeed,
    /// Time, memory, rest and leaving, over everything.
    Conduct,
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FindingOutcome {
    Passed,
    Failed,
    /// No failure, but worth knowing.
    Noted,
    /// Not looked at; `told` says why.
    Skipped,
}

/// What was wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Failure {
    /// The fault that it is in a match; null if it is none.
    pub code: Option<FaultCode>,
    /// What was expected, what came, and what to do.
    pub message: String,
    /// The rule that was broken, and where it stands.
    pub rule: String,
    /// Where: the table that was played at.
    pub table: String,
    /// The lines that the bot was sent; it failed at the last one.
    pub lines: Vec<String>,
    /// How often the same was wrong elsewhere.
    pub again: u32,
}

impl Failure {
    /// What is equal of failures that have one cause: the first words of what is likely, and of a bot that ended the last
    /// that it wrote to its standard error.
    fn cause(&self) -> (Option<FaultCode>, &str, Option<&str>) {
        let likely = self.message.lines().find(|line| line.starts_with(LIKELY));
        let words = likely.map_or(self.message.as_str(), |likely| likely.split('.').next().unwrap_or(likely));
        let ended = matches!(self.code, Some(FaultCode::Exited | FaultCode::Handshake));
        (self.code, words, self.message.lines().last().filter(|_| ended))
    }
}

impl CheckReport {
    /// With each cause told once: what fails again for it is counted there, and named in a word.
    pub(super) fn new(
        bot: String,
        sandbox: String,
        mut findings: Vec<Finding>,
        overload: Option<String>,
    ) -> Self {
        let passed = findings.iter().all(|finding| finding.outcome != FindingOutcome::Failed);
        let mut first: BTreeMap<String, usize> = BTreeMap::new();
        let mut again = Vec::new();
        for (place, finding) in findings.iter_mut().enumerate() {
            let Some(failure) = &finding.failure else { continue };
            let cause = format!("{:?}", failure.cause());
            match first.get(&cause) {
                None => drop(first.insert(cause, place)),
                Some(&before) => {
                    again.push((before, place));
                    finding.failure = None;
                }
            }
        }
        for (before, place) in again {
            let name = findings[before].name.clone();
            findings[place].told = format!("the same as {name}");
            if let Some(failure) = &mut findings[before].failure {
                failure.again += 1;
            }
        }
        Self { v: 1, bot, passed, overload, sandbox, findings }
    }
}
