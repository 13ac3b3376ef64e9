//! `leyden gate`: is the new version stronger than the old one? Plays until that is decided.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use leyden_arena::check::{CheckReport, check_cases};
use leyden_arena::record::store::{Results, Setup};
use leyden_arena::report::{Faults, GateAnswer, GateDocument, LUCK_TERMS, Trial};
use leyden_arena::rerun::ReadyBot;
use leyden_arena::run::{
    Delivery, Detail, Flow, FollowError, Follower, GateTerms, Halt, Kind, Options, PlanError, Subscription,
};
use leyden_arena::tournament::{PlayError, ResultsFile, Tournament};
use leyden_arena::web::server::Server;
use leyden_model::RunEvent;
use leyden_model::event::Withdrawal;
use leyden_stats::{Elo, GateEnd, Hypotheses, NormalisedElo, SprtPlan};

use super::against::{self, OldVersion};
use super::args::{GateOptions, GateTest, JsonDetail, Model, RunOptions, TournamentOptions};
use super::check::{self, See};
use super::config;
use super::ending;
use super::estimate;
use super::exit::{Code, Stop};
use super::nats;
use super::progress::{self, Line};
use super::report::faults;
use super::report::github::{self, Severity};
use super::report::grid::plain;
use super::report::junit::{Answer, Case, Target};
use super::report::text;
use super::serve;
use super::signals;
use super::tournament::{self, Sums};

/// Plays, judges, tells, and answers by the exit code. Whoever reads the JUnit report alone learns why there is no answer.
pub(super) fn run(typed: TournamentOptions, run: &RunOptions, gate: &GateOptions) -> Result<Code, Stop> {
    let junit = Target::of(gate.junit.as_deref())?;
    let answer = decide(typed, run, gate, junit.as_ref());
    if let (Err(stop), Some(junit)) = (&answer, &junit)
        && matches!(stop.code, Code::Usage | Code::Missing)
        && !junit.write_why_not("leyden gate", stop).unwrap_or(false)
    {
        super::say(format_args!("note: no JUnit report was written over what is no JUnit report"));
    }
    answer
}

fn decide(
    typed: TournamentOptions,
    run: &RunOptions,
    gate: &GateOptions,
    junit: Option<&Target>,
) -> Result<Code, Stop> {
    if typed.blocks.is_some() {
        return Err(Stop::usage("a gate plays until it is decided: --max-pairs ends it, not --blocks"));
    }
    if run.json == Some(JsonDetail::Moves) {
        return Err(Stop::usage("a gate prints one document at its end: --json, without moves"));
    }
    let halt = Halt::default();
    signals::halt_on_signals(&halt)?;
    let file = run.config.as_deref().map(config::read).transpose()?;
    let section = file.as_ref().and_then(|file| file.gate).unwrap_or_default();
    let test = config::complete_gate(gate.test, section)?;
    let terms = GateTerms { plan: plan(test)?, max_faults: Some(test.max_faults.unwrap_or(MAX_FAULTS)) };
    let mut options = config::complete(typed, file)?;
    if let (Some(junit), Some(results)) = (junit, &options.results) {
        junit.leave_to(results)?;
    }
    let old = gate.against.as_deref().map(|revision| old_version(&mut options, revision)).transpose();
    if halt.is_called() {
        // The keys that say so end git as well.
        return Err(PlanError::Interrupted("the old version was taken from git".to_owned()).into());
    }
    let old = old?;
    let private = run.elsewhere.private();
    let wanted = Options { halt: halt.clone(), private, ..config::options(&options, Kind::Gate(terms))? };
    let elsewhere = nats::elsewhere(&run.elsewhere, &wanted)?;
    if run.estimate {
        return estimate::run(wanted, run.quiet);
    }
    let (results, temporary) = results_file(&options)?;
    serve::try_address(&run.watch)?;
    let tell = &mut |notice| tournament::tell_notice(&notice, run.quiet);
    let mut tournament = Tournament::open(&wanted, &results, tell)
        .map_err(|error| old.iter().fold(error.into(), |stop, old| old.in_words(&stop)))?;
    let kept = temporary.is_none().then(|| tournament.path().to_owned());
    if let Some(path) = &kept {
        tournament::tell_at_once(path);
    }
    let failed = failed_cases(&tournament, &options)?;
    if failed.is_none() && !run.quiet {
        announce(&tournament, &terms.plan, kept.as_deref(), options.seed.is_some());
    }
    let setup = tournament.setup().clone();
    let judged = match tournament.done().count() {
        0 => None,
        _ => Trial::stored(&Results::open(tournament.path()).map_err(Stop::usage)?)?,
    };
    let trial = match judged.map_or_else(|| Trial::new(terms, &tournament.plan().rules), Ok) {
        Ok(trial) => trial,
        Err(why) => {
            tournament.discard_if_empty().map_err(PlayError::from)?;
            return Err(Stop::usage(why));
        }
    };
    if let Some(failed) = failed {
        let document = trial.document(&setup).with_failed_cases(failed.report.clone());
        tournament.discard_if_empty().map_err(PlayError::from)?;
        return failed.reject(&document, run.json.is_some(), junit);
    }
    let judge = Judge(Arc::new(Mutex::new(trial)));
    let mut sums = Sums::default();
    let is_decided = judge.trial().is_over();
    let time = test.max_time.map(|time| Duration::from_millis(time.millis()));
    let played = if is_decided {
        Ok((None, None))
    } else {
        play(&mut tournament, judge.clone(), &mut sums, run, elsewhere.as_ref(), (&halt, time))
    };
    tournament.close().map_err(PlayError::from)?;
    let (broken_off, server) = played?;
    if let Some(server) = server {
        server.finish();
    }
    let over = Over {
        trial: &judge.trial(),
        setup: &setup,
        kept: kept.as_deref(),
        broken_off,
        is_from_git: old.is_some(),
    };
    over.end(&sums, run, junit)
}

