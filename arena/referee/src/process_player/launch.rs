//! How a bot is started, and whose fault it is if it is not.

use std::time::Duration;

use leyden_host::{BotCommand, CHECK_INTERVAL, Launcher, why_unrunnable};
use leyden_model::{Pondering, TimeLimits};
use leyden_protocol::FaultCode;
use leyden_rules::Rules;

use crate::fault::Fault;
use crate::hidden_places::without_folder;
use crate::off_turn;

/// Everything needed to start one bot for one tournament.
#[derive(Clone, Debug)]
pub struct Launch {
    pub launcher: Launcher,
    pub command: BotCommand,
    pub rules: Rules,
    pub limits: TimeLimits,
    pub pondering: Pondering,
    /// On how many cores the table plays.
    pub cores: usize,
}

impl Launch {
    /// What the bot may use in a match while it is not its turn.
    pub(super) fn off_turn_allowance(&self) -> Duration {
        off_turn::allowance(&self.limits, self.rules.seats.count())
    }

    /// How often the arena looks at its clock, and at who is not to think, while it waits for this bot.
    pub(super) fn look(&self) -> Duration {
        match self.pondering {
            Pondering::Watched => self.off_turn_allowance().min(CHECK_INTERVAL),
            Pondering::Never | Pondering::Allowed => CHECK_INTERVAL,
        }
    }

    /// The fault of a bot whose program did not start.
    pub(super) fn not_started(&self, reason: &str) -> Fault {
        let program = without_folder(&self.command.program.display().to_string(), &self.command);
        let reason = without_folder(reason, &self.command);
        let what = format!("the bot's program {program} could not be started: {reason}");
        let usual = "the program is not there or not executable, or the interpreter in a script's first line (#!…) is missing";
        let why = why_unrunnable(&self.command.program);
        let why = why.map(|why| without_folder(&why, &self.command));
        Fault::new(FaultCode::Spawn, what, b"").likely(why.unwrap_or_else(|| usual.to_owned()))
    }
}
