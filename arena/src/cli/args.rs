//! What can be typed: commands, options, and their help.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::{ArgMatches, Args, FromArgMatches, Parser, Subcommand};
use leyden_host::sandbox::LevelChoice;
use leyden_model::Pondering;
use leyden_protocol::{ClockKind, RulesName, Seats, Set};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::memory::Memory;

/// A bot-battle arena for Leyden dominoes.
///
/// Runs bots written in any language as child processes, gives them only what a player may know, keeps them to their
/// time, and plays every deal from both sides.
#[derive(Parser, Debug)]
#[command(name = "leyden", version, about, max_term_width = 100, arg_required_else_help = false)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// What is shown when nothing was typed.
pub(crate) const SHORT_HELP: &str = "\
leyden: a bot-battle arena for Leyden dominoes

  leyden tournament sample-bots --allow-missing    play all sample bots against each other
  leyden match builtin:careful \"python3 my_bot.py\"  play your bot against a sample bot

leyden help lists all commands; leyden help COMMAND explains one.
";

const EXIT_CODES: &str = "\
Exit codes: 0 done; 1 the answer is no (a record does not verify, a gate rejects); 2 usage or configuration; 3 a bot could not be found, \
read or built; 4 undecided; 5 the host failed, such as memory, a disk, or a machine so busy that matches are void; 70 a defect of the arena; 130 interrupted, can be resumed.";

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Play a round-robin: every bot against every other, each deal from both sides
    Tournament {
        #[command(flatten)]
        options: TournamentOptions,
        #[command(flatten)]
        run: RunOptions,
        /// Play a gauntlet: this bot, one of those listed, against all others, which do not meet among themselves; can be
        /// given several times
        #[arg(long, value_name = "BOT")]
        gauntlet: Vec<String>,
        /// Print a configuration file with every option, to change and to play with --config, and play nothing
        #[arg(long)]
        init: bool,
    },
    /// Play the bots of one table against each other (exit code 0 also when a bot faulted)
    Match {
        #[command(flatten)]
        options: TournamentOptions,
        #[command(flatten)]
        run: RunOptions,
        /// At the end, tell the score without the luck of deals and draws, too, and keep it in the results file
        #[arg(long = "luck")]
        tell_luck: bool,
        /// Write a report as JUnit XML: a case for the match and one for each bot, which a fault fails
        #[arg(long, value_name = "FILE")]
        junit: Option<PathBuf>,
    },
    /// Is the new version stronger? Plays the first bot against the second until that is decided
    ///
    /// A sequential probability ratio test on pairs (each deal once from both sides), judged in schedule order. It stops
    /// as soon as the evidence allows, with the error rates that were asked for. Exit code 0: accepted; 1: rejected, also for
    /// more faults than --max-faults allows; 4: undecided, after the most pairs, because the time was up, or because both bots
    /// played alike so far, which with --non-regression is accepted.
    Gate {
        #[command(flatten)]
        options: TournamentOptions,
        #[command(flatten)]
        run: RunOptions,
        #[command(flatten)]
        gate: GateOptions,
    },
    /// Show the standings of a results file or an export
    #[command(after_long_help = leyden_arena::report::csv::COLUMNS)]
    Standings {
        /// A results file, or an export (JSON Lines); `-` reads an export from standard input
        file: PathBuf,
        /// As one JSON document (`leyden schema standings` describes it)
        #[arg(long, conflicts_with = "csv")]
        json: bool,
        /// As comma-separated values (`--help` tells the columns)
        #[arg(long)]
        csv: bool,
        /// Move all ratings by one number, so that this bot has this rating; otherwise the mean of the field is 0
        #[arg(long, value_name = "BOT=ELO", allow_hyphen_values = true)]
        anchor: Option<super::standings::Anchor>,
        /// Every pairing's score and likelihood of superiority, also with more than 12 bots
        #[arg(long)]
        matrix: bool,
        /// What duplicate deals bought: ρ and 1/(1+ρ) of every pairing
        #[arg(long)]
        pairing: bool,
    },
    /// Compare a tournament with an earlier one: who is new, who has changed, how ratings have moved
    #[command(after_help = super::compare::EXAMPLES)]
    Compare(super::compare::CompareOptions),
    /// Grade bots by a rubric: what a check finds, and scores against reference bots, with partial points and what to fix
    #[command(after_help = super::grade::EXAMPLES)]
    Grade(super::grade::GradeOptions),
    /// Take the luck of deals and draws out of scores: the same means from a fraction of the matches
    ///
    /// Each decision is compared with what a baseline would have done, over playouts; what is left of the result is luck, whose
    /// mean is 0. Prints each pairing's score as played and without luck, and keeps them in the results file, where `leyden
    /// standings` shows them. Tables of two only.
    Luck(super::luck::LuckOptions),
    /// Write records as JSON Lines, in schedule order
    Export {
        /// A results file
        file: PathBuf,
        /// Only this match (its id, or the beginning of it)
        #[arg(long = "match", value_name = "ID")]
        id: Option<String>,
    },
    /// Replay every record through the rules and recompute every deal
    Verify {
        /// A results file, or an export (JSON Lines); `-` reads an export from standard input
        file: PathBuf,
    },
    /// Tell a match in the terminal, with the layout drawn, or write it as a page to step through
    Replay {
        /// A results file, or an export (JSON Lines); `-` reads an export from standard input
        file: PathBuf,
        /// The id of a match, or the beginning of it; the first match if left out
        #[arg(value_name = "MATCH")]
        id: Option<String>,
        /// Only this round (counted from 0)
        #[arg(long, value_name = "R")]
        round: Option<u32>,
        /// Only what this seat may know (counted from 0)
        #[arg(long, value_name = "S")]
        seat: Option<usize>,
        /// Only the moment before this action, with what was legal: the places in the record's `rounds` and in their
        /// `actions`, both from 0
        #[arg(long, value_name = "R.T", conflicts_with = "round")]
        turn: Option<leyden_model::Place>,
        /// Write the match as one page that needs no network, to open in a browser; with --seat it holds only what that
        /// seat may know
        #[arg(long, value_name = "OUT", conflicts_with_all = ["round", "turn"])]
        html: Option<PathBuf>,
    },
    /// List the matches of a file: who met, what came of it, where a fault was made
    #[command(after_help = super::matches::EXAMPLES)]
    Matches(super::matches::Matches),
    /// Print the lines that a bot was sent in a match, to be sent to it once more
    #[command(after_help = super::transcript::EXAMPLES)]
    Transcript(super::transcript::Transcript),
    /// Play a recorded match to a bot: does it answer the same? Or stop there and attach a debugger
    #[command(after_help = super::rerun::EXAMPLES)]
    Rerun(super::rerun::RerunOptions),
    /// Would a tournament find something wrong with a bot? Positions of every kind, whole matches, time, memory, how it leaves
    #[command(after_help = super::check::EXAMPLES)]
    Check(super::check::CheckOptions),
    /// Keep a question of a recorded match as a case: each check asks the bot again
    #[command(after_help = super::pin::EXAMPLES)]
    Pin(super::pin::PinOptions),
    /// Make a bot that plays, to start from, in a language of your choice
    #[command(after_help = super::new::EXAMPLES)]
    New(super::new::NewOptions),
    /// Play yourself: against bots, in the browser or in the terminal, with a coach; or watch bots step by step
    #[command(after_long_help = super::play::SHOWN)]
    Play(super::play::PlayOptions),
    /// Show a tournament as pages, while it is played or afterwards
    ///
    /// Standings with intervals, who beats whom, margins, faults, what is being played, a page for each bot, and every match to
    /// be found. Prints the address first, and serves until Ctrl-C.
    #[command(after_long_help = super::serve::SHOWN)]
    Serve(super::serve::ServeOptions),
    /// Write a tournament as a folder of pages, to publish or to keep
    ///
    /// It begins at index.html and works on any web server and without one: standings, bots, matches, those worth looking at
    /// action by action, CSV and JSON, and how to verify it all.
    #[command(after_long_help = "Example:\n  leyden report results.db --out report")]
    Report {
        /// A results file; of one that is not finished, what a spectator may know
        file: PathBuf,
        /// A new folder
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
    },
    /// Run a builtin bot on standard input and output
    Bot {
        /// The bot's name, then its options
        #[arg(required = true, num_args = 1.., trailing_var_arg = true, allow_hyphen_values = true, value_name = "NAME")]
        words: Vec<String>,
    },
    /// Show what this machine offers: sandbox levels and what is missing for them, interpreters, cores, limits
    Doctor,
    /// Learn the game: a rule set explained with drawings and a round to follow, or a list of them
    Rules {
        /// leyden, leyden-cross, leiden, senst, leyden-free or matador; a list of them if left out
        name: Option<RulesName>,
        #[command(flatten)]
        table: TableOptions,
        /// As one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Print a JSON Schema
    #[command(after_long_help = super::events::PAGE)]
    Schema {
        #[arg(value_enum)]
        name: SchemaName,
    },
    /// Print completions for a shell
    Completions {
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Write man pages into a folder
    Man {
        /// An existing folder
        folder: PathBuf,
    },
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum SchemaName {
    /// The lines between arena and bots
    Message,
    /// A match record, one line of an export
    Record,
    /// A tournament's configuration file
    Config,
    /// What `leyden standings --json` prints
    Standings,
    /// What `leyden grade --json` prints
    Grade,
    /// A rubric of `leyden grade`
    Rubric,
    /// What `leyden compare --json` prints
    Compare,
    /// What `leyden match --json` tells of two bots, as its event `versus`
    Match,
    /// What `leyden gate --json` prints
    Gate,
    /// What `leyden luck --json` prints
    Luck,
    /// What `leyden check --json` prints
    Check,
    /// A case that `leyden pin` writes into a bot's folder
    Case,
    /// What `leyden matches --json` prints
    Matches,
    /// What `leyden rerun --json` prints
    Rerun,
    /// What `leyden tournament --json` and `leyden match --json` print, one event a line
    Events,
}

/// A gate as it is typed.
#[derive(Args, Clone, Debug)]
pub(crate) struct GateOptions {
    #[command(flatten)]
    pub(crate) test: GateTest,
    /// Name one bot, a folder, and take its old version from git as it was at this commit, tag or branch
    #[arg(long, value_name = "REV", allow_hyphen_values = false)]
    pub(crate) against: Option<String>,
    /// Write a report as JUnit XML: a case for the answer, and one for the faults of each bot
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
}

/// What a gate decides between. May stand in a configuration file, as its section `gate`.
#[derive(Args, Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(crate) struct GateTest {
    /// The strength that is to be rejected [default: 0]
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    pub(crate) elo0: Option<f64>,
    /// The strength that is to be accepted [default: 20]
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    pub(crate) elo1: Option<f64>,
    /// Test against a loss of strength: --elo0 -20 --elo1 0
    #[arg(long, conflicts_with_all = ["elo0", "elo1"])]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) non_regression: bool,
    /// How often a bot of strength elo0 may be accepted [default: 0.05]
    #[arg(long, value_name = "RATE")]
    pub(crate) alpha: Option<f64>,
    /// How often a bot of strength elo1 may be rejected [default: 0.05]
    #[arg(long, value_name = "RATE")]
    pub(crate) beta: Option<f64>,
    /// The most pairs to play [default: 5000]
    #[arg(long, value_name = "N")]
    pub(crate) max_pairs: Option<u32>,
    /// End undecided when that many pairs, all from the first on, are each the same match twice; 0: never [default: 10]
    #[arg(long, value_name = "N")]
    pub(crate) mirror_pairs: Option<u32>,
    /// The scale of elo0 and elo1 [default: normalised]
    #[arg(long, value_enum)]
    pub(crate) model: Option<Model>,
    /// Judge pairs with the luck of deals and draws taken out: the same question, answered from fewer pairs
    #[arg(long)]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) luck: bool,
    /// How many matches the new version may lose by faults, such as a crash; one more is the answer no [default: 0]
    #[arg(long, value_name = "N")]
    pub(crate) max_faults: Option<u64>,
    /// End undecided after this time, such as 10m
    #[arg(long, value_name = "DUR")]
    pub(crate) max_time: Option<Span>,
}

/// A scale of strength.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Model {
    /// Per standard deviation of a match: how long the test takes does not depend on the luck of the game
    #[default]
    Normalised,
    /// By the expected score
    Logistic,
}