/// A gate that is over, or was broken off.
struct Over<'a> {
    trial: &'a Trial,
    setup: &'a Setup,
    kept: Option<&'a Path>,
    broken_off: Option<Why>,
    is_from_git: bool,
}

impl Over<'_> {
    /// Tells what it came to, and answers.
    fn end(&self, sums: &Sums, run: &RunOptions, junit: Option<&Target>) -> Result<Code, Stop> {
        let Self { trial, setup, kept, .. } = *self;
        let mut document = trial.document(setup);
        if kept.is_none() {
            // Nobody can go on with what is not kept, so that nothing is given away.
            document.seed.get_or_insert_with(|| setup.seed.clone());
        }
        let is_why = |bot: &str| {
            document.answer == GateAnswer::Faulted && bot == document.bots[0].name
                || document.answer == GateAnswer::NoOpponent && bot == document.bots[1].name
        };
        // What came out of git is gone again: nobody can be told how to type it.
        let typed = &setup.bots[..if self.is_from_git { 1 } else { setup.bots.len() }];
        let faults = trial.faults().clone().of_bots(typed);
        github::annotate_faults(&faults, kept, is_why);
        if !faults.is_empty() {
            super::say(format_args!("{}", faults::told(&faults, kept)));
            if kept.is_none() {
                super::say(format_args!(
                    "the records are not kept: with --results FILE every fault can be looked at"
                ));
            }
        }
        let told = Told { document: &document, faults: &faults, kept, withdrawn: &sums.withdrawn };
        told.tell(run.json.is_some(), junit)?;
        ending::tell_off_turn(&sums.off_turn, &setup.settings, false, run.quiet)?;
        match document.answer {
            GateAnswer::Accepted => Ok(Code::Done),
            GateAnswer::Rejected | GateAnswer::Faulted | GateAnswer::CaseFailed => Ok(Code::No),
            GateAnswer::NoOpponent => {
                if self.is_from_git {
                    super::say(format_args!(
                        "the old version is what git holds of it: what .gitignore leaves out, such as weights, is missing there"
                    ));
                }
                Ok(Code::Missing)
            }
            GateAnswer::Undecided => {
                if document.test.end == Some(GateEnd::MaxPairs) && kept.is_some() && !run.quiet {
                    super::say(format_args!(
                        "to go on: the same command with --resume and a larger --max-pairs"
                    ));
                }
                Ok(Code::Undecided)
            }
            GateAnswer::Unfinished => Err(unfinished(self.broken_off, trial, kept)),
        }
    }
}

