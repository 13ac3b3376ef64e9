//! Which command was typed, and how it ended. Data goes to standard output, the rest to standard error.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::FromArgMatches;
use leyden_arena::narrate::ReplayOptions;

use crate::after::{
    analyse, compare, dataset, luck, matches, publish, records, replay_page, standings, verify, withdraw,
};
use crate::args::{Cli, Command, SHORT_HELP, SchemaName};
use crate::authors::{check, new, pin, rerun, rules, submit, thinking, transcript};
use crate::exit::{Code, CommandError};
use crate::machines::{doctor, workers};
use crate::options::{self, seat_number};
use crate::organisers::{grade, league, likeness};
use crate::out::{self, columns, print, say};
use crate::play::{commit, events, gate, junit_fallback, person, serve, tournament};
use crate::{help, init, log, quoting, report};

/// Plays as a builtin bot, if these are a name and its options. Parsing them like the other commands' arguments would take
/// longer than many a bot thinks.
pub(crate) fn play_as_builtin(words: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    let words: Vec<String> = words.map(|word| word.into_string().ok()).collect::<Option<_>>()?;
    let is_name = words.first().is_some_and(|name| !name.starts_with('-'));
    is_name.then(|| ended(play_as_bot(&words)))
}

/// Runs the program with the arguments it was given.
pub(crate) fn run() -> ExitCode {
    log::start();
    out::keep_panics_from_commands();
    match help::matches().and_then(|typed| Cli::from_arg_matches(&typed)) {
        Ok(cli) => ended(dispatch(cli)),
        Err(error) if error.use_stderr() => {
            let words: Vec<OsString> = std::env::args_os().collect();
            let lacking = quoting::lacks_quotes(&words, &error);
            let message = lacking.as_ref().map_or_else(|| error.to_string(), |stop| stop.message.clone());
            junit_fallback::report_unparsed(&words, message.trim_end());
            if let Some(stop) = lacking {
                return ended(Err(stop));
            }
            if !out::obeys_commands() {
                error.exit();
            }
            // It quotes what was typed, which may contain anything.
            let message = error.to_string();
            say(format_args!("{}", message.trim_end()));
            report::github::annotate_stop(Code::Usage.number(), message.trim_end());
            Code::Usage.into()
        }
        // Help is output, too, and may fail to be written.
        Err(error) => ended(error.print().map(|()| Code::Done).map_err(CommandError::from)),
    }
}

fn ended(outcome: Result<Code, CommandError>) -> ExitCode {
    match outcome {
        Ok(code) => code.into(),
        Err(stop) => {
            if !stop.is_closed_output() {
                say(format_args!("leyden: {}", stop.message));
                if stop.code != Code::Done {
                    report::github::annotate_stop(stop.code.number(), &stop.message);
                }
            }
            stop.code.into()
        }
    }
}

fn dispatch(cli: Cli) -> Result<Code, CommandError> {
    let Some(command) = cli.command else { return print(SHORT_HELP) };
    match command {
        Command::Tournament { init: true, options, .. } => init::print(&options.bots),
        Command::Tournament { commit: Some(file), .. } => commit::draw(&file),
        Command::Tournament { options, run, init: false, commit: None } => {
            tournament::run(options, &run, options::Subcommand::Tournament, None)
        }
        Command::Match { options, run, show_luck: luck, verbose, print_stderr: stderr, junit } => {
            let subcommand = options::Subcommand::Match { luck, verbose, stderr };
            tournament::run(options.given, &run, subcommand, junit.as_deref())
        }
        Command::Gate { options, run, gate } => gate::run(options.given, &run, &gate),
        Command::League(request) if request.init => print(&init::rules()),
        Command::League(request) => league::run(&request),
        Command::Submit(request) => submit::run(&request),
        Command::Standings(request) => standings::run(&request),
        Command::Compare(request) => compare::run(&request),
        Command::Grade(request) => grade::run(&request),
        Command::Likeness(request) => likeness::run(&request),
        Command::Analyse(request) => analyse::run(&request),
        Command::Luck(request) => luck::run(&request),
        Command::Withdraw(request) => withdraw::run(&request),
        Command::Export { file, brackets: true, .. } => records::brackets(&file),
        Command::Export { file, trf: true, .. } => records::trf(&file),
        Command::Export { file, id, views: true, seat, .. } => {
            records::export_views(&file, id.as_deref(), seat.map(seat_number).transpose()?)
        }
        Command::Export { file, id, .. } => records::export(&file, id.as_deref()),
        Command::Dataset(request) => dataset::run(&request),
        Command::Verify(request) => verify::run(&request),
        Command::Replay { file, id, seat, turn: Some(turn), language, .. } => {
            let seat = seat.map(seat_number).transpose()?;
            records::moment(&file, id.as_deref(), turn, seat, language.get())
        }
        Command::Replay { file, id, seat, html: Some(out), language, .. } => {
            let seat = seat.map(seat_number).transpose()?;
            replay_page::write(&file, id.as_deref(), seat, &out, language.get())
        }
        Command::Replay { file, id, round, seat, turn: None, html: None, language } => records::replay(
            &file,
            id.as_deref(),
            ReplayOptions {
                round: round.map(|round| round - 1),
                seat: seat.map(seat_number).transpose()?,
                width: columns(),
                language: language.get(),
            },
        ),
        Command::Matches(request) => matches::run(&request),
        Command::Transcript(request) => transcript::run(&request),
        Command::Rerun(request) => rerun::run(&request),
        Command::Check(request) => check::run(&request),
        Command::Pin(request) => pin::run(&request),
        Command::New(request) => new::run(&request),
        Command::Play(request) => person::run(&request),
        Command::Serve(options) => serve::run(options),
        Command::Worker(request) => workers::worker(&request),
        Command::Workers(request) => workers::workers(&request),
        Command::Report(request) => publish::run(&request),
        Command::Bot { words } => play_as_bot(&words),
        Command::Doctor { json } => doctor::run(json),
        Command::Rules(request) => rules::run(&request),
        Command::Thinking => thinking::run(),
        Command::Formats => print(include_str!("../../format/README.md")),
        Command::Schema { name } => schema(name),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut help::command(), "leyden", &mut script);
            io::stdout().write_all(&script)?;
            Ok(Code::Done)
        }
        Command::Man { folder } => {
            let written = std::fs::create_dir_all(&folder)
                .and_then(|()| clap_mangen::generate_to(help::command(), &folder));
            written.map_err(|error| {
                CommandError::for_file(
                    format_args!("cannot write man pages into {}: {error}", folder.display()),
                    &error,
                )
            })?;
            Ok(Code::Done)
        }
    }
}

