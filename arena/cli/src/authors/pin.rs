//! `leyden pin`: a question of a recorded match becomes a case that every check asks the bot again.

use std::path::{Path, PathBuf};

use clap::Args;
use leyden_arena::check::{self, GoodAnswers, PinError};
use leyden_arena::rerun::MatchEnvironment;
use leyden_arena::roster;
use leyden_model::{MatchRecord, shared_name};
use leyden_protocol::{Action, Seat};

use crate::after::match_choice::MatchChoice;
use crate::exit::{Code, CommandError};
use crate::options::QuestionChoice;
use crate::out::quoted;
use crate::report::grid::plain;

pub(crate) const EXAMPLES: &str = "\
Examples:
  leyden replay results.db 4f2a --turn r3.t12                    the question and its answer
  leyden pin results.db 4f2a --turn r3.t12 --never draw          it must not draw there again
  leyden pin results.db 4f2a --turn r3.t12 --expect E:5-0 S:4-6  it must play one of these
  leyden pin results.db 4f2a --turn r3.t12 --never 'N:2|5'       in quotes, since | is the shell's
  leyden check . --only case-                                  ask the bot all its cases

The case is written to the folder cases in the bot's folder. It holds only what the seat could see there. \
`leyden check` and `leyden gate` ask the cases first.";

/// The question, and which answers are good.
#[derive(Args, Clone, Debug)]
pub(crate) struct PinOptions {
    #[command(flatten)]
    which: MatchChoice,
    /// The question: its index in the record's `rounds` and in their `actions`, both from 0; or the id of the turn, as given with
    /// faults
    #[arg(long, value_name = "rR.tT")]
    turn: QuestionChoice,
    /// The answer must be one of these; without this or --never any legal action will do
    #[arg(long, value_name = "ACTION", num_args = 1.., conflicts_with = "never")]
    expect: Vec<Action>,
    /// The answer must be none of these
    #[arg(long, value_name = "ACTION", num_args = 1..)]
    never: Vec<Action>,
    /// The seat that was asked (counted from 0) [default: that of the bot with this name, in a gate that of the new version]
    #[arg(long, value_name = "S")]
    seat: Option<usize>,
    /// The bot's folder
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    bot: PathBuf,
    /// A name for the case [default: the match and the turn]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

/// Writes a case.
pub(crate) fn run(request: &PinOptions) -> Result<Code, CommandError> {
    is_a_bot(&request.bot)?;
    let answers = match (&request.expect[..], &request.never[..]) {
        ([], []) => GoodAnswers::Legal,
        ([], never) => GoodAnswers::NoneOf(never.to_vec()),
        (expect, _) => GoodAnswers::OneOf(expect.to_vec()),
    };
    let (recorded, environment) = request.which.find_with_environment()?;
    let own = match request.seat {
        Some(seat) => vec![crate::options::seat_number(seat)?],
        None => own_seats(&request.bot, recorded.record(), &environment)?,
    };
    let turn_ref = request.turn.turn_ref(recorded.record(), &own)?;
    let path = check::pin(&recorded, (turn_ref, &own), &answers, &request.bot, request.name.as_deref())
        .map_err(|error| not_pinned(error, &own, recorded.record()))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let (bot, case) = (quoted(request.bot.as_os_str()), quoted(format!("case-{name}").as_ref()));
    let asked = leyden_model::position(recorded.record(), turn_ref).map_err(CommandError::defect)?.seat;
    let whose = plain(&recorded.record().bots[asked]);
    crate::out::print(&format!(
        "written: {}\nit was a question to {whose}, at seat {asked}\nask the bot this question: leyden check {bot} --only {case}\n",
        path.display()
    ))
}

/// Returns the seats of the bot in a folder, by its name, with or without a number or folder that distinguishes it; empty if no bot
/// of that name played. Of several the one with the same files is chosen; else, of a gate's two versions, the new one.
fn own_seats(
    folder: &Path,
    record: &MatchRecord,
    environment: &MatchEnvironment,
) -> Result<Vec<Seat>, CommandError> {
    let typed = folder.to_string_lossy().into_owned();
    let found = roster::find(&[typed], &crate::program::leyden()?)?;
    let names: Vec<&str> = found.bots.iter().map(|bot| &*bot.name).collect();
    let is_own = |played: &str| {
        let is_version = |name: &str| played.strip_prefix(name).is_some_and(|rest| rest.starts_with(VERSION));
        names.iter().any(|&name| played == name || shared_name(played) == Some(name) || is_version(name))
    };
    let own: Vec<Seat> = record.bots.seats().iter().filter(|&seat| is_own(&record.bots[seat])).collect();
    let is_same = |seat: &Seat| {
        let mut played = environment.bots.iter().filter(|played| played.name == record.bots[*seat]);
        played.any(|played| found.bots.iter().any(|bot| played.hash.as_ref() == Some(&bot.hash)))
    };
    let same: Vec<Seat> = own.iter().copied().filter(is_same).collect();
    if same.len() == 1 {
        return Ok(same);
    }
    let are_versions = own.len() == 2 && own.iter().all(|&seat| record.bots[seat].contains(VERSION));
    // The new version leads in the first leg of a pair.
    let new = Seat::new(record.leg as usize % 2);
    Ok(if are_versions { new.into_iter().collect() } else { own })
}

/// The start of what a gate adds to a bot's name to distinguish its versions.
const VERSION: &str = " (";

/// Turns the error into a message; for a question to another seat it says where the bot sat.
fn not_pinned(error: PinError, own: &[Seat], record: &MatchRecord) -> CommandError {
    let sat = match (&error, own) {
        (PinError::Anothers { .. }, [seat]) => {
            let name = plain(&record.bots[*seat]);
            format!(" ({name} sat at seat {seat}; use --seat to pin a question to another seat)")
        }
        _ => String::new(),
    };
    let error = CommandError::from(error);
    CommandError { message: error.message + &sat, ..error }
}

fn is_a_bot(folder: &Path) -> Result<(), CommandError> {
    if roster::has_manifest(folder) {
        return Ok(());
    }
    Err(CommandError::usage(format!(
        "{} is not the folder of a bot, because it has no bot.toml: run this in the bot's folder, or name it (--bot FOLDER)",
        folder.display()
    )))
}
