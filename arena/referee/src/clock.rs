//! One seat's time in a match: a limit for each decision, and a bank for time beyond it.

use std::time::Duration;

use leyden_protocol::Clock;

use leyden_model::TimeLimits;

/// The time that a seat has left.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeatClock {
    limits: TimeLimits,
    bank: Duration,
    last: Option<Duration>,
}

impl SeatClock {
    pub(super) fn new(limits: TimeLimits) -> Self {
        Self { limits, bank: limits.bank(), last: None }
    }

    /// Returns how long the next decision may take: the turn's limit and the whole bank.
    pub(super) fn allowance(&self) -> Duration {
        self.limits.turn() + self.bank
    }

    /// Charges a decision: time beyond the turn's limit is deducted from the bank, then the increment is added.
    pub(super) fn charge(&mut self, took: Duration) {
        let beyond = took.saturating_sub(self.limits.turn());
        self.bank = self.bank.saturating_sub(beyond) + self.limits.increment();
        self.last = Some(took);
    }

    /// Returns the clock as a bot receives it.
    pub(super) fn as_sent(&self) -> Clock {
        Clock {
            turn_ms: self.limits.turn_ms,
            bank_ms: self.bank.as_millis() as u64,
            last_us: self.last.map(|last| last.as_micros() as u64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bank_pays_what_goes_beyond_the_turn() {
        let limits = TimeLimits { turn_ms: 100, bank_ms: 1_000, increment_ms: 10, ..TimeLimits::default() };
        let mut clock = SeatClock::new(limits);
        assert_eq!(clock.allowance(), Duration::from_millis(1_100));
        clock.charge(Duration::from_millis(60));
        assert_eq!(clock.allowance(), Duration::from_millis(1_110));
        clock.charge(Duration::from_millis(400));
        assert_eq!(clock.as_sent(), Clock { turn_ms: 100, bank_ms: 720, last_us: Some(400_000) });
        clock.charge(Duration::from_secs(5));
        assert_eq!(clock.allowance(), Duration::from_millis(110));
    }
}
