//! What an organiser wants, before any of it is checked.

use std::path::PathBuf;

use leyden_host::sandbox::SandboxLevelChoice;
use leyden_host::{BuildLimits, ResourceLimits};
use leyden_model::Settings;
use leyden_protocol::Seats;

use leyden_format::{Seeding, Stage};

use super::GateTerms;
use super::in_process::InProcess;
use crate::roster::{ReadyBots, Sharing};
use tokio_util::sync::CancellationToken;

/// Everything that can be chosen about a run. [`Options::new`] has the defaults.
#[expect(clippy::struct_excessive_bools, reason = "each is a separate choice")]
#[derive(Clone, Debug)]
pub struct Options {
    /// The program `leyden`, which is also run as the supervisor of each bot, and for builtin bots.
    pub leyden: PathBuf,
    /// Bots as they are named on the command line: a folder with a `bot.toml`, a folder of such folders, an executable, a
    /// command line, or `builtin:NAME`.
    pub bots: Vec<String>,
    /// The bots among them that are players of this program.
    pub players: InProcess,
    /// Names for the first of them, in order, that replace their own. They must differ from one another and from the names of
    /// the rest. Deals follow from the seed and the names.
    pub called: Vec<String>,
    /// Paths to report for the first of them, in order, instead of where they are: for a folder that is gone when the report
    /// is read.
    pub paths: Vec<Option<String>>,
    pub kind: RunKind,
    pub settings: ChosenSettings,
    /// How often every table meets, on new deals. A gate ignores this and plays until it is decided.
    pub blocks: u32,
    /// The text that all deals follow from. `None` takes the seed of the resumed tournament, or else an unpredictable one.
    pub seed: Option<String>,
    /// How many matches are played at once. `None` takes as many as there are cores for.
    pub jobs: Option<usize>,
    /// How many cores each match is played on.
    pub cores_per_match: usize,
    /// What the build command of a bot may use.
    pub build_limits: BuildLimits,
    /// Whether bots with a build command play as they are in their folders, already built.
    pub no_build: bool,
    /// The folder where builds are kept for the next run of the program.
    pub kept_builds: Option<PathBuf>,
    /// The bots of the resumed tournament that may have changed, by their names or as they were given: their matches are
    /// played again.
    pub replace: Vec<String>,
    /// Whether the organiser asserts that nobody could have used the seed although it was revealed: then bots may still join
    /// or be replaced.
    pub seed_unused: bool,
    /// What bots in a sandbox may read if their `bot.toml` asks for it.
    pub allow_read: Vec<PathBuf>,
    /// The bots in a sandbox that may use the network if their `bot.toml` asks for it, by their names or as they were given.
    pub allow_network: Vec<String>,
    /// Files hidden from every bot in a sandbox, such as passwords of the arena.
    pub private: Vec<PathBuf>,
    /// Whether bots that cannot be run are left out; otherwise nothing is played.
    pub allow_missing: bool,
    /// Whether folders and archives in a tournament may be builtin bots, or contain or start this program.
    pub allow_builtins: bool,
    /// Bots of other runs of this process that are ready, and need not be built again.
    pub ready: ReadyBots,
    /// Ends preparation and play early.
    pub stop: CancellationToken,
}

/// Settings before the bots are found. The seats are two or, for a match, as many as there are bots, if none were chosen. By
/// default the sandbox is at the level of the resumed tournament, or else at the best level that this machine supports.
pub type ChosenSettings = Settings<Option<Seats>, SandboxLevelChoice>;

/// The format of a tournament, with bots by name. A bot is named by its name or as it was given among the bots.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum FormatChoice {
    /// Every table meets.
    #[default]
    RoundRobin,
    /// Every table with one of these challengers meets.
    Gauntlet(Vec<String>),
    /// Stages in a row.
    Stages(StagesChoice),
}

/// Stages in a row, and who has which seed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StagesChoice {
    pub seeding: Seeding,
    /// For seeds by rating: the bots that have one, best first. The others come behind them in their order.
    pub rated: Vec<String>,
    pub stages: Vec<Stage>,
}

/// What is played.
#[derive(Clone, Debug, PartialEq)]
pub enum RunKind {
    /// Bots meet as the format says.
    Tournament { format: FormatChoice },
    /// The bots of one table meet.
    Match,
    /// The first of two bots is tested against the second.
    Gate(GateTerms),
}

impl RunKind {
    /// Who may see the folder of files that several command lines name: a gate compares versions by one author.
    pub(super) fn sharing(&self) -> Sharing {
        if matches!(self, Self::Gate(_)) { Sharing::Anybody } else { Sharing::SameFiles }
    }
}

impl Options {
    /// Creates the options of a round-robin of these bots: one block, in the rule set leyden.
    pub fn new(leyden: impl Into<PathBuf>, bots: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            leyden: leyden.into(),
            bots: bots.into_iter().map(Into::into).collect(),
            players: InProcess::default(),
            called: Vec::new(),
            paths: Vec::new(),
            kind: RunKind::Tournament { format: FormatChoice::RoundRobin },
            settings: ChosenSettings::default(),
            blocks: 1,
            seed: None,
            jobs: None,
            cores_per_match: 1,
            build_limits: BuildLimits::default(),
            no_build: false,
            kept_builds: None,
            replace: Vec::new(),
            seed_unused: false,
            allow_read: Vec::new(),
            allow_network: Vec::new(),
            private: Vec::new(),
            allow_missing: false,
            allow_builtins: false,
            ready: ReadyBots::default(),
            stop: CancellationToken::new(),
        }
    }

    /// What a bot in a sandbox may use.
    pub fn sandbox_limits(&self) -> ResourceLimits {
        let usual = ResourceLimits::default();
        ResourceLimits { memory: self.settings.memory.unwrap_or(usual.memory), ..usual }
    }
}
