//! A stored gate: two versions of a bot, and the results file into which they play until it is decided which is stronger.

mod follower;

use std::io;
use std::time::Duration;

use leyden_host::ResourceLimits;

use crate::check::{CheckError, CheckReport, check_cases, missing_cases};
use crate::record::store::{Resumable, StoreError, StoredPlan};
use crate::report::{Faults, GateDocument, GateStop, ReportError, RunningGate};
use crate::rerun::ReadyBot;
use crate::run::{Deadline, GateTerms, Notice, Options, Run, RunError, RunKind};
use crate::tournament::{OpenError, ResultsFile, Tournament};
use follower::GateFollower;
pub use follower::GateProgress;
use tokio_util::sync::CancellationToken;

/// A gate whose results file is open: nothing was asked or played yet.
///
/// ```no_run
/// use leyden_arena::gate::OpenGate;
/// use leyden_arena::run::{GateTerms, Options};
/// use leyden_arena::tournament::ResultsFile;
///
/// let options = Options::new("target/release/leyden", ["bots/new", "bots/old"]);
/// let usual = GateTerms::default();
/// let terms = GateTerms { plan: usual.plan.with_max_pairs(200)?, ..usual };
/// let file = ResultsFile::New("gate.db".into());
/// let gate = OpenGate::create(&options, terms, &file, &mut |notice| println!("{notice:?}"))?;
/// let document = gate.ask()?.judge().play(None)?;
/// println!("{:?} after {} pairs", document.answer, document.test.pairs);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct OpenGate {
    tournament: Tournament,
    /// The matches that were played before, judged.
    gate: RunningGate,
    limits: ResourceLimits,
    stop: CancellationToken,
}

/// A gate whose new version was asked the cases in its folder.
pub struct AskedGate {
    tournament: Tournament,
    gate: RunningGate,
    cases: GateCases,
    stop: CancellationToken,
}

/// A gate that is ready to be played: what was played before is judged.
pub struct ReadyGate {
    tournament: Tournament,
    follower: GateFollower,
    cases: GateCases,
    stop: CancellationToken,
    /// It may go on after the run: it stops only what this gate runs (see [`gate_options`]).
    deadline: Option<Deadline>,
}

/// The cases in the folder of the new version.
pub struct GateCases {
    /// The new version, as it was asked.
    pub asked: ReadyBot,
    /// What the check of these cases found.
    pub report: CheckReport,
    /// Cases that only the old version has.
    pub missing: Vec<String>,
}

/// Why a gate has no answer. What is stored is complete. If the cases could not be asked, a new results file is removed again.
#[derive(Debug, thiserror::Error)]
pub enum VerdictError {
    #[error(transparent)]
    Cases(#[from] CheckError),
    /// The machine was too busy to ask all cases: what was not asked must not pass for right.
    #[error("{0}")]
    Busy(String),
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the system could not start a thread: {0}")]
    Clock(io::Error),
}

impl OpenGate {
    /// Makes a plan from options of any kind, and creates the results file. `notify` receives notices for the
    /// organiser.
    pub fn create(
        options: &Options,
        terms: GateTerms,
        file: &ResultsFile,
        notify: &mut dyn FnMut(Notice),
    ) -> Result<Self, OpenError> {
        let options = gate_options(options, terms);
        let tournament = Tournament::create(&options, file, notify)?;
        match RunningGate::new(terms, &tournament.plan().rules) {
            Ok(gate) => {
                let gate = gate.with_bots(&tournament.stored_plan().bots);
                Ok(Self { tournament, gate, limits: options.sandbox_limits(), stop: options.stop })
            }
            Err(why) => {
                tournament.discard_if_empty()?;
                Err(ReportError::from(why).into())
            }
        }
    }

    /// Resumes a stored gate, between the same versions and with the same terms, apart from more pairs or more faults allowed;
    /// see [`options_to_resume`](crate::tournament::options_to_resume).
    pub fn resume(
        options: &Options,
        terms: GateTerms,
        stored: Resumable,
        notify: &mut dyn FnMut(Notice),
    ) -> Result<Self, OpenError> {
        let options = gate_options(options, terms);
        let (tournament, gate) = Tournament::resume_reading(&options, stored, notify, |results, now| {
            Ok(RunningGate::resumed(terms, now, results)?)
        })?;
        Ok(Self { tournament, gate, limits: options.sandbox_limits(), stop: options.stop })
    }

    /// Returns the tournament whose pairs the gate judges.
    pub fn tournament(&self) -> &Tournament {
        &self.tournament
    }

    /// Asks the new version the cases in its folder, and lists those that only the old version has.
    pub fn ask(self) -> Result<AskedGate, VerdictError> {
        let Self { tournament, gate, limits, stop } = self;
        match GateCases::ask(&tournament, limits, &stop) {
            Ok(cases) => Ok(AskedGate { tournament, gate, cases, stop }),
            Err(why) => Err(discarded(tournament, why)),
        }
    }
}

impl AskedGate {
    /// Returns the tournament whose pairs the gate judges.
    pub fn tournament(&self) -> &Tournament {
        &self.tournament
    }

