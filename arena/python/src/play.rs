//! Plays a tournament for Python on threads of its own, so that Ctrl-C and progress work while it plays.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use leyden_arena::CancellationToken;
use leyden_arena::record::store::Resumable;
use leyden_arena::run::{Flow, FormatChoice, Notice, Options, RunKind};
use leyden_arena::tournament::{ResultsFile, Tournament, options_to_resume};
use leyden_env::Encoding;
use leyden_model::RunEvent;
use leyden_model::event::RunEnd;
use leyden_protocol::{Seats, Set};
use pyo3::prelude::*;

use crate::boundary::{LeydenError, guarded, rejected};
use crate::numbers::rules;
use crate::player::CallablePlayer;
use crate::strategy::Raised;

/// How often to ask Python whether it was interrupted, and to report progress to it.
const LOOK: Duration = Duration::from_millis(100);

/// What can be chosen; the facade in Python has the defaults and explains them.
#[allow(clippy::struct_excessive_bools, reason = "each is a separate choice")]
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Choices {
    program: PathBuf,
    bots: Vec<String>,
    file: PathBuf,
    resume: bool,
    is_match: bool,
    gauntlet: Vec<String>,
    rules: String,
    seats: usize,
    set: u8,
    target: u32,
    blocks: u32,
    seed: Option<String>,
    jobs: Option<usize>,
    sandbox: String,
    turn_ms: u64,
    bank_ms: u64,
    increment_ms: u64,
    startup_ms: u64,
    strikes: u32,
    fresh: bool,
    names: bool,
    allow_missing: bool,
    allow_builtins: bool,
}

impl Choices {
    fn options(&self, stop: &CancellationToken) -> PyResult<Options> {
        let rules = rules(&self.rules, self.seats, self.set, Some(self.target))?;
        let mut options = Options::new(self.program.clone(), self.bots.iter());
        options.kind = if self.is_match {
            RunKind::Match
        } else {
            let format = match &self.gauntlet[..] {
                [] => FormatChoice::RoundRobin,
                challengers => FormatChoice::Gauntlet(challengers.to_vec()),
            };
            RunKind::Tournament { format }
        };
        let settings = &mut options.settings;
        (settings.rules, settings.seats) = (rules.name, Seats::new(self.seats));
        (settings.set, settings.target) = (Set::from_top(self.set).unwrap_or_default(), self.target);
        settings.limits.turn_ms = self.turn_ms;
        settings.limits.bank_ms = self.bank_ms;
        settings.limits.increment_ms = self.increment_ms;
        settings.limits.startup_ms = self.startup_ms;
        settings.sandbox = self.sandbox.parse().map_err(|error: String| LeydenError::new_err(error))?;
        (settings.strikes, settings.fresh, settings.names) = (self.strikes, self.fresh, self.names);
        (options.blocks, options.seed, options.jobs) = (self.blocks, self.seed.clone(), self.jobs);
        (options.allow_missing, options.allow_builtins) = (self.allow_missing, self.allow_builtins);
        options.stop = stop.clone();
        Ok(options)
    }
}

/// How far play is.
#[derive(Default)]
struct Progress {
    done: AtomicU64,
    planned: AtomicU64,
}

impl Progress {
    fn take(&self, event: &RunEvent) {
        match event {
            RunEvent::Start(start) => {
                self.planned.store(start.matches, Ordering::Relaxed);
                self.done.store(start.done, Ordering::Relaxed);
            }
            RunEvent::Stage(stage) => self.planned.store(stage.matches, Ordering::Relaxed),
            RunEvent::Match { .. } | RunEvent::Void(_) => {
                self.done.fetch_add(1, Ordering::Relaxed);
            }
            _ => {}
        }
    }
}

/// What a run leaves, apart from its file.
type Played = (RunEnd, Vec<String>);

/// Plays into a results file. `players` are the callables among the bots, by name; `progress` is called with the number of
/// matches that are done and planned. Returns the number of matches played and voided, the bots disabled, and warnings.
#[pyfunction]
#[pyo3(signature = (choices, players, progress = None))]
pub(crate) fn play(
    py: Python<'_>,
    choices: Choices,
    players: Vec<(String, Py<PyAny>)>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(u64, u64, Vec<String>, Vec<String>)> {
    let (stop, raised, count) = (CancellationToken::new(), Raised::default(), Arc::new(Progress::default()));
    let mut options = choices.options(&stop)?;
    let encoding = Encoding::new(&rules(&choices.rules, choices.seats, choices.set, Some(choices.target))?);
    for (name, ask) in players {
        let (encoding, raised, stop) = (encoding.clone(), raised.clone(), stop.clone());
        options.players.add(&name, move || {
            let ask = Python::attach(|py| ask.clone_ref(py));
            let (encoding, raised, stop) = (encoding.clone(), raised.clone(), stop.clone());
            Box::new(CallablePlayer { ask, encoding, raised, stop })
        });
    }
    let waiting = thread::current();
    let counted = Arc::clone(&count);
    let playing = thread::Builder::new().name("leyden".to_owned()).spawn(move || {
        let played = guarded(|| run(&choices, &options, &counted));
        waiting.unpark();
        played
    })?;
    let mut interrupted = None;
    while !playing.is_finished() {
        py.detach(|| thread::park_timeout(LOOK));
        let reported = progress.as_ref().map(|progress| {
            let (done, planned) = (count.done.load(Ordering::Relaxed), count.planned.load(Ordering::Relaxed));
            progress.call1(py, (done, planned)).map(drop)
        });
        if let Err(error) = py.check_signals().and(reported.unwrap_or(Ok(()))) {
            stop.cancel();
            interrupted.get_or_insert(error);
        }
    }
    let played = py.detach(|| playing.join());
    if let Some(error) = raised.take().or(interrupted) {
        return Err(error);
    }
    let (end, warnings) =
        played.unwrap_or_else(|_| Err(LeydenError::new_err("the thread that plays is gone")))?;
    Ok((end.played, end.voided, end.disabled, warnings))
}

/// Plays, or plays on.
fn run(choices: &Choices, options: &Options, count: &Progress) -> PyResult<Played> {
    let mut warnings = Vec::new();
    let mut notify = |notice: Notice| {
        if let Notice::LeftOut(missing) = notice {
            warnings.push(missing.to_string());
        }
    };
    let mut tournament = if choices.resume {
        let stored = Resumable::open(&choices.file).map_err(rejected)?;
        let again = Options {
            blocks: options.blocks,
            players: options.players.clone(),
            jobs: options.jobs,
            stop: options.stop.clone(),
            ..options_to_resume(stored.stored_plan(), options.leyden.clone())
        };
        Tournament::resume(&again, stored, &mut notify).map_err(rejected)?
    } else {
        Tournament::create(options, &ResultsFile::New(choices.file.clone()), &mut notify).map_err(rejected)?
    };
    let mut follow = |event: &RunEvent| {
        count.take(event);
        Ok(Flow::GoOn)
    };
    let mut run = tournament.run();
    run.follow(&mut follow);
    let end = run.play();
    tournament.close().map_err(rejected)?;
    Ok((end.map_err(rejected)?, warnings))
}