fn play_as_bot(words: &[String]) -> Result<Code, CommandError> {
    let (name, options) = words.split_first().ok_or_else(|| CommandError::usage("which bot?"))?;
    match leyden_sample_bots::play(name, options, io::stdin().lock(), io::stdout().lock()) {
        Ok(()) => Ok(Code::Done),
        Err(leyden_sample_bots::BotError::Choice(choice)) => Err(CommandError::usage(choice)),
        Err(failure) => Err(CommandError { code: Code::No, message: failure.to_string() }),
    }
}

fn schema(name: SchemaName) -> Result<Code, CommandError> {
    let schema = match name {
        SchemaName::Message => leyden_protocol::schema::message(),
        SchemaName::Record => schemars::schema_for!(leyden_model::MatchRecord),
        SchemaName::View => schemars::schema_for!(leyden_arena::rerun::DecisionView<'static>),
        SchemaName::Config => schemars::schema_for!(options::TournamentOptions),
        SchemaName::Standings => schemars::schema_for!(leyden_arena::report::Standings),
        SchemaName::Brackets => schemars::schema_for!(leyden_arena::report::BracketsDocument),
        SchemaName::Compare => schemars::schema_for!(leyden_arena::report::TournamentComparison),
        SchemaName::Grade => schemars::schema_for!(leyden_arena::grade::Grades),
        SchemaName::Likeness => schemars::schema_for!(leyden_arena::likeness::Likeness),
        SchemaName::Rubric => schemars::schema_for!(leyden_arena::grade::Rubric),
        SchemaName::Versions => schemars::schema_for!(leyden_arena::league::LeagueVersions),
        SchemaName::Copies => schemars::schema_for!(leyden_arena::league::LeagueCopies),
        SchemaName::VersionsCompared => schemars::schema_for!(leyden_arena::league::VersionsCompared),
        SchemaName::Match => schemars::schema_for!(leyden_arena::report::Versus),
        SchemaName::Events => schemars::schema_for!(events::JsonLine<'static>),
        SchemaName::Matches => schemars::schema_for!(leyden_arena::report::MatchList),
        SchemaName::Rerun => schemars::schema_for!(leyden_arena::rerun::Rerun),
        SchemaName::Check => schemars::schema_for!(leyden_arena::check::CheckReport),
        SchemaName::Case => schemars::schema_for!(leyden_arena::check::CaseFile),
        SchemaName::Analyse => schemars::schema_for!(leyden_arena::analyse::Analysis),
        SchemaName::Luck => schemars::schema_for!(leyden_arena::report::LuckReport),
        SchemaName::Verify => schemars::schema_for!(leyden_arena::report::Verification),
        SchemaName::Workers => schemars::schema_for!(leyden_arena::report::WorkersReport),
        SchemaName::Doctor => schemars::schema_for!(leyden_arena::report::MachineReport),
        SchemaName::Rules => schemars::schema_for!(leyden_protocol::RuleSet),
        SchemaName::Plan => schemars::schema_for!(leyden_arena::report::TestForecast),
        SchemaName::Gate => schemars::schema_for!(leyden_arena::report::GateDocument),
    };
    let text = serde_json::to_string_pretty(&schema).map_err(CommandError::defect)?;
    print(&(text + "\n"))
}
