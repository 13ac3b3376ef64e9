//! `leyden gate`: is the new version stronger than the old one? Plays until that is decided.

mod cases;
mod report;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use leyden_arena::halt::Halt;
use leyden_arena::record::store::{Results, StoredPlan};
use leyden_arena::report::{BrokenOff, GateAnswer, GateDocument, LUCK_TERMS, NoPairLuck, RunningGate};
use leyden_arena::run::{
    Delivery, EventDetail, Flow, FollowError, Follower, GateTerms, Options, PlanError, RunKind, Subscription,
};
use leyden_arena::tournament::{PlayError, ResultsFile, Tournament};
use leyden_arena::web::server::Server;
use leyden_arena::words::counted;
use leyden_model::{FROM_GIT, RunEvent};
use leyden_stats::{Elo, GateEnd, Hypotheses, NormalisedElo, SprtPlan};

use self::cases::CasesOutcome;
use self::report::GateSummary;
use super::again::resume_command;
use super::against::{self, OldVersion};
use super::config;
use super::ending;
use super::estimate;
use super::exit::{Code, CommandError};
use super::nats;
use super::notices::{tell_changed, tell_notice};
use super::options::{GateOptions, GateTest, JsonDetail, RunOptions, StrengthScale, TournamentOptions};
use super::progress::{self, ProgressLine};
use super::report::faults;
use super::report::grid::plain;
use super::report::junit::ReportFile;
use super::report::text;
use super::resumed;
use super::serve;
use super::signals;
use super::tournament::{self, RunSums};
use super::unanswered;

/// Plays, judges, reports, and answers by the exit code.
pub(super) fn run(
    typed: TournamentOptions,
    run: &RunOptions,
    gate: &GateOptions,
) -> Result<Code, CommandError> {
    let began = Instant::now();
    let junit = ReportFile::of(gate.junit.as_deref())?;
    let answer = decide(typed, run, gate, junit.as_ref());
    unanswered::reported(answer, junit.as_ref(), unanswered::GATE, began)
}

fn decide(
    typed: TournamentOptions,
    run: &RunOptions,
    gate: &GateOptions,
    junit: Option<&ReportFile>,
) -> Result<Code, CommandError> {
    if typed.blocks.is_some() {
        return Err(CommandError::usage(
            "a gate plays until it is decided: --max-pairs ends it, not --blocks",
        ));
    }
    if run.json == Some(JsonDetail::Moves) {
        return Err(CommandError::usage("a gate prints one document at its end: use --json, without =moves"));
    }
    let halt = Halt::default();
    signals::halt_on_signals(&halt)?;
    let file = run.config.as_deref().map(config::read).transpose()?;
    let mut section = file.as_ref().and_then(|file| file.gate.clone()).unwrap_or_default();
    if typed.bots.len() > 1 {
        section.against = None; // both were typed
    }
    let test = config::complete_gate(&gate.test, &section)?;
    let (mut options, test) = resumed::completed_gate(config::complete(typed, file)?, test)?;
    if let (Some(junit), Some(results)) = (junit, &options.results) {
        junit.leave_to(results)?;
    }
    let named = options.bots.clone();
    let old = test.against.as_deref().map(|revision| old_version(&mut options, revision)).transpose();
    if halt.is_called() {
        // Ctrl-C reaches git as well.
        return Err(PlanError::Interrupted("the old version was being taken from git".to_owned()).into());
    }
    let old = old?;
    let wish = Wish { test, options, named, old: old.as_ref(), halt, run, junit };
    wish.answer().map_err(|stop| old.iter().fold(stop, |stop, old| old.in_words(&stop)))
}

/// What is to be decided, and how it is to be reported.
struct Wish<'a> {
    test: GateTest,
    options: TournamentOptions,
    /// The bots as they were named.
    named: Vec<String>,
    old: Option<&'a OldVersion>,
    halt: Halt,
    run: &'a RunOptions,
    junit: Option<&'a ReportFile>,
}