/// Lets a bot play against an old version of itself, which has to be kept until it is over.
fn old_version(options: &mut TournamentOptions, revision: &str) -> Result<OldVersion, Stop> {
    let [bot] = &options.bots[..] else {
        return Err(Stop::usage(format!(
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
fn unfinished(broken_off: Option<Why>, trial: &Trial, kept: Option<&Path>) -> Stop {
    let (code, why) = match broken_off {
        Some(Why::Interrupted) => (Code::Interrupted, "interrupted".to_owned()),
        Some(Why::TimeIsUp) => (Code::Undecided, "undecided: the time is up (--max-time)".to_owned()),
        // A void pair is played again by a resumed run, and judged at its own place.
        None => {
            let void = trial.report().voided_pairs;
            (Code::HostFailed, format!("{void} pairs are void, for the reasons above"))
        }
    };
    Stop { code, message: how_to_go_on(&why, kept) }
}

/// Cases of the new version of which one fails: the answer no, before anything is played.
struct FailedCases {
    report: CheckReport,
    cases: Vec<Case>,
    told: String,
}

/// Asks the new version the cases in its folder.
fn failed_cases(tournament: &Tournament, options: &TournamentOptions) -> Result<Option<FailedCases>, Stop> {
    let plan = tournament.plan();
    let (bot, launcher) = (plan.bots[0].clone(), plan.launcher.clone());
    let limits = super::sandbox::limits(options.memory);
    let ready = ReadyBot { bot, launcher, level: plan.settings.sandbox, limits };
    let report = check_cases(&ready, plan.settings.limits)?;
    if report.passed {
        // What nothing can be said of is no reason to play: it would be taken for right.
        return report.overload.map_or(Ok(None), |message| Err(Stop { code: Code::HostFailed, message }));
    }
    let see = See { bot: options.bots.first().map_or("", String::as_str), ready: &ready };
    let (cases, told) = (check::junit_cases(&report, &see), check::told(&report, &see));
    Ok(Some(FailedCases { report, cases, told }))
}

impl FailedCases {
    /// Tells people, programs and CI.
    fn reject(self, document: &GateDocument, json: bool, junit: Option<&Target>) -> Result<Code, Stop> {
        let Self { report, cases, told } = self;
        let verdict = text::verdict(document);
        check::annotate(&report, "leyden gate");
        github::annotate(Severity::Error, "leyden gate", &verdict);
        github::summarise(&(github::heading(&verdict) + &github::fenced(&told)));
        let text = format!("{verdict}\n{told}");
        if let Some(junit) = junit {
            let answer = Answer::Failed("case", verdict);
            let whole = Case { name: between(document), answer, text: text.clone() };
            junit.write("leyden gate", [whole].into_iter().chain(cases).collect(), &Vec::new())?;
        }
        print(document, json, &text)?;
        Ok(Code::No)
    }
}

/// How many pairs are played at most unless it is said.
const MAX_PAIRS: u32 = 5_000;

/// How many pairs have to be played alike to be an answer, where that is to accept: what is rare must have had a chance to
/// come up. One that came up in 3 % of deals would have done so in 95 of 100 such gates.
const MIRROR_PAIRS_TO_ACCEPT: u32 = 100;

/// The test that was asked for, if it makes sense.
pub(super) fn plan(test: GateTest) -> Result<SprtPlan, Stop> {
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
    let plan = if test.luck { plan.with_luck(LUCK_TERMS) } else { plan };
    let mirror_pairs = test.mirror_pairs.or((h1 <= 0.0).then_some(MIRROR_PAIRS_TO_ACCEPT));
    Ok(mirror_pairs.map_or(plan, |pairs| plan.with_mirror_pairs(pairs.into())))
}

/// The results file, and the folder that holds it if nobody wants to keep it.
fn results_file(options: &TournamentOptions) -> Result<(ResultsFile, Option<leyden_host::Temporary>), Stop> {
    match config::results_file(options)? {
        ResultsFile::Dated(_) => {
            let folder = leyden_host::Temporary::private().map_err(Stop::defect)?;
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
    let luck = if plan.luck().is_some() { ", luck taken out" } else { "" };
    super::say(format_args!("{new} against {old}: {scale} Elo {h0} or {h1}? At most {pairs} pairs{luck}"));
    let played = match tournament.done().count() {
        0 => String::new(),
        done => format!(" · {done} matches played before"),
    };
    let kept = kept.map_or("kept in a temporary file".into(), |path| path.display().to_string());
    let commitment = tournament.plan().tournament_seed().commitment();
    super::say(format_args!("records {kept}{played} · seed commitment {commitment}"));
    // Whoever resumes it may have to type it again.
    if typed_seed && tournament.done().count() == 0 {
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
            _ => Ok(false),
        };
        match judged {
            Ok(false) => Ok(Flow::GoOn),
            Ok(true) => Ok(Flow::Stop),
            Err(error) => Err(FollowError::new(error)),
        }
    }
}

/// Why a run was broken off.
#[derive(Clone, Copy)]
enum Why {
    Interrupted,
    TimeIsUp,
}

/// Plays what is missing until the test ends; says why it was broken off if it was, and who still shows it.
fn play(
    tournament: &mut Tournament,
    mut judge: Judge,
    sums: &mut Sums,
    options: &RunOptions,
    elsewhere: Option<&nats::Elsewhere>,
    (halt, time): (&Halt, Option<Duration>),
) -> Result<(Option<Why>, Option<Server>), Stop> {
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
        thread::Builder::new().name("time".to_owned()).spawn(wait).map_err(Stop::defect)?;
    }
    let mut run = tournament.run();
    run.follow(sums);
    run.follow(&mut judge);
    let server = serve::beside(&mut run, &options.watch, &path, options.json.is_some())?;
    let mut events = run.subscribe(Detail::Matches);
    let show = move || show(&mut events, &display, &path, quiet);
    let shown = thread::Builder::new().name("progress".to_owned()).spawn(show).map_err(Stop::defect)?;
    let end = nats::play(run, &plan, elsewhere, halt);
    drop(shown.join());
    let is_undecided = !judge.trial().is_over();
    let why = if is_late.load(Ordering::SeqCst) { Why::TimeIsUp } else { Why::Interrupted };
    Ok(((end?.interrupted && is_undecided).then_some(why), server))
}

/// Shows where the test stands.
fn show(events: &mut Subscription, judge: &Judge, results: &Path, quiet: bool) {
    let mut line = Line::new(quiet);
    let before = judge.trial().report().pairs;
    while let Some(heard) = events.wait() {
        if let Delivery::Event(event) = heard {
            progress::say_what_went_wrong(&event, results);
        }
        let elapsed = line.elapsed();
        line.show(|| {
            let report = judge.trial().report();
            let new = report.pairs.saturating_sub(before);
            let pace = progress::pace("pairs", new, report.plan.max_pairs().saturating_sub(before), elapsed);
            text::gate_line(&report, &pace)
        });
    }
    line.finish(None);
}

/// What is told at the end.
struct Told<'a> {
    document: &'a GateDocument,
    faults: &'a Faults,
    kept: Option<&'a Path>,
    withdrawn: &'a [Withdrawal],
}

impl Told<'_> {
    /// Tells people, programs and CI. A closed standard output does not change the answer.
    fn tell(&self, json: bool, junit: Option<&Target>) -> Result<(), Stop> {
        let Self { document, faults, kept, withdrawn } = *self;
        let text = text::gate(document) + &text::withdrawn(withdrawn);
        let (verdict, figures) = (text::verdict(document), text::gate_figures(document));
        let (level, answer) = match document.answer {
            GateAnswer::Accepted => (Severity::Notice, Answer::Passed),
            GateAnswer::Rejected => (Severity::Error, Answer::Failed("rejected", verdict.clone())),
            GateAnswer::Faulted => (Severity::Error, Answer::Failed("faulted", verdict.clone())),
            GateAnswer::CaseFailed => (Severity::Error, Answer::Failed("case", verdict.clone())),
            GateAnswer::NoOpponent => (Severity::Error, Answer::Error("no opponent", verdict.clone())),
            GateAnswer::Undecided | GateAnswer::Unfinished => {
                (Severity::Warning, Answer::Open(verdict.clone()))
            }
        };
        let llr = figures.iter().find(|(name, _)| *name == "LLR");
        let llr = llr.map_or_else(String::new, |(_, llr)| format!("; LLR {llr}"));
        github::annotate(level, "leyden gate", &format!("{verdict}{llr}"));
        let faulted = faults::told(faults, kept);
        let faulted = if faulted.is_empty() { faulted } else { github::fenced(&faulted) };
        github::summarise(&(github::figures_markdown(&verdict, &figures) + &faulted));
        if let Some(junit) = junit {
            let [new, old] = &document.bots;
            let case = Case { name: between(document), answer, text: text.clone() };
            // What the old version does wrong is told, and no reason to keep it.
            let bots = [(new, document.max_faults), (old, None)];
            let bots =
                bots.map(|(side, most)| ending::bot_case(&side.name, &side.results, (faults, kept), most));
            junit.write("leyden gate", [case].into_iter().chain(bots).collect(), &figures)?;
        }
        if json && !matches!(document.answer, GateAnswer::Accepted | GateAnswer::Unfinished) {
            // Whoever reads the log has no other word of it.
            super::say(format_args!("{verdict}{llr}"));
        }
        print(document, json, &text)
    }
}

/// Who plays against whom.
fn between(document: &GateDocument) -> String {
    let [new, old] = &document.bots;
    format!("{} against {}", plain(&new.name), plain(&old.name))
}

/// Prints what was asked for. A closed standard output does not change the answer.
fn print(document: &GateDocument, json: bool, text: &str) -> Result<(), Stop> {
    let told = if json { super::print_document(document) } else { super::print(text).map(drop) };
    told.or_else(|stop| if stop.is_closed_output() { Ok(()) } else { Err(stop) })
}

fn how_to_go_on(why: &str, kept: Option<&Path>) -> String {
    match kept {
        Some(path) => format!("{why}; go on with\n  {}", tournament::resume_command(path)),
        None => format!("{why}, and nothing was kept: with --results FILE a gate can be resumed"),
    }
}
