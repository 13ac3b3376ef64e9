//! Plays a tournament for Python on threads of its own, so that Ctrl-C and progress work while it plays.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use leyden_arena::CancellationToken;
use leyden_arena::record::store::Resumable;
use leyden_arena::run::{ChosenSettings, Flow, FormatChoice, Notice, Options, RunKind};
use leyden_arena::tournament::{ResultsFile, Tournament, options_to_resume};
use leyden_env::Encoding;
use leyden_model::RunEvent;
use leyden_model::event::RunEnd;
use leyden_protocol::Seats;
use leyden_rules::Rules;
use pyo3::prelude::*;
use serde_json::{Map, Value};

use crate::boundary::{LeydenError, guarded, rejected};
use crate::player::CallablePlayer;
use crate::strategy::RaisedException;

/// How often to ask Python whether it was interrupted, and to report progress to it.
const LOOK: Duration = Duration::from_millis(100);

/// What is played into which file; the facade in Python explains it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Choices {
    program: PathBuf,
    bots: Vec<String>,
    file: PathBuf,
    resume: bool,
    is_match: bool,
    gauntlet: Vec<String>,
    /// Options of a run by their names, as a JSON object.
    options: String,
}

impl Choices {
    /// The usual options, or those of the tournament that is resumed, with what was chosen.
    fn options(&self, stored: Option<&Resumable>) -> PyResult<Options> {
        let kind = match &self.gauntlet[..] {
            _ if self.is_match => RunKind::Match,
            [] => RunKind::default(),
            challengers => RunKind::Tournament { format: FormatChoice::Gauntlet(challengers.to_vec()) },
        };
        let usual = match stored {
            Some(stored) => options_to_resume(stored.stored_plan(), self.program.clone()),
            None => Options { kind, ..Options::new(self.program.clone(), self.bots.iter()) },
        };
        let chosen: Map<String, Value> = serde_json::from_str(&self.options).map_err(rejected)?;
        let mut chosen = chosen.into_iter();
        chosen.try_fold(usual, |options, (name, value)| options.with(&name, value)).map_err(rejected)
    }
}

/// Returns the options of a run and their usual values, as a JSON object.
#[pyfunction]
pub(crate) fn options() -> PyResult<String> {
    Ok(Value::Object(Options::new("", [""; 0]).named().map_err(rejected)?).to_string())
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
    let (stop, raised) = (CancellationToken::new(), RaisedException::default());
    let count = Arc::new(Progress::default());
    let (ended, failed, counted) = (stop.clone(), raised.clone(), Arc::clone(&count));
    let waiting = thread::current();
    let playing = thread::Builder::new().name("leyden".to_owned()).spawn(move || {
        let played = guarded(|| run(&choices, players, &ended, &failed, &counted));
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
fn run(
    choices: &Choices,
    players: Vec<(String, Py<PyAny>)>,
    stop: &CancellationToken,
    raised: &RaisedException,
    count: &Progress,
) -> PyResult<Played> {
    let stored = choices.resume.then(|| Resumable::open(&choices.file)).transpose().map_err(rejected)?;
    let mut options = Options { stop: stop.clone(), ..choices.options(stored.as_ref())? };
    let ChosenSettings { rules, seats, set, target, .. } = options.settings;
    let rules = Rules::new(rules, seats.unwrap_or(Seats::TWO), set, target).map_err(rejected)?;
    let encoding = Encoding::new(&rules);
    for (name, ask) in players {
        let (encoding, raised, stop) = (encoding.clone(), raised.clone(), stop.clone());
        options.players.add(&name, move || {
            let ask = Python::attach(|py| ask.clone_ref(py));
            let (encoding, raised, stop) = (encoding.clone(), raised.clone(), stop.clone());
            Box::new(CallablePlayer { ask, encoding, raised, stop })
        });
    }
    let mut warnings = Vec::new();
    let mut notify = |notice: Notice| {
        if let Notice::LeftOut(missing) = notice {
            warnings.push(missing.to_string());
        }
    };
    let tournament = match stored {
        Some(stored) => Tournament::resume(&options, stored, &mut notify),
        None => Tournament::create(&options, &ResultsFile::New(choices.file.clone()), &mut notify),
    };
    let mut tournament = tournament.map_err(rejected)?;
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
