//! The options of a tournament, typed or in its configuration file.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use leyden_arena::format::Seeding;
use leyden_arena::run::Options;
use leyden_host::BuildLimits;
use leyden_host::sandbox::SandboxLevelChoice;
use leyden_model::{Pondering, TimeLimits};
use leyden_protocol::{ClockKind, RulesName, Seats, Set};
use leyden_rules::{DEFAULT_TARGET, Rules};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::gate::GateTest;
use super::heading::{EXECUTION, FORMAT, GAME, RESULTS, SANDBOX, TIME};
use super::memory::Memory;
use super::span::Span;
use super::stage::StageOptions;
use super::value_names::value_names;
use crate::exit::CommandError;

// Other commands share some of them (`Shared`).
/// All options of a tournament, typed or in its configuration file.
#[derive(Args, Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
#[schemars(title = "A tournament's configuration file (TOML)")]
pub(crate) struct TournamentOptions {
    /// A folder with a bot.toml, a folder of such folders or zip archives, an executable, a quoted command line, or builtin:NAME
    #[arg(value_name = "BOT")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(example = ["submissions", "builtin:careful"])]
    pub(crate) bots: Vec<String>,
    /// The rule set: leyden, leyden-cross, leiden, senst, leyden-free or matador [default: leyden]
    #[arg(long, help_heading = GAME, value_name = "NAME")]
    pub(crate) rules: Option<RulesName>,
    /// How many seats a table has [default: 2]
    #[arg(long, help_heading = GAME, value_name = "K", value_parser = seats)]
    pub(crate) seats: Option<Seats>,
    /// The set of tiles, by its highest pip: 6, 9 or 12 [default: 6]
    #[arg(long, help_heading = GAME, value_name = "TOP", value_parser = set)]
    pub(crate) set: Option<Set>,
    /// The score that ends a match [default: 100]
    #[arg(long, help_heading = GAME, value_name = "N")]
    pub(crate) target: Option<u32>,
    /// How often every pairing plays on new deals, each deal once in every seating [default: 1]
    #[arg(long, help_heading = GAME, value_name = "N")]
    pub(crate) blocks: Option<u32>,
    /// Play a gauntlet: this bot, one of those listed, against all others, which do not play each other; can be given several times
    #[arg(long, help_heading = FORMAT, value_name = "BOT")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(example = ["builtin:careful"])]
    pub(crate) gauntlet: Vec<String>,
    // A single stage can be typed; in a file, `stage` has several.
    #[command(flatten, next_help_heading = FORMAT)]
    #[serde(skip)]
    pub(crate) typed_stage: StageOptions,
    /// Who has which seed in the first stage: list is the order in which the bots are named; rating is the order of their ratings in
    /// --ratings; draw follows from the tournament's seed, so that anybody can recompute it [default: list]
    #[arg(
        long,
        help_heading = FORMAT,
        value_name = "HOW",
        value_parser = value_names::<Seeding>(),
        hide_possible_values = true
    )]
    pub(crate) seeding: Option<Seeding>,
    /// With --seeding rating: the results file of an earlier tournament. Bots that are not in it come last
    #[arg(long, help_heading = FORMAT, value_name = "FILE")]
    #[schemars(example = "last-year.db")]
    pub(crate) ratings: Option<PathBuf>,
    /// The final of a league, by its results file: the bots are exactly the versions that play in it, best first, and keep
    /// their names
    #[arg(long, help_heading = FORMAT, value_name = "FILE", conflicts_with = "bots")]
    #[schemars(example = "submissions-league.db")]
    pub(crate) league: Option<PathBuf>,
    /// Time for a decision of a bot, such as 500ms or 2s [default: 1s]
    #[arg(long, help_heading = TIME, value_name = "DUR")]
    pub(crate) turn: Option<Span>,
    /// Time for a whole match, used up by decisions that take longer than a turn [default: 0s]
    #[arg(long, help_heading = TIME, value_name = "DUR")]
    pub(crate) bank: Option<Span>,
    /// Added to the bank after each decision [default: 0s]
    #[arg(long, help_heading = TIME, value_name = "DUR")]
    pub(crate) increment: Option<Span>,
    /// Time to start up and say ready [default: 5s]
    #[arg(long, help_heading = TIME, value_name = "DUR")]
    pub(crate) startup: Option<Span>,
    /// What measures thinking: wall is real time; cpu is the processor time of the bot and all its child processes, with a
    /// real-time limit of ten times as much and at least a second. At the sandbox level full the system counts all of it; below,
    /// short-lived children may be missed. Linux only [default: wall]
    #[arg(
        long,
        help_heading = TIME,
        value_name = "CLOCK",
        value_parser = value_names::<ClockKind>(),
        hide_possible_values = true
    )]
    pub(crate) clock: Option<ClockKind>,
    /// How many faults of a bot are forgiven in a match, with the first legal action played instead [default: 0]
    #[arg(long, help_heading = TIME, value_name = "N")]
    pub(crate) strikes: Option<u32>,
    /// May bots compute while it is not their turn? watched: a little, and beyond that they are stopped between turns; never: they
    /// are always stopped between turns; allowed: yes [default: watched]
    #[arg(skip)]
    pub(crate) pondering: Option<Pondering>,
    /// Let bots compute while it is not their turn: for bots that you trust, each with a core of its own (--cores-per-match). By
    /// default a bot that does so for longer than an eighth of --turn in a match, or 100 ms, is stopped between its turns from then
    /// on
    #[arg(long, help_heading = TIME, conflicts_with = "no_ponder")]
    #[serde(skip)]
    pub(crate) ponder: bool,
    /// Stop every bot while it is not its turn. At the sandbox level full that stops all its processes, below it those still in its
    /// process group
    #[arg(long, help_heading = TIME)]
    #[serde(skip)]
    pub(crate) no_ponder: bool,
    /// How to confine each bot: auto, full, jail, restrict or none; auto is the best level that works on this machine, and any
    /// other must work or nothing is run [default: auto]
    #[arg(long, help_heading = SANDBOX, value_name = "LEVEL")]
    pub(crate) sandbox: Option<SandboxLevelChoice>,
    /// Let bots whose bot.toml asks for it read this file or folder, such as an interpreter outside of /usr; can be
    /// given several times
    #[arg(long, help_heading = SANDBOX, value_name = "PATH")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(example = ["/opt/interpreter"])]
    pub(crate) allow_read: Vec<PathBuf>,
    /// Let this bot, and no other, use the network if its bot.toml asks for it (network = true); can be given several times
    #[arg(long, help_heading = SANDBOX, value_name = "BOT")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(example = ["ann"])]
    pub(crate) allow_network: Vec<String>,
    /// Memory for a bot in a sandbox, such as 512MB or 2GB [default: 512MB]
    #[arg(long, help_heading = SANDBOX, value_name = "SIZE")]
    pub(crate) memory: Option<Memory>,
    /// Memory for each process of a build in a sandbox [default: 2GB]
    #[arg(long, help_heading = SANDBOX, value_name = "SIZE")]
    pub(crate) build_memory: Option<Memory>,
    /// Time for the build of a bot [default: 5m]
    #[arg(long, help_heading = SANDBOX, value_name = "DUR")]
    pub(crate) build_time: Option<Span>,
    /// Let builds use the network
    #[arg(long, help_heading = SANDBOX, value_name = "true|false", num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    pub(crate) build_network: Option<bool>,
    /// Build nothing: run what is in a bot's folder; in a results file that then also identifies the bot
    #[arg(long, help_heading = SANDBOX, value_name = "true|false", num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    pub(crate) no_build: Option<bool>,
    /// How many matches to play at once, each on a core of its own [default: all cores]
    #[arg(long, help_heading = EXECUTION, value_name = "N")]
    #[schemars(example = 4)]
    pub(crate) jobs: Option<usize>,
    /// Cores for one match, for bots that use threads [default: 1]
    #[arg(long, help_heading = EXECUTION, value_name = "N")]
    pub(crate) cores_per_match: Option<usize>,
    /// Start new processes for every match: what a bot keeps from earlier matches then changes nothing
    #[arg(long, help_heading = EXECUTION, value_name = "true|false", num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    pub(crate) fresh: Option<bool>,
    /// Let the bots know each other's names
    #[arg(long, help_heading = EXECUTION, value_name = "true|false", num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    pub(crate) names: Option<bool>,
    /// Leave out bots that cannot be found or built, instead of stopping
    #[arg(long, help_heading = EXECUTION, value_name = "true|false", num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    pub(crate) allow_missing: Option<bool>,
    /// Let folders and archives in a tournament be builtin bots, or contain or start this program, as the sample bots do; without it
    /// they count as missing. `builtin:NAME` is always allowed
    #[arg(long, help_heading = EXECUTION, value_name = "true|false", num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    pub(crate) allow_builtins: Option<bool>,
    /// The results file [default: leyden-DATE-N.db, a new one in the current folder; for a match a new one in
    /// ~/.local/state/leyden; a gate keeps none]
    #[arg(long, help_heading = RESULTS, value_name = "FILE")]
    #[schemars(example = "cup.db")]
    pub(crate) results: Option<PathBuf>,
    /// Resume the results file: play exactly what is missing. Bots and options you don't repeat keep their previous values
    #[arg(long, help_heading = RESULTS, value_name = "true|false", num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    pub(crate) resume: Option<bool>,
    /// With --resume: this bot, one of those listed, has changed. Its matches are removed from the results file and played again on
    /// the same deals; everything else stays. To keep the old matches, run `leyden export` first. Not possible after the last
    /// match, when the seed has been revealed. Can be given several times
    #[arg(long, help_heading = RESULTS, value_name = "BOT")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(example = ["a-bot"])]
    pub(crate) replace: Vec<String>,
    /// The text that all deals follow from; for tests only, because a bot could guess it. Never use a text twice: the first
    /// tournament reveals it at its end, and anyone who knows it knows every deal [default: random]
    #[arg(long, help_heading = RESULTS, value_name = "TEXT", conflicts_with = "seed_file")]
    #[schemars(example = "a text")]
    pub(crate) seed: Option<String>,
    /// A file whose text (without surrounding line ends) is the seed
    #[arg(long, help_heading = RESULTS, value_name = "FILE")]
    #[schemars(example = "seed.txt")]
    pub(crate) seed_file: Option<PathBuf>,
    /// How the bots of a tournament meet, if not all against all: one or more stages in a row, each with the best of the one before.
    /// Each [[stage]] is an example; take as many as you need
    #[allow(rustdoc::broken_intra_doc_links, reason = "the text is for the configuration file, too")]
    #[arg(skip)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(example = StageOptions::examples())]
    pub(crate) stage: Vec<StageOptions>,
    /// What `leyden gate` decides between; other commands ignore it. non-regression stands for elo0 = -20 and elo1 = 0
    #[arg(skip)]
    pub(crate) gate: Option<GateTest>,
}

