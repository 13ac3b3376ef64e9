//! `leyden gate`: is the new version stronger than the old one? Plays until that is decided.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use leyden_arena::check::check_cases;
use leyden_arena::record::store::Results;
use leyden_arena::report::{GateDocument, Trial};
use leyden_arena::rerun::ReadyBot;
use leyden_arena::run::{Delivery, Detail, Flow, FollowError, Follower, Halt, Kind, Subscription};
use leyden_arena::tournament::{PlayError, ResultsFile, Tournament};
use leyden_arena::web::server::Server;
use leyden_model::RunEvent;
use leyden_model::event::Withdrawal;
use leyden_stats::{Elo, GateEnd, Hypotheses, NormalisedElo, SprtPlan};

use super::args::{GateOptions, GateTest, JsonDetail, Model, RunOptions, TournamentOptions};
use super::check::{self, See};
use super::config;
use super::ending;
use super::exit::{Code, Stop};
use super::progress::{self, Line};
use super::report::faults;
use super::report::github::{self, Severity};
use super::report::grid::plain;
use super::report::junit::{self, Case};
use super::report::text;
use super::serve;
use super::signals;
use super::tournament::{self, Sums};

/// Plays, judges, tells, and answers by the exit code.
pub(super) fn run(typed: TournamentOptions, run: &RunOptions, gate: &GateOptions) -> Result<Code, Stop> {
    if typed.blocks.is_some() {
        return Err(Stop::usage("a gate plays until it is decided: --max-pairs ends it, not --blocks"));
    }
    if run.json == Some(JsonDetail::Moves) {
        return Err(Stop::usage("a gate prints one document at its end: --json, without moves"));
    }
    let file = run.config.as_deref().map(config::read).transpose()?;
    let section = file.as_ref().and_then(|file| file.gate).unwrap_or_default();
    let test = config::complete_gate(gate.test, section)?;
    let plan = plan(test)?;
    let options = config::complete(typed, file)?;
    let wanted = config::options(&options, Kind::Gate(plan))?;
    let (results, temporary) = results_file(&options)?;
    let tell = &mut |notice| tournament::tell_notice(&notice, run.quiet);
    let mut tournament = Tournament::open(&wanted, &results, tell)?;
    let kept = temporary.is_none().then(|| tournament.path().to_owned());
    cases_pass(&tournament, &options, gate.junit.as_deref())?;
    if !run.quiet {
        announce(&tournament, &plan, kept.as_deref(), options.seed.is_some());
    }
    let setup = tournament.setup().clone();
    let trial = Trial::new(plan, tournament.plan().rules.better);
    let judge = Judge(Arc::new(Mutex::new(trial)));
    let mut sums = Sums::default();
    if tournament.done().count() > 0 {
        judge_stored(tournament.path(), &mut judge.trial())?;
    }
    let is_decided = judge.trial().end().is_some();
    let played =
        if is_decided { Ok((false, None)) } else { play(&mut tournament, judge.clone(), &mut sums, run) };
    tournament.close().map_err(PlayError::from)?;
    let (interrupted, server) = played?;
    if let Some(server) = server {
        server.finish();
    }
    let trial = judge.trial();
    let document = trial.document(&setup);
    github::annotate_faults(trial.faults(), kept.as_deref());
    if !run.quiet && run.json.is_none() && !trial.faults().is_empty() {
        super::say(format_args!("{}", faults::told(trial.faults(), kept.as_deref())));
    }
    tell_document(&document, &sums.withdrawn, run.json.is_some(), gate.junit.as_deref())?;
    ending::tell_off_turn(&sums.off_turn, &setup.settings, false, run.quiet)?;
    match trial.end() {
        Some(GateEnd::Accepted) => Ok(Code::Done),
        Some(GateEnd::Rejected) => Ok(Code::No),
        Some(GateEnd::MaxPairs | GateEnd::Mirror) => Ok(Code::Undecided),
        None if interrupted => {
            Err(Stop { code: Code::Interrupted, message: how_to_go_on("interrupted", kept.as_deref()) })
        }
        // A void pair is played again by a resumed run, and judged at its own place.
        None => {
            let void = trial.report().voided_pairs;
            let why = format!("{void} pairs are void, for the reasons above");
            Err(Stop { code: Code::Undecided, message: how_to_go_on(&why, kept.as_deref()) })
        }
    }
}

