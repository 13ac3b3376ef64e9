//! `leyden gate`: is the new version stronger than the old one? Plays until that is decided.

mod cases;
mod report;

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use leyden_arena::CancellationToken;
use leyden_arena::gate::{GateProgress, OpenGate, ReadyGate};
use leyden_arena::record::store::StoredPlan;
use leyden_arena::report::{Faults, GateAnswer, GateDocument};
use leyden_arena::run::{Delivery, EventDetail, GateTerms, Options, PlanError, RunKind, Subscription};
use leyden_arena::tournament::{PlayError, ResultsFile, Tournament};
use leyden_model::FROM_GIT;
use leyden_model::words::counted;
use leyden_stats::{GateEnd, SprtPlan};
use leyden_web::server::Server;

use self::cases::CasesOutcome;
use self::report::GateSummary;
use crate::config;
use crate::exit::{Code, CommandError};
use crate::machines::workers;
use crate::options::{GateOptions, GateTest, JsonDetail, RunOptions, Span, TournamentOptions};
use crate::play::estimate;
use crate::play::final_report;
use crate::play::git_version::{self, OldVersion};
use crate::play::junit_fallback;
use crate::play::known_runs;
use crate::play::notices::{TYPED_SEED, print_changed, print_notice};
use crate::play::progress::{self, ProgressLine};
use crate::play::repeatability;
use crate::play::resume_options::{self, Destination};
use crate::play::serve;
use crate::play::signals;
use crate::play::tournament::{self, RunSums};
use crate::play::worker_sample;
use crate::program::resume_command;
use crate::report::faults;
use crate::report::grid::plain;
use crate::report::junit::ReportFile;
use crate::report::text;

/// Plays, judges, reports, and answers by the exit code.
pub(crate) fn run(
    typed: TournamentOptions,
    run: &RunOptions,
    gate: &GateOptions,
) -> Result<Code, CommandError> {
    let began = Instant::now();
    let junit = ReportFile::open(gate.junit.as_deref())?;
    let answer = decide(typed, run, gate, junit.as_ref());
    junit_fallback::reported(answer, junit.as_ref(), junit_fallback::GATE, began)
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
    let stop = CancellationToken::new();
    signals::stop_on_signals(&stop)?;
    let file = run.config.as_deref().map(config::read).transpose()?;
    let mut section = file.as_ref().and_then(|file| file.gate.clone()).unwrap_or_default();
    if typed.bots.len() > 1 {
        section.against = None; // both were typed
    }
    let mut test = config::complete_gate(&gate.test, &section)?;
    let mut options = config::complete(typed, file)?;
    if let (Some(junit), Some(results)) = (junit, &options.results) {
        junit.leave_to(results)?;
    }
    let destination = if run.is_forecast() { None } else { Some(Destination::from_options(&options, true)?) };
    let resumed = match &destination {
        Some(destination) => destination.stored_plan().cloned(),
        None => resume_options::to_estimate(&options)?,
    };
    if let Some(stored_plan) = &resumed {
        (options.bots, test.against) = resume_options::versions(&options.bots, test.against, stored_plan);
    }
    let named = options.bots.clone();
    let old = test.against.as_deref().map(|revision| old_version(&mut options, revision)).transpose();
    if stop.is_cancelled() {
        // Ctrl-C reaches git as well.
        return Err(PlanError::Interrupted("the old version was being taken from git".to_owned()).into());
    }
    let old = old?;
    let request = GateRequest { test, options, named, resumed, old: old.as_ref(), stop, run, junit };
    request
        .answer(destination)
        .map_err(|failure| old.iter().fold(failure, |failure, old| old.in_words(&failure)))
}

/// What is to be decided, and how it is to be reported.
struct GateRequest<'a> {
    test: GateTest,
    options: TournamentOptions,
    /// The bots as they were named.
    named: Vec<String>,
    /// The gate that is resumed, if one is.
    resumed: Option<StoredPlan>,
    old: Option<&'a OldVersion>,
    stop: CancellationToken,
    run: &'a RunOptions,
    junit: Option<&'a ReportFile>,
}