impl Wish<'_> {
    fn answer(self) -> Result<Code, CommandError> {
        let Self { test, options, named, old, halt, run, junit } = self;
        let terms = GateTerms { plan: plan(&test)?, max_faults: Some(test.max_faults.unwrap_or(MAX_FAULTS)) };
        let private = run.elsewhere.private();
        let places = old.map_or_else(Vec::new, |old| vec![None, Some(format!("{FROM_GIT}{}", old.kept_as))]);
        let wanted = config::options(&options, RunKind::Gate(terms))?;
        let wanted = Options { halt: halt.clone(), private, places, ..wanted };
        let elsewhere = nats::elsewhere(&run.elsewhere, &wanted)?;
        let time = test.max_time.map(|time| Duration::from_millis(time.millis()));
        if run.estimate {
            return estimate::run(wanted, run.quiet, time);
        }
        let (results, temporary) = results_file(&options)?;
        serve::try_address(&run.watch)?;
        let mut tournament = opened(&wanted, &results, &named, run.quiet)?;
        let kept = temporary.is_none().then(|| tournament.path().to_owned());
        if let Some(path) = &kept {
            tournament::set_exit_message(path);
        }
        let began = Instant::now();
        let asked = match CasesOutcome::ask(&tournament, &options, &halt) {
            Ok(asked) => asked,
            Err(stop) => {
                tournament.discard_if_empty().map_err(PlayError::from)?;
                return Err(stop);
            }
        };
        let stored_plan = tournament.stored_plan().clone();
        if asked.passed() && !run.quiet {
            announce(&tournament, &terms.plan, kept.as_deref(), options.seed.is_some());
            if let Some(OldVersion { candidate, place, .. }) = old {
                super::say(format_args!("new: {candidate}; old: {place}"));
            }
        }
        let trial = match stored_or_new(&tournament, terms)? {
            Ok(trial) => trial,
            Err(why) => {
                tournament.discard_if_empty().map_err(PlayError::from)?;
                return Err(CommandError::usage(why));
            }
        };
        let document = trial.document(&stored_plan).with_cases(asked.report(), asked.missing.clone());
        if asked.passed() && !run.quiet {
            announce_more(&document, &stored_plan);
        }
        asked.annotate_missing();
        if !asked.passed() {
            tournament.discard_if_empty().map_err(PlayError::from)?;
            return asked.reject(&document, run.json.is_some(), junit, began.elapsed());
        }
        let judge = GateFollower(Arc::new(Mutex::new(trial)));
        let mut sums = RunSums::default();
        let is_decided = judge.trial().is_over();
        let played = if is_decided {
            Ok((None, None))
        } else {
            play(&mut tournament, judge.clone(), &mut sums, run, elsewhere.as_ref(), (&halt, time))
        };
        tournament::close(tournament, kept.as_deref())?;
        let (broken_off, server) = played?;
        if let Some(server) = server {
            server.finish();
        }
        let over = FinishedGate {
            trial: &judge.trial(),
            stored_plan: &stored_plan,
            kept: kept.as_deref(),
            broken_off,
            asked: &asked,
            old,
            took: began.elapsed(),
        };
        over.end(&sums, run, junit)
    }
}

/// Opens or creates the results file. If that fails, the error may hint at `--against`.
fn opened(
    wanted: &Options,
    results: &ResultsFile,
    named: &[String],
    quiet: bool,
) -> Result<Tournament, CommandError> {
    Tournament::open(wanted, results, &mut |notice| tell_notice(&notice, quiet)).map_err(|error| {
        let hint = against::hint(&error, named);
        let stop = CommandError::from(error);
        CommandError { message: stop.message + &hint, ..stop }
    })
}

/// Returns the gate with the pairs in its results file, or why this program cannot resume it.
fn stored_or_new(
    tournament: &Tournament,
    terms: GateTerms,
) -> Result<Result<RunningGate, NoPairLuck>, CommandError> {
    if tournament.done().count() > 0
        && let Some(trial) = RunningGate::stored(&Results::open(tournament.path())?)?
    {
        return Ok(Ok(trial));
    }
    let trial = RunningGate::new(terms, &tournament.plan().rules);
    Ok(trial.map(|trial| trial.of_bots(&tournament.stored_plan().bots)))
}

