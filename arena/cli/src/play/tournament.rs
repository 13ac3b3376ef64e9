//! `leyden tournament` and `leyden match`: from options to a results file and standings.

use std::path::Path;
use std::time::Instant;

use leyden_arena::CancellationToken;
use leyden_arena::record::store::{Results, StoreError};
use leyden_arena::report::{BotStanding, Faults, OffTurnSums};
use leyden_arena::roster::Competitor;
use leyden_arena::run::{EventDetail, Flow, FollowError, Follower, Options, RunKind};
use leyden_arena::tournament::{PlayError, ResultsFile, Tournament};
use leyden_language::Language;
use leyden_model::DisabledBot;
use leyden_model::RunEvent;
use leyden_model::event::RunEnd;
use leyden_model::words::counted;

use crate::after::verify::seed_line;
use crate::after::{luck, standings};
use crate::config;
use crate::exit::{Code, CommandError};
use crate::machines::workers;
use crate::options::{self, JsonDetail, RunOptions, Subcommand, TournamentOptions};
use crate::play::estimate;
use crate::play::events::Printer;
use crate::play::final_report::{self, FinalReport};
use crate::play::junit_fallback;
use crate::play::known_runs;
use crate::play::notices::{TYPED_SEED, print_changed, print_notice};
use crate::play::progress::ProgressDisplay;
use crate::play::repeatability::{self, LastMatches, UnrepeatableBot};
use crate::play::resume_options::{self, Destination};
use crate::play::serve;
use crate::play::signals;
use crate::play::worker_sample::{self, WorkerSample};
use crate::play::worst_loss::WorstLosses;
use crate::program::resume_command;
use crate::report::faults;
use crate::report::junit::ReportFile;
use crate::report::text::StandingsNotes;
use leyden_web::server::Server;

/// Plays, stores, reports the outcome, and answers by the exit code.
pub(crate) fn run(
    typed: TournamentOptions,
    run: &RunOptions,
    subcommand: Subcommand,
    junit: Option<&Path>,
) -> Result<Code, CommandError> {
    let began = Instant::now();
    let junit = ReportFile::open(junit)?;
    let answer = play_and_report(typed, run, subcommand, junit.as_ref());
    junit_fallback::reported(answer, junit.as_ref(), junit_fallback::MATCH, began)
}

