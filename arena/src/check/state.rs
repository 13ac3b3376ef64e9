//! The state of a check: the findings so far, and how the bot's processes did.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use leyden_host::{GRACE_PERIOD, ShutdownStep};
use leyden_model::MatchRecord;
use leyden_protocol::Seat;
use leyden_referee::{DecisionError, Launch, OverloadError, ProcessPlayer};

use super::failures::{failure, hello_text};
use super::positions::PositionKind;
use super::report::{CheckReport, Failure, Finding, FindingKind, FindingOutcome};
use super::request::{CheckError, CheckRequest};
use super::tables::{CheckTable, plays_only};
use crate::rerun::ReadyBot;

/// After this many processes lost by a fault, the rest is skipped: it would fail the same way.
pub(super) const ENOUGH: u32 = 3;

/// The name of the finding about one match played twice.
pub(super) const SAME_SEED: &str = "same-seed";

/// The name of the finding about the same match played after others.
pub(super) const KEPT_STATE: &str = "kept-state";

/// The name of the finding about a match to the usual target. A bot may fail where the short matches do not get to.
pub(super) const WHOLE_MATCH: &str = "whole-match";

/// For how long a bot with nothing to do is watched.
pub(super) const IDLE: Duration = Duration::from_millis(100);

/// How long the first process may take to leave. On a busy machine a bot needs long even if it notices the end of its
/// input at once.
const FIRST_GRACE: Duration = Duration::from_secs(8);

/// The names of the findings about all processes together: time, leaving, memory, rest, and what they saw.
pub(super) const SUMS: [&str; 5] = ["time", "end-of-input", "memory", "off-turn", "folder"];

/// The state of a check.
pub(super) struct Checking<'a> {
    pub(super) ready: &'a ReadyBot,
    pub(super) request: &'a CheckRequest,
    pub(super) began: Instant,
    /// When the current case or match started.
    pub(super) since: Option<Instant>,
    /// Findings about cases and matches, in the order of play.
    pub(super) findings: Vec<Finding>,
    /// For each kind, the tables where it went well, and the failure.
    pub(super) kinds: BTreeMap<PositionKind, (Vec<String>, Option<Failure>)>,
    pub(super) start: Option<Failure>,
    pub(super) slowest_start: Duration,
    /// The longest thinking time, and where.
    pub(super) slowest: Option<(Duration, String)>,
    pub(super) answers: u64,
    /// How each process left, and after how long.
    pub(super) left: Vec<(ShutdownStep, Duration)>,
    pub(super) memory: Option<u64>,
    /// The processor time used while there was nothing to do.
    pub(super) idle: Option<Duration>,
    /// Processes lost by a fault.
    pub(super) lost: u32,
    /// The number of tables that were started.
    pub(super) tables: usize,
    /// The tables where positions or a match were tried, and whether all of it went well.
    pub(super) met: Vec<(CheckTable, bool)>,
    /// The first match that was played to its end.
    pub(super) game: Option<(Seat, MatchRecord)>,
    /// Why the rest could not be checked.
    pub(super) overload: Option<OverloadError>,
}

impl<'a> Checking<'a> {
    pub(super) fn new(ready: &'a ReadyBot, request: &'a CheckRequest) -> Self {
        Self {
            ready,
            request,
            began: Instant::now(),
            since: None,
            findings: Vec::new(),
            kinds: BTreeMap::new(),
            start: None,
            slowest_start: Duration::ZERO,
            slowest: None,
            answers: 0,
            left: Vec::new(),
            memory: None,
            idle: None,
            lost: 0,
            tables: 0,
            met: Vec::new(),
            game: None,
            overload: None,
        }
    }

    /// Keeps what was found if the machine is too busy for the rest.
    pub(super) fn keep_if_busy(&mut self, looked_at: Result<(), CheckError>) -> Result<(), CheckError> {
        match looked_at {
            Err(CheckError::Busy(overload)) => {
                self.overload = Some(overload);
                Ok(())
            }
            looked_at => looked_at,
        }
    }