/// A gate that is over, or was cut short.
struct FinishedGate<'a> {
    trial: &'a RunningGate,
    stored_plan: &'a StoredPlan,
    kept: Option<&'a Path>,
    broken_off: Option<BrokenOff>,
    asked: &'a CasesOutcome,
    old: Option<&'a OldVersion>,
    took: Duration,
}

impl FinishedGate<'_> {
    /// Reports the outcome, and answers by the exit code.
    fn end(
        &self,
        sums: &RunSums,
        run: &RunOptions,
        junit: Option<&ReportFile>,
    ) -> Result<Code, CommandError> {
        let Self { trial, stored_plan, kept, asked, .. } = *self;
        let document = trial.document(stored_plan).with_cases(asked.report(), asked.missing.clone());
        let mut document = document.broken_off(self.broken_off);
        if kept.is_none() {
            // What is not kept cannot be resumed, so that the seed gives nothing away.
            document.seed.get_or_insert_with(|| stored_plan.seed.clone());
        }
        let faults = trial.faults().clone().of_bots(&stored_plan.bots_from_here());
        if !faults.is_empty() {
            super::say(format_args!("{}", faults::paragraphs(&faults, kept)));
            if kept.is_none() {
                super::say(format_args!(
                    "the records are not kept: with --results FILE every fault can be inspected"
                ));
            }
        }
        let unfinished =
            (document.answer == GateAnswer::Unfinished).then(|| unfinished(self.broken_off, trial, kept));
        let told = GateSummary {
            document: &document,
            faults: &faults,
            kept,
            withdrawn: &sums.withdrawn,
            pinned: &asked.cases,
            candidate: self.old.map(|old| old.candidate.as_str()),
            unfinished: unfinished.as_ref(),
            took: self.took,
        };
        told.tell(run.json.is_some(), junit)?;
        ending::tell_off_turn(&sums.off_turn, &stored_plan.settings, false, run.quiet)?;
        match document.answer {
            GateAnswer::Accepted => Ok(Code::Done),
            GateAnswer::Rejected | GateAnswer::Faulted | GateAnswer::CaseFailed => Ok(Code::No),
            GateAnswer::NoOpponent => {
                if self.old.is_some() {
                    super::say(format_args!(
                        "the old version holds what is in git: what .gitignore excludes, such as weights, is missing"
                    ));
                }
                Ok(Code::Missing)
            }
            GateAnswer::Undecided => {
                if document.broken_off.is_some() {
                    super::say(format_args!("{}", how_to_resume("the time is up (--max-time)", kept)));
                } else if document.test.end == Some(GateEnd::MaxPairs) && kept.is_some() && !run.quiet {
                    super::say(format_args!(
                        "to continue: the same command with --resume and a larger --max-pairs"
                    ));
                }
                Ok(Code::Undecided)
            }
            GateAnswer::Unfinished => {
                Err(unfinished.unwrap_or_else(|| CommandError::defect("an unfinished gate has no reason")))
            }
        }
    }
}

/// Checks out the old version of a bot and adds it as the second one. The returned value must live until the gate is over.
fn old_version(options: &mut TournamentOptions, revision: &str) -> Result<OldVersion, CommandError> {
    let [bot] = &options.bots[..] else {
        return Err(CommandError::usage(format!(
            "--against takes the second bot from git: name one bot, not {}",
            options.bots.len()
        )));
    };
    let old = against::checked_out(bot, revision)?;
    options.bots.push(old.typed.clone());
    Ok(old)
}

/// The default of `--max-faults`.
pub(super) const MAX_FAULTS: u64 = 0;

/// Returns why a gate ended before it was decided.
fn unfinished(broken_off: Option<BrokenOff>, trial: &RunningGate, kept: Option<&Path>) -> CommandError {
    let (code, why) = if broken_off.is_some() {
        (Code::Interrupted, "interrupted".to_owned())
    } else {
        // A resumed run plays a void pair again, and judges it in its place in the schedule.
        let void = counted(trial.report().voided_pairs, "pair is", "pairs are");
        (Code::HostFailed, format!("{void} void, for the reasons above"))
    };
    CommandError { code, message: how_to_resume(&why, kept) }
}