fn play_and_report(
    typed: TournamentOptions,
    run: &RunOptions,
    subcommand: Subcommand,
    junit: Option<&ReportFile>,
) -> Result<Code, CommandError> {
    let file = run.config.as_deref().map(config::read).transpose()?;
    // Only if typed for this run: a seed in the configuration may have been revealed since it was written.
    let seed_unused = typed.seed.is_some();
    let mut options = config::complete(typed, file)?;
    let called = entrants(&mut options)?;
    if let (Some(junit), Some(results)) = (junit, &options.results) {
        junit.leave_to(results)?;
    }
    let stop = CancellationToken::new();
    signals::stop_on_signals(&stop)?;
    let private = run.remote_run.private();
    let rated = options.ratings.as_deref().map(rated).transpose()?.unwrap_or_default();
    let chosen = options::format(&options, rated)?;
    let requested = |usual: Options| {
        let kind = match (subcommand, chosen.clone(), &usual.kind) {
            (Subcommand::Match { .. }, ..) => RunKind::Match,
            (_, None, RunKind::Tournament { .. }) => usual.kind.clone(),
            (_, chosen, _) => RunKind::Tournament { format: chosen.unwrap_or_default() },
        };
        let (stop, called) = (stop.clone(), called.clone());
        options.over(usual).map(|requested| Options { kind, private, seed_unused, stop, called, ..requested })
    };
    if run.is_forecast() {
        if run.plan.is_some() && subcommand == Subcommand::Tournament {
            return Err(CommandError::usage("--plan is for a gate or a match of two bots; use --estimate"));
        }
        let requested =
            requested(resume_options::starting_options(resume_options::to_estimate(&options)?.as_ref())?)?;
        return estimate::run(requested, run.quiet, None, run.plan_request().as_ref());
    }
    let destination = Destination::from_options(&options, false)?;
    let requested = requested(resume_options::starting_options(destination.stored_plan())?)?;
    let remote_run = workers::remote_run(&run.remote_run, &requested)?;
    serve::try_address(&run.watch)?;
    let notify = &mut |notice| print_notice(&notice, run.quiet);
    let tournament = match (destination, subcommand) {
        (Destination::Resumed(stored), _) => Tournament::resume(&requested, *stored, notify)?,
        (Destination::New(ResultsFile::Dated(_)), Subcommand::Match { .. }) => {
            Tournament::create(&requested, &ResultsFile::Dated(config::state_folder()), notify)?
        }
        (Destination::New(file), _) => Tournament::create(&requested, &file, notify)?,
    };
    known_runs::note(tournament.stored_plan());
    if !run.quiet {
        announce(&tournament, options.seed.is_some());
    }
    set_exit_message(tournament.path());
    let (path, stored_plan) = (tournament.path().to_owned(), tournament.stored_plan().clone());
    let mut sums = RunSums::default();
    let (end, server) = play(tournament, run, remote_run.as_ref(), &stop, &mut sums)?;
    if matches!(subcommand, Subcommand::Match { luck: true, .. })
        && let Err(failure) = luck::keep_of(&path)
    {
        crate::out::say(format_args!("leyden: no score without luck: {}", failure.message));
    }
    let results = Results::open(&path).map_err(PlayError::from)?;
    let faults = Faults::from_results(&results)?;
    let what = FinalReport {
        results: &results,
        subcommand,
        faults: &faults,
        disabled: &sums.disabled,
        worst: &sums.worst,
        json: run.json.is_some(),
        quiet: run.quiet,
        junit,
    };
    let outcome = final_report::report(&what)
        .and_then(|()| match subcommand {
            Subcommand::Match { stderr: true, .. } => final_report::print_stderr(&results),
            _ => Ok(()),
        })
        .and_then(|()| {
            final_report::print_off_turn(&sums.off_turn, &stored_plan.settings, run.json.is_some(), run.quiet)
        })
        .and_then(|()| final_report::print_unrepeatable(&sums.unrepeatable, run.json.is_some(), run.quiet))
        .and_then(|()| {
            if run.json.is_some() { crate::out::print_line(&RunEvent::End(end.clone())) } else { Ok(()) }
        });
    outcome.or_else(|failure| if failure.is_closed_output() { Ok(()) } else { Err(failure) })?;
    if !faults.is_empty() {
        crate::out::say(format_args!("{}", faults::paragraphs(&faults, Some(&path))));
    }
    if let Some(seed) = &end.seed {
        if !run.quiet {
            crate::out::say(format_args!("{}", seed_line(seed).trim_end()));
        }
        if let Some(server) = server {
            serve::serve_until_signal(server, &stop)?;
        }
        return Ok(Code::from(&end));
    }
    let counts = counts(&results).map_err(PlayError::from)?;
    Err(incomplete(&end, sums.overloaded, counts, &path))
}

/// Names the versions that play in a league as the bots, and returns what they are called; nothing without a league.
fn entrants(options: &mut TournamentOptions) -> Result<Vec<String>, CommandError> {
    let Some(league) = &options.league else { return Ok(Vec::new()) };
    if !options.bots.is_empty() {
        return Err(CommandError::usage("with --league the bots are those of the league: name no others"));
    }
    let entrants = leyden_arena::league::entrants(league, &crate::program::leyden()?)?;
    options.bots = entrants.iter().map(|of| of.kept.display().to_string()).collect();
    Ok(entrants.into_iter().map(|of| of.bot.name).collect())
}