impl GateRequest<'_> {
    /// Without a destination, how long it would take is estimated.
    fn answer(self, destination: Option<Destination>) -> Result<Code, CommandError> {
        let Self { test, options, named, resumed, old, stop, run, junit } = self;
        let terms = test.terms(resumed.as_ref().and_then(|before| before.gate.as_ref()))?;
        let private = run.remote_run.private();
        let paths = old.map_or_else(Vec::new, |old| vec![None, Some(format!("{FROM_GIT}{}", old.kept_as))]);
        let requested = options.over(resume_options::starting_options(resumed.as_ref())?)?;
        let requested =
            Options { kind: RunKind::Gate(terms), stop: stop.clone(), private, paths, ..requested };
        let remote_run = workers::remote_run(&run.remote_run, &requested)?;
        let time = test.max_time.map(Span::duration);
        let Some(destination) = destination else {
            return estimate::run(requested, run.quiet, time, run.plan_request().as_ref());
        };
        let (destination, temporary) = kept_or_temporary(destination)?;
        serve::try_address(&run.watch)?;
        let gate = opened(&requested, terms, destination, &named, run.quiet)?;
        let kept = temporary.is_none().then(|| gate.tournament().path().to_owned());
        if let Some(path) = &kept {
            known_runs::note(gate.tournament().stored_plan());
            tournament::set_exit_message(path);
        }
        let began = Instant::now();
        let gate = gate.ask()?;
        let passed = gate.cases().passed();
        let asked = CasesOutcome::new(gate.cases(), options.bots.first().map_or("", String::as_str));
        if passed && !run.quiet {
            announce(gate.tournament(), &terms.plan, kept.as_deref(), options.seed.is_some());
            if let Some(OldVersion { candidate, name_in_git, .. }) = old {
                crate::out::say(format_args!("new: {candidate}; old: {name_in_git}"));
            }
        }
        let mut gate = gate.judge();
        let stored_plan = gate.tournament().stored_plan().clone();
        if passed && !run.quiet {
            announce_more(&gate.document(), &stored_plan);
        }
        asked.annotate_missing();
        if !passed {
            let document = gate.document();
            gate.close().map_err(PlayError::from)?;
            return asked.reject(&document, run.json.is_some(), junit, began.elapsed());
        }
        let mut sums = RunSums::default();
        let played = if gate.is_to_be_played() {
            play(&mut gate, &mut sums, run, remote_run.as_ref(), (&stop, time))
        } else {
            Ok(None)
        };
        let (document, faults) = (gate.document(), gate.faults());
        let (plan, path) = (gate.tournament().plan().clone(), gate.tournament().path().to_owned());
        tournament::closed(gate.close(), kept.as_deref())?;
        if let Some(server) = played? {
            server.finish();
        }
        let is_local = remote_run.is_none() && document.interrupted.is_none();
        let unrepeatable = if is_local { repeatability::bots(&plan, &sums.last, &path) } else { Vec::new() };
        final_report::print_unrepeatable(&unrepeatable, false, run.quiet)?;
        if remote_run.is_some() && document.interrupted.is_none() {
            worker_sample::print(&plan, &sums.sample, &path);
        }
        let over = FinishedGate {
            document,
            faults,
            stored_plan: &stored_plan,
            kept: kept.as_deref(),
            asked: &asked,
            old,
            took: began.elapsed(),
        };
        over.end(&sums, run, junit)
    }
}

/// Opens or creates the results file. If that fails, the error may hint at `--against`.
fn opened(
    options: &Options,
    terms: GateTerms,
    destination: Destination,
    named: &[String],
    quiet: bool,
) -> Result<OpenGate, CommandError> {
    let notify = &mut |notice| print_notice(&notice, quiet);
    let gate = match destination {
        Destination::New(file) => OpenGate::create(options, terms, &file, notify),
        Destination::Resumed(stored) => OpenGate::resume(options, terms, *stored, notify),
    };
    gate.map_err(|error| {
        let hint = git_version::hint(&error, named);
        let failure = CommandError::from(error);
        CommandError { message: failure.message + &hint, ..failure }
    })
}

/// A gate that is over, or was cut short.
struct FinishedGate<'a> {
    document: GateDocument,
    faults: Faults,
    stored_plan: &'a StoredPlan,
    kept: Option<&'a Path>,
    asked: &'a CasesOutcome,
    old: Option<&'a OldVersion>,
    took: Duration,
}

impl FinishedGate<'_> {
    /// Reports the outcome, and answers by the exit code.
    fn end(self, sums: &RunSums, run: &RunOptions, junit: Option<&ReportFile>) -> Result<Code, CommandError> {
        let Self { mut document, faults, stored_plan, kept, asked, old, took } = self;
        if kept.is_none() {
            // Nobody can resume a gate without records, so nobody gains anything from its seed.
            document.seed.get_or_insert_with(|| stored_plan.seed.clone());
        }
        if !faults.is_empty() {
            crate::out::say(format_args!("{}", faults::paragraphs(&faults, kept)));
            if kept.is_none() {
                crate::out::say(format_args!(
                    "leyden has not kept the records: with --results FILE you can inspect every fault"
                ));
            }
        }
        let unfinished = (document.answer == GateAnswer::Unfinished).then(|| unfinished(&document, kept));
        let summary = GateSummary {
            document: &document,
            faults: &faults,
            kept,
            disabled: &sums.disabled,
            pinned: &asked.cases,
            candidate: old.map(|old| old.candidate.as_str()),
            unfinished: unfinished.as_ref(),
            took,
        };
        summary.print(run.json.is_some(), junit)?;
        final_report::print_off_turn(&sums.off_turn, &stored_plan.settings, false, run.quiet)?;
        if let Some(unfinished) = unfinished {
            return Err(unfinished);
        }
        match document.answer {
            GateAnswer::NoOpponent if old.is_some() => crate::out::say(format_args!(
                "the old version holds what is in git: what .gitignore excludes, such as weights, is missing"
            )),
            GateAnswer::Undecided if document.interrupted.is_some() => {
                crate::out::say(format_args!("{}", how_to_resume("the time is up (--max-time)", kept)));
            }
            GateAnswer::Undecided
                if document.test.end == Some(GateEnd::MaxPairs) && kept.is_some() && !run.quiet =>
            {
                crate::out::say(format_args!(
                    "to continue: the same command with --resume and a larger --max-pairs"
                ));
            }
            _ => {}
        }
        Ok(Code::from(&document))
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
    let old = git_version::checked_out(bot, revision)?;
    options.bots.push(old.typed.clone());
    Ok(old)
}

