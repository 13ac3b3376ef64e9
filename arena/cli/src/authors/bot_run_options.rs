//! Options for a single bot that is started outside of a tournament.

use std::path::PathBuf;

use clap::Args;
use leyden_arena::halt::Halt;
use leyden_arena::rerun::{self, BotEnvironment, MatchEnvironment, ReadyBot, RecordedMatch, SandboxChoice};
use leyden_host::sandbox::SandboxLevelChoice;
use leyden_protocol::Seat;

use crate::exit::CommandError;
use crate::options::{BuildOptions, Memory, resource_limits};
use crate::play::signals::Preparing;

/// The environment of a bot.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "The sandbox")]
pub(crate) struct BotRunOptions {
    /// How to confine the bot: auto, full, jail, restrict or none; auto is the best level that works on this machine
    /// [default: auto]
    #[arg(long, value_name = "LEVEL")]
    sandbox: Option<SandboxLevelChoice>,
    /// Let the bot read this file or folder if its bot.toml asks for it; can be given several times
    #[arg(long, value_name = "PATH")]
    allow_read: Vec<PathBuf>,
    /// Let this bot use the network if its bot.toml asks for it (network = true); can be given several times
    #[arg(long, value_name = "BOT")]
    allow_network: Vec<String>,
    /// Memory for the bot in a sandbox, such as 512MB or 2GB [default: 512MB]
    #[arg(long, value_name = "SIZE")]
    memory: Option<Memory>,
    #[command(flatten)]
    build: BuildOptions,
}

impl BotRunOptions {
    /// Returns the bot's environment; `halt` ends its build.
    pub(crate) fn environment(&self, halt: &Halt) -> Result<BotEnvironment, CommandError> {
        Ok(BotEnvironment {
            leyden: crate::program::leyden()?,
            sandbox: self.sandbox.unwrap_or(SandboxLevelChoice::Auto),
            limits: resource_limits(self.memory),
            build_limits: self.build.limits(),
            no_build: self.build.no_build.unwrap_or(false),
            kept_builds: None,
            allow_read: self.allow_read.clone(),
            allow_network: self.allow_network.clone(),
            halt: halt.clone(),
        })
    }

    /// Finds and builds a bot that was typed. A signal ends the build, and after that the program.
    pub(crate) fn ready(&self, typed: &str) -> Result<ReadyBot, CommandError> {
        self.prepared(|around| ReadyBot::make(typed, around, &mut building))
    }

    /// Does the same for a bot that replaces one of a recorded match. Also returns that bot's seat, and how the environment differs
    /// from the recorded one. `seat` returns the seat for a bot of this name.
    pub(crate) fn ready_at(
        &self,
        typed: &str,
        (recorded, environment): (&RecordedMatch, &MatchEnvironment),
        seat: impl FnOnce(&str) -> Result<Seat, CommandError>,
    ) -> Result<(ReadyBot, Seat, Vec<String>), CommandError> {
        self.prepared(|around| {
            let bot = rerun::find(typed, around)?;
            let seat = seat(&bot.name)?;
            let chosen = SandboxChoice { sandbox: self.sandbox, memory: self.memory.map(Memory::bytes) };
            let (ready, unlike) = environment.ready(bot, recorded, seat, around, chosen, &mut building)?;
            Ok::<_, CommandError>((ready, seat, unlike))
        })
    }

    fn prepared<T, E: Into<CommandError>>(
        &self,
        prepare: impl FnOnce(&BotEnvironment) -> Result<T, E>,
    ) -> Result<T, CommandError> {
        let halt = Halt::default();
        let around = self.environment(&halt)?;
        let preparing = Preparing::start(&halt)?;
        let prepared = prepare(&around).map_err(Into::into)?;
        preparing.finish()?;
        Ok(prepared)
    }
}

fn building(name: &str) {
    crate::out::say(format_args!("building {name}"));
}
