//! Decides when the host, not the bot, is to blame for a timeout.
//!
//! The rule: a timeout counts only if the arena itself was awake. While it waits, the arena plans to look at its clock
//! every 25 ms and at the deadline. If its looks were late by [`TOO_LATE`] or more in total, and by a twentieth of the
//! bot's time or more, then the arena was stopped or the machine had no time for it, and most likely not for the bot
//! either. Then nobody has lost: the match is played again with new processes, and voided if that happens repeatedly.
//! An answer that is complete when the arena looks always counts, however late it looks, and a bank is never charged
//! for the arena's own delay.
//!
//! A bot cannot get a new match by keeping the arena from the processors: if more than [`CROWD`] of its own threads
//! want to run at that moment, if most of the time that the arena was late is its threads' doing
//! ([`late_looks`](super::late_looks)), or if it has computed for at least nineteen twentieths of its time, it is to blame.
//! And if another bot of the table ran although it was stopped, that one has lost.

use std::time::Duration;

use leyden_model::AwaitedAnswer;
use leyden_model::words::took;
use leyden_protocol::Seat;

/// The smallest delay of the arena's looks from which its timeouts no longer count: the promised overshoot of a limit.
pub const TOO_LATE: Duration = Duration::from_millis(50);

/// The same as a fraction of the bot's time: small delays add up during a long wait.
const PART: u32 = 20;

/// How many threads of a bot may want to run at once before the arena's delay is the bot's own fault.
pub(super) const CROWD: usize = 32;

/// Whether the arena looked so late that a timeout after `allowance` does not count.
pub(super) fn is_too_late(late: Duration, allowance: Duration) -> bool {
    late >= TOO_LATE.max(allowance / PART)
}

/// Returns how much of its time a bot may have missed and still be held to it.
pub(super) fn missed(allowance: Duration) -> Duration {
    allowance / PART
}

/// A match that cannot be scored because the host was overloaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.message("a bot"))]
pub struct OverloadError {
    /// The seat whose time was up.
    pub seat: Option<Seat>,
    /// What the arena waited for.
    pub what: AwaitedAnswer,
    /// How long the bot was allowed to take.
    pub allowance: Duration,
    /// How late the arena looked, or how long the bot could not run, in total.
    pub late: Duration,
    /// What could not run.
    pub by: Lateness,
}

impl OverloadError {
    /// Describes what happened; `bot` is the bot whose time was up.
    pub fn message(&self, bot: &str) -> String {
        let (had, seen) = (in_words(self.allowance), self.by.message(self.late));
        format!("host overloaded: while {bot} had {had} for {}, {seen}", self.what)
    }
}

/// What was observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lateness {
    /// The arena itself did not get to run.
    Arena,
    /// The bot did not: other processes had the processors.
    Processors,
}

impl Lateness {
    fn message(self, late: Duration) -> String {
        match self {
            Self::Arena => format!("the arena itself was {} late", in_words(late)),
            Self::Processors => format!("others kept it from the processors for {}", in_words(late)),
        }
    }
}

fn in_words(duration: Duration) -> String {
    took(duration.as_micros() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lateness_counts_from_50_ms_and_a_twentieth() {
        let millis = Duration::from_millis;
        for (late, allowance, too_late) in
            [(49, 300, false), (50, 300, true), (50, 1_000, true), (499, 10_000, false), (500, 10_000, true)]
        {
            assert_eq!(is_too_late(millis(late), millis(allowance)), too_late, "{late} of {allowance}");
        }
    }
}