/// The bots of an earlier tournament by their ratings, best first.
fn rated(path: &Path) -> Result<Vec<String>, CommandError> {
    let mut bots = standings::from_results(&Results::open(path)?, StandingsNotes::default())?.bots;
    let elo = |bot: &BotStanding| bot.rating.map_or(f64::NEG_INFINITY, |rating| rating.elo.get());
    bots.sort_by(|one, other| elo(other).total_cmp(&elo(one)));
    Ok(bots.into_iter().map(|bot| bot.name).collect())
}

/// Plays the tournament with all its listeners. Returns the server of its pages if these stay.
fn play(
    mut tournament: Tournament,
    options: &RunOptions,
    remote_run: Option<&workers::RemoteRun>,
    stop: &CancellationToken,
    sums: &mut RunSums,
) -> Result<(RunEnd, Option<Server>), CommandError> {
    let (path, plan) = (tournament.path().to_owned(), tournament.plan().clone());
    let mut run = tournament.run();
    run.follow(sums);
    let bots = plan.bots.iter().map(Competitor::entry).collect();
    let printer = options.json.map(|detail| {
        let detail = match detail {
            JsonDetail::Matches => EventDetail::Matches,
            JsonDetail::Moves => EventDetail::Moves,
        };
        Printer::start(run.subscribe_to_all(detail), path.clone(), bots, stop.clone())
    });
    let printer = printer.transpose()?;
    let server = serve::serve_run(&mut run, &options.watch, &path, options.json.is_some())?;
    let file = path.clone();
    let progress = ProgressDisplay::start(run.subscribe(EventDetail::Matches), path, options.quiet)?;
    let end = workers::play(run, &plan, remote_run, stop);
    progress.finish();
    print_changed(&plan);
    closed(tournament.close(), Some(&file))?;
    let is_played = end.as_ref().is_ok_and(|end| end.seed.is_some());
    let stays = is_played && options.json.is_none() && !options.watch.until_played;
    let server = server.and_then(|server| {
        if stays {
            server.keep_serving();
            return Some(server);
        }
        server.finish();
        None
    });
    // A slow reader is waited for, but only after the results file is closed.
    printer.map_or(Ok(()), Printer::finish)?;
    let end = end?;
    if remote_run.is_none() && !end.interrupted {
        sums.unrepeatable = repeatability::bots(&plan, &sums.last, &file);
    }
    if remote_run.is_some() && !end.interrupted {
        worker_sample::print(&plan, &sums.sample, &file);
    }
    Ok((end, server))
}

/// Returns the number of matches that are stored, and of all that are known by now.
fn counts(results: &Results) -> Result<(u64, u64), StoreError> {
    Ok((results.count()?, results.schedule()?.matches()))
}

/// What to do if the machine had no time for a match.
const OVERLOADED: &str = " (host overloaded: play fewer matches at once with --jobs, or resume when the machine is less busy; a \
    new tournament can have a larger --turn)";

/// Returns the error for a run that did not play everything, with the command that resumes it.
fn incomplete(end: &RunEnd, overloaded: bool, (stored, total): (u64, u64), path: &Path) -> CommandError {
    let why = if end.interrupted {
        "interrupted".to_owned()
    } else {
        let void = counted(end.voided, "match is", "matches are");
        let advice = if overloaded { OVERLOADED } else { "" };
        format!("{void} void, for the reasons above{advice}")
    };
    let message = format!(
        "{why}: {stored} of {} are in {}\nResume with\n  {}",
        counted(total, "match", "matches"),
        path.display(),
        resume_command(path)
    );
    CommandError { code: Code::from(end), message }
}

/// Passes on how closing the results file ended. If there was no room for all matches that ended, the error says what is kept, if
/// anything, and how to resume.
pub(crate) fn closed(outcome: Result<(), StoreError>, kept: Option<&Path>) -> Result<(), CommandError> {
    let Err(error) = outcome else { return Ok(()) };
    let StoreError::Full { path } = &error else { return Err(PlayError::from(error).into()) };
    let message = match kept {
        Some(kept) => {
            let counts = Results::open(kept).and_then(|results| counts(&results));
            no_room(kept, counts.ok())
        }
        None => format!(
            "no room left to write {}, and nothing is kept: make room there, and start again; with --results FILE a run can be \
             resumed",
            path.display()
        ),
    };
    Err(CommandError::host_failed(message))
}

