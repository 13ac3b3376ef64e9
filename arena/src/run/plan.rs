//! A plan: everything that decides what is played. It never changes. Also, why there is none.

use std::path::PathBuf;

use leyden_host::Launcher;
use leyden_host::preflight::PreflightError;
use leyden_host::sandbox::SandboxLevel;
use leyden_model::{BotEntry, LeftOut, Settings, TournamentSeed};
use leyden_protocol::Seats;
use leyden_rules::{Rules, RulesError};

use super::bot_option::BotOptionError;
use super::gate_terms::GateTerms;
use super::in_process_players::InProcessPlayers;
use super::seed::SeedSourceError;
use crate::roster::{
    BotCopyError, BotLookupError, Competitor, ExposedError, HideReason, SameFiles, SameName, UnusableBotError,
};
use leyden_format::{Competition, Format, Schedule, ScheduleError};

/// The most matches that can be played at once.
pub(super) const MOST_JOBS: usize = 1_024;

/// What is played, by which bots, and on how many cores.
#[derive(Clone, Debug)]
pub struct Plan {
    pub settings: Settings,
    /// The rules that follow from the settings.
    pub rules: Rules,
    /// The seed text, from which every deal follows.
    pub seed: String,
    /// The bots in the order in which they were named, ready to run.
    pub bots: Vec<Competitor>,
    /// What was named but does not play.
    pub left_out: Vec<LeftOut>,
    pub format: Format,
    /// How often every table meets.
    pub blocks: u32,
    /// What is tested, if this is a gate: then its blocks are the maximum number of pairs.
    pub gate: Option<GateTerms>,
    /// How many matches are played at once.
    pub jobs: usize,
    /// How many cores each match is played on.
    pub cores_per_match: usize,
    pub launcher: Launcher,
    /// The bots that are players of this program.
    pub players: InProcessPlayers,
}

/// The choices of a resumed tournament that still apply.
#[derive(Clone, Debug)]
pub struct ResumedChoices {
    pub seed: String,
    pub sandbox: SandboxLevel,
    /// Its bots in their order.
    pub bots: Vec<BotEntry>,
    /// The names of withdrawn bots, which do not play even if they are named again.
    pub withdrawn: Vec<String>,
    /// Its stages, with who came late to them or left.
    pub competition: Option<Competition>,
    /// The round of a Swiss before which bots may join.
    pub open_round: Option<u32>,
}

/// What the organiser should know while a plan is made.
#[derive(Debug)]
pub enum Notice {
    /// The sandbox level, what is missing for a better one, and how many bots in it are not the arena's own.
    Sandbox { level: SandboxLevel, missing: Option<PreflightError>, foreign_bots: usize },
    /// Bots may compute off turn but share their cores; with this many cores per match they would not.
    SharedCores(Seats),
    /// More matches are played at once than there are cores for: they slow each other down.
    CrowdedCores { jobs: usize, cores_per_match: usize, cores: usize },
    /// A bot is being built, which may take a while.
    Building(String),
    /// Two bots have the same name, so one of them gets another.
    SameName(SameName),
    /// Bots were handed in with the same files, or unchanged from the starter.
    SameFiles(SameFiles),
    /// A bot is left out.
    LeftOut(UnusableBotError),
    /// A bot has changed: this many of its matches are removed from the results file, and played again.
    Replaced { bot: String, matches: u64 },
    /// The tournament was over and its seed revealed, and it continues with these changes.
    SeedRevealed { changes: Vec<String> },
    /// A new bot joins a tournament that has started; `folder` is its folder or archive, if it has one.
    Joins {
        bot: String,
        folder: Option<String>,
        /// The round of a Swiss, from 0.
        round: Option<u32>,
    },
    /// A bot was withdrawn before, and does not play.
    Withdrawn(String),
    /// A bot was to be replaced, but has not changed.
    Unchanged(String),
    /// A bot in a sandbox only sees those files in this folder that its command line names.
    OnlyNamedFiles { bot: String, folder: PathBuf, why: HideReason },
    /// For these bots, only the files that their command lines name are compared with what played before.
    OnlyNamedFilesCompared { bots: Vec<String> },
}

/// Why the options give no plan. No bot has been started.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    #[error(
        "name the bots that play: folders with a bot.toml, command lines in quotes, or builtin:careful, builtin:greedy and others"
    )]
    NoBots,
    #[error(transparent)]
    NotABot(#[from] BotLookupError),
    #[error("a match needs one bot for each of its {seats} seats, not {bots}")]
    NotATable { bots: usize, seats: Seats },
    #[error("a gate compares two bots, the new version and the old one, not {0}")]
    NotTwo(usize),
    #[error("a gate judges pairs of two bots: it plays at tables of two seats")]
    GateSeats,
    #[error("--startup must be more than 0: a process takes a while to start")]
    NoStartup,
    #[error("--turn 0s leaves no time for a decision unless there is a --bank")]
    NoTime,
    #[error(
        "--clock cpu needs a system that reports a bot's processor time, and this one does not: it needs Linux"
    )]
    NoCpuClock,
    #[error(transparent)]
    Rules(#[from] RulesError),
    #[error("--cores-per-match must be 1 to {0}, the number of cores")]
    Cores(usize),
    #[error("--jobs must be at least 1")]
    NoJobs,
    #[error("--jobs must be at most {MOST_JOBS}")]
    ManyJobs,
    #[error(transparent)]
    Sandbox(#[from] PreflightError),
    #[error(transparent)]
    Exposed(#[from] ExposedError),
    #[error(
        "{}\nNothing was played.{}", lines(.missing),
        if *.can_be_left_out { " --allow-missing leaves such bots out." } else { "" }
    )]
    Missing {
        missing: Vec<UnusableBotError>,
        /// Whether they could be left out.
        can_be_left_out: bool,
    },
    #[error(transparent)]
    NotCopied(#[from] BotCopyError),
    #[error(transparent)]
    NoSuchBot(#[from] BotOptionError),
    #[error(
        "{0} has no process: it plays only in the program that it is part of, if that adds it to the players of the run"
    )]
    NoSuchPlayer(String),
    #[error("--replace is for a tournament or match that is resumed: --results FILE --resume")]
    NothingToReplace,
    #[error(
        "a gate compares two versions as they were when it began: start a new one instead of replacing a bot"
    )]
    ReplacedInGate,
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    #[error(transparent)]
    Seed(#[from] SeedSourceError),
    #[error("interrupted while {0}: no match was started")]
    Interrupted(String),
}

fn lines(missing: &[UnusableBotError]) -> String {
    missing.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

impl Plan {
    /// A round-robin of one block, one match at once on one core, without players of this program. Any field may be changed.
    pub fn new(
        settings: Settings,
        seed: &str,
        bots: Vec<Competitor>,
        launcher: Launcher,
    ) -> Result<Self, RulesError> {
        Ok(Self {
            rules: settings.rules()?,
            settings,
            seed: seed.to_owned(),
            bots,
            left_out: Vec::new(),
            format: Format::RoundRobin,
            blocks: 1,
            gate: None,
            jobs: 1,
            cores_per_match: 1,
            launcher,
            players: InProcessPlayers::default(),
        })
    }

    /// Returns the seed that the seed text gives.
    pub fn tournament_seed(&self) -> TournamentSeed {
        TournamentSeed::from_text(&self.seed)
    }

    /// Every planned match that is known before the first one.
    pub fn schedule(&self) -> Result<Schedule, ScheduleError> {
        Schedule::new(self.format.clone(), self.bots.len(), self.settings.seats, self.blocks)
    }
}
