//! The options of `leyden play`, and the table that they describe.

use std::path::PathBuf;

use clap::Args;
use leyden_arena::run::{Options, RunKind};
use leyden_arena::tournament::ResultsFile;
use leyden_protocol::Seats;
use leyden_rules::Rules;
use leyden_table::{LEVELS, OpponentLevel, ReadyTable};

use crate::config;
use crate::exit::CommandError;
use crate::options::heading::SANDBOX;
use crate::options::{LanguageOption, Shared, Shares, TournamentOptions};
use crate::play::notices::print_notice;

/// The end of `leyden help play`.
pub(crate) const SHOWN: &str = "\
Levels, if no bot is named: 1 first steps (random), 2 beginner, 3 easy, 4 medium, 5 hard, 6 very hard, 7 expert (these are \
levels 2, 3, 4, 5, 7 and 8 of the bot ladder), 8 master (strong). In the browser you choose one there.

The page speaks the language that the browser asks for, and the terminal that of the environment, unless --language names one.

In the browser everything works with the mouse and with keys; ? shows the rules and all keys. In the terminal you type the \
number of an action, or the action as records write it (N:4-1, draw); ? lists the commands. Ending the input resigns.

The coach (k) weighs every legal action over deals that fit what you have seen; it sees no more than you do. You have unlimited \
time; bots have --turn. Taking a step back (u) turns the match into practice: the bots are restarted, and nothing is stored. A \
match that you resign is not stored either. A finished one is kept; `leyden replay`, `verify` and `export` can read it.

The address contains a secret: anyone who has it can see your hand and play for you. It works on this machine only. A bot at the \
sandbox level none can do anything that you can, so it can look at your screen.

Examples:
  leyden play                                 choose an opponent in the browser
  leyden play --level 2 --text                in the terminal
  leyden play mine builtin:careful --rules matador
  leyden play mine builtin:strong --watch     watch two bots, step by step";

/// The options of `leyden play`.
#[derive(Args, Clone, Debug)]
pub(crate) struct PlayOptions {
    /// The bots to play against, named as for a tournament; a builtin one if none is named
    #[arg(value_name = "BOT")]
    pub(super) bots: Vec<String>,
    /// How strong the builtin opponent is, from 1 to 8 [default: 3, or chosen in the browser]
    #[arg(long, value_name = "N", conflicts_with = "bots", value_parser = clap::value_parser!(u8).range(1..=LEVELS.len() as i64))]
    pub(super) level: Option<u8>,
    #[command(flatten)]
    shared: Shared<Self>,
    /// Play in the terminal
    #[arg(long)]
    pub(super) text: bool,
    /// Watch bots play each other, one decision at a time
    #[arg(long)]
    pub(super) watch: bool,
    /// The port of the page; 0 takes any that is free
    #[arg(long, default_value_t = 0, value_name = "N", conflicts_with = "text")]
    pub(super) port: u16,
    /// Do not open a browser
    #[arg(long, conflicts_with = "text")]
    pub(super) no_open: bool,
    /// The results file, a new one [default: leyden-DATE-N.db in ~/.local/state/leyden]
    #[arg(long, value_name = "FILE")]
    pub(super) results: Option<PathBuf>,
    #[command(flatten)]
    pub(super) language: LanguageOption,
}

impl Shares for PlayOptions {
    const OPTIONS: &'static [&'static str] =
        &["rules", "seats", "set", "target", "turn", "startup", "seed", "seed_file", SANDBOX];
}

impl PlayOptions {
    pub(super) fn level(&self) -> &'static OpponentLevel {
        let number = self.level.map_or(OpponentLevel::DEFAULT, usize::from);
        OpponentLevel::by_number(number).unwrap_or(&LEVELS[0]) // the parser accepts no other number
    }

    /// Returns a table with the bots that were named, or with builtin ones of this level.
    pub(super) fn make(&self, level: &OpponentLevel) -> Result<ReadyTable, CommandError> {
        let options = self.options(level)?;
        let file = match &self.results {
            Some(path) => ResultsFile::New(path.clone()),
            None => ResultsFile::Dated(config::state_folder()),
        };
        let mut notify = |notice| print_notice(&notice, false);
        let table = if self.watch {
            ReadyTable::for_bots(&options, file, &mut notify)
        } else {
            ReadyTable::with_person(&options, file, &mut notify)
        };
        Ok(table?)
    }

    /// Returns what is known of the match before opponents are chosen.
    pub(super) fn rules(&self) -> Result<Rules, CommandError> {
        let shared = &self.shared.given;
        shared.table_rules(shared.rules.unwrap_or_default())
    }

    pub(super) fn options(&self, level: &OpponentLevel) -> Result<Options, CommandError> {
        let seats = self.shared.given.seats;
        let needed = seats.map_or(2, Seats::count) - usize::from(!self.watch);
        let mut bots = self.bots.clone();
        if bots.is_empty() {
            bots = vec![level.bot.to_owned(); needed];
        } else if self.watch && bots.len() == 1 && seats.is_none() {
            bots.push(level.bot.to_owned());
        }
        let options = TournamentOptions { bots, ..self.shared.given.clone() };
        options.over(Options { kind: RunKind::Match, ..config::default_options()? })
    }
}