impl TournamentOptions {
    /// The pondering rule that was typed or stands in the file.
    pub(crate) fn pondering(&self) -> Option<Pondering> {
        match (self.ponder, self.no_ponder) {
            (true, _) => Some(Pondering::Allowed),
            (_, true) => Some(Pondering::Never),
            (false, false) => self.pondering,
        }
    }

    /// The stages that were typed or stand in the file.
    pub(crate) fn stages(&self) -> Vec<StageOptions> {
        if self.typed_stage.is_empty() { self.stage.clone() } else { vec![self.typed_stage.clone()] }
    }

    /// The time limits; what was not given is as in `usual`.
    pub(crate) fn limits(&self, usual: TimeLimits) -> TimeLimits {
        let millis = |span: Option<Span>, usual: u64| span.map_or(usual, Span::millis);
        TimeLimits {
            startup_ms: millis(self.startup, usual.startup_ms),
            turn_ms: millis(self.turn, usual.turn_ms),
            bank_ms: millis(self.bank, usual.bank_ms),
            increment_ms: millis(self.increment, usual.increment_ms),
            clock: self.clock.unwrap_or(usual.clock),
        }
    }

    /// What the build command of a bot may use.
    pub(crate) fn build_limits(&self) -> BuildLimits {
        let usual = BuildLimits::default();
        BuildLimits {
            memory: self.build_memory.map_or(usual.memory, Memory::bytes),
            time_ms: self.build_time.map_or(usual.time_ms, Span::millis),
            network: self.build_network.unwrap_or(usual.network),
        }
    }