/// Returns why a gate ended before it was decided.
fn unfinished(document: &GateDocument, kept: Option<&Path>) -> CommandError {
    let why = if document.interrupted.is_some() {
        "interrupted".to_owned()
    } else {
        // A resumed run plays a void pair again, and judges it at its index in the schedule.
        let void = counted(document.test.voided_pairs, "pair is", "pairs are");
        format!("{void} void, for the reasons above")
    };
    CommandError { code: Code::from(document), message: how_to_resume(&why, kept) }
}

/// Returns where the results go, and the temporary folder that holds them if they are not to be kept.
fn kept_or_temporary(
    destination: Destination,
) -> Result<(Destination, Option<leyden_host::Temporary>), CommandError> {
    match destination {
        Destination::New(ResultsFile::Dated(_)) => {
            let folder = leyden_host::Temporary::private().map_err(CommandError::no_temporary)?;
            let file = ResultsFile::New(folder.path().join("gate.db"));
            Ok((Destination::New(file), Some(folder)))
        }
        named => Ok((named, None)),
    }
}

/// Says what is going to be decided, before the first match.
fn announce(tournament: &Tournament, plan: &SprtPlan, kept: Option<&Path>, typed_seed: bool) {
    let [new, old] = [0, 1].map(|bot| plain(&tournament.stored_plan().bots[bot].name));
    let (h0, h1) = plan.hypotheses().bounds();
    let scale = plan.hypotheses().scale().as_str();
    let pairs = counted(plan.max_pairs(), "pair", "pairs");
    let luck = if plan.luck().is_some() { ", luck taken out" } else { "" };
    crate::out::say(format_args!("{new} against {old}: {scale} Elo {h0} or {h1}? At most {pairs}{luck}"));
    let played = match tournament.done().count() {
        0 => String::new(),
        done => format!(" · {} played before", counted(done, "match", "matches")),
    };
    let kept = kept.map_or("are not kept".into(), |path| path.display().to_string());
    let commitment = tournament.plan().tournament_seed().commitment();
    crate::out::say(format_args!("records {kept}{played} · seed commitment {commitment}"));
    // To resume with it, it may have to be typed again.
    if typed_seed && tournament.done().count() == 0 {
        crate::out::say(format_args!("{TYPED_SEED}"));
    }
}

/// Says what is known about the two bots before the first match.
fn announce_more(document: &GateDocument, stored_plan: &StoredPlan) {
    if let Some(cases) = text::cases(document) {
        crate::out::say(format_args!("{cases}"));
    }
    if document.same_bots {
        let hash: String = stored_plan.bots[0].hash.chars().take(12).collect();
        crate::out::say(format_args!(
            "both bots are identical, file for file (SHA-256 {hash}…): one pair without a fault is all that is played"
        ));
    }
}

/// Plays what is missing until the gate is decided. Returns the server that still shows it.
fn play(
    gate: &mut ReadyGate,
    sums: &mut RunSums,
    options: &RunOptions,
    remote_run: Option<&workers::RemoteRun>,
    (stop, time): (&CancellationToken, Option<Duration>),
) -> Result<Option<Server>, CommandError> {
    let quiet = options.quiet;
    let (path, plan) = (gate.tournament().path().to_owned(), gate.tournament().plan().clone());
    let progress = gate.progress();
    if let Some(time) = time {
        gate.end_after(time).map_err(CommandError::from_system)?;
    }
    let mut run = gate.run();
    run.follow(sums);
    let server = serve::serve_run(&mut run, &options.watch, &path, options.json.is_some())?;
    let mut events = run.subscribe(EventDetail::Matches);
    let show = move || show(&mut events, &progress, &path, quiet, time);
    let shown =
        thread::Builder::new().name("progress".to_owned()).spawn(show).map_err(CommandError::from_system)?;
    let end = workers::play(run, &plan, remote_run, stop);
    drop(shown.join());
    print_changed(&plan);
    end.map(|_| server)
}

/// Shows the state of the gate.
fn show(
    events: &mut Subscription,
    progress: &GateProgress,
    results: &Path,
    quiet: bool,
    time: Option<Duration>,
) {
    let mut line = ProgressLine::new(quiet);
    let before = progress.report().pairs;
    while let Some(delivery) = events.wait() {
        if let Delivery::Event(event) = delivery {
            progress::say_what_went_wrong(&event, results);
        }
        let elapsed = line.elapsed();
        line.show(|| {
            let report = progress.report();
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
        Some(path) => format!("{why}\nResume with\n  {}", resume_command(path)),
        None => format!("{why}, and nothing was kept: with --results FILE a gate can be resumed"),
    }
}