/// Asks the new version the cases in its folder. One that fails is the answer no, before anything is played.
fn cases_pass(
    tournament: &Tournament,
    options: &TournamentOptions,
    junit: Option<&Path>,
) -> Result<(), Stop> {
    let plan = tournament.plan();
    let (bot, launcher) = (plan.bots[0].clone(), plan.launcher.clone());
    let limits = super::sandbox::limits(options.memory);
    let ready = ReadyBot { bot, launcher, level: plan.settings.sandbox, limits };
    let report = check_cases(&ready, plan.settings.limits)?;
    if report.passed {
        return Ok(());
    }
    let see = See { bot: options.bots.first().map_or("", String::as_str), ready: &ready };
    if let Some(path) = junit {
        junit::write(path, "leyden gate", check::junit_cases(&report, &see), &Vec::new())?;
    }
    let told = check::told(&report, &see);
    Err(Stop {
        code: Code::No,
        message: format!("rejected before anything was played: a case fails\n{told}"),
    })
}

/// How many pairs are played at most unless it is said.
const MAX_PAIRS: u32 = 5_000;

/// The test that was asked for, if it makes sense.
fn plan(test: GateTest) -> Result<SprtPlan, Stop> {
    let (elo0, elo1) = if test.non_regression { (-20.0, 0.0) } else { (0.0, 20.0) };
    let (h0, h1) = (test.elo0.unwrap_or(elo0), test.elo1.unwrap_or(elo1));
    let hypotheses = match test.model.unwrap_or_default() {
        Model::Normalised => {
            Hypotheses::Normalised { h0: NormalisedElo::new(h0), h1: NormalisedElo::new(h1) }
        }
        Model::Logistic => Hypotheses::Logistic { h0: Elo::new(h0), h1: Elo::new(h1) },
    };
    let (alpha, beta) = (test.alpha.unwrap_or(0.05), test.beta.unwrap_or(0.05));
    let max_pairs = test.max_pairs.unwrap_or(MAX_PAIRS);
    let plan = SprtPlan::new(hypotheses, alpha, beta, max_pairs.into()).map_err(Stop::usage)?;
    Ok(test.mirror_pairs.map_or(plan, |pairs| plan.with_mirror_pairs(pairs.into())))
}

/// The results file, and the folder that holds it if nobody wants to keep it.
fn results_file(options: &TournamentOptions) -> Result<(ResultsFile, Option<tempfile::TempDir>), Stop> {
    match config::results_file(options)? {
        ResultsFile::Dated(_) => {
            let folder = tempfile::Builder::new().prefix("leyden-gate-").tempdir().map_err(Stop::defect)?;
            Ok((ResultsFile::New(folder.path().join("gate.db")), Some(folder)))
        }
        named => Ok((named, None)),
    }
}

/// What is going to be decided, before the first match.
fn announce(tournament: &Tournament, plan: &SprtPlan, kept: Option<&Path>, typed_seed: bool) {
    let [new, old] = [0, 1].map(|bot| plain(&tournament.setup().bots[bot].name));
    let (h0, h1) = plan.hypotheses().bounds();
    let scale = match plan.hypotheses() {
        Hypotheses::Normalised { .. } => "normalised",
        Hypotheses::Logistic { .. } => "logistic",
    };
    let pairs = plan.max_pairs();
    super::say(format_args!("{new} against {old}: {scale} Elo {h0} or {h1}? At most {pairs} pairs"));
    let played = match tournament.done().count() {
        0 => String::new(),
        done => format!(" · {done} matches played before"),
    };
    let kept = kept.map_or("kept in a temporary file".into(), |path| path.display().to_string());
    let commitment = tournament.plan().tournament_seed().commitment();
    super::say(format_args!("records {kept}{played} · seed commitment {commitment}"));
    if typed_seed {
        super::say(format_args!("the seed was typed, so a bot could guess it: good for tests"));
    }
}

/// The test as it follows a run, in whose order of the schedule it decides.
#[derive(Clone)]
struct Judge(Arc<Mutex<Trial>>);

