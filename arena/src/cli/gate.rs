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

/// Plays, judges, tells, and answers by the exit code.
pub(super) fn run(
    typed: TournamentOptions,
    run: &RunOptions,
    gate: &GateOptions,
) -> Result<Code, CommandError> {
    let began = Instant::now();
    let junit = ReportFile::of(gate.junit.as_deref())?;
    let answer = decide(typed, run, gate, junit.as_ref());
    unanswered::told(answer, junit.as_ref(), unanswered::GATE, began)
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
        return Err(CommandError::usage("a gate prints one document at its end: --json, without moves"));
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
        // The keys that say so end git as well.
        return Err(PlanError::Interrupted("the old version was taken from git".to_owned()).into());
    }
    let old = old?;
    let wish = Wish { test, options, named, old: old.as_ref(), halt, run, junit };
    wish.answer().map_err(|stop| old.iter().fold(stop, |stop, old| old.in_words(&stop)))
}

/// What is to be decided, and how it is to be told.
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
            tournament::tell_at_once(path);
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
        let trial = match begun(&tournament, terms)? {
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

/// Opens or creates the results file. Where that cannot be, it may be that `--against` was meant.
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

/// The gate with the pairs that its results file has; or why this program cannot go on with it.
fn begun(tournament: &Tournament, terms: GateTerms) -> Result<Result<RunningGate, NoPairLuck>, CommandError> {
    if tournament.done().count() > 0
        && let Some(trial) =
            RunningGate::stored(&Results::open(tournament.path()).map_err(CommandError::usage)?)?
    {
        return Ok(Ok(trial));
    }
    let trial = RunningGate::new(terms, &tournament.plan().rules);
    Ok(trial.map(|trial| trial.of_bots(&tournament.stored_plan().bots)))
}

/// A gate that is over, or was broken off.
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
    /// Tells what it came to, and answers.
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
            // Nobody can go on with what is not kept, so that nothing is given away.
            document.seed.get_or_insert_with(|| stored_plan.seed.clone());
        }
        let faults = trial.faults().clone().of_bots(&stored_plan.bots_from_here());
        if !faults.is_empty() {
            super::say(format_args!("{}", faults::told(&faults, kept)));
            if kept.is_none() {
                super::say(format_args!(
                    "the records are not kept: with --results FILE every fault can be looked at"
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
                        "the old version is what git holds of it: what .gitignore leaves out, such as weights, is missing there"
                    ));
                }
                Ok(Code::Missing)
            }
            GateAnswer::Undecided => {
                if document.broken_off.is_some() {
                    super::say(format_args!("{}", how_to_go_on("the time is up (--max-time)", kept)));
                } else if document.test.end == Some(GateEnd::MaxPairs) && kept.is_some() && !run.quiet {
                    super::say(format_args!(
                        "to go on: the same command with --resume and a larger --max-pairs"
                    ));
                }
                Ok(Code::Undecided)
            }
            GateAnswer::Unfinished => {
                Err(unfinished
                    .unwrap_or_else(|| CommandError::defect("a gate that is not over has no reason")))
            }
        }
    }
}

/// Lets a bot play against an old version of itself, which has to be kept until it is over.
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

/// How many matches the new version may lose by faults unless it is said.
pub(super) const MAX_FAULTS: u64 = 0;

/// Why a gate ended before it was decided.
fn unfinished(broken_off: Option<BrokenOff>, trial: &RunningGate, kept: Option<&Path>) -> CommandError {
    let (code, why) = if broken_off.is_some() {
        (Code::Interrupted, "interrupted".to_owned())
    } else {
        // A void pair is played again by a resumed run, and judged at its own place.
        let void = counted(trial.report().voided_pairs, "pair is", "pairs are");
        (Code::HostFailed, format!("{void} void, for the reasons above"))
    };
    CommandError { code, message: how_to_go_on(&why, kept) }
}

/// How many pairs are played at most unless it is said.
const MAX_PAIRS: u32 = 5_000;

/// How many pairs have to be played alike to be an answer, where that is to accept: what is rare must have had a chance to
/// come up. One that came up in 3 % of deals would have done so in 95 of 100 such gates.
const MIRROR_PAIRS_TO_ACCEPT: u32 = 100;

/// The test that was asked for, if it makes sense.
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

/// The results file, and the folder that holds it if nobody wants to keep it.
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

/// What is going to be decided, before the first match.
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
    // Whoever resumes it may have to type it again.
    if typed_seed && tournament.done().count() == 0 {
        super::say(format_args!("the seed was typed, so a bot could guess it: good for tests"));
    }
}

/// What is known of the two bots before the first match.
fn announce_more(document: &GateDocument, stored_plan: &StoredPlan) {
    if let Some(cases) = text::cases(document) {
        super::say(format_args!("{cases}"));
    }
    if document.same_bots {
        let hash: String = stored_plan.bots[0].hash.chars().take(12).collect();
        super::say(format_args!(
            "both are the same bot, file for file (SHA-256 {hash}…): a pair without a fault is all that is played"
        ));
    }
}

/// The test as it follows a run, in whose order of the schedule it decides.
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

/// Plays what is missing until the test ends; says why it was broken off if it was, and who still shows it.
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
        // It may still sleep when the program ends.
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

/// Shows where the test stands.
fn show(
    events: &mut Subscription,
    judge: &GateFollower,
    results: &Path,
    quiet: bool,
    time: Option<Duration>,
) {
    let mut line = ProgressLine::new(quiet);
    let before = judge.trial().report().pairs;
    while let Some(heard) = events.wait() {
        if let Delivery::Event(event) = heard {
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

fn how_to_go_on(why: &str, kept: Option<&Path>) -> String {
    match kept {
        Some(path) => format!("{why}; go on with\n  {}", resume_command(path)),
        None => format!("{why}, and nothing was kept: with --results FILE a gate can be resumed"),
    }
}
