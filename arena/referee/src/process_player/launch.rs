//! How to start a bot, and who is to blame if it fails.

use std::time::Duration;

use leyden_host::{BotCommand, CHECK_INTERVAL, Launcher, why_unrunnable};
use leyden_model::{Cause, Deviation, EndCause, Pondering, TimeLimits};
use leyden_protocol::FaultCode;
use leyden_rules::Rules;

use crate::fault::Fault;
use crate::hidden_paths::{shown, without_folder};
use crate::off_turn;

/// Everything needed to start one bot of a tournament.
#[derive(Clone, Debug)]
pub struct Launch {
    /// Starts it, in its sandbox.
    pub launcher: Launcher,
    /// Its program with arguments.
    pub command: BotCommand,
    /// The rules that it learns from `hello`.
    pub rules: Rules,
    /// How long it may take.
    pub limits: TimeLimits,
    /// Whether it may compute while it is not its turn.
    pub pondering: Pondering,
    /// The number of cores on which the table plays.
    pub cores: usize,
}

impl Launch {
    /// What the bot may use in a match while it is not its turn.
    pub(super) fn off_turn_allowance(&self) -> Duration {
        off_turn::allowance(&self.limits, self.rules.seats.count())
    }

    /// How often the arena looks at its clock, and at the other bots, while it waits for this bot.
    pub(super) fn look(&self) -> Duration {
        match self.pondering {
            Pondering::Watched => self.off_turn_allowance().min(CHECK_INTERVAL),
            Pondering::Never | Pondering::Allowed => CHECK_INTERVAL,
        }
    }

    /// Returns the fault of a bot whose program did not start.
    pub(super) fn not_started(&self, reason: &str) -> Fault {
        let program = &self.command.program;
        let reason = without_folder(reason, &self.command);
        let what = Deviation::NotStarted { program: shown(program, &self.command), reason };
        let why = why_unrunnable(program, &|path| shown(path, &self.command));
        Fault::new(FaultCode::Spawn, what, b"")
            .likely(why.map_or(Cause::Ended(EndCause::NoProgram), Cause::Unrunnable))
    }
}