/// The default of `--max-pairs`.
const MAX_PAIRS: u32 = 5_000;

/// The default of `--mirror-pairs` if identical play is accepted: rare differences must have had a chance to appear. One that
/// appears in 3 % of deals would have done so in 95 of 100 such gates.
const MIRROR_PAIRS_TO_ACCEPT: u32 = 100;

/// Returns the test that the options describe, if they are consistent.
pub(super) fn plan(test: &GateTest) -> Result<SprtPlan, CommandError> {
    let (elo0, elo1) = if test.non_regression { (-20.0, 0.0) } else { (0.0, 20.0) };
    let (h0, h1) = (test.elo0.unwrap_or(elo0), test.elo1.unwrap_or(elo1));
    let hypotheses = match test.model.unwrap_or_default() {
        StrengthScale::Normalised => {
            Hypotheses::Normalised { h0: NormalisedElo::new(h0), h1: NormalisedElo::new(h1) }
        }
        StrengthScale::Logistic => Hypotheses::Logistic { h0: Elo::new(h0), h1: Elo::new(h1) },
    };
    let (alpha, beta) = (test.alpha.unwrap_or(0.05), test.beta.unwrap_or(0.05));
    let max_pairs = test.max_pairs.unwrap_or(MAX_PAIRS);
    let plan = SprtPlan::new(hypotheses, alpha, beta, max_pairs.into()).map_err(CommandError::usage)?;
    let plan = if test.luck { plan.with_luck(LUCK_TERMS) } else { plan };
    let mirror_pairs = test.mirror_pairs.or((h1 <= 0.0).then_some(MIRROR_PAIRS_TO_ACCEPT));
    Ok(mirror_pairs.map_or(plan, |pairs| plan.with_mirror_pairs(pairs.into())))
}

/// Returns the results file, and the temporary folder that holds it if it is not to be kept.
fn results_file(
    options: &TournamentOptions,
) -> Result<(ResultsFile, Option<leyden_host::Temporary>), CommandError> {
    match config::results_file(options)? {
        ResultsFile::Dated(_) => {
            let folder = leyden_host::Temporary::private().map_err(CommandError::no_temporary)?;
            Ok((ResultsFile::New(folder.path().join("gate.db")), Some(folder)))
        }
        named => Ok((named, None)),
    }
}

/// Says what is going to be decided, before the first match.
fn announce(tournament: &Tournament, plan: &SprtPlan, kept: Option<&Path>, typed_seed: bool) {
    let [new, old] = [0, 1].map(|bot| plain(&tournament.stored_plan().bots[bot].name));
    let (h0, h1) = plan.hypotheses().bounds();
    let scale = match plan.hypotheses() {
        Hypotheses::Normalised { .. } => "normalised",
        Hypotheses::Logistic { .. } => "logistic",
    };
    let pairs = counted(plan.max_pairs(), "pair", "pairs");
    let luck = if plan.luck().is_some() { ", luck taken out" } else { "" };
    super::say(format_args!("{new} against {old}: {scale} Elo {h0} or {h1}? At most {pairs}{luck}"));
    let played = match tournament.done().count() {
        0 => String::new(),
        done => format!(" · {} played before", counted(done, "match", "matches")),
    };
    let kept = kept.map_or("are not kept".into(), |path| path.display().to_string());
    let commitment = tournament.plan().tournament_seed().commitment();
    super::say(format_args!("records {kept}{played} · seed commitment {commitment}"));
    // To resume with it, it may have to be typed again.
    if typed_seed && tournament.done().count() == 0 {
        super::say(format_args!("the seed was typed, so a bot could guess it: good for tests"));
    }
}

