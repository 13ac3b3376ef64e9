//! `leyden pin`: a question of a recorded match becomes a case that a bot is asked again at each check.

use std::path::{Path, PathBuf};

use clap::Args;
use leyden_arena::check::{self, GoodAnswers, NotPinned};
use leyden_arena::rerun::MatchEnvironment;
use leyden_arena::roster;
use leyden_model::MatchRecord;
use leyden_protocol::{Action, Seat};

use super::exit::{Code, CommandError};
use super::options::QuestionChoice;
use super::out::quoted;
use super::recorded::MatchChoice;
use super::report::grid::plain;

pub(crate) const EXAMPLES: &str = "\
Examples:
  leyden replay results.db 4f2a --turn 3.12                    the question, and what was answered
  leyden pin results.db 4f2a --turn 3.12 --never draw          it must not draw there again
  leyden pin results.db 4f2a --turn 3.12 --expect E:5-0 S:4-6  it must play one of these
  leyden pin results.db 4f2a --turn 3.12 --never 'N:2|5'       in quotes, since | is the shell's
  leyden check . --only case-                                  ask the bot all its cases

The case is written into the folder cases of the bot's folder. It holds what the seat was told there and nothing else. \
`leyden check` and `leyden gate` ask the cases first.";

/// Which question, and which answers are good.
#[derive(Args, Clone, Debug)]
pub(crate) struct PinOptions {
    #[command(flatten)]
    which: MatchChoice,
    /// The question: its places in the record's `rounds` and in their `actions`, both from 0; or the id of the turn, as faults
    /// name it
    #[arg(long, value_name = "R.T")]
    turn: QuestionChoice,
    /// The answer has to be one of these; without this and --never any legal action is good
    #[arg(long, value_name = "ACTION", num_args = 1.., conflicts_with = "never")]
    expect: Vec<Action>,
    /// The answer must be none of these
    #[arg(long, value_name = "ACTION", num_args = 1..)]
    never: Vec<Action>,
    /// The seat that was asked (counted from 0) [default: that of the bot of its name, in a gate of the new version; else whoever was asked]
    #[arg(long, value_name = "S")]
    seat: Option<usize>,
    /// The bot's folder
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    bot: PathBuf,
    /// A name for the case [default: the match and the place]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

/// Writes a case.
pub(super) fn run(wanted: &PinOptions) -> Result<Code, CommandError> {
    is_a_bot(&wanted.bot)?;
    let answers = match (&wanted.expect[..], &wanted.never[..]) {
        ([], []) => GoodAnswers::Legal,
        ([], never) => GoodAnswers::NoneOf(never.to_vec()),
        (expect, _) => GoodAnswers::OneOf(expect.to_vec()),
    };
    let (recorded, environment) = wanted.which.find_with_environment()?;
    let own = match wanted.seat {
        Some(seat) => vec![super::seat_number(seat)?],
        None => own_seats(&wanted.bot, recorded.record(), &environment)?,
    };
    let place = wanted.turn.place(recorded.record(), &own)?;
    let path = check::pin(&recorded, (place, &own), &answers, &wanted.bot, wanted.name.as_deref())
        .map_err(|error| not_pinned(error, &own, recorded.record()))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let (bot, case) = (quoted(wanted.bot.as_os_str()), quoted(format!("case-{name}").as_ref()));
    let asked = leyden_model::position(recorded.record(), place).map_err(CommandError::defect)?.seat;
    let whose = plain(&recorded.record().bots[asked]);
    super::print(&format!(
        "written: {}\nit was a question to {whose}, at seat {asked}\nask the bot this question: leyden check {bot} --only {case}\n",
        path.display()
    ))
}

/// The seats of the bot in a folder, by its name, also where that was told from others by a number or its folder; none if nobody
/// of that name played. Of several of that name it is the one of the same files; else of the two versions of a gate the new one.
fn own_seats(
    folder: &Path,
    record: &MatchRecord,
    environment: &MatchEnvironment,
) -> Result<Vec<Seat>, CommandError> {
    let typed = folder.to_string_lossy().into_owned();
    let found = roster::find(&[typed], &super::leyden()?).map_err(CommandError::missing)?;
    let names: Vec<&str> = found.bots.iter().map(|bot| &*bot.name).collect();
    let is_own = |played: &str| {
        let rest = names.iter().find_map(|name| played.strip_prefix(name));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('#') || rest.starts_with(VERSION))
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
    // The new one begins in the first leg of a pair.
    let new = Seat::new(record.leg as usize % 2);
    Ok(if are_versions { new.into_iter().collect() } else { own })
}

/// What stands between the name of a bot and what tells its versions apart, in a gate.
const VERSION: &str = " (";

/// That a question was another one's is said with whose seat is whose.
fn not_pinned(error: NotPinned, own: &[Seat], record: &MatchRecord) -> CommandError {
    match (&error, own) {
        (NotPinned::Write { source, .. }, _) => CommandError::of_file(&error, source),
        (NotPinned::Anothers { .. }, [seat]) => {
            let name = plain(&record.bots[*seat]);
            CommandError::usage(format!(
                "{error} ({name} sat at seat {seat}; --seat takes the question to another one)"
            ))
        }
        _ => CommandError::usage(error),
    }
}

fn is_a_bot(folder: &Path) -> Result<(), CommandError> {
    if folder.join("bot.toml").is_file() {
        return Ok(());
    }
    Err(CommandError::usage(format!(
        "{} is not the folder of a bot, for it has no bot.toml: go there, or name it (--bot FOLDER)",
        folder.display()
    )))
}
