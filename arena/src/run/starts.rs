//! Bots that cannot be started: after some failures in a row nobody tries any more.
//!
//! A withdrawn bot's other matches are scored as lost by the fault that its last start failed with, as they would be if it
//! were started each time. So the schedule stays complete, everybody else gets the same points against it, and records do
//! not depend on when it was withdrawn.

use leyden_model::event::Withdrawal;
use leyden_model::{BotIndex, MatchKey, MatchRecord};
use leyden_protocol::Seat;

/// After how many start failures in a row a bot is withdrawn. One or two may be a hiccup of a busy machine; each further
/// one may cost a worker the whole time that a bot has to start, once for every match that is left.
pub const START_FAILURES: u32 = 3;

/// How starting each bot went lately, in the order in which matches end. A resumed tournament begins to count anew: what
/// kept a bot from starting may have been the machine.
#[derive(Debug)]
pub(super) struct StartHistory(Vec<Lately>);

#[derive(Clone, Debug, Default)]
struct Lately {
    /// Whether it was started in this run.
    succeeded: bool,
    /// Failures since the last success.
    failures: u32,
    withdrawn: Option<Withdrawal>,
}

impl StartHistory {
    pub(super) fn of(bots: usize) -> Self {
        Self(vec![Lately::default(); bots])
    }

    /// The bot's withdrawal, if it is not to be started any more.
    pub(super) fn withdrawn(&self, bot: BotIndex) -> Option<&Withdrawal> {
        self.0.get(bot.index())?.withdrawn.as_ref()
    }

    /// At which seat a match is lost without being played, if that is known already: at the first one whose bot is
    /// withdrawn, if all before it start.
    pub(super) fn forfeits(&self, key: &MatchKey) -> Option<(Seat, &Withdrawal)> {
        for (seat, &bot) in key.seating().iter() {
            if let Some(withdrawal) = self.withdrawn(bot) {
                return Some((seat, withdrawal));
            }
            let lately = self.0.get(bot.index())?;
            if !lately.succeeded || lately.failures > 0 {
                return None;
            }
        }
        None
    }

    /// The bot was started and has said that it is ready.
    pub(super) fn succeeded(&mut self, bot: BotIndex) {
        if let Some(lately) = self.0.get_mut(bot.index()) {
            (lately.succeeded, lately.failures) = (true, 0);
        }
    }

    /// Looks at how a match ended; the bot that is withdrawn for it, if one is.
    pub(super) fn note(&mut self, key: &MatchKey, record: &MatchRecord) -> Option<(BotIndex, Withdrawal)> {
        let fault = record.fault.as_ref().filter(|fault| fault.code.is_start_failure())?;
        let bot = key.seat(fault.seat);
        let lately = self.0.get_mut(bot.index())?;
        if lately.withdrawn.is_some() {
            return None;
        }
        lately.failures += 1;
        if lately.failures < START_FAILURES {
            return None;
        }
        let withdrawal = Withdrawal {
            bot: record.bots[fault.seat].clone(),
            failures: lately.failures,
            code: fault.code,
            message: fault.message.clone(),
        };
        lately.withdrawn = Some(withdrawal.clone());
        Some((bot, withdrawal))
    }
}
