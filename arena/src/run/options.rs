//! What an organiser wants, before anything of it is looked at.

use std::path::PathBuf;

use leyden_host::sandbox::SandboxLevelChoice;
use leyden_host::{BuildLimits, ResourceLimits};
use leyden_model::{Pondering, TimeLimits};
use leyden_protocol::{RulesName, Seats, Set};
use leyden_rules::DEFAULT_TARGET;

use super::GateTerms;
use crate::halt::Halt;

/// Everything that can be chosen about a run. [`Options::new`] has the defaults.
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
#[derive(Clone, Debug)]
pub struct Options {
    /// The program `leyden`, which is run again beside each bot and for builtin ones.
    pub leyden: PathBuf,
    /// Bots as they are named on the command line: a folder with a `bot.toml`, a folder of such folders, an executable, a
    /// command line, or `builtin:NAME`.
    pub bots: Vec<String>,
    /// What the first of them are called instead of by their own names, in their order: names that differ from one another and
    /// from those of the rest. Deals follow from the seed and from what bots are called.
    pub called: Vec<String>,
    /// Where the first of them are said to lie, in their order, instead of where they do: for a folder that is gone when somebody
    /// reads of it.
    pub places: Vec<Option<String>>,
    pub kind: RunKind,
    pub rules: RulesName,
    /// `None`: two; of a match as many as there are bots.
    pub seats: Option<Seats>,
    pub set: Set,
    pub target: u32,
    pub limits: TimeLimits,
    /// How many faults of a match are forgiven.
    pub strikes: u32,
    /// Whether every match gets fresh processes.
    pub fresh: bool,
    /// Whether bots are told each other's names.
    pub names: bool,
    pub pondering: Pondering,
    /// How often every table meets on new deals. A gate plays until it is decided, whatever stands here.
    pub blocks: u32,
    /// The text all deals follow from. `None`: that of the tournament that is resumed, or else one that nobody can guess.
    pub seed: Option<String>,
    /// How many matches are played at once. `None`: as many as there are cores for.
    pub jobs: Option<usize>,
    /// On how many cores each match is played.
    pub cores_per_match: usize,
    /// What stands around each bot. [`SandboxLevelChoice::Auto`] is the level of the tournament that is resumed, or else the best
    /// that this machine holds.
    pub sandbox: SandboxLevelChoice,
    /// What a bot in a sandbox may use.
    pub sandbox_limits: ResourceLimits,
    /// What the build command of a bot may use.
    pub build_limits: BuildLimits,
    /// Whether bots with a build command play as they lie in their folders, built by somebody else.
    pub no_build: bool,
    /// The bots of the tournament that is resumed which may have changed, named as they are called or as they stand among the bots:
    /// what they played in is played again.
    pub replace: Vec<String>,
    /// Whether the organiser has said that nobody can have made use of the seed, though it was told: then bots may join or be
    /// replaced afterwards.
    pub seed_unused: bool,
    /// What bots in a sandbox may read if their `bot.toml` asks for it.
    pub allow_read: Vec<PathBuf>,
    /// Files that no bot in a sandbox is shown, such as passwords of the arena.
    pub private: Vec<PathBuf>,
    /// Whether bots that cannot be run are left out; otherwise nothing is played.
    pub allow_missing: bool,
    /// Ends what is prepared and played of it before its time.
    pub halt: Halt,
}

/// What is played.
#[derive(Clone, Debug, PartialEq)]
pub enum RunKind {
    /// Every table meets; or, if challengers are named, every table with a challenger. A challenger is named as the bot is
    /// called, or as it stands among the bots.
    Tournament { gauntlet: Vec<String> },
    /// The bots of one table meet.
    Match,
    /// The first of two bots is tested against the second.
    Gate(GateTerms),
}

impl Options {
    /// A round-robin of these bots, one block, in the rule set leyden.
    pub fn new(leyden: impl Into<PathBuf>, bots: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            leyden: leyden.into(),
            bots: bots.into_iter().map(Into::into).collect(),
            called: Vec::new(),
            places: Vec::new(),
            kind: RunKind::Tournament { gauntlet: Vec::new() },
            rules: RulesName::default(),
            seats: None,
            set: Set::default(),
            target: DEFAULT_TARGET,
            limits: TimeLimits::default(),
            strikes: 0,
            fresh: false,
            names: false,
            pondering: Pondering::default(),
            blocks: 1,
            seed: None,
            jobs: None,
            cores_per_match: 1,
            sandbox: SandboxLevelChoice::Auto,
            sandbox_limits: ResourceLimits::default(),
            build_limits: BuildLimits::default(),
            no_build: false,
            replace: Vec::new(),
            seed_unused: false,
            allow_read: Vec::new(),
            private: Vec::new(),
            allow_missing: false,
            halt: Halt::default(),
        }
    }
}
