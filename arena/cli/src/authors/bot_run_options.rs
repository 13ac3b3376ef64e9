//! Options for a single bot that is started outside of a tournament.

use clap::Args;
use leyden_arena::CancellationToken;
use leyden_arena::rerun::{self, BotEnvironment, MatchEnvironment, ReadyBot, RecordedMatch, SandboxChoice};
use leyden_host::sandbox::SandboxLevelChoice;
use leyden_protocol::Seat;

use crate::exit::CommandError;
use crate::options::{BuildOptions, Memory, SandboxOptions, heading, resource_limits};
use crate::play::signals::Preparing;

/// The environment of a bot.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = heading::SANDBOX)]
pub(crate) struct BotRunOptions {
    #[command(flatten)]
    sandbox: SandboxOptions,
    #[command(flatten)]
    build: BuildOptions,
}

impl BotRunOptions {
    /// Returns the bot's environment; `stop` ends its build.
    pub(crate) fn environment(&self, stop: &CancellationToken) -> Result<BotEnvironment, CommandError> {
        let SandboxOptions { sandbox, allow_read, allow_network, memory } = self.sandbox.clone();
        Ok(BotEnvironment {
            leyden: crate::program::leyden()?,
            sandbox: sandbox.unwrap_or(SandboxLevelChoice::Auto),
            limits: resource_limits(memory),
            build_limits: self.build.limits(),
            no_build: self.build.no_build.unwrap_or(false),
            kept_builds: None,
            allow_read,
            allow_network,
            stop: stop.clone(),
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
            let chosen = SandboxChoice {
                sandbox: self.sandbox.sandbox,
                memory: self.sandbox.memory.map(Memory::bytes),
            };
            let (ready, unlike) = environment.ready(bot, recorded, seat, around, chosen, &mut building)?;
            Ok::<_, CommandError>((ready, seat, unlike))
        })
    }

    fn prepared<T, E: Into<CommandError>>(
        &self,
        prepare: impl FnOnce(&BotEnvironment) -> Result<T, E>,
    ) -> Result<T, CommandError> {
        let stop = CancellationToken::new();
        let around = self.environment(&stop)?;
        let preparing = Preparing::start(&stop)?;
        let prepared = prepare(&around).map_err(Into::into)?;
        preparing.finish()?;
        Ok(prepared)
    }
}

fn building(name: &str) {
    crate::out::say(format_args!("building {name}"));
}
