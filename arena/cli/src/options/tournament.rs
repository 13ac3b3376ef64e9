//! The options of a tournament, typed or in its configuration file.

use std::path::PathBuf;

use clap::{ArgMatches, Args, FromArgMatches};
use leyden_arena::format::Seeding;
use leyden_host::sandbox::SandboxLevelChoice;
use leyden_model::Pondering;
use leyden_protocol::{ClockKind, RulesName, Seats, Set};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::gate::GateTest;
use super::memory::Memory;
use super::span::Span;
use super::stage::StageOptions;

/// All options of a tournament, typed or in its configuration file.
#[derive(Args, Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
#[schemars(title = "A tournament's configuration file (TOML)")]
pub(crate) struct TournamentOptions {
    /// A folder with a bot.toml, a folder of such folders or zip archives, an executable, a quoted command line, or builtin:NAME
    #[arg(value_name = "BOT")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) bots: Vec<String>,
    /// The rule set: leyden, leyden-cross, leiden, senst, leyden-free or matador [default: leyden]
    #[arg(long, value_name = "NAME")]
    pub(crate) rules: Option<RulesName>,
    /// How many seats a table has [default: 2]
    #[arg(long, value_name = "K", value_parser = seats)]
    pub(crate) seats: Option<Seats>,
    /// The set of tiles, by its highest pip: 6, 9 or 12 [default: 6]
    #[arg(long, value_name = "TOP", value_parser = set)]
    pub(crate) set: Option<Set>,
    /// The score that ends a match [default: 100]
    #[arg(long, value_name = "N")]
    pub(crate) target: Option<u32>,
    /// How often every pairing plays on new deals, each deal once in every seating [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) blocks: Option<u32>,
    /// The text that all deals follow from; for tests only, because a bot could guess it [default: random]
    #[arg(long, value_name = "TEXT", conflicts_with = "seed_file")]
    pub(crate) seed: Option<String>,
    /// A file whose text (without surrounding line ends) is the seed
    #[arg(long, value_name = "FILE")]
    pub(crate) seed_file: Option<PathBuf>,
    /// How many matches to play at once, each on a core of its own [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<usize>,
    /// Cores for one match, for bots that use threads [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) cores_per_match: Option<usize>,
    /// Time for a decision, such as 500ms or 2s [default: 1s]
    #[arg(long, value_name = "DUR")]
    pub(crate) turn: Option<Span>,
    /// Time for a whole match, used up by decisions that take longer than a turn [default: 0s]
    #[arg(long, value_name = "DUR")]
    pub(crate) bank: Option<Span>,
    /// Added to the bank after each decision [default: 0s]
    #[arg(long, value_name = "DUR")]
    pub(crate) increment: Option<Span>,
    /// Time to start up and say ready [default: 5s]
    #[arg(long, value_name = "DUR")]
    pub(crate) startup: Option<Span>,
    /// What measures thinking: wall is real time; cpu is the processor time of the bot and all its child processes, with a
    /// real-time limit of ten times as much and at least a second. At the sandbox level full the system counts all of it; below,
    /// short-lived children may be missed. Linux only [default: wall]
    #[arg(long, value_name = "CLOCK", value_parser = clock)]
    pub(crate) clock: Option<ClockKind>,
    /// May bots compute while it is not their turn? watched: a little, and beyond that they are stopped between turns; never: they
    /// are always stopped between turns; allowed: yes [default: watched]
    #[arg(skip)]
    pub(crate) pondering: Option<Pondering>,
    /// Let bots compute while it is not their turn: for bots that you trust, each with a core of its own (--cores-per-match). By
    /// default a bot that does so for longer than an eighth of --turn in a match, or 100 ms, is stopped between its turns from then
    /// on
    #[arg(long, conflicts_with = "no_ponder")]
    #[serde(skip)]
    pub(crate) ponder: bool,
    /// Stop every bot while it is not its turn. At the sandbox level full that stops all its processes, below it those still in its
    /// process group
    #[arg(long)]
    #[serde(skip)]
    pub(crate) no_ponder: bool,
    /// How many faults of a bot are forgiven in a match, with the first legal action played instead [default: 0]
    #[arg(long, value_name = "N")]
    pub(crate) strikes: Option<u32>,
    /// Start new processes for every match: what a bot keeps from earlier matches then changes nothing
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    pub(crate) fresh: Option<bool>,
    /// Let the bots know each other's names
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    pub(crate) names: Option<bool>,
    /// How to confine each bot: auto, full, jail, restrict or none; auto is the best level that works on this machine, and any
    /// other must work or nothing is run [default: auto]
    #[arg(long, value_name = "LEVEL")]
    pub(crate) sandbox: Option<SandboxLevelChoice>,
    /// Let bots whose bot.toml asks for it read this file or folder, such as an interpreter outside of /usr; can be
    /// given several times
    #[arg(long, value_name = "PATH")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) allow_read: Vec<PathBuf>,
    /// Let this bot, and no other, use the network if its bot.toml asks for it (network = true); can be given several times
    #[arg(long, value_name = "BOT")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) allow_network: Vec<String>,
    /// Memory for a bot in a sandbox, such as 512MB or 2GB [default: 512MB]
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory: Option<Memory>,
    /// Memory for each process of a build in a sandbox [default: 2GB]
    #[arg(long, value_name = "SIZE")]
    pub(crate) build_memory: Option<Memory>,
    /// Time for the build of a bot [default: 5m]
    #[arg(long, value_name = "DUR")]
    pub(crate) build_time: Option<Span>,
    /// Let builds use the network
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    pub(crate) build_network: Option<bool>,
    /// Build nothing: play what is in the bots' folders, which then also identifies them
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    pub(crate) no_build: Option<bool>,
    /// Leave out bots that cannot be found or built, instead of stopping
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    pub(crate) allow_missing: Option<bool>,
    /// Let folders and archives in a tournament be builtin bots, or bring or call this program, as the sample bots do; otherwise they
    /// are left out. `builtin:NAME` is always allowed
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    pub(crate) allow_builtins: Option<bool>,
    /// The results file [default: leyden-DATE-N.db, a new one in the current folder; for a match a new one in
    /// ~/.local/state/leyden; a gate keeps none]
    #[arg(long, value_name = "FILE")]
    pub(crate) results: Option<PathBuf>,
    /// Resume the results file: play exactly what is missing. Bots and options you don't repeat keep their previous values
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    pub(crate) resume: Option<bool>,
    /// With --resume: this bot, one of those listed, has changed. Its matches are removed from the results file and played again on
    /// the same deals; everything else stays. To keep the old matches, run `leyden export` first. Not possible after the last
    /// match, when the seed has been revealed. Can be given several times
    #[arg(long, value_name = "BOT")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) replace: Vec<String>,
    /// The bots that a tournament is a gauntlet for; other commands ignore it
    #[arg(skip)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) gauntlet: Vec<String>,
    /// The stages of a tournament in a row; other commands ignore them
    #[arg(skip)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) stage: Vec<StageOptions>,
    /// Who has which seed in the first stage
    #[arg(skip)]
    pub(crate) seeding: Option<Seeding>,
    /// The results file of an earlier tournament, by whose ratings bots are seeded
    #[arg(skip)]
    pub(crate) ratings: Option<PathBuf>,
    /// What `leyden gate` decides between; other commands ignore it
    #[arg(skip)]
    pub(crate) gate: Option<GateTest>,
}