    /// Returns the cases that were asked, and how the new version answered.
    pub fn cases(&self) -> &GateCases {
        &self.cases
    }

    /// Returns the gate in the state to which the matches played before bring it.
    pub fn judge(self) -> ReadyGate {
        let Self { tournament, gate, cases, stop } = self;
        let follower = GateFollower::new(gate);
        ReadyGate { tournament, follower, cases, stop, deadline: None }
    }
}

impl ReadyGate {
    /// Returns the tournament whose pairs the gate judges.
    pub fn tournament(&self) -> &Tournament {
        &self.tournament
    }

    /// Whether there is anything to play: no case fails, and the gate is not decided.
    pub fn is_to_be_played(&self) -> bool {
        self.cases.passed() && !self.follower.gate.is_over()
    }

    /// The state of the gate, also while it is played.
    pub fn progress(&self) -> GateProgress {
        self.follower.progress()
    }

    /// Ends the run after this time, counted from now. The answer is then that it is undecided, unless it is decided by then. The
    /// gate's terms have to say that it is timed ([`GateTerms::timed`]).
    pub fn end_after(&mut self, time: Duration) -> io::Result<()> {
        self.deadline = Some(Deadline::start(time, self.stop.clone())?);
        Ok(())
    }

    /// Creates a run of the missing matches that is stored, judged, and over once the gate is decided.
    pub fn run(&mut self) -> Run<'_> {
        let mut run = self.tournament.run();
        run.follow(&mut self.follower);
        run
    }

    /// The answer so far, with the cases.
    pub fn document(&self) -> GateDocument {
        let cases = Some(&self.cases.report).filter(|report| !report.findings.is_empty()).cloned();
        let document = self.follower.gate.document(self.stored_plan());
        document.with_cases(cases, self.cases.missing.clone()).interrupted(self.interrupted())
    }

    /// The faults of the judged matches, with the folders of the bots as seen from the current folder.
    pub fn faults(&self) -> Faults {
        self.follower.gate.faults().clone().with_bots(&self.stored_plan().bots_from_here())
    }

    /// Writes what is left, and closes the file. If a case fails, a new file without a match is removed again.
    pub fn close(self) -> Result<(), StoreError> {
        if self.cases.passed() { self.tournament.close() } else { self.tournament.discard_if_empty() }
    }

    /// Plays until the gate is decided, for this time at most, closes the file, and returns the answer. Plays nothing if a case
    /// fails.
    pub fn play(mut self, max_time: Option<Duration>) -> Result<GateDocument, VerdictError> {
        let mut played = Ok(());
        if self.is_to_be_played() {
            if let Some(time) = max_time {
                self.end_after(time).map_err(VerdictError::Clock)?;
            }
            played = self.run().play().map(drop);
        }
        let document = self.document();
        self.close()?;
        played?;
        Ok(document)
    }

    fn stored_plan(&self) -> &StoredPlan {
        self.tournament.stored_plan()
    }

    /// Why the run was cut short, if it was.
    fn interrupted(&self) -> Option<GateStop> {
        let is_late = self.deadline.as_ref().is_some_and(Deadline::has_stopped);
        let why = if is_late { GateStop::MaxTime } else { GateStop::Interrupted };
        self.follower.is_interrupted.then_some(why)
    }
}

impl GateCases {
    fn ask(
        tournament: &Tournament,
        limits: ResourceLimits,
        stop: &CancellationToken,
    ) -> Result<Self, VerdictError> {
        let plan = tournament.plan();
        let folders = [0, 1].map(|bot| plan.bots[bot].command.folder.as_deref());
        let missing = match folders {
            [Some(new), Some(old)] => missing_cases(old, new),
            _ => Vec::new(),
        };
        let (bot, launcher) = (plan.bots[0].clone(), plan.launcher.clone());
        let asked = ReadyBot { bot, launcher, level: plan.settings.sandbox, limits };
        let report = check_cases(&asked, plan.settings.limits, stop)?;
        match report.overload.clone().filter(|_| report.passed) {
            Some(message) => Err(VerdictError::Busy(message)),
            None => Ok(Self { asked, report, missing }),
        }
    }

    /// Whether no case fails. If one does, the gate rejects without playing.
    pub fn passed(&self) -> bool {
        self.report.passed
    }
}

/// The options of a gate, with a stop of its own, so that its time can be up without stopping anything else.
fn gate_options(options: &Options, terms: GateTerms) -> Options {
    Options { kind: RunKind::Gate(terms), stop: options.stop.child_token(), ..options.clone() }
}

/// Closes the file, and removes it if it is new and nothing was played into it.
fn discarded(tournament: Tournament, why: VerdictError) -> VerdictError {
    tournament.discard_if_empty().err().map_or(why, VerdictError::from)
}
