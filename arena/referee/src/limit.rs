//! The limit of one decision, and its clock.

use std::time::Duration;

use leyden_host::{CHECK_INTERVAL, NextCheck};
use leyden_model::TimeAllowed;
use leyden_protocol::ClockKind;

/// The shortest time between two checks.
const SHORTEST: Duration = Duration::from_millis(1);

/// With the clock `cpu`: how many times its allowance a decision may take in real time, and how much more. A machine
/// may be busy, and a bot may sleep, but not for ever.
const REAL_TIME: (u32, Duration) = (10, Duration::from_secs(1));

/// Returns the most real time that a decision can take, no matter which clock charges it.
pub(super) fn most_real_time(allowance: Duration) -> Duration {
    allowance * REAL_TIME.0 + REAL_TIME.1
}

/// The limit of one decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limit {
    clock: ClockKind,
    allowance: Duration,
}

impl Limit {
    pub(super) fn new(clock: ClockKind, allowance: Duration) -> Self {
        Self { clock, allowance }
    }

    /// On the limit's own clock.
    pub(super) fn allowance(self) -> Duration {
        self.allowance
    }

    /// Returns the real time after which an answer is due at the latest.
    pub(super) fn real_time(self) -> Duration {
        match self.clock {
            ClockKind::Wall => self.allowance,
            ClockKind::Cpu => most_real_time(self.allowance),
        }
    }

    /// What a fault says of it once its own clock has run out.
    pub(super) fn allowed(self) -> TimeAllowed {
        let us = self.allowance.as_micros() as u64;
        match self.clock {
            ClockKind::Wall => TimeAllowed::RealTime { us },
            ClockKind::Cpu => TimeAllowed::ProcessorTime { us },
        }
    }

    /// What a fault says of it once real time has run out.
    pub(super) fn real_time_allowed(self) -> TimeAllowed {
        match self.clock {
            ClockKind::Wall => self.allowed(),
            ClockKind::Cpu => {
                // The text shows by how much `us` exceeds ten times `processor_us`, so nothing is cut off after this.
                let processor_us = self.allowance.as_micros() as u64;
                let us = most_real_time(Duration::from_micros(processor_us)).as_micros() as u64;
                TimeAllowed::MostRealTime { us, processor_us }
            }
        }
    }

    /// Returns when to check again a bot that has used this much time on this many cores, if that is what counts.
    pub(super) fn next_look(self, used: Duration, cores: usize) -> NextCheck {
        match self.allowance.checked_sub(used) {
            None => NextCheck::GiveUp,
            Some(left) => NextCheck::After((left / cores.max(1) as u32).clamp(SHORTEST, CHECK_INTERVAL)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn millis(number: u64) -> Duration {
        Duration::from_millis(number)
    }

    #[test]
    fn next_look_comes_when_time_could_run_out() {
        let limit = Limit::new(ClockKind::Cpu, millis(100));
        let looks = [(0, 1, 25), (80, 1, 20), (80, 2, 10), (80, 4, 5), (100, 2, 1)];
        for (used, cores, pause) in looks {
            assert_eq!(limit.next_look(millis(used), cores), NextCheck::After(millis(pause)), "{used}");
        }
        assert_eq!(limit.next_look(millis(101), 2), NextCheck::GiveUp);
    }

    #[test]
    fn real_time_is_limited_too() {
        assert_eq!(Limit::new(ClockKind::Wall, millis(100)).real_time(), millis(100));
        assert_eq!(Limit::new(ClockKind::Cpu, millis(100)).real_time(), millis(2_000));
        let uneven = Limit::new(ClockKind::Cpu, millis(100) + Duration::from_nanos(900));
        let said = uneven.real_time_allowed().to_string();
        assert!(said.starts_with("2s of real time") && said.ends_with("ten times that plus 1s)"), "{said}");
    }
}
