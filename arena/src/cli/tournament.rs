//! `leyden tournament` and `leyden match`: from options to a results file and standings.

use std::path::Path;
use std::time::Instant;

use leyden_arena::halt::Halt;
use leyden_arena::record::store::{Results, StoreError};
use leyden_arena::report::{Faults, OffTurnSums};
use leyden_arena::roster::Competitor;
use leyden_arena::run::{EventDetail, Flow, FollowError, Follower, Options, RunKind};
use leyden_arena::tournament::{PlayError, ResultsFile, Tournament};
use leyden_arena::words::counted;
use leyden_model::RunEvent;
use leyden_model::event::{RunEnd, Withdrawal};

use super::again::resume_command;
use super::config;
use super::ending::{self, Ending};
use super::estimate;
use super::events::Printer;
use super::exit::{Code, CommandError};
use super::luck;
use super::nats;
use super::notices::{tell_changed, tell_notice};
use super::options::{JsonDetail, RunOptions, Subcommand, TournamentOptions};
use super::progress::ProgressDisplay;
use super::report::faults;
use super::report::junit::ReportFile;
use super::resumed;
use super::serve;
use super::signals;
use super::unanswered;
use super::verify::seed_line;

/// Plays, stores, reports the outcome, and answers by the exit code.
pub(super) fn run(
    typed: TournamentOptions,
    run: &RunOptions,
    subcommand: Subcommand,
    junit: Option<&Path>,
) -> Result<Code, CommandError> {
    let began = Instant::now();
    let junit = ReportFile::of(junit)?;
    let answer = play_and_tell(typed, run, subcommand, junit.as_ref());
    unanswered::reported(answer, junit.as_ref(), unanswered::MATCH, began)
}

fn play_and_tell(
    typed: TournamentOptions,
    run: &RunOptions,
    subcommand: Subcommand,
    junit: Option<&ReportFile>,
) -> Result<Code, CommandError> {
    let file = run.config.as_deref().map(config::read).transpose()?;
    // Only if typed for this run: a seed in the configuration may have been revealed since it was written.
    let seed_unused = typed.seed.is_some();
    let options = resumed::completed(config::complete(typed, file)?)?;
    if let (Some(junit), Some(results)) = (junit, &options.results) {
        junit.leave_to(results)?;
    }
    let kind = match subcommand {
        Subcommand::Tournament => RunKind::Tournament { gauntlet: options.gauntlet.clone() },
        Subcommand::Match { .. } => RunKind::Match,
    };
    let results = match (config::results_file(&options)?, subcommand) {
        (ResultsFile::Dated(_), Subcommand::Match { .. }) => ResultsFile::Dated(config::state_folder()),
        (file, _) => file,
    };
    let private = run.elsewhere.private();
    let wanted = Options { private, seed_unused, ..config::options(&options, kind)? };
    let elsewhere = nats::elsewhere(&run.elsewhere, &wanted)?;
    signals::halt_on_signals(&wanted.halt)?;
    if run.estimate {
        return estimate::run(wanted, run.quiet, None);
    }
    serve::try_address(&run.watch)?;
    let tournament = Tournament::open(&wanted, &results, &mut |notice| tell_notice(&notice, run.quiet))?;
    if !run.quiet {
        announce(&tournament, options.seed.is_some());
    }
    set_exit_message(tournament.path());
    let total = tournament.schedule().matches();
    let (path, stored_plan) = (tournament.path().to_owned(), tournament.stored_plan().clone());
    let mut sums = RunSums::default();
    let end = play(tournament, run, elsewhere.as_ref(), &wanted.halt, &mut sums)?;
    if matches!(subcommand, Subcommand::Match { luck: true, .. })
        && let Err(stop) = luck::keep_of(&path)
    {
        super::say(format_args!("leyden: no score without luck: {}", stop.message));
    }
    let results = Results::open(&path).map_err(PlayError::from)?;
    let faults = Faults::of(&results).map_err(CommandError::usage)?;
    let what = Ending {
        results: &results,
        subcommand,
        faults: &faults,
        withdrawn: &sums.withdrawn,
        json: run.json.is_some(),
        junit,
    };
    let told = ending::report(&what)
        .and_then(|()| match subcommand {
            Subcommand::Match { stderr: true, .. } => ending::tell_stderr(&results),
            _ => Ok(()),
        })
        .and_then(|()| {
            ending::tell_off_turn(&sums.off_turn, &stored_plan.settings, run.json.is_some(), run.quiet)
        })
        .and_then(
            |()| if run.json.is_some() { super::print_line(&RunEvent::End(end.clone())) } else { Ok(()) },
        );
    told.or_else(|stop| if stop.is_closed_output() { Ok(()) } else { Err(stop) })?;
    if !faults.is_empty() {
        super::say(format_args!("{}", faults::paragraphs(&faults, Some(&path))));
    }
    if let Some(seed) = &end.seed {
        if !run.quiet {
            super::say(format_args!("{}", seed_line(seed).trim_end()));
        }
        return Ok(Code::Done);
    }
    let stored = results.count().map_err(PlayError::from)?;
    Err(incomplete(&end, sums.overloaded, (stored, total), &path))
}