fn clock(text: &str) -> Result<ClockKind, String> {
    match text {
        "wall" => Ok(ClockKind::Wall),
        "cpu" => Ok(ClockKind::Cpu),
        _ => Err("expected wall or cpu".to_owned()),
    }
}

fn seats(text: &str) -> Result<Seats, String> {
    text.parse().ok().and_then(Seats::new).ok_or_else(|| "expected 2 to 8 seats".to_owned())
}

fn set(text: &str) -> Result<Set, String> {
    text.parse().ok().and_then(Set::of_top).ok_or_else(|| "expected 6, 9 or 12".to_owned())
}

/// Returns the options that decide which rule set is played, with their names.
#[derive(Clone, Debug, Default)]
pub(crate) struct TableOptions {
    pub(crate) seats: Option<Seats>,
    pub(crate) set: Option<Set>,
    pub(crate) target: Option<u32>,
}

impl Args for TableOptions {
    fn augment_args(command: clap::Command) -> clap::Command {
        let all = TournamentOptions::augment_args(clap::Command::new("tournament"));
        let wanted = |argument: &&clap::Arg| ["seats", "set", "target"].contains(&argument.get_id().as_str());
        command.args(all.get_arguments().filter(wanted).cloned().collect::<Vec<_>>())
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for TableOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut options = Self::default();
        options.update_from_arg_matches(matches)?;
        Ok(options)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.seats = matches.get_one("seats").copied();
        self.set = matches.get_one("set").copied();
        self.target = matches.get_one("target").copied();
        Ok(())
    }
}
