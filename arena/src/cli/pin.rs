//! `leyden pin`: a question of a recorded match becomes a case that a bot is asked again at each check.

use std::path::{Path, PathBuf};

use clap::Args;
use leyden_arena::check::{self, Wanted};
use leyden_model::Place;
use leyden_protocol::Action;

use super::exit::{Code, Stop};
use super::recorded::MatchChoice;

pub(crate) const EXAMPLES: &str = "\
Examples:
  leyden replay results.db 4f2a --turn 3.12                    the question, and what was answered
  leyden pin results.db 4f2a --turn 3.12 --never draw          it must not draw there again
  leyden pin results.db 4f2a --turn 3.12 --expect E:5-0 S:4-6  it must play one of these
  leyden check . --only case-                                  ask the bot all its cases

The case is written into the folder cases of the bot's folder. It holds what the seat was told there and nothing else. \
`leyden check` and `leyden gate` ask the cases first.";

/// Which question, and which answers are good.
#[derive(Args, Clone, Debug)]
pub(crate) struct PinOptions {
    #[command(flatten)]
    which: MatchChoice,
    /// The question: its places in the record's `rounds` and in their `actions`, both from 0
    #[arg(long, value_name = "R.T")]
    turn: Place,
    /// The answer has to be one of these; without this and --never any legal action is good
    #[arg(long, value_name = "ACTION", num_args = 1.., conflicts_with = "never")]
    expect: Vec<Action>,
    /// The answer must be none of these
    #[arg(long, value_name = "ACTION", num_args = 1..)]
    never: Vec<Action>,
    /// The bot's folder
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    bot: PathBuf,
    /// A name for the case [default: the match and the place]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

/// Writes a case.
pub(super) fn run(wanted: &PinOptions) -> Result<Code, Stop> {
    is_a_bot(&wanted.bot)?;
    let answers = match (&wanted.expect[..], &wanted.never[..]) {
        ([], []) => Wanted::Legal,
        ([], never) => Wanted::NoneOf(never.to_vec()),
        (expect, _) => Wanted::OneOf(expect.to_vec()),
    };
    let recorded = wanted.which.find()?;
    let path = check::pin(&recorded, wanted.turn, &answers, &wanted.bot, wanted.name.as_deref())
        .map_err(Stop::usage)?;
    super::print(&format!("{}\n", path.display()))
}

fn is_a_bot(folder: &Path) -> Result<(), Stop> {
    if folder.join("bot.toml").is_file() {
        return Ok(());
    }
    Err(Stop::usage(format!(
        "{} is not the folder of a bot, for it has no bot.toml: go there, or name it (--bot FOLDER)",
        folder.display()
    )))
}
