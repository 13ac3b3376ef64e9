//! The commands that can be typed, and their help. Parses, and runs nothing.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::options::heading::{EXECUTION, RESULTS};
use crate::options::{GateOptions, LanguageOption, RunOptions, Shared, TournamentOptions};

/// A bot-battle arena for Leyden dominoes.
///
/// Runs bots written in any language as child processes, shows them only what a player may know, enforces their time limits,
/// and plays every deal from both sides.
#[derive(Parser, Debug)]
#[command(name = "leyden", version, about, max_term_width = 100, arg_required_else_help = false)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// What is shown when `leyden` is typed without arguments.
pub(crate) const SHORT_HELP: &str = "\
leyden: a bot-battle arena for Leyden dominoes

  leyden play                               play yourself
  leyden new mine --lang python             create a bot that plays, for you to change
  leyden check mine                         is anything wrong with it?
  leyden match mine builtin:careful         play it against a sample bot
  leyden thinking                           how it gets better, one idea at a time
  leyden tournament submissions             play all bots of a folder against each other

leyden help lists all commands; leyden help COMMAND explains one.
";

const EXIT_CODES: &str = "\
Exit codes: 0 done; 1 the answer is no (a record does not verify, `verify` finds a results file damaged, a gate rejects); 2 usage or \
configuration, such as a file that does not exist, is damaged or is not one of leyden's; 3 a bot could not be found \
or built, or a gate's old version did nothing but fault; 4 undecided; 5 the host failed, such as memory, a disk, a \
results file or case that may not be read, or a machine so busy that matches are void; 70 a defect of the arena; 130 \
interrupted, can be resumed.";

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Play a tournament: every bot against every other, a gauntlet, or a Swiss, groups and brackets; each deal from both sides
    ///
    /// To rank everybody, play a round-robin of few bots, a Swiss of many; to find the best one, a Swiss or groups and then a knockout
    /// with long meetings. A knockout alone needs the fewest matches, and places only those near its top (leyden formats).
    Tournament {
        #[command(flatten)]
        options: TournamentOptions,
        #[command(flatten)]
        run: RunOptions,
        /// Print a configuration file with every option, to edit and use with --config, and play nothing
        #[arg(long, help_heading = EXECUTION)]
        init: bool,
        /// Draw a seed into this new file, print its commitment to publish before entries close, and play nothing; play later with
        /// --seed-file
        #[arg(long, value_name = "FILE", exclusive = true, help_heading = EXECUTION)]
        commit: Option<PathBuf>,
    },
    /// Play the bots of one table against each other (exit code 0 even if a bot faulted)
    Match {
        #[command(flatten)]
        options: Shared<RunOptions>,
        #[command(flatten)]
        run: RunOptions,
        /// At the end, also report the score without the luck of deals and draws, and keep it in the results file
        #[arg(long = "luck", help_heading = RESULTS)]
        show_luck: bool,
        /// At the end, also print the statistics: kinds of pair, Elo, and what duplicate deals gained
        #[arg(long, short, help_heading = RESULTS)]
        verbose: bool,
        /// Afterwards, print the end of each bot's standard error, for matches in which something went wrong after the bots had
        /// started: for others it is not kept
        #[arg(long = "stderr", conflicts_with = "json", help_heading = RESULTS)]
        print_stderr: bool,
        /// Write a report as JUnit XML: a case for the match and one for each bot, which fails on a fault
        #[arg(long, value_name = "FILE", help_heading = RESULTS)]
        junit: Option<PathBuf>,
    },
    /// Play a league: an endless tournament of the bots in a folder; new versions join as they are handed in
    ///
    /// Watches the folder. New or changed entries are checked and built while the others play, then replace their earlier version
    /// in the next batch of meetings, or are refused with the reason. The league picks the meetings that tell most about the bots'
    /// strength (leyden formats). Ctrl-C ends it, and the same command continues it.
    #[command(after_help = crate::organisers::league::EXAMPLES)]
    League(crate::organisers::league::LeagueOptions),
    /// Hand a bot in to a league over the network, and wait until it is judged
    #[command(after_help = crate::authors::submit::EXAMPLES)]
    Submit(crate::authors::submit::SubmitOptions),
    /// Is the new version stronger? Plays the first bot against the second until that is decided
    ///
    /// A sequential probability ratio test on pairs (each deal once from both sides), judged in schedule order. It stops
    /// as soon as the evidence allows, at the given error rates. Exit code 0: accepted; 1: rejected, also for more faults
    /// than --max-faults allows, or before anything is played if a case in its folder fails; 3: no answer, because the old
    /// version lost most matches by faults; 4: undecided, after the maximum of pairs, because the time was up, or because both
    /// bots played alike so far, which --non-regression accepts. Two bots with identical files play one pair: without a fault
    /// it is accepted with --non-regression, and otherwise undecided.
    ///
    /// In GitHub Actions the verdict is an annotation, and part of the step's summary together with the faults.
    Gate {
        #[command(flatten)]
        options: Shared<RunOptions>,
        #[command(flatten)]
        run: RunOptions,
        #[command(flatten)]
        gate: GateOptions,
    },
    /// Show the standings of a results file or an export
    #[command(after_long_help = leyden_arena::report::csv::COLUMNS)]
    Standings(crate::after::standings::StandingsOptions),
    /// Compare a tournament with an earlier one: which bots are new or have changed, how ratings have moved
    #[command(after_help = crate::after::compare::EXAMPLES)]
    Compare(crate::after::compare::CompareOptions),
    /// Grade bots by a rubric: what a check finds, and scores against reference bots, with partial points and what to fix
    #[command(after_help = crate::organisers::grade::EXAMPLES)]
    Grade(crate::organisers::grade::GradeOptions),
    /// Compare the source text of the bots of a class: which have passages in common, even if their variables have other names
    #[command(after_help = crate::organisers::likeness::EXAMPLES)]
    Likeness(crate::organisers::likeness::LikenessOptions),
    /// Take the luck of deals and draws out of scores: the same means from a fraction of the matches
    ///
    /// Compares each decision with what a baseline would have done, over playouts; the rest of the result is luck, whose mean
    /// is 0. Prints each pairing's score as played and without luck, and keeps them in the results file, where `leyden
    /// standings` shows them. Tables of two only.
    Luck(crate::after::luck::LuckOptions),
    /// What was each decision worth? What gave a match away, by kind; and where another bot would have played differently
    ///
    /// For each decision the chance to win and the points of every legal action, from what the seat could know, and what the choice
    /// gave away, with the error of the estimate. Sums them up for each bot and lists the worst moments of a match, a bot or a
    /// tournament.
    #[command(after_help = crate::after::analyse::EXAMPLES)]
    #[command(after_long_help = crate::after::analyse::long_help())]
    Analyse(crate::after::analyse::AnalyseOptions),
    /// Write records as JSON Lines, in schedule order; or every decision as the bot saw it
    Export {
        /// A results file
        file: PathBuf,
        /// Only this match (its id, or the beginning of its id)
        #[arg(long = "match", value_name = "ID")]
        id: Option<String>,
        /// Write every decision of every bot instead: the turn as the bot was sent it, its answer and the result (`leyden schema
        /// view` describes it). It contains nothing that the bot could not know, apart from the result
        #[arg(long)]
        views: bool,
        /// Only decisions of this seat (counted from 0)
        #[arg(long, value_name = "S", requires = "views")]
        seat: Option<usize>,
        /// Instead of records, the brackets, groups and rounds of a competition as one JSON document in the data model of
        /// brackets-model, for programs that show brackets (`leyden schema brackets` describes it)
        #[arg(long, conflicts_with_all = ["id", "views"])]
        brackets: bool,
        /// Instead of records, the Swiss of the first stage as a Tournament Report File of FIDE (TRF-2026), for programs that pair,
        /// check pairings or compute tie-breaks
        #[arg(long, conflicts_with_all = ["id", "views", "brackets"])]
        trf: bool,
    },
    /// Replay every record through the rules and recompute every deal
    ///
    /// If the tournament's seed is known, every match's seed is recomputed from it, too; with --commitment it must be the seed
    /// that was promised. Of a competition of stages, seeding, pairings, byes and who goes on are recomputed from the results.
    Verify(crate::after::verify::VerifyOptions),
    /// Show a match in the terminal, with the layout drawn, or write it as a page to step through
    Replay {
        /// A results file, or an export (JSON Lines); `-` reads an export from standard input
        file: PathBuf,
        /// The id of a match, or the beginning of it; defaults to the first match, or with --html to the only one
        #[arg(value_name = "MATCH")]
        id: Option<String>,
        /// Only this round (counted from 1)
        #[arg(long, value_name = "R", value_parser = clap::value_parser!(u32).range(1..))]
        round: Option<u32>,
        /// Only what this seat may know (counted from 0)
        #[arg(long, value_name = "S")]
        seat: Option<usize>,
        /// Only the moment before this action, with the legal actions: its index in the record's `rounds` and in their
        /// `actions`, both from 0; or the id of a turn, as given with faults
        #[arg(long, value_name = "rR.tT", conflicts_with = "round")]
        turn: Option<crate::options::QuestionChoice>,
        /// Write the match as one page that needs no network, to open in a browser, with what its decisions were worth; with --seat
        /// it holds only what that seat may know
        #[arg(long, value_name = "OUT", conflicts_with_all = ["round", "turn"])]
        html: Option<PathBuf>,
        #[command(flatten)]
        language: LanguageOption,
    },
    /// Write the decisions of recorded matches as arrays to train with: what bots saw, what they chose and how they fared
    #[command(after_help = crate::after::dataset::EXAMPLES)]
    Dataset(crate::after::dataset::DatasetOptions),
    /// Remove a bot from a tournament, during it or afterwards
    #[command(after_help = crate::after::withdraw::EXAMPLES)]
    Withdraw(crate::after::withdraw::WithdrawOptions),
    /// List the matches of a file: who played, with what result, and where a fault was made
    #[command(after_help = crate::after::matches::EXAMPLES)]
    Matches(crate::after::matches::Matches),
    /// Print the lines that a bot was sent in a match, to send them to it again
    #[command(after_help = crate::authors::transcript::EXAMPLES)]
    Transcript(crate::authors::transcript::Transcript),
    /// Play a recorded match to a bot: does it answer the same? Or stop there and attach a debugger
    #[command(after_help = crate::authors::rerun::EXAMPLES)]
    Rerun(crate::authors::rerun::RerunOptions),
    /// Would a tournament find something wrong with a bot? Positions of every kind, whole matches, time, memory, how it exits
    #[command(after_help = crate::authors::check::EXAMPLES)]
    Check(crate::authors::check::CheckOptions),
    /// Keep a question of a recorded match as a case, which every check asks the bot again
    #[command(after_help = crate::authors::pin::EXAMPLES)]
    Pin(crate::authors::pin::PinOptions),
    /// Create a bot that plays, to start from, in a language of your choice
    #[command(after_help = crate::authors::new::EXAMPLES)]
    New(crate::authors::new::NewOptions),
    /// Play yourself, against bots, in the browser or in the terminal, with a coach; or watch bots step by step
    #[command(after_long_help = crate::play::person::SHOWN)]
    Play(crate::play::person::PlayOptions),
    /// Show a tournament as web pages, while it is played or afterwards
    ///
    /// Standings with intervals, head-to-head results, margins, faults, matches in progress, a page for each bot, and every
    /// match. Prints the address first, and serves until Ctrl-C.
    #[command(after_long_help = crate::play::serve::SHOWN)]
    Serve(crate::play::serve::ServeOptions),
    /// Play matches for runs on other machines, which a NATS server hands out, until Ctrl-C
    ///
    /// Takes batches of matches, with the bots that play them, and sends back the results. When it is stopped, it hands back
    /// what it has not played.
    #[command(after_help = crate::machines::workers::EXAMPLES)]
    #[cfg_attr(
        not(feature = "nats"),
        command(about = "Play matches for runs on other machines (not in this build)")
    )]
    #[cfg_attr(not(feature = "nats"), command(before_help = crate::machines::workers::NOT_HERE))]
    Worker(crate::machines::workers::WorkerArgs),
    /// List the workers that a NATS server can reach: their speed, sandbox and current matches
    #[command(after_help = crate::machines::workers::EXAMPLES)]
    #[cfg_attr(not(feature = "nats"), command(about = "List workers on other machines (not in this build)"))]
    #[cfg_attr(not(feature = "nats"), command(before_help = crate::machines::workers::NOT_HERE))]
    Workers(crate::machines::workers::WorkersArgs),
    /// Write a tournament as a folder of web pages, to publish or to keep
    ///
    /// It starts at index.html and works on any web server and without one: standings, bots, matches, the most interesting ones
    /// action by action, CSV and JSON, and how to verify it all.
    #[command(after_help = crate::after::publish::EXAMPLES)]
    Report(crate::after::publish::Report),
    /// Run a builtin bot on standard input and output
    Bot {
        /// The bot's name, then its options
        #[arg(required = true, num_args = 1.., trailing_var_arg = true, allow_hyphen_values = true, value_name = "NAME")]
        words: Vec<String>,
    },
    /// Show what this machine offers: sandbox levels and what they lack, interpreters, cores, limits
    Doctor {
        /// Print one JSON document (`leyden schema doctor` describes it)
        #[arg(long)]
        json: bool,
    },
    /// Learn the game: a rule set explained with drawings and a round to follow, or a list of rule sets
    Rules(crate::authors::rules::RulesOptions),
    /// Learn how a bot gets better: from the first legal action to belief and search, one idea at a time
    Thinking,
    /// How bots meet in a round-robin, Swiss, groups, knockout or double elimination, and which of them finds the best bot
    Formats,
    /// Print a JSON Schema
    #[command(after_long_help = crate::play::events::PAGE)]
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
    /// The lines exchanged between arena and bots
    Message,
    /// A match record, one line of an export
    Record,
    /// A decision, one line of `leyden export --views`
    View,
    /// A tournament's configuration file
    Config,
    /// What `leyden standings --json` prints
    Standings,
    /// What `leyden export --brackets` prints
    Brackets,
    /// What `leyden grade --json` prints
    Grade,
    /// A rubric of `leyden grade`
    Rubric,
    /// What `leyden likeness --json` prints
    Likeness,
    /// What `leyden compare --json` prints
    Compare,
    /// What `leyden league versions --json` prints
    Versions,
    /// What `leyden league compare --json` prints
    VersionsCompared,
    /// What `leyden league copies --json` prints
    Copies,
    /// What `leyden match --json` prints about two bots, as its event `versus`
    Match,
    /// What `leyden gate --json` prints
    Gate,
    /// What `leyden gate --plan --json` and `leyden match --plan --json` print
    Plan,
    /// What `leyden luck --json` prints
    Luck,
    /// What `leyden analyse --json` prints
    Analyse,
    /// What `leyden check --json` prints
    Check,
    /// A case that `leyden pin` writes into a bot's folder
    Case,
    /// What `leyden matches --json` prints
    Matches,
    /// What `leyden rerun --json` prints
    Rerun,
    /// What `leyden verify --json` prints
    Verify,
    /// What `leyden doctor --json` prints
    Doctor,
    /// What `leyden workers --json` prints
    Workers,
    /// What `leyden rules NAME --json` prints
    Rules,
    /// What `leyden tournament --json` and `leyden match --json` print, one event a line
    Events,
}