/// Returns the message for a full disk: some of the matches that ended could not be written.
fn no_room(path: &Path, counts: Option<(u64, u64)>) -> String {
    let kept = match counts {
        Some((stored, total)) => format!("{stored} of {} are in it", counted(total, "match", "matches")),
        None => "matches that are in it are kept".to_owned(),
    };
    format!(
        "no room left to write {}: {kept}, others that had ended are played again\nMake room, then resume with\n  {}",
        path.display(),
        resume_command(path)
    )
}

/// Sets what is printed if the user ends the program at once, before anything is finished.
pub(crate) fn set_exit_message(path: &Path) {
    let (file, command) = (path.display(), resume_command(path));
    signals::set_exit_message(format!(
        "the matches that were stored are in {file}\nResume with\n  {command}"
    ));
}

/// Says what is going to be played, before the first match.
fn announce(tournament: &Tournament, typed_seed: bool) {
    let (schedule, settings) = (tournament.schedule(), &tournament.plan().settings);
    let commitment = tournament.plan().tournament_seed().commitment();
    let (total, done) = (schedule.matches(), tournament.done().count());
    let size = match schedule.format().competition() {
        Some(_) => format!("about {}", counted(schedule.expected_matches(), "match", "matches")),
        None => format!(
            "{} · {} of {}",
            counted(schedule.tables(), "table", "tables"),
            counted(schedule.blocks(), "block", "blocks"),
            counted(schedule.matches_per_block(), "match", "matches"),
        ),
    };
    crate::out::say(format_args!(
        "{} to {} with {} · {} bots · {size}{}",
        settings.rules,
        settings.target,
        settings.set,
        schedule.bots(),
        if done > 0 { format!(" · {done} of {total} played before") } else { String::new() },
    ));
    if *schedule.format() != leyden_arena::format::Format::RoundRobin {
        let name = |bot: leyden_model::BotIndex| tournament.plan().bots[bot.index()].name.clone();
        crate::out::say(format_args!("{}", schedule.format().describe(name, Language::English)));
    }
    let competition = schedule.format().competition().into_iter();
    for balance in competition.flat_map(|stages| stages.balances(schedule.seats())) {
        crate::out::say(format_args!("{}", balance.describe(Language::English)));
    }
    crate::out::say(format_args!(
        "results in {} · seed commitment {commitment}",
        tournament.path().display()
    ));
    // To resume, it has to be typed again.
    if typed_seed && done == 0 {
        crate::out::say(format_args!("{TYPED_SEED}"));
    }
}

/// What is reported at the end, and only about this run.
#[derive(Default)]
pub(crate) struct RunSums {
    pub(crate) disabled: Vec<DisabledBot>,
    pub(crate) off_turn: OffTurnSums,
    pub(crate) last: LastMatches,
    pub(crate) worst: WorstLosses,
    pub(crate) unrepeatable: Vec<UnrepeatableBot>,
    pub(crate) sample: WorkerSample,
    /// Whether a match is void because the machine had no time for it.
    overloaded: bool,
}

impl Follower for RunSums {
    fn take(&mut self, event: &RunEvent) -> Result<Flow, FollowError> {
        match event {
            RunEvent::Match { record, .. } => {
                self.off_turn.note(record);
                self.last.note(record);
                self.sample.note(record);
                self.worst.note(record);
            }
            RunEvent::Void(void) => self.overloaded |= void.defect.is_empty() && !void.with_its_pair,
            RunEvent::Disabled(disabled) => self.disabled.push(disabled.clone()),
            RunEvent::Start(_) | RunEvent::Stage(_) | RunEvent::Move { .. } | RunEvent::End(_) => {}
        }
        Ok(Flow::GoOn)
    }
}