/// Plays the tournament with all its listeners.
fn play(
    mut tournament: Tournament,
    options: &RunOptions,
    elsewhere: Option<&nats::Elsewhere>,
    halt: &Halt,
    sums: &mut RunSums,
) -> Result<RunEnd, CommandError> {
    let (path, plan) = (tournament.path().to_owned(), tournament.plan().clone());
    let mut run = tournament.run();
    run.follow(sums);
    let bots = plan.bots.iter().map(Competitor::entry).collect();
    let printer = options.json.map(|detail| {
        let detail = match detail {
            JsonDetail::Matches => EventDetail::Matches,
            JsonDetail::Moves => EventDetail::Moves,
        };
        Printer::start(run.subscribe(detail), path.clone(), bots, halt.clone())
    });
    let printer = printer.transpose()?;
    let server = serve::beside(&mut run, &options.watch, &path, options.json.is_some())?;
    let file = path.clone();
    let progress = ProgressDisplay::start(run.subscribe(EventDetail::Matches), path, options.quiet)?;
    let end = nats::play(run, &plan, elsewhere, halt);
    progress.finish();
    tell_changed(&plan);
    close(tournament, Some(&file))?;
    if let Some(server) = server {
        server.finish();
    }
    // A slow reader is waited for, but only after the results file is closed.
    printer.map_or(Ok(()), Printer::finish)?;
    end
}

/// What to do if the machine had no time for a match.
const OVERLOADED: &str = " (host overloaded: play fewer matches at once with --jobs, or resume when the machine is less busy; a \
    new tournament can have a larger --turn)";

/// Returns the error for a run that did not play everything, with the command that resumes it.
fn incomplete(end: &RunEnd, overloaded: bool, (stored, total): (u64, u64), path: &Path) -> CommandError {
    let (code, why) = if end.interrupted {
        (Code::Interrupted, "interrupted".to_owned())
    } else {
        let void = counted(end.voided, "match is", "matches are");
        let advice = if overloaded { OVERLOADED } else { "" };
        (Code::HostFailed, format!("{void} void, for the reasons above{advice}"))
    };
    let message = format!(
        "{why}: {stored} of {total} matches are in {}; resume with\n  {}",
        path.display(),
        resume_command(path)
    );
    CommandError { code, message }
}

/// Closes the results file. If there was no room for all matches that ended, the error says what is kept, if anything, and how to
/// resume.
pub(super) fn close(tournament: Tournament, kept: Option<&Path>) -> Result<(), CommandError> {
    let total = tournament.schedule().matches();
    let Err(error) = tournament.close() else { return Ok(()) };
    let StoreError::Full { path } = &error else { return Err(PlayError::from(error).into()) };
    let message = match kept {
        Some(kept) => {
            let stored = Results::open(kept).and_then(|results| results.count());
            no_room(kept, stored.ok(), total)
        }
        None => format!(
            "no room left to write {}, and nothing is kept: make room there, and start again; with --results FILE a run can be \
             resumed",
            path.display()
        ),
    };
    Err(CommandError { code: Code::HostFailed, message })
}

/// Returns the message for a full disk: some of the matches that ended could not be written.
fn no_room(path: &Path, stored: Option<u64>, total: u64) -> String {
    let kept = match stored {
        Some(stored) => format!("{stored} of {total} matches are in it"),
        None => "matches that are in it are kept".to_owned(),
    };
    format!(
        "no room left to write {}: {kept}, others that had ended are played again. Make room, then resume with\n  {}",
        path.display(),
        resume_command(path)
    )
}

/// Sets what is printed if the user ends the program at once, before anything is finished.
pub(super) fn set_exit_message(path: &Path) {
    let (file, command) = (path.display(), resume_command(path));
    signals::set_exit_message(format!(
        "the matches that were stored are in {file}; resume with\n  {command}"
    ));
}

/// Says what is going to be played, before the first match.
fn announce(tournament: &Tournament, typed_seed: bool) {
    let (schedule, settings) = (tournament.schedule(), &tournament.plan().settings);
    let commitment = tournament.plan().tournament_seed().commitment();
    let (total, done) = (schedule.matches(), tournament.done().count());
    super::say(format_args!(
        "{} to {} with {} · {} bots · {} {} · {} {} of {} matches{}",
        settings.rules,
        settings.target,
        settings.set,
        schedule.bots(),
        schedule.tables(),
        if schedule.tables() == 1 { "table" } else { "tables" },
        schedule.blocks(),
        if schedule.blocks() == 1 { "block" } else { "blocks" },
        schedule.matches_per_block(),
        if done > 0 { format!(" · {done} of {total} played before") } else { String::new() },
    ));
    if *schedule.format() != leyden_arena::format::Format::RoundRobin {
        let name = |bot: leyden_model::BotIndex| tournament.plan().bots[bot.index()].name.clone();
        super::say(format_args!("{}", schedule.format().describe(name)));
    }
    super::say(format_args!("results in {} · seed commitment {commitment}", tournament.path().display()));
    // To resume, it has to be typed again.
    if typed_seed && done == 0 {
        super::say(format_args!("the seed was typed, so a bot could guess it: use one for tests only"));
    }
}

/// What is reported at the end, and only about this run.
#[derive(Default)]
pub(super) struct RunSums {
    pub(super) withdrawn: Vec<Withdrawal>,
    pub(super) off_turn: OffTurnSums,
    /// Whether a match is void because the machine had no time for it.
    overloaded: bool,
}

impl Follower for RunSums {
    fn take(&mut self, event: &RunEvent) -> Result<Flow, FollowError> {
        match event {
            RunEvent::Match { record, .. } => self.off_turn.note(record),
            RunEvent::Void(void) => self.overloaded |= void.defect.is_empty() && !void.with_its_pair,
            RunEvent::Withdrawn(withdrawal) => self.withdrawn.push(withdrawal.clone()),
            _ => {}
        }
        Ok(Flow::GoOn)
    }
}
