//! When the host, not the bot, is to blame for a time that is up.
//!
//! The rule: a timeout counts only if the arena itself was awake. While it waits, the arena means to look at its clock
//! every 25 ms and at the deadline. If its looks came late, by [`TOO_LATE`] or more in all during one decision, it was
//! stopped or the machine had no time for it, and most likely not for the bot either. Then nobody has lost: the match is
//! played again with fresh processes, and voided if that happens again and again. An answer that is complete when the
//! arena looks always counts, however late it looks, and a bank is never charged for the arena's own delay.

use std::time::Duration;

use leyden_protocol::Seat;

use super::fault::in_words;

/// By how much the arena may look late before its timeouts stop to count: what is promised as the overshoot of a limit.
pub const TOO_LATE: Duration = Duration::from_millis(50);

/// A match that cannot be scored because the host was overloaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("host overloaded: while a bot had {} for {what}, the arena itself was {} late", in_words(*allowance), in_words(*late))]
pub struct Overload {
    /// Whose time was up.
    pub seat: Option<Seat>,
    /// What was waited for.
    pub what: String,
    pub allowance: Duration,
    /// By how much the arena looked late, in all.
    pub late: Duration,
}
