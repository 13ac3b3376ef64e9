//! Time limits as they are typed.

use leyden_model::TimeLimits;
use leyden_protocol::ClockKind;

use super::span::Span;

/// The time limits that were given, each by an option of its own.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GivenLimits {
    pub(crate) startup: Option<Span>,
    pub(crate) turn: Option<Span>,
    pub(crate) bank: Option<Span>,
    pub(crate) increment: Option<Span>,
    pub(crate) clock: Option<ClockKind>,
}

impl GivenLimits {
    /// Returns these limits; what was not given is as in `usual`.
    pub(crate) fn over(self, usual: TimeLimits) -> TimeLimits {
        let millis = |span: Option<Span>, usual: u64| span.map_or(usual, Span::millis);
        TimeLimits {
            startup_ms: millis(self.startup, usual.startup_ms),
            turn_ms: millis(self.turn, usual.turn_ms),
            bank_ms: millis(self.bank, usual.bank_ms),
            increment_ms: millis(self.increment, usual.increment_ms),
            clock: self.clock.unwrap_or(usual.clock),
        }
    }
}