/// What decides, with its name, which rule set is played: of the options of a tournament those that do.
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

/// How a run shows itself.
#[derive(Args, Clone, Debug)]
pub(crate) struct RunOptions {
    /// Take options from a TOML file, or with `-` from standard input; what is typed here wins, bots included
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// JSON on standard output: of a tournament or match one event a line (`leyden schema events` describes it), of a gate
    /// one document at its end. --json=moves also tells every move while it is played
    #[arg(long, value_name = "DETAIL", num_args = 0..=1, require_equals = true, default_missing_value = "matches", value_enum, hide_possible_values = true)]
    pub(crate) json: Option<JsonDetail>,
    /// No progress on standard error; what went wrong is told all the same
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) watch: super::serve::WatchOptions,
}

/// How much `--json` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum JsonDetail {
    /// What becomes of each match
    Matches,
    /// What happens in each match, too
    Moves,
}

/// Everything that can be typed about a tournament, or stand in its configuration file.
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
    /// How often every pairing meets on new deals, each deal once with every seating [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) blocks: Option<u32>,
    /// The text all deals follow from; for tests, since a bot could guess it [default: random]
    #[arg(long, value_name = "TEXT", conflicts_with = "seed_file")]
    pub(crate) seed: Option<String>,
    /// A file whose text (without line ends around it) is the seed
    #[arg(long, value_name = "FILE")]
    pub(crate) seed_file: Option<PathBuf>,
    /// How many matches are played at once, each on a core of its own [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<usize>,
    /// Cores for one match, for bots that use threads [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) cores_per_match: Option<usize>,
    /// Time for a decision, such as 500ms or 2s [default: 1s]
    #[arg(long, value_name = "DUR")]
    pub(crate) turn: Option<Span>,
    /// Time for a whole match, used by decisions that take longer than a turn's [default: 0s]
    #[arg(long, value_name = "DUR")]
    pub(crate) bank: Option<Span>,
    /// Added to the bank after each decision [default: 0s]
    #[arg(long, value_name = "DUR")]
    pub(crate) increment: Option<Span>,
    /// Time to start up and say ready [default: 5s]
    #[arg(long, value_name = "DUR")]
    pub(crate) startup: Option<Span>,
    /// What measures thinking: wall is real time; cpu is the time that the bot and all it started use on the processors,
    /// with ten times the limit and a second as the most in real time. At the sandbox level full the system counts it
    /// whole; below, children that end within moments may be missed. Linux only [default: wall]
    #[arg(long, value_name = "CLOCK", value_parser = clock)]
    pub(crate) clock: Option<ClockKind>,
    /// May bots compute while it is not their turn? watched: a little, beyond which they are stopped then; never: they are
    /// always stopped then; allowed: yes [default: watched]
    #[arg(skip)]
    pub(crate) pondering: Option<Pondering>,
    /// Let bots compute while it is not their turn: for bots that you trust, each with a core of its own
    /// (--cores-per-match). By default a bot that does so for longer than an eighth of --turn in a match, or 100 ms, is
    /// stopped then from there on
    #[arg(long, conflicts_with = "no_ponder")]
    #[serde(skip)]
    pub(crate) ponder: bool,
    /// Stop every bot while it is not its turn. At the sandbox level full that stops all it started, below it what is still
    /// in its process group
    #[arg(long)]
    #[serde(skip)]
    pub(crate) no_ponder: bool,
    /// How many faults of a bot are forgiven in a match; the first legal action is played instead [default: 0]
    #[arg(long, value_name = "N")]
    pub(crate) strikes: Option<u32>,
    /// Start new processes for every match
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    pub(crate) fresh: Option<bool>,
    /// Tell the bots each other's names
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    pub(crate) names: Option<bool>,
    /// What stands around each bot: auto, full, jail, restrict or none; auto is the best that this machine holds, any
    /// other is that or nothing is run [default: auto]
    #[arg(long, value_name = "LEVEL")]
    pub(crate) sandbox: Option<LevelChoice>,
    /// Let bots whose bot.toml asks for it read this file or folder, such as an interpreter outside of /usr; can be
    /// given several times
    #[arg(long, value_name = "PATH")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) allow_read: Vec<PathBuf>,
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
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    pub(crate) build_network: Option<bool>,
    /// Build nothing: play what lies in the bots' folders, which counts as what they are made of then
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    pub(crate) no_build: Option<bool>,
    /// Leave out bots that cannot be found or built, instead of stopping
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    pub(crate) allow_missing: Option<bool>,
    /// The results file [default: leyden-DATE-N.db, a new one here; for a match a new one in ~/.local/state/leyden; a gate keeps none]
    #[arg(long, value_name = "FILE")]
    pub(crate) results: Option<PathBuf>,
    /// Go on with the results file: play exactly what is missing
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    pub(crate) resume: Option<bool>,
    /// With --resume: this bot, one of those listed, has changed. What it played in is taken out of the results file and played
    /// again, on the same deals; everything else stays. Can be given several times
    #[arg(long, value_name = "BOT")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) replace: Vec<String>,
    /// The bots that a tournament is a gauntlet for; other commands leave it alone
    #[arg(skip)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) gauntlet: Vec<String>,
    /// What `leyden gate` decides between; other commands leave it alone
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
    text.parse().ok().and_then(Seats::new).ok_or_else(|| "a table has 2 to 8 seats".to_owned())
}

fn set(text: &str) -> Result<Set, String> {
    text.parse().ok().and_then(Set::of_top).ok_or_else(|| "expected 6, 9 or 12".to_owned())
}

/// A duration as it is typed: `500ms`, `2s`, `1m 30s`. Whole milliseconds, at most a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct Span(Duration);

impl Span {
    pub(crate) fn duration(self) -> Duration {
        self.0
    }

    pub(crate) fn millis(self) -> u64 {
        self.0.as_millis() as u64
    }
}

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let duration = humantime::parse_duration(text)
            .map_err(|error| format!("expected a duration such as 500ms or 2s: {error}"))?;
        if duration > Duration::from_hours(24) {
            return Err("at most 24h".to_owned());
        }
        if !duration.subsec_nanos().is_multiple_of(1_000_000) {
            return Err("expected whole milliseconds".to_owned());
        }
        Ok(Self(duration))
    }
}

impl From<Span> for String {
    fn from(span: Span) -> Self {
        format!("{}ms", span.millis())
    }
}

impl TryFrom<String> for Span {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl JsonSchema for Span {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Duration".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "description": "a duration such as 500ms or 2s, in whole milliseconds", "examples": ["500ms", "2s"] })
    }
}