    /// The findings as a report.
    pub(super) fn into_report(self) -> CheckReport {
        let (name, level) = (self.ready.bot.name.clone(), self.ready.level.to_string());
        let overload = self.overload.map(|overload| CheckError::Busy(overload).to_string());
        CheckReport::new(name, level, self.findings, plays_only(&self.met), overload)
    }

    /// Whether findings of this name are to be looked for.
    pub(super) fn is_requested(&self, name: &str) -> bool {
        self.request.beginning().is_none_or(|beginning| name.starts_with(beginning))
    }

    /// Whether enough is known, or the time is up.
    pub(super) fn is_over(&self) -> bool {
        self.lost >= ENOUGH || self.request.time.is_some_and(|time| self.began.elapsed() > time)
    }

    pub(super) fn find(
        &mut self,
        kind: FindingKind,
        name: &str,
        outcome: FindingOutcome,
        seen: impl Into<String>,
    ) {
        let (name, seen) = (name.to_owned(), seen.into());
        self.note(Finding { kind, name, outcome, seen, failure: None, took_us: None });
    }

    pub(super) fn fail(&mut self, kind: FindingKind, name: &str, failure: Failure) {
        let seen = failure.code.map_or_else(|| "failed".to_owned(), |code| code.to_string());
        let name = name.to_owned();
        let failure = Some(failure);
        self.note(Finding { kind, name, outcome: FindingOutcome::Failed, seen, failure, took_us: None });
    }

    /// Notes a finding, with the time since [`begin`](Self::begin).
    fn note(&mut self, finding: Finding) {
        let took = self.since.take().map(|since| since.elapsed());
        let took_us = took.and_then(|took| u64::try_from(took.as_micros()).ok());
        self.findings.push(Finding { took_us, ..finding });
    }

    /// Starts the clock of the next finding.
    pub(super) fn begin(&mut self) {
        self.since = Some(Instant::now());
    }

    /// Starts a process for a table; `None` if it fails to start, which is noted.
    pub(super) async fn start(
        &mut self,
        launch: &Launch,
        name: &str,
    ) -> Result<Option<ProcessPlayer>, CheckError> {
        let began = Instant::now();
        let started = ProcessPlayer::start(launch).await?;
        self.slowest_start = self.slowest_start.max(began.elapsed());
        match started {
            Ok(bot) => Ok(Some(bot)),
            Err(DecisionError::HostOverloaded(overload)) => Err(CheckError::Busy(overload)),
            Err(DecisionError::Fault(fault, _)) => {
                self.lost = ENOUGH; // it would not start elsewhere
                let lines = vec![hello_text(&launch.rules, &launch.limits)];
                self.start.get_or_insert(failure(name, &fault, lines));
                Ok(None)
            }
        }
    }

    /// Lets a process that did well leave. The wait for the first one is not part of the time of the check.
    pub(super) async fn let_go(&mut self, bot: ProcessPlayer) -> Result<(), CheckError> {
        self.memory = self.memory.max(bot.peak_memory());
        let is_first = self.left.is_empty() && self.is_requested(SUMS[1]);
        let began = Instant::now();
        let step = bot.leave(if is_first { FIRST_GRACE } else { GRACE_PERIOD }).await?;
        let took = began.elapsed();
        self.left.push((step, took));
        if is_first {
            self.began += took;
        }
        Ok(())
    }

    pub(super) fn time(&mut self, took: Duration, name: &str) {
        if self.slowest.as_ref().is_none_or(|(slowest, _)| took > *slowest) {
            self.slowest = Some((took, name.to_owned()));
        }
    }

    pub(super) fn why_skipped(&self) -> String {
        if self.lost > 0 {
            "not tried, because of the failures above".to_owned()
        } else if self.overload.is_some() {
            "not tried: the machine was too busy".to_owned()
        } else {
            "not tried: the time was up (--all)".to_owned()
        }
    }
}