impl Judge {
    fn trial(&self) -> MutexGuard<'_, Trial> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Follower for Judge {
    fn take(&mut self, event: &RunEvent) -> Result<Flow, FollowError> {
        let mut trial = self.trial();
        let judged = match event {
            RunEvent::Match { rank, key, record } => trial.take(*rank, key, (**record).clone()),
            RunEvent::Void(void) => trial.void(&void.key),
            _ => Ok(None),
        };
        match judged {
            Ok(None) => Ok(Flow::GoOn),
            Ok(Some(_)) => Ok(Flow::Stop),
            Err(error) => Err(FollowError::new(error)),
        }
    }
}

/// Plays what is missing until the test ends; says whether it was interrupted, and who still shows it.
fn play(
    tournament: &mut Tournament,
    mut judge: Judge,
    sums: &mut Sums,
    options: &RunOptions,
) -> Result<(bool, Option<Server>), Stop> {
    let quiet = options.quiet;
    let (path, display) = (tournament.path().to_owned(), judge.clone());
    let halt = Halt::default();
    signals::halt_on_signals(&halt)?;
    let mut run = tournament.run();
    run.halted_by(&halt);
    run.follow(sums);
    run.follow(&mut judge);
    let server = serve::beside(&mut run, &options.watch, &path, options.json.is_some())?;
    let mut events = run.subscribe(Detail::Matches);
    let show = move || show(&mut events, &display, &path, quiet);
    let shown = thread::Builder::new().name("progress".to_owned()).spawn(show).map_err(Stop::defect)?;
    let end = run.play();
    drop(shown.join());
    let is_undecided = judge.trial().end().is_none();
    Ok((end?.interrupted && is_undecided, server))
}

/// Shows where the test stands.
fn show(events: &mut Subscription, judge: &Judge, results: &Path, quiet: bool) {
    let mut line = Line::new(quiet);
    while let Some(heard) = events.wait() {
        if let Delivery::Event(event) = heard {
            progress::say_what_went_wrong(&event, results);
        }
        line.show(|| text::gate_line(&judge.trial().report()));
    }
    line.finish(None);
}

/// Takes in the matches of an earlier run, in schedule order.
fn judge_stored(path: &Path, trial: &mut Trial) -> Result<(), Stop> {
    let results = Results::open(path).map_err(Stop::usage)?;
    let schedule = results.setup().schedule().map_err(Stop::usage)?;
    for stored in results.records() {
        let (key, record) = stored.map_err(Stop::usage)?;
        let rank = schedule.rank(&key).ok_or_else(|| Stop::defect("a match outside its schedule"))?;
        if trial.take(rank, &key, record).map_err(Stop::defect)?.is_some() {
            break;
        }
    }
    Ok(())
}

/// Tells people, programs and CI. A closed standard output does not change the answer.
fn tell_document(
    document: &GateDocument,
    withdrawn: &[Withdrawal],
    json: bool,
    junit: Option<&Path>,
) -> Result<(), Stop> {
    let text = text::gate(document) + &text::withdrawn(withdrawn);
    let (verdict, figures) = (text::verdict(document), text::gate_figures(&document.test));
    let (level, failure) = match document.test.end {
        Some(GateEnd::Accepted) => (Severity::Notice, None),
        Some(GateEnd::Rejected) => (Severity::Error, Some("rejected")),
        Some(GateEnd::MaxPairs | GateEnd::Mirror) => (Severity::Warning, Some("undecided")),
        None => (Severity::Warning, Some("unfinished")),
    };
    let llr = figures.iter().find(|(name, _)| *name == "LLR").map_or("", |(_, llr)| llr);
    github::annotate(level, "leyden gate", &format!("{verdict}; LLR {llr}"));
    github::summarise(&github::figures_markdown(&verdict, &figures));
    if let Some(path) = junit {
        let [new, old] = [0, 1].map(|bot| plain(&document.bots[bot].name));
        let case = Case {
            name: format!("{new} against {old}"),
            failure: failure.map(|kind| (kind, verdict)),
            text: text.clone(),
        };
        junit::write(path, "leyden gate", vec![case], &figures)?;
    }
    let told = if json { super::print_document(document) } else { super::print(&text).map(drop) };
    told.or_else(|stop| if stop.is_closed_output() { Ok(()) } else { Err(stop) })
}

fn how_to_go_on(why: &str, kept: Option<&Path>) -> String {
    match kept {
        Some(path) => format!("{why}; go on with\n  {}", tournament::resume_command(path)),
        None => format!("{why}, and nothing was kept: with --results FILE a gate can be resumed"),
    }
}
