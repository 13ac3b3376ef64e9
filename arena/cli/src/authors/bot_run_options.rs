//! A single bot that is started outside of a tournament, by options that its command shares with one.

use leyden_arena::CancellationToken;
use leyden_arena::rerun::{self, BotEnvironment, MatchEnvironment, ReadyBot, RecordedMatch, SandboxChoice};
use leyden_host::ResourceLimits;
use leyden_host::sandbox::SandboxLevelChoice;
use leyden_protocol::Seat;

use crate::exit::CommandError;
use crate::options::{Memory, TournamentOptions};
use crate::play::signals::Preparing;

impl TournamentOptions {
    /// Returns the environment of a single bot; `stop` ends its build.
    pub(crate) fn bot_environment(&self, stop: &CancellationToken) -> Result<BotEnvironment, CommandError> {
        let usual = ResourceLimits::default();
        Ok(BotEnvironment {
            leyden: crate::program::leyden()?,
            sandbox: self.sandbox.unwrap_or(SandboxLevelChoice::Auto),
            limits: ResourceLimits { memory: self.memory.map_or(usual.memory, Memory::bytes), ..usual },
            build_limits: self.build_limits(),
            no_build: self.no_build.unwrap_or(false),
            kept_builds: None,
            allow_read: self.allow_read.clone(),
            allow_network: self.allow_network.clone(),
            stop: stop.clone(),
        })
    }

    /// Finds and builds a bot that was typed. A signal ends the build, and after that the program.
    pub(crate) fn ready_bot(&self, typed: &str) -> Result<ReadyBot, CommandError> {
        self.prepared(|around| ReadyBot::make(typed, around, &mut building))
    }

    /// Does the same for a bot that replaces one of a recorded match. Also returns that bot's seat, and how the environment differs
    /// from the recorded one. `seat` returns the seat for a bot of this name.
    pub(crate) fn ready_bot_at(
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
        let stop = CancellationToken::new();
        let around = self.bot_environment(&stop)?;
        let preparing = Preparing::start(&stop)?;
        let prepared = prepare(&around).map_err(Into::into)?;
        preparing.finish()?;
        Ok(prepared)
    }
}

fn building(name: &str) {
    crate::out::say(format_args!("building {name}"));
}
