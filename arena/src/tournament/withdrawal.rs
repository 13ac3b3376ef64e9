//! Bots that cannot be started: after some failures in a row nobody tries any more.
//!
//! A withdrawn bot's other matches are scored as lost by the fault that its last start failed with, as they would be if it
//! were started each time. So the schedule stays complete, everybody else gets the same points against it, and records do
//! not depend on when it was withdrawn.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use leyden_protocol::FaultCode;

use crate::referee::Fault;
use leyden_model::MatchRecord;
use leyden_model::{BotIndex, MatchKey};

/// After how many start failures in a row a bot is withdrawn. One or two may be a hiccup of a busy machine; each further
/// one may cost a worker the whole time that a bot has to start, once for every match that is left.
pub const START_FAILURES: u32 = 3;

/// A bot that is not started any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Withdrawal {
    pub bot: BotIndex,
    pub name: String,
    /// What the last start failed with.
    pub code: FaultCode,
    /// What the author was told then.
    pub message: String,
}

impl Withdrawal {
    /// Why each match that is left is lost.
    pub(super) fn fault(&self) -> Fault {
        let Self { code, message, .. } = self;
        Fault::new(*code, format!("withdrawn after {START_FAILURES} start failures in a row: {message}"), b"")
    }
}

/// How starting each bot went lately, on all workers together, in the order in which matches end. A resumed tournament
/// begins to count anew: what kept a bot from starting may have been the machine.
pub(super) struct Starts(Vec<Mutex<Lately>>);

#[derive(Default)]
struct Lately {
    /// Failures since the last success.
    failures: u32,
    withdrawn: Option<Arc<Withdrawal>>,
}

impl Starts {
    pub(super) fn of(bots: usize) -> Self {
        Self((0..bots).map(|_| Mutex::default()).collect())
    }

    fn lately(&self, bot: BotIndex) -> MutexGuard<'_, Lately> {
        self.0[bot.index()].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The bot's withdrawal, if it is not to be started any more.
    pub(super) fn withdrawn(&self, bot: BotIndex) -> Option<Arc<Withdrawal>> {
        self.lately(bot).withdrawn.clone()
    }

    /// The bot was started and has said that it is ready.
    pub(super) fn succeeded(&self, bot: BotIndex) {
        self.lately(bot).failures = 0;
    }

    /// Looks at how a match ended; the bot that is withdrawn for it, if one is.
    pub(super) fn note(&self, fixture: &MatchKey, record: &MatchRecord) -> Option<Arc<Withdrawal>> {
        let fault = record.fault.as_ref()?;
        if !matches!(fault.code, FaultCode::Spawn | FaultCode::Handshake) {
            return None;
        }
        let bot = fixture.seat(fault.seat);
        let mut lately = self.lately(bot);
        if lately.withdrawn.is_some() {
            return None;
        }
        lately.failures += 1;
        if lately.failures < START_FAILURES {
            return None;
        }
        let (name, message) = (record.bots[fault.seat].clone(), fault.message.clone());
        lately.withdrawn = Some(Arc::new(Withdrawal { bot, name, code: fault.code, message }));
        lately.withdrawn.clone()
    }
}
