//! Bots that cannot be started: after some failures in a row they are not tried again.
//!
//! The remaining matches of a disabled bot are scored as lost by the fault of its last start, as they would be if it were
//! started each time. So the schedule stays complete, every other bot gets the same points against it, and records do not
//! depend on when it was disabled.

use leyden_model::{BotIndex, DisabledBot, MatchKey, MatchRecord};
use leyden_protocol::Seat;

/// After this many start failures in a row a bot is disabled. One or two may be a hiccup of a busy machine; each further one
/// may cost a worker the bot's whole startup time, in every remaining match.
pub const START_FAILURES: u32 = 3;

/// The recent starts of each bot, in the order in which matches end. A resumed tournament starts counting from zero, because
/// the machine may have kept a bot from starting.
#[derive(Debug)]
pub(super) struct StartHistory(Vec<RecentStarts>);

#[derive(Clone, Debug, Default)]
struct RecentStarts {
    /// Whether it has been started in this run.
    succeeded: bool,
    /// Failures since the last success.
    failures: u32,
    disabled: Option<DisabledBot>,
}

impl StartHistory {
    pub(super) fn new(bots: usize) -> Self {
        Self(vec![RecentStarts::default(); bots])
    }

    /// The bot's disabled, if it is not started any more.
    pub(super) fn disabled(&self, bot: BotIndex) -> Option<&DisabledBot> {
        self.0.get(bot.index())?.disabled.as_ref()
    }

    /// The seat by which a match is lost without being played, if known already: the first seat whose bot is disabled, if
    /// all before it start.
    pub(super) fn forfeits(&self, key: &MatchKey) -> Option<(Seat, &DisabledBot)> {
        for (seat, &bot) in key.seating().iter() {
            if let Some(disabled) = self.disabled(bot) {
                return Some((seat, disabled));
            }
            let starts = self.0.get(bot.index())?;
            if !starts.succeeded || starts.failures > 0 {
                return None;
            }
        }
        None
    }

    /// The bot was started and has sent ready.
    pub(super) fn succeeded(&mut self, bot: BotIndex) {
        if let Some(starts) = self.0.get_mut(bot.index()) {
            (starts.succeeded, starts.failures) = (true, 0);
        }
    }

    /// Looks at how a match ended; returns the bot that is disabled because of it, if any.
    pub(super) fn note(&mut self, key: &MatchKey, record: &MatchRecord) -> Option<(BotIndex, DisabledBot)> {
        let fault = record.fault.as_ref().filter(|fault| fault.code.is_start_failure())?;
        let bot = key.seat(fault.seat);
        let starts = self.0.get_mut(bot.index())?;
        if starts.disabled.is_some() {
            return None;
        }
        starts.failures += 1;
        if starts.failures < START_FAILURES {
            return None;
        }
        let disabled = DisabledBot {
            bot: record.bots[fault.seat].clone(),
            failures: starts.failures,
            code: fault.code,
            details: fault.details.clone(),
        };
        starts.disabled = Some(disabled.clone());
        Some((bot, disabled))
    }
}