    /// The rules at a table for which this rule set was named.
    pub(crate) fn table_rules(&self, name: RulesName) -> Result<Rules, CommandError> {
        let (seats, set) = (self.seats.unwrap_or(Seats::TWO), self.set.unwrap_or_default());
        Rules::new(name, seats, set, self.target.unwrap_or(DEFAULT_TARGET)).map_err(CommandError::usage)
    }

    /// What these options play; all that is not given is as in `usual`.
    pub(crate) fn over(&self, mut usual: Options) -> Result<Options, CommandError> {
        fn set<T>(option: &mut T, given: Option<T>) {
            if let Some(given) = given {
                *option = given;
            }
        }
        let (pondering, build_limits) = (self.pondering(), self.build_limits());
        #[rustfmt::skip] // a new option must be named here
        let Self {
            bots, rules, seats, set: tiles, target, blocks, strikes, sandbox, allow_read, allow_network, memory, no_build,
            jobs, cores_per_match, fresh, names, allow_missing, allow_builtins, replace, seed, seed_file,
            // The methods above read these.
            turn: _, bank: _, increment: _, startup: _, clock: _, build_memory: _, build_time: _, build_network: _,
            pondering: _, ponder: _, no_ponder: _, typed_stage: _,
            // What these say is the business of the commands that have them.
            gauntlet: _, seeding: _, ratings: _, league: _, stage: _, gate: _, results: _, resume: _,
        } = self.clone();
        if !bots.is_empty() {
            usual.bots = bots;
        }
        let settings = &mut usual.settings;
        settings.limits = self.limits(settings.limits);
        settings.seats = seats.or(settings.seats);
        settings.memory = memory.map(Memory::bytes).or(settings.memory);
        set(&mut settings.rules, rules);
        set(&mut settings.set, tiles);
        set(&mut settings.target, target);
        set(&mut settings.strikes, strikes);
        set(&mut settings.fresh, fresh);
        set(&mut settings.names, names);
        set(&mut settings.pondering, pondering);
        set(&mut settings.sandbox, sandbox);
        set(&mut usual.blocks, blocks);
        set(&mut usual.cores_per_match, cores_per_match);
        set(&mut usual.no_build, no_build);
        set(&mut usual.allow_missing, allow_missing);
        set(&mut usual.allow_builtins, allow_builtins);
        let seed = match (seed, seed_file) {
            (Some(text), _) => Some(text),
            (None, file) => file.as_deref().map(seed_in).transpose()?,
        };
        Ok(Options { seed, jobs, build_limits, replace, allow_read, allow_network, ..usual })
    }
}

/// Reads the seed text from a file.
pub(crate) fn seed_in(path: &Path) -> Result<String, CommandError> {
    let text = fs::read_to_string(path).map_err(|error| {
        CommandError::for_file(format_args!("cannot read the seed file {}: {error}", path.display()), &error)
    })?;
    let text = text.trim_matches(['\r', '\n']);
    if text.is_empty() {
        return Err(CommandError::usage(format!("the seed file {} is empty", path.display())));
    }
    Ok(text.to_owned())
}

fn seats(text: &str) -> Result<Seats, String> {
    text.parse().ok().and_then(Seats::new).ok_or_else(|| "expected 2 to 8 seats".to_owned())
}

fn set(text: &str) -> Result<Set, String> {
    text.parse().ok().and_then(Set::from_top).ok_or_else(|| "expected 6, 9 or 12".to_owned())
}
