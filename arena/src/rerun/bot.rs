//! Makes one bot ready to run outside of a tournament, in the same sandbox.

use std::path::PathBuf;

use leyden_host::preflight::{self, PreflightError};
use leyden_host::sandbox::{SandboxLevel, SandboxLevelChoice};
use leyden_host::{BuildLimits, Launcher, ResourceLimits};
use leyden_model::{Pondering, TimeLimits};
use leyden_referee::Launch;
use leyden_rules::Rules;

use crate::roster::{
    self, BotCopyError, BotLookupError, BotPreparationError, Builder, Competitor, FoundBots, Grants, Sharing,
    UnusableBotError,
};
use tokio_util::sync::CancellationToken;

/// The environment in which a bot runs.
#[derive(Clone, Debug)]
pub struct BotEnvironment {
    /// The program `leyden`, which runs the sandbox and the builtin bots.
    pub leyden: PathBuf,
    pub sandbox: SandboxLevelChoice,
    pub limits: ResourceLimits,
    /// What its build command may use.
    pub build_limits: BuildLimits,
    /// Whether a bot with a build command plays from its folder without being built.
    pub no_build: bool,
    /// The folder where builds are kept for the next run of the program.
    pub kept_builds: Option<PathBuf>,
    /// Paths that the bot may read in a sandbox if its `bot.toml` asks for them.
    pub allow_read: Vec<PathBuf>,
    /// The bots that may use the network from inside a sandbox if their `bot.toml` asks for it.
    pub allow_network: Vec<String>,
    /// Stops builds, matches and grading that are in progress.
    pub stop: CancellationToken,
}

/// A bot that is built and can be started.
#[derive(Clone, Debug)]
pub struct ReadyBot {
    pub bot: Competitor,
    pub launcher: Launcher,
    pub level: SandboxLevel,
    /// What it may use in its sandbox.
    pub limits: ResourceLimits,
}

/// Why a bot cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum ReadyBotError {
    #[error(transparent)]
    NotABot(#[from] BotLookupError),
    #[error(
        "{typed} contains {bots}: name the one you mean, such as {first}; `leyden grade {typed}` checks each",
        bots = if *.count == 1 { "a bot and other things".to_owned() } else { format!("{count} bots") }
    )]
    Several { typed: String, count: usize, first: String },
    #[error(transparent)]
    Sandbox(#[from] PreflightError),
    #[error(transparent)]
    Missing(#[from] UnusableBotError),
    #[error("interrupted while {0} was being built: the build was stopped")]
    Interrupted(String),
    #[error(transparent)]
    NotCopied(#[from] BotCopyError),
}

impl ReadyBotError {
    /// Whether the host failed or was interrupted, through no fault of the bot.
    pub fn is_hosts(&self) -> bool {
        match self {
            Self::NotABot(error) => error.system().is_some(),
            Self::Missing(error) => error.is_hosts(),
            Self::Sandbox(_) | Self::Interrupted(_) | Self::NotCopied(_) => true,
            Self::Several { .. } => false,
        }
    }
}

impl From<BotPreparationError> for ReadyBotError {
    fn from(error: BotPreparationError) -> Self {
        match error {
            BotPreparationError::Missing(missing) => missing.into(),
            BotPreparationError::Interrupted { bot } => Self::Interrupted(bot),
            BotPreparationError::NotCopied(error) => error.into(),
        }
    }
}

/// Finds the one bot that was typed.
pub fn find(typed: &str, around: &BotEnvironment) -> Result<Competitor, ReadyBotError> {
    let FoundBots { mut bots, mut left_out, .. } = roster::find(&[typed.to_owned()], &around.leyden)?;
    match (bots.pop(), left_out.pop()) {
        (Some(bot), None) if bots.is_empty() => Ok(bot),
        // A folder of several submissions.
        (Some(last), _) => {
            let count = bots.len() + 1;
            let first = bots.into_iter().next().unwrap_or(last);
            let first = first.handed_in.unwrap_or(first.name);
            Err(ReadyBotError::Several { typed: typed.to_owned(), count, first })
        }
        (None, Some(missing)) => Err(missing.into()),
        (None, None) => Err(BotLookupError::Unknown(typed.to_owned()).into()),
    }
}

impl ReadyBot {
    /// Finds a bot, chooses a sandbox and builds the bot. Calls `building` before a build, which may take a while.
    pub fn make(
        typed: &str,
        around: &BotEnvironment,
        building: &mut dyn FnMut(&str),
    ) -> Result<Self, ReadyBotError> {
        Self::new(find(typed, around)?, around, building)
    }

    /// Like [`make`](Self::make), for a bot that is already found.
    pub fn new(
        bot: Competitor,
        around: &BotEnvironment,
        building: &mut dyn FnMut(&str),
    ) -> Result<Self, ReadyBotError> {
        Self::with_hidden(bot, around, (&[], Sharing::SameFiles), &[], building)
    }

    /// Like [`new`](Self::new), but hides the folders of the bots in `others` and the paths in `private`.
    pub(super) fn with_hidden(
        mut bot: Competitor,
        around: &BotEnvironment,
        (others, sharing): (&[Competitor], Sharing),
        private: &[PathBuf],
        building: &mut dyn FnMut(&str),
    ) -> Result<Self, ReadyBotError> {
        if around.no_build {
            bot.leave_unbuilt()?;
        }
        let chosen = preflight::choose(&around.leyden, around.sandbox, around.limits)?;
        let level = chosen.sandbox.level();
        if bot.has_build() {
            building(&bot.name);
        }
        let launcher = Launcher::new(around.leyden.clone()).with_sandbox(chosen.sandbox);
        let stopped = || around.stop.is_cancelled();
        let (limits, kept) = (around.build_limits, around.kept_builds.as_deref());
        let builder = Builder { launcher: &launcher, limits, stopped: &stopped, kept };
        let grants = Grants { read: &around.allow_read, network: &around.allow_network, sharing };
        bot.make_ready(builder, grants, others, private)?;
        Ok(Self { bot, launcher, level, limits: around.limits })
    }

    /// Returns how to start the bot for matches by these rules. No other bot runs at the same time, so it may compute on other
    /// turns, too.
    pub fn launch(&self, rules: Rules, limits: TimeLimits) -> Launch {
        Launch {
            launcher: self.launcher.clone(),
            command: self.bot.command.clone(),
            rules,
            limits,
            pondering: Pondering::Allowed,
            cores: 1,
        }
    }
}