/// Says what is known about the two bots before the first match.
fn announce_more(document: &GateDocument, stored_plan: &StoredPlan) {
    if let Some(cases) = text::cases(document) {
        super::say(format_args!("{cases}"));
    }
    if document.same_bots {
        let hash: String = stored_plan.bots[0].hash.chars().take(12).collect();
        super::say(format_args!(
            "both bots are identical, file for file (SHA-256 {hash}…): one pair without a fault is all that is played"
        ));
    }
}

/// Feeds the events of a run to the test, which judges pairs in schedule order.
#[derive(Clone)]
struct GateFollower(Arc<Mutex<RunningGate>>);

impl GateFollower {
    fn trial(&self) -> MutexGuard<'_, RunningGate> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Follower for GateFollower {
    fn take(&mut self, event: &RunEvent) -> Result<Flow, FollowError> {
        let mut trial = self.trial();
        let judged = match event {
            RunEvent::Match { rank, key, record } => trial.take(*rank, key, (**record).clone()),
            RunEvent::Void(void) => trial.void(&void.key),
            _ => Ok(false),
        };
        match judged {
            Ok(false) => Ok(Flow::GoOn),
            Ok(true) => Ok(Flow::Stop),
            Err(error) => Err(FollowError::new(error)),
        }
    }
}

/// Plays what is missing until the test ends. Returns why it was cut short, if it was, and the server that still shows it.
fn play(
    tournament: &mut Tournament,
    mut judge: GateFollower,
    sums: &mut RunSums,
    options: &RunOptions,
    elsewhere: Option<&nats::Elsewhere>,
    (halt, time): (&Halt, Option<Duration>),
) -> Result<(Option<BrokenOff>, Option<Server>), CommandError> {
    let quiet = options.quiet;
    let (path, display, plan) = (tournament.path().to_owned(), judge.clone(), tournament.plan().clone());
    let is_late = Arc::new(AtomicBool::new(false));
    if let Some(time) = time {
        let (halt, is_late) = (halt.clone(), Arc::clone(&is_late));
        let wait = move || {
            thread::sleep(time);
            is_late.store(!halt.is_called(), Ordering::SeqCst);
            halt.now();
        };
        // The thread may still sleep when the program ends.
        thread::Builder::new().name("time".to_owned()).spawn(wait).map_err(CommandError::of_system)?;
    }
    let mut run = tournament.run();
    run.follow(sums);
    run.follow(&mut judge);
    let server = serve::beside(&mut run, &options.watch, &path, options.json.is_some())?;
    let mut events = run.subscribe(EventDetail::Matches);
    let show = move || show(&mut events, &display, &path, quiet, time);
    let shown =
        thread::Builder::new().name("progress".to_owned()).spawn(show).map_err(CommandError::of_system)?;
    let end = nats::play(run, &plan, elsewhere, halt);
    drop(shown.join());
    tell_changed(&plan);
    let is_undecided = !judge.trial().is_over();
    let why = if is_late.load(Ordering::SeqCst) { BrokenOff::MaxTime } else { BrokenOff::Interrupted };
    Ok(((end?.interrupted && is_undecided).then_some(why), server))
}

/// Shows the state of the test.
fn show(
    events: &mut Subscription,
    judge: &GateFollower,
    results: &Path,
    quiet: bool,
    time: Option<Duration>,
) {
    let mut line = ProgressLine::new(quiet);
    let before = judge.trial().report().pairs;
    while let Some(delivery) = events.wait() {
        if let Delivery::Event(event) = delivery {
            progress::say_what_went_wrong(&event, results);
        }
        let elapsed = line.elapsed();
        line.show(|| {
            let report = judge.trial().report();
            let new = report.pairs.saturating_sub(before);
            let pairs = (new, report.plan.max_pairs().saturating_sub(before));
            let pace = progress::pace(pairs, elapsed, time);
            text::gate_line(&report, &pace)
        });
    }
    line.finish(None);
}

fn how_to_resume(why: &str, kept: Option<&Path>) -> String {
    match kept {
        Some(path) => format!("{why}; resume with\n  {}", resume_command(path)),
        None => format!("{why}, and nothing was kept: with --results FILE a gate can be resumed"),
    }
}
